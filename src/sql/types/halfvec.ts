/**
 * halfvec(n): a vector with components of 16 bits (IEEE 754 binary16), as pgvector has it. Values are Float32Arrays whose components are
 * rounded to 16 bits; cells contain two bytes a component.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';
import { compareVectors, ofDimensions, parseComponents, vectorBytes, vectorText } from './vector.ts';

const HALF_MAX = 65_504;
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The 16 bits of the nearest half, ties to even. ±Infinity beyond the greatest one. */
export function halfBits(value: number): number {
  float[0] = value;
  const all = bits[0];
  const sign = (all >>> 16) & 0x8000;
  const exponent = ((all >>> 23) & 0xff) - 127;
  const fraction = all & 0x7fffff;
  if (exponent === 128) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  if (exponent > 15) return sign | 0x7c00;
  if (exponent >= -14) return sign | roundedShift(((exponent + 15) << 23) | fraction, 13);
  // Subnormal, or zero.
  if (exponent < -25) return sign;
  return sign | roundedShift(0x800000 | fraction, -1 - exponent);
}

/** Without the last `count` bits, to the nearest, ties to even. */
function roundedShift(value: number, count: number): number {
  const kept = value >>> count;
  const rest = value & ((1 << count) - 1);
  const half = 1 << (count - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

export function halfValue(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The nearest half. */
export function roundedToHalf(value: number): number {
  return halfValue(halfBits(value));
}

/** 22003 for a component beyond a half's range. */
export function checkedHalf(value: number): number {
  const half = roundedToHalf(value);
  if (Number.isFinite(half)) return half;
  throw new SvcError('22003', `"${value}" is out of range for type halfvec`, { detail: `The greatest component is ${HALF_MAX}.` });
}

/** Two bytes a component, one character each. */
export function halfvecBytes(vector: Float32Array): string {
  return Buffer.from(Uint16Array.from(vector, halfBits).buffer).toString('latin1');
}

export function halfvecOfBytes(bytes: string): Float32Array {
  const halves = new Uint16Array(bytes.length >> 1);
  Buffer.from(halves.buffer).write(bytes, 'latin1');
  return Float32Array.from(halves, halfValue);
}

export const HALFVEC: SqlType = makeType({
  oid: 9815,
  name: 'halfvec',
  title: 'halfvec',
  category: 'U',
  length: -1,
  repr: 'object',
  arrayOid: 9816,
  parse: (text, typmod) => ofDimensions(parseComponents(text, 'halfvec', roundedToHalf), typmod),
  format: (value) => vectorText(value as Float32Array),
  compare: (a, b) => compareVectors(a as Float32Array, b as Float32Array),
  hashKey: (value) => vectorBytes((value as Float32Array).map((component) => component + 0)),
  coerce: (value: Value, typmod) => ofDimensions(value as Float32Array, typmod),
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});
