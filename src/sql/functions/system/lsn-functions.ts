/** Operators of pg_lsn (manual, section 8.20). Values are texts, `16/B374D848`. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { coefficientAt, isNaNNumeric, isSpecial, Numeric, round } from '../../types/numeric.ts';
import { whole } from '../../types/value.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';
import { defineAggregate, type AggregateFunction } from '../define.ts';
import { lsnNumber, lsnText } from '../../types/lsn.ts';

function difference(a: string, b: string): Numeric {
  return new Numeric(whole(lsnNumber(a) - lsnNumber(b)), 0);
}

const MAX = 0xffffffffffffffffn;

function checked(value: bigint): string {
  if (value < 0n || value > MAX) throw new SvcError('22023', 'pg_lsn out of range');
  return lsnText(value);
}

function wholeOf(value: Numeric, what: string): bigint {
  if (isSpecial(value)) {
    if (isNaNNumeric(value)) throw new SvcError('0A000', what);
    throw new SvcError('0A000', 'cannot convert infinity to pg_lsn');
  }
  return BigInt(coefficientAt(round(value, 0), 0));
}

const plus = (lsn: string, by: Numeric): string => checked(lsnNumber(lsn) + wholeOf(by, 'cannot add NaN to pg_lsn'));
const minus = (lsn: string, by: Numeric): string => checked(lsnNumber(lsn) - wholeOf(by, 'cannot subtract NaN from pg_lsn'));

function ofNumeric(value: Numeric): string {
  if (isSpecial(value)) throw new SvcError('0A000', `cannot convert ${isNaNNumeric(value) ? 'NaN' : 'infinity'} to pg_lsn`);
  return checked(BigInt(coefficientAt(round(value, 0), 0)));
}

const arithmetic: readonly SqlOperator[] = [
  { name: '-', left: 'pg_lsn', right: 'pg_lsn', returns: 'numeric', proc: 'pg_lsn_mi', impl: difference },
  { name: '+', left: 'pg_lsn', right: 'numeric', returns: 'pg_lsn', proc: 'pg_lsn_pli', commutator: '+', impl: plus },
  {
    name: '+',
    left: 'numeric',
    right: 'pg_lsn',
    returns: 'pg_lsn',
    proc: 'numeric_pl_pg_lsn',
    commutator: '+',
    impl: (by: Numeric, lsn: string) => plus(lsn, by),
  },
  { name: '-', left: 'pg_lsn', right: 'numeric', returns: 'pg_lsn', proc: 'pg_lsn_mii', impl: minus },
];

function extreme(name: string, doc: string, better: (a: bigint, b: bigint) => boolean): AggregateFunction<string | null> {
  return defineAggregate<string | null>({
    name,
    args: ['pg_lsn'],
    returns: 'pg_lsn',
    strict: true,
    doc,
    init: () => null,
    step: (state, value: string) => (state === null || better(lsnNumber(value), lsnNumber(state)) ? value : state),
    finish: (state) => state,
  });
}

const ofLsn: ScalarFunction = {
  kind: 'scalar',
  name: 'pg_lsn',
  args: ['numeric'],
  returns: 'pg_lsn',
  doc: 'A position in the log by its number.',
  impl: ofNumeric,
};

export const lsnFunctions: FunctionModule = {
  functions: [
    ofLsn,
    {
      kind: 'scalar',
      name: 'pg_wal_lsn_diff',
      args: ['pg_lsn', 'pg_lsn'],
      returns: 'numeric',
      doc: 'Bytes between two positions in the log.',
      impl: difference,
    },
    extreme('max', 'The greatest position.', (a, b) => a > b),
    extreme('min', 'The least position.', (a, b) => a < b),
  ],
  operators: [
    ...sixOperators('pg_lsn', 'pg_lsn', (test) => `pg_lsn_${test}`, {
      eq: (a: string, b: string) => a === b,
      ne: (a: string, b: string) => a !== b,
      lt: (a: string, b: string) => lsnNumber(a) < lsnNumber(b),
      le: (a: string, b: string) => lsnNumber(a) <= lsnNumber(b),
      gt: (a: string, b: string) => lsnNumber(a) > lsnNumber(b),
      ge: (a: string, b: string) => lsnNumber(a) >= lsnNumber(b),
    }),
    ...arithmetic,
  ],
};
