/** Comparison of records as values, where null equals null: for composite columns, sorting, IN over rows of a subquery. */
import { compareRecords, equalRecords } from '../../types/record-type.ts';
import type { RecordValue } from '../../types/record-value.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

/** Postgres's record_eq. */
export function recordEq(a: RecordValue, b: RecordValue): boolean {
  return equalRecords(a, b);
}

const ORDER: readonly (readonly [string, string, string, string, (a: RecordValue, b: RecordValue) => boolean])[] = [
  ['=', 'record_eq', '=', '<>', recordEq],
  ['<>', 'record_ne', '<>', '=', (a, b) => !recordEq(a, b)],
  ['<', 'record_lt', '>', '>=', (a, b) => compareRecords(a, b) < 0],
  ['>', 'record_gt', '<', '<=', (a, b) => compareRecords(a, b) > 0],
  ['<=', 'record_le', '>=', '>', (a, b) => compareRecords(a, b) <= 0],
  ['>=', 'record_ge', '<=', '<', (a, b) => compareRecords(a, b) >= 0],
];

const OPERATORS = ORDER.map(([name, proc, commutator, negator, impl]): SqlOperator => ({
  name,
  left: 'record',
  right: 'record',
  returns: 'bool',
  proc,
  commutator,
  negator,
  impl,
}));

export const RECORD_COMPARE: FunctionModule = {
  operators: OPERATORS,
  functions: [
    ...OPERATORS.map(({ proc, impl, name }): ScalarFunction => ({
      kind: 'scalar',
      name: proc,
      args: ['record', 'record'],
      returns: 'bool',
      doc: `What the operator ${name} calls.`,
      impl,
    })),
    {
      kind: 'scalar',
      name: 'btrecordcmp',
      args: ['record', 'record'],
      returns: 'int4',
      doc: 'Order of two records: -1, 0 or 1.',
      impl: compareRecords,
    },
  ],
};
