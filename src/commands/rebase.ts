/** Rebase of a world onto its parent's current state. */
import { LOST_MAX } from '../base/slices.ts';
import { countRows } from '../events/changes.ts';
import { authorize } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import { admitRows } from '../worlds/admit-changes.ts';
import type { Context } from '../worlds/context.ts';
import type { MergeInput, RebaseInput, RunControl } from './contract.ts';
import { conflictError } from './merge-conflicts.ts';
import type { MergeGuard } from './merge-guard.ts';
import { planned, stillHolds } from './planned-merge.ts';
import { rowsOfDefinitions } from './rows-of-definitions.ts';
import { attemptSteps, sharedRoots } from './merge-attempt.ts';

export async function rebaseWorld(
  context: Context,
  input: RebaseInput,
  by: Principal,
  guard: MergeGuard,
  control: RunControl = {},
): Promise<{ ok: true; rebased: number; version: number }> {
  await context.engine.admit();
  const { columns, picks, resolve, version: seen, strict } = input;
  const asMerge: MergeInput = { branch: input.branch, columns, picks, resolve, version: seen, strict };
  for (let tries = 1; ; tries++) {
    const branch = context.writable(input.branch);
    authorize(by, { what: 'change', world: branch, as: 'rebase' });
    context.parentOf(branch);
    guard.rebasing(branch);
    const made = planned(context, attemptSteps(context, asMerge, false), () => sharedRoots(context, asMerge), tries <= LOST_MAX, control);
    const attempt = made instanceof Promise ? await made : made;
    if (made instanceof Promise && !stillHolds(context, attempt)) continue;
    const { target, plan } = attempt;
    if (plan.conflicts.length > 0) throw conflictError(branch.name, target.name, plan.conflicts);
    if (made instanceof Promise) {
      authorize(by, { what: 'change', world: branch, as: 'rebase' });
      guard.rebasing(branch);
    }
    admitRows(by, branch, Object.keys(input.picks ?? {}).length);
    const rebased = countRows(plan.changes) + rowsOfDefinitions(context.engine.pager, target.root, plan.changes);
    const { sequence } = context.engine.commit({ type: 'rebased', changes: plan.changes }, branch.number, actorName(by));
    const { version } = branch;
    await context.engine.durable(sequence);
    return { ok: true, rebased, version };
  }
}
