/** What is kept of a password that a role is given: what came as a hash stays so, a plain one becomes a SCRAM verifier. */
import { isMd5Password } from './md5-password.ts';
import { formatVerifier, makeVerifierAtOnce, parseVerifier } from './scram.ts';

/** null for an empty password: it is none. Takes a millisecond or two. */
export function keptPassword(password: string): string | null {
  if (password === '') return null;
  if (isMd5Password(password) || parseVerifier(password) !== null) return password;
  return formatVerifier(makeVerifierAtOnce(password));
}
