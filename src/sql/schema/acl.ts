/**
 * Access control lists as Postgres stores them (manual, section 5.7): grantee, grantor, privileges and grant options.
 *
 *   svc=arwdDxt/svc, ann=r*w/svc, =r/ann        grantee = privileges (* with grant option) / grantor; no grantee: PUBLIC
 *
 * Grants form chains: revoking from a grantor revokes what it has granted (CASCADE), or is refused.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { DATABASE_OWNER_ROLE, type Roles } from '../../identity/roles.ts';

/** Privilege bits, in the order in which they are written. */
export const PRIVILEGE = {
  INSERT: 1,
  SELECT: 2,
  UPDATE: 4,
  DELETE: 8,
  TRUNCATE: 16,
  REFERENCES: 32,
  TRIGGER: 64,
  EXECUTE: 128,
  USAGE: 256,
  CREATE: 512,
  TEMPORARY: 1024,
  CONNECT: 2048,
  SET: 4096,
  'ALTER SYSTEM': 8192,
} as const;
export type PrivilegeName = keyof typeof PRIVILEGE;
const LETTERS = 'arwdDxtXUCTcsA';
export const PRIVILEGE_NAMES = Object.keys(PRIVILEGE) as PrivilegeName[];

export interface AclItem {
  /** 0: PUBLIC. */
  readonly grantee: number;
  readonly grantor: number;
  readonly privileges: number;
  /** Those of them with grant option. */
  readonly grantable: number;
}
export type Acl = readonly AclItem[];

export const PUBLIC = 0;

/**
 * r: tables and views, S: sequences, n: schemas, f: functions, T: types, d: the world as a database, c: columns, l: languages, t: tablespaces,
 * p: parameters, L: large objects, F: foreign-data wrappers, V: foreign servers.
 */
export type AclKind = 'r' | 'S' | 'n' | 'f' | 'T' | 'd' | 'c' | 'l' | 't' | 'p' | 'L' | 'F' | 'V';

const { INSERT, SELECT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER, EXECUTE, USAGE, CREATE, TEMPORARY, CONNECT } = PRIVILEGE;

/** All privileges of a kind of object. */
export const ALL: Readonly<Record<AclKind, number>> = {
  r: INSERT | SELECT | UPDATE | DELETE | TRUNCATE | REFERENCES | TRIGGER,
  S: SELECT | UPDATE | USAGE,
  n: USAGE | CREATE,
  f: EXECUTE,
  T: USAGE,
  d: CREATE | TEMPORARY | CONNECT,
  c: INSERT | SELECT | UPDATE | REFERENCES,
  l: USAGE,
  t: CREATE,
  p: PRIVILEGE.SET | PRIVILEGE['ALTER SYSTEM'],
  L: SELECT | UPDATE,
  F: USAGE,
  V: USAGE,
};
const PUBLIC_PRIVILEGES: Readonly<Record<AclKind, number>> = {
  r: 0,
  S: 0,
  n: 0,
  f: EXECUTE,
  T: USAGE,
  d: TEMPORARY | CONNECT,
  c: 0,
  l: USAGE,
  t: 0,
  p: 0,
  L: 0,
  F: 0,
  V: 0,
};

/** The privileges of an object while nothing was granted or revoked. */
export function defaultAcl(kind: AclKind, owner: number): Acl {
  const out: AclItem[] = [];
  if (PUBLIC_PRIVILEGES[kind] !== 0) out.push({ grantee: PUBLIC, grantor: owner, privileges: PUBLIC_PRIVILEGES[kind], grantable: 0 });
  if (kind !== 'c') out.push({ grantee: owner, grantor: owner, privileges: ALL[kind], grantable: 0 });
  return out;
}

