/** Stale reads: whether a world checks its reads, and what of its read set has changed in its parents. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Catalog } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { rowKey } from '../worlds/keys.ts';
import type { TypedTables } from '../worlds/typed-tables.ts';
import type { World } from '../worlds/world.ts';

/** Maximum number of keys listed. */
const NAMED_MAX = 100;

/** Keys (`<table>/<id>`) that the world read and its parent changed since the fork point; null: it does not check its reads. */
export function staleReads(context: Context, world: World): string[] | null {
  const reads = context.reads.known(world);
  if (reads === null) return context.checksReads(world) ? [] : null;
  const parent = context.state.worlds.byNumber(world.parent);
  if (parent === null) return [];
  const catalog = context.catalog(parent);
  const found = new Set<string>();
  reads.eachChange(context.engine.pager, world.base, parent.root, (tree, key) => {
    found.add(nameOf(context.typed, catalog, tree, key));
    return found.size < NAMED_MAX;
  });
  return [...found];
}

export function checkReads(context: Context, branch: string): { branch: string; stale: boolean; changed: { checked_against: string; changed: string[] }[] } {
  const world = context.writable(branch);
  const stale = staleReads(context, world);
  if (stale === null) {
    throw new SvcError('55000', `world "${world.name}" does not check its reads`, {
      hint: 'Worlds do whose agent is under a policy with check_reads.',
      status: 409,
    });
  }
  const parent = context.state.worlds.byNumber(world.parent);
  return { branch: world.name, stale: stale.length > 0, changed: stale.length === 0 ? [] : [{ checked_against: parent?.name ?? '', changed: stale }] };
}

/** For an entry of an index, name its table. */
function nameOf(typed: TypedTables, catalog: Catalog, tree: number, key: string | number): string {
  const table = catalog.byNumber.get(tree);
  if (table !== undefined) return rowKey(typed, table, key);
  const index = catalog.indexes.get(tree);
  const of = index === undefined ? undefined : catalog.byNumber.get(index.table);
  return of === undefined ? 'a table that is gone' : of.name;
}
