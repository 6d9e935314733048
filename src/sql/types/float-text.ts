/** Parsing and printing of float4 and float8: the shortest digits that round-trip, in Postgres's layout. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { fixedFloat4 } from './float4-digits.ts';

const FLOAT = /^[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[ \t\n\v\f\r]*$/;
const HEX_FLOAT = /^[ \t\n\v\f\r]*([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?[ \t\n\v\f\r]*$/;
const SPECIAL = /^[ \t\n\v\f\r]*(?:[+-]?(nan)|([+-]?)inf(?:inity)?)[ \t\n\v\f\r]*$/i;

/** float8 from text. */
export function parseFloat8(text: string): number {
  const match = FLOAT.exec(text);
  if (match === null) return parseOddFloat(text, 'double precision');
  const value = Number(match[1]);
  if ((value === 0 && /^[^eE]*[1-9]/.test(match[1] as string)) || value === Infinity || value === -Infinity) {
    throw new SvcError('22003', `"${text.trim()}" is out of range for type double precision`);
  }
  return value;
}

/** float4 from text. */
export function parseFloat4(text: string): number {
  const match = FLOAT.exec(text);
  if (match === null) return Math.fround(parseOddFloat(text, 'real'));
  const value = Math.fround(Number(match[1]));
  if ((value === 0 && /^[^eE]*[1-9]/.test(match[1] as string)) || value === Infinity || value === -Infinity) {
    throw new SvcError('22003', `"${text.trim()}" is out of range for type real`);
  }
  return value;
}

function parseOddFloat(text: string, title: string): number {
  const special = SPECIAL.exec(text);
  if (special !== null) return special[1] !== undefined ? NaN : special[2] === '-' ? -Infinity : Infinity;
  const hex = HEX_FLOAT.exec(text);
  if (hex !== null && (hex[2] as string).length + (hex[3] as string).length > 0) {
    const digits = (hex[2] as string) + (hex[3] as string);
    const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(hex[4] ?? 0) - 4 * (hex[3] as string).length);
    return hex[1] === '-' ? -value : value;
  }
  throw new SvcError('22P02', `invalid input syntax for type ${title}: "${text}"`);
}

/** float8 to text under a setting of extra_float_digits. */
export function formatFloat8(value: number, extraFloatDigits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (extraFloatDigits <= 0) return formatPrecision(value, Math.max(15 + extraFloatDigits, 1));
  // JS prints the same digits, fixed between 1e-6 and 1e21; Postgres between 1e-4 and 1e15.
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e15) return String(value);
  return layOut(shortest8(value), 15);
}

/** float4 to text under a setting of extra_float_digits. */
export function formatFloat4(value: number, extraFloatDigits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (extraFloatDigits <= 0) return formatPrecision(value, Math.max(6 + extraFloatDigits, 1));
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  return fixedFloat4(value) ?? layOut(shortest4(value), 6);
}

/** `%.{digits}g` of C. */
export function formatPrecision(value: number, digits: number): string {
  return layOut(exponential(value, digits), digits);
}

/**
 * The shortest digits in exponential form. Postgres's Ryu does not take a decimal that lies exactly between two
 * doubles; JS does. Such ties (1e23) exist only among large numbers with few digits, and then one more digit is needed.
 */
function shortest8(value: number): string {
  const text = value.toExponential();
  const magnitude = Math.abs(value);
  if (magnitude < 18014398509481984 || magnitude > 1e45) return text;
  const decimal = BigInt(Math.sign(value)) * decimalToBigInt(text);
  const exact = BigInt(magnitude);
  if (decimal === exact) return text;
  const neighbour = adjacent(magnitude, decimal > exact);
  if (BigInt(neighbour) + exact !== 2n * decimal) return text;
  for (let digits = mantissaLength(text); digits <= 17; digits++) {
    const longer = value.toExponential(digits);
    if (Number(longer) === value && decimalToBigInt(longer) !== decimal) return longer;
  }
  return text;
}