/** As initdb creates the schema `public`. */
export const PUBLIC_SCHEMA_ACL: Acl = [
  { grantee: DATABASE_OWNER_ROLE, grantor: DATABASE_OWNER_ROLE, privileges: ALL.n, grantable: 0 },
  { grantee: PUBLIC, grantor: DATABASE_OWNER_ROLE, privileges: USAGE, grantable: 0 },
];

export function formatPrivileges({ privileges, grantable }: Pick<AclItem, 'privileges' | 'grantable'>): string {
  let out = '';
  for (let i = 0; i < LETTERS.length; i++) {
    if ((privileges & (1 << i)) === 0) continue;
    out += LETTERS[i];
    if ((grantable & (1 << i)) !== 0) out += '*';
  }
  return out;
}

export function parsePrivileges(text: string): { privileges: number; grantable: number } {
  let privileges = 0;
  let grantable = 0;
  for (const [, letter, star] of text.matchAll(/([A-Za-z])(\*?)/g)) {
    const bit = 1 << LETTERS.indexOf(letter);
    privileges |= bit;
    if (star === '*') grantable |= bit;
  }
  return { privileges, grantable };
}

/** With oids in place of names, as values of type aclitem are stored. */
export function itemText(item: AclItem): string {
  return `${item.grantee === PUBLIC ? '' : item.grantee}=${formatPrivileges(item)}/${item.grantor}`;
}

export function parseItem(text: string): AclItem {
  const [, grantee, privileges, grantor] = /^(\d*)=([A-Za-z*]*)\/(\d+)$/.exec(text) ?? [];
  return { grantee: grantee === '' ? PUBLIC : Number(grantee), grantor: Number(grantor), ...parsePrivileges(privileges ?? '') };
}

// --- queries

/** The privileges of `mask` that the role has, itself, through PUBLIC or membership. */
export function held(acl: Acl, roles: Roles, role: number, mask: number): number {
  if (roles.isSuperuser(role)) return mask;
  let out = 0;
  for (const { grantee, privileges } of acl) {
    if ((privileges & mask & ~out) !== 0 && (grantee === PUBLIC || roles.hasRightsOf(role, grantee))) out |= privileges & mask;
  }
  return out;
}

/** Those of them with grant option. */
export function heldGrantable(acl: Acl, owner: number, roles: Roles, role: number, mask: number): number {
  if (roles.hasRightsOf(role, owner)) return mask;
  let out = 0;
  for (const { grantee, grantable } of acl) if (grantee !== PUBLIC && roles.hasRightsOf(role, grantee)) out |= grantable & mask;
  return out;
}

/** The grantor of a role's GRANT: the owner if the role has its rights, otherwise the role with most grant options. */
export function bestGrantor(acl: Acl, owner: number, roles: Roles, role: number, mask: number): { grantor: number; grantable: number } {
  if (roles.hasRightsOf(role, owner)) return { grantor: owner, grantable: mask };
  let best = { grantor: role, grantable: 0 };
  let most = -1;
  for (const each of roles.inherits(role)) {
    let grantable = 0;
    for (const item of acl) if (item.grantee === each) grantable |= item.grantable & mask;
    if (grantable === mask) return { grantor: each, grantable };
    const count = bits(grantable);
    if (count > 0 && count > most) {
      most = count;
      best = { grantor: each, grantable };
    }
  }
  return best;
}

function bits(set: number): number {
  let out = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) out++;
  return out;
}

// --- changes

export interface AclChange {
  readonly grant: boolean;
  readonly grantees: readonly number[];
  readonly grantor: number;
  readonly privileges: number;
  /** WITH GRANT OPTION, or GRANT OPTION FOR. */
  readonly grantOption: boolean;
  readonly cascade: boolean;
}

/** The list after a GRANT or REVOKE. 0LP01 for a cycle, 2BP01 for dependent privileges. */
export function changedAcl(acl: Acl, owner: number, roles: Roles, change: AclChange): Acl {
  let out = acl;
  for (const grantee of change.grantees) {
    if (change.grant && change.grantOption && grantee === PUBLIC) throw new SvcError('0LP01', 'grant options can only be granted to roles');
    out = change.grant ? granted(out, owner, roles, grantee, change) : revoked(out, owner, roles, grantee, change);
  }
  return out;
}

