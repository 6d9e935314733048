/** Relations whose row types are used: by a column, an argument, a result, a domain. */
import { type Catalog, knownBefore } from '../../worlds/catalog.ts';
import { type CatalogObject, relationOfRowType } from '../../worlds/definition.ts';

const known = new WeakMap<Catalog, ReadonlySet<number>>();

/** Numbers of those relations; may include former ones. The cost is that of the changes since the last call. */
export function rowsInUse(catalog: Catalog): ReadonlySet<number> {
  let used = known.get(catalog);
  if (used === undefined) known.set(catalog, (used = changedUse(catalog) ?? new Set(rowsOf(catalog.objects.values()))));
  return used;
}

function changedUse(catalog: Catalog): ReadonlySet<number> | null {
  const before = knownBefore(catalog, (each) => known.get(each));
  if (before === null) return null;
  const made = before.changes.flatMap((changes) => Array.from(changes.values(), ({ after }) => after)).filter((after) => after !== undefined);
  const added = [...rowsOf(made)];
  return added.length === 0 ? before.known : new Set([...before.known, ...added]);
}

function* rowsOf(objects: Iterable<CatalogObject>): Iterable<number> {
  for (const object of objects) {
    for (const type of typesOf(object)) {
      const relation = relationOfRowType(type);
      if (relation !== null) yield relation;
    }
  }
}

function typesOf(object: CatalogObject): readonly number[] {
  switch (object.what) {
    case 'attribute':
      return [object.type];
    case 'view':
      return object.columns.map(({ type }) => type);
    case 'function':
      return [object.returns, ...object.args.map(({ type }) => type)];
    case 'composite':
      return object.attributes.map(({ type }) => type);
    case 'domain':
      return [object.base];
    default:
      return [];
  }
}
