/** Comparison of records as values, where null equals null: for composite columns, sorting, IN over rows of a subquery. */
import { compareRecords, equalRecords } from '../../types/record-type.ts';
import type { RecordValue } from '../../types/record-value.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';

/** Postgres's record_eq. */
export function recordEq(a: RecordValue, b: RecordValue): boolean {
  return equalRecords(a, b);
}

const OPERATORS = sixOperators('record', 'record', (test) => `record_${test}`, {
  eq: recordEq,
  ne: (a: RecordValue, b: RecordValue) => !recordEq(a, b),
  lt: (a: RecordValue, b: RecordValue) => compareRecords(a, b) < 0,
  le: (a: RecordValue, b: RecordValue) => compareRecords(a, b) <= 0,
  gt: (a: RecordValue, b: RecordValue) => compareRecords(a, b) > 0,
  ge: (a: RecordValue, b: RecordValue) => compareRecords(a, b) >= 0,
});

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