function granted(acl: Acl, owner: number, roles: Roles, grantee: number, { grantor, privileges, grantOption }: AclChange): Acl {
  if (privileges === 0) return acl;
  const grantable = grantOption ? privileges : 0;
  if (grantable !== 0) refuseCircle(acl, owner, roles, { grantee, grantor, privileges, grantable });
  const at = acl.findIndex((each) => each.grantee === grantee && each.grantor === grantor);
  if (at < 0) return [...acl, { grantee, grantor, privileges, grantable }];
  const old = acl[at];
  return acl.with(at, { ...old, privileges: old.privileges | privileges, grantable: old.grantable | grantable });
}

function revoked(acl: Acl, owner: number, roles: Roles, grantee: number, { grantor, privileges, grantOption, cascade }: AclChange): Acl {
  const at = acl.findIndex((each) => each.grantee === grantee && each.grantor === grantor);
  if (at < 0) return acl;
  const old = acl[at];
  const left = { ...old, privileges: grantOption ? old.privileges : old.privileges & ~privileges, grantable: old.grantable & ~privileges };
  const out = left.privileges === 0 ? acl.filter((_, i) => i !== at) : acl.with(at, left);
  const lost = old.grantable & ~left.grantable;
  return lost === 0 || grantee === PUBLIC ? out : withoutDependents(out, owner, roles, grantee, lost, cascade);
}

/** Revokes what a role has granted when it loses its grant option. */
function withoutDependents(acl: Acl, owner: number, roles: Roles, grantee: number, lost: number, cascade: boolean): Acl {
  const gone = lost & ~heldGrantable(acl, owner, roles, grantee, lost);
  let out = acl;
  for (const each of acl) {
    if (each.grantor !== grantee || (each.privileges & gone) === 0) continue;
    if (!cascade) throw new SvcError('2BP01', 'dependent privileges exist', { hint: 'Use CASCADE to revoke them too.' });
    out = revoked(out, owner, roles, each.grantee, { grant: false, grantees: [], grantor: grantee, privileges: gone, grantOption: false, cascade: true });
  }
  return out;
}

/** A grant option cannot be granted back to its own grantor. */
function refuseCircle(acl: Acl, owner: number, roles: Roles, { grantee, grantor, grantable }: AclItem): void {
  if (grantor === owner) return;
  let rest = acl;
  for (const each of acl) {
    if (each.grantee !== grantee || each.grantable === 0) continue;
    const all = { grant: false, grantees: [], grantor: each.grantor, privileges: each.grantable, grantOption: false, cascade: true };
    rest = revoked(rest, owner, roles, grantee, all);
  }
  if ((grantable & ~heldGrantable(rest, owner, roles, grantor, grantable)) !== 0)
    throw new SvcError('0LP01', 'grant options cannot be granted back to your own grantor');
}

/** Ordered by oid: lists that are combined from several are stored so. */
export function sortedAcl(acl: Acl): Acl {
  return acl.toSorted((a, b) => a.grantee - b.grantee || a.grantor - b.grantor);
}

/** The list under a new owner: grants by the old owner become the new one's. */
export function withOwner(acl: Acl, from: number, to: number): Acl {
  const out: AclItem[] = [];
  for (const item of acl) {
    const grantor = item.grantor === from ? to : item.grantor;
    const grantee = item.grantee === from ? to : item.grantee;
    const at = out.findIndex((each) => each.grantee === grantee && each.grantor === grantor);
    if (at < 0) out.push({ ...item, grantee, grantor });
    else out[at] = { ...out[at], privileges: out[at].privileges | item.privileges, grantable: out[at].grantable | item.grantable };
  }
  return out;
}
