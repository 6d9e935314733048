/** Tokens of agents and their stored forms: a hash, and a SCRAM-SHA-256 verifier (RFC 5802, RFC 7677). */
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';

const TOKEN = /^svc_[0-9a-f]{64}$/;
/** As Postgres; the token has 256 random bits, so more iterations would only slow logins down. */
const ITERATIONS = 4096;

/** From 32 random bytes. */
export function tokenOf(random: Uint8Array): string {
  return `svc_${Buffer.from(random).toString('hex')}`;
}

export function isAgentToken(text: string): boolean {
  return TOKEN.test(text);
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Derived from the token; reveals nothing about its hash. */
export function agentId(token: string): string {
  return `a${createHash('sha256').update(`agent id of ${token}`).digest('hex').slice(0, 16)}`;
}

/** A verifier in Postgres's form. `salt` has 16 random bytes; the caller prepares the password (RFC 4013) if needed. */
export function scramVerifier(password: string, salt: Uint8Array, iterations = ITERATIONS): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${Buffer.from(salt).toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

/** Constant-time comparison, also for different lengths. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
