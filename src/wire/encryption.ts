/** Encryption of a connection, for pg_stat_ssl. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Client } from '../sql/session/backends.ts';

/** Null for a plain socket. */
export function encryptionOf(socket: Socket): Client['encryption'] {
  if (!(socket instanceof TLSSocket)) return null;
  const { name } = socket.getCipher();
  return { version: socket.getProtocol() ?? '', cipher: name, bits: keyBits(name) };
}

/** OpenSSL's cipher names contain the key length; the one that does not always has 256 bits. */
function keyBits(cipher: string): number {
  return cipher.includes('CHACHA20') ? 256 : Number(/AES_?(128|256)/.exec(cipher)?.[1] ?? 0);
}
