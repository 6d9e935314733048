/**
 * Ciphers of OpenPGP messages in CFB mode (RFC 4880, 9.2 and 13.9), by their numbers there. An encrypted text starts with a random block
 * whose last two bytes are repeated, by which a reader sees that its key is right.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { pgpError } from './pgp-error.ts';

export interface PgpCipher {
  readonly algorithm: number;
  readonly keyBytes: number;
  readonly blockBytes: number;
  readonly mode: string;
}

const CIPHERS: ReadonlyMap<number, PgpCipher> = new Map(
  (
    [
      [2, 24, 8, 'des-ede3-cfb'],
      [7, 16, 16, 'aes-128-cfb'],
      [8, 24, 16, 'aes-192-cfb'],
      [9, 32, 16, 'aes-256-cfb'],
    ] as const
  ).map(([algorithm, keyBytes, blockBytes, mode]) => [algorithm, { algorithm, keyBytes, blockBytes, mode }]),
);

/** 39000 for ciphers that the runtime does not have (Blowfish, CAST5, Twofish). */
export function pgpCipher(algorithm: number): PgpCipher {
  const found = CIPHERS.get(algorithm);
  if (found === undefined) throw pgpError('cipher');
  return found;
}

export function encryptCfb({ mode, blockBytes }: PgpCipher, key: Buffer, bytes: Buffer, iv: Uint8Array = new Uint8Array(blockBytes)): Buffer {
  return createCipheriv(mode, key, iv).update(bytes);
}

export function decryptCfb({ mode, blockBytes }: PgpCipher, key: Buffer, bytes: Buffer, iv: Uint8Array = new Uint8Array(blockBytes)): Buffer {
  return createDecipheriv(mode, key, iv).update(bytes);
}

/** Without a checksum, the shift register is set again behind the prefix. */
export function encryptResynced(cipher: PgpCipher, key: Buffer, bytes: Buffer): Buffer {
  const prefix = encryptCfb(cipher, key, bytes.subarray(0, cipher.blockBytes + 2));
  return Buffer.concat([prefix, encryptCfb(cipher, key, bytes.subarray(prefix.length), prefix.subarray(2))]);
}

export function decryptResynced(cipher: PgpCipher, key: Buffer, bytes: Buffer): Buffer {
  const prefix = bytes.subarray(0, cipher.blockBytes + 2);
  if (prefix.length < cipher.blockBytes + 2) throw pgpError('corrupt');
  return Buffer.concat([decryptCfb(cipher, key, prefix), decryptCfb(cipher, key, bytes.subarray(prefix.length), prefix.subarray(2))]);
}
