/** Which relations' rows are the type of something: of a column, an argument, a result, a domain. */
import { type Catalog, originOf } from '../../worlds/catalog.ts';
import { type CatalogObject, relationOfRowType } from '../../worlds/definition.ts';

const known = new WeakMap<Catalog, ReadonlySet<number>>();

/** Catalogs between one and the last that was looked through. */
const STEPS_MAX = 32;

/** Numbers of those relations; one or the other may be among them that was so before and is not any more. Costs what changed since it was last asked. */
export function rowsInUse(catalog: Catalog): ReadonlySet<number> {
  const added = new Set<number>();
  let used: ReadonlySet<number> | undefined;
  let at = catalog;
  for (let step = 0; step < STEPS_MAX; step++) {
    used = known.get(at);
    if (used !== undefined) break;
    const origin = originOf(at);
    const from = origin?.from.deref();
    if (origin === null || from === undefined) break;
    for (const { after } of origin.changes.values()) if (after !== undefined) addRows(added, after);
    at = from;
  }
  if (used === undefined) {
    for (const object of catalog.objects.values()) addRows(added, object);
    used = added;
  } else if (added.size > 0) used = new Set([...used, ...added]);
  known.set(catalog, used);
  return used;
}

function addRows(into: Set<number>, object: CatalogObject): void {
  for (const type of typesOf(object)) {
    const relation = relationOfRowType(type);
    if (relation !== null) into.add(relation);
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
