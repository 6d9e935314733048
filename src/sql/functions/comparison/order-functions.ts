/** Btree comparison functions, `btint4cmp` and similar, and those behind max and min. */
import { compareRecords } from '../../types/record-type.ts';
import { compareText } from '../../types/text-order.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

type Pair = readonly [string, string, string];

/** Of one type each. */
const SAME: readonly (readonly [string, string])[] = [
  ['bitcmp', 'bit'],
  ['bpcharcmp', 'bpchar'],
  ['btfloat4cmp', 'float4'],
  ['btfloat8cmp', 'float8'],
  ['btint4cmp', 'int4'],
  ['btint8cmp', 'int8'],
  ['btnamecmp', 'name'],
  ['btoidcmp', 'oid'],
  ['btoidvectorcmp', 'oidvector'],
  ['bttextcmp', 'text'],
  ['bttidcmp', 'tid'],
  ['byteacmp', 'bytea'],
  ['cash_cmp', 'money'],
  ['date_cmp', 'date'],
  ['interval_cmp', 'interval'],
  ['jsonb_cmp', 'jsonb'],
  ['macaddr8_cmp', 'macaddr8'],
  ['macaddr_cmp', 'macaddr'],
  ['multirange_cmp', 'anymultirange'],
  ['network_cmp', 'inet'],
  ['numeric_cmp', 'numeric'],
  ['pg_lsn_cmp', 'pg_lsn'],
  ['range_cmp', 'anyrange'],
  ['time_cmp', 'time'],
  ['timestamp_cmp', 'timestamp'],
  ['timestamptz_cmp', 'timestamptz'],
  ['timetz_cmp', 'timetz'],
  ['tsquery_cmp', 'tsquery'],
  ['tsvector_cmp', 'tsvector'],
  ['uuid_cmp', 'uuid'],
  ['varbitcmp', 'varbit'],
  ['xid8cmp', 'xid8'],
  ['btarraycmp', 'anyarray'],
  ['enum_cmp', 'anyenum'],
];

/** Of two types whose run-time forms compare with each other. */
const ACROSS: readonly Pair[] = [
  ['btint24cmp', 'int2', 'int4'],
  ['btint28cmp', 'int2', 'int8'],
  ['btint42cmp', 'int4', 'int2'],
  ['btint48cmp', 'int4', 'int8'],
  ['btint82cmp', 'int8', 'int2'],
  ['btint84cmp', 'int8', 'int4'],
  ['btfloat48cmp', 'float4', 'float8'],
  ['btfloat84cmp', 'float8', 'float4'],
];

const EXTREMES: readonly (readonly [string, string])[] = [
  ['bpchar_', 'bpchar'],
  ['cash', 'money'],
  ['interval_', 'interval'],
  ['network_', 'inet'],
  ['oid', 'oid'],
  ['pg_lsn_', 'pg_lsn'],
  ['tid', 'tid'],
  ['timetz_', 'timetz'],
  ['xid8_', 'xid8'],
];

const doc = 'Order of two values: below, at or above 0.';

function order(name: string, left: string, right: string, impl: ScalarFunction['impl'], needsCall = false): ScalarFunction {
  return { kind: 'scalar', name, args: [left, right], returns: 'int4', needsCall, doc, impl };
}

function byType({ argTypes }: Call, a: Value, b: Value): number {
  return Math.sign(argTypes[0].compare(a, b));
}

const greater = ({ argTypes }: Call, a: Value, b: Value): Value => (argTypes[0].compare(a, b) > 0 ? a : b);
const lesser = ({ argTypes }: Call, a: Value, b: Value): Value => (argTypes[0].compare(a, b) < 0 ? a : b);
const byBytes = (a: string, b: string): number => Math.sign(compareText(a, b));
const asUnsigned = (value: string): number => (value === '' ? 0 : value.charCodeAt(0) & 255);

/** oidvector has operators besides those of arrays: the shorter one is less. */
const VECTORS: readonly (readonly [name: string, proc: string, commutator: string, negator: string, test: (order: number) => boolean])[] = [
  ['=', 'oidvectoreq', '=', '<>', (each) => each === 0],
  ['<>', 'oidvectorne', '<>', '=', (each) => each !== 0],
  ['<', 'oidvectorlt', '>', '>=', (each) => each < 0],
  ['>', 'oidvectorgt', '<', '<=', (each) => each > 0],
  ['<=', 'oidvectorle', '>=', '>', (each) => each <= 0],
  ['>=', 'oidvectorge', '<=', '<', (each) => each >= 0],
];

export const ORDER_FUNCTIONS: FunctionModule = {
  operators: VECTORS.map(([name, proc, commutator, negator, test]) => ({
    name,
    left: 'oidvector',
    right: 'oidvector',
    returns: 'bool',
    proc,
    commutator,
    negator,
    needsCall: true,
    impl: ({ argTypes }: Call, a: Value, b: Value) => test(argTypes[0].compare(a, b)),
  })),
  behind: [
    ...SAME.map(([name, type]) => order(name, type, type, byType, true)),
    ...ACROSS.map(([name, left, right]) => order(name, left, right, left.startsWith('float') ? byType : byNumber, left.startsWith('float'))),
    // These give the difference.
    order('btint2cmp', 'int2', 'int2', (a: number, b: number) => a - b),
    order('btboolcmp', 'bool', 'bool', (a: boolean, b: boolean) => Number(a) - Number(b)),
    order('btcharcmp', 'char', 'char', (a: string, b: string) => asUnsigned(a) - asUnsigned(b)),
    order('btnametextcmp', 'name', 'text', byBytes),
    order('bttextnamecmp', 'text', 'name', byBytes),
    order('bttext_pattern_cmp', 'text', 'text', byBytes),
    order('btbpchar_pattern_cmp', 'bpchar', 'bpchar', byType, true),
    order('btrecordcmp', 'record', 'record', compareRecords),
    order('gin_cmp_tslexeme', 'text', 'text', byBytes),
    order('gin_compare_jsonb', 'text', 'text', byBytes),
    ...EXTREMES.flatMap(([stem, type]): ScalarFunction[] => [
      { kind: 'scalar', name: `${stem}larger`, args: [type, type], returns: type, needsCall: true, doc: 'The greater of two values.', impl: greater },
      { kind: 'scalar', name: `${stem}smaller`, args: [type, type], returns: type, needsCall: true, doc: 'The lesser of two values.', impl: lesser },
    ]),
  ],
};

function byNumber(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
