/** What the catalogs show beside a world's definitions: who is asking, and what the server knows. Each part may be left out. */
import { OWNER_ROLE, roleKey, Roles } from '../../identity/roles.ts';
import type { Acl } from '../schema/acl.ts';
import type { ShownSetting } from '../types/environment.ts';
import type { Whole } from '../types/value.ts';

export interface CatalogDatabase {
  readonly oid: number;
  readonly name: string;
  /** Number of the world. */
  readonly world: number;
}
/** How a connection is encrypted. */
export interface CatalogEncryption {
  readonly version: string;
  readonly cipher: string;
  readonly bits: number;
}
/** A session, for pg_stat_activity. Times in microseconds since 2000. */
export interface CatalogBackend {
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  readonly applicationName: string;
  readonly clientAddress: string | null;
  /** Null where who asks may not know. */
  readonly clientPort: number | null;
  readonly encryption: CatalogEncryption | null;
  readonly startedAt: Whole | null;
  readonly transactionStart: Whole | null;
  readonly queryStart: Whole | null;
  /** Null where who asks may not know. */
  readonly state: string | null;
  readonly query: string;
}
/** A lock that is held or waited for, for pg_locks. */
export interface CatalogLock {
  readonly type: 'relation' | 'transactionid' | 'virtualxid' | 'advisory';
  readonly database: number | null;
  readonly relation: number | null;
  readonly virtual: string | null;
  readonly transaction: number | null;
  /** classid, objid and objsubid of an advisory lock. */
  readonly object: readonly [number, number, number] | null;
  readonly holder: string;
  readonly pid: number;
  readonly mode: string;
  readonly granted: boolean;
  /** Microseconds since 2000. */
  readonly waitingSince: Whole | null;
}
export interface CatalogPrepared {
  readonly name: string;
  readonly statement: string;
  readonly preparedAt: Whole;
  /** Oids. */
  readonly parameters: readonly number[];
  readonly fromSql: boolean;
}

export interface CatalogCursor {
  readonly name: string;
  readonly statement: string;
  readonly hold: boolean;
  readonly binary: boolean;
  readonly scroll: boolean;
  /** Microseconds since 2000. */
  readonly at: Whole;
}

export interface CatalogSession {
  readonly user: string;
  readonly database: string;
  /** Search path, along which names in definitions are shown; `public` where it is left out. */
  readonly path?: readonly string[];
  /** Another state is read than that of the session, by a plan that is for it alone. */
  readonly elsewhere?: boolean;
  /** Worlds as databases; the session's own alone where it is left out. */
  readonly databases?: () => readonly CatalogDatabase[];
  /** The session's user alone (beside those that Postgres has) where it is left out. */
  readonly roles?: () => Roles;
  /** Oid of the role that asks; the owner where it is left out, 0 for one that is no role and may see all. */
  readonly role?: () => number;
  /** Whether who asks is told passwords that are kept as they were given; true where it is left out. */
  readonly secrets?: () => boolean;
  readonly settings?: () => Iterable<ShownSetting>;
  readonly backends?: () => readonly CatalogBackend[];
  readonly locks?: () => readonly CatalogLock[];
  readonly prepared?: () => readonly CatalogPrepared[];
  readonly cursors?: () => readonly CatalogCursor[];
  readonly largeObjects?: () => Iterable<{ readonly oid: number; readonly owner: number; readonly acl: Acl | null }>;
  readonly hasLargeObject?: (oid: number) => boolean;
  /** Rows of a table as statistics have them; -1 for unknown. */
  readonly rowEstimate?: (table: number) => number;
  /** Last value that a sequence gave; null where it gave none. */
  readonly lastValue?: (sequence: number) => Whole | null;
}

/** Oid of the session's own database where worlds are not listed. */
const SINGLE_DATABASE = 5;

export function databasesOf({ database, databases }: CatalogSession): readonly CatalogDatabase[] {
  return databases?.() ?? [{ oid: SINGLE_DATABASE, name: database, world: 0 }];
}

export function rolesOf({ user, roles }: CatalogSession): Roles {
  if (roles !== undefined) return roles();
  const owner = new Roles(new Map()).byOid(OWNER_ROLE)!;
  return new Roles(new Map([[roleKey(OWNER_ROLE), { what: 'role', ...owner, name: user }]]));
}
