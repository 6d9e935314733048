/**
 * Numerics as byte strings in their order, without scales.
 *
 *   -∞ 00 | negative 01 … | zero 02 | positive 03 exponent(4) digits 00 | ∞ 04 | NaN 05
 */
import { complement, decodeCell, encodeCell } from '../../worlds/memcomparable.ts';
import { Numeric } from '../types/numeric.ts';
import { whole } from '../types/value.ts';

export function encodeNumeric({ coefficient, scale }: Numeric): string {
  if (typeof coefficient === 'number') {
    if (coefficient !== coefficient) return '\x05';
    if (!Number.isFinite(coefficient)) return coefficient > 0 ? '\x04' : '\x00';
  }
  if (coefficient == 0) return '\x02';
  const negative = coefficient < 0;
  const text = String(coefficient);
  const digits = (negative ? text.slice(1) : text).replace(/0+$/, '');
  // 0.digits × 10^exponent
  const exponent = (negative ? text.length - 1 : text.length) - scale;
  const body = `${encodeCell(exponent, 'i32')}${digits}\0`;
  return negative ? `\x01${complement(body)}` : `\x03${body}`;
}

export function decodeNumeric(key: string, at: number): { value: Numeric; end: number } {
  const sign = key.charCodeAt(at);
  if (sign === 5) return { value: new Numeric(Number.NaN, 0), end: at + 1 };
  if (sign === 4 || sign === 0) return { value: new Numeric(sign === 4 ? Infinity : -Infinity, 0), end: at + 1 };
  if (sign === 2) return { value: new Numeric(0, 0), end: at + 1 };
  const end = key.indexOf(sign === 1 ? '\xff' : '\0', at + 5);
  const body = sign === 1 ? complement(key.slice(at + 1, end)) : key.slice(at + 1, end);
  const exponent = decodeCell(body, 0, 'i32').value as number;
  const digits = body.slice(4);
  const scale = Math.max(0, digits.length - exponent);
  const coefficient = BigInt(digits) * 10n ** BigInt(Math.max(0, exponent - digits.length));
  return { value: new Numeric(whole(sign === 1 ? -coefficient : coefficient), scale), end: end + 1 };
}
