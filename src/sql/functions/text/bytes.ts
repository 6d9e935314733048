/** Functions of bytea: encodings, digests, single bytes and bits. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { bytesToHex, escapeToBytes, hexToBytes } from '../../types/bytes-text.ts';
import { convertBytes, decodeBytes, encodedCount, encodeText, encodingNumber } from '../../types/encodings.ts';
import type { Whole } from '../../types/value.ts';
import type { FunctionModule } from '../define.ts';
import { scalar } from './declare.ts';

function unknownFormat(name: string): never {
  throw new SvcError('22023', `unrecognized encoding: "${name}"`);
}

const LINE_LENGTH = 76;

/** Lines of 76 characters, with a newline after a full last one, too. */
function toBase64(bytes: string): string {
  const digits = Buffer.from(bytes, 'latin1').toString('base64');
  let lines = '';
  let at = 0;
  for (; at + LINE_LENGTH <= digits.length; at += LINE_LENGTH) lines += `${digits.slice(at, at + LINE_LENGTH)}\n`;
  return at === 0 ? digits : lines + digits.slice(at);
}

function fromBase64(text: string): string {
  let bytes = '';
  let buffer = 0;
  let count = 0;
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (character === ' ' || character === '\t' || character === '\n' || character === '\r') continue;
    let digit: number;
    if (character === '=') {
      // Padding follows two or three digits.
      if (end === 0) {
        if (count === 2) end = 1;
        else if (count === 3) end = 2;
        else throw new SvcError('22023', 'unexpected "=" while decoding base64 sequence');
      }
      digit = 0;
    } else {
      digit = DIGITS.indexOf(character);
      if (digit < 0) {
        const symbol = String.fromCodePoint(text.codePointAt(i) as number);
        throw new SvcError('22023', `invalid symbol "${symbol}" found while decoding base64 sequence`);
      }
    }
    buffer = (buffer << 6) | digit;
    if (++count === 4) {
      bytes += String.fromCharCode((buffer >> 16) & 255);
      if (end === 0 || end > 1) bytes += String.fromCharCode((buffer >> 8) & 255);
      if (end === 0 || end > 2) bytes += String.fromCharCode(buffer & 255);
      buffer = 0;
      count = 0;
      end = 0;
    }
  }
  if (count !== 0) {
    throw new SvcError('22023', 'invalid base64 end sequence', { hint: 'Input data is missing padding, is truncated, or is otherwise corrupted.' });
  }
  return bytes;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encode(bytes: string, format: string): string {
  switch (format.toLowerCase()) {
    case 'hex':
      return bytesToHex(bytes);
    case 'base64':
      return toBase64(bytes);
    case 'escape':
      return bytes.replace(/[\0\x80-\xff\\]/g, (byte) => (byte === '\\' ? '\\\\' : `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`));
    default:
      return unknownFormat(format);
  }
}

function decode(text: string, format: string): string {
  switch (format.toLowerCase()) {
    case 'hex':
      return hexToBytes(text);
    case 'base64':
      return fromBase64(text);
    case 'escape':
      return escapeToBytes(text);
    default:
      return unknownFormat(format);
  }
}

function encodingNamed(name: string, title: string): number {
  const number = encodingNumber(name);
  if (number < 0) throw new SvcError('22023', `invalid ${title} name "${name}"`);
  return number;
}

function convert(bytes: string, source: string, target: string): string {
  return convertBytes(bytes, encodingNamed(source, 'source encoding'), encodingNamed(target, 'destination encoding'));
}

function digest(algorithm: string): (bytes: string) => string {
  return (bytes) => hash(algorithm, Buffer.from(bytes, 'latin1'), 'binary');
}

function checkIndex(index: Whole, count: number): number {
  if (index < 0 || index >= count) throw new SvcError('2202E', `index ${index} out of valid range, 0..${count - 1}`);
  return index as number;
}

function withByte(bytes: string, index: number, value: number): string {
  return bytes.slice(0, index) + String.fromCharCode(value & 255) + bytes.slice(index + 1);
}

