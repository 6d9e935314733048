/** CREATE, ALTER and DROP of roles, users and groups (manual, chapter 22). The permission rules are those of Postgres 15. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { isMd5Password } from '../../identity/md5-password.ts';
import { keptPassword } from '../../identity/role-password.ts';
import { FIRST_ROLE, plainRole, type Role } from '../../identity/roles.ts';
import type { AlterRole, CreateRole, DropRole, Option, Rename } from '../ast/define.ts';
import { dependentsOf } from './role-dependents.ts';
import { addMember, mayChangeMembers, takeMember } from './role-membership.ts';
import { isSuperuser, mayCreateRoles } from './role-rights.ts';
import { putRole, removeRole } from './role-rows.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** Microseconds from 1970 to 2000. */
const EPOCH_MICROS = 946_684_800_000_000;

interface Wanted {
  readonly changes: Partial<Role>;
  readonly has: (name: string) => boolean;
  readonly memberOf: readonly string[];
  readonly members: readonly string[];
  readonly admins: readonly string[];
}

export function createRole(session: SqlSession, { kind, name, options }: CreateRole): StatementResult {
  session.startStatement();
  const { authority } = session;
  const wanted = read(session, options);
  const { changes, memberOf, members, admins } = wanted;
  if (changes.superuser === true && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser to create superusers');
  if (changes.replication === true && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser to create replication users');
  if (changes.bypassRowSecurity === true && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser to create bypassrls users');
  if (!mayCreateRoles(session)) throw new SvcError('42501', 'permission denied to create role');
  refuseReserved(name);
  if (authority.roles.byName(name) !== null) throw new SvcError('42710', `role "${name}" already exists`);
  refuseAgentName(session, name);
  const role: Role = { ...plainRole(session.host.context.state.roles.nextOid(), name), login: kind === 'user', ...changes };
  putRole(session, role);
  for (const each of memberOf) {
    const group = authority.find(each);
    mayChangeMembers(session, group);
    addMember(session, group, role, false);
  }
  for (const each of admins) addMember(session, role, authority.find(each), true);
  for (const each of members) addMember(session, role, authority.find(each), false);
  return done('CREATE ROLE', session.notices);
}

export function alterRole(session: SqlSession, { role: named, options }: AlterRole): StatementResult {
  session.startStatement();
  const { authority } = session;
  const role = authority.find(authority.nameOf(authority.named(named)));
  refuseReserved(role.name, 'Cannot alter reserved roles.');
  const wanted = read(session, options);
  const { changes, members, has } = wanted;
  if ((role.superuser || has('superuser')) && !isSuperuser(session)) {
    throw new SvcError('42501', 'must be superuser to alter superuser roles or change superuser attribute');
  }
  if ((role.replication || has('isreplication')) && !isSuperuser(session)) {
    throw new SvcError('42501', 'must be superuser to alter replication roles or change replication attribute');
  }
  if (has('bypassrls') && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser to change bypassrls attribute');
  const ownPassword = role.oid === authority.role && options.every(({ name }) => name === 'password');
  if (!mayCreateRoles(session) && !ownPassword) throw new SvcError('42501', 'permission denied');
  if (role.oid < FIRST_ROLE && changes.superuser === false) {
    throw new SvcError('0A000', `permission denied to alter role`, { detail: 'The bootstrap user must have the SUPERUSER attribute.' });
  }
  if (Object.keys(changes).length > 0) putRole(session, { ...role, ...changes });
  const drops = options.some(({ action }) => action === 'drop');
  for (const each of members) {
    if (drops) takeMember(session, role, authority.find(each), false);
    else addMember(session, role, authority.find(each), false);
  }
  return done('ALTER ROLE', session.notices);
}

export function dropRole(session: SqlSession, { roles: named, ifExists }: DropRole): StatementResult {
  session.startStatement();
  const { authority } = session;
  if (!mayCreateRoles(session)) throw new SvcError('42501', 'permission denied to drop role');
  const roles: Role[] = [];
  for (const { kind, name } of named) {
    if (kind !== 'named') throw new SvcError('22023', 'cannot use special role specifier in DROP ROLE');
    const role = authority.roles.byName(name!);
    // A role named twice is missing at the second time.
    if (role === null || roles.some(({ oid }) => oid === role.oid)) {
      if (!ifExists) throw new SvcError('42704', `role "${name}" does not exist`);
      session.notice('00000', `role "${name}" does not exist, skipping`);
      continue;
    }
    if (role.oid === authority.role) throw new SvcError('55006', 'current user cannot be dropped');
    if (role.oid === authority.sessionUser || role.oid === authority.login) throw new SvcError('55006', 'session user cannot be dropped');
    if (role.superuser && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser to drop superusers');
    if (role.oid < FIRST_ROLE) throw new SvcError('2BP01', `cannot drop role ${role.name} because it is required by the database system`);
    roles.push(role);
  }
  for (const role of roles) {
    const dependents = dependentsOf(session, role.oid);
    if (dependents.length > 0) {
      throw new SvcError('2BP01', `role "${role.name}" cannot be dropped because some objects depend on it`, { detail: dependents.join('\n') });
    }
    removeRole(session, role);
  }
  return done('DROP ROLE', session.notices);
}

/** ALTER ROLE … RENAME TO. */
export function renameRole(session: SqlSession, { object, to }: Rename): StatementResult {
  session.startStatement();
  const { authority } = session;
  const role = authority.find(object.name[0]);
  if (role.oid === authority.sessionUser) throw new SvcError('0A000', 'session user cannot be renamed');
  if (role.oid === authority.role) throw new SvcError('0A000', 'current user cannot be renamed');
  refuseReserved(role.name);
  refuseReserved(to);
  if (authority.roles.byName(to) !== null) throw new SvcError('42710', `role "${to}" already exists`);
  refuseAgentName(session, to);
  if (role.superuser && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser to rename superusers');
  if (!mayCreateRoles(session)) throw new SvcError('42501', 'permission denied to rename role');
  // An md5 hash contains the name.
  const cleared = role.password !== null && isMd5Password(role.password);
  if (cleared) session.notice('00000', 'MD5 password cleared because of role rename');
  putRole(session, { ...role, name: to, ...(cleared ? { password: null } : {}) });
  return done('ALTER ROLE', session.notices);
}

export function refuseReserved(name: string, detail = 'Role names starting with "pg_" are reserved.'): void {
  if (!name.startsWith('pg_')) return;
  throw new SvcError('42939', `role name "${name}" is reserved`, { detail });
}

const FLAGS: Readonly<Record<string, keyof Role>> = {
  superuser: 'superuser',
  inherit: 'inherit',
  createrole: 'createRole',
  createdb: 'createDatabase',
  canlogin: 'login',
  isreplication: 'replication',
  bypassrls: 'bypassRowSecurity',
};

function read(session: SqlSession, options: readonly Option[]): Wanted {
  const changes: Record<string, unknown> = {};
  const lists: Record<string, string[]> = { addroleto: [], rolemembers: [], adminmembers: [] };
  const seen = new Set<string>();
  for (const { name, value, at } of options) {
    if (seen.has(name)) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    seen.add(name);
    const flag = FLAGS[name];
    if (flag !== undefined) changes[flag] = value === null || (value.type === 'boolean' ? value.value : value.type === 'integer' ? value.value !== 0 : true);
    else if (name in lists) lists[name] = namesIn(session, value);
    else if (name === 'connectionlimit') {
      const limit = value?.type === 'integer' ? value.value : -1;
      if (limit < -1) throw new SvcError('22023', `invalid connection limit: ${limit}`);
      changes['connectionLimit'] = limit;
    } else if (name === 'password') changes['password'] = password(session, value?.type === 'string' ? value.value : null);
    else if (name === 'validUntil') changes['validUntil'] = value?.type === 'string' ? { micros: moment(session, value.value) } : null;
    else if (name === 'sysid') session.notice('00000', 'SYSID can no longer be specified');
    else throw new SvcError('42601', `option "${name}" not recognized`, { position: at + 1 });
  }
  const { addroleto: memberOf, rolemembers: members, adminmembers: admins } = lists;
  return { changes: changes as Partial<Role>, has: (name) => seen.has(name), memberOf, members, admins };
}

function namesIn(session: SqlSession, value: Option['value']): string[] {
  if (value?.type !== 'list') return [];
  return value.values.flatMap((each) => (each.type === 'role' ? [session.authority.nameOf(session.authority.named(each.value))] : []));
}

function password(session: SqlSession, text: string | null): string | null {
  if (text === null) return null;
  const kept = keptPassword(text);
  if (kept === null) {
    session.notice('00000', 'empty string is not a valid password, clearing password');
    return null;
  }
  return kept;
}

/** null: infinity. */
function moment(session: SqlSession, text: string): number | null {
  const value = session.host.registry.type('timestamptz').parse(text, -1, session.env) as number | bigint;
  const micros = Number(value);
  return Number.isFinite(micros) ? micros + EPOCH_MICROS : null;
}

/** A name logs in either with an agent's token or with a role's password. */
function refuseAgentName(session: SqlSession, name: string): void {
  if (session.host.context.state.agents.byName(name) === null) return;
  throw new SvcError('42710', `there is an agent "${name}" already`, { hint: 'Take another name.' });
}
