/**
 * Every event of the log. An event records outcomes: the changed rows with their values before and after, never a decision to
 * make again. A changed meaning gets a new version and an upcaster.
 */
import type { Node } from '../tree/node.ts';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { AgentState } from './agent.ts';
import type { TreeChanges } from './changes.ts';

/** An event as stored in the log, not decoded. */
export interface Recorded {
  readonly sequence: Sequence;
  readonly type: number;
  readonly world: WorldNumber;
  readonly payload: Uint8Array;
}

export interface Envelope {
  sequence: Sequence;
  at: Micros;
  /** The world it belongs to; 0 for the whole database. */
  world: WorldNumber;
  actor: string;
}

export type Meta = { [key: string]: unknown };

/** A process opened the folder; a run without `closed` at its end was a crash. */
export interface Opened {
  type: 'opened';
  release: string;
  /** It created the folder. Earlier releases did not set it. */
  first?: true;
  /** Acknowledged events of these numbers were missing when the folder was opened with `acceptLoss`. */
  lost?: { from: number; to: number };
}
export interface Closed {
  type: 'closed';
}
/** Rows of the world changed. `how` is shown in the history. */
export interface Committed {
  type: 'committed';
  how: 'write' | 'commit' | 'restore';
  changes: TreeChanges[];
  /** The result of applying the changes, if the transaction has already built it. Not stored: a replay applies the changes. */
  built?: Built;
}
/** Two directories that differ by the changes alone: trees that are still as in `base` can be replaced by those of `after`. */
export interface Built {
  readonly base: Node;
  readonly after: Node;
  /** Estimated size of the nodes that `base` does not share. */
  readonly bytes: number;
}
/**
 * The envelope's world is the new world's number, which is the sequence of this event. `changes` turn the parent's current
 * state into the past one that was forked.
 */
export interface Forked {
  type: 'forked';
  name: string;
  parent: WorldNumber;
  owner: string | null;
  meta: Meta;
  changes: TreeChanges[];
}
/** `branch` was merged into the envelope's world. If it stays, `baseChanges` are the changes of its base, so that merged rows are not merged again. */
export interface Merged {
  type: 'merged';
  branch: WorldNumber;
  stays: boolean;
  /** `changes` are exactly what the branch changed: nothing was left out, picked, supplied or derived. */
  whole: boolean;
  /** No row changed on both sides: the branch's indexes then differ from the base's by its own rows alone. */
  disjoint: boolean;
  changes: TreeChanges[];
  baseChanges: TreeChanges[];
  /** The merged state, if built before the merge was decided; not stored. */
  built?: Built;
  /**
   * How the common base moves: `all`, to the branch's state; `part`, by `baseChanges`. Missing in events of earlier releases,
   * which always merged over the branch's fork point and moved only that.
   */
  common?: 'all' | 'part';
  /** The branch's read set is added to the target's: the target is not `main`. */
  carries: boolean;
  /** How the merge of an agent's world was approved; null for other worlds. */
  passage: Passage | null;
}
/** `rules`: by the policy's rules; `none`: the agent has no policy; `approved`: by a reviewer; `person`: merged by a person, who has no policy. */
export interface Passage {
  policy: string | null;
  approvedBy: 'rules' | 'none' | 'approved' | 'person';
  rows: number;
  deletes: number;
}
/** A merge was undone in the envelope's world; `baseChanges` is the inverse of the merge's `baseChanges`, for a branch that stayed. */
export interface Undone {
  type: 'undone';
  branch: WorldNumber;
  merge: Sequence;
  changes: TreeChanges[];
  baseChanges: TreeChanges[];
}
/** The branch is now based on its parent's current state, with `changes` on top. */
export interface Rebased {
  type: 'rebased';
  changes: TreeChanges[];
}
export interface Discarded {
  type: 'discarded';
}
/** The whole `meta` after the change. */
export interface MetaChanged {
  type: 'metaChanged';
  meta: Meta;
}
export interface Confirmed {
  type: 'confirmed';
}
/** A named checkpoint of the world's current state. */
export interface Checkpointed {
  type: 'checkpointed';
  name: string;
}
/** Roles and memberships of the whole database changed. */
export interface RolesChanged {
  type: 'rolesChanged';
  changes: TreeChanges[];
}
/** The pages of the state after `covers` were written; `root` is the hash of the super-root's page. */
export interface Sealed {
  type: 'sealed';
  covers: Sequence;
  root: string;
  treeHead: string;
}

/** A position in the history: a world's event, whether or not history has an entry for it. */
export interface HistoryPlace {
  world: number;
  sequence: number;
}