function setBit(bytes: string, index: Whole, bit: number): string {
  const at = checkIndex(index, bytes.length * 8);
  if (bit !== 0 && bit !== 1) throw new SvcError('22023', 'new bit must be 0 or 1');
  const old = bytes.charCodeAt(at >> 3);
  const mask = 1 << (at & 7);
  return withByte(bytes, at >> 3, bit === 1 ? old | mask : old & ~mask);
}

function bitCount(bytes: string): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) for (let byte = bytes.charCodeAt(i); byte !== 0; byte &= byte - 1) count++;
  return count;
}

/** The Castagnoli polynomial, reflected. */
const CASTAGNOLI = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value >>> 0;
});

function crc32c(bytes: string): number {
  let value = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) value = (CASTAGNOLI[(value ^ bytes.charCodeAt(i)) & 255] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

export const byteFunctions: FunctionModule = {
  functions: [
    scalar('encode', ['bytea', 'text'], 'text', 'Bytes as text: hex, base64 or escape.', encode),
    scalar('decode', ['text', 'text'], 'bytea', 'Bytes from text: hex, base64 or escape.', decode),
    {
      ...scalar('convert_from', ['bytea', 'name'], 'text', 'Bytes in an encoding as text.', (bytes: string, name: string) =>
        decodeBytes(bytes, encodingNamed(name, 'source encoding')),
      ),
      volatility: 'stable',
    },
    {
      ...scalar('convert_to', ['text', 'name'], 'bytea', 'The bytes of a text in an encoding.', (text: string, name: string) =>
        encodeText(text, encodingNamed(name, 'destination encoding')),
      ),
      volatility: 'stable',
    },
    { ...scalar('convert', ['bytea', 'name', 'name'], 'bytea', 'Bytes of one encoding in another.', convert), volatility: 'stable' },
    {
      ...scalar('length', ['bytea', 'name'], 'int4', 'Number of characters in an encoding.', (bytes: string, name: string) =>
        encodedCount(bytes, encodingNamed(name, 'encoding')),
      ),
      volatility: 'stable',
    },
    scalar('md5', ['text'], 'text', 'MD5 digest in hexadecimal.', (text: string) => hash('md5', text, 'hex')),
    scalar('md5', ['bytea'], 'text', 'MD5 digest in hexadecimal.', (bytes: string) => hash('md5', Buffer.from(bytes, 'latin1'), 'hex')),
    ...['sha224', 'sha256', 'sha384', 'sha512'].map((name) =>
      scalar(name, ['bytea'], 'bytea', `${name.toUpperCase().replace('SHA', 'SHA-')} digest.`, digest(name)),
    ),
    scalar('crc32', ['bytea'], 'int8', 'CRC-32 checksum.', (bytes: string) => crc32(Buffer.from(bytes, 'latin1'))),
    scalar('crc32c', ['bytea'], 'int8', 'CRC-32C checksum.', crc32c),
    scalar('get_byte', ['bytea', 'int4'], 'int4', 'The byte at an index from 0.', (bytes: string, index: number) =>
      bytes.charCodeAt(checkIndex(index, bytes.length)),
    ),
    scalar('set_byte', ['bytea', 'int4', 'int4'], 'bytea', 'The value with one byte changed.', (bytes: string, index: number, value: number) =>
      withByte(bytes, checkIndex(index, bytes.length), value),
    ),
    scalar('get_bit', ['bytea', 'int8'], 'int4', 'The bit at an index from 0, the lowest of a byte first.', (bytes: string, index: Whole) => {
      const at = checkIndex(index, bytes.length * 8);
      return (bytes.charCodeAt(at >> 3) >> (at & 7)) & 1;
    }),
    scalar('set_bit', ['bytea', 'int8', 'int4'], 'bytea', 'The value with one bit changed.', setBit),
    scalar('bit_count', ['bytea'], 'int8', 'How many bits are set.', bitCount),
  ],
};
