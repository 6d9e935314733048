/**
 * How definitions are named where they meet in a merge. A conflict in a definition has a key of the same form as a
 * row's, in a table that no one can make:
 *
 *   _svc_schema/<kind>:<name>     table:orders  column:orders.price  constraint:orders.orders_total_check
 *                                 index:by_day  view:cheap  sequence:sales.no  type:mood  schema:sales
 *                                 operator:===(integer,integer)  cast:integer:text
 *                                 function:add(integer,integer)  comment:column:orders.price  policy:orders.mine
 *                                 event trigger:audit  server:files  user mapping:files.10
 *
 * Names in another schema than `public` are written with it; `,` `/` `%` and white space are percent-escaped.
 */
import { inQuotes } from '../../base/quote-identifier.ts';
import type { Catalog } from '../catalog.ts';
import { type CatalogObject, inputTypes, routineWord } from '../definition.ts';
import { escapePart } from '../keys.ts';
import { typedTables } from '../typed-tables.ts';

export const SCHEMA_TABLE = '_svc_schema';

export type Objects = ReadonlyMap<string, CatalogObject>;

export function pad(number: number): string {
  return String(number).padStart(15, '0');
}

export function definitionConflictKey(object: CatalogObject, catalogs: readonly Catalog[]): string {
  return `${SCHEMA_TABLE}/${escapePart(qualified(object, catalogs))}`;
}

/** Whether a key of `picks` means a definition. */
export function isDefinitionKey(key: string): boolean {
  return key.startsWith(`${SCHEMA_TABLE}/`);
}

export function canonicalDefinitionKey(key: string): string {
  try {
    return `${SCHEMA_TABLE}/${escapePart(decodeURIComponent(key.slice(SCHEMA_TABLE.length + 1)))}`;
  } catch {
    return key;
  }
}

function qualified(object: CatalogObject, catalogs: readonly Catalog[]): string {
  const table = (number: number): string => tableOf(number, catalogs);
  const scoped = (schema: string, name: string): string => (schema === 'public' ? name : `${schema}.${name}`);
  switch (object.what) {
    case 'table':
      return `table:${object.name}`;
    case 'relation':
      return `table:${scoped(object.schema, object.name)}`;
    case 'column':
    case 'attribute':
      return `column:${table(object.table)}.${object.name}`;
    case 'check':
    case 'foreign key':
      return `constraint:${table(object.table)}.${object.name}`;
    case 'index': {
      if (object.constraint !== null) return `constraint:${table(object.table)}.${object.constraint}`;
      const name = table(object.table);
      const dot = name.lastIndexOf('.');
      return `index:${dot < 0 ? '' : name.slice(0, dot + 1)}${object.name}`;
    }
    case 'enum':
    case 'base':
    case 'domain':
    case 'composite':
    case 'range':
      return `type:${scoped(object.schema, object.name)}`;
    case 'schema':
      return `schema:${object.name}`;
    case 'extension':
      return `extension:${object.name}`;
    case 'view':
    case 'sequence':
      return `${object.what}:${scoped(object.schema, object.name)}`;
    case 'function':
      return `${routineWord(object)}:${scoped(object.schema, object.name)}(${inputTypes(object)
        .map((oid) => typedTables().typeName(oid, catalogs))
        .join(',')})`;
    case 'operator':
      return `operator:${scoped(object.schema, object.name)}(${[object.left, object.right]
        .map((oid) => (oid === 0 ? 'NONE' : typedTables().typeName(oid, catalogs)))
        .join(',')})`;
    case 'operator family':
    case 'operator class':
      return `${object.what}:${scoped(object.schema, object.name)} using ${object.method}`;
    case 'family operator':
    case 'family function': {
      const [left, right] = [object.left, object.right].map((oid) => typedTables().typeName(oid, catalogs));
      return `${object.what}:${commented(object.family, 0, catalogs).replace(/^operator family:/, '')}.${object.place}(${left},${right})`;
    }
    case 'cast':
      return `cast:${typedTables().typeName(object.from, catalogs)}:${typedTables().typeName(object.to, catalogs)}`;
    case 'large object comment':
      return `comment:large object ${object.object}`;
    case 'comment':
      return `comment:${commented(object.object, object.attnum, catalogs)}`;
    case 'facts':
      return `storage:${commented(object.object, object.attnum, catalogs)}`;
    case 'rights':
      return `owner:${commented(object.object, 0, catalogs)}`;
    case 'author':
      return `author:${commented(object.object, 0, catalogs)}`;
    case 'grant':
      return `privileges:${commented(object.object, object.attnum, catalogs)}:${object.grantee}:${object.grantor}`;
    case 'default rights':
      return `default privileges:${object.role}:${object.scope}:${object.kind}`;
    case 'label':
      return `mask:${commented(object.object, object.attnum, catalogs)}`;
    case 'former label':
      return `mask:${object.relation}.${object.column} (dropped)`;
    case 'policy':
      return `policy:${table(object.table)}.${object.name}`;
    case 'rule':
      return `rule:${table(object.table)}.${object.name}`;
    case 'trigger':
      return `trigger:${table(object.table)}.${object.name}`;
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'extended statistics':
      return `${object.what}:${scoped(object.schema, object.name)}`;
    case 'publication':
      return `publication:${object.name}`;
    case 'publication table':
      return `publication table:${commented(object.publication, 0, catalogs).replace(/^publication:/, '')}.${table(object.table)}`;
    case 'publication schema':
      return `publication schema:${commented(object.publication, 0, catalogs).replace(/^publication:/, '')}.${commented(object.namespace, 0, catalogs).replace(/^schema:/, '')}`;
    case 'subscription':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
      return `${object.what}:${object.name}`;
    case 'user mapping':
      return `user mapping:${commented(object.server, 0, catalogs).replace(/^server:/, '')}.${object.role}`;
    case 'row security':
      return `row security:${table(object.table)}`;
    case 'statistics':
      return `statistics:${table(object.table)}`;
  }
}

