/**
 * Plans merges while other clients run. Short ones are planned in one tick. Longer ones run in time slices over the states as
 * they were at the start; worlds may change meanwhile, and a plan is valid as long as nothing that it read has changed.
 * Otherwise it is made again, at last in one tick, so that a world that is written all the time can be merged too.
 */
import { inTurns } from '../base/slices.ts';
import { CATALOG_TREE, EFFECT_TREE, SEQUENCE_TREE, countRows } from '../events/changes.ts';
import type { Branch } from '../worlds/apply.ts';
import { changedTrees, ROWS_A_STEP } from '../worlds/changes-between.ts';
import type { Context } from '../worlds/context.ts';
import { catalogObject } from '../worlds/definition.ts';
import { LARGE_ROWS, type PreparedChanges, preparedSteps } from '../worlds/prepared-changes.ts';
import { sequencesOnward } from '../worlds/sequences.ts';
import { isMain } from '../session/authorize.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { RunControl } from './contract.ts';
import type { MergeAttempt } from './merge-guard.ts';

/** The attempt, or a promise of it if it yields (`mayWait`); see `stillHolds`. `roots`: states to pin meanwhile, read at that time. */
export function planned(
  context: Context,
  steps: Generator<void, MergeAttempt>,
  roots: () => readonly Node[],
  mayWait: boolean,
  { signal, onProgress }: RunControl,
): MergeAttempt | Promise<MergeAttempt> {
  let total = 0;
  return inTurns(steps, mayWait, {
    roots: () => {
      const states = roots();
      if (onProgress !== undefined) total = rowsToSee(context, states);
      return states;
    },
    hold: (root) => context.engine.hold(root),
    between: (done) => {
      signal?.throwIfAborted();
      if (total > LARGE_ROWS) onProgress?.(Math.min(done * ROWS_A_STEP, total), total);
    },
  });
}

/** Estimated rows that a plan reads: those of the changed trees, once for the diff and once for checking the result. */
function rowsToSee({ engine: { pager } }: Context, [branch, target]: readonly Node[]): number {
  let rows = 0;
  for (const { from, to } of changedTrees(pager, target, branch)) rows += Math.max(from?.count ?? 0, to?.count ?? 0);
  return 2 * rows;
}

/** Whether a plan over earlier states is still valid. If the target changed only where the plan did not read, the attempt continues on its current state. */
export function stillHolds(context: Context, attempt: MergeAttempt): boolean {
  const { branch, target, plan, sides } = attempt;
  const { pager } = context.engine;
  // An ended world, or one reset to the durable state, invalidates the plan.
  if ([branch, target].some((world) => world.status !== 'open' || context.state.worlds.byNumber(world.number) !== world)) return false;
  if (branch.version !== attempt.versions.branch) return false;
  if (target.version === attempt.versions.target) return true;
  if (attempt.input.target !== undefined || plan.conflicts.length > 0) return false;
  const { roots } = context.state.worlds.common(branch, target);
  if (roots.length !== attempt.bases.length || roots.some((root, i) => root !== attempt.bases[i])) return false;
  const { ours } = sides;
  for (const { tree } of changedTrees(pager, ours.root, target.root)) {
    if (tree === CATALOG_TREE || tree === EFFECT_TREE || plan.reads.has(tree)) return false;
  }
  const sequences = sequencesOnward(pager, target.root, sides.theirs.root, sides.base.root);
  plan.changes = [...plan.changes.filter(({ tree }) => tree !== SEQUENCE_TREE), ...sequences];
  ours.root = context.state.worlds.share(target);
  attempt.versions.target = target.version;
  return true;
}

/**
 * Encodes and applies a large merge's changes in time slices; null for small ones. Merges with a quick plan (`isQuick`) take
 * over whole subtrees of the branch in one tick; indexes are built row by row.
 */
export function prepareMerge(
  context: Context,
  attempt: MergeAttempt,
  isQuick: boolean,
  whole: boolean,
  { signal }: RunControl,
): PreparedChanges | Promise<PreparedChanges> | null {
  const { plan, target, branch, sides } = attempt;
  if (plan.conflicts.length > 0) return null;
  const rows = isQuick ? 0 : countRows(plan.changes) + countRows(plan.baseChanges);
  if (rows + indexedRows(context, attempt) <= LARGE_ROWS) return null;
  const base = sides.ours.root;
  const changes = isMain(target) ? plan.changes.filter(({ tree }) => tree !== EFFECT_TREE) : plan.changes;
  const common: Branch | null =
    whole && attempt.bases.length === 1 ? { base: sides.base.root, theirs: context.state.worlds.share(branch), disjoint: plan.disjoint } : null;
  context.state.worlds.share(target);
  return inTurns(preparedSteps(context.engine.pager, base, changes, [...plan.changes, ...plan.baseChanges], common), true, {
    roots: () => [base, sides.base.root, sides.theirs.root],
    hold: (root) => context.engine.hold(root),
    between: () => signal?.throwIfAborted(),
  });
}

/** Rows to read for the merge's new indexes. */
function indexedRows(context: Context, { plan, sides }: MergeAttempt): number {
  let rows = 0;
  for (const { tree, rows: definitions } of plan.changes) {
    if (tree !== CATALOG_TREE) continue;
    for (const { before, after } of definitions) {
      const object = before === null && after !== null ? catalogObject(after[0] as string) : null;
      if (object?.what === 'index') rows += childRoot(context.engine.pager, sides.ours.root, object.table)?.count ?? 0;
    }
  }
  return rows;
}
