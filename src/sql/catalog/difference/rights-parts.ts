/**
 * Owners, privileges and default privileges: of what stays, what changed; of what is made, or made anew, what it does not have from
 * the start. Statements are run by the database's own user, who then owns what is made.
 */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { OWNER_ROLE } from '../../../identity/roles.ts';
import type { DefaultRightsObject } from '../../../worlds/definition.ts';
import { type Acl, type AclItem, type AclKind, ALL, defaultAcl, EVERYBODY, parseItem, PRIVILEGE, PRIVILEGE_NAMES, withOwner } from '../../schema/acl.ts';
import { type DropTarget, keyOf } from '../../schema/drop.ts';
import { firstAcl, sameAcl } from '../../schema/rights.ts';
import { PUBLIC_SCHEMA } from '../../schema/schema-rights.ts';
import { Part, PLACE, relationName, type Side } from './part.ts';

interface Owned {
  readonly number: number;
  readonly kind: AclKind | null;
  /** As GRANT says it. */
  readonly on: string;
  /** As ALTER says it; null: its owner is another's. */
  readonly alter: string | null;
  /** Key of the part that it goes with. */
  readonly owner: string | null;
}

/** Words that stand before names in comments, and what GRANT says in their place; '': it has an owner alone. */
const KINDS: readonly (readonly [word: string, kind: AclKind | null, on: string])[] = [
  ['TABLE', 'r', 'TABLE'],
  ['FOREIGN TABLE', 'r', 'TABLE'],
  ['VIEW', 'r', 'TABLE'],
  ['MATERIALIZED VIEW', 'r', 'TABLE'],
  ['SEQUENCE', 'S', 'SEQUENCE'],
  ['SCHEMA', 'n', 'SCHEMA'],
  ['FUNCTION', 'f', 'FUNCTION'],
  ['PROCEDURE', 'f', 'PROCEDURE'],
  ['AGGREGATE', 'f', 'FUNCTION'],
  ['TYPE', 'T', 'TYPE'],
  ['DOMAIN', 'T', 'TYPE'],
  ['FOREIGN DATA WRAPPER', 'F', 'FOREIGN DATA WRAPPER'],
  ['SERVER', 'V', 'FOREIGN SERVER'],
  ['OPERATOR', null, ''],
  ['COLLATION', null, ''],
  ['STATISTICS', null, ''],
  ['TEXT SEARCH DICTIONARY', null, ''],
  ['TEXT SEARCH CONFIGURATION', null, ''],
];

const UNOWNED: ReadonlySet<DropTarget['kind']> = new Set(['constraint', 'index', 'trigger', 'rule', 'policy', 'cast', 'extension']);

export function rightsParts(side: Side, other: Side, parts: Iterable<Part>): Part[] {
  const out: Part[] = [];
  for (const owned of ownedOf(side, parts)) out.push(rightsPart(side, other, owned));
  for (const rights of side.schema.defaultRights) out.push(defaultsPart(side, other, rights));
  return out;
}

function* ownedOf(side: Side, parts: Iterable<Part>): Iterable<Owned> {
  const { schema } = side;
  yield { number: PUBLIC_SCHEMA, kind: 'n', on: 'SCHEMA public', alter: 'SCHEMA public', owner: null };
  const seen = new Set<number>();
  for (const { target, number, called, key } of parts) {
    if (called === '' || target === null || UNOWNED.has(target.kind)) continue;
    const found = KINDS.find(([word]) => called.startsWith(`${word} `));
    if (found === undefined || seen.has(number)) continue;
    seen.add(number);
    const [word, kind, on] = found;
    const isLinked = schema.sequences.get(number)?.ownedBy != null;
    yield { number, kind, on: `${on} ${called.slice(word.length + 1)}`, alter: isLinked ? null : called, owner: key };
  }
  for (const { number, ownedBy } of schema.sequences.values()) {
    if (seen.has(number) || ownedBy === null) continue;
    const name = relationName(side, number);
    yield { number, kind: 'S', on: `SEQUENCE ${name}`, alter: null, owner: keyOf({ kind: 'table', number: ownedBy.table }) };
  }
}

