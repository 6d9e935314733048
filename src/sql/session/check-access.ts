/**
 * The one place where privileges on relations are checked: at each run of a statement, over what its binding recorded
 * (bind/access.ts), as Postgres's ExecCheckPermissions does. Superusers and agents pass at once, except for views whose owner is
 * neither.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlFunction } from '../functions/define.ts';
import { isAgentOwner } from '../../base/agent-owner.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import type { RelationAccess } from '../bind/access.ts';
import type { Binder } from '../bind/binder.ts';
import type { Inliner } from '../bind/inline-functions.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { isSecret, Privileges } from '../schema/privileges.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import type { Authority } from './authority.ts';
import { OUTSIDER } from './authority.ts';
import type { SqlSession } from './sql-session.ts';

const { SELECT, INSERT, UPDATE, EXECUTE } = PRIVILEGE;

/** Columns of system relations that hold passwords: no agent or model reads them. */
const PASSWORDS: Readonly<Record<string, readonly number[]>> = { pg_authid: [11], pg_shadow: [7], pg_user_mapping: [4] };

interface Named {
  readonly relations: readonly RelationAccess[];
  /** Functions that the statement calls. */
  readonly calls: readonly SqlFunction[];
}

export interface Access extends Named {
  /** The same for inlined function bodies, which the statement does not name itself. */
  readonly inlined: Named | null;
  /** Part of the statement runs as a view owner other than the database's own user, or reads passwords: always checked. */
  readonly always: boolean;
  /** The standing and definitions under which it was last allowed. */
  allowed: object | null;
  allowedOver: object | null;
}

export function accessOf({ access: relations, calls }: Pick<Binder, 'access' | 'calls'>, inliner: Inliner | null = null): Access {
  const inlined = inliner === null || inliner.calls.size === 0 ? null : { relations: inliner.relations, calls: [...inliner.calls] };
  const always = [...relations, ...(inlined?.relations ?? [])].some(
    ({ as, name, kind }) => (as !== null && as !== OWNER_ROLE) || (kind.startsWith('system') && name in PASSWORDS),
  );
  return { relations, calls: [...calls], inlined, always, allowed: null, allowedOver: null };
}

/** 42501. */
export function checkAccess(session: SqlSession, access: Access): void {
  const { authority } = session;
  const { standing } = authority;
  if (!access.always && standing.free) return;
  const schema = session.schema();
  if (access.allowed === standing && access.allowedOver === schema) return;
  const privileges = authority.privileges(schema);
  const relations = access.inlined === null ? access.relations : [...access.relations, ...access.inlined.relations];
  for (const each of relations) check(authority, privileges, each);
  // A right that has been revoked since does not hold for past moments either.
  const today = session.today();
  if (today !== schema) {
    const now = new Privileges(today, authority.roles);
    for (const each of relations) if (each.kind.startsWith('system') || isThere(today, each.relation)) check(authority, now, each);
  }
  if (!authority.free) checkCalls(session, privileges, access.inlined === null ? access.calls : [...access.calls, ...access.inlined.calls]);
  access.allowed = standing;
  access.allowedOver = today === schema ? schema : null;
}

function isThere({ tables, views, sequences }: Schema, relation: number): boolean {
  return tables.has(relation) || views.has(relation) || sequences.has(relation);
}

/** Postgres checks EXECUTE when it initializes a plan, after the relations. */
function checkCalls(session: SqlSession, privileges: Privileges, calls: readonly SqlFunction[]): void {
  const { schema } = privileges;
  const { role } = session.authority;
  for (const { user, name } of calls) {
    if (user !== undefined && privileges.held(role, 'f', user, EXECUTE) === 0) throw deniedRoutine('function', name);
  }
  // System functions are public until EXECUTE is revoked.
  for (const oid of schema.systemRights) {
    const fn = session.system.definitions.functionAt(oid);
    if (fn !== null && calls.includes(fn) && privileges.held(role, 'f', oid, EXECUTE) === 0) {
      throw deniedRoutine(fn.kind === 'aggregate' ? 'aggregate' : 'function', fn.name);
    }
  }
}

/** 42501 if the current user may not call it. */
export function mustExecute(session: SqlSession, { object }: UserFunction): void {
  const { authority } = session;
  if (authority.free || authority.privileges(session.schema()).held(authority.role, 'f', object.number, EXECUTE) !== 0) return;
  throw deniedRoutine(object.procedure ? 'procedure' : 'function', object.name);
}

function deniedRoutine(kind: string, name: string): SvcError {
  return new SvcError('42501', `permission denied for ${kind} ${name}`);
}

function check(authority: Authority, privileges: Privileges, access: RelationAccess): void {
  const { relation, kind, name, needs, selected, inserted, updated } = access;
  const role = access.as ?? authority.role;
  if (!authority.secrets) {
    // Not through a view either: objects that agents create run as the database's own user.
    const secret = kind.startsWith('system') ? PASSWORDS[name] : undefined;
    if (secret?.some((column) => selected.has(column)) === true) throw denied(kind, name);
  }
  if (role === OUTSIDER || isAgentOwner(role)) return;
  const { roles } = privileges;
  if (needs === 0 || roles.isSuperuser(role)) return;
  const aclKind = kind === 'sequence' ? 'S' : 'r';
  const own = kind.startsWith('system') && isSecret(relation, name) ? 0 : privileges.held(role, aclKind, relation, needs);
  const missing = needs & ~own;
  if (missing === 0) return;
  // Privileges on the columns may supply what the table does not grant.
  if ((missing & ~(SELECT | INSERT | UPDATE)) !== 0) throw denied(kind, name);
  const onColumns = (columns: ReadonlySet<number>, privilege: number): boolean =>
    (missing & privilege) === 0 ||
    (columns.size === 0
      ? anyColumn(privileges, role, relation, privilege)
      : [...columns].every((attnum) => privileges.heldOnColumn(role, relation, attnum, privilege) !== 0));
  if (!onColumns(selected, SELECT) || !onColumns(inserted, INSERT) || !onColumns(updated, UPDATE)) throw denied(kind, name);
}

function anyColumn(privileges: Privileges, role: number, relation: number, privilege: number): boolean {
  const { schema } = privileges;
  const attnums = schema.tables.get(relation)?.columns.map(({ attnum }) => attnum) ?? schema.views.get(relation)?.columns.map((_, i) => i + 1) ?? [];
  return attnums.some((attnum) => privileges.heldOnColumn(role, relation, attnum, privilege) !== 0);
}

export function denied(kind: RelationAccess['kind'], name: string): SvcError {
  return new SvcError('42501', `permission denied for ${kind.replace('system ', '')} ${name}`);
}
