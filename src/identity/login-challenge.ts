/**
 * Logins over Postgres's protocol: the user name selects the credential that is required.
 *
 *   name                    server            proof                       is
 *   an agent                any               its token                   that agent
 *   a dropped agent         any               none                        refused, until an agent or a role takes the name
 *   a role with a password  any               its password                that role
 *   any other               no token          none                        the owner (the guest in safe mode)
 *   any other but a role    token T           T                           the owner (the guest in safe mode)
 *   any other but a role    --admin-token A   A                           the owner
 *
 * The owner's own role without a password counts as any other name, since psql sends it by default.
 * In safe mode without a token every client logs in as the guest; with an admin token, a client that proves it is the owner.
 * On a server with a token each name gets an exchange with its own salt, at the same cost for all.
 */
import { isMd5Password } from './md5-password.ts';
import { OWNER_NAME } from './roles.ts';
import { makeVerifier, mockSalt, parseVerifier, SCRAM_ITERATIONS } from './scram.ts';
import type { ScramCandidate } from './scram-exchange.ts';

export type LoginIdentity =
  | { readonly kind: 'owner' }
  | { readonly kind: 'guest' }
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'role'; readonly name: string };

export interface RoleLogin {
  /** A SCRAM verifier or an md5 hash; null for none. */
  readonly password: string | null;
  /** Milliseconds since 1970; null: no expiry. */
  readonly validUntil: number | null;
}

/** Source of the credentials. */
export interface LoginSource {
  readonly token: string | null;
  readonly adminToken: string | null;
  readonly safe: boolean;
  /** Known only to this database. */
  readonly secret: string;
  /** The verifier of an agent's token, null if it cannot log in (disabled, dropped, or without one); undefined: no such agent. */
  agent(name: string): string | null | undefined;
  role(name: string): RoleLogin | null;
}

export type LoginChallenge =
  | { readonly kind: 'none'; readonly who: LoginIdentity }
  | { readonly kind: 'md5'; readonly stored: string; readonly who: LoginIdentity }
  | {
      readonly kind: 'scram';
      readonly candidates: readonly ScramCandidate<LoginIdentity>[];
      readonly salt: Buffer;
      readonly iterations: number;
      /** Identity without a valid proof; null: refused. */
      readonly otherwise: LoginIdentity | null;
    };

const OWNER: LoginIdentity = { kind: 'owner' };
const GUEST: LoginIdentity = { kind: 'guest' };

export async function loginChallenge(name: string, source: LoginSource): Promise<LoginChallenge> {
  const { token, safe, secret } = source;
  const adminToken = safe ? source.adminToken : null;
  const salt = mockSalt(secret, name);
  // Created for every name, so that timing does not reveal which names exist.
  const candidates: ScramCandidate<LoginIdentity>[] = [];
  if (token !== null) candidates.push({ verifier: await makeVerifier(token, salt), who: safe ? GUEST : OWNER });
  if (adminToken !== null) candidates.push({ verifier: await makeVerifier(adminToken, salt), who: OWNER });
  const scram = (candidates: readonly ScramCandidate<LoginIdentity>[], otherwise: LoginIdentity | null = null): LoginChallenge => {
    const [first] = candidates;
    return { kind: 'scram', candidates, salt: first?.verifier.salt ?? salt, iterations: first?.verifier.iterations ?? SCRAM_ITERATIONS, otherwise };
  };
  const agent = source.agent(name);
  if (agent !== undefined) {
    const verifier = agent === null ? null : parseVerifier(agent);
    return scram(verifier === null ? [] : [{ verifier, who: { kind: 'agent', name } }]);
  }
  const role = source.role(name);
  if (role !== null && role.password !== null) {
    const who: LoginIdentity = { kind: 'role', name };
    const expired = role.validUntil !== null && role.validUntil < Date.now();
    if (isMd5Password(role.password)) return expired ? scram([]) : { kind: 'md5', stored: role.password, who };
    const verifier = parseVerifier(role.password);
    return scram(verifier === null || expired ? [] : [{ verifier, who }]);
  }
  if (token === null) {
    const welcome = safe ? GUEST : OWNER;
    return candidates.length === 0 ? { kind: 'none', who: welcome } : scram(candidates, welcome);
  }
  return scram(role === null || name === OWNER_NAME ? candidates : []);
}