/** Owner and list of an object, and the lists of its columns. */
interface Rights {
  readonly owner: number;
  readonly acl: Acl;
  readonly columns: ReadonlyMap<number, Acl>;
}

function rightsOf({ schema }: Side, { number, kind }: Owned): Rights {
  const owner = schema.ownerOf(number);
  const columns = new Map<number, Acl>();
  for (const { attnum } of schema.tables.get(number)?.columns ?? schema.views.get(number)?.columns.map((_, i) => ({ attnum: i + 1 })) ?? []) {
    const acl = schema.columnAclOf(number, attnum);
    if (acl !== null) columns.set(attnum, acl);
  }
  return { owner, acl: kind === null ? [] : (schema.aclOf(number) ?? defaultAcl(kind, owner)), columns };
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
    place: PLACE.told,
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

/** The list that the database's own user's objects begin with where the statements are run. */
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
  const columns = side.schema.tables.get(number)?.columns ?? side.schema.views.get(number)?.columns.map(({ name }, i) => ({ name, attnum: i + 1 })) ?? [];
  for (const { name, attnum } of columns) {
    // What is taken of a table is taken of its columns too.
    const left = given(attnum).flatMap((item) => {
      const taken = revoked.get(item.grantee) ?? 0;
      const privileges = item.privileges & ~taken;
      return privileges === 0 ? [] : [{ ...item, privileges, grantable: item.grantable & privileges }];
    });
    out.push(...aclStatements(side, left, is.columns.get(attnum) ?? [], is.owner, { all: 0, on, column: ` (${quoteIdentifier(name)})` }).statements);
  }
  return out;
}

interface GrantWords {
  /** All privileges of the kind, which have one word. */
  readonly all: number;
  /** Behind ON. */
  readonly on: string;
  /** Behind each privilege. */
  readonly column: string;
  /** Before GRANT and REVOKE. */
  readonly before?: string;
}

const sameItem = (a: AclItem, b: AclItem): boolean => a.grantee === b.grantee && a.grantor === b.grantor;

