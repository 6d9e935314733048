/**
 * The shortest decimal digits of a float4 in fixed layout, for nearly all numbers from 1e-4 to 1e6. A number is scaled to nine
 * digits before the point; both that and half the distance to its neighbours are doubles without error (24 bits times 5^12), so
 * all comparisons are exact. Digits are then taken away from the end for as long as the rounded rest lies between the neighbours.
 */

/** Powers of ten that are exact. */
const TENS = Array.from({ length: 13 }, (_, i) => Number(`1e${i}`));
/** 1e-4 to 1e6. */
const LEADING = Array.from({ length: 11 }, (_, i) => Number(`1e${i - 4}`));
/** By the eight bits of a float4's exponent: the decimal exponent of its least number, at least -4, and half the gap between numbers. */
const EXPONENT = Array.from({ length: 256 }, (_, bits) => Math.max(-4, Math.floor(Math.log10(2 ** (bits - 127)) + 1e-9)));
const HALF_GAP = Float64Array.from({ length: 256 }, (_, bits) => 2 ** (bits - 151));

const CELL = new Float32Array(1);
const BITS = new Uint32Array(CELL.buffer);

/** What `found` left: the digits as a whole number, how many they are, and the power of ten of the first. */
let digits = 0;
let count = 0;
let exponent = 0;

/** False for numbers of another kind: outside the range, powers of two, and where two decimals are equally near. */
function found(magnitude: number): boolean {
  if (!(magnitude >= 1e-4 && magnitude < 1e6)) return false;
  CELL[0] = magnitude;
  const bits = BITS[0];
  // The gap below a power of two is half the gap above.
  if ((bits & 0x7fffff) === 0) return false;
  exponent = EXPONENT[bits >>> 23];
  if (magnitude >= LEADING[exponent + 5]) exponent++;
  const power = TENS[8 - exponent];
  const scaled = magnitude * power;
  const half = HALF_GAP[bits >>> 23] * power;
  digits = (scaled + 0.5) | 0;
  if (Math.abs(scaled - digits) === 0.5) return false;
  count = 9;
  let unit = 10;
  let tenth = 0.1;
  while (count > 1) {
    const fewer = (scaled * tenth + 0.5) | 0;
    const away = Math.abs(scaled - fewer * unit);
    if (away >= half) break;
    // Two are equally near; or the product was rounded to the farther one.
    if (away + away >= unit) return false;
    digits = fewer;
    count--;
    unit *= 10;
    tenth *= 0.1;
  }
  // Rounded up to one digit more.
  return digits < TENS[count];
}

/** As text; null for numbers of another kind. */
export function fixedFloat4(value: number): string | null {
  if (!found(Math.abs(value))) return null;
  const sign = value < 0 ? '-' : '';
  const text = String(digits);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-1 - exponent)}${text}`;
  if (count <= exponent + 1) return `${sign}${text}${'0'.repeat(exponent + 1 - count)}`;
  return `${sign}${text.slice(0, exponent + 1)}.${text.slice(exponent + 1)}`;
}

/** Writes the text, at most 15 bytes, and returns where it ends; 0 for numbers of another kind. */
export function writeFixedFloat4(value: number, into: Uint8Array, at: number): number {
  if (!found(Math.abs(value))) return 0;
  if (value < 0) into[at++] = 0x2d;
  let rest = digits;
  if (exponent < 0) {
    into[at] = 0x30;
    into[at + 1] = 0x2e;
    at += 2;
    for (let i = -1; i > exponent; i--) into[at++] = 0x30;
    return writeDigits(rest, count, into, at);
  }
  const before = exponent + 1;
  if (count <= before) {
    for (let i = count; i < before; i++) rest *= 10;
    return writeDigits(rest, before, into, at);
  }
  const unit = TENS[count - before];
  const integer = Math.floor(rest / unit);
  at = writeDigits(integer, before, into, at);
  into[at++] = 0x2e;
  return writeDigits(rest - integer * unit, count - before, into, at);
}

function writeDigits(number: number, width: number, into: Uint8Array, at: number): number {
  let rest = number | 0;
  for (let i = at + width - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    into[i] = 0x30 + rest - tenth * 10;
    rest = tenth;
  }
  return at + width;
}
