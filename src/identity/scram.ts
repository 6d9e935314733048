/**
 * The stored verifier of a password for SCRAM-SHA-256 (RFC 5802, RFC 7677), in Postgres's form:
 *
 *   SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>      (base64)
 *
 * With it a proof can be checked but not created.
 */
import { createHash, createHmac, pbkdf2, pbkdf2Sync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { saslprep } from './saslprep.ts';

export interface ScramVerifier {
  readonly iterations: number;
  readonly salt: Buffer;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

export const SCRAM_ITERATIONS = 4096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const stretch = promisify(pbkdf2);

export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Takes a millisecond or two, in a worker thread. */
export async function makeVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES), iterations: number = SCRAM_ITERATIONS): Promise<ScramVerifier> {
  return verifierOf(await stretch(saslprep(password), salt, iterations, KEY_BYTES, 'sha256'), salt, iterations);
}

/** Synchronous variant, for statements inside functions. */
export function makeVerifierAtOnce(password: string, salt: Buffer = randomBytes(SALT_BYTES), iterations: number = SCRAM_ITERATIONS): ScramVerifier {
  return verifierOf(pbkdf2Sync(saslprep(password), salt, iterations, KEY_BYTES, 'sha256'), salt, iterations);
}

function verifierOf(salted: Buffer, salt: Buffer, iterations: number): ScramVerifier {
  return { iterations, salt, storedKey: sha256(hmac(salted, 'Client Key')), serverKey: hmac(salted, 'Server Key') };
}

export function formatVerifier({ iterations, salt, storedKey, serverKey }: ScramVerifier): string {
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey.toString('base64')}:${serverKey.toString('base64')}`;
}

/** null if the text is not a verifier. */
export function parseVerifier(text: string): ScramVerifier | null {
  const found = /^SCRAM-SHA-256\$([1-9]\d{0,9}):([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]{43}=):([A-Za-z0-9+/]{43}=)$/.exec(text);
  if (found === null) return null;
  const [, iterations, salt, storedKey, serverKey] = found;
  const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
  return { iterations: Number(iterations), salt: bytes(salt), storedKey: bytes(storedKey), serverKey: bytes(serverKey) };
}

/** A deterministic salt for a name without a verifier, indistinguishable from a real one. */
export function mockSalt(secret: string, name: string): Buffer {
  return createHmac('sha256', secret).update(`scram salt\0${name}`).digest().subarray(0, SALT_BYTES);
}
