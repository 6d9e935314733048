/**
 * Inheritance in a merge's result. One side may have detached a table from its parent (DETACH PARTITION, NO INHERIT) while
 * the other added a column, a check, an index, a foreign key or a trigger to the parent, which the table then inherited: it
 * becomes the table's own, as if it had been added before. Triggers are dropped, as DETACH drops them.
 */
import type { Catalog } from '../catalog.ts';
import type { CatalogObject, RelationObject } from '../definition.ts';
import { describeDefinition, type Objects } from './definition-names.ts';

/** Properties of a table that each child has as well, by a text of what matters for children. */
function forChildren(catalog: Catalog, table: number): Map<string, CatalogObject> {
  const relation = catalog.byNumber.get(table)?.relation;
  const out = new Map<string, CatalogObject>();
  if (!relation) return out;
  const { attributes, indexes, constraints } = relation;
  for (const each of attributes) out.set(JSON.stringify(['column', each.name, each.type, each.typmod, each.notNull, each.generated]), each);
  for (const each of constraints) if (each.what !== 'check' || each.noInherit !== true) out.set(JSON.stringify([each.what, each.number, each.name]), each);
  if (relation.object.partitionBy === undefined) return out;
  if (relation.object.primaryKey !== null) out.set(JSON.stringify(['key', relation.object.key]), relation.object);
  for (const each of indexes) out.set(JSON.stringify(['index', each.number]), each);
  for (const each of catalog.objects.values()) if (each.what === 'trigger' && each.table === table) out.set(JSON.stringify(['trigger', each.number]), each);
  return out;
}

/** How one side changed inherited properties, in words; null: not at all. */
export function changedForChildren(base: Catalog, side: Catalog, table: number): string | null {
  if (base.byNumber.get(table) === side.byNumber.get(table)) return null;
  if (!base.byNumber.get(table)?.relation || !side.byNumber.get(table)?.relation) return null;
  const [before, after] = [forChildren(base, table), forChildren(side, table)];
  for (const [key, object] of after) if (!before.has(key)) return object.what === 'relation' ? 'its primary key' : describeDefinition(object);
  for (const [key, object] of before)
    if (!after.has(key)) return object.what === 'relation' ? 'its primary key' : `${describeDefinition(object)}, which is gone`;
  return null;
}

/** Objects that differ in the result, by key; undefined: dropped. */
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
  /** Whether the object's parent object belongs to a parent that the table still has. */
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

/** A table that lacks what children of its parent must have, or has as inherited what the parent lacks. */
export interface UnlikeChild {
  readonly child: RelationObject;
  readonly parent: RelationObject;
  /** The column or the check, in words. */
  readonly what: string;
}

export function unlikeChild(objects: Objects): UnlikeChild | null {
  const relations = new Map<number, RelationObject>();
  for (const object of objects.values()) if (object.what === 'relation') relations.set(object.number, object);
  const children = [...relations.values()].filter(({ parents }) => parents !== undefined);
  if (children.length === 0) return null;
  const near = new Set(children.flatMap(({ number, parents }) => [number, ...parents!]));
  /** By table: columns as name and type, checks by name, each with its object. */
  const has = new Map<number, Map<string, CatalogObject>>();
  for (const object of objects.values()) {
    if ((object.what !== 'attribute' && object.what !== 'check') || !near.has(object.table)) continue;
    if (object.what === 'check' && object.noInherit === true) continue;
    let of = has.get(object.table);
    if (of === undefined) has.set(object.table, (of = new Map()));
    of.set(object.what === 'check' ? `check ${object.name}` : `column ${object.name} ${object.type} ${object.typmod}`, object);
  }
  for (const child of children) {
    const own = has.get(child.number) ?? new Map<string, CatalogObject>();
    for (const number of child.parents!) {
      const parent = relations.get(number);
      if (parent === undefined) continue;
      for (const [what, object] of has.get(number) ?? []) if (!own.has(what)) return { child, parent, what: describeDefinition(object) };
    }
    const first = relations.get(child.parents![0]);
    if (first === undefined) continue;
    // A partition has no columns of its own.
    for (const [what, object] of own)
      if (
        (('notLocal' in object && object.notLocal === true) || (child.bound !== undefined && object.what === 'attribute')) &&
        !child.parents!.some((number) => has.get(number)?.has(what) === true)
      )
        return { child, parent: first, what: describeDefinition(object) };
  }
  return null;
}
