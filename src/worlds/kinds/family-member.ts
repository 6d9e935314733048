/** Common fields of operators and functions of an operator family. */
import type { Names } from './kind.ts';
import { type Reference, toNumbered, toType } from './reference.ts';

export interface FamilyMember {
  number: number;
  family: number;
  /** Strategy of an operator, number of a support function. */
  place: number;
  /** Oids of the types that it is for. */
  left: number;
  right: number;
  /** Number of the class that requires it; 0: a loose member of the family. */
  class: number;
}

/** The class or family first, then the member's operator or function, then its types, which are dropped with the class. */
export function memberReferences({ family, left, right, class: of }: FamilyMember, what: readonly Reference[]): Reference[] {
  return [
    ...(of === 0 ? [] : [toNumbered('operator class', of, { how: 'part', called: 'its class' })]),
    toNumbered('operator family', family, { how: 'follows', called: 'its operator family', ...(of === 0 ? {} : { walked: 'drop' as const }) }),
    ...what,
    toType(left, { walked: 'merge' }),
    toType(right, { walked: 'merge' }),
  ];
}

/** A required member takes its operator class along when it is dropped; a loose one is removed from the family. */
export function lostWith({ class: of }: FamilyMember): Pick<Reference, 'how' | 'by'> {
  return of === 0 ? { how: 'follows' } : { how: 'needs', by: { kind: 'operator class', number: of } };
}

export function memberPath({ family, place, left, right }: FamilyMember, names: Names): string {
  return `${names.object(family).replace(/^operator family:/, '')}.${place}(${names.type(left)},${names.type(right)})`;
}
