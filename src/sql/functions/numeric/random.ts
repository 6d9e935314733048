/** Random numbers, all from the environment's generator. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { formatPrecision } from '../../types/float-text.ts';
import { Numeric, coefficientAt, compare, isInfinite, isNaNNumeric } from '../../types/numeric.ts';
import { whole, type Whole } from '../../types/value.ts';
import { addWhole } from '../../types/whole.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

function badBounds(): never {
  throw new SvcError('22023', 'lower bound must be less than or equal to upper bound');
}

/** A whole number from 0 to `span`. */
function randomWhole(call: Call, span: bigint): bigint {
  if (span < 4294967296n) return BigInt(Math.floor(call.env.random() * Number(span + 1n)));
  // 32 bits per draw, with 64 bits more than the span, so that the remainder is nearly uniform.
  let drawn = 0n;
  for (let rest = span; rest > 0n; rest >>= 32n) drawn = (drawn << 32n) | BigInt(Math.floor(call.env.random() * 4294967296));
  for (let i = 0; i < 2; i++) drawn = (drawn << 32n) | BigInt(Math.floor(call.env.random() * 4294967296));
  return drawn % (span + 1n);
}

function randomInt4(call: Call, min: number, max: number): number {
  if (min > max) badBounds();
  return min + Math.floor(call.env.random() * (max - min + 1));
}

function randomInt8(call: Call, min: Whole, max: Whole): Whole {
  if (min > max) badBounds();
  return addWhole(min, whole(randomWhole(call, BigInt(max) - BigInt(min))));
}

function checkBound(value: Numeric, title: string): void {
  if (isNaNNumeric(value)) throw new SvcError('22023', `${title} bound cannot be NaN`);
  if (isInfinite(value)) throw new SvcError('22023', `${title} bound cannot be infinity`);
}

function randomNumeric(call: Call, min: Numeric, max: Numeric): Numeric {
  checkBound(min, 'lower');
  checkBound(max, 'upper');
  if (compare(min, max) > 0) badBounds();
  const scale = Math.max(min.scale, max.scale);
  const low = BigInt(coefficientAt(min, scale));
  return new Numeric(whole(low + randomWhole(call, BigInt(coefficientAt(max, scale)) - low)), scale);
}

/** The Box-Muller transform. */
function randomNormal(call: Call, mean = 0, deviation = 1): number {
  const radius = Math.sqrt(-2 * Math.log(1 - call.env.random()));
  return mean + deviation * radius * Math.cos(2 * Math.PI * call.env.random());
}

function setSeed(call: Call, seed: number): string {
  if (!(seed >= -1 && seed <= 1)) {
    const shown = Number.isFinite(seed) ? formatPrecision(seed, 6) : Number.isNaN(seed) ? 'NaN' : seed > 0 ? 'Infinity' : '-Infinity';
    throw new SvcError('22023', `setseed parameter ${shown} is out of allowed range [-1,1]`);
  }
  call.env.seedRandom(seed);
  return '';
}

function between(type: string, impl: ScalarFunction['impl']): ScalarFunction {
  return {
    kind: 'scalar',
    name: 'random',
    args: [type, type],
    argNames: ['min', 'max'],
    returns: type,
    volatility: 'volatile',
    needsCall: true,
    doc: 'A random value between two bounds, both included.',
    impl,
  };
}

export const randomFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'random',
      args: [],
      returns: 'float8',
      volatility: 'volatile',
      needsCall: true,
      doc: 'A random number, 0 ≤ x < 1.',
      impl: (call: Call) => call.env.random(),
    },
    between('int4', randomInt4),
    between('int8', randomInt8),
    between('numeric', randomNumeric),
    {
      kind: 'scalar',
      name: 'random_normal',
      args: ['float8', 'float8'],
      argNames: ['mean', 'stddev'],
      optional: 2,
      returns: 'float8',
      volatility: 'volatile',
      needsCall: true,
      doc: 'A normally distributed random number.',
      impl: randomNormal,
    },
    {
      kind: 'scalar',
      name: 'setseed',
      args: ['float8'],
      returns: 'void',
      volatility: 'volatile',
      needsCall: true,
      doc: 'Seeds random() and its kin with a value from -1 to 1.',
      impl: setSeed,
    },
  ],
};
