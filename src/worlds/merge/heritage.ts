/**
 * What tables of a merge's result have by way of their parents. One side may have detached a table from its parent (DETACH PARTITION, NO
 * INHERIT) while the other gave the parent a column, a check, an index, a foreign key or a trigger, which then came to the table as the
 * parent's: it is the table's own from now on, as it would have been had it come first. Triggers go, as DETACH drops them.
 */
import type { CatalogObject, RelationObject } from '../definition.ts';
import type { Objects } from './definition-names.ts';

/** Objects that come out otherwise, by their keys; undefined: it goes. */
export function withoutLostParents(result: Objects): Map<string, CatalogObject | undefined> {
  const relations = new Map<number, RelationObject>();
  const numbered = new Map<number, CatalogObject>();
  /** Names of columns and checks, by table. */
  const names = new Set<string>();
  for (const object of result.values()) {
    if (object.what === 'relation') relations.set(object.number, object);
    else if (object.what === 'attribute' || object.what === 'check') names.add(`${object.what} ${object.table} ${object.name}`);
    if (object.what === 'relation' && object.primaryKey !== null) numbered.set(object.primaryKey.number, object);
    else if (object.what === 'index' || object.what === 'foreign key' || object.what === 'trigger') numbered.set(object.number, object);
  }
  const out = new Map<string, CatalogObject | undefined>();
  const tableOf = (object: CatalogObject | undefined): number | null =>
    object === undefined ? null : object.what === 'relation' ? object.number : 'table' in object && typeof object.table === 'number' ? object.table : null;
  /** Whether the parent's object that this one is part of is one of a parent that the table still has. */
  const isPart = (table: number, parent: number): boolean => {
    const of = tableOf(numbered.get(parent));
    return of !== null && relations.get(table)?.parents?.includes(of) === true;
  };
  for (const [key, object] of result) {
    if ((object.what === 'attribute' || object.what === 'check') && object.inherited !== undefined) {
      const { inherited, notLocal: _, ...own } = object;
      const count = (relations.get(object.table)?.parents ?? []).filter((parent) => names.has(`${object.what} ${parent} ${object.name}`)).length;
      if (count === 0) out.set(key, own as CatalogObject);
      else if (count < inherited) out.set(key, { ...object, inherited: count });
    } else if (object.what === 'relation' && object.primaryKey?.parent !== undefined && !isPart(object.number, object.primaryKey.parent)) {
      const { parent: _, ...own } = object.primaryKey;
      out.set(key, { ...object, primaryKey: own });
    } else if ((object.what === 'index' || object.what === 'foreign key') && object.parent !== undefined && !isPart(object.table, object.parent)) {
      const { parent: _, ...own } = object;
      out.set(key, own as CatalogObject);
    } else if (object.what === 'trigger' && object.parent !== undefined && !isPart(object.table, object.parent)) out.set(key, undefined);
  }
  return out;
}
