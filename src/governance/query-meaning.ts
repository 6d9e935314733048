/**
 * What a query's text means in a catalog: every object that it names or reaches, by number, with the parts of its
 * definition that decide which rows are read. A merge that changes the meaning of a check's query changes what the check reads, and
 * its result then says nothing about the merge.
 *
 *   words of the query ──► objects of these names in the search path
 *        ▲                     │ views, functions, materialized views: words of their texts, and their recorded dependencies
 *        └─────────────────────┤ relations: members below them, columns that a word names, their types, policies, masks, owners
 *                              └ operators, casts: a new overload may be chosen in place of the old one
 *
 * Words are taken from the text without parsing it: names in strings count too (EXECUTE, regclass), so an object may be counted that
 * the query does not read, but none is missed. Pure: it reads catalogs only.
 */
import type { Catalog } from '../worlds/catalog.ts';
import {
  type CatalogObject,
  columnDefinitionKey,
  definitionKey,
  factsKey,
  FIRST_OWN,
  isTemporarySchema,
  isTypeObject,
  relationOfRowType,
  routinesWithin,
  type RelationObject,
  rowSecurityKey,
  serverKey,
  tableDefinitionKey,
  typeOids,
  typesWithin,
} from '../worlds/definition.ts';
import { functionKey, pad, rightsKey, viewKey } from '../worlds/kinds/keys.ts';
import { describeDefinition } from '../worlds/merge/definition-names.ts';

interface Part {
  /** For messages. */
  readonly what: string;
  /** Its definition, as far as it decides what is read. */
  readonly text: string;
  /** Found by name, so that a new object may shadow another. Objects found by position only add rows. */
  readonly named: boolean;
  /** Key of the object it belongs to: parts of a new object are not reported separately. */
  readonly of?: string;
}

type Meaning = ReadonlyMap<string, Part>;

/** Role of the database's own user, the owner where none is recorded. */
const OWN_USER = 10;

/** How the query's meaning differs in the second state, in words; empty: unchanged. */
export function exchanged(query: string, path: readonly string[], before: Catalog, after: Catalog): string[] {
  const was = meaningOf(query, path, before);
  const is = meaningOf(query, path, after);
  const out: string[] = [];
  for (const [key, { what, text }] of was) {
    const now = is.get(key);
    if (now?.text !== text) out.push(changeOf(key, what, after));
  }
  for (const [key, { what, named, of }] of is) if (named && !was.has(key) && (of === undefined || was.has(of))) out.push(`${what} is new`);
  return [...new Set(out)];
}

function changeOf(key: string, what: string, after: Catalog): string {
  const now = after.objects.get(key);
  if (now === undefined) return `${what} is gone`;
  const shown = 'schema' in now && now.schema !== 'public' ? `${now.schema}.${'name' in now ? now.name : ''}` : 'name' in now ? String(now.name) : '';
  return shown !== '' && !what.endsWith(` ${shown}`) && !what.includes(` ${shown} of `) ? `${what} is ${shown} now` : `${what} is another one`;
}

/** Names as SQL reads them (folded unless quoted), and operators with each of their prefixes. */
function wordsOf(text: string, words: Set<string>): void {
  for (const [found, quoted] of text.matchAll(/"((?:[^"]|"")+)"|[\p{L}_][\p{L}\p{N}_$]*|[+\-*/<>=~!@#%^&|`?]+/gu)) {
    if (quoted !== undefined) {
      words.add(quoted.replaceAll('""', '"'));
      continue;
    }
    words.add(found.toLowerCase());
    if (/^[\p{L}_]/u.test(found)) words.add(found);
    else for (let to = 1; to < found.length; to++) words.add(found.slice(0, to));
  }
}

class MeaningFinder {
  readonly #catalog: Catalog;
  readonly #path: ReadonlySet<string>;
  readonly #words = new Set<string>();
  readonly #parts = new Map<string, Part>();
  /** Objects found, by key. */
  readonly #found = new Map<string, CatalogObject>();
  readonly #index: Index;

