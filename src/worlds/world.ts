/** A world in memory: its record and the roots of its trees. */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Meta } from '../events/meta.ts';
import type { Recipe } from '../events/types/simulated.ts';
import type { RoleRow, Roles } from '../identity/roles.ts';
import type { RowChange } from '../tree/datum.ts';
import type { AgentState } from '../events/agent.ts';
import type { AgentStates } from '../session/agent-directory.ts';
import type { Node } from '../tree/node.ts';
import type { Catalog } from './catalog.ts';
import type { Knowledge } from './merge/common-points.ts';

export interface MergeNote {
  sequence: Sequence;
  into: WorldNumber;
  stays: boolean;
  undone: boolean;
}

/** What a world has merged from others, for finding merge bases (merge/common-points.ts). */
export interface Met {
  /** By world, including the parent: the latest state that was merged. */
  readonly knows: Knowledge;
  /** The parent's state at the fork point. */
  readonly at: number;
  /** The fork point is exactly that state: no partial merge has moved it. */
  readonly pure: boolean;
  /** What the parent had merged by then. */
  readonly baseKnows: Knowledge;
  /** Other worlds have merged states of this one. */
  readonly shared?: true;
  /** Knowledge before each merge `at` that extended it, latest last, for undo; `before` 0: none. */
  readonly prior?: readonly { readonly world: number; readonly at: number; readonly before: number }[];
  /** Worlds with partial merges, besides its parent and its forks. */
  readonly pairs?: readonly number[];
}

/** Directories of the merge bases of two worlds: several after criss-cross merges, whose own base is `under`. */
export interface CommonBase {
  readonly roots: readonly Node[];
  readonly under: Node | null;
}

export interface World {
  readonly number: WorldNumber;
  readonly name: string;
  readonly created: Micros;
  readonly parent: WorldNumber;
  readonly depth: number;
  owner: string | null;
  meta: Meta;
  version: number;
  active: Micros;
  pinned: boolean;
  /** Its own time to live, in milliseconds; null: its owner's. */
  ttl: number | null;
  /** Number of row changes since its fork; those before a rebase count, those of the parent do not. */
  changed: number;
  /** Set explicitly; see `isFlagged` for worlds of a crashed run. */
  flagged: boolean;
  lastWrite: Sequence;
  confirmed: Sequence;
  /** When the fork point last moved to the parent's state of that time; 0: never. */
  rebased: Sequence;
  /** Open worlds forked from it. */
  children: number;
  status: 'open' | 'merged' | 'discarded';
  gone: Sequence;
  merges: MergeNote[];
  checkpoints: { name: string; at: Micros; sequence: Sequence }[];
  /** Omitted if it has merged only with its parent, at its fork or its latest rebase. */
  met?: Met;
  /** For a world kept by a simulation: the run, and its index in it. */
  simulated?: { run: Sequence; index: number; score: number };
  /** Directory of the world's trees (object id → root). */
  root: Node;
  /** The same at the fork point. */
  base: Node;
  /** Decoded definitions of `root`; null until needed. Shared by forks, immutable. */
  catalog: Catalog | null;
  /** When it was last read, by the tick of the expiry worker; in memory only. */
  used: number;
  /** Token of the writer that owns the nodes below `root`. */
  edit: number;
}

/** A simulation that keeps worlds, as long as one of them exists. */
export interface SimulationRun {
  readonly run: Sequence;
  /** The base world. */
  readonly base: WorldNumber;
  readonly recipe: Recipe;
  /** How many of its worlds exist. */
  readonly worlds: number;
  /** Its end is not written yet: none of its worlds are visible. */
  readonly pending: boolean;
}

