/**
 * The binary format of numeric: count of digits, weight of the first, sign, display scale (16 bits each), then digits in
 * base 10000, aligned at the decimal point, without zeros at both ends (numeric_send in Postgres's numeric.c).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { INFINITY, isSpecial, NAN, NEGATIVE_INFINITY, Numeric, trunc, withScale, isNaNNumeric } from '../types/numeric.ts';
import { whole } from '../types/value.ts';
import type { BinaryReader } from './binary-reader.ts';
import type { BinaryWriter } from './binary-writer.ts';

const SIGN = { positive: 0, negative: 0x4000, nan: 0xc000, infinity: 0xd000, negativeInfinity: 0xf000 } as const;
const INFINITY_SCALE = 0x20;
const SCALE_MASK = 0x3fff;
/** Four more decimal digits stay safe below it. */
const SMALL = 900_719_925_473;

/** Base-10000 digits of one value, the last one first: reused, since writing is synchronous. */
let scratch = new Int16Array(64);

export function writeNumeric(out: BinaryWriter, value: Numeric): void {
  const { coefficient, scale } = value;
  if (isSpecial(value)) {
    if (isNaNNumeric(value)) header(out, 0, 0, SIGN.nan, 0);
    // Postgres reads the scale from the bits that encode infinity.
    else header(out, 0, 0, coefficient > 0 ? SIGN.infinity : SIGN.negativeInfinity, INFINITY_SCALE);
    return;
  }
  // Digits of the fraction are padded to whole groups.
  const padding = (4 - (scale & 3)) & 3;
  const fraction = (scale + padding) >> 2;
  let count = 0;
  if (typeof coefficient === 'number' && coefficient <= SMALL && coefficient >= -SMALL) {
    let rest = Math.abs(coefficient) * (padding === 0 ? 1 : padding === 1 ? 10 : padding === 2 ? 100 : 1000);
    while (rest > 0) {
      const upper = Math.floor(rest / 10000);
      scratch[count++] = rest - upper * 10000;
      rest = upper;
    }
  } else {
    const digits = `${coefficient < 0 ? String(coefficient).slice(1) : String(coefficient)}${'0'.repeat(padding)}`;
    if (digits.length > scratch.length * 4) scratch = new Int16Array(digits.length);
    for (let end = digits.length; end > 0; end -= 4) scratch[count++] = Number(digits.slice(Math.max(0, end - 4), end));
    while (count > 0 && scratch[count - 1] === 0) count--;
  }
  let first = 0;
  while (first < count && scratch[first] === 0) first++;
  header(out, count - first, count === 0 ? 0 : count - fraction - 1, coefficient < 0 ? SIGN.negative : SIGN.positive, scale);
  for (let i = count - 1; i >= first; i--) out.int16(scratch[i]);
}

function header(out: BinaryWriter, count: number, weight: number, sign: number, scale: number): void {
  out.int16(count);
  out.int16(weight);
  out.int16(sign);
  out.int16(scale);
}

export function readNumeric(reader: BinaryReader): Numeric {
  const count = reader.uint16();
  const weight = reader.int16();
  const sign = reader.uint16();
  if (sign !== SIGN.positive && sign !== SIGN.negative && sign !== SIGN.nan && sign !== SIGN.infinity && sign !== SIGN.negativeInfinity) {
    throw new SvcError('22P03', 'invalid sign in external "numeric" value');
  }
  const scale = reader.uint16();
  if ((scale & SCALE_MASK) !== scale) throw new SvcError('22P03', 'invalid scale in external "numeric" value');
  let small = 0;
  let digits = '';
  for (let i = 0; i < count; i++) {
    const digit = reader.int16();
    if (digit < 0 || digit >= 10000) throw new SvcError('22P03', 'invalid digit in external "numeric" value');
    if (count <= 3) small = small * 10000 + digit;
    else digits += String(digit).padStart(4, '0');
  }
  if (sign === SIGN.nan) return NAN;
  if (sign === SIGN.infinity) return INFINITY;
  if (sign === SIGN.negativeInfinity) return NEGATIVE_INFINITY;
  // The digits are a whole number of 10000^(weight - count + 1).
  const groups = weight - count + 1;
  let magnitude = count <= 3 ? small : whole(BigInt(digits));
  if (groups > 0 && magnitude !== 0) magnitude = whole(BigInt(magnitude) * 10n ** BigInt(4 * groups));
  const coefficient = sign === SIGN.positive || magnitude === 0 ? magnitude : typeof magnitude === 'number' ? -magnitude : whole(-magnitude);
  const value = new Numeric(coefficient, groups < 0 ? -4 * groups : 0);
  // Digits past the display scale are truncated, not rounded.
  return value.scale > scale ? trunc(value, scale) : withScale(value, scale);
}
