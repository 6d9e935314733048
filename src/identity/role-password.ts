/** The stored form of a role's password: a hash is stored as supplied, plain text becomes a SCRAM verifier. */
import { isMd5Password } from './md5-password.ts';
import { formatVerifier, makeVerifierAtOnce, parseVerifier } from './scram.ts';

/** null for an empty password, which means none. Takes a millisecond or two. */
export function keptPassword(password: string): string | null {
  if (password === '') return null;
  if (isMd5Password(password) || parseVerifier(password) !== null) return password;
  return formatVerifier(makeVerifierAtOnce(password));
}