/** The value of a decimal that is whole. */
function decimalToBigInt(exponential: string): bigint {
  const [mantissa, exponent] = exponential.split('e') as [string, string];
  const [integer, fraction = ''] = mantissa.split('.') as [string, string?];
  return BigInt(integer + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

function mantissaLength(exponential: string): number {
  const mantissa = exponential.slice(0, exponential.indexOf('e')).replace('-', '');
  return mantissa.length > 1 ? mantissa.length - 1 : 1;
}

const CELL = new DataView(new ArrayBuffer(8));

function adjacent(value: number, up: boolean): number {
  CELL.setFloat64(0, value);
  CELL.setBigInt64(0, CELL.getBigInt64(0) + (up ? 1n : -1n));
  return CELL.getFloat64(0);
}

/** The value with this many digits, ties to even as in C; JS rounds them up. */
function exponential(value: number, digits: number): string {
  const rounded = value.toExponential(digits - 1);
  const long = value.toExponential(digits);
  const at = long.indexOf('e');
  if (long.charCodeAt(at - 1) !== 53) return rounded;
  const exact = value.toExponential(Math.min(digits + 40, 100));
  if (!/^0*$/.test(exact.slice(at, exact.indexOf('e')))) return rounded;
  const kept = long.slice(0, digits === 1 ? at - 2 : at - 1);
  return (kept.charCodeAt(kept.length - 1) & 1) === 0 ? kept + long.slice(at) : rounded;
}

/** The shortest decimal strictly between the midpoints to the neighbours, the nearest of those of its length. */
function shortest4(value: number): string {
  const magnitude = Math.abs(value);
  CELL.setFloat32(0, magnitude);
  const bits = CELL.getUint32(0);
  CELL.setUint32(0, bits - 1);
  const low = (CELL.getFloat32(0) + magnitude) / 2;
  CELL.setUint32(0, bits + 1);
  // Above the greatest float4 the step is that below it.
  const high = bits + 1 === 0x7f800000 ? magnitude + (magnitude - low) : (CELL.getFloat32(0) + magnitude) / 2;
  const sign = value < 0 ? '-' : '';
  const fits = (read: number): boolean => read > low && read < high;
  // The gaps are equal but at a power of two, and then no fewer digits fit where six do not: most numbers that were computed take eight.
  const few = (bits & 0x7fffff) !== 0 && !fits(Number(exponential(magnitude, 6))) ? 7 : 1;
  for (let digits = few; digits < 9; digits++) {
    const text = exponential(magnitude, digits);
    const read = Number(text);
    if (fits(read)) return sign + text;
    // At a power of two the gap below is half the gap above, where a farther decimal may still fit.
    if (read <= low && (bits & 0x7fffff) === 0) {
      const next = (read + 10 ** (Number(text.slice(text.indexOf('e') + 1)) - digits + 1)).toExponential(digits - 1);
      if (fits(Number(next))) return sign + next;
    }
  }
  return sign + exponential(magnitude, 9);
}

/** `d.ddde±x` as `%g` lays it out: fixed inside [1e-4, 10^limit), else with at least two digits of exponent; no trailing zeros. */
function layOut(exponential: string, limit: number): string {
  const at = exponential.indexOf('e');
  const exponent = Number(exponential.slice(at + 1));
  const sign = exponential.startsWith('-') ? '-' : '';
  let digits = exponential.slice(sign.length, at).replace('.', '');
  let end = digits.length;
  while (end > 1 && digits.charCodeAt(end - 1) === 48) end--;
  digits = digits.slice(0, end);
  if (exponent < -4 || exponent >= limit) {
    const power = Math.abs(exponent);
    return `${sign}${digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits}e${exponent < 0 ? '-' : '+'}${power < 10 ? '0' : ''}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits + '0'.repeat(exponent + 1 - digits.length);
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** `%.{digits}e` of C. */
export function formatExponential(value: number, digits: number): string {
  const text = exponential(value, digits + 1);
  const at = text.indexOf('e');
  const exponent = Number(text.slice(at + 1));
  const size = Math.abs(exponent);
  const sign = Object.is(value, -0) ? '-' : '';
  return `${sign}${text.slice(0, at)}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
}

/** `%.{digits}f` of C for a finite value: ties to even, whereas toFixed rounds up. */
export function formatFixed(value: number, digits: number): string {
  CELL.setFloat64(0, value);
  const bits = CELL.getBigUint64(0);
  const biased = Number((bits >> 52n) & 2047n);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = (biased === 0 ? fraction : fraction | 0x10000000000000n) * 10n ** BigInt(digits);
  const shift = 1075 - Math.max(biased, 1);
  let whole: bigint;
  if (shift <= 0) whole = mantissa << BigInt(-shift);
  else {
    whole = mantissa >> BigInt(shift);
    const rest = mantissa - (whole << BigInt(shift));
    const half = 1n << BigInt(shift - 1);
    if (rest > half || (rest === half && (whole & 1n) === 1n)) whole++;
  }
  const text = String(whole).padStart(digits + 1, '0');
  const sign = bits >> 63n === 1n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
