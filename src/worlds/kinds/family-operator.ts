/** An operator of an operator family. */
import { type FamilyMember, lostWith, memberPath, memberReferences } from './family-member.ts';
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, ownNumber } from './kind.ts';
import { type Reference, toNumbered } from './reference.ts';
import { ownRoutine, type RoutineReference } from './routine-reference.ts';

export interface FamilyOperatorObject extends FamilyMember {
  what: 'family operator';
  /** A user-defined one by number, a system one by name: it is between `left` and `right`. */
  operator: RoutineReference;
  /** Oid of the btree family that orders its result; 0: a search operator. */
  sort: number;
}

export const FAMILY_OPERATOR: Kind<FamilyOperatorObject> = {
  key: ({ number }) => `ua${pad(number)}`,
  numberName: ({ family, place, left, right }) => namedNumberName('family operator', String(family), `${place}(${left},${right})`),
  numbers: ownNumber,
  references,
  address: ({ number }) => ({ kind: 'family operator', number }),
  codeHolder: ofItself,
  words: () => 'an operator of a family',
  path: (object, names) => `family operator:${memberPath(object, names)}`,
  scopedName: ({ family, place, left, right }) => `family operator\0${family}\0${place}(${left},${right})`,
};

function references(object: FamilyOperatorObject): Reference[] {
  const own = ownRoutine(object.operator);
  const lost = lostWith(object);
  return [
    ...memberReferences(object, own === null ? [] : [toNumbered('operator', own, { ...lost, called: 'its operator' })]),
    ...(object.sort === 0 ? [] : [toNumbered('operator family', object.sort, { ...lost, walked: 'drop' })]),
  ];
}