/**
 * History up to `through` was trimmed, in the range [`from`, `to`) ordered by world and sequence; `to` null: to the end. A
 * trim is split into as many of these events as keeps each fold short. `gone` are the ended worlds in the range that are
 * dropped with it, including the world of `to`.
 */
export interface Swept {
  type: 'swept';
  through: Sequence;
  at: Micros;
  from: HistoryPlace;
  to: HistoryPlace | null;
  gone: number[];
}

/** Like `swept` for the whole history at once. Only read: folding it blocked the event loop for too long. */
export interface Trimmed {
  type: 'trimmed';
  through: Sequence;
  at: Micros;
  gone: number[];
}

/** The agent's new state: created or altered. */
export interface AgentChanged {
  type: 'agentChanged';
  agent: AgentState;
}
export interface AgentDropped {
  type: 'agentDropped';
  name: string;
}
/** A setting of the database; null: reset to the default. */
export interface Configured {
  type: 'configured';
  name: string;
  value: string | null;
}
/** Retention of the envelope's world: pinned, and its time to live in milliseconds; null: its owner's. */
export interface Kept {
  type: 'kept';
  pinned: boolean;
  ttl: number | null;
}

/** The new state of a merge policy, merge check or reader; `value` null: dropped. Applies to the whole database. */
export interface PolicyChanged {
  type: 'policyChanged';
  kind: 'policy' | 'check' | 'reader';
  name: string;
  value: Meta | null;
}
/** A merge of the envelope's world at this version is held for review. `input` is the merge's input. */
export interface MergeHeld {
  type: 'mergeHeld';
  into: WorldNumber;
  version: number;
  policy: string;
  input: Meta;
  reasons: Meta[];
}
/** A verdict on the held merge of the envelope's world. An approval is recorded by the merge itself. */
export interface Reviewed {
  type: 'reviewed';
  verdict: 'reject' | 'pass';
  reason: string | null;
}
/** A merge of the envelope's world, requested by an agent, was refused. */
export interface Refused {
  type: 'refused';
  why: 'conflicts' | 'stale reads' | 'check';
}
/** Effects of the outbox were claimed until a time, are done, or will be retried after a time. */
export interface EffectHandled {
  type: 'effectHandled';
  what: 'claim' | 'ack' | 'retry';
  ids: string[];
  until: Micros;
}

/** The read set of the envelope's world: by tree, all of it, ranges of keys, or keys. */
export interface ReadsRecorded {
  type: 'readsRecorded';
  reads: { [tree: string]: { whole?: true; ranges?: [string | number | null, string | number | null][]; keys?: (string | number)[] } };
}

/** What a simulation's worlds were made from, and can be rebuilt from. */
export interface Recipe {
  /** World i is named `<prefix>_<i>`. */
  prefix: string;
  script: string;
  score: string;
  seed: number;
  /** The base: the envelope's world as it was after this event. */
  sequence: Sequence;
  /** The time that its worlds take as now. */
  at: Micros;
  /** The name of its single world, if one was given. */
  name?: string;
  /** The principal that the script ran as: an agent or the guest; null: the database's own user. */
  runner: string | null;
}
/**
 * A simulation over the envelope's world keeps worlds, each with an event of its own; they become visible with
 * `simulationKept`. `changes` turn the base world's current state into the simulation's base.
 */
export interface Simulated {
  type: 'simulated';
  recipe: Recipe;
  changes: TreeChanges[];
}
/** One of its worlds. The envelope's world is its number: the sequence of this event. */
export interface WorldKept {
  type: 'worldKept';
  /** Sequence of `simulated`. */
  run: Sequence;
  /** The world that it is based on, and its owner. */
  base: WorldNumber;
  owner: string | null;
  index: number;
  score: number;
  changes: TreeChanges[];
}
/** All worlds of the run are stored and become visible. */
export interface SimulationKept {
  type: 'simulationKept';
  run: Sequence;
  count: number;
}
/** Worlds of an unfinished run are dropped as if they had never existed; `last`: these are the last ones. */
export interface SimulationDropped {
  type: 'simulationDropped';
  run: Sequence;
  worlds: WorldNumber[];
  last: boolean;
}

export type Event =
  | Simulated
  | WorldKept
  | SimulationKept
  | SimulationDropped
  | ReadsRecorded
  | PolicyChanged
  | MergeHeld
  | Reviewed
  | Refused
  | EffectHandled
  | Opened
  | Closed
  | Committed
  | Forked
  | Merged
  | Undone
  | Rebased
  | Discarded
  | MetaChanged
  | Confirmed
  | Checkpointed
  | RolesChanged
  | Sealed
  | Swept
  | Trimmed
  | AgentChanged
  | AgentDropped
  | Configured
  | Kept;
