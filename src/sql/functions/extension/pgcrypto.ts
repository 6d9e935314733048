/** Functions of the extension pgcrypto: digests, random bytes and ciphers. */
import { createHash, createHmac } from 'node:crypto';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { utf8Bytes } from '../../types/bytes-text.ts';
import { crypt, genSalt } from './password-hash.ts';
import { PGP_FUNCTIONS } from './pgp/pgp-functions.ts';
import { decrypted, decryptedFrom, encrypted, encryptedFrom } from './raw-cipher.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

const ALGORITHMS = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']);
const RANDOM_BYTES_MAX = 1024;

function algorithmOf(name: string): string {
  const known = name.toLowerCase().replace('-', '');
  if (!ALGORITHMS.has(known)) throw new SvcError('22023', `Cannot use "${name}": No such hash algorithm`);
  return known;
}

/** Values of bytea have one character per byte. */
function digest(data: string, algorithm: string): string {
  return createHash(algorithmOf(algorithm)).update(data, 'latin1').digest().toString('latin1');
}

function keyed(data: string, key: string, algorithm: string): string {
  return createHmac(algorithmOf(algorithm), Buffer.from(key, 'latin1')).update(data, 'latin1').digest().toString('latin1');
}

function random({ env }: Call, count: number): string {
  if (count < 1 || count > RANDOM_BYTES_MAX) throw new SvcError('22023', 'Length not in range');
  return Buffer.from(env.randomBytes(count)).toString('latin1');
}

const scalar = (name: string, args: readonly string[], doc: string, impl: ScalarFunction['impl']): ScalarFunction => ({
  kind: 'scalar',
  name,
  args,
  returns: 'bytea',
  doc,
  impl,
});

const text = (name: string, args: readonly string[], doc: string, impl: ScalarFunction['impl']): ScalarFunction => ({
  ...scalar(name, args, doc, impl),
  returns: 'text',
});
const salt = (args: readonly string[]): ScalarFunction => ({
  ...text('gen_salt', args, 'A salt for crypt, by `bf` or `md5` (pgcrypto).', ({ env }: Call, method: string, rounds = 0) => genSalt(method, rounds, env)),
  volatility: 'volatile',
  needsCall: true,
});

export const PGCRYPTO: FunctionModule = {
  functions: [
    text('crypt', ['text', 'text'], 'Hash of a password by the salt, or the hash, that is given (pgcrypto).', crypt),
    salt(['text']),
    salt(['text', 'int4']),
    scalar('encrypt', ['bytea', 'bytea', 'text'], 'Bytes encrypted by AES (pgcrypto).', encrypted),
    scalar('decrypt', ['bytea', 'bytea', 'text'], 'Bytes decrypted by AES (pgcrypto).', decrypted),
    scalar('encrypt_iv', ['bytea', 'bytea', 'bytea', 'text'], 'Bytes encrypted by AES from a starting block on (pgcrypto).', encryptedFrom),
    scalar('decrypt_iv', ['bytea', 'bytea', 'bytea', 'text'], 'Bytes decrypted by AES from a starting block on (pgcrypto).', decryptedFrom),
    scalar('digest', ['bytea', 'text'], 'Hash of bytes by MD5 or one of SHA (pgcrypto).', digest),
    scalar('digest', ['text', 'text'], 'Hash of a text by MD5 or one of SHA (pgcrypto).', (data: string, algorithm: string) =>
      digest(utf8Bytes(data), algorithm),
    ),
    scalar('hmac', ['bytea', 'bytea', 'text'], 'Hash of bytes under a key (pgcrypto).', keyed),
    scalar('hmac', ['text', 'text', 'text'], 'Hash of a text under a key (pgcrypto).', (data: string, key: string, algorithm: string) =>
      keyed(utf8Bytes(data), utf8Bytes(key), algorithm),
    ),
    ...PGP_FUNCTIONS,
    { ...scalar('gen_random_bytes', ['int4'], 'Random bytes, 1024 at most (pgcrypto).', random), volatility: 'volatile', needsCall: true },
  ],
};
