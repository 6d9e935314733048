/** What the catalogs show beside a world's definitions: who is asking, and what the server knows. Each part may be left out. */
import { OWNER_ROLE, roleKey, Roles } from '../../identity/roles.ts';
import type { ShownSetting } from '../types/environment.ts';
import type { Whole } from '../types/value.ts';

export interface CatalogDatabase {
  readonly oid: number;
  readonly name: string;
}
/** A session, for pg_stat_activity. Times in microseconds since 2000. */
export interface CatalogBackend {
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  readonly applicationName: string;
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  readonly startedAt: Whole;
  readonly queryStart: Whole | null;
  readonly state: string;
  readonly query: string;
}
export interface CatalogPrepared {
  readonly name: string;
  readonly statement: string;
  readonly preparedAt: Whole;
  /** Oids. */
  readonly parameters: readonly number[];
  readonly fromSql: boolean;
}

export interface CatalogSession {
  readonly user: string;
  readonly database: string;
  /** Worlds as databases; the session's own alone where it is left out. */
  readonly databases?: () => readonly CatalogDatabase[];
  /** The session's user alone (beside those that Postgres has) where it is left out. */
  readonly roles?: () => Roles;
  /** Oid of the role that asks; the owner where it is left out, 0 for one that is no role and may see all. */
  readonly role?: () => number;
  readonly settings?: () => Iterable<ShownSetting>;
  readonly backends?: () => readonly CatalogBackend[];
  readonly prepared?: () => readonly CatalogPrepared[];
  /** Rows of a table as statistics have them; -1 for unknown. */
  readonly rowEstimate?: (table: number) => number;
  /** Last value that a sequence gave; null where it gave none. */
  readonly lastValue?: (sequence: number) => Whole | null;
}

/** Oid of the session's own database where worlds are not listed. */
const SINGLE_DATABASE = 5;

export function databasesOf({ database, databases }: CatalogSession): readonly CatalogDatabase[] {
  return databases?.() ?? [{ oid: SINGLE_DATABASE, name: database }];
}

export function rolesOf({ user, roles }: CatalogSession): Roles {
  if (roles !== undefined) return roles();
  const owner = new Roles(new Map()).byOid(OWNER_ROLE)!;
  return new Roles(new Map([[roleKey(OWNER_ROLE), { what: 'role', ...owner, name: user }]]));
}
