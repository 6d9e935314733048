/** `in_range`, used by window frames with RANGE (manual, section 38.16.3): whether a value is within an offset before or after another. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Interval } from '../../types/interval.ts';
import { TimeTz } from '../../types/timetz.ts';
import { isNaNNumeric, isSpecial, Numeric } from '../../types/numeric.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

const PAIRS: readonly (readonly [type: string, offset: string])[] = [
  ['int8', 'int8'],
  ['int4', 'int8'],
  ['int4', 'int4'],
  ['int4', 'int2'],
  ['int2', 'int8'],
  ['int2', 'int4'],
  ['int2', 'int2'],
  ['date', 'interval'],
  ['timestamp', 'interval'],
  ['timestamptz', 'interval'],
  ['interval', 'interval'],
  ['time', 'interval'],
  ['timetz', 'interval'],
  ['float8', 'float8'],
  ['float4', 'float8'],
  ['numeric', 'numeric'],
];

const WHOLES = new Set(['int2', 'int4', 'int8']);
const FLOATS = new Set(['float4', 'float8']);
const MICROS_PER_DAY = 86_400_000_000;

type Inner = (call: Call, value: Value, base: Value, offset: Value, before: boolean, less: boolean) => boolean;

function refuse(): never {
  throw new SvcError('22013', 'invalid preceding or following size in window function');
}

/** JavaScript's integers cannot overflow here. */
const wholes: Inner = (_, value, base, offset, before, less) => {
  const by = BigInt(offset as number);
  if (by < 0n) refuse();
  const sum = BigInt(base as number) + (before ? -by : by);
  return less ? BigInt(value as number) <= sum : BigInt(value as number) >= sum;
};

const floats: Inner = (_, value, base, offset, before, less) => {
  const [a, b, by] = [value, base, offset] as number[];
  if (Number.isNaN(by) || by < 0) refuse();
  if (Number.isNaN(a)) return Number.isNaN(b) || !less;
  if (Number.isNaN(b)) return less;
  if (by === Infinity && Math.abs(b) === Infinity && (before ? b > 0 : b < 0)) return true;
  const sum = before ? b - by : b + by;
  return less ? a <= sum : a >= sum;
};

const micros = ({ months, days, micros: rest }: Interval): number => Number(rest) + (days + months * 30) * MICROS_PER_DAY;

/** By the operators of the types themselves. */
function bySum(type: SqlType, plus: SqlOperator, minus: SqlOperator): Inner {
  const run = (operator: SqlOperator, call: Call, base: Value, offset: Value): Value =>
    (operator.needsCall === true ? operator.impl(call, base, offset) : operator.impl(base, offset)) as Value;
  return (call, value, base, offset, before, less) => {
    if (type.name === 'time' || type.name === 'timetz') return ofTime(type, value, base as number | TimeTz, offset as Interval, before, less);
    if (offset instanceof Interval && micros(offset) < 0) refuse();
    if (offset instanceof Numeric && (isNaNNumeric(offset) || offset.coefficient < 0)) refuse();
    if (value instanceof Numeric && base instanceof Numeric) {
      if (isNaNNumeric(value)) return isNaNNumeric(base) || !less;
      if (isNaNNumeric(base)) return less;
      if (isSpecial(offset as Numeric) && isSpecial(base) && (before ? base.coefficient > 0 : base.coefficient < 0)) return true;
    }
    const order = type.compare(value, run(before ? minus : plus, call, base, offset));
    return less ? order <= 0 : order >= 0;
  };
}

/** Days and months of the offset do not count, and a time does not wrap around midnight. */
function ofTime(type: SqlType, value: Value, base: number | TimeTz, { micros: rest }: Interval, before: boolean, less: boolean): boolean {
  if (rest < 0) refuse();
  const by = before ? -Number(rest) : Number(rest);
  const order = type.compare(value, base instanceof TimeTz ? new TimeTz(base.micros + by, base.offset) : base + by);
  return less ? order <= 0 : order >= 0;
}

export function inRangeFunctions(types: readonly SqlType[], operators: readonly SqlOperator[]): FunctionModule {
  const typeOf = (name: string): SqlType => types.find((each) => each.name === name)!;
  const operatorOf = (name: string, left: string, right: string): SqlOperator =>
    operators.find((each) => each.name === name && each.left === left && each.right === right)!;
  return {
    behind: PAIRS.map(([name, offset]): ScalarFunction => {
      const sums = (): Inner => bySum(typeOf(name === 'date' ? 'timestamp' : name), operatorOf('+', name, offset), operatorOf('-', name, offset));
      const inner = WHOLES.has(name) ? wholes : FLOATS.has(name) ? floats : sums();
      const timestamps = name === 'date' ? dayStart : null;
      return {
        kind: 'scalar',
        name: 'in_range',
        args: [name, name, offset, 'bool', 'bool'],
        returns: 'bool',
        volatility: name === 'timestamptz' ? 'stable' : 'immutable',
        needsCall: true,
        doc: 'Whether a value lies before (or behind) another one moved by an offset.',
        impl: (call: Call, value: Value, base: Value, by: Value, before: boolean, less: boolean) =>
          inner(call, timestamps === null ? value : timestamps(value as number), base, by, before, less),
      };
    }),
  };
}

function dayStart(date: number): Value {
  return Number.isFinite(date) ? date * MICROS_PER_DAY : date;
}
