/** The constraints of a merge: typed tables derive and check its result. */
import { CATALOG_TREE } from '../../events/changes.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Objects } from '../world.ts';
import { type Computed, joinComputed } from './computed.ts';
import type { Plan, PlanInput } from './plan.ts';

/** Derives and checks values of typed tables in the result. */
export function* checkResult(
  pager: Pager,
  objects: Objects,
  { typed, base, ours, theirs, columns }: PlanInput,
  plan: Plan,
  partial: boolean,
): Generator<void, Computed[]> {
  const merged = plan.result;
  if (plan.conflicts.length > 0 || !plan.changes.some(({ tree }) => merged.byNumber.get(tree)?.relation || (tree === CATALOG_TREE && merged.byNumber.size > 0)))
    return [];
  if (![...merged.byNumber.values()].some(({ relation }) => relation !== null)) return [];
  const { changes, conflicts, reads } = yield* typed.judge({
    pager,
    objects,
    catalog: ours.catalog,
    root: ours.root,
    merged,
    theirs: theirs.catalog,
    base: base.root,
    baseCatalog: base.catalog,
    changes: plan.changes,
    columns,
    partial,
    names: { ours: ours.name, theirs: theirs.name },
  });
  plan.conflicts.push(...conflicts);
  for (const table of reads) plan.reads.add(table);
  plan.derives = changes.length > 0;
  return yield* joinComputed(plan.changes, changes, merged);
}
