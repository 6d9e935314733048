/** GRANT and REVOKE on objects, and ALTER DEFAULT PRIVILEGES (manual, section 5.7). Warnings and refusals are Postgres's. */
import { inQuotes } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { DefaultRightsObject } from '../../worlds/definition.ts';
import type { AlterDefaultPrivileges, Grant, ObjectKind, ObjectName } from '../ast/define.ts';
import {
  type Acl,
  type AclChange,
  type AclKind,
  ALL,
  bestGrantor,
  changedAcl,
  defaultAcl,
  PUBLIC,
  itemText,
  parseItem,
  sortedAcl,
  PRIVILEGE,
  PRIVILEGE_NAMES,
  type PrivilegeName,
} from '../schema/acl.ts';
import type { Ddl } from '../schema/ddl.ts';
import { Privileges, WORLD_OBJECT } from '../schema/privileges.ts';
import { defaultRights, putGrants, putRights, sameAcl } from '../schema/rights.ts';
import { LANGUAGES, TABLESPACES } from '../functions/system/server-oids.ts';
import { define, routineNamed } from './define.ts';
import { type OwnedObject, ownedObjects, relationObject, routineObject, schemaObject } from './owned-objects.ts';
import { restricted } from './grantable.ts';
import { grantOnLargeObjects } from './large-object-rights.ts';
import { mustBeMember } from './ownership.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';
import { ownedTitle, unscopedNamed } from './unscoped-objects.ts';

export function runGrant(session: SqlSession, statement: Grant): StatementResult {
  session.startStatement();
  const { authority } = session;
  if (statement.grantedBy !== null && authority.named(statement.grantedBy) !== authority.owner) throw new SvcError('0A000', 'grantor must be current user');
  const granteesOf = (): number[] => statement.grantees.map((each) => authority.named(each, PUBLIC));
  if (statement.kind === 'large object') return grantOnLargeObjects(session, statement, () => privilegesOf(statement, 'L'), granteesOf());
  const objects = objectsOf(session, statement);
  const grantees = granteesOf();
  const wanted = privilegesOf(statement, objects[0]?.acl ?? kindOf(statement));
  const command = statement.grant ? 'GRANT' : 'REVOKE';
  if (objects.length === 0) return done(command, session.notices);
  return define(session, command, (ddl) => {
    for (const object of objects) {
      changeObject(session, ddl, statement, object, wanted, grantees);
      // The next one sees this one's result: an object may be named twice.
      ddl.end();
    }
  });
}

interface Wanted {
  readonly all: boolean;
  readonly privileges: number;
  /** Privilege bits by column name. */
  readonly columns: ReadonlyMap<string, number>;
}

function kindOf({ kind }: Grant): AclKind {
  switch (kind) {
    case 'sequence':
      return 'S';
    case 'schema':
      return 'n';
    case 'function':
    case 'procedure':
    case 'routine':
      return 'f';
    case 'type':
    case 'domain':
      return 'T';
    case 'database':
      return 'd';
    case 'language':
      return 'l';
    case 'tablespace':
      return 't';
    case 'large object':
      return 'L';
    case 'foreign data wrapper':
      return 'F';
    case 'server':
      return 'V';
    default:
      return 'r';
  }
}

/** Postgres also lists those from which nothing could be revoked. */
const SYSTEM_COLUMNS: readonly (readonly [attnum: number, name: string])[] = [
  [-6, 'tableoid'],
  [-5, 'cmax'],
  [-4, 'xmax'],
  [-3, 'cmin'],
  [-2, 'xmin'],
  [-1, 'ctid'],
];

const KIND_NAMES: Readonly<Record<AclKind, string>> = {
  r: 'relation',
  S: 'sequence',
  n: 'schema',
  f: 'function',
  T: 'type',
  d: 'database',
  c: 'column',
  l: 'language',
  t: 'tablespace',
  p: 'parameter',
  L: 'large object',
  F: 'foreign-data wrapper',
  V: 'foreign server',
};

