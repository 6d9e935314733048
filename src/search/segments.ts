/**
 * Segments of a database, by the state that they were built from. A world, a moment or a transaction is searched by a segment that its rows
 * differ little from, so a fork needs none of its own. They are a cache: dropped when memory is short, built again when they are needed.
 *
 *     rows of a state ──► a segment that differs by few rows ──► its touched rows for that state, known or made from the last ones
 *                    └──► none: read a stored one that differs by few rows, or build one in slices
 */
import { inTurns } from '../base/slices.ts';
import { directoryOf } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { SearchedState } from '../worlds/search.ts';
import type { KeptSegments, RowSource, Segment } from './row-source.ts';
import { touchedFrom, TouchedRows } from './touched-rows.ts';

/** Any segment counts as many at least: those of dimensions that no vector has are empty, and there could be one for each. */
const LEAST_BYTES = 1 << 16;
/** Rows that may differ between two states of which one's touched rows are made from the other's. */
const NEAR_MAX = 512;
/** Rows that may differ from a segment: more of them cost a query more than a new segment. */
const TOUCHED_MIN = 4096;
const TOUCHED_PART = 0.05;
/** States of which a segment keeps the touched rows. */
const STATES_MAX = 8;

interface Kept<Read, S extends Segment> {
  readonly table: number;
  readonly source: RowSource<Read>;
  readonly segment: S;
  /** Of the page store: an emptied store has none of the segment's pages. */
  readonly renewedAt: number;
  readonly release: () => void;
  /** The last one used first, the segment's own at the end at the latest. */
  states: TouchedRows<Read>[];
}

/** A segment that is being built: each search that waits for it does a step of the work in its turn. */
interface Building<Read, S extends Segment> {
  readonly table: number;
  readonly rows: Node;
  readonly source: RowSource<Read>;
  readonly steps: Generator<void, Made<Read, S>>;
  waiting: number;
  outcome: { readonly made: Made<Read, S> } | { readonly error: unknown } | null;
}

/** A segment, and what differs from it in the state that it was built or read for. */
interface Made<Read, S extends Segment> {
  readonly kept: Kept<Read, S>;
  readonly touched: TouchedRows<Read>;
}

export interface Searchable<Read, S extends Segment> {
  readonly segment: S;
  readonly touched: TouchedRows<Read>;
}

export class Segments<Read, S extends Segment> {
  readonly #segmentOf: (pager: Pager, tree: Node, source: RowSource<Read>) => Generator<void, S>;
  readonly #bytesMax: number;
  readonly #stored: KeptSegments<Read, S> | null;
  /** The last one used first. */
  #kept: Kept<Read, S>[] = [];
  #building: Building<Read, S>[] = [];
  /** How often the other states were forgotten. */
  #forgotten = 0;

  constructor(bytesMax: number, build: (pager: Pager, tree: Node, source: RowSource<Read>) => Generator<void, S>, stored: KeptSegments<Read, S> | null = null) {
    this.#bytesMax = bytesMax;
    this.#segmentOf = build;
    this.#stored = stored;
  }

  /** A segment for the rows of a state, and what differs from it. */
  *for(state: SearchedState, source: RowSource<Read>, rows: Node): Generator<void, Searchable<Read, S>> {
    const { pager, table } = state;
    const forgotten = this.#forgotten;
    this.#dropRenewed(pager);
    for (const kept of this.#kept) {
      if (kept.table !== table.number || !source.continues(kept.source)) continue;
      const touched = yield* holding(
        state,
        kept.states.map(({ tree }) => tree),
        touchedOf(pager, kept, source, rows),
      );
      if (touched === null) continue;
      this.#use(kept, touched, forgotten);
      if (touched.size > touchedMax(rows) / 2) this.#buildAhead(state, source, rows);
      return { segment: kept.segment, touched };
    }
    const { kept, touched } = yield* this.#made(state, source, rows);
    return { segment: kept.segment, touched };
  }

  /** `forgotten`: as it was when the search read its state. */
  #use(kept: Kept<Read, S>, touched: TouchedRows<Read>, forgotten: number): void {
    if (forgotten === this.#forgotten) kept.states = [touched, ...kept.states.filter((each) => each !== touched)].slice(0, STATES_MAX);
    // The segment's own state is held with it: from there all others can be reached.
    if (kept.states.every(({ tree }) => tree !== kept.segment.tree)) kept.states.push(stateOf(kept.segment));
    // Not kept any more: dropped while it was searched.
    if (this.#kept.includes(kept)) this.#kept = [kept, ...this.#kept.filter((each) => each !== kept)];
  }

  /** One at a time for a table: the next search after it is served by what was built. */
  #buildAhead(state: SearchedState, source: RowSource<Read>, rows: Node): void {
    if (this.#building.some(({ table }) => table === state.table.number)) return;
    const { pager } = state;
    const standing = { roots: () => [rows], hold: (tree: Node) => state.hold(directoryOf(pager, tree)), between: () => undefined };
    // The database may be closed meanwhile; the next search builds it then.
    void (async () => inTurns(this.#made(state, source, rows), true, standing))().catch(() => undefined);
  }

  /** One build for all who wait for the same state; it ends when none of them waits any more. */
  *#made(state: SearchedState, source: RowSource<Read>, rows: Node): Generator<void, Made<Read, S>> {
    let building = this.#building.find((each) => each.rows === rows && source.continues(each.source));
    if (building === undefined) {
      building = { table: state.table.number, rows, source, steps: this.#build(state, source, rows), waiting: 0, outcome: null };
      this.#building.push(building);
    }
    building.waiting++;
    try {
      while (building.outcome === null) {
        this.#advance(building);
        yield;
      }
      if ('error' in building.outcome) throw building.outcome.error;
      return building.outcome.made;
    } finally {
      if (--building.waiting === 0 && building.outcome === null) {
        this.#end(building);
        building.steps.return(undefined as never);
      }
    }
  }

  #advance(building: Building<Read, S>): void {
    try {
      const next = building.steps.next();
      if (next.done !== true) return;
      building.outcome = { made: next.value };
    } catch (error) {
      building.outcome = { error };
    }
    this.#end(building);
  }

  #end(building: Building<Read, S>): void {
    this.#building = this.#building.filter((each) => each !== building);
  }

  *#build(state: SearchedState, source: RowSource<Read>, rows: Node): Generator<void, Made<Read, S>> {
    const { pager, table } = state;
    const release = state.hold(directoryOf(pager, rows));
    let isKept = false;
    try {
      const stored = yield* this.#read(state, source, rows);
      if (stored !== null) return stored;
      const { renewedAt } = pager;
      const segment = yield* this.#segmentOf(pager, rows, source);
      const kept: Kept<Read, S> = { table: table.number, source, segment, renewedAt, release, states: [stateOf<Read>(segment)] };
      this.#kept.unshift(kept);
      isKept = true;
      this.#shrink();
      this.#stored?.write(table.number, source, segment);
      return { kept, touched: stateOf(segment) };
    } finally {
      if (!isKept) release();
    }
  }