  constructor(query: string, path: readonly string[], catalog: Catalog) {
    this.#catalog = catalog;
    this.#path = new Set([...path, 'public', 'pg_catalog']);
    this.#index = indexOf(catalog);
    wordsOf(query, this.#words);
  }

  run(): Meaning {
    // Repeat with the words in the texts of found objects until nothing new is found.
    for (let size = -1; size !== this.#words.size + this.#found.size;) {
      size = this.#words.size + this.#found.size;
      for (const word of this.#words) for (const object of this.#index.named.get(word) ?? []) if (this.#sees(object)) this.#add(object, true);
    }
    for (const object of this.#index.casts) this.#part(definitionKey(object), 'a cast', JSON.stringify(object), true);
    for (const object of this.#found.values()) this.#beside(object);
    return this.#parts;
  }

  #sees(object: CatalogObject): boolean {
    if (!('schema' in object)) return true;
    const schema = String(object.schema);
    return !isTemporarySchema(schema) && (this.#path.has(schema) || this.#words.has(schema));
  }

  #part(key: string, what: string, text: string, named: boolean, of?: string): void {
    if (!this.#parts.has(key)) this.#parts.set(key, { what, text, named, ...(of === undefined ? {} : { of }) });
  }

  #byNumber(number: number): void {
    for (const key of [tableDefinitionKey(number), viewKey(number), functionKey(number)]) {
      const object = this.#catalog.objects.get(key);
      if (object !== undefined) return this.#add(object, false);
    }
  }

  #type(oid: number): void {
    if (oid < FIRST_OWN) return;
    const relation = relationOfRowType(oid);
    if (relation !== null) return this.#byNumber(relation);
    const type = this.#index.types.get(oid);
    if (type !== undefined) this.#add(type, false);
  }

  #add(object: CatalogObject, named: boolean): void {
    const key = definitionKey(object);
    if (this.#found.has(key)) return;
    this.#found.set(key, object);
    const scoped = 'schema' in object && object.schema !== 'public' ? ` of schema ${object.schema}` : '';
    const what = `${describeDefinition(object)}${scoped}`;
    const whole = (): void => this.#part(key, what, JSON.stringify(object), named);
    switch (object.what) {
      case 'table':
        return this.#part(key, what, object.name, named);
      case 'relation': {
        const { number, schema, name, query, foreign } = object;
        this.#part(key, what, JSON.stringify([schema, name, query?.sql ?? null, foreign ?? null]), named);
        if (query !== undefined) this.#reads(query.sql, query.uses);
        for (const member of this.#index.members.get(number) ?? []) {
          this.#part(`>${pad(number)}${pad(member.number)}`, `table ${member.name} as a part of table ${name}`, '', false);
          this.#add(member, false);
        }
        return;
      }
      case 'view': {
        const { schema, name, sql, invoker, barrier } = object;
        this.#part(key, what, JSON.stringify([schema, name, sql, invoker, barrier]), named);
        return this.#reads(sql, object.uses);
      }
      case 'function': {
        const { cost: _cost, rows: _rows, parallel: _parallel, support: _support, leakproof: _leakproof, ...rest } = object;
        this.#part(key, what, JSON.stringify(rest), named);
        for (const number of routinesWithin(object)) this.#byNumber(number);
        for (const { type } of object.args) this.#type(type);
        this.#type(object.returns);
        const settings = (object.settings ?? []).map(({ value }) => value).join(' ');
        return this.#reads(`${object.body} ${settings} ${object.args.map((arg) => arg.default ?? '').join(' ')}`, object.uses ?? []);
      }
      case 'operator':
        whole();
        for (const number of routinesWithin(object)) this.#byNumber(number);
        return;
      case 'enum':
        this.#part(key, what, JSON.stringify([object.schema, object.name]), named);
        // Labels may be added; existing ones must keep meaning and position.
        for (const { label, order } of object.labels) this.#part(`${key}/${order}`, `label ${label} of ${what}`, label, false);
        return;
      case 'domain':
        this.#part(key, what, JSON.stringify([object.schema, object.name, object.base]), named);
        return this.#type(object.base);
      case 'composite':
      case 'range':
      case 'base':
        whole();
        for (const oid of typesWithin(object)) this.#type(oid);
        return;
      case 'sequence':
        return this.#part(key, what, JSON.stringify([object.schema, object.name]), named);
      case 'schema':
        // Members of a new schema object are found by their own names.
        return this.#part(key, what, object.name, false);
      default:
        whole();
    }
  }

  #reads(sql: string, uses: readonly { readonly object: number }[]): void {
    wordsOf(sql, this.#words);
    for (const { object } of uses) this.#byNumber(object);
  }

  /** Properties stored separately from an object that decide what is read of it. */
  #beside(object: CatalogObject): void {
    const { objects } = this.#catalog;
    if (object.what === 'relation') this.#columns(object);
    if (object.what === 'table') {
      for (const { number, name } of this.#catalog.byNumber.get(object.number)?.columns ?? []) {
        if (this.#words.has(name)) this.#part(columnDefinitionKey(object.number, number), `column ${name} of table ${object.name}`, name, false);
      }
    }
    if (object.what !== 'relation' && object.what !== 'view' && object.what !== 'function') return;
    const owner = objects.get(rightsKey(object.number));
    if (owner?.what !== 'rights' || owner.owner === OWN_USER) return;
    this.#part(definitionKey(owner), `the owner of ${describeDefinition(object)}`, String(owner.owner), true, definitionKey(object));
  }

  #columns(object: RelationObject): void {
    const { objects, byNumber } = this.#catalog;
    const of = `of table ${object.schema === 'public' ? '' : `${object.schema}.`}${object.name}`;
    const table = definitionKey(object);
    const every = this.#words.has('natural');
    for (const { number, name, attnum, type, generated, folding } of byNumber.get(object.number)?.relation?.attributes ?? []) {
      if (!every && !this.#words.has(name)) continue;
      const key = columnDefinitionKey(object.number, number);
      const facts = objects.get(factsKey(object.number, attnum));
      const collation = facts?.what === 'facts' ? (facts.collation ?? null) : null;
      // A new column of an existing table may capture a name in the query; a new table is reported itself.
      this.#part(key, `column ${name} ${of}`, JSON.stringify([name, type, generated !== null, folding ?? null, collation]), true, table);
      this.#type(type);
    }
    for (const each of this.#index.guards.get(object.number) ?? []) {
      this.#part(definitionKey(each), `${each.what === 'label' ? 'a mask' : `policy ${each.name}`} ${of}`, JSON.stringify(each), true, table);
    }
    const security = objects.get(rowSecurityKey(object.number));
    if (security?.what === 'row security' && (security.enabled || security.forced)) {
      this.#part(definitionKey(security), `row security ${of}`, JSON.stringify(security), true, table);
    }
    if (object.foreign === undefined) return;
    const server = objects.get(serverKey(object.foreign.server));
    if (server !== undefined) this.#part(definitionKey(server), describeDefinition(server), JSON.stringify(server), true, table);
  }
}

function meaningOf(query: string, path: readonly string[], catalog: Catalog): Meaning {
  return new MeaningFinder(query, path, catalog).run();
}

/** Objects of a catalog by the names and numbers that lead to them. */
interface Index {
  readonly named: ReadonlyMap<string, readonly CatalogObject[]>;
  readonly types: ReadonlyMap<number, CatalogObject>;
  /** Direct members of a relation. */
  readonly members: ReadonlyMap<number, readonly RelationObject[]>;
  readonly guards: ReadonlyMap<number, readonly Extract<CatalogObject, { what: 'policy' | 'label' }>[]>;
  readonly casts: readonly CatalogObject[];
}

const indexes = new WeakMap<Catalog, Index>();

function indexOf(catalog: Catalog): Index {
  const known = indexes.get(catalog);
  if (known !== undefined) return known;
  const named = new Map<string, CatalogObject[]>();
  const types = new Map<number, CatalogObject>();
  const members = new Map<number, RelationObject[]>();
  const guards = new Map<number, Extract<CatalogObject, { what: 'policy' | 'label' }>[]>();
  const casts: CatalogObject[] = [];
  const under = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [value]);
    else list.push(value);
  };
  for (const object of catalog.objects.values()) {
    switch (object.what) {
      case 'policy':
        under(guards, object.table, object);
        break;
      case 'label':
        under(guards, object.object, object);
        break;
      case 'cast':
        casts.push(object);
        break;
      case 'relation':
        for (const parent of object.parents ?? []) under(members, parent, object);
        under(named, object.name, object);
        break;
      case 'table':
      case 'view':
      case 'function':
      case 'operator':
      case 'sequence':
      case 'schema':
      case 'collation':
      case 'text search dictionary':
      case 'text search configuration':
        under(named, object.name, object);
        break;
      default:
        if (!isTypeObject(object)) break;
        under(named, object.name, object);
        if (object.what === 'range') under(named, object.multirangeName, object);
        for (const oid of typeOids(object)) types.set(oid, object);
    }
  }
  const index: Index = { named, types, members, guards, casts };
  indexes.set(catalog, index);
  return index;
}
