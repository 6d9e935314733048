/** The six comparison operators over a pair of types, with Postgres's commutators and negators. */
import type { SqlOperator } from '../define.ts';

// oxlint-disable-next-line no-explicit-any
type Test = (a: any, b: any) => boolean;

/** One function literal per operator and representation: V8 keeps type feedback per literal, so each stays monomorphic. */
export interface Tests {
  readonly eq: Test;
  readonly ne: Test;
  readonly lt: Test;
  readonly le: Test;
  readonly gt: Test;
  readonly ge: Test;
}

const SYMBOLS = [
  ['eq', '=', '=', '<>'],
  ['ne', '<>', '<>', '='],
  ['lt', '<', '>', '>='],
  ['le', '<=', '>=', '>'],
  ['gt', '>', '<', '<='],
  ['ge', '>=', '<=', '<'],
] as const;

/** `proc` gives Postgres's function name for `eq`, `ne` …. */
export function sixOperators(left: string, right: string, proc: (test: keyof Tests) => string, tests: Tests): SqlOperator[] {
  return SYMBOLS.map(([test, name, commutator, negator]) => ({
    name,
    left,
    right,
    returns: 'bool',
    proc: proc(test),
    commutator,
    negator,
    impl: tests[test],
  }));
}