function privilegesOf(statement: Grant, kind: AclKind): Wanted {
  const columns = new Map<string, number>();
  const allowed = kindOf(statement) === 'r' ? ALL.r | ALL.S : ALL[kind];
  let privileges = 0;
  let all = statement.privileges.length === 0;
  for (const { name, columns: names } of statement.privileges) {
    const bit = name === null ? 0 : bitOf(name);
    if (names.length > 0) {
      if (kindOf(statement) !== 'r') throw new SvcError('0LP01', 'column privileges are only valid for relations');
      if ((bit & ~ALL.c) !== 0) throw new SvcError('0LP01', `invalid privilege type ${name!.toUpperCase()} for column`);
      for (const column of names) columns.set(column, (columns.get(column) ?? 0) | (name === null ? ALL.c : bit));
    } else if (name === null) all = true;
    else {
      if ((bit & ~allowed) !== 0) throw new SvcError('0LP01', `invalid privilege type ${name.toUpperCase()} for ${KIND_NAMES[kindOf(statement)]}`);
      privileges |= bit;
    }
  }
  return { all, privileges, columns };
}

/** ALL FUNCTIONS includes aggregates; ALL ROUTINES includes everything callable. */
function isGranted(written: string, kind: string): boolean {
  if (kind === 'operator') return false;
  return written === 'routine' || written === kind || (written === 'function' && kind === 'aggregate');
}

function bitOf(name: string): number {
  const upper = name.toUpperCase();
  const bit = PRIVILEGE[(upper === 'TEMP' ? 'TEMPORARY' : upper) as PrivilegeName];
  if (bit === undefined) throw new SvcError('42601', `unrecognized privilege type "${name}"`);
  return bit;
}

function objectsOf(session: SqlSession, statement: Grant): OwnedObject[] {
  const { objects, at } = statement;
  if (statement.allInSchema) {
    const kind = kindOf(statement);
    return objects.flatMap(({ name }) => {
      const { name: schema } = schemaObject(session, name[0]);
      return [...ownedObjects(session.schema())].filter(
        (each) => each.acl === kind && each.schema === schema && (kind !== 'f' || isGranted(statement.kind, each.kind)),
      );
    });
  }
  return objects.map((object) => objectOf(session, statement, object, at));
}

function objectOf(session: SqlSession, statement: Grant, object: ObjectName, at: number): OwnedObject {
  const { kind } = statement;
  const name = object.name[object.name.length - 1];
  switch (kind) {
    case 'table':
      return relationObject(session, object, at);
    case 'sequence': {
      const found = relationObject(session, object, at);
      if (found.acl !== 'S') throw new SvcError('42809', `"${name}" is not a sequence`);
      return found;
    }
    case 'schema':
      return schemaObject(session, name);
    case 'database':
      if (name !== session.system.database) {
        const world = session.host.context.find(name);
        if (world === null || world.status !== 'open') throw new SvcError('3D000', `database "${name}" does not exist`);
        throw new SvcError('0A000', 'privileges of another world are not changed from here', { hint: `Enter it first: USE WORLD ${name}.` });
      }
      return { number: WORLD_OBJECT, acl: 'd', kind: 'database', schema: null, name, columns: [] };
    case 'function':
    case 'procedure':
    case 'routine': {
      // An aggregate is a function to GRANT.
      const own = routineNamed(session, kind === 'function' ? 'routine' : kind, object).found;
      if (own !== null && kind === 'function' && own.object.procedure)
        throw new SvcError('42809', `${routineNamed(session, kind, object).shown} is not a function`);
      if (own !== null) return routineObject(session.schema(), own.object);
      const { definitions } = session.system;
      const args = object.args?.filter(({ mode }) => mode !== 'out' && mode !== 'table').map(({ dataType }) => dataType.name);
      const oid = args === undefined ? definitions.functionOid(name) : definitions.procedureOid(`${inQuotes(name)}(${args.map(inQuotes).join(',')})`);
      if (oid === null) {
        const { shown } = routineNamed(session, kind, object);
        const called = kind === 'routine' ? 'function' : kind;
        throw new SvcError('42883', args === undefined ? `could not find a ${called} named ${shown}` : `${called} ${shown} does not exist`);
      }
      return { number: oid, acl: 'f', kind: 'function', schema: 'pg_catalog', name, columns: [] };
    }
    case 'type':
    case 'domain': {
      const text = object.name.map(inQuotes).join('.');
      const oid = session.system.typeOid(text);
      if (oid === null) throw new SvcError('42704', `type "${name}" does not exist`);
      if (session.schema().typeByOid(oid)?.element != null)
        throw new SvcError('0LP01', 'cannot set privileges of array types', { hint: 'Set the privileges of the element type instead.' });
      if (kind === 'domain' && session.schema().types.get(oid)?.object.what !== 'domain') throw new SvcError('42809', `"${name}" is not a domain`);
      return { number: oid, acl: 'T', kind: 'type', schema: null, name, columns: [] };
    }
    case 'language':
    case 'tablespace': {
      refuseKind(session, kind, name, statement.privileges);
      const acl = kind === 'language' ? 'l' : 't';
      return { number: (kind === 'language' ? LANGUAGES : TABLESPACES)[name], acl, kind, schema: null, name, columns: [] };
    }
    case 'foreign data wrapper':
    case 'server':
      return { number: unscopedNamed(session, kind, name).number, acl: kindOf(statement), kind: ownedTitle(kind), schema: null, name, columns: [] };
    default:
      refuseKind(session, kind, name, statement.privileges);
      throw new SvcError('0A000', `privileges on a ${kind} are not supported`, { position: at + 1 });
  }
}