  /** A stored segment that differs by few rows; null if there is none. */
  *#read(state: SearchedState, source: RowSource<Read>, rows: Node): Generator<void, Made<Read, S> | null> {
    const { pager, table } = state;
    const forgotten = this.#forgotten;
    const segment = this.#stored === null ? null : yield* this.#stored.find(table.number, source);
    if (segment === null) return null;
    const { renewedAt } = pager;
    const release = state.hold(directoryOf(pager, segment.tree));
    const kept: Kept<Read, S> = { table: table.number, source, segment, renewedAt, release, states: [stateOf<Read>(segment)] };
    let isKept = false;
    try {
      const touched = yield* touchedOf(pager, kept, source, rows);
      if (touched === null) return null;
      this.#kept.unshift(kept);
      isKept = true;
      if (forgotten === this.#forgotten && touched.tree !== segment.tree) kept.states = [touched, ...kept.states];
      this.#shrink();
      return { kept, touched };
    } finally {
      if (!isKept) release();
    }
  }

  /** Roots without pages, of segments that could be stored otherwise. */
  unwritten(): Node[] {
    if (this.#stored === null) return [];
    return this.#kept.flatMap(({ segment }) => (segment.tree.id <= 0 && this.#stored!.isWanted(segment) ? [segment.tree] : []));
  }

  /** Segments whose roots a checkpoint has written since they were built. */
  store(): void {
    for (const { table, source, segment } of this.#kept) this.#stored?.write(table, source, segment);
  }

  /** Those that could not be stored before. */
  storeNow(): void {
    for (const { table, source, segment } of this.#kept) this.#stored?.writeNow(table, source, segment);
  }

  /** Drops what was not used for the longest time; one segment stays however large it is. */
  #shrink(): void {
    let bytes = 0;
    this.#drop(({ segment }, i) => (bytes += Math.max(segment.sizeBytes, LEAST_BYTES)) > this.#bytesMax && i > 0);
  }

  #dropRenewed({ renewedAt }: Pager): void {
    if (this.#kept.some((each) => each.renewedAt !== renewedAt)) this.#drop((each) => each.renewedAt !== renewedAt);
  }

  /** Pages of states that no segment holds may be collected: they are compared with no other state from now on. */
  forgetStates(): void {
    this.#forgotten++;
    for (const kept of this.#kept) kept.states = [stateOf(kept.segment)];
    this.#stored?.forget(this.#kept.map(({ segment }) => segment));
  }

  #drop(isDropped: (kept: Kept<Read, S>, i: number) => boolean): void {
    this.#kept = this.#kept.filter((kept, i) => {
      if (!isDropped(kept, i)) return true;
      kept.release();
      return false;
    });
  }
}

function touchedMax(rows: Node): number {
  return Math.max(TOUCHED_MIN, Math.floor(rows.count * TOUCHED_PART));
}

/** Null if too many rows differ. */
function* touchedOf<Read, S extends Segment>(
  pager: Pager,
  { segment, states }: Kept<Read, S>,
  source: RowSource<Read>,
  rows: Node,
): Generator<void, TouchedRows<Read> | null> {
  // A row that another source read otherwise, as a fork that has one column more, may be the same to this one.
  const readAlike = states.filter((each) => each.source === null || source.equals(each.source));
  const known = readAlike.find(({ tree }) => tree === rows || (tree.id !== 0 && tree.id === rows.id));
  if (known !== undefined) return known;
  for (const from of readAlike) {
    const isOwn = from.tree === segment.tree;
    const touched = yield* touchedFrom(pager, segment, source, from, rows, isOwn ? touchedMax(rows) : NEAR_MAX);
    if (touched !== null) return touched.size > touchedMax(rows) ? null : touched;
  }
  return null;
}

/** The segment's own state. */
function stateOf<Read>({ tree }: Segment): TouchedRows<Read> {
  return new TouchedRows<Read>(tree, null, new Map());
}

/** Runs steps that read these trees, which stay for as long. */
export function* holding<Y, T>({ pager, hold }: SearchedState, trees: readonly Node[], steps: Generator<Y, T>): Generator<Y, T> {
  const releases = trees.map((tree) => hold(directoryOf(pager, tree)));
  try {
    return yield* steps;
  } finally {
    for (const release of releases) release();
  }
}
