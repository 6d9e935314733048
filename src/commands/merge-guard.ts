/**
 * Interface of what judges a merge between its plan and its event: policies, checks, reviews. Commands are below governance
 * in the layers, which supplies an implementation when the database is composed; without one every merge passes.
 */
import type { Passage } from '../events/types/merged.ts';
import type { Principal } from '../session/principal.ts';
import type { Node } from '../tree/node.ts';
import type { Plan, Side } from '../worlds/merge/plan.ts';
import type { World } from '../worlds/world.ts';
import type { DiffReply, MergeInput, MergePreview } from './contract.ts';

export interface MergeAttempt {
  readonly branch: World;
  readonly target: World;
  /** The branch stays: the merge is partial, or goes elsewhere than to its parent. */
  readonly stays: boolean;
  readonly plan: Plan;
  readonly sides: { readonly base: Side; readonly ours: Side; readonly theirs: Side };
  readonly input: MergeInput;
  /** Versions of the worlds that were planned for. */
  readonly versions: { readonly branch: number; target: number };
  /** The common bases that were found. */
  readonly bases: readonly Node[];
  /** A reviewer has approved the held merge. */
  readonly approved: boolean;
}

export interface MergeGuard {
  /**
   * Returns how the merge passes (null: nothing to record), or throws if it is refused or held: 42501 (held), 23514, 57014,
   * 40001. A promise if checks have to run: the decision is valid only for the states in the attempt.
   */
  judge(attempt: MergeAttempt, by: Principal, signal?: AbortSignal): Passage | null | Promise<Passage | null>;
  /** Called when the merge ended in conflicts. */
  conflicted(attempt: MergeAttempt, by: Principal): void;
  /** Additional fields of a dry run's reply. */
  preview(attempt: MergeAttempt, by: Principal, signal?: AbortSignal): Promise<Pick<MergePreview, 'blocked' | 'readers' | 'coverage' | 'confirm_deletes'>>;
  /** 40001 if the world has stale reads. */
  rebasing(world: World): void;
  /** 42501 if the agent's policy requires a scope that is not declared, or the scope may no longer be changed. */
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
