/** The dependents of a definition as catalog keys, for merges and undo, which work on definitions. */
import type { Catalog } from '../../worlds/catalog.ts';
import type { CatalogObject } from '../../worlds/definition.ts';
import { addressOf } from '../../worlds/kinds/registry.ts';
import { type Definitions, type DropTarget, keyOf } from './drop-target.ts';
import { dependents } from './dependents.ts';

/** Keys of the definitions that depend on it, except its parts and what would be dropped silently. */
export function dependentDefinitions(state: Definitions, catalog: Catalog, object: CatalogObject): string[] {
  const target = addressOf(object);
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
    const target = addressOf(object);
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

/** The definition that contains it. */
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
