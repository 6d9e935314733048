/** Who signs in: roles of SQL with LOGIN and a password, read for each request, so that a session ends with its role. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SvcError } from '../base/errors/svc-error.ts';
import type { SqlReply } from '../commands/contract.ts';
import { isMd5Password, md5Password } from '../identity/md5-password.ts';
import { makeVerifier, mockSalt, parseVerifier } from '../identity/scram.ts';
import { sqlOperation } from '../operations/sql.ts';
import { sameSecret } from '../session/token.ts';
import type { StudioLink } from './link.ts';

export interface RoleFacts {
  readonly oid: number;
  readonly name: string;
  readonly superuser: boolean;
  /** LOGIN, and not expired. */
  readonly mayLogIn: boolean;
  readonly password: string | null;
}

const ROLE = `SELECT oid::int8 AS oid, rolname AS name, rolsuper AS superuser,
  rolcanlogin AND coalesce(rolvaliduntil > now(), true) AS may, rolpassword AS password FROM pg_authid WHERE rolname = $1`;

/** null: there is none. */
export async function roleNamed(link: StudioLink, name: string): Promise<RoleFacts | null> {
  if (name.includes('\0')) return null;
  const owner = await link.as({ kind: 'owner' });
  const { results } = (await owner.call(sqlOperation, { sql: ROLE, params: [name] })) as SqlReply;
  const [row] = results[0].rows;
  if (row === undefined) return null;
  return {
    oid: Number(row['oid']),
    name: String(row['name']),
    superuser: row['superuser'] === true,
    mayLogIn: row['may'] === true,
    password: typeof row['password'] === 'string' ? row['password'] : null,
  };
}

/** Of this process: the time that a name costs does not say whether there is such a role. */
const SECRET = randomBytes(32).toString('hex');

/** One refusal for every cause (401). */
export function wrongSignIn(): SvcError {
  return new SvcError('28P01', 'wrong role name or password', { status: 401 });
}

/** The role whose password this is. 28P01 (401) for every other pair. */
export async function provenRole(link: StudioLink, name: string, password: string): Promise<RoleFacts> {
  const role = await roleNamed(link, name);
  const stored = role?.password ?? null;
  const kept = stored === null || isMd5Password(stored) ? null : parseVerifier(stored);
  // The same work for every name: that of a verifier, whether there is one or not.
  const made = await makeVerifier(password, kept?.salt ?? mockSalt(SECRET, name), kept?.iterations);
  const isProven =
    stored !== null && isMd5Password(stored)
      ? sameSecret(stored, md5Password(password, name))
      : kept !== null && timingSafeEqual(made.storedKey, kept.storedKey);
  if (role === null || !isProven || !role.mayLogIn || password === '') throw wrongSignIn();
  return role;
}
