/** Catalog-only facts of objects and columns: storage parameters, statistics targets, persistence, and similar. */
import { optionParts } from '../../base/option-text.ts';
import { factsKey, type FactsObject } from '../../worlds/definition.ts';
import type { Ddl } from './ddl.ts';
import type { Schema } from './schema.ts';
import type { SqlType } from '../types/type.ts';
import type { SqlTable } from './table.ts';

export type Facts = Omit<FactsObject, 'what' | 'object' | 'attnum'>;

export function factsOf(schema: Schema, object: number, attnum = 0): Facts | null {
  const found = schema.catalog.objects.get(factsKey(object, attnum));
  return found?.what === 'facts' ? found : null;
}

/** The collation that a domain was created with; undefined for another type. */
export function domainCollation(schema: Schema, type: SqlType): string | undefined {
  return type.domain === null ? undefined : factsOf(schema, type.oid)?.collation;
}

/** INCLUDE columns of a primary key, by their position in the table. */
export function includedInKey(schema: Schema, table: SqlTable): number[] {
  const number = schema.primaryKeyNumber(table);
  const included = number === undefined ? undefined : factsOf(schema, number)?.include;
  return (included ?? []).flatMap((column) => {
    const at = table.columns.findIndex((each) => each.number === column);
    return at < 0 ? [] : [at];
  });
}

const collations = new WeakMap<Schema, Map<SqlTable, readonly (string | null)[] | null>>();

/** Non-default collations of a table's columns, in order; null: none. */
export function collationsOf(schema: Schema, table: SqlTable): readonly (string | null)[] | null {
  let known = collations.get(schema);
  if (known === undefined) collations.set(schema, (known = new Map()));
  let own = known.get(table);
  if (own === undefined) {
    const all = table.columns.map(({ attnum, type }) => factsOf(schema, table.number, attnum)?.collation ?? domainCollation(schema, type) ?? null);
    known.set(table, (own = all.some((each) => each !== null) ? all : null));
  }
  return own;
}

/** `undefined` values remove a fact; an empty row is removed. */
export function putFacts(ddl: Ddl, object: number, attnum: number, change: { readonly [name in keyof Facts]: Facts[name] | undefined }): void {
  const key = factsKey(object, attnum);
  const known = ddl.definitions.get(key);
  const next: FactsObject = { ...(known?.what === 'facts' ? known : {}), ...change, what: 'facts', object, attnum };
  const said = Object.entries(next).filter(([, value]) => value !== undefined);
  if (said.length > 3) ddl.put(Object.fromEntries(said) as unknown as FactsObject);
  else if (known !== undefined) ddl.remove(next);
}

/** Removes the facts of an object that is replaced by another. */
export function forgetFacts(ddl: Ddl, object: number): void {
  const known = ddl.definitions.get(factsKey(object, 0));
  if (known !== undefined) ddl.remove(known);
}

/** Options after SET and RESET, in their order. */
export function changedOptions(known: readonly string[], set: readonly string[], reset: readonly string[]): string[] | undefined {
  const nameOf = (text: string): string => optionParts(text)[0];
  const gone = new Set([...reset, ...set.map(nameOf)]);
  const out = [...known.filter((each) => !gone.has(nameOf(each))), ...set];
  return out.length === 0 ? undefined : out;
}
