/**
 * Rules of the types of a table's columns, compared between two catalogs: conditions and NOT NULL of domains, labels of
 * enums, including those of component types. Rows written under other rules must be checked again.
 */
import type { Catalog } from './catalog.ts';
import { type CatalogObject, FIRST_OWN, isTypeObject, type TypeObject, typeOids, typesWithin } from './definition.ts';
import { checkedOf, storedOf } from './kinds/registry.ts';

const known = new WeakMap<ReadonlyMap<string, CatalogObject>, ReadonlyMap<number, TypeObject>>();

/** The world's own types, by each of their oids. */
export function typesByOid({ objects }: Catalog): ReadonlyMap<number, TypeObject> {
  let types = known.get(objects);
  if (types === undefined) {
    const made = new Map<number, TypeObject>();
    for (const object of objects.values()) if (isTypeObject(object)) for (const oid of typeOids(object)) made.set(oid, object);
    known.set(objects, (types = made));
  }
  return types;
}

/** Enum labels that rows refer to, and rules that rows are known to satisfy. */
export function typeRules(catalog: Catalog, table: number, what: 'all' | 'domains' = 'all'): string {
  const attributes = catalog.byNumber.get(table)?.relation?.attributes ?? [];
  const own = attributes.filter(({ type }) => type >= FIRST_OWN);
  if (own.length === 0) return '';
  const types = typesByOid(catalog);
  if (types.size === 0) return '';
  const seen = new Map<number, unknown>();
  const walk = (oid: number): void => {
    const object = types.get(oid);
    if (object === undefined || seen.has(object.number)) return;
    seen.set(object.number, rulesOf(object, what));
    typesWithin(object).forEach(walk);
  };
  for (const { type } of own) walk(type);
  const rules = [...seen].filter(([, each]) => each !== null).sort(([a], [b]) => a - b);
  return rules.length === 0 ? '' : JSON.stringify(rules);
}

function rulesOf(object: TypeObject, what: 'all' | 'domains'): unknown {
  return checkedOf(object) ?? (what === 'all' ? storedOf(object) : null);
}
