/** Logins of the SQL port: credentials of the server, its agents and the database's roles. */
import { SvcError } from '../base/errors/svc-error.ts';
import { type LoginChallenge, loginChallenge, type LoginIdentity, type LoginSource } from '../identity/login-challenge.ts';
import { POSTGRES_ROLE, type Role, type Roles } from '../identity/roles.ts';
import type { Logins } from './authenticate.ts';
import { GUEST, OWNER, type Principal, type RolePrincipal } from './principal.ts';
import type { ServerIdentity } from './server-identity.ts';

/** A function, because roles change and are rebuilt after a failed write. */
type RolesNow = () => Roles;

/** The role of a session; its rights are looked up at each use. */
class LiveRole implements RolePrincipal {
  readonly kind = 'role';
  readonly oid: number;
  readonly name: string;
  readonly #roles: RolesNow;

  constructor({ oid, name }: Role, roles: RolesNow) {
    this.oid = oid;
    this.name = name;
    this.#roles = roles;
  }

  get superuser(): boolean {
    return this.#roles().isSuperuser(this.oid);
  }

  get connectionLimit(): number {
    return this.#roles().byOid(this.oid)?.connectionLimit ?? -1;
  }

  get createdb(): boolean {
    return this.#roles().byOid(this.oid)?.createDatabase === true;
  }
}

/** The role as a principal. 28P01 if there is none, 28000 if it may not log in. */
export function rolePrincipal(name: string, roles: RolesNow): Principal {
  const role = roles().byName(name);
  if (role === null) throw new SvcError('28P01', `password authentication failed for user "${name}"`);
  if (!role.login) throw new SvcError('28000', `role "${name}" is not permitted to log in`);
  return new LiveRole(role, roles);
}

export class WireLogins implements Logins {
  readonly #identity: ServerIdentity;
  readonly #roles: RolesNow;
  readonly #source: LoginSource;

  /** `secret` is known only to this database. */
  constructor(identity: ServerIdentity, roles: RolesNow, secret: string) {
    this.#identity = identity;
    this.#roles = roles;
    const { token, adminToken, safe, agents } = identity;
    this.#source = {
      token,
      adminToken,
      safe,
      secret,
      agent: (name) => {
        const state = agents.byName(name)?.agent.state ?? null;
        if (state !== null) return state.disabled ? null : state.scram;
        // Without passwords, a client with a dropped agent's name would log in like any other: refuse it.
        return agents.wasDropped(name) && roles().byName(name) === null ? null : undefined;
      },
      role: (name) => {
        const role = roles().byName(name);
        if (role === null || (role.oid === POSTGRES_ROLE && role.password === null)) return null;
        const { password, validUntil } = role;
        return { password, validUntil: validUntil === null || validUntil.micros === null ? null : validUntil.micros / 1000 };
      },
    };
  }

  admit(address: string): void {
    this.#identity.throttle.check(address);
  }

  failed(address: string): void {
    this.#identity.throttle.failed(address);
  }

  challenge(user: string): Promise<LoginChallenge> {
    return loginChallenge(user, this.#source);
  }

  principal(who: LoginIdentity): Principal {
    switch (who.kind) {
      case 'owner':
        return OWNER;
      case 'guest':
        return GUEST;
      case 'agent': {
        const agent = this.#identity.agents.byName(who.name);
        if (agent === null || agent.agent.state?.disabled !== false) throw new SvcError('28P01', `password authentication failed for user "${who.name}"`);
        return agent;
      }
      case 'role':
        return rolePrincipal(who.name, this.#roles);
    }
  }
}
