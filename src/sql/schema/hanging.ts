/** What hangs on a definition, as keys of the catalog: for merges and undoings, which decide by definitions. */
import type { Catalog } from '../../worlds/catalog.ts';
import { type CatalogObject, isTypeObject } from '../../worlds/definition.ts';
import { dependents, type Definitions, type DropTarget, keyOf } from './drop.ts';

/** Keys of those that use it; what is part of it is left out, and so is what goes without anybody being asked. */
export function hangingOn(state: Definitions, catalog: Catalog, object: CatalogObject): string[] {
  const target = targetOf(object);
  if (target === null) return [];
  const keys = keysByTarget(catalog);
  return dependents(state, target).flatMap((each) => (each.part ? [] : (keys.get(keyOf(homeOf(each.target))) ?? [])));
}

const byTarget = new WeakMap<Catalog, ReadonlyMap<string, readonly string[]>>();

function keysByTarget(catalog: Catalog): ReadonlyMap<string, readonly string[]> {
  let known = byTarget.get(catalog);
  if (known !== undefined) return known;
  const made = new Map<string, string[]>();
  for (const [key, object] of catalog.objects) {
    const target = targetOf(object);
    if (target === null) continue;
    const name = keyOf(target);
    const list = made.get(name);
    if (list === undefined) made.set(name, [key]);
    else list.push(key);
  }
  known = made;
  byTarget.set(catalog, known);
  return known;
}

function targetOf(object: CatalogObject): DropTarget | null {
  if (isTypeObject(object)) return { kind: 'type', number: object.number };
  switch (object.what) {
    case 'relation':
      return { kind: 'table', number: object.number };
    case 'attribute':
      return { kind: 'column', table: object.table, column: object.number };
    case 'check':
    case 'foreign key':
      return { kind: 'constraint', table: object.table, name: object.name };
    case 'index':
      return object.constraint === null ? { kind: 'index', number: object.number } : { kind: 'constraint', table: object.table, name: object.constraint };
    case 'policy':
    case 'trigger':
    case 'rule':
      return { kind: object.what, table: object.table, name: object.name };
    case 'view':
    case 'sequence':
    case 'function':
    case 'operator':
    case 'cast':
    case 'operator family':
    case 'operator class':
    case 'family operator':
    case 'family function':
    case 'collation':
    case 'conversion':
    case 'text search dictionary':
    case 'text search configuration':
    case 'extended statistics':
    case 'publication table':
    case 'event trigger':
    case 'foreign data wrapper':
    case 'server':
    case 'user mapping':
      return { kind: object.what, number: object.number };
    default:
      return null;
  }
}

/** The definition that it is kept in. */
function homeOf(target: DropTarget): DropTarget {
  switch (target.kind) {
    case 'default':
      return { kind: 'column', table: target.table, column: target.column };
    case 'view default':
      return { kind: 'view', number: target.view };
    case 'domain constraint':
      return { kind: 'type', number: target.domain };
    case 'attribute':
      return { kind: 'type', number: target.composite };
    default:
      return target;
  }
}