/** The object in words that say which it is: `table t`, `column t.v`, `comment on column t.v`, `privileges on view cheap`. */
export function definitionTitle(object: CatalogObject, catalogs: readonly Catalog[]): string {
  const of = (number: number, attnum = 0): string => {
    const title = commented(number, attnum, catalogs).replace(':', ' ');
    return /^\d/.test(title) ? `object ${title}` : title;
  };
  switch (object.what) {
    case 'comment':
      return `comment on ${of(object.object, object.attnum)}`;
    case 'large object comment':
      return `comment on large object ${object.object}`;
    case 'facts':
      return `storage parameters of ${of(object.object, object.attnum)}`;
    case 'rights':
      return `owner of ${of(object.object)}`;
    case 'author':
      return `author of ${of(object.object)}`;
    case 'grant':
      return `privileges on ${of(object.object, object.attnum)}`;
    case 'label':
      return `mask of ${of(object.object, object.attnum)}`;
    case 'default rights':
      return 'default privileges';
    case 'row security':
      return `row security of table ${tableOf(object.table, catalogs)}`;
    case 'statistics':
      return `statistics of table ${tableOf(object.table, catalogs)}`;
    default:
      return qualified(object, catalogs).replace(':', ' ');
  }
}

/** The definition as SQL where it has a text of its own, else what it is. */
export function definitionWords(catalog: Catalog, object: CatalogObject): string {
  return typedTables().definitionText(catalog, object)?.replace(/;$/, '') ?? definitionTitle(object, [catalog]);
}

/** A table with what is part of it: constraints and indexes. */
export function tableWords(catalog: Catalog, number: number): string {
  const { object, constraints, indexes } = catalog.byNumber.get(number)!.relation!;
  const texts = [object, ...constraints, ...indexes].map((each) => definitionWords(catalog, each));
  return texts.map((text) => `${text};`).join(' ');
}

function tableOf(number: number, catalogs: readonly Catalog[]): string {
  for (const { byNumber } of catalogs) {
    const found = byNumber.get(number);
    if (found !== undefined) return found.name;
  }
  return String(number);
}

