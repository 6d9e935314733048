/** A key from a passphrase (RFC 4880, 3.7): hashed once, with a salt, or many times with a salt. */
import { createHash } from 'node:crypto';
import { pgpError } from './pgp-error.ts';

export const S2K = { simple: 0, salted: 1, iterated: 3 } as const;
export const SALT_BYTES = 8;

const DIGESTS: Readonly<Record<number, string>> = { 1: 'md5', 2: 'sha1', 3: 'ripemd160', 8: 'sha256', 9: 'sha384', 10: 'sha512' };

export interface StringToKey {
  readonly mode: number;
  readonly digest: number;
  readonly salt: Buffer;
  /** The count as one byte. */
  readonly count: number;
}

export function countOf(byte: number): number {
  return (16 + (byte & 15)) << ((byte >> 4) + 6);
}

/** The byte of the first count that is at least this. */
export function byteOfCount(count: number): number {
  for (let byte = 0; byte < 255; byte++) if (countOf(byte) >= count) return byte;
  return 255;
}

/** Bytes per update of the hash. */
const CHUNK_BYTES = 64 * 1024;

export function keyFrom({ mode, digest, salt, count }: StringToKey, passphrase: Buffer, length: number): Buffer {
  const name = DIGESTS[digest];
  if (name === undefined) throw pgpError('digest');
  const once = mode === S2K.simple ? passphrase : Buffer.concat([salt, passphrase]);
  const total = mode === S2K.iterated ? Math.max(countOf(count), once.length) : once.length;
  const repeated = total > once.length && once.length > 0 ? Buffer.alloc(once.length * Math.max(1, Math.floor(CHUNK_BYTES / once.length)), once) : once;
  const parts: Buffer[] = [];
  for (let made = 0; made < length;) {
    const hash = createHash(name);
    // A key that is longer than the hash: further hashes start with zeros.
    hash.update(Buffer.alloc(parts.length));
    for (let left = total; left > 0; left -= repeated.length) hash.update(left < repeated.length ? repeated.subarray(0, left) : repeated);
    const part = hash.digest();
    parts.push(part);
    made += part.length;
  }
  return Buffer.concat(parts).subarray(0, length);
}
