/**
 * Exact numbers of JSON documents: Postgres's numeric with its display scale. In trees (json-tree.ts) a number is a JS number if
 * that prints the same text, otherwise a `Numeric`; `numberNode` enforces this.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Numeric } from './numeric.ts';
import { whole } from './value.ts';

/** Postgres's limits of numeric: 131072 digits before the point, 16383 after it. */
const WEIGHT_DIGITS_MAX = 131_072;
const SCALE_MAX = 16_383;

function overflow(): SvcError {
  return new SvcError('22003', 'value overflows numeric format');
}

/** Parses `-12.50e3` and similar; the text is known to be a number. */
export function numericFromText(text: string): Numeric {
  let exponent = 0;
  let end = text.length;
  const e = text.search(/[eE]/);
  if (e !== -1) {
    exponent = Number(text.slice(e + 1));
    end = e;
    if (exponent >= 1_073_741_823 || exponent <= -1_073_741_823) throw overflow();
  }
  const point = text.indexOf('.');
  let digits = text.slice(0, end);
  let scale = 0;
  if (point !== -1) {
    digits = text.slice(0, point) + text.slice(point + 1, end);
    scale = end - point - 1;
  }
  const shown = Math.max(0, scale - exponent);
  let coefficient = digits.length <= 15 ? Number(digits) : whole(BigInt(digits));
  if (coefficient === 0) {
    if (shown > SCALE_MAX) throw overflow();
    return new Numeric(0, shown);
  }
  if (shown > SCALE_MAX) throw overflow();
  const zeros = exponent - scale;
  if (zeros > 0) {
    if (zeros > WEIGHT_DIGITS_MAX) throw overflow();
    coefficient = whole(BigInt(coefficient) * 10n ** BigInt(zeros));
  }
  if (digits.length + zeros > WEIGHT_DIGITS_MAX && digitCount(coefficient) - shown > WEIGHT_DIGITS_MAX) throw overflow();
  return new Numeric(coefficient, shown);
}

function digitCount(value: number | bigint): number {
  const text = String(value);
  return text.charCodeAt(0) === 45 ? text.length - 1 : text.length;
}

export function numericText(value: Numeric): string {
  const { coefficient, scale } = value;
  if (typeof coefficient === 'number' && !Number.isFinite(coefficient)) return String(coefficient);
  let text = String(coefficient);
  if (scale === 0) return text === '-0' ? '0' : text;
  const negative = text.charCodeAt(0) === 45;
  if (negative) text = text.slice(1);
  if (text.length <= scale) text = text.padStart(scale + 1, '0');
  text = `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  return negative ? `-${text}` : text;
}

/** A node for a numeric: a JS number if that prints the same text. */
export function numberNode(value: Numeric): number | Numeric {
  const { coefficient, scale } = value;
  if (scale === 0) return typeof coefficient === 'number' ? coefficient + 0 : value;
  if (typeof coefficient === 'bigint' || coefficient % 10 === 0 || scale > 6) return value;
  return Math.abs(coefficient) <= 999_999_999_999_999 ? coefficient / 10 ** scale : value;
}

/** A node for the text of a JSON number. */
export function numberNodeFromText(text: string): number | Numeric {
  if (text.length <= 15) {
    const value = Number(text);
    // JS may print small numbers with an exponent (1e-7), but Postgres never does.
    if (String(value) === text && !text.includes('e')) return value;
  }
  return numberNode(numericFromText(text));
}

export function toNumeric(node: number | Numeric): Numeric {
  if (typeof node !== 'number') return node;
  return Number.isInteger(node) ? new Numeric(node, 0) : numericFromText(String(node));
}

export function numberText(node: number | Numeric): string {
  return typeof node === 'number' ? String(node) : numericText(node);
}

/** -1, 0 or 1; scales are ignored. */
export function compareNumbers(a: number | Numeric, b: number | Numeric): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareNumerics(toNumeric(a), toNumeric(b));
}

/** Postgres's order of numeric: NaN is above everything and equals itself. */
export function compareNumerics(a: Numeric, b: Numeric): number {
  const x = a.coefficient;
  const y = b.coefficient;
  if ((typeof x === 'number' && !Number.isFinite(x)) || (typeof y === 'number' && !Number.isFinite(y))) {
    const nanX = Number.isNaN(x as number);
    const nanY = Number.isNaN(y as number);
    if (nanX || nanY) return nanX === nanY ? 0 : nanX ? 1 : -1;
    return x < y ? -1 : x > y ? 1 : 0;
  }
  if (a.scale === b.scale) return x < y ? -1 : x > y ? 1 : 0;
  const scale = Math.max(a.scale, b.scale);
  const left = BigInt(x) * 10n ** BigInt(scale - a.scale);
  const right = BigInt(y) * 10n ** BigInt(scale - b.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The text without zeros after the point, so that 1.0 and 1.00 have one key. */
export function numberKey(node: number | Numeric): string {
  const text = numberText(node);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
