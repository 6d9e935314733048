/**
 * Roles of a database and their memberships, at one moment; immutable. Roles belong to the folder, not to a world, so no
 * fork, restore or merge affects them. Oids are never reused, so that a past world cannot give a right to another role.
 */
export interface Role {
  readonly oid: number;
  readonly name: string;
  readonly superuser: boolean;
  readonly inherit: boolean;
  readonly createRole: boolean;
  readonly createDatabase: boolean;
  readonly login: boolean;
  readonly replication: boolean;
  readonly bypassRowSecurity: boolean;
  /** -1: no limit. */
  readonly connectionLimit: number;
  /** SCRAM verifier or md5 hash. */
  readonly password: string | null;
  /** Text as in pg_authid, and milliseconds since 1970 (null: infinity). */
  readonly validUntil: { readonly micros: number | null } | null;
  /** Settings of new sessions. */
  readonly settings: readonly string[];
}

/** `member` is a member of `role`. */
export interface Membership {
  readonly role: number;
  readonly member: number;
  readonly grantor: number;
  readonly admin: boolean;
}

/** Defaults of new sessions: in one database, in all (both 0), or of a role in one database. A role's defaults for all databases are in `Role`. */
export interface SessionDefaults {
  /** Number of the world; 0: all. */
  readonly database: number;
  /** 0: all. */
  readonly role: number;
  readonly settings: readonly string[];
}

/** Privileges on a parameter, as ACL items. */
export interface ParameterRights {
  readonly name: string;
  readonly acl: readonly string[];
}

/** COMMENT ON ROLE and ON DATABASE. */
export interface SharedComment {
  readonly on: 'role' | 'database';
  /** Oid of the role, number of the world. */
  readonly object: number;
  readonly text: string;
}

/** A row of the roles tree, or of other state of the folder; null: deleted. */
export type RoleRow =
  | ({ readonly what: 'role' } & Role)
  | ({ readonly what: 'member' } & Membership)
  | ({ readonly what: 'defaults' } & SessionDefaults)
  | ({ readonly what: 'parameter' } & ParameterRights)
  | ({ readonly what: 'comment' } & SharedComment);

/** The database's own user. */
export const OWNER_ROLE = 10;
export const OWNER_NAME = 'svc';
export const DATABASE_OWNER_ROLE = 6171;
export const READ_ALL_ROLE = 6181;
export const READ_FILES_ROLE = 4569;
export const WRITE_FILES_ROLE = 4570;
export const WRITE_ALL_ROLE = 6182;
/** Its members see masked columns unmasked. */
export const UNMASK_ROLE = 4999;
/** A superuser of the name that scripts and dumps expect. It has no login before it has a password. */
export const POSTGRES_ROLE = 4998;
/** Oids of created roles start here. */
export const FIRST_ROLE = 16384;

const PLAIN: Omit<Role, 'oid' | 'name'> = {
  superuser: false,
  inherit: true,
  createRole: false,
  createDatabase: false,
  login: false,
  replication: false,
  bypassRowSecurity: false,
  connectionLimit: -1,
  password: null,
  validUntil: null,
  settings: [],
};

export function plainRole(oid: number, name: string): Role {
  return { ...PLAIN, oid, name };
}

const ALL_RIGHTS = { superuser: true, createRole: true, createDatabase: true, login: true, replication: true, bypassRowSecurity: true };

const FIXED: readonly Role[] = [
  { ...plainRole(OWNER_ROLE, OWNER_NAME), ...ALL_RIGHTS },
  { ...plainRole(POSTGRES_ROLE, 'postgres'), ...ALL_RIGHTS },
  ...(
    [
      [DATABASE_OWNER_ROLE, 'pg_database_owner'],
      [READ_ALL_ROLE, 'pg_read_all_data'],
      [WRITE_ALL_ROLE, 'pg_write_all_data'],
      [3373, 'pg_monitor'],
      [3374, 'pg_read_all_settings'],
      [3375, 'pg_read_all_stats'],
      [3377, 'pg_stat_scan_tables'],
      [READ_FILES_ROLE, 'pg_read_server_files'],
      [WRITE_FILES_ROLE, 'pg_write_server_files'],
      [4571, 'pg_execute_server_program'],
      [4200, 'pg_signal_backend'],
      [4544, 'pg_checkpoint'],
      [UNMASK_ROLE, 'unmask'],
    ] as const
  ).map(([oid, name]) => plainRole(oid, name)),
];

const FIXED_MEMBERS: readonly Membership[] = [3374, 3375, 3377].map((role) => ({ role, member: 3373, grantor: OWNER_ROLE, admin: false }));

export function roleKey(oid: number): string {
  return `r${String(oid).padStart(10, '0')}`;
}

export function membershipKey({ role, member }: { readonly role: number; readonly member: number }): string {
  return `m${String(role).padStart(10, '0')}${String(member).padStart(10, '0')}`;
}

export function defaultsKey(database: number, role: number): string {
  return `s${String(database).padStart(10, '0')}${String(role).padStart(10, '0')}`;
}