function aclStatements(side: Side, was: Acl, is: Acl, owner: number, words: GrantWords): { statements: string[]; revoked: ReadonlyMap<number, number> } {
  const revoked = new Map<number, number>();
  const named = (acl: Acl): Acl => acl.filter(({ grantee, grantor }) => roleOf(side, grantee) !== null && roleOf(side, grantor) !== null);
  const [old, now] = [named(was), named(is)];
  if (sameAcl(old, now)) return { statements: [], revoked };
  const out: string[] = [];
  const take = (grantee: number, privileges: number, option = '', cascade = ''): void => {
    if (privileges === 0) return;
    if (option === '') revoked.set(grantee, (revoked.get(grantee) ?? 0) | privileges);
    out.push(`${words.before ?? ''}REVOKE ${option}${privilegeList(privileges, words)} ON ${words.on} FROM ${roleOf(side, grantee)}${cascade};`);
  };
  const give = (grantee: number, privileges: number, option: string): void => {
    if (privileges !== 0) out.push(`${words.before ?? ''}GRANT ${privilegeList(privileges, words)} ON ${words.on} TO ${roleOf(side, grantee)}${option};`);
  };
  const granted = (items: readonly { item: AclItem; privileges: number; grantable: number }[], first: Iterable<number>): void => {
    const may = new Set(first);
    for (let left = items; left.length > 0;) {
      const next = left.filter(({ item }) => may.has(item.grantor));
      if (next.length === 0) return;
      for (const { item, privileges, grantable } of next) {
        const by = item.grantor === owner || (privileges | grantable) === 0 ? null : roleOf(side, item.grantor);
        if (by !== null) out.push(`SET SESSION AUTHORIZATION ${by};`);
        give(item.grantee, privileges & ~grantable, '');
        give(item.grantee, grantable, ' WITH GRANT OPTION');
        if (by !== null) out.push('RESET SESSION AUTHORIZATION;');
        may.add(item.grantee);
      }
      left = left.filter((each) => !next.includes(each));
    }
  };
  const taken = old.map((item) => {
    const next = now.find((each) => sameItem(each, item));
    return { item, privileges: item.privileges & ~(next?.privileges ?? 0), grantable: item.grantable & ~(next?.grantable ?? 0), left: next?.privileges ?? 0 };
  });
  // What was passed on hangs on what it was passed on from.
  const isPlain = [...old, ...now].every(({ grantor }) => grantor === owner);
  if (taken.every(({ item, privileges, grantable }) => (privileges | grantable) === 0 || (item.grantor === owner && (isPlain || grantable === 0)))) {
    for (const { item, privileges, grantable, left } of taken) {
      take(item.grantee, privileges);
      take(item.grantee, grantable & left, 'GRANT OPTION FOR ');
    }
    const more = now.map((item) => {
      const before = old.find((each) => sameItem(each, item));
      return { item, privileges: item.privileges & ~(before?.privileges ?? 0), grantable: item.grantable & ~(before?.grantable ?? 0) };
    });
    granted(more, [owner, ...old.map(({ grantee }) => grantee)]);
    return { statements: out, revoked };
  }
  for (const grantee of new Set(old.map((item) => item.grantee))) {
    const all = old.reduce((sum, item) => (item.grantee === grantee ? sum | item.privileges : sum), 0);
    take(grantee, all, '', ' CASCADE');
  }
  granted(
    now.map((item) => ({ item, ...item })),
    [owner],
  );
  return { statements: out, revoked };
}

/** null: it is gone, and what it had says nothing any more. */
function roleOf({ names }: Side, role: number): string | null {
  return role === EVERYBODY ? 'PUBLIC' : names.roleName(role);
}

function privilegeList(privileges: number, { all, column }: GrantWords): string {
  if (privileges === all) return 'ALL';
  return PRIVILEGE_NAMES.filter((name) => (privileges & PRIVILEGE[name]) !== 0)
    .map((name) => `${name}${column}`)
    .join(', ');
}

const OBJECTS: Readonly<Record<DefaultRightsObject['kind'], string>> = { r: 'TABLES', S: 'SEQUENCES', f: 'FUNCTIONS', T: 'TYPES', n: 'SCHEMAS' };

function defaultsPart(side: Side, other: Side, { role, scope, kind, acl }: DefaultRightsObject): Part {
  const usual = scope === 0 ? defaultAcl(kind, role) : [];
  const own = acl.map(parseItem);
  const from = (was: Acl, is: Acl): string[] => {
    const name = roleOf(side, role);
    const within = scope === 0 ? '' : ` IN SCHEMA ${quoteIdentifier(side.schema.schemaName(scope) ?? '')}`;
    if (name === null) return [];
    return aclStatements(side, was, is, role, { all: ALL[kind], on: OBJECTS[kind], column: '', before: `ALTER DEFAULT PRIVILEGES FOR ROLE ${name}${within} ` })
      .statements;
  };
  return new Part({
    key: `default rights ${role} ${scope} ${kind}`,
    target: null,
    number: 0,
    place: PLACE.told,
    owner: scope === 0 || scope === PUBLIC_SCHEMA ? null : keyOf({ kind: 'schema', number: scope }),
    title: '',
    called: '',
    text: () => ({ body: acl.join(), make: from(usual, own) }),
    drop: from(own, usual).join('\n'),
    change: () => {
      const old = other.schema.defaultRights.find((each) => each.role === role && each.scope === scope && each.kind === kind)!;
      return { ahead: [], behind: from(old.acl.map(parseItem), own) };
    },
  });
}
