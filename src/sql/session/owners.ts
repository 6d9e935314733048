/** Ownership: of created objects, OWNER TO, REASSIGN OWNED, DROP OWNED. */
import { noSuchType } from './no-such-type.ts';
import { isAgentOwner } from '../../base/agent-owner.ts';
import { inQuotes } from '../../base/quote-identifier.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { DefaultRightsObject } from '../../worlds/definition.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import type { DropOwned, ObjectKind, ObjectName, ReassignOwned, Role } from '../ast/define.ts';
import { bestGrantor, changedAcl, defaultAcl, parseItem, withOwner } from '../schema/acl.ts';
import type { Ddl } from '../schema/ddl.ts';
import { dropObjects } from '../schema/drop.ts';
import type { DropTarget } from '../schema/drop-target.ts';
import { withoutPolicyRoles } from '../schema/policies.ts';
import { firstAcl, putGrants, putRights, removeAuthor, sameAcl } from '../schema/rights.ts';
import { PUBLIC_SCHEMA, type Schema } from '../schema/schema.ts';
import { define, functionFor } from './define.ts';
import { objectNumbered, type OwnedObject, ownedObjects, relationObject, routineObject, schemaObject } from './owned-objects.ts';
import { namedObject } from './create-collation.ts';
import { operatorNamed } from './create-operator.ts';
import { ownGroup } from './operator-groups.ts';
import { dropOwnedLargeObjects, reassignLargeObjects, setLargeObjectOwner } from './large-object-rights.ts';
import { mayOwnWrapper, mustUseWrapper } from './foreign/wrappers.ts';
import { wrapperOf } from '../schema/foreign-tables.ts';
import { mayOwnPublication } from './publications.ts';
import { ownedTitle, ownUnscoped, unscopedNamed } from './unscoped-objects.ts';
import { mustBeMember, mustCreateIn, mustCreateSchemas, mustOwn } from './ownership.ts';
import { WORLD_OBJECT } from '../schema/privileges.ts';
import { worldOfDatabase } from './database-statement.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

const ALL_PRIVILEGES = -1;

/** Kinds with another word in DROP. */
const DROPPED_AS: Readonly<Record<string, DropTarget['kind']>> = {
  procedure: 'function',
  aggregate: 'function',
  'statistics object': 'extended statistics',
  'foreign table': 'table',
  'foreign-data wrapper': 'foreign data wrapper',
  'foreign server': 'server',
};

const DEFAULTS: Readonly<Record<string, DefaultRightsObject['kind']>> = {
  table: 'r',
  'foreign table': 'r',
  view: 'r',
  sequence: 'S',
  schema: 'n',
  type: 'T',
  function: 'f',
  procedure: 'f',
  aggregate: 'f',
};

/** Sets the owner and default privileges of created objects. Gives the numbers of objects that may belong to another role than the default owner. */
export function ownNew(session: SqlSession, ddl: Ddl, before: Schema, owner = session.code.author): readonly number[] {
  if (owner === OWNER_ROLE && before.defaultRights.length === 0 && !hasForeignTables(before) && before.schemas.has('public')) return [];
  const made: number[] = [];
  ddl.end();
  const known = new Set<number>();
  for (const { number } of ownedObjects(before)) known.add(number);
  const { schema } = ddl;
  for (const { number, kind, schema: own } of ownedObjects(schema)) {
    if (known.has(number)) continue;
    made.push(number);
    // A column's sequence has its table's owner.
    const table = schema.sequences.get(number)?.ownedBy?.table;
    const his = table === undefined || !known.has(table) ? owner : schema.ownerOf(table);
    const acl = DEFAULTS[kind] === undefined ? null : firstAcl(ddl, his, own === null ? 0 : (schema.schemas.get(own) ?? 0), DEFAULTS[kind]);
    // Recreated, `public` belongs to its creator and grants nothing to PUBLIC.
    if (his !== OWNER_ROLE || acl !== null || number === PUBLIC_SCHEMA) putRights(ddl, number, his, acl);
  }
  return made;
}

/** Whether a table belongs to another role than the default owner. */
function hasForeignTables(schema: Schema): boolean {
  for (const [object, { owner }] of schema.rights.owners) if (owner !== OWNER_ROLE && schema.tables.has(object)) return true;
  return false;
}

export function setOwner(session: SqlSession, kind: ObjectKind, object: ObjectName, to: Role, at: number): StatementResult {
  if (kind === 'large object') return setLargeObjectOwner(session, object, to);
  session.startStatement();
  const { authority } = session;
  const command = `ALTER ${kind.toUpperCase()}`;
  const owner = authority.named(to);
  const found = target(session, kind, object, owner, at);
  if (found === null) return done(command);
  return define(session, command, (ddl) => {
    if (session.definitionWatch !== null) session.definitionWatch.subject = found.number;
    if (ddl.schema.ownerOf(found.number) === owner) {
      if (!isAgentOwner(owner) && !session.code.limited && authority.ownOwner === null) removeAuthor(ddl, found.number);
      return;
    }
    refuseLinked(ddl.schema, found);
    mustOwn(session, found.kind, found.number, found.name);
    mustBeMember(session, owner);
    if (!authority.superuser) {
      if (found.schema !== null) mustCreateIn(session, found.schema, owner);
      else if (found.kind === 'schema') mustCreateSchemas(session);
      else if (found.kind === 'publication') mayOwnPublication(session, found.number, owner);
      else if (found.kind === 'foreign server') mustUseWrapper(session, wrapperOf(ddl.schema, ddl.schema.servers.get(found.number)!), owner);
    }
    mayOwnAsSuperuser(session, found, owner);
    passTo(ddl, found, owner);
  });
}