export function parameterKey(name: string): string {
  return `p${name}`;
}

export function commentKey(on: SharedComment['on'], object: number): string {
  return `c${on[0]}${String(object).padStart(10, '0')}`;
}

let versions = 0;

export class Roles {
  /** Version of this state alone. */
  readonly version = ++versions;
  readonly rows: ReadonlyMap<string, RoleRow>;
  readonly #byOid = new Map<number, Role>();
  readonly #byName = new Map<string, Role>();
  readonly #memberships: Membership[] = [...FIXED_MEMBERS];
  readonly defaults: SessionDefaults[] = [];
  /** ACL items by parameter. */
  readonly parameters = new Map<string, readonly string[]>();
  readonly comments: SharedComment[] = [];
  /** Role → the roles that it is a member of, including itself. */
  readonly #memberOf = new Map<number, ReadonlySet<number>>();
  readonly #inherits = new Map<number, ReadonlySet<number>>();

  constructor(rows: ReadonlyMap<string, RoleRow>) {
    this.rows = rows;
    for (const role of FIXED) this.#add(role);
    for (const row of rows.values()) {
      if (row.what === 'role') this.#add(row);
      else if (row.what === 'member') this.#memberships.push(row);
      else if (row.what === 'defaults') this.defaults.push(row);
      else if (row.what === 'parameter') this.parameters.set(row.name, row.acl);
      else this.comments.push(row);
    }
  }

  #add(role: Role): void {
    // A role of that name that was created before the fixed one existed.
    const same = this.#byName.get(role.name);
    if (same !== undefined && same.oid !== role.oid) this.#byOid.delete(same.oid);
    const known = this.#byOid.get(role.oid);
    if (known !== undefined) this.#byName.delete(known.name);
    this.#byOid.set(role.oid, role);
    this.#byName.set(role.name, role);
  }

  with(changes: ReadonlyMap<string, RoleRow | null>): Roles {
    const rows = new Map(this.rows);
    for (const [key, row] of changes) {
      if (row === null) rows.delete(key);
      else rows.set(key, row);
    }
    return new Roles(rows);
  }

  /** `unmask` is listed once it has a member, so that tools otherwise see Postgres's roles and created ones only. */
  *all(): Iterable<Role> {
    for (const role of this.#byOid.values()) {
      if (role.oid !== UNMASK_ROLE || this.#memberships.some((each) => each.role === UNMASK_ROLE)) yield role;
    }
  }

  get memberships(): readonly Membership[] {
    return this.#memberships;
  }

  /** Settings of a new session of the role in the world; later ones take precedence. */
  settingsFor(database: number, role: number): string[] {
    const of = (world: number, who: number): readonly string[] => this.defaults.find((each) => each.database === world && each.role === who)?.settings ?? [];
    return [...of(0, 0), ...of(database, 0), ...(this.byOid(role)?.settings ?? []), ...of(database, role)];
  }

  byOid(oid: number): Role | null {
    return this.#byOid.get(oid) ?? null;
  }

  byName(name: string): Role | null {
    return this.#byName.get(name) ?? null;
  }

  membership(role: number, member: number): Membership | null {
    return this.#memberships.find((each) => each.role === role && each.member === member) ?? null;
  }

  isSuperuser(oid: number): boolean {
    return this.#byOid.get(oid)?.superuser === true;
  }

  /** The roles that it may SET ROLE to, itself first. */
  memberOf(oid: number): ReadonlySet<number> {
    return this.#closure(this.#memberOf, oid, () => true);
  }

  /** The roles whose privileges it inherits, itself first. */
  inherits(oid: number): ReadonlySet<number> {
    return this.#closure(this.#inherits, oid, (member) => this.#byOid.get(member)?.inherit === true);
  }

  #closure(known: Map<number, ReadonlySet<number>>, oid: number, follows: (member: number) => boolean): ReadonlySet<number> {
    let out = known.get(oid);
    if (out === undefined) {
      const found = new Set([oid]);
      for (const each of found) {
        if (!follows(each)) continue;
        // The own user is the owner of every database.
        if (each === OWNER_ROLE) found.add(DATABASE_OWNER_ROLE);
        for (const { role, member } of this.#memberships) if (member === each) found.add(role);
      }
      known.set(oid, (out = found));
    }
    return out;
  }

  /** Whether it has the privileges of `role`: as a superuser, as the role itself, or by inheritance. */
  hasRightsOf(oid: number, role: number): boolean {
    return oid === role || this.isSuperuser(oid) || this.inherits(oid).has(role);
  }

  isMemberOf(oid: number, role: number): boolean {
    return oid === role || this.isSuperuser(oid) || this.memberOf(oid).has(role);
  }

  /** Whether it may grant membership in `role`. */
  isAdminOf(oid: number, role: number): boolean {
    if (this.isSuperuser(oid)) return true;
    const own = this.memberOf(oid);
    return this.#memberships.some((each) => each.admin && each.role === role && own.has(each.member));
  }
}
