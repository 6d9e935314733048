/** No principal that reads masked columns masked may remove a mask: by restoring a moment without it, by a merge, or by undoing one. */
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import type { Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import { catalogAfter, type Catalog, readCatalog } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { catalogObject } from '../worlds/definition.ts';
import { columnsMasked, identitiesOf, masksOf } from '../worlds/masks.ts';
import { masksOfWorld } from '../worlds/world-masks.ts';
import type { World } from '../worlds/world.ts';
import { seesMasked } from './masked-rows.ts';

/** 42501 if the target state lacks a mask that the world has. */
export function refuseUnmaskedState(context: Context, by: Principal, world: World, target: Node): void {
  if (seesMasked(by, context)) return;
  refuseWithout(context, world, readCatalog(context.engine.pager, target), 'Who sees masked columns may go back there.');
}

/** 42501 if the changes would remove a mask. */
export function refuseUnmaskingChanges(context: Context, by: Principal, world: World, changes: readonly TreeChanges[]): void {
  const rows = changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [];
  const isLabel = (text: unknown): boolean => {
    const { what } = catalogObject(text as string);
    return what === 'label' || what === 'former label';
  };
  if (!rows.some(({ before, after }) => before !== null && after === null && isLabel(before[0]))) return;
  if (seesMasked(by, context)) return;
  refuseWithout(context, world, catalogAfter(context.catalog(world), rows), 'Who sees masked columns may do this.');
}

function refuseWithout(context: Context, world: World, then: Catalog, hint: string): void {
  const now = masksOfWorld(context, world);
  if (now.columns.size === 0) return;
  const { identities } = masksOf(then);
  for (const { table, column } of columnsMasked(context.catalog(world), now)) {
    const [number, name] = [then.byNumber.get(table.number), then.tables.get(table.name)];
    if (number === undefined && name === undefined) continue;
    if (identitiesOf(table, column).some((each) => identities.has(each))) continue;
    throw new SvcError('42501', `permission denied: columns of table ${table.name} were not masked then`, { hint });
  }
}
