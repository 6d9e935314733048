/** Operators, casts and aggregates of money. Manual, section 8.2. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { checkedCents } from '../../types/money.ts';
import { Numeric } from '../../types/numeric.ts';
import { type Whole } from '../../types/value.ts';
import { WHOLE } from '../comparison/number-comparison.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import { type AggregateFunction, defineAggregate, type FunctionModule, type SqlOperator } from '../define.ts';
import { float8div, float8mul } from '../numeric/float-arithmetic.ts';

function divided(): SvcError {
  return new SvcError('22012', 'division by zero');
}

/** Half to even, as the C library's rint. */
function rounded(value: number): Whole {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new SvcError('22003', 'money out of range');
  const floor = Math.floor(value);
  const rest = value - floor;
  return checkedCents(BigInt(rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor));
}

function times(type: string, short: string): SqlOperator[] {
  const float = type.startsWith('float');
  const impl = float
    ? (money: Whole, by: number): Whole => rounded(float8mul(Number(money), by))
    : (money: Whole, by: Whole): Whole => checkedCents(BigInt(money) * BigInt(by));
  const divide = float
    ? (money: Whole, by: number): Whole => {
        if (by === 0) throw divided();
        return rounded(float8div(Number(money), by));
      }
    : (money: Whole, by: Whole): Whole => {
        if (by === 0) throw divided();
        return checkedCents(BigInt(money) / BigInt(by));
      };
  return [
    { name: '*', left: 'money', right: type, returns: 'money', proc: `cash_mul_${short}`, commutator: '*', impl },
    {
      name: '*',
      left: type,
      right: 'money',
      returns: 'money',
      proc: `${short}_mul_cash`,
      commutator: '*',
      impl: (by: Whole, money: Whole) => impl(money, by as never),
    },
    { name: '/', left: 'money', right: type, returns: 'money', proc: `cash_div_${short}`, impl: divide },
  ];
}

/** A numeric in cents, rounded away from zero at the half. */
function ofNumeric({ coefficient, scale }: Numeric): Whole {
  if (typeof coefficient === 'number' && !Number.isFinite(coefficient))
    throw new SvcError('0A000', `cannot convert ${coefficient !== coefficient ? 'NaN' : 'infinity'} to bigint`);
  const whole = BigInt(coefficient) * 100n;
  const unit = 10n ** BigInt(scale);
  const half = unit / 2n;
  const cents = whole < 0n ? -((-whole + half) / unit) : (whole + half) / unit;
  return checkedCents(cents);
}

function extreme(name: 'min' | 'max', doc: string): AggregateFunction<{ value: Whole | null }> {
  return defineAggregate<{ value: Whole | null }>({
    name,
    args: ['money'],
    returns: 'money',
    strict: true,
    doc,
    init: () => ({ value: null }),
    step: (state, value: Whole) => {
      if (state.value === null || (name === 'min' ? value < state.value : value > state.value)) state.value = value;
      return state;
    },
    finish: ({ value }) => value,
  });
}

const cents = (value: Whole): Whole => checkedCents(BigInt(value) * 100n);

export const MONEY_FUNCTIONS: FunctionModule = {
  functions: [
    defineAggregate<{ sum: bigint; any: boolean }>({
      name: 'sum',
      args: ['money'],
      returns: 'money',
      strict: true,
      doc: 'The sum of the values.',
      init: () => ({ sum: 0n, any: false }),
      step: (state, value: Whole) => {
        state.sum += BigInt(value);
        state.any = true;
        return state;
      },
      finish: ({ sum, any }) => (any ? checkedCents(sum) : null),
    }),
    extreme('min', 'The least value.'),
    extreme('max', 'The greatest value.'),
  ],
  operators: [
    ...sixOperators('money', 'money', (test) => `cash_${test}`, WHOLE),
    {
      name: '+',
      left: 'money',
      right: 'money',
      returns: 'money',
      proc: 'cash_pl',
      commutator: '+',
      impl: (a: Whole, b: Whole) => checkedCents(BigInt(a) + BigInt(b)),
    },
    { name: '-', left: 'money', right: 'money', returns: 'money', proc: 'cash_mi', impl: (a: Whole, b: Whole) => checkedCents(BigInt(a) - BigInt(b)) },
    {
      name: '/',
      left: 'money',
      right: 'money',
      returns: 'float8',
      proc: 'cash_div_cash',
      impl: (a: Whole, b: Whole) => {
        if (b === 0) throw divided();
        return Number(a) / Number(b);
      },
    },
    ...times('float8', 'flt8'),
    ...times('float4', 'flt4'),
    ...times('int8', 'int8'),
    ...times('int4', 'int4'),
    ...times('int2', 'int2'),
  ],
  casts: [
    { from: 'money', to: 'numeric', context: 'assignment', method: 'function', impl: (value: Whole) => new Numeric(value, 2) },
    { from: 'numeric', to: 'money', context: 'assignment', method: 'function', impl: ofNumeric },
    { from: 'int4', to: 'money', context: 'assignment', method: 'function', impl: cents },
    { from: 'int8', to: 'money', context: 'assignment', method: 'function', impl: cents },
  ],
};
