/** Bytes as strings of one character (0–255) per byte, and conversion from and to UTF-8 text, hex and the escape format. */
import { SvcError } from '../../base/errors/svc-error.ts';

/** The UTF-8 bytes of a text. */
export function utf8Bytes(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return Buffer.from(text, 'utf8').toString('latin1');
  return text;
}

/** The text with these UTF-8 bytes; 22021 if they are invalid. */
export function utf8Text(bytes: string): string {
  let ascii = true;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (byte === 0) throw invalidUtf8(bytes, i, 1);
    if (byte > 127) {
      ascii = false;
      const length = sequenceLength(bytes, i);
      if (length < 0) throw invalidUtf8(bytes, i, byte < 0xc0 || byte > 0xf7 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
      i += length - 1;
    }
  }
  return ascii ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Length of the UTF-8 sequence at an index, or -1 if it is invalid. */
function sequenceLength(bytes: string, index: number): number {
  const lead = bytes.charCodeAt(index);
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : -1;
  if (length < 0 || index + length > bytes.length) return -1;
  for (let i = 1; i < length; i++) if ((bytes.charCodeAt(index + i) & 0xc0) !== 0x80) return -1;
  const second = bytes.charCodeAt(index + 1);
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f) || (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return -1;
  return length;
}

function invalidUtf8(bytes: string, index: number, length: number): SvcError {
  const shown: string[] = [];
  for (let i = index; i < Math.min(index + length, bytes.length); i++) shown.push(`0x${bytes.charCodeAt(i).toString(16).padStart(2, '0')}`);
  return new SvcError('22021', `invalid byte sequence for encoding "UTF8": ${shown.join(' ')}`);
}

export function bytesToHex(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('hex');
}

/** Hex digits, with blanks between pairs, to bytes; 22023 with Postgres's message. */
export function hexToBytes(hex: string, offset = 0): string {
  if (/^(?:[0-9a-fA-F]{2})*$/.test(offset === 0 ? hex : hex.slice(offset))) return Buffer.from(hex.slice(offset), 'hex').toString('latin1');
  let bytes = '';
  for (let i = offset; i < hex.length; i++) {
    const character = hex[i] as string;
    if (character === ' ' || character === '\n' || character === '\t' || character === '\r') continue;
    const high = hexDigit(hex, i);
    if (i + 1 >= hex.length) throw new SvcError('22023', 'invalid hexadecimal data: odd number of digits');
    bytes += String.fromCharCode(high * 16 + hexDigit(hex, i + 1));
    i++;
  }
  return bytes;
}

function hexDigit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 48 && code <= 57) return code - 48;
  if ((code >= 65 && code <= 70) || (code >= 97 && code <= 102)) return (code & 31) + 9;
  throw new SvcError('22023', `invalid hexadecimal digit: "${String.fromCodePoint(text.codePointAt(index) as number)}"`);
}

/** The escape format of bytea to bytes: `\\` and `\ooo`. */
export function escapeToBytes(text: string): string {
  const source = utf8Bytes(text);
  if (!source.includes('\\')) return source;
  return source.replace(/\\(?:\\|([0-3][0-7]{2})|)/g, (match, octal: string | undefined) => {
    if (match === '\\\\') return '\\';
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    throw new SvcError('22P02', 'invalid input syntax for type bytea');
  });
}

/** Bytes as the escape format of bytea prints them. */
export function bytesToEscape(bytes: string): string {
  return bytes.replace(/[^\x20-\x5b\x5d-\x7e]/g, (byte) => (byte === '\\' ? '\\\\' : `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`));
}
