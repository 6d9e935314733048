/** MD5 passwords (manual, section 21.5): `md5` and the hash of password and name. Stored only if supplied in that form. */
import { createHash, timingSafeEqual } from 'node:crypto';

function md5(text: string | Buffer): string {
  return createHash('md5').update(text).digest('hex');
}

export function isMd5Password(text: string): boolean {
  return /^md5[0-9a-f]{32}$/.test(text);
}

export function md5Password(password: string, name: string): string {
  return `md5${md5(password + name)}`;
}

/** Verifies the response to a challenge with this salt. */
export function answersMd5(stored: string, salt: Buffer, answer: string): boolean {
  const expected = Buffer.from(`md5${md5(Buffer.concat([Buffer.from(stored.slice(3), 'latin1'), salt]))}`);
  const given = Buffer.from(answer, 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
