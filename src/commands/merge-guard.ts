/**
 * What stands between a merge's plan and its event: policies, checks, reviews. Commands stand below governance, which
 * gives an implementation when the database is composed; without one every merge passes.
 */
import type { Passage } from '../events/event.ts';
import type { Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { Plan, Side } from '../worlds/merge/plan.ts';
import type { World } from '../worlds/world.ts';
import type { DiffReply, MergeInput, MergePreview } from './contract.ts';

export interface MergeAttempt {
  readonly branch: World;
  readonly target: World;
  /** The branch stays: a part is merged, or the merge goes elsewhere than to its parent. */
  readonly stays: boolean;
  readonly plan: Plan;
  readonly sides: { readonly base: Side; readonly ours: Side; readonly theirs: Side };
  readonly input: MergeInput;
  /** Versions of the worlds that were looked at. */
  readonly versions: { readonly branch: number; target: number };
  /** What the two have in common, as it was found. */
  readonly bases: readonly Node[];
  /** The held merge is let through by a reviewer. */
  readonly approved: boolean;
}

export interface MergeGuard {
  /**
   * How the merge passes (null: nothing to be noted), or throws what refuses or holds it: 42501 (held), 23514, 57014, 40001.
   * A promise where checks have to run: what was decided holds only for the states that the attempt saw.
   */
  judge(attempt: MergeAttempt, by: Principal, signal?: AbortSignal): Passage | null | Promise<Passage | null>;
  /** The merge ended in conflicts. */
  conflicted(attempt: MergeAttempt, by: Principal): void;
  /** What a dry run shows beside the plan. */
  preview(attempt: MergeAttempt, by: Principal, signal?: AbortSignal): Promise<Pick<MergePreview, 'blocked' | 'readers' | 'coverage' | 'confirm_deletes'>>;
  /** 40001 where what the world read has changed since its fork point. */
  rebasing(world: World): void;
  /** 42501 where the agent's policy asks for a scope that is not declared, or a scope may not be changed any more. */
  forking(meta: { readonly [key: string]: unknown }, by: Principal): void;
  describing(world: World, meta: { readonly [key: string]: unknown }, by: Principal): void;
  /** `readers` of a diff. */
  readers(from: Side, to: Side): Pick<DiffReply, 'readers' | 'coverage'>;
}

export const NO_GUARD: MergeGuard = {
  judge: () => null,
  conflicted() {},
  preview: async () => ({ blocked: [], readers: [], coverage: { analysed: [], not_analysed: [] } }),
  rebasing() {},
  forking() {},
  describing() {},
  readers: () => ({ readers: [], coverage: { analysed: [], not_analysed: [] } }),
};
