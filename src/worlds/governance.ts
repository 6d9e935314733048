/** What commands may ask of the projections of governed merges: rules, held merges, the outbox, what became of merges. */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Meta, Ruled } from '../events/event.ts';
import type { StoredReads } from './read-set.ts';

/** A policy, check or reader as it was laid down. */
export interface Laid {
  name: string;
  created: Micros;
  value: Meta;
}

/** Why a merge waits. `message` begins with the rule's name. */
export interface Reason {
  rule: string;
  message: string;
  found: unknown;
  limit: unknown;
}

/** A merge that waits for a person. It binds the branch at `version`. */
export interface HeldMerge {
  world: WorldNumber;
  into: WorldNumber;
  version: number;
  policy: string;
  /** What was asked for: fields of the merge operation. */
  input: Meta;
  reasons: Reason[];
  asked: Micros;
  sequence: Sequence;
  /** Agent that asked. */
  by: string;
  /** Of the policy's reviewer; null while it gave none. */
  verdict: 'reject' | 'pass' | null;
  reason: string | null;
  reviewer: string | null;
}

export interface Governance {
  count(kind: Ruled['kind']): number;
  named(kind: Ruled['kind'], name: string): Laid | null;
  /** By name. */
  all(kind: Ruled['kind']): Laid[];
  held(world: WorldNumber): HeldMerge | null;
  allHeld(): HeldMerge[];
}

/** An effect that a merge into `main` queued. */
export interface QueuedEffect {
  id: string;
  channel: string;
  payload: unknown;
  by: string;
  queued: Micros;
  /** The merge that sent it. */
  merge: Sequence;
  /** Claimed, or not to be tried again, before this moment; 0 for neither. */
  until: Micros;
  attempts: number;
}

export interface Outbox {
  readonly count: number;
  channels(): string[];
  /** In the order in which they were sent; `channel` null: of all, channel by channel. */
  queued(channel: string | null): QueuedEffect[];
  /** The first so many of a channel. */
  first(channel: string, limit: number): QueuedEffect[];
  byId(id: string): QueuedEffect | null;
}

/** What worlds have read, of those that check it. */
export interface NotedReads {
  of(world: WorldNumber): StoredReads | null;
}

/** What became of one agent's world. */
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
  /** Rows and deletes that the agent's merges brought into main since the moment. */
  mergedSince(agent: string, moment: Micros): { rows: number; deletes: number };
  /** What went through on rules of the world, of the world forked from main that it comes from, and of all that comes from that. */
  mergedOnRules(world: WorldNumber): { rows: number; deletes: number };
}
