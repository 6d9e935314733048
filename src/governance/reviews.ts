/** Held merges as a person sees them: those that wait now, and those that waited at a past moment. */
import { formatMicros } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { DefinitionChange, Json, ReviewView, RunControl } from '../commands/contract.ts';
import { diffWorlds, pendingEffects } from '../commands/diff.ts';
import { attemptMerge } from '../commands/merge-attempt.ts';
import { mergedDefinitions } from '../commands/preview-merge.ts';
import type { MergeGuard } from '../commands/merge-guard.ts';
import type { Principal } from '../session/principal.ts';
import type { Context, FolderReading } from '../worlds/context.ts';
import type { HeldMerge } from '../worlds/governance.ts';
import { branchSummary, byDeletes } from '../worlds/merge/summary.ts';
import { worldId } from '../worlds/names.ts';
import type { WorldRecord } from '../worlds/world.ts';
import { givenInput } from './held-input.ts';
import { SCOPE_KEYS } from './scope.ts';

/** A merge that waits now; empty if the world is gone. */
export function reviewView(context: Context, held: HeldMerge, by: Principal): ReviewView[] {
  const branch = context.state.worlds.byNumber(held.world);
  if (branch === null) return [];
  let changes: ReviewView['changes'] = [];
  let definitions: DefinitionChange[] = [];
  let conflicts = 0;
  try {
    const attempt = attemptMerge(context, { ...givenInput(held.input), branch: branch.name });
    changes = branchSummary(attempt.plan);
    conflicts = attempt.plan.conflicts.length;
    definitions = mergedDefinitions(context, attempt, by);
  } catch (error) {
    // The target may be gone; the review is listed anyway.
    if (!(error instanceof SvcError)) throw error;
  }
  const effects = pendingEffects(context.engine.pager, branch.base, branch.root);
  return [viewOf(branch, held, { changes, conflicts, definitions, effects })];
}

/**
 * Merges that waited at a past moment, the oldest first, with the verdicts given by then. Their changes are those of the world since its fork point: what a
 * merge would have met in its target is not kept.
 */
export async function reviewsAt(
  context: Context,
  { state, sequence }: FolderReading,
  by: Principal,
  guard: MergeGuard,
  control: RunControl,
): Promise<ReviewView[]> {
  const reviews: ReviewView[] = [];
  for (const held of state.governance.allHeld().sort((a, b) => a.asked - b.asked)) {
    const branch = state.worlds.record(held.world);
    if (branch === null) continue;
    const name = `${worldId(branch.number, branch.created)}@#${sequence}`;
    const { summary = [], definitions = [], effects = [] } = await diffWorlds(context, { branch: name, count: true }, by, guard, control);
    reviews.push(viewOf(branch, held, { changes: summary.toSorted(byDeletes), conflicts: 0, definitions, effects }));
  }
  return reviews;
}

interface Changes {
  readonly changes: ReviewView['changes'];
  readonly conflicts: number;
  readonly definitions: DefinitionChange[];
  readonly effects: readonly { readonly channel: string }[];
}

function viewOf(branch: WorldRecord, held: HeldMerge, { changes, conflicts, definitions, effects }: Changes): ReviewView {
  const scope = Object.fromEntries(SCOPE_KEYS.flatMap((key) => (branch.meta[key] === undefined ? [] : [[key, branch.meta[key] as Json]])));
  const channels = new Map<string, number>();
  for (const { channel } of effects) channels.set(channel, (channels.get(channel) ?? 0) + 1);
  return {
    world: branch.name,
    owner: branch.owner,
    policy: held.policy,
    reasons: held.reasons as unknown as ReviewView['reasons'],
    asked: formatMicros(held.asked),
    version: held.version,
    changed_since: branch.version !== held.version,
    scope: Object.keys(scope).length === 0 ? null : scope,
    changes,
    ...(conflicts === 0 ? {} : { conflicts }),
    ...(definitions.length === 0 ? {} : { definitions }),
    effects: [...channels].map(([channel, count]) => ({ channel, count })),
    verdict: held.verdict,
    reason: held.reason,
    ...(held.verdict === null ? {} : { decided_by: held.reviewer === '' ? null : held.reviewer }),
  };
}
