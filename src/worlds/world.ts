/** A world in memory: its record and the roots of its trees. */
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import type { Meta, Recipe } from '../events/event.ts';
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

/** What a world has taken in of others, for the bases of merges with them (merge/common-points.ts). */
export interface Met {
  /** By world, the parent among them: the latest state that was taken in. */
  readonly knows: Knowledge;
  /** The parent's state that the fork point is. */
  readonly at: number;
  /** The fork point is that state alone: no parts that were merged have moved it. */
  readonly pure: boolean;
  /** What the parent knew then. */
  readonly baseKnows: Knowledge;
  /** Other worlds know states of it. */
  readonly shared?: true;
  /** What was known of a world before the merge `at` brought more, latest last, for its undo; `before` 0: nothing. */
  readonly prior?: readonly { readonly world: number; readonly at: number; readonly before: number }[];
  /** Worlds that parts were merged with, beside its parent and its forks. */
  readonly pairs?: readonly number[];
}

/** Directories of what two worlds last had in common: several after criss-cross merges with third ones, which in turn have `under` in common. */
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
  /** Time to live of its own, in milliseconds; null: its owner's. */
  ttl: number | null;
  /** Rows that were changed since its fork, each as often as it was; what it stood on is not counted. */
  changed: number;
  /** Said explicitly; see `isFlagged` for worlds of a crashed run. */
  flagged: boolean;
  lastWrite: Sequence;
  confirmed: Sequence;
  /** When the fork point last moved to the parent as it was then; 0 for never. */
  rebased: Sequence;
  /** Open worlds forked from it. */
  children: number;
  status: 'open' | 'merged' | 'discarded';
  gone: Sequence;
  merges: MergeNote[];
  checkpoints: { name: string; at: Micros; sequence: Sequence }[];
  /** Left out where it has met its parent alone, at its fork or its latest rebase. */
  met?: Met;
  /** Where a simulation kept it: the run, and which of its worlds it is. */
  simulated?: { run: Sequence; index: number; score: number };
  /** Directory of the world's trees (object id → root). */
  root: Node;
  /** The same at the fork point. */
  base: Node;
  /** Decoded definitions of `root`; null until asked for. Shared by forks, never changed. */
  catalog: Catalog | null;
  /** When it was last looked at, by the tick of the expiry worker; in memory only. */
  used: number;
  /** Token of the writer that owns the nodes below `root`. */
  edit: number;
}

/** A simulation that keeps worlds, as long as one of them is there. */
export interface SimulationRun {
  readonly run: Sequence;
  /** The base world. */
  readonly base: WorldNumber;
  readonly recipe: Recipe;
  /** How many of its worlds are there. */
  readonly worlds: number;
  /** Its end is not written yet: none of its worlds can be seen. */
  readonly pending: boolean;
}

/** What commands and views may ask of the worlds projection. */
export interface Worlds {
  byNumber(number: WorldNumber): World | null;
  /** An open world by name. */
  byName(name: string): World | null;
  /** The latest world that had the name, open or gone. */
  everByName(name: string): World | null;
  goneByNumber(number: WorldNumber): World | null;
  /** Worlds of the name that are gone and still remembered, oldest first; looks at all that are. */
  goneNamed(name: string): WorldRecord[];
  open(): Iterable<World>;
  readonly count: number;
  isFlagged(world: WorldRecord): boolean;
  /** Nothing below the roots is changed in place from now on: for readers that outlive this turn. */
  share(world: World): Node;
  checkpointRoot(world: World, name: string): Node | null;
  /** What the two last had in common: the base of a merge between them, in either direction. */
  common(a: World, b: World): CommonBase;
  /** Names of open worlds that begin so. */
  namedUnder(prefix: string): string[];
  simulation(run: Sequence): SimulationRun | null;
  /** Runs whose end is not written, each with the worlds that it has kept so far. */
  pendingSimulations(): { run: Sequence; worlds: WorldNumber[] }[];
  /** How many open worlds the agent (or guest) owns. */
  ownedCount(owner: string): number;
  /** Its open worlds, oldest first. */
  owned(owner: string): Iterable<WorldNumber>;
  /** Open worlds with a time to live of their own. */
  withTtl(): Iterable<WorldNumber>;
  /** Up to `limit` open worlds with numbers above `after`, in order, without keeping them in memory. */
  glance(after: number, limit: number): WorldGlance[];
  /** The same with all that is known of them but their trees. */
  records(after: number, limit: number): WorldRecord[];
  record(number: WorldNumber): WorldRecord | null;
  /** Numbers of worlds, open or gone, whose names begin with `prefix`, of up to `limit` names from `from` on; `next` is where the others begin. */
  numbersNamed(prefix: string, from: string, limit: number): { numbers: WorldNumber[]; next: string | null };
}

