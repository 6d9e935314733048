/** Merge of a world: planned, judged, written to an external Postgres where tables are attached, committed. */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { runSteps } from '../base/run-steps.ts';
import { LOST_MAX } from '../base/slices.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Merged } from '../events/types/merged.ts';
import { authorize, isMain } from '../session/authorize.ts';
import { actorName, type Principal } from '../session/principal.ts';
import { admitChanges } from '../worlds/admit-changes.ts';
import type { Context } from '../worlds/context.ts';
import { mergedRows } from '../worlds/merge/summary.ts';
import type { HeldRows } from '../worlds/external.ts';
import type { MergeInput, MergeReply, RunControl } from './contract.ts';
import { conflictError } from './merge-conflicts.ts';
import { checkSeen, mergeHashSteps } from './merge-hash.ts';
import type { MergeGuard } from './merge-guard.ts';
import { prepareMerge, planned, stillHolds } from './planned-merge.ts';
import { directForks, openForks } from './worlds.ts';
import { refuseUnmaskingChanges } from './masks-kept.ts';
import { attemptSteps, checkConfirm, isPart, sharedRoots } from './merge-attempt.ts';
import { checkCancelled, hashOf } from './merge-turns.ts';
import { NOTHING_OVER } from './taken-over.ts';

/** Planning that took longer yields before the commit. */
const LONG_PLAN_MS = 25;

/** Times that a merge is judged again because a world changed while its checks ran. */
const ATTEMPTS_MAX = 20;

export async function mergeWorld(
  context: Context,
  input: MergeInput,
  by: Principal,
  guard: MergeGuard,
  approved = false,
  control: RunControl = {},
): Promise<MergeReply> {
  const outside: Outside = { held: null };
  try {
    return await mergeInto(context, input, by, guard, approved, control, outside);
  } finally {
    await outside.held?.release();
  }
}

/** What a merge holds in an external Postgres while it is planned again. */
interface Outside {
  held: HeldRows | null;
}

/** Attempts after which rows that change in an external Postgres stay locked while the merge is planned again. */
const UNLOCKED_MAX = 2;

async function mergeInto(
  context: Context,
  input: MergeInput,
  by: Principal,
  guard: MergeGuard,
  approved: boolean,
  control: RunControl,
  outside: Outside,
): Promise<MergeReply> {
  const { signal } = control;
  checkConfirm(input);
  await context.engine.admit();
  /** Plans that became invalid. */
  let lost = 0;
  for (let attempts = 1; ; attempts++) {
    const begunMs = performance.now();
    const steps = attemptSteps(
      context,
      input,
      false,
      (from, into) => {
        // An approving reviewer needs no right to merge: the guard has allowed it.
        if (!approved) authorize(by, { what: 'merge', branch: from, into, isParent: into.number === from.parent });
      },
      approved,
      by,
    );
    const made = planned(context, steps, () => sharedRoots(context, input), lost < LOST_MAX, control);
    const attempt = made instanceof Promise ? await made : made;
    const { branch, target, stays, plan } = attempt;
    const whole = !isPart(input) && input.picks === undefined && !plan.derives;
    const ahead = lost < LOST_MAX ? prepareMerge(context, attempt, !(made instanceof Promise), whole, control) : null;
    const ready = ahead instanceof Promise ? await ahead : ahead;
    const hash = input.diff === undefined ? null : lost < LOST_MAX ? hashOf(context, attempt, signal) : runSteps(mergeHashSteps(attempt));
    if (hash !== null) checkSeen(input.diff!, hash instanceof Promise ? await hash : hash, branch.name);
    if ((made instanceof Promise || ahead instanceof Promise || hash instanceof Promise) && !stillHolds(context, attempt)) {
      lost++;
      continue;
    }
    const confirmed = input.confirm === true && !stays;
    if (context.state.worlds.isFlagged(branch) && input.version === undefined && !confirmed) {
      throw new SvcError('55000', `world "${branch.name}" was open during a crash and is flagged`, {
        hint: 'Look at its diff, then merge with that `version`, or with `confirm: true` to take it as it is; or discard it.',
      });
    }
    // The fork point of the target moves to its parent's current state, as in a rebase.
    if (branch.number === target.parent && !isPart(input)) guard.rebasing(target);
    if (!stays && branch.children > 0) throw openForks(branch, directForks(context, branch), 'merged');
    if (plan.conflicts.length > 0) {
      guard.conflicted(attempt, by);
      throw conflictError(branch.name, target.name, plan.conflicts);
    }
    const { versions } = attempt;
    let passage = guard.judge(attempt, by, signal);
    const late = attempts === 1 && signal !== undefined && performance.now() - begunMs > LONG_PLAN_MS;
    if (passage instanceof Promise || late) {
      passage = await passage;
      await checkCancelled(signal);
      // The worlds have changed since the judgement.
      if (branch.version !== versions.branch || target.version !== versions.target || branch.status !== 'open' || target.status !== 'open') {
        if (attempts < ATTEMPTS_MAX) continue;
        throw new SvcError('40001', `"${target.name}" changed each time the merge checks had run`, { hint: 'Merge again, or make the checks faster.' });
      }
    }
    const merged = mergedRows(plan);
    // Rights may have been revoked while the checks ran.
    if (!approved) authorize(by, { what: 'merge', branch, into: target, isParent: target.number === branch.parent });
    refuseUnmaskingChanges(context, by, target, plan.changes);
    admitChanges(context, by, target, plan.changes, 'merge');
    const eventOf = (over: ReadonlyMap<number, TreeChanges> = NOTHING_OVER): Merged => ({
      type: 'merged',
      branch: branch.number,
      stays,
      // With merges by column or rows kept as ours, a row may differ from both sides.
      whole: whole && over.size === 0,
      disjoint: plan.disjoint,
      changes: over.size === 0 ? plan.changes : plan.changes.map((each) => over.get(each.tree) ?? each),
      baseChanges: plan.baseChanges,
      common: isPart(input) ? 'part' : 'all',
      carries: !isMain(target),
      passage,
    });
    let sequence: Sequence;
    if (context.external?.concerns(branch, target, plan.changes) === true) {
      const written = await context.external.write({
        target,
        root: context.state.worlds.share(target),
        changes: plan.changes,
        by,
        ...(signal === undefined ? {} : { signal }),
        held: outside.held,
        keepLocks: attempts > UNLOCKED_MAX,
        holds: () => stillHolds(context, attempt),
        event: (over) => {
          if (!approved) authorize(by, { what: 'merge', branch, into: target, isParent: target.number === branch.parent });
          return eventOf(over);
        },
      });
      outside.held = 'again' in written ? written.held : null;
      if ('again' in written) {
        if (attempts < ATTEMPTS_MAX) continue;
        throw new SvcError('40001', `rows of the merge changed each time, in Postgres or in "${target.name}"`, { hint: 'Merge again.' });
      }
      sequence = written.done;
    } else ({ sequence } = context.engine.commit({ ...eventOf(), built: ready?.built }, target.number, actorName(by), ready?.encoded ?? null));
    const reply: MergeReply = { merged, ...(plan.converged === 0 ? {} : { converged: plan.converged }), ...(stays ? { version: branch.version } : {}) };
    await context.engine.durable(sequence);
    return reply;
  }
}
