/**
 * The one place where privileges on relations are asked of a statement: each time it runs, over what its binding noted
 * (bind/access.ts), as Postgres's ExecCheckPermissions does. Superusers and agents pass at once, but for views of owners who
 * are neither.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import type { RelationAccess } from '../bind/access.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { isSecret, type Privileges } from '../schema/privileges.ts';
import type { Authority } from './authority.ts';
import { OUTSIDER } from './authority.ts';
import type { SqlSession } from './sql-session.ts';

const { SELECT, INSERT, UPDATE } = PRIVILEGE;

/** Columns of the system's relations that hold passwords: no agent reads them. */
const PASSWORDS: Readonly<Record<string, readonly number[]>> = { pg_authid: [11], pg_shadow: [7] };

export interface Access {
  readonly relations: readonly RelationAccess[];
  /** Some of it is done as the owner of a view who is not the database's own user, or reads passwords: nobody passes unasked. */
  readonly always: boolean;
  /** Whom it was last allowed to. */
  allowed: { readonly role: number; readonly roles: object; readonly schema: object } | null;
}

export function accessOf(relations: readonly RelationAccess[]): Access {
  const always = relations.some(({ as, name, kind }) => (as !== null && as !== OWNER_ROLE) || (kind.startsWith('system') && name in PASSWORDS));
  return { relations, always, allowed: null };
}

/** 42501. */
export function checkAccess(session: SqlSession, access: Access): void {
  const { authority } = session;
  if (!access.always && authority.free) return;
  const schema = session.schema();
  const { role, roles } = authority;
  const { allowed } = access;
  if (allowed !== null && allowed.role === role && allowed.roles === roles && allowed.schema === schema) return;
  const privileges = authority.privileges(schema);
  for (const each of access.relations) check(authority, privileges, each);
  access.allowed = { role, roles, schema };
}

function check(authority: Authority, privileges: Privileges, access: RelationAccess): void {
  const { relation, kind, name, needs, selected, inserted, updated } = access;
  const role = access.as ?? authority.role;
  if (role === OUTSIDER) {
    const secret = kind.startsWith('system') ? PASSWORDS[name] : undefined;
    if (secret?.some((column) => selected.has(column)) === true) throw denied(kind, name);
    return;
  }
  const { roles } = privileges;
  if (needs === 0 || roles.isSuperuser(role)) return;
  const aclKind = kind === 'sequence' ? 'S' : 'r';
  const own = kind.startsWith('system') && isSecret(relation, name) ? 0 : privileges.held(role, aclKind, relation, needs);
  const missing = needs & ~own;
  if (missing === 0) return;
  // What the table's list does not give, those of its columns may.
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