const SERVER_KINDS: Partial<
  Record<ObjectKind, { readonly called: string; readonly all: number; readonly has: (session: SqlSession, name: string) => boolean }>
> = {
  language: { called: 'language', all: PRIVILEGE.USAGE, has: (_session, name) => Object.hasOwn(LANGUAGES, name) },
  tablespace: { called: 'tablespace', all: PRIVILEGE.CREATE, has: (_session, name) => Object.hasOwn(TABLESPACES, name) },
};

/** Kinds of objects that belong to a server or cannot be created here: refused as missing, as Postgres does. */
function refuseKind(session: SqlSession, kind: ObjectKind, name: string, privileges: Grant['privileges']): void {
  const known = SERVER_KINDS[kind];
  if (known === undefined) return;
  const { called, all, has } = known;
  for (const { name: privilege } of privileges) {
    if (privilege !== null && (bitOf(privilege) & ~all) !== 0) throw new SvcError('0LP01', `invalid privilege type ${privilege.toUpperCase()} for ${called}`);
  }
  if (!has(session, name)) throw new SvcError('42704', `${called} "${name}" does not exist`);
  if (kind === 'language' && (name === 'c' || name === 'internal')) {
    throw new SvcError('42809', `language "${name}" is not trusted`, {
      detail: 'GRANT and REVOKE are not allowed on untrusted languages, because only superusers can use untrusted languages.',
    });
  }
}

function changeObject(session: SqlSession, ddl: Ddl, statement: Grant, object: OwnedObject, wanted: Wanted, grantees: readonly number[]): void {
  const { authority } = session;
  const rights = new Privileges(ddl.schema, authority.roles);
  const owner = ddl.schema.ownerOf(object.number);
  const acl = rights.acl(object.acl, object.number);
  let { privileges } = wanted;
  if (wanted.all) privileges |= ALL[object.acl];
  else if (object.acl === 'S' && (privileges & ~ALL.S) !== 0) {
    session.notice('0LP01', `sequence "${object.name}" only supports USAGE, SELECT, and UPDATE privileges`, 'WARNING');
    privileges &= ALL.S;
  } else if (object.acl === 'r' && (privileges & PRIVILEGE.USAGE) !== 0) throw new SvcError('0LP01', 'invalid privilege type USAGE for table');
  const columns = new Map<number, number>();
  for (const [name, bits] of wanted.columns) {
    const attnum = object.columns.find((each) => each.name === name)?.attnum ?? SYSTEM_COLUMNS.find(([, system]) => system === name)?.[0];
    if (attnum === undefined) throw new SvcError('42703', `column "${name}" of relation "${object.name}" does not exist`);
    columns.set(attnum, (columns.get(attnum) ?? 0) | bits);
  }
  // Revoking from a table revokes from its columns too.
  if (!statement.grant && object.acl === 'r' && (privileges & ALL.c) !== 0) {
    if (object.kind === 'table' || object.kind === 'foreign table') for (const [attnum] of SYSTEM_COLUMNS) columns.set(attnum, privileges & ALL.c);
    for (const { attnum } of object.columns) {
      columns.set(attnum, (columns.get(attnum) ?? 0) | (privileges & ALL.c));
    }
  }
  const change = { grant: statement.grant, grantees, grantOption: statement.grantOption, cascade: statement.cascade };
  if (wanted.all || privileges !== 0) {
    const { grantor, grantable } = bestGrantor(acl, owner, authority.roles, authority.grantor, privileges);
    if (grantable === 0) mustHaveAny(rights, object, authority.grantor);
    const own = restricted(session, statement.grant, wanted.all, privileges, grantable, `"${object.name}"`);
    putRights(ddl, object.number, owner, changedAcl(acl, owner, authority.roles, { ...change, grantor, privileges: own }));
  }
  for (const [attnum, bits] of columns) changeColumn(session, ddl, rights, object, attnum, bits, owner, change);
}