function commented(number: number, attnum: number, catalogs: readonly Catalog[]): string {
  for (const { objects } of catalogs) {
    for (const each of objects.values()) {
      if (attnum > 0 && each.what === 'attribute' && each.table === number && each.attnum === attnum) return qualified(each, catalogs);
      if (attnum === 0 && 'number' in each && each.number === number) return qualified(each, catalogs);
    }
  }
  return attnum === 0 ? String(number) : `${number}.${attnum}`;
}

/** The object in words: `table t`. */
export function describeDefinition(object: CatalogObject): string {
  switch (object.what) {
    case 'relation':
    case 'table':
      return `table ${object.name}`;
    case 'attribute':
    case 'column':
      return `column ${object.name}`;
    case 'check':
    case 'foreign key':
      return `constraint ${object.name}`;
    case 'enum':
    case 'base':
    case 'domain':
    case 'composite':
    case 'range':
      return `type ${object.name}`;
    case 'comment':
    case 'large object comment':
      return 'a comment';
    case 'facts':
      return 'storage parameters';
    case 'statistics':
      return 'statistics';
    case 'rights':
      return 'an owner';
    case 'author':
      return 'an author';
    case 'grant':
      return 'privileges';
    case 'default rights':
      return 'default privileges';
    case 'label':
      return 'a mask';
    case 'former label':
      return 'the mask of a dropped column';
    case 'cast':
      return 'a cast';
    case 'function':
      return `${routineWord(object)} ${object.name}`;
    case 'publication table':
      return 'a table of a publication';
    case 'publication schema':
      return 'a schema of a publication';
    case 'user mapping':
      return 'a user mapping';
    case 'family operator':
      return 'an operator of a family';
    case 'family function':
      return 'a function of an operator family';
    case 'row security':
      return 'row security';
    default:
      return `${object.what} ${object.name}`;
  }
}

/** What may be there only once; null for what has no name. */
export function scopedName(object: CatalogObject, objects: Objects): string | null {
  switch (object.what) {
    case 'table':
      return `relation\0public\0${object.name}`;
    case 'relation':
    case 'view':
    case 'sequence':
      return `relation\0${object.schema}\0${object.name}`;
    case 'index': {
      const table = objects.get(`t${pad(object.table)}`);
      return table?.what === 'relation' ? `relation\0${table.schema}\0${object.name}` : null;
    }
    case 'attribute':
      return `column\0${object.table}\0${object.name}`;
    case 'check':
    case 'foreign key':
      return `constraint\0${object.table}\0${object.name}`;
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'extended statistics':
      return `${object.what}\0${object.schema}\0${object.name}`;
    case 'policy':
    case 'trigger':
    case 'rule':
      return `${object.what}\0${object.table}\0${object.name}`;
    case 'enum':
    case 'base':
    case 'domain':
    case 'composite':
    case 'range':
      return `type\0${object.schema}\0${object.name}`;
    case 'schema':
    case 'publication':
    case 'subscription':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
      return `${object.what}\0${object.name}`;
    case 'user mapping':
      return `${object.what}\0${object.server}\0${object.role}`;
    case 'publication table':
      return `${object.what}\0${object.publication}\0${object.table}`;
    case 'function':
      return `function\0${object.schema}\0${object.name}(${inputTypes(object).join()})`;
    case 'operator':
      return `operator\0${object.schema}\0${object.name}(${object.left},${object.right})`;
    case 'operator family':
    case 'operator class':
      return `${object.what}\0${object.method}\0${object.schema}\0${object.name}`;
    case 'family operator':
    case 'family function':
      return `${object.what}\0${object.family}\0${object.place}(${object.left},${object.right})`;
    case 'cast':
      return `cast\0${object.from}\0${object.to}`;
    default:
      return null;
  }
}

/** The number of the table that the object is, or is part of. */
export function tableNumber(object: CatalogObject): number | null {
  if (object.what === 'relation' || object.what === 'table') return object.number;
  return 'table' in object ? object.table : null;
}

/** Whether SQL text has the name: by the word, which errs on the side of yes. `flags`: of a regular expression. */
export function mentions(sql: string, name: string, flags = ''): boolean {
  return sql.includes(inQuotes(name)) || new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, flags).test(sql);
}
