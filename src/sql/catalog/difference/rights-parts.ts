/**
 * Owners, privileges and default privileges: changes for existing objects; deviations from the defaults for created or recreated
 * ones. Statements are run by the database's own user, who then owns what is created.
 */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { isAgentOwner } from '../../../base/agent-owner.ts';
import { OWNER_ROLE } from '../../../identity/roles.ts';
import type { DefaultRightsObject } from '../../../worlds/definition.ts';
import { type Acl, type AclKind, ALL, defaultAcl, parseItem, withOwner } from '../../schema/acl.ts';
import { type DropTarget, keyOf } from '../../schema/drop-target.ts';
import { DEFAULTS_ON, defaultRights, firstAcl } from '../../schema/rights.ts';
import { PUBLIC_SCHEMA } from '../../schema/schema-rights.ts';
import { aclStatements, roleOf } from './acl-statements.ts';
import { Part, PLACE, relationName, type Side, withoutWords } from './part.ts';
import { identityOf } from './sequence-parts.ts';

interface Owned {
  readonly number: number;
  readonly kind: AclKind | null;
  /** As in GRANT. */
  readonly on: string;
  /** As in ALTER; null: its owner follows another object's. */
  readonly alter: string | null;
  /** Key of the part that it is dropped with. */
  readonly owner: string | null;
}

/** The keyword before names in GRANT; null: it has only an owner. */
const KINDS: Partial<Record<DropTarget['kind'], readonly [kind: AclKind, on: string] | null>> = {
  table: ['r', 'TABLE'],
  view: ['r', 'TABLE'],
  sequence: ['S', 'SEQUENCE'],
  schema: ['n', 'SCHEMA'],
  function: ['f', 'FUNCTION'],
  type: ['T', 'TYPE'],
  'foreign data wrapper': ['F', 'FOREIGN DATA WRAPPER'],
  server: ['V', 'FOREIGN SERVER'],
  operator: null,
  'operator family': null,
  'operator class': null,
  collation: null,
  conversion: null,
  'extended statistics': null,
  'text search dictionary': null,
  'text search configuration': null,
};

export function rightsParts(side: Side, other: Side, parts: Iterable<Part>): Part[] {
  const out: Part[] = [];
  for (const owned of ownedOf(side, parts)) out.push(rightsPart(side, other, owned));
  for (const rights of side.schema.defaultRights) out.push(defaultsPart(side, other, rights));
  return out;
}

function* ownedOf(side: Side, parts: Iterable<Part>): Iterable<Owned> {
  const { schema } = side;
  yield { number: PUBLIC_SCHEMA, kind: 'n', on: 'SCHEMA public', alter: 'SCHEMA public', owner: null };
  for (const { target, number, called, key } of parts) {
    const found = target === null ? undefined : KINDS[target.kind];
    if (found === undefined) continue;
    const [kind, on] = found ?? [null, ''];
    const word = called.startsWith('PROCEDURE ') ? 'PROCEDURE' : on;
    const isLinked = schema.sequences.get(number)?.ownedBy != null;
    yield { number, kind, on: `${word} ${withoutWords(called)}`, alter: isLinked ? null : called, owner: key };
  }
  for (const sequence of schema.sequences.values()) {
    const { number, ownedBy } = sequence;
    if (ownedBy === null || !identityOf(schema, sequence)) continue;
    const name = relationName(side, number);
    yield { number, kind: 'S', on: `SEQUENCE ${name}`, alter: null, owner: keyOf({ kind: 'table', number: ownedBy.table }) };
  }
}

function columnsOf({ schema }: Side, number: number): readonly { readonly name: string; readonly attnum: number }[] {
  return schema.tables.get(number)?.columns ?? schema.views.get(number)?.columns.map(({ name }, i) => ({ name, attnum: i + 1 })) ?? [];
}

/** Owner and ACL of an object, and the ACLs of its columns. */
interface Rights {
  readonly owner: number;
  readonly acl: Acl;
  readonly columns: ReadonlyMap<number, Acl>;
}

function rightsOf(side: Side, { number, kind }: Owned): Rights {
  const { schema } = side;
  const owner = roleOwnerOf(schema, number);
  const columns = new Map<number, Acl>();
  for (const { attnum } of columnsOf(side, number)) {
    const acl = schema.columnAclOf(number, attnum);
    if (acl !== null) columns.set(attnum, acl);
  }
  const role = (oid: number): number => (isAgentOwner(oid) ? OWNER_ROLE : oid);
  const named = (acl: Acl): Acl => acl.map((item) => ({ ...item, grantee: role(item.grantee), grantor: role(item.grantor) }));
  return { owner, acl: kind === null ? [] : named(schema.aclOf(number) ?? defaultAcl(kind, owner)), columns };
}