/** A world without what is in memory only. */
export type WorldRecord = Omit<World, 'root' | 'base' | 'edit' | 'catalog' | 'used'>;

/** What the idle rule looks at. */
export interface WorldGlance {
  readonly number: WorldNumber;
  readonly parent: WorldNumber;
  readonly children: number;
  readonly pinned: boolean;
  readonly active: Micros;
  /** As `World.used`; undefined for what is not in memory. */
  readonly used?: number;
}

/** What may be asked of the agents projection. */
export interface Agents extends AgentStates {
  /** In order of names. */
  list(): readonly AgentState[];
  /** Also dropped ones whose name no later one took. */
  everyone(): Iterable<AgentState>;
  /** As it was when it was dropped, where no later agent took the name. */
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

/** Entries between sequences and moments, which are left out themselves. */
export interface AuditBounds {
  readonly before: number;
  readonly beforeAt: number;
  readonly after: number;
  readonly afterAt: number;
}

/** What may be asked of the audit projection. */
export interface Audit {
  /** Newest first; null: of everybody. */
  list(actor: string | null, limit: number, bounds?: AuditBounds): AuditEntry[];
}

/** Settings of the whole database, as texts. */
export interface StoredSettings {
  /** The release that made the folder; null: one that did not say so. */
  readonly madeBy: string | null;
  get(name: string): string | null;
  /** Rises with each change. */
  readonly changes: number;
}

/** What commands may ask of the history projection. */
export interface History {
  /** Newest first. */
  list(world: WorldNumber, limit: number, before?: number): { at: Micros; sequence: Sequence; event: string; rows: number }[];
  /** Sequence of the world's last event at or before the moment; 0 when there is none. */
  /** The world's version after its last event at or before `sequence`. */
  versionAt(world: WorldNumber, sequence: Sequence): number;
  /** The world's last event at or before `sequence` that changed its state (or made it), and its moment; null where history does not reach it. */
  changedAt(world: WorldNumber, sequence: Sequence): { sequence: Sequence; at: Micros } | null;
  lastAtOrBefore(world: WorldNumber, at: Micros): Sequence;
}

/** Roles of the database, which no world has a part in. */
export interface RoleBook {
  /** As they are now. */
  readonly current: Roles;
  /** A number that no role has had. */
  nextOid(): number;
  /** What an event says that brings these rows about (null: gone). */
  changes(rows: ReadonlyMap<string, RoleRow | null>): RowChange[];
}

/** Numbers of tables and columns by name, shared by all worlds. */
export interface Objects {
  /** The known number for a table name, or null. */
  table(name: string): number | null;
  column(table: number, name: string): number | null;
  /** The known number of what `numberName` names. */
  named(name: string): number | null;
  /** The number of what `numberName` names, or one that was never handed out: for a name the same one from now on. */
  number(name: string | null): number;
  /** A row number that was never handed out, for a row of a table without a primary key. */
  rowNumber(): number;
  /** An oid that no large object of any world was given. */
  largeObjectNumber(): number;
}
