/** CREATE CAST. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, ownNumber } from './kind.ts';
import { toRoutine, toType } from './reference.ts';
import type { RoutineReference } from './routine-reference.ts';

export interface CastObject {
  what: 'cast';
  number: number;
  /** Oids. */
  from: number;
  to: number;
  context: 'implicit' | 'assignment' | 'explicit';
  method: 'binary' | 'io' | 'function';
  /** Only for `WITH FUNCTION`. */
  routine: RoutineReference | null;
  /** Number of its arguments: the value, its modifier, whether the cast is explicit. */
  args: number;
}

export const CAST: Kind<CastObject> = {
  key: ({ number }) => `h${pad(number)}`,
  numberName: ({ from, to }) => namedNumberName('cast', '', `${from}:${to}`),
  numbers: ownNumber,
  references: ({ from, to, routine }) => [toType(from), toType(to), ...toRoutine(routine)],
  address: ({ number }) => ({ kind: 'cast', number }),
  codeHolder: ofItself,
  words: () => 'a cast',
  path: ({ from, to }, names) => `cast:${names.type(from)}:${names.type(to)}`,
  scopedName: ({ from, to }) => `cast\0${from}\0${to}`,
};
