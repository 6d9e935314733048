/**
 * The base state of a merge of two worlds: their last common state. After criss-cross merges with third worlds there may be
 * several, none including another: these are merged with each other first, as git does.
 */
import type { Node } from '../../tree/node.ts';
import { applyToWorld } from '../apply.ts';
import { readCatalog } from '../catalog.ts';
import type { Context } from '../context.ts';
import type { CommonBase } from '../world.ts';
import { planMerge, type Side } from './plan.ts';

export function mergeBase(context: Context, { roots, under }: CommonBase): Node {
  let [base] = roots;
  if (under === null) return base;
  const { pager } = context.engine;
  const side = (root: Node): Side => ({ name: 'base', root, catalog: readCatalog(pager, root) });
  for (const root of roots.slice(1)) {
    // Conflicts between the bases take the latest one: either way each side is compared with a state that it knows.
    const plan = planMerge(
      pager,
      context.state.objects,
      { typed: context.typed, base: side(under), ours: side(base), theirs: side(root), resolve: 'ours', columns: false },
      { rows: false, baseChanges: false },
    );
    base = applyToWorld(pager, base, plan.changes, pager.newEdit());
  }
  return base;
}
