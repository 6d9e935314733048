/**
 * A server's security options (tokens, safe mode), and the principal of a credential. Shared by both ports: HTTP uses
 * `bearer`, the wire protocol the parts. Secrets never appear in errors.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { AgentDirectory } from './agent-directory.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { GUEST, OWNER, type Principal } from './principal.ts';
import { sameSecret } from './token.ts';

export interface ServerSecrets {
  /** The server token; null: none is needed, which is allowed on loopback only. */
  readonly token: string | null;
  /** With `safe` only: the database's own user. */
  readonly adminToken: string | null;
  readonly safe: boolean;
  /** Of a monitoring system: it reads the metrics alone. */
  readonly metricsToken?: string | null;
}

export class ServerIdentity {
  readonly token: string | null;
  readonly adminToken: string | null;
  readonly safe: boolean;
  readonly metricsToken: string | null;
  readonly agents: AgentDirectory;
  readonly throttle: LoginThrottle;

  constructor({ token, adminToken, safe, metricsToken = null }: ServerSecrets, agents: AgentDirectory, throttle: LoginThrottle) {
    this.token = token;
    this.adminToken = adminToken;
    this.safe = safe;
    this.metricsToken = metricsToken;
    this.agents = agents;
    this.throttle = throttle;
  }

  /** The principal of clients that are neither an agent nor hold the admin token. */
  get usual(): Principal {
    return this.safe ? GUEST : OWNER;
  }

  /**
   * The principal of an `Authorization` header; undefined: no header. 28000 (401) if a token is missing, 28P01 (401) if it is
   * wrong, 28P01 (429) while the address is throttled, 42501 for the metrics token unless the request is for the metrics.
   */
  bearer(header: string | undefined, address: string, forMetrics = false): Principal {
    if (header === undefined) {
      if (this.token === null) return this.usual;
      throw new SvcError('28000', 'missing token', { hint: 'Send `Authorization: Bearer <token>`.' });
    }
    this.throttle.check(address);
    const token = header.startsWith('Bearer ') ? header.slice(7) : null;
    const found = token === null ? null : this.#holder(token);
    if (found !== null) return found;
    if (token !== null && this.metricsToken !== null && sameSecret(token, this.metricsToken)) {
      if (forMetrics) return GUEST;
      throw new SvcError('42501', 'the metrics token reads the metrics alone', { hint: 'Send it to `GET /metrics`, and another token to the operations.' });
    }
    this.throttle.failed(address);
    throw new SvcError('28P01', 'wrong token', { hint: 'Send `Authorization: Bearer <token>` with a token that is in use.' });
  }

  #holder(token: string): Principal | null {
    if (this.adminToken !== null && sameSecret(token, this.adminToken)) return OWNER;
    if (this.token !== null && sameSecret(token, this.token)) return this.usual;
    return this.agents.byToken(token);
  }
}