/** Interface of the worlds projection for commands and views. */
export interface Worlds {
  byNumber(number: WorldNumber): World | null;
  /** An open world by name. */
  byName(name: string): World | null;
  /** The latest world with the name, open or ended. */
  everByName(name: string): World | null;
  endedByNumber(number: WorldNumber): World | null;
  /** Ended worlds of the name within retention, oldest first; scans all ended worlds. */
  endedNamed(name: string): WorldRecord[];
  open(): Iterable<World>;
  readonly count: number;
  isFlagged(world: WorldRecord): boolean;
  /** Seals the roots: nothing below them is changed in place from now on, for readers that outlive this tick. */
  share(world: World): Node;
  checkpointRoot(world: World, name: string): Node | null;
  /** The merge base of the two, in either direction. */
  common(a: World, b: World): CommonBase;
  /** Names of open worlds with the prefix. */
  namedUnder(prefix: string): string[];
  simulation(run: Sequence): SimulationRun | null;
  /** Runs whose end is not written, with the worlds kept so far. */
  pendingSimulations(): { run: Sequence; worlds: WorldNumber[] }[];
  /** Number of open worlds owned by the agent (or guest). */
  ownedCount(owner: string): number;
  /** Its open worlds, oldest first. */
  owned(owner: string): Iterable<WorldNumber>;
  /** Open worlds with their own time to live. */
  withTtl(): Iterable<WorldNumber>;
  /** Up to `limit` open worlds with numbers above `after`, in order, without caching them. */
  glance(after: number, limit: number): WorldGlance[];
  /** `glance` with the complete records. */
  records(after: number, limit: number): WorldRecord[];
  record(number: WorldNumber): WorldRecord | null;
  /** Numbers of worlds, open or ended, whose names begin with `prefix`, for up to `limit` names from `from` on; `next` is the following name. */
  numbersNamed(prefix: string, from: string, limit: number): { numbers: WorldNumber[]; next: string | null };
}

/** A world without its in-memory state. */
export type WorldRecord = Omit<World, 'root' | 'base' | 'edit' | 'catalog' | 'used'>;

/** The fields for the idle rule. */
export interface WorldGlance {
  readonly number: WorldNumber;
  readonly parent: WorldNumber;
  readonly children: number;
  readonly pinned: boolean;
  readonly active: Micros;
  /** As `World.used`; undefined if it is not in memory. */
  readonly used?: number;
}

/** Interface of the agents projection. */
export interface Agents extends AgentStates {
  /** Without dropped ones. */
  readonly count: number;
  /** By name. */
  list(): readonly AgentState[];
  /** Including dropped ones whose name was not reused. */
  everyone(): Iterable<AgentState>;
  /** Its state when dropped, if the name was not reused. */
  lastByName(name: string): AgentState | null;
}

export interface AuditEntry {
  readonly sequence: Sequence;
  readonly at: Micros;
  readonly actor: string;
  readonly world: WorldNumber;
  readonly action: 'write' | 'fork from' | 'merge into' | 'merge part into' | 'discard' | 'metadata';
  /** The world forked from or merged into; 0: none. */
  readonly other: WorldNumber;
  readonly rows: number;
}

/** Entries between sequences and times, both exclusive. */
export interface AuditBounds {
  readonly before: number;
  readonly beforeAt: number;
  readonly after: number;
  readonly afterAt: number;
}

/** Interface of the audit projection. */
export interface Audit {
  /** Newest first; null: of all actors. */
  list(actor: string | null, limit: number, bounds?: AuditBounds): AuditEntry[];
}

/** Settings of the whole database, as texts. */
export interface StoredSettings {
  /** The release that created the folder; null if it did not record that. */
  readonly madeBy: string | null;
  get(name: string): string | null;
  /** Incremented with each change. */
  readonly changes: number;
}

/** Interface of the history projection. */
export interface History {
  /** Newest first. */
  list(world: WorldNumber, limit: number, before?: number): { at: Micros; sequence: Sequence; event: string; rows: number }[];
  /** The world's version after its last event at or before `sequence`. */
  versionAt(world: WorldNumber, sequence: Sequence): number;
  /** The world's last event at or before `sequence` that changed its state (or created it), and its time; null if it was trimmed. */
  changedAt(world: WorldNumber, sequence: Sequence): { sequence: Sequence; at: Micros } | null;
  lastAtOrBefore(world: WorldNumber, at: Micros): Sequence;
}

/** Roles of the database, independent of worlds. */
export interface RoleBook {
  /** The current roles. */
  readonly current: Roles;
  /** An oid that no role has had. */
  nextOid(): number;
  /** The event's changes for these rows (null: deleted). */
  changes(rows: ReadonlyMap<string, RoleRow | null>): RowChange[];
}

/** Numbers of tables and columns by name, shared by all worlds. */
export interface Objects {
  /** The known number for a table name, or null. */
  table(name: string): number | null;
  column(table: number, name: string): number | null;
  /** The known number for a name from `numberName`, or null. */
  named(name: string): number | null;
  /** The number for a name from `numberName`, or a new one, which the name keeps from now on. */
  number(name: string | null): number;
  /** A new row number, for a row of a table without a primary key. */
  rowNumber(): number;
  /** An oid that no large object of any world has had. */
  largeObjectNumber(): number;
}