/** A script cannot name an agent as a role: the user who runs it owns what the agent created. */
export function roleOwnerOf(schema: Side['schema'], number: number): number {
  const owner = schema.ownerOf(number);
  return isAgentOwner(owner) ? OWNER_ROLE : owner;
}

function bodyOf({ owner, acl, columns }: Rights): string {
  return JSON.stringify([owner, acl, [...columns]]);
}

function rightsPart(side: Side, other: Side, owned: Owned): Part {
  const { number, kind } = owned;
  const from = (was: Rights): string[] => statements(side, owned, was, rightsOf(side, owned));
  return new Part({
    key: `rights ${number}`,
    target: null,
    number,
    place: PLACE.attributes,
    owner: owned.owner,
    title: '',
    called: '',
    text: () => ({
      body: bodyOf(rightsOf(side, owned)),
      make: from({ owner: OWNER_ROLE, acl: firstOf(side, other, number, kind), columns: new Map() }),
    }),
    drop: '',
    change: () => ({ ahead: [], behind: from(rightsOf(other, owned)) }),
  });
}

/** The default ACL of the database's own user's objects where the statements are run. */
function firstOf(side: Side, before: Side, number: number, kind: AclKind | null): Acl {
  if (kind === null) return [];
  const { schema } = side;
  const home = (
    schema.tables.get(number) ??
    schema.views.get(number) ??
    schema.sequences.get(number) ??
    schema.types.get(number) ??
    schema.functions.get(number)?.object
  )?.schema;
  const within = home === undefined ? 0 : (before.schema.schemas.get(home) ?? 0);
  const ruled = kind === 'r' || kind === 'S' || kind === 'n' || kind === 'f' || kind === 'T';
  return (ruled ? firstAcl(before, OWNER_ROLE, within, kind) : null) ?? defaultAcl(kind, OWNER_ROLE);
}

function statements(side: Side, { on, alter, kind, number }: Owned, was: Rights, is: Rights): string[] {
  const out: string[] = [];
  let { acl } = was;
  let given = (attnum: number): Acl => was.columns.get(attnum) ?? [];
  if (was.owner !== is.owner) {
    const name = side.names.roleName(is.owner);
    if (name !== null && alter !== null) out.push(`ALTER ${alter} OWNER TO ${name};`);
    acl = withOwner(acl, was.owner, is.owner);
    given = (attnum) => withOwner(was.columns.get(attnum) ?? [], was.owner, is.owner);
  }
  if (kind === null) return out;
  const { statements: own, revoked } = aclStatements(side, acl, is.acl, is.owner, { all: ALL[kind], on, column: '' });
  out.push(...own);
  for (const { name, attnum } of columnsOf(side, number)) {
    // Revoking from a table revokes from its columns too.
    const left = given(attnum).flatMap((item) => {
      const taken = revoked.get(item.grantee) ?? 0;
      const privileges = item.privileges & ~taken;
      return privileges === 0 ? [] : [{ ...item, privileges, grantable: item.grantable & privileges }];
    });
    out.push(...aclStatements(side, left, is.columns.get(attnum) ?? [], is.owner, { all: 0, on, column: ` (${quoteIdentifier(name)})` }).statements);
  }
  return out;
}

function defaultsPart(side: Side, other: Side, { role, scope, kind, acl }: DefaultRightsObject): Part {
  const usual = scope === 0 ? defaultAcl(kind, role) : [];
  const own = acl.map(parseItem);
  const from = (was: Acl, is: Acl): string[] => {
    const name = roleOf(side, role);
    const within = scope === 0 ? '' : ` IN SCHEMA ${quoteIdentifier(side.schema.schemaName(scope) ?? '')}`;
    if (name === null) return [];
    return aclStatements(side, was, is, role, {
      all: ALL[kind],
      on: DEFAULTS_ON[kind].toUpperCase(),
      column: '',
      before: `ALTER DEFAULT PRIVILEGES FOR ROLE ${name}${within} `,
    }).statements;
  };
  return new Part({
    key: `default rights ${role} ${scope} ${kind}`,
    target: null,
    number: 0,
    place: PLACE.attributes,
    owner: scope === 0 || scope === PUBLIC_SCHEMA ? null : keyOf({ kind: 'schema', number: scope }),
    title: '',
    called: '',
    text: () => ({ body: acl.join(), make: from(usual, own) }),
    drop: from(own, usual).join('\n'),
    change: () => {
      const old = defaultRights(other, role, scope, kind)!;
      return { ahead: [], behind: from(old.acl.map(parseItem), own) };
    },
  });
}
