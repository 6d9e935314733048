/** A support function of an operator family. */
import { type FamilyMember, lostWith, memberPath, memberReferences } from './family-member.ts';
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, ownNumber } from './kind.ts';
import { toRoutine, toType } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export interface FamilyFunctionObject extends FamilyMember {
  what: 'family function';
  routine: RoutineReference;
  /** Oids of the types of its arguments. */
  args: number[];
}

export const FAMILY_FUNCTION: Kind<FamilyFunctionObject> = {
  key: ({ number }) => `ug${pad(number)}`,
  numberName: ({ family, place, left, right }) => namedNumberName('family function', String(family), `${place}(${left},${right})`),
  numbers: ownNumber,
  references: (object) => [
    ...memberReferences(object, toRoutine(object.routine, lostWith(object))),
    // The types of the function itself.
    ...object.args.map((oid) => toType(oid, { walked: 'neither' })),
  ],
  address: ({ number }) => ({ kind: 'family function', number }),
  codeHolder: ofItself,
  words: () => 'a function of an operator family',
  path: (object, names) => `family function:${memberPath(object, names)}`,
  scopedName: ({ family, place, left, right }) => `family function\0${family}\0${place}(${left},${right})`,
};
