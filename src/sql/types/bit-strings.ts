/** bit(n) and bit varying(n): strings of 0 and 1, whose order as text is their own. Manual, section 8.10. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

/** `101`, `b101`, `x1f`. */
export function parseBits(text: string): string {
  const mark = text[0];
  if (mark === 'x' || mark === 'X') return bitsOfHex(text.slice(1));
  return bitsOfDigits(mark === 'b' || mark === 'B' ? text.slice(1) : text);
}

export function bitsOfDigits(digits: string): string {
  const wrong = /[^01]/u.exec(digits);
  if (wrong !== null) throw new SvcError('22P02', `"${wrong[0]}" is not a valid binary digit`);
  return digits;
}

export function bitsOfHex(digits: string): string {
  const wrong = /[^0-9a-fA-F]/u.exec(digits);
  if (wrong !== null) throw new SvcError('22P02', `"${wrong[0]}" is not a valid hexadecimal digit`);
  let out = '';
  for (const digit of digits) out += Number.parseInt(digit, 16).toString(2).padStart(4, '0');
  return out;
}

export const BIT: SqlType = makeType({
  oid: 1560,
  name: 'bit',
  title: 'bit',
  category: 'V',
  length: -1,
  repr: 'string',
  arrayOid: 1561,
  parse: (text, typmod) => {
    const bits = parseBits(text);
    return typmod > 0 ? exactly(bits, typmod, false) : bits;
  },
  format: String,
  coerce: (value, typmod, explicit) => (typmod <= 0 ? value : exactly(value as string, typmod, explicit)),
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});

function exactly(bits: string, length: number, explicit: boolean): string {
  if (bits.length === length) return bits;
  if (!explicit) throw new SvcError('22026', `bit string length ${bits.length} does not match type bit(${length})`);
  return bits.slice(0, length).padEnd(length, '0');
}

export const VARBIT: SqlType = makeType({
  oid: 1562,
  name: 'varbit',
  title: 'bit varying',
  category: 'V',
  preferred: true,
  length: -1,
  repr: 'string',
  arrayOid: 1563,
  parse: (text, typmod) => atMost(parseBits(text), typmod, false),
  format: String,
  coerce: (value, typmod, explicit) => atMost(value as string, typmod, explicit),
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});

function atMost(bits: string, length: number, explicit: boolean): string {
  if (length <= 0 || bits.length <= length) return bits;
  if (!explicit) throw new SvcError('22001', `bit string too long for type bit varying(${length})`);
  return bits.slice(0, length);
}
