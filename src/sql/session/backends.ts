/** Sessions with connected clients: their rows in pg_stat_activity, and who may cancel or terminate them. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CatalogBackend, CatalogEncryption } from '../catalog/catalog-session.ts';
import type { Whole } from '../types/value.ts';
import type { SqlSession } from './sql-session.ts';

/** The connected client. Addresses are null for a Unix socket. */
export interface Client {
  readonly address: string | null;
  readonly port: number | null;
  readonly serverAddress: string | null;
  readonly serverPort: number | null;
  readonly encryption: CatalogEncryption | null;
  /** Microseconds since 2000. */
  readonly since: Whole;
  cancel(): void;
  /** Cancels the statement and ends the connection with 57P01. */
  terminate(): void;
}

export class Backends {
  readonly #sessions = new Map<SqlSession, Client>();

  get count(): number {
    return this.#sessions.size;
  }

  add(session: SqlSession, client: Client): void {
    this.#sessions.set(session, client);
  }

  delete(session: SqlSession): void {
    this.#sessions.delete(session);
  }

  clientOf(session: SqlSession): Client | null {
    return this.#sessions.get(session) ?? null;
  }

  /** Other users' sessions are listed without details. */
  shownTo(asking: SqlSession): CatalogBackend[] {
    return [...this.#sessions].map(([session, client]) => (mayLook(asking, session) ? shown(session, client) : hidden(session)));
  }

  /** Null if there is no such session. 42501 for a session of another user. */
  find(pid: number, asking: SqlSession, what: 'query' | 'process'): Client | null {
    for (const [session, client] of this.#sessions) {
      if (session.system.backendPid !== pid) continue;
      asking.code.mustNotBeLimited('stop what others run');
      if (!mayStop(asking, session)) {
        const done = what === 'query' ? 'canceled' : 'terminated';
        throw new SvcError(
          '42501',
          !asking.authority.superuser && session.authority.superuser
            ? `must be a superuser to ${what === 'query' ? 'cancel' : 'terminate'} superuser ${what}`
            : `must be a member of the role whose ${what} is being ${done} or member of pg_signal_backend`,
        );
      }
      return client;
    }
    return null;
  }
}

function shown(session: SqlSession, client: Client): CatalogBackend {
  const { transaction, env } = session;
  const began = transaction === null ? null : env.began;
  const state = session.running ? 'active' : transaction === null ? 'idle' : transaction.failed ? 'idle in transaction (aborted)' : 'idle in transaction';
  return {
    ...named(session),
    applicationName: session.settings.get('application_name') ?? '',
    clientAddress: client.address,
    clientPort: client.address === null ? -1 : client.port,
    encryption: client.encryption,
    startedAt: client.since,
    transactionStart: began?.transaction ?? null,
    queryStart: session.text === '' ? null : env.began.statement,
    state,
    query: session.text,
  };
}

function hidden(session: SqlSession): CatalogBackend {
  return {
    ...named(session),
    applicationName: session.settings.get('application_name') ?? '',
    clientAddress: null,
    clientPort: null,
    encryption: null,
    startedAt: null,
    transactionStart: null,
    queryStart: null,
    state: null,
    query: '<insufficient privilege>',
  };
}

function named(session: SqlSession): Pick<CatalogBackend, 'pid' | 'user' | 'database'> {
  return { pid: session.system.backendPid, user: session.authority.sessionUserName, database: session.system.database };
}

function mayLook(asking: SqlSession, other: SqlSession): boolean {
  return isSame(asking, other) || asking.authority.superuser || has(asking, other, 'pg_read_all_stats');
}

function mayStop(asking: SqlSession, other: SqlSession): boolean {
  if (isSame(asking, other) || asking.authority.superuser) return true;
  return !other.authority.superuser && has(asking, other, 'pg_signal_backend');
}

/** Agents count as themselves, except administrators. */
function isSame(asking: SqlSession, other: SqlSession): boolean {
  if (asking === other) return true;
  const one = asking.principal;
  const two = other.principal;
  if (one.kind === 'agent') return one.agent.state?.can.includes('admin') === true || (two.kind === 'agent' && two.agent === one.agent);
  return one.kind === 'guest' && two.kind === 'guest';
}

/** The role has the rights of the other session's role, or those that apply to all sessions. */
function has({ principal, authority }: SqlSession, other: SqlSession, role: string): boolean {
  if (principal.kind !== 'role' && principal.kind !== 'owner') return false;
  const { roles } = authority;
  const all = roles.byName(role)?.oid;
  return (
    (other.principal.kind === 'role' && roles.hasRightsOf(authority.role, other.authority.sessionUser)) ||
    (all !== undefined && roles.hasRightsOf(authority.role, all))
  );
}