/** A column's sequence has its table's owner. */
function refuseLinked(schema: Schema, { number, name }: OwnedObject): void {
  const sequence = schema.sequences.get(number);
  if (sequence === undefined || sequence.ownedBy === null) return;
  const table = schema.tables.get(sequence.ownedBy.table);
  throw new SvcError('0A000', `cannot change owner of sequence "${name}"`, { detail: `Sequence "${name}" is linked to table "${table?.name}".` });
}

/** 42501 for kinds that only superusers may own. */
function mayOwnAsSuperuser(session: SqlSession, { kind, name }: OwnedObject, owner: number): void {
  if (kind === 'event trigger') mayOwnEventTrigger(session, owner, name);
  else if (kind === 'foreign-data wrapper') mayOwnWrapper(session, owner, name);
  else if (kind === 'subscription') mayOwnSubscription(session, owner, name);
}

function mayOwnSubscription(session: SqlSession, owner: number, name: string): void {
  if (session.authority.roles.isSuperuser(owner)) return;
  throw new SvcError('42501', `permission denied to change owner of subscription "${name}"`, { hint: 'The owner of a subscription must be a superuser.' });
}

function mayOwnEventTrigger(session: SqlSession, owner: number, name: string): void {
  if (session.authority.roles.isSuperuser(owner)) return;
  throw new SvcError('42501', `permission denied to change owner of event trigger "${name}"`, { hint: 'The owner of an event trigger must be a superuser.' });
}

/** Null if there is nothing to do. */
function target(session: SqlSession, kind: ObjectKind, object: ObjectName, owner: number, at: number): OwnedObject | null {
  const name = object.name[object.name.length - 1];
  switch (kind) {
    case 'schema':
      return schemaObject(session, name);
    case 'table':
    case 'foreign table':
    case 'view':
    case 'sequence':
    case 'index': {
      const found = relationObject(session, object, at);
      if (kind === 'view' && found.kind !== 'view') throw new SvcError('42809', `"${name}" is not a view`);
      if (kind === 'sequence' && found.kind !== 'sequence') throw new SvcError('42809', `"${name}" is not a sequence`);
      return found;
    }
    case 'database': {
      worldOfDatabase(session, name);
      if (name !== session.system.database) {
        // As pg_database shows it for another world.
        if (owner === OWNER_ROLE) return null;
        throw new SvcError('0A000', 'the owner of another world is not changed from here', { hint: `Enter it first: USE WORLD ${name}.` });
      }
      return { number: WORLD_OBJECT, acl: 'd', kind: 'database', schema: null, name, columns: [] };
    }
    case 'domain':
    case 'type': {
      const oid = session.system.typeOid(object.name.map(inQuotes).join('.'));
      const found = oid === null ? null : objectNumbered(session.schema(), oid);
      if (found === null) throw noSuchType(session, object.name);
      if (kind === 'domain' && session.schema().types.get(found.number)?.object.what !== 'domain')
        throw new SvcError('42809', `${session.system.typeTitle(found.number, -1)} is not a domain`);
      return found;
    }
    case 'function':
    case 'aggregate':
    case 'procedure':
    case 'routine':
      return routineObject(session.schema(), functionFor(session, kind, object).object);
    case 'operator': {
      const { object: own } = operatorNamed(session, object);
      return { number: own.number, acl: 'f', kind: 'operator', schema: own.schema, name: own.name, columns: [] };
    }
    case 'operator class':
    case 'operator family': {
      const own = ownGroup(session, kind, object);
      return { number: own.number, acl: 'f', kind, schema: own.schema, name: own.name, columns: [] };
    }
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'statistics': {
      const own = namedObject(session, kind, object);
      const word = kind === 'statistics' ? 'statistics object' : kind;
      return { number: own.number, acl: 'f', kind: word, schema: own.schema, name: own.name, columns: [] };
    }
    case 'subscription':
    case 'publication': {
      const { number } = unscopedNamed(session, kind, name);
      return { number, acl: 'f', kind, schema: null, name, columns: [] };
    }
    case 'event trigger': {
      const own = ownUnscoped(session, kind, name);
      return { number: own.number, acl: 'f', kind, schema: null, name, columns: [] };
    }
    case 'foreign data wrapper':
    case 'server':
      return { number: unscopedNamed(session, kind, name).number, acl: kind === 'server' ? 'V' : 'F', kind: ownedTitle(kind), schema: null, name, columns: [] };
    default:
      // Databases and other kinds have a fixed owner.
      return null;
  }
}