function changeColumn(
  session: SqlSession,
  ddl: Ddl,
  rights: Privileges,
  object: OwnedObject,
  attnum: number,
  privileges: number,
  owner: number,
  change: Omit<AclChange, 'grantor' | 'privileges'>,
): void {
  const { authority } = session;
  const acl = ddl.schema.columnAclOf(object.number, attnum) ?? [];
  // Grant options come from the table's ACL as well as from the column's.
  const table = rights.acl(object.acl, object.number);
  const { grantor, grantable } = bestGrantor([...acl, ...table], owner, authority.roles, authority.grantor, privileges);
  if (grantable === 0) mustHaveAny(rights, object, authority.grantor);
  const name = object.columns.find((each) => each.attnum === attnum)?.name ?? SYSTEM_COLUMNS.find(([system]) => system === attnum)![1];
  const own = restricted(session, change.grant, privileges === ALL.c, privileges, grantable, `column "${name}" of relation "${object.name}"`);
  putGrants(ddl, object.number, attnum, changedAcl(acl, owner, authority.roles, { ...change, grantor, privileges: own }));
}

/** A grantor without any privilege on the object gets an error; one with some gets a warning. */
function mustHaveAny(rights: Privileges, object: OwnedObject, role: number): void {
  const all = ALL[object.acl];
  if (rights.held(role, object.acl, object.number, all) !== 0 || rights.heldGrantable(role, object.acl, object.number, all) !== 0) return;
  if (object.columns.some(({ attnum }) => rights.heldOnColumn(role, object.number, attnum, ALL.c) !== 0)) return;
  throw new SvcError('42501', `permission denied for ${object.kind} ${object.name}`);
}

// --- privileges of future objects

export function alterDefaultPrivileges(session: SqlSession, { roles, schemas, grant }: AlterDefaultPrivileges): StatementResult {
  session.startStatement();
  const { authority } = session;
  // The grammar is that of a later release of Postgres.
  if (grant.kind === 'large object') throw new SvcError('42601', 'syntax error at or near "LARGE"');
  const kind = kindOf(grant) as DefaultRightsObject['kind'];
  if (kind === 'n' && schemas.length > 0) throw new SvcError('0LP01', 'cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS');
  const { all, privileges } = privilegesOf({ ...grant, kind: grant.kind }, kind);
  const strange = privileges & ~ALL[kind];
  if (!all && strange !== 0) {
    const name = PRIVILEGE_NAMES.find((each) => (PRIVILEGE[each] & strange) !== 0);
    throw new SvcError('0LP01', `invalid privilege type ${name} for ${KIND_NAMES[kind]}`);
  }
  const grantees = grant.grantees.map((each) => authority.named(each, PUBLIC));
  const makers = roles.length === 0 ? [authority.owner] : roles.map((each) => authority.named(each));
  for (const maker of makers) mustBeMember(session, maker);
  const scopes = schemas.length === 0 ? [0] : schemas.map((name) => schemaObject(session, name).number);
  return define(session, 'ALTER DEFAULT PRIVILEGES', (ddl) => {
    for (const role of makers) {
      for (const scope of scopes) {
        const usual: Acl = scope === 0 ? defaultAcl(kind, role) : [];
        const known = defaultRights(ddl, role, scope, kind);
        const acl = changedAcl(known === null ? usual : known.acl.map(parseItem), role, authority.roles, {
          grant: grant.grant,
          grantees,
          grantor: role,
          privileges: all ? ALL[kind] : privileges,
          grantOption: grant.grantOption,
          cascade: grant.cascade,
        });
        const object: DefaultRightsObject = { what: 'default rights', role, scope, kind, acl: sortedAcl(acl).map(itemText) };
        if (sameAcl(acl, usual)) {
          if (known !== null) ddl.remove(known);
        } else ddl.put(object);
      }
    }
  });
}
