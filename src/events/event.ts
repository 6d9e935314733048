/**
 * Every event the log can hold. An event records outcomes: the rows that changed with their values before
 * and after, never a decision to be taken again. A changed meaning gets a new version and an upcaster.
 */
import type { Node } from '../tree/node.ts';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { AgentState } from './agent.ts';
import type { TreeChanges } from './changes.ts';

/** What the log record says beside the payload. */
/** An event as it stands in the log, not decoded yet. */
export interface Recorded {
  readonly sequence: Sequence;
  readonly type: number;
  readonly world: WorldNumber;
  readonly payload: Uint8Array;
}

export interface Envelope {
  sequence: Sequence;
  at: Micros;
  /** The world it happened in; 0 for the database as a whole. */
  world: WorldNumber;
  actor: string;
}

export type Meta = { [key: string]: unknown };

/** A process opened the folder; a run without `closed` at its end was a crash. */
export interface Opened {
  type: 'opened';
  release: string;
  /** It made the folder. Releases before this mark left it out: a folder without it is an older one. */
  first?: true;
  /** Events of these numbers were acknowledged and gone when it was opened, and it was to go on without them. */
  lost?: { from: number; to: number };
}
export interface Closed {
  type: 'closed';
}
/** Rows of the world changed. `how` is the word that history shows. */
export interface Committed {
  type: 'committed';
  how: 'write' | 'commit' | 'restore';
  changes: TreeChanges[];
  /** What the committing transaction has built of the changes already; not part of the record, a replay folds the changes. */
  built?: Built;
}
/** Two directories that differ by the changes alone: trees that the world still has as in `base` become those of `after`. */
export interface Built {
  readonly base: Node;
  readonly after: Node;
  /** Estimated bytes of the nodes that `base` does not have. */
  readonly bytes: number;
}
/** The envelope's world is the new one's number: the sequence of this event. `changes` turn the parent's state at this moment into a past one. */
export interface Forked {
  type: 'forked';
  name: string;
  parent: WorldNumber;
  owner: string | null;
  meta: Meta;
  changes: TreeChanges[];
}
/**
 * `branch` was merged into the envelope's world. When it stays, `settled` are the changes of its fork point,
 * so that what was merged is not merged again.
 */
export interface Merged {
  type: 'merged';
  branch: WorldNumber;
  stays: boolean;
  /** True where `changes` are what the branch changed and all of it: nothing was left out, picked, given or derived. */
  whole: boolean;
  /** True where no row changed on both sides: then indexes of the branch differ from those of the fork point by its rows alone. */
  disjoint: boolean;
  changes: TreeChanges[];
  settled: TreeChanges[];
  /** The state with the changes, made before the merge was decided; not in the log. */
  built?: Built;
  /**
   * What the two have in common is moved by it: `all`, the branch as it was; `part`, by `settled`. Left out by earlier releases, which merged
   * over the branch's fork point between any two worlds and moved that alone.
   */
  common?: 'all' | 'part';
  /** What the branch read the world read too from now on: the merge went into another world than `main`. */
  carries: boolean;
  /** How it was let through, where an agent's world was merged; null otherwise. */
  passage: Passage | null;
}
/** `rules`: by the policy's rules; `none`: its agent has no policy; `approved`: by a reviewer; `person`: by one who is under no policy. */
export interface Passage {
  policy: string | null;
  way: 'rules' | 'none' | 'approved' | 'person';
  rows: number;
  deletes: number;
}
/** A merge was taken back in the envelope's world; `settled` takes back what the merge settled in a branch that stayed. */
export interface Undone {
  type: 'undone';
  branch: WorldNumber;
  merge: Sequence;
  changes: TreeChanges[];
  settled: TreeChanges[];
}
/** The branch now stands on its parent as it is at this moment, with `changes` on top. */
export interface Rebased {
  type: 'rebased';
  changes: TreeChanges[];
}
export interface Discarded {
  type: 'discarded';
}
/** `meta` as a whole after the change. */
export interface Described {
  type: 'described';
  meta: Meta;
}
export interface Confirmed {
  type: 'confirmed';
}
/** A named checkpoint of the world as it is at this moment. */
export interface Checkpointed {
  type: 'checkpointed';
  name: string;
}
/** Roles and memberships of the whole database changed. */
export interface RolesChanged {
  type: 'rolesChanged';
  changes: TreeChanges[];
}
/** The pages of the state after `covers` were written; `root` is the hash of the page that commits to all of them. */
export interface Sealed {
  type: 'sealed';
  covers: Sequence;
  root: string;
  treeHead: string;
}

