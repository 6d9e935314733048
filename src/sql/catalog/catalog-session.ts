/** What the catalogs show besides a world's definitions: the session's user and server state. Each part may be absent. */
import { OWNER_ROLE, roleKey, Roles } from '../../identity/roles.ts';
import type { Acl } from '../schema/acl.ts';
import type { DatabaseActivity, ShownSetting } from '../types/environment.ts';
import type { Value, Whole } from '../types/value.ts';

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
  /** Null if the user may not see it. */
  readonly clientPort: number | null;
  readonly encryption: CatalogEncryption | null;
  readonly startedAt: Whole | null;
  readonly transactionStart: Whole | null;
  readonly queryStart: Whole | null;
  /** Null if the user may not see it. */
  readonly state: string | null;
  readonly query: string;
}
/** A lock that is held or awaited, for pg_locks. */
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
  /** Search path for names in definitions; default: `public`. */
  readonly path?: readonly string[];
  /** The plan reads another state than the session's, and is for it alone. */
  readonly elsewhere?: boolean;
  /** Worlds as databases; default: the session's own. */
  readonly databases?: () => readonly CatalogDatabase[];
  /** Default: the session's user, and Postgres's predefined roles. */
  readonly roles?: () => Roles;
  /** Oid of the current role; default: the owner, 0 for a session that is no role and sees all. */
  readonly role?: () => number;
  /** Whether the user may see passwords stored in clear text; default: true. */
  readonly secrets?: () => boolean;
  readonly settings?: () => Iterable<ShownSetting>;
  readonly backends?: () => readonly CatalogBackend[];
  /** By the number of a world. */
  readonly activity?: (world: number) => DatabaseActivity;
  /** Rows of pg_stat_statements, with texts or without. */
  readonly statements?: (texts: boolean) => readonly Value[][];
  readonly statementsInfo?: () => readonly Value[][];
  readonly locks?: () => readonly CatalogLock[];
  readonly prepared?: () => readonly CatalogPrepared[];
  readonly cursors?: () => readonly CatalogCursor[];
  readonly largeObjects?: () => Iterable<{ readonly oid: number; readonly owner: number; readonly acl: Acl | null }>;
  readonly hasLargeObject?: (oid: number) => boolean;
  /** Estimated rows of a table; -1 for unknown. */
  readonly rowEstimate?: (table: number) => number;
  /** Last value of a sequence; null if there is none yet. */
  readonly lastValue?: (sequence: number) => Whole | null;
}

/** Oid of the session's own database if worlds are not listed. */
const SINGLE_DATABASE = 5;

export function databasesOf({ database, databases }: CatalogSession): readonly CatalogDatabase[] {
  return databases?.() ?? [{ oid: SINGLE_DATABASE, name: database, world: 0 }];
}

export function rolesOf({ user, roles }: CatalogSession): Roles {
  if (roles !== undefined) return roles();
  const owner = new Roles(new Map()).byOid(OWNER_ROLE)!;
  return new Roles(new Map([[roleKey(OWNER_ROLE), { what: 'role', ...owner, name: user }]]));
}
