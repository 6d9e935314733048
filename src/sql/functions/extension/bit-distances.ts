/** Distances of bit strings, as the extension pgvector has them. Values are texts of 0 and 1. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ScalarFunction, SqlOperator } from '../define.ts';

/** Positions at which one of two strings, or both, have a 1. */
function counts(a: string, b: string): { readonly different: number; readonly both: number; readonly either: number } {
  if (a.length !== b.length) throw new SvcError('22000', `different bit lengths ${a.length} and ${b.length}`);
  let both = 0;
  let either = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a.charCodeAt(i) & 1, b.charCodeAt(i) & 1];
    both += x & y;
    either += x | y;
  }
  return { different: either - both, both, either };
}

const hamming = (a: string, b: string): number => counts(a, b).different;

/** 1 for strings that share no 1, also if neither has one. */
function jaccard(a: string, b: string): number {
  const { both, either } = counts(a, b);
  return both === 0 ? 1 : 1 - both / either;
}

const TWO = ['bit', 'bit'];

export const BIT_DISTANCES: readonly ScalarFunction[] = [
  { kind: 'scalar', name: 'hamming_distance', args: TWO, returns: 'float8', doc: 'Number of bits in which two bit strings differ.', impl: hamming },
  {
    kind: 'scalar',
    name: 'jaccard_distance',
    args: TWO,
    returns: 'float8',
    doc: 'One less the part of the ones of two bit strings that both have.',
    impl: jaccard,
  },
];

export const BIT_DISTANCE_OPERATORS: readonly SqlOperator[] = [
  { name: '<~>', left: 'bit', right: 'bit', returns: 'float8', proc: 'hamming_distance', commutator: '<~>', impl: hamming },
  { name: '<%>', left: 'bit', right: 'bit', returns: 'float8', proc: 'jaccard_distance', commutator: '<%>', impl: jaccard },
];
