/**
 * Names of definitions in merges. A conflict in a definition has a key of the same form as a
 * row's, in a reserved table:
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
import { type CatalogObject, tableDefinitionKey } from '../definition.ts';
import type { Names } from '../kinds/kind.ts';
import { kindOf } from '../kinds/registry.ts';
import { escapePart } from '../keys.ts';
import type { TypedTables } from '../typed-tables.ts';

export const SCHEMA_TABLE = '_svc_schema';

type TypeNames = Pick<TypedTables, 'typeName'>;

export type Objects = ReadonlyMap<string, CatalogObject>;

export function definitionConflictKey(typed: TypeNames, object: CatalogObject, catalogs: readonly Catalog[]): string {
  return `${SCHEMA_TABLE}/${escapePart(pathOf(typed, object, catalogs))}`;
}

/** Whether a key of `picks` refers to a definition. */
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

function pathOf(typed: TypeNames, object: CatalogObject, catalogs: readonly Catalog[]): string {
  return kindOf(object).path(object, namesIn(typed, catalogs));
}

function namesIn(typed: TypeNames, catalogs: readonly Catalog[]): Names {
  return {
    table: (number) => {
      for (const { byNumber } of catalogs) {
        const found = byNumber.get(number);
        if (found !== undefined) return found.name;
      }
      return String(number);
    },
    type: (oid) => typed.typeName(oid, catalogs),
    object: (number, attnum = 0) => {
      for (const { objects } of catalogs) {
        for (const each of objects.values()) {
          if (attnum > 0 && each.what === 'attribute' && each.table === number && each.attnum === attnum) return pathOf(typed, each, catalogs);
          if (attnum === 0 && 'number' in each && each.number === number) return pathOf(typed, each, catalogs);
        }
      }
      return attnum === 0 ? String(number) : `${number}.${attnum}`;
    },
  };
}

/** The object in words, with its name: `table t`, `column t.v`, `comment on column t.v`, `privileges on view cheap`. */
export function definitionTitle(typed: TypeNames, object: CatalogObject, catalogs: readonly Catalog[]): string {
  return kindOf(object).title?.(object, namesIn(typed, catalogs)) ?? pathOf(typed, object, catalogs).replace(':', ' ');
}

/** The definition's SQL if it has a text of its own, else its title. */
export function definitionWords(typed: TypedTables, catalog: Catalog, object: CatalogObject): string {
  return typed.definitionText(catalog, object)?.replace(/;$/, '') ?? definitionTitle(typed, object, [catalog]);
}

/** A table with its constraints and indexes. */
export function tableWords(typed: TypedTables, catalog: Catalog, number: number): string {
  const { object, constraints, indexes } = catalog.byNumber.get(number)!.relation!;
  const texts = [object, ...constraints, ...indexes].map((each) => definitionWords(typed, catalog, each));
  return texts.map((text) => `${text};`).join(' ');
}

/** The object in words: `table t`. */
export function describeDefinition(object: CatalogObject): string {
  return kindOf(object).words(object);
}

/** Its name in its namespace, which must be unique; null without a name. */
export function scopedName(object: CatalogObject, objects: Objects): string | null {
  return kindOf(object).scopedName(object, (number) => {
    const table = objects.get(tableDefinitionKey(number));
    return table?.what === 'relation' ? table.schema : null;
  });
}

/** The number of the table that the object is, or belongs to. */
export function tableNumber(object: CatalogObject): number | null {
  if (object.what === 'relation' || object.what === 'table') return object.number;
  return 'table' in object ? object.table : null;
}

/** Whether SQL text mentions the name: by word match, so it may report false positives. `flags`: of a regular expression. */
export function mentions(sql: string, name: string, flags = ''): boolean {
  return sql.includes(inQuotes(name)) || new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, flags).test(sql);
}
