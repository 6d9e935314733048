/** Interfaces of the projections of governed merges: rules, held merges, the outbox, outcomes. */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Meta } from '../events/meta.ts';
import type { PolicyChanged } from '../events/types/policy-changed.ts';
import type { StoredReads } from './read-set.ts';

/** A policy, check or reader as stored. */
export interface StoredRule {
  name: string;
  created: Micros;
  value: Meta;
}

/** Why a merge is held. `message` begins with the rule's name. */
export interface Reason {
  rule: string;
  message: string;
  found: unknown;
  limit: unknown;
}

/** A held merge, valid for the branch at `version`. */
export interface HeldMerge {
  world: WorldNumber;
  into: WorldNumber;
  version: number;
  policy: string;
  /** Fields of the merge operation. */
  input: Meta;
  reasons: Reason[];
  asked: Micros;
  sequence: Sequence;
  /** The requesting agent. */
  by: string;
  /** The reviewer's verdict; null without one. */
  verdict: 'reject' | 'pass' | null;
  reason: string | null;
  reviewer: string | null;
}

export interface Governance {
  count(kind: PolicyChanged['kind']): number;
  named(kind: PolicyChanged['kind'], name: string): StoredRule | null;
  /** By name. */
  all(kind: PolicyChanged['kind']): StoredRule[];
  held(world: WorldNumber): HeldMerge | null;
  readonly heldCount: number;
  allHeld(): HeldMerge[];
}

/** An effect queued by a merge into `main`. */
export interface QueuedEffect {
  id: string;
  channel: string;
  payload: unknown;
  by: string;
  queued: Micros;
  /** The merge that sent it. */
  merge: Sequence;
  /** Claimed, or not to be retried, before this time; 0 for neither. */
  until: Micros;
  attempts: number;
  /** The latest attempt that was given back with a reason. */
  failed?: { message: string; at: Micros; by: string };
}

export interface Outbox {
  readonly count: number;
  channels(): string[];
  /** In the order of sending; `channel` null: all channels, one at a time. */
  queued(channel: string | null): QueuedEffect[];
  /** The first effects of a channel. */
  first(channel: string, limit: number): QueuedEffect[];
  byId(id: string): QueuedEffect | null;
}

/** Read sets of worlds that check their reads. */
export interface NotedReads {
  of(world: WorldNumber): StoredReads | null;
}

/** Outcome of one agent's world. */
export interface Outcome {
  world: WorldNumber;
  agent: string;
  policy: string | null;
  forked: Micros;
  end: 'open' | 'rules' | 'none' | 'approved' | 'person' | 'rejected' | 'discarded';
  partly: boolean;
  conflicts: number;
  staleReads: number;
  checkRefusals: number;
  holds: number;
}

export interface Outcomes {
  all(): Outcome[];
  /** Rows and deletes merged into main by the agent since the time. */
  mergedSince(agent: string, moment: Micros): { rows: number; deletes: number };
  /** Rows and deletes merged by rules from the world, from its ancestor forked from main, and from all descendants of that. */
  mergedOnRules(world: WorldNumber): { rows: number; deletes: number };
}