/** A place in the history: a world's event, whether or not it is noted there. */
export interface HistoryPlace {
  world: number;
  sequence: number;
}

/**
 * History up to `through` was given up, as far as it stands from `from` to before `to` in the order of worlds and
 * sequences; null: to the end. One trim is as many of these as keep each one short. `gone` are the merged and
 * discarded worlds in that range that are forgotten with it, the one that `to` stands in included.
 */
export interface Swept {
  type: 'swept';
  through: Sequence;
  at: Micros;
  from: HistoryPlace;
  to: HistoryPlace | null;
  gone: number[];
}

/** As `swept` for all of the history at once. Read only: it took one long turn to fold. */
export interface Trimmed {
  type: 'trimmed';
  through: Sequence;
  at: Micros;
  gone: number[];
}

/** An agent as it is from now on: made, or changed. */
export interface AgentChanged {
  type: 'agentChanged';
  agent: AgentState;
}
export interface AgentDropped {
  type: 'agentDropped';
  name: string;
}
/** A setting of the whole database; null: as it is without one. */
export interface Configured {
  type: 'configured';
  name: string;
  value: string | null;
}
/** How long the envelope's world is kept: pinned, and its own time to live in milliseconds; null: its owner's. */
export interface Kept {
  type: 'kept';
  pinned: boolean;
  ttl: number | null;
}

/** A merge policy, merge check or reader as it is from now on; `value` null: it is gone. Holds for the whole database. */
export interface Ruled {
  type: 'ruled';
  kind: 'policy' | 'check' | 'reader';
  name: string;
  value: Meta | null;
}
/** A merge of the envelope's world, at this version of it, waits for a person. `input` is what was asked for. */
export interface Held {
  type: 'held';
  into: WorldNumber;
  version: number;
  policy: string;
  input: Meta;
  reasons: Meta[];
}
/** A verdict on the held merge of the envelope's world. Approving shows as the merge itself. */
export interface Reviewed {
  type: 'reviewed';
  verdict: 'reject' | 'pass';
  reason: string | null;
}
/** A merge of the envelope's world, asked for by an agent, was refused. */
export interface Refused {
  type: 'refused';
  why: 'conflicts' | 'stale reads' | 'check';
}
/** Effects of the outbox were claimed until a moment, are done, or are to be tried again from a moment on. */
export interface Handled {
  type: 'handled';
  what: 'claim' | 'ack' | 'retry';
  ids: string[];
  until: Micros;
}

/** What the envelope's world has read so far: by tree, as a whole, ranges of keys, or keys. */
export interface Noted {
  type: 'noted';
  reads: { [tree: string]: { whole?: true; ranges?: [string | number | null, string | number | null][]; keys?: (string | number)[] } };
}

/** From what a simulation's worlds were made, and can be made again. */
export interface Recipe {
  /** World i is named `<prefix>_<i>`. */
  prefix: string;
  script: string;
  score: string;
  seed: number;
  /** The base: the envelope's world as it was after this event. */
  sequence: Sequence;
  /** The moment that its worlds take for now. */
  at: Micros;
  /** The name of the one world, where it was chosen for it. */
  name?: string;
  /** As whom the script ran: an agent or the guest; null: the database's own user. */
  runner: string | null;
}
/**
 * A simulation over the envelope's world keeps worlds: each with an event of its own, and none of them is there before
 * `simulationKept`. `changes` turn the base world's state at this moment into the simulation's base.
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
  /** The world that it stands on, and whose it is. */
  base: WorldNumber;
  owner: string | null;
  index: number;
  score: number;
  changes: TreeChanges[];
}
/** All worlds of the run are kept; from now on they are there. */
export interface SimulationKept {
  type: 'simulationKept';
  run: Sequence;
  count: number;
}
/** Worlds of a run that did not come to its end are dropped as if they had never been; `last`: these were the last ones. */
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
  | Noted
  | Ruled
  | Held
  | Reviewed
  | Refused
  | Handled
  | Opened
  | Closed
  | Committed
  | Forked
  | Merged
  | Undone
  | Rebased
  | Discarded
  | Described
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