/** Sequences of a table's columns go with it. */
export function passTo(ddl: Ddl, object: OwnedObject, to: number): void {
  const { schema } = ddl;
  const from = schema.ownerOf(object.number);
  const acl = schema.aclOf(object.number);
  putRights(ddl, object.number, to, acl === null ? null : withOwner(acl, from, to));
  // The new owner becomes responsible for its code.
  if (!isAgentOwner(to)) removeAuthor(ddl, object.number);
  for (const { attnum } of object.columns) {
    const own = schema.columnAclOf(object.number, attnum);
    if (own !== null) putGrants(ddl, object.number, attnum, withOwner(own, from, to));
  }
  if (object.kind !== 'table' && object.kind !== 'foreign table') return;
  for (const { number, schema: own, name } of schema.sequencesOwnedBy(object.number)) {
    passTo(ddl, { number, acl: 'S', kind: 'sequence', schema: own, name, columns: [] }, to);
  }
}

export function reassignOwned(session: SqlSession, { roles, to }: ReassignOwned): StatementResult {
  session.startStatement();
  const { authority } = session;
  const from = roles.map((each) => authority.named(each));
  for (const role of from) mustBeMemberToReassign(session, role, 'reassign');
  const owner = authority.named(to);
  mustBeMemberToReassign(session, owner, 'reassign');
  if (from.some((role) => role < FIRST_OWN_OID)) {
    throw new SvcError(
      '2BP01',
      `cannot reassign ownership of objects owned by role ${authority.nameOf(from.find((role) => role < FIRST_OWN_OID)!)} because they are required by the database system`,
    );
  }
  reassignLargeObjects(session, from, owner);
  return define(session, 'REASSIGN OWNED', (ddl) => {
    const { schema } = ddl;
    for (const object of ownedObjects(schema)) {
      if (!from.includes(schema.ownerOf(object.number))) continue;
      mayOwnAsSuperuser(session, object, owner);
      passTo(ddl, object, owner);
    }
  });
}

function mustBeMemberToReassign(session: SqlSession, role: number, what: 'reassign' | 'drop'): void {
  const { authority } = session;
  if (authority.actsForItselfAlone && role !== authority.ownOwner) throw new SvcError('42501', `permission denied to ${what} objects`);
  if (authority.free || authority.roles.hasRightsOf(authority.role, role)) return;
  throw new SvcError('42501', `permission denied to ${what} objects`);
}

export function dropOwned(session: SqlSession, { roles, cascade }: DropOwned): StatementResult {
  session.startStatement();
  const { authority } = session;
  const from = roles.map((each) => authority.named(each));
  for (const role of from) {
    mustBeMemberToReassign(session, role, 'drop');
    if (role < FIRST_OWN_OID) {
      throw new SvcError('2BP01', `cannot drop objects owned by role ${authority.nameOf(role)} because they are required by the database system`);
    }
  }
  dropOwnedLargeObjects(session, from);
  return define(session, 'DROP OWNED', (ddl) => {
    // All at once: dependents that are dropped too are no obstacle.
    const targets = [...ownedObjects(ddl.schema)].flatMap((object): DropTarget[] => {
      const { number, kind } = object;
      if (!from.includes(ddl.schema.ownerOf(number))) return [];
      // Sequences of columns go with the table.
      if (kind === 'sequence' && ddl.schema.sequences.get(number)?.ownedBy !== null) return [];
      return [{ kind: (DROPPED_AS[kind] ?? kind) as 'table', number }];
    });
    for (const { number, role } of ddl.schema.plain.of('user mapping').values()) if (from.includes(role)) targets.push({ kind: 'user mapping', number });
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
    ddl.end();
    withoutPolicyRoles(ddl, from);
    withoutGrants(session, ddl, from);
  });
}

/** Revokes the roles' privileges where the current user may, and their default privileges. */
function withoutGrants(session: SqlSession, ddl: Ddl, grantees: readonly number[]): void {
  const { schema } = ddl;
  const { roles, grantor: asker } = session.authority;
  for (const [key, acl] of schema.grants()) {
    if (!acl.some(({ grantee }) => grantees.includes(grantee))) continue;
    const [object, attnum] = key.split('.').map(Number);
    const owner = schema.ownerOf(object);
    const { grantor } = bestGrantor(acl, owner, roles, asker, ALL_PRIVILEGES);
    const change = { grant: false, grantees, grantor, privileges: ALL_PRIVILEGES, grantOption: false, cascade: true };
    putGrants(ddl, object, attnum, changedAcl(acl, owner, roles, change));
  }
  for (const each of schema.defaultRights) {
    if (grantees.includes(each.role)) ddl.remove(each);
    else if (each.acl.some((item) => grantees.some((role) => item.startsWith(`${role}=`)))) {
      const acl = each.acl.filter((item) => !grantees.some((role) => item.startsWith(`${role}=`)));
      const usual = each.scope === 0 ? defaultAcl(each.kind, each.role) : [];
      if (sameAcl(acl.map(parseItem), usual)) ddl.remove(each);
      else ddl.put({ ...each, acl });
    }
  }
}
