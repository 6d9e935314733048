/**
 * Bytes of COPY in encodings of one byte a character: they become UTF-8 before lines are looked for, which is safe as all of
 * them hold ASCII. Encodings of several bytes are not known.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { converts, decodeBytes, encodeText, encodingNumber, SQL_ASCII, UTF8 } from '../types/encodings.ts';

/** By Postgres's number; null for what goes through as it is. */
export type CopyEncoding = number | null;

/** undefined for a name that is none; 0A000 for an encoding of Postgres's that is not known here. */
export function encodingByName(name: string): CopyEncoding | undefined {
  const encoding = encodingNumber(name);
  if (encoding < 0) return undefined;
  if (!converts(encoding)) throw new SvcError('0A000', `encoding "${name}" is not supported`);
  return encoding === UTF8 || encoding === SQL_ASCII ? null : encoding;
}

/** Bytes of the encoding as UTF-8. */
export function toUtf8(encoding: CopyEncoding, bytes: Uint8Array): Uint8Array {
  if (encoding === null) return bytes;
  return Buffer.from(decodeBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).latin1Slice(), encoding), 'utf8');
}

/** A text in the encoding. */
export function fromText(encoding: CopyEncoding, text: string): Buffer {
  return encoding === null ? Buffer.from(text, 'utf8') : Buffer.from(encodeText(text, encoding), 'latin1');
}
