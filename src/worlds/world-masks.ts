/**
 * The masks of a world: its own labels and those of its parents. A fork made before its parent got a label is masked like the
 * parent. If a fork had the label and a principal that sees masked columns removed it there, the fork is not masked.
 */
import { readCatalog } from './catalog.ts';
import type { Context } from './context.ts';
import { type Masks, masksOf, masksWith, NO_MASKS } from './masks.ts';
import type { World } from './world.ts';

const known = new WeakMap<World, { readonly own: Masks; readonly above: Masks; readonly base: unknown; readonly masks: Masks }>();

export function masksOfWorld(context: Context, world: World): Masks {
  const isOpen = world.status === 'open';
  const own = isOpen ? masksOf(context.catalog(world)) : NO_MASKS;
  const parent = world.parent === 0 ? null : (context.state.worlds.byNumber(world.parent) ?? context.state.worlds.endedByNumber(world.parent));
  if (parent === null) return own;
  const above = masksOfWorld(context, parent);
  if (above === NO_MASKS) return own;
  // An ended world has no definitions of its own any more.
  if (!isOpen) return above;
  const last = known.get(world);
  if (last !== undefined && last.own === own && last.above === above && last.base === world.base) return last.masks;
  const base = masksOf(readCatalog(context.engine.pager, world.base));
  const taken = [...base.identities.keys()].filter((key) => !own.identities.has(key));
  const identities = taken.length === 0 ? above.identities : new Map([...above.identities].filter(([key]) => !taken.includes(key)));
  const masks = masksWith(context.catalog(world), [taken.length === 0 ? above : { ...above, identities }]);
  known.set(world, { own, above, base: world.base, masks });
  return masks;
}
