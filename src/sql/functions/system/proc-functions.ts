/** Functions under Postgres's internal names: `dexp` for exp, `textlen` for length, `numeric_inc`. */
import type { ArrayValue } from '../../types/array-value.ts';
import { add, Numeric, ONE } from '../../types/numeric.ts';
import { toName } from '../../types/texts.ts';
import type { Value, Whole } from '../../types/value.ts';
import { addInt8 } from '../../types/whole.ts';
import type { Call, FunctionModule, ScalarFunction, SqlFunction, SqlOperator } from '../define.ts';
import { int4OutOfRange } from '../numeric/integer-arithmetic.ts';
import { systemOf } from './session-of.ts';

/** Name, and the function of which it is a synonym. */
const SAME: readonly (readonly [name: string, of: string, ...args: string[]])[] = [
  ['dexp', 'exp', 'float8'],
  ['dlog1', 'ln', 'float8'],
  ['dlog10', 'log', 'float8'],
  ['dround', 'round', 'float8'],
  ['dtrunc', 'trunc', 'float8'],
  ['numeric_exp', 'exp', 'numeric'],
  ['numeric_ln', 'ln', 'numeric'],
  ['numeric_log', 'log', 'numeric', 'numeric'],
  ['numeric_sqrt', 'sqrt', 'numeric'],
  ['numeric_div_trunc', 'div', 'numeric', 'numeric'],
  ['textlen', 'length', 'text'],
];

/** Comparison across types of moments, from the operators over them. */
const ORDERS: readonly (readonly [name: string, left: string, right: string])[] = [
  ['date_cmp_timestamp', 'date', 'timestamp'],
  ['date_cmp_timestamptz', 'date', 'timestamptz'],
  ['timestamp_cmp_date', 'timestamp', 'date'],
  ['timestamp_cmp_timestamptz', 'timestamp', 'timestamptz'],
  ['timestamptz_cmp_date', 'timestamptz', 'date'],
  ['timestamptz_cmp_timestamp', 'timestamptz', 'timestamp'],
];

const NAME_BYTES_MAX = 63;

const own: readonly ScalarFunction[] = [
  plain('int4inc', ['int4'], 'int4', 'One more.', (a: number) => (a === 2147483647 ? int4OutOfRange() : a + 1)),
  plain('numeric_inc', ['numeric'], 'numeric', 'One more.', (a: Numeric) => add(a, ONE)),
  plain('int8dec_any', ['int8', 'any'], 'int8', 'One less for a value that is not null.', (a: Whole) => addInt8(a, -1)),
  plain('int8inc_float8_float8', ['int8', 'float8', 'float8'], 'int8', 'One more for a pair without nulls.', (a: Whole) => addInt8(a, 1)),
  plain('nameconcatoid', ['name', 'oid'], 'name', 'A name with a number behind, shortened where it must be.', (name: string, oid: number) => {
    const suffix = `_${oid}`;
    let stem = name;
    while (Buffer.byteLength(stem) > NAME_BYTES_MAX - suffix.length) stem = stem.slice(0, -1);
    return toName(stem + suffix);
  }),
  {
    ...plain('oidvectortypes', ['oidvector'], 'text', 'Names of types by their oids.', (call: Call, { elements }: ArrayValue) =>
      (elements as readonly number[]).map((oid) => systemOf(call).typeTitle(oid, null) ?? '???').join(', '),
    ),
    volatility: 'stable',
    needsCall: true,
  },
  plain('cash_words', ['money'], 'text', 'An amount in words.', cashWords),
  plain('daterange_subdiff', ['date', 'date'], 'float8', 'Days between.', (a: number, b: number) => a - b),
  plain('int4range_subdiff', ['int4', 'int4'], 'float8', 'The difference.', (a: number, b: number) => a - b),
  plain('int8range_subdiff', ['int8', 'int8'], 'float8', 'The difference.', (a: Whole, b: Whole) => Number(a) - Number(b)),
  plain('tsrange_subdiff', ['timestamp', 'timestamp'], 'float8', 'Seconds between.', secondsBetween),
  plain('tstzrange_subdiff', ['timestamptz', 'timestamptz'], 'float8', 'Seconds between.', secondsBetween),
  ...['int4range', 'int8range', 'daterange'].map((type) =>
    plain(`${type}_canonical`, [type], type, 'The form in which ranges are kept.', (range: Value) => range),
  ),
];

