/** Privileges for DDL: owners change and drop, CREATE allows creation. 42501 with Postgres's messages. Agents and superusers pass. */
import { FIRST_OWN_OID } from '../../base/first-own-oid.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { type FunctionObject, routineWord } from '../../worlds/definition.ts';
import { maskKey } from '../../worlds/masks.ts';
import { LANGUAGES } from '../functions/system/server-oids.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { WORLD_OBJECT } from '../schema/privileges.ts';
import type { Relation } from '../schema/schema.ts';
import { ownedWord, type SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { SqlSession } from './sql-session.ts';

/** The object whose owner is the relation's: for an index its table. */
export function ownedNumber(relation: Relation): number {
  switch (relation.kind) {
    case 'table':
    case 'index':
      return relation.table.number;
    case 'view':
      return relation.view.number;
    case 'sequence':
      return relation.sequence.number;
  }
}

export function mustOwn(session: SqlSession, kind: string, object: number, name: string): void {
  const { authority } = session;
  if (authority.free || authority.privileges(session.schema()).owns(authority.role, object)) return;
  throw new SvcError('42501', `must be owner of ${kind} ${name}`);
}

export function mustOwnRelation(session: SqlSession, relation: Relation, name: string): void {
  mustOwn(session, relation.kind === 'table' ? ownedWord(relation.table) : relation.kind, ownedNumber(relation), name);
}

export function mustOwnRoutine(session: SqlSession, object: FunctionObject): void {
  mustOwn(session, routineWord(object), object.number, object.name);
}

/** The type is named as it must be written here. */
export function mustOwnType(session: SqlSession, oid: number): void {
  mustOwn(session, 'type', oid, session.system.typeTitle(oid, -1) ?? String(oid));
}

/** 42704 for a type that exists only in another world or moment that a query reads. */
function refuseForeignType(session: SqlSession, { oid, name }: Pick<SqlType, 'oid' | 'name'>): void {
  if (oid < FIRST_OWN_OID || session.schema().typeByOid(oid) !== null) return;
  throw new SvcError('42704', `type "${name}" does not exist`, { detail: 'It is a type of another world or moment, which the query reads.' });
}

/** USAGE, for definitions that use the type. */
export function mustUseType(session: SqlSession, { oid, element, name }: SqlType): void {
  const { authority } = session;
  refuseForeignType(session, { oid, name });
  if (authority.free) return;
  const type = element?.oid ?? oid;
  const schema = session.schema();
  if (schema.aclOf(type) === null || authority.privileges(schema).held(authority.role, 'T', type, PRIVILEGE.USAGE) !== 0) return;
  throw new SvcError('42501', `permission denied for type ${session.system.typeTitle(type, -1) ?? type}`);
}

/** USAGE, for functions and DO blocks in the language. Untrusted languages are for superusers only. */
export function mustUseLanguage(session: SqlSession, name: string): void {
  const { authority } = session;
  if (authority.superuser) return;
  if (UNTRUSTED.has(name)) throw new SvcError('42501', `permission denied for language ${name}`);
  if (authority.free) return;
  const schema = session.schema();
  const language = LANGUAGES[name];
  if (schema.aclOf(language) === null || authority.privileges(schema).held(authority.role, 'l', language, PRIVILEGE.USAGE) !== 0) return;
  throw new SvcError('42501', `permission denied for language ${name}`);
}

const UNTRUSTED: ReadonlySet<string> = new Set(['c', 'internal']);

export function mustOwnTable(session: SqlSession, table: SqlTable): void {
  mustOwn(session, ownedWord(table), table.number, table.name);
}

/** Whether the table has masked columns for any reader. */
export function isMasked(session: SqlSession, { number, columns }: SqlTable): boolean {
  const masks = session.masks();
  return masks.kept.has(number) || columns.some(({ attnum }) => masks.columns.has(maskKey(number, attnum)));
}

/** A definition that copies rows, or shows them in an error, would reveal masked values. */
export function mustSeeMasked(session: SqlSession, table: SqlTable): void {
  const { authority } = session;
  if (authority.unmasked) return;
  if (!isMasked(session, table)) return;
  refuseMasked(table);
}

/** The same for only these columns. */
export function mustSeeColumns(session: SqlSession, table: SqlTable, columns: readonly { readonly attnum: number }[]): void {
  if (session.authority.unmasked) return;
  const masks = session.masks();
  if (columns.some(({ attnum }) => masks.columns.has(maskKey(table.number, attnum)))) refuseMasked(table);
}

function refuseMasked(table: SqlTable): never {
  throw new SvcError('42501', `permission denied for table ${table.name}: it has masked columns`, {
    hint: 'Only a role that sees the masked columns may define this.',
  });
}

export function mustCreateIn(session: SqlSession, schema: string, role: number | null = null): void {
  const { authority } = session;
  if (role === null && authority.free) return;
  const number = session.schema().schemas.get(schema);
  if (number === undefined) return;
  const who = role ?? authority.role;
  if (authority.privileges(session.schema()).held(who, 'n', number, PRIVILEGE.CREATE) === 0)
    throw new SvcError('42501', `permission denied for schema ${schema}`);
}

export function mustBeSuperuser(session: SqlSession, message: string): void {
  if (!session.authority.free) throw new SvcError('42501', message);
}

/** CREATE on the database: for schemas and publications. `role`: the future owner. */
export function mustCreateSchemas(session: SqlSession, role: number | null = null): void {
  if (!mayCreateSchemas(session, role)) throw new SvcError('42501', `permission denied for database ${session.system.database}`);
}

/** CREATE on the database. */
export function mayCreateSchemas(session: SqlSession, role: number | null = null): boolean {
  const { authority } = session;
  if (role === null && authority.free) return true;
  return authority.privileges(session.schema()).held(role ?? authority.role, 'd', WORLD_OBJECT, PRIVILEGE.CREATE) !== 0;
}

/** 42501 if the extension belongs to another role. */
export function mustOwnExtension(session: SqlSession, name: string): void {
  const found = session.schema().extensions.get(name);
  if (found !== undefined) mustOwn(session, 'extension', found.number, name);
}

/** TRUNCATE, REFERENCES, LOCK: any of the privileges, on the table or on each of the columns. */
export function mustHave(session: SqlSession, table: SqlTable, any: number, columns: readonly { readonly attnum: number }[] = []): void {
  const { authority } = session;
  if (authority.free) return;
  const privileges = authority.privileges(session.schema());
  if (privileges.held(authority.role, 'r', table.number, any) !== 0) return;
  if (columns.length > 0 && columns.every(({ attnum }) => privileges.heldOnColumn(authority.role, table.number, attnum, any) !== 0)) return;
  throw new SvcError('42501', `permission denied for table ${table.name}`);
}

/** An agent that is no administrator cannot give ownership to others, neither itself nor through code that others run. */
export function mustBeMember(session: SqlSession, role: number): void {
  const { authority, code } = session;
  if (code.limited) code.mustNotBeLimited(`act for role "${authority.nameOf(role)}"`);
  if (authority.actsForItselfAlone && role !== authority.ownOwner) {
    throw new SvcError('42501', `must be member of role "${authority.nameOf(role)}"`, { detail: 'Agents are no roles: what an agent defines is its own.' });
  }
  if (authority.free || authority.roles.isMemberOf(authority.role, role)) return;
  throw new SvcError('42501', `must be member of role "${authority.nameOf(role)}"`);
}