function secondsBetween(a: Whole, b: Whole): number {
  if (typeof a === 'number' && typeof b === 'number') return (a - b) / 1_000_000;
  return Number(BigInt(a) - BigInt(b)) / 1_000_000;
}

const SMALL = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen`.split(/\s+/);
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** A number below a thousand. "and" comes before a remainder below twenty. */
function hundredWords(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const below = rest < 20 ? SMALL[rest] : `${TENS[Math.floor(rest / 10) - 2]}${rest % 10 === 0 ? '' : ` ${SMALL[rest % 10]}`}`;
  if (hundreds === 0) return below;
  if (rest === 0) return `${SMALL[hundreds]} hundred`;
  return `${SMALL[hundreds]} hundred ${rest < 20 ? 'and ' : ''}${below}`;
}

const SCALES: readonly (readonly [bigint, string])[] = [
  [10n ** 15n, 'quadrillion'],
  [10n ** 12n, 'trillion'],
  [10n ** 9n, 'billion'],
  [10n ** 6n, 'million'],
  [1000n, 'thousand'],
];

function cashWords(money: Whole): string {
  let cents = BigInt(money);
  const minus = cents < 0n;
  if (minus) cents = -cents;
  const dollars = cents / 100n;
  const parts: string[] = [];
  let rest = dollars;
  for (const [scale, word] of SCALES) {
    if (rest >= scale) parts.push(`${hundredWords(Number(rest / scale))} ${word}`);
    rest %= scale;
  }
  // Postgres puts a space after each scale, even before a comma.
  if (rest > 0n) parts.push(hundredWords(Number(rest)));
  else if (parts.length > 0) parts.push('');
  if (dollars === 0n) parts.push('zero');
  const fraction = Number(cents % 100n);
  const text = `${minus ? 'minus ' : ''}${parts.join(' ')} dollar${dollars === 1n ? '' : 's'} and ${hundredWords(fraction)} cent${fraction === 1 ? '' : 's'}`;
  return text[0].toUpperCase() + text.slice(1);
}

function plain(name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}

function alias([name, of, ...args]: (typeof SAME)[number], functions: readonly SqlFunction[]): ScalarFunction {
  const found = functions.find((fn) => fn.kind === 'scalar' && fn.name === of && args.every((arg, i) => fn.args[i] === arg));
  if (found?.kind !== 'scalar') throw new Error(`no function ${of}(${args.join()})`);
  return { ...found, name, args };
}

function order([name, left, right]: (typeof ORDERS)[number], operators: readonly SqlOperator[]): ScalarFunction {
  const test = (sign: string): SqlOperator => operators.find((each) => each.name === sign && each.left === left && each.right === right)!;
  const [less, greater] = [test('<'), test('>')];
  const impl =
    less.needsCall === true
      ? (call: Call, a: Value, b: Value): number => (less.impl(call, a, b) === true ? -1 : greater.impl(call, a, b) === true ? 1 : 0)
      : (a: Value, b: Value): number => (less.impl(a, b) === true ? -1 : greater.impl(a, b) === true ? 1 : 0);
  return { ...plain(name, [left, right], 'int4', 'Order of two moments: -1, 0 or 1.', impl), volatility: less.volatility, needsCall: less.needsCall };
}

/** From the modules with their functions and operators. */
export function procFunctions(modules: readonly FunctionModule[]): FunctionModule {
  const functions = modules.flatMap((module) => module.functions ?? []);
  const operators = modules.flatMap((module) => module.operators ?? []);
  return { behind: [...SAME.map((each) => alias(each, functions)), ...ORDERS.map((each) => order(each, operators)), ...own] };
}
