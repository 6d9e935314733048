/**
 * Rows of a table by their distance from a vector, for ORDER BY: as many as the reader takes. Vectors of SQL's types are kept exactly, so
 * their order is that of the operator. The first rows may be those that lists give (nearby-vectors.ts); for more of them all are compared, so
 * that a filter above loses no row. If a plan gives the rows that pass the filter, only these are compared, and it is read first if few do.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { rowsBelow } from '../tree/read.ts';
import { rowIn } from '../tree/row-change.ts';
import type { FoundRow, Metric, NearestLimits, SearchedState } from '../worlds/search.ts';
import { bestOf } from './best-rows.ts';
import { type DistanceAt, distanceFrom } from './distances.ts';
import { candidates } from './list-search.ts';
import { keyNumbered, placeIn } from './numbered-rows.ts';
import { holding, type Searchable } from './segments.ts';
import type { TouchedRows } from './touched-rows.ts';
import { candidatesFor, type VectorSearch } from './vector-search.ts';
import type { ListMetric, TriedLists } from './vector-lists.ts';
import type { VectorSegment } from './vector-segment.ts';
import type { RowVector, VectorSource } from './vector-source.ts';

/** When more rows are taken than were expected, this many times as many are ordered. */
const GROWTH = 8;
const FIRST_MIN = 64;
/** Rows are read for a batch before it is known whether all are wanted: each batch is twice as large as the last one. */
const ROWS_A_BATCH = 256;
const ROWS_FIRST = 16;
/** When more rows are expected, all vectors are compared, or all that pass the filter. */
const APPROXIMATE_MAX = 1000;
const APPROXIMATE_FILTERED_MAX = 200;
/** With a filter lists give more rows than pass on average: of these only those that are taken are read. */
const FILTERED_TIMES = 2;
const FILTERED_MORE = 10;

type Rows = Generator<readonly FoundRow[] | void, void>;

export function* nearestRows(
  { segments, nearby }: VectorSearch,
  state: SearchedState,
  source: VectorSource,
  metric: Metric,
  vector: Float32Array,
  { expected, wanted, beam, passing }: NearestLimits,
  count: (distances: number) => void,
): Rows {
  const { rows } = state;
  if (rows === null || rows.count === 0) return;
  const searchable = yield* segments.for(state, source, rows);
  if (vector.length !== source.dimensions && hasVectors(searchable)) {
    throw new SvcError('22000', `different ${source.column.type.name} dimensions ${source.dimensions} and ${vector.length}`);
  }
  const search = new Nearest(state.pager, searchable, rows, metric, vector, count);
  const isFew = expected <= (passing === null ? APPROXIMATE_MAX : APPROXIMATE_FILTERED_MAX);
  const isApproximate = beam !== null && metric !== 'l1' && vector.some((each) => each !== 0);
  // A search starts the build of lists also if it does not use them.
  const lists = isApproximate ? (nearby?.of(searchable.segment) ?? null) : null;
  const first = passing === null ? expected : FILTERED_MORE + FILTERED_TIMES * expected;
  let steps = isFew && lists !== null ? search.byLists(lists, first, beam ?? 0) : null;
  // Without lists many rows pass, too: reading the nearest is less work than asking which rows of the table do.
  if (isFew && lists === null && passing !== null) steps = search.byAll(first);
  yield* holding(state, [searchable.segment.tree], search.inOrder(steps, passing === null ? expected : wanted, passing));
}

function hasVectors({ segment, touched }: Searchable<RowVector, VectorSegment>): boolean {
  const changed = touched.sorted.filter(({ before }) => before !== null);
  return segment.rows.length > changed.length || touched.sorted.some(({ now }) => now !== null);
}

/** Vectors are numbered: those of the segment, then those of touched rows. */
class Nearest {
  readonly #pager: Pager;
  readonly #segment: VectorSegment;
  readonly #touched: TouchedRows<RowVector>;
  readonly #rows: Node;
  readonly #metric: Metric;
  readonly #vector: Float32Array;
  readonly #distance: DistanceAt;
  readonly #count: (distances: number) => void;
  readonly #added: readonly { readonly key: Key; readonly place: number; readonly distance: number }[];

  constructor(
    pager: Pager,
    { segment, touched }: Searchable<RowVector, VectorSegment>,
    rows: Node,
    metric: Metric,
    vector: Float32Array,
    count: (distances: number) => void,
  ) {
    this.#pager = pager;
    this.#count = count;
    this.#segment = segment;
    this.#touched = touched;
    this.#rows = rows;
    this.#metric = metric;
    this.#vector = vector;
    this.#distance = distanceFrom(vector, metric);
    this.#added = touched.sorted.flatMap(({ key, ordinal, inSegment, now }) =>
      now === null ? [] : [{ key, place: inSegment ? ordinal : ordinal - 0.5, distance: this.#distance(Float32Array.from(now), 0) }],
    );
  }

  /** `first`: steps that give some rows, and return which ones. `expected`: rows that are likely to be enough of the others. */
  *inOrder(first: Generator<readonly FoundRow[] | void, ReadonlySet<number>> | null, expected: number, passing: NearestLimits['passing']): Rows {
    const given = first === null ? null : yield* first;
    const keys = passing === null ? null : yield* passing();
    if (keys === null) {
      yield* this.#nearestOf(yield* this.#among(given), expected);
      yield* withoutVector(this.#pager, { segment: this.#segment, touched: this.#touched }, this.#rows);
      return;
    }
    const { among, without } = yield* numbered(this.#pager, { segment: this.#segment, touched: this.#touched }, this.#added, keys);
    yield* this.#nearestOf(given === null ? among : among.filter((i) => !given.has(i)), expected);
    for (const key of without) yield rowFor(this.#pager, this.#rows, key);
  }

  /** Yields up to `most` rows. `among`: null for all of the segment. Returns their places there. */
  *#nearestOf(among: readonly number[] | null, expected: number, most = Infinity): Generator<readonly FoundRow[] | void, readonly number[]> {
    const size = among?.length ?? this.#segment.rows.length;
    const all = Math.min(size, most);
    const vectorAt = (place: number): number => (among === null ? place : among[place]);
    const distances = yield* this.#distances(size, vectorAt);
    const isNearer = this.#nearerBy(
      (place) => distances[place],
      (place) => this.#placeOf(vectorAt(place)),
    );
    let best: readonly number[] = [];
    for (let wanted = Math.max(FIRST_MIN, expected); best.length < all; wanted *= GROWTH) {
      const taken = best.length;
      best = yield* bestOf(size, null, Math.min(wanted, all), isNearer);
      yield* this.#batches(best, taken, vectorAt, (place) => distances[place]);
    }
    return best;
  }

  /** Gives as many of the nearest rows as are expected; returns which ones. */
  *byAll(expected: number): Generator<readonly FoundRow[] | void, ReadonlySet<number>> {
    const among = yield* this.#among(null);
    const best = yield* this.#nearestOf(among, expected, expected);
    return new Set(among === null ? best : best.map((place) => among[place]));
  }

  /** Gives as many rows as are expected by lists; returns which ones. */
  *byLists(lists: TriedLists, expected: number, beam: number): Generator<readonly FoundRow[] | void, ReadonlySet<number>> {
    const { rows } = this.#segment;
    const { inSegment } = this.#touched;
    const query = { metric: this.#metric as ListMetric, vector: this.#vector, count: candidatesFor(expected), beam };
    const near = [...(yield* candidates(lists, query, (i) => inSegment.size > 0 && inSegment.has(rows[i])))];
    this.#added.forEach((_, i) => near.push(rows.length + i));
    const distances = yield* this.#distances(near.length, (at) => near[at]);
    const isNearer = this.#nearerBy(
      (at) => distances[at],
      (at) => this.#placeOf(near[at]),
    );
    const best = yield* bestOf(near.length, null, expected, isNearer);
    const vectorAt = (at: number): number => near[at];
    yield* this.#batches(best, 0, vectorAt, (at) => distances[at]);
    return new Set(best.map(vectorAt));
  }

  *#batches(best: readonly number[], from: number, vectorAt: (at: number) => number, distanceOf: (at: number) => number): Rows {
    let size = ROWS_FIRST;
    for (let at = from; at < best.length;) {
      yield best.slice(at, at + size).map((each): FoundRow => {
        const key = this.#keyOf(vectorAt(each));
        const { leaf, index } = rowIn(this.#pager, this.#rows, key)!;
        return { part: 0, key, leaf, at: index, score: distanceOf(each) };
      });
      at += size;
      size = Math.min(ROWS_A_BATCH, 2 * size);
    }
  }

  #keyOf(i: number): Key {
    const { rows, tree } = this.#segment;
    return i < rows.length ? keyNumbered(this.#pager, tree, rows[i]) : this.#added[i - rows.length].key;
  }

  #placeOf(i: number): number {
    const { rows } = this.#segment;
    return i < rows.length ? rows[i] : this.#added[i - rows.length].place;
  }

  #nearerBy(distanceOf: (at: number) => number, placeOf: (at: number) => number): (a: number, b: number) => boolean {
    return (a, b) => {
      const [x, y] = [distanceOf(a), distanceOf(b)];
      if (x < y) return true;
      if (x > y) return false;
      // NaN comes after all other numbers.
      if (x === x && y !== y) return true;
      if (x !== x && y === y) return false;
      const [p, q] = [placeOf(a), placeOf(b)];
      return p === q ? a < b : p < q;
    };
  }

  /** Vectors of the state that were not given yet; null: all of the segment. */
  *#among(given: ReadonlySet<number> | null): Generator<void, number[] | null> {
    const { rows } = this.#segment;
    const { inSegment } = this.#touched;
    if (this.#touched.size === 0 && given === null) return null;
    const among: number[] = [];
    for (let i = 0; i < rows.length + this.#added.length; i++) {
      // Touched rows are among the added ones.
      if ((i >= rows.length || !inSegment.has(rows[i])) && given?.has(i) !== true) among.push(i);
      if (i % 16_384 === 0) yield;
    }
    return among;
  }

  *#distances(size: number, vectorAt: (at: number) => number): Generator<void, Float64Array> {
    const { floats, rows } = this.#segment;
    const all = new Float64Array(size);
    for (let at = 0; at < size; at++) {
      const i = vectorAt(at);
      all[at] = i < rows.length ? this.#distance(floats.numbers(i), floats.offset(i)) : this.#added[i - rows.length].distance;
      if (at % 1024 === 1023) yield;
    }
    this.#count(size);
    return all;
  }
}

interface Added {
  readonly key: Key;
}

/** Which vectors rows have, and the keys of the rows that have none. A key that the state lacks has neither. */
function* numbered(
  pager: Pager,
  { segment, touched }: Searchable<RowVector, VectorSegment>,
  added: readonly Added[],
  keys: ReadonlySet<Key>,
): Generator<void, { among: number[]; without: Key[] }> {
  const among: number[] = [];
  const without: Key[] = [];
  let looked = 0;
  for (const key of keys) {
    if (++looked % 256 === 0) yield;
    const changed = touched.byKey.get(key);
    if (changed !== undefined) {
      // Those with a vector are among the added ones.
      if (changed.now === null) without.push(key);
      continue;
    }
    const i = placeIn(segment.rows, rowsBelow(pager, segment.tree, key));
    if (i < 0) without.push(key);
    else among.push(i);
  }
  added.forEach(({ key }, i) => {
    if (keys.has(key)) among.push(segment.rows.length + i);
  });
  return { among: among.sort((a, b) => a - b), without: without.sort((a, b) => (a < b ? -1 : 1)) };
}

function rowFor(pager: Pager, rows: Node, key: Key): FoundRow[] {
  const found = rowIn(pager, rows, key);
  return found === null ? [] : [{ part: 0, key, leaf: found.leaf, at: found.index, score: NaN }];
}

/** Rows that have none. */
function* withoutVector(pager: Pager, { segment, touched }: Searchable<RowVector, VectorSegment>, rows: Node): Rows {
  if (segment.rows.length < segment.tree.count) {
    let next = 0;
    for (let ordinal = 0; ordinal < segment.tree.count; ordinal++) {
      if (segment.rows[next] === ordinal) next++;
      else if (!touched.inSegment.has(ordinal)) yield rowFor(pager, rows, keyNumbered(pager, segment.tree, ordinal));
      if (ordinal % 65_536 === 65_535) yield;
    }
  }
  for (const { key, now } of touched.sorted) if (now === null) yield rowFor(pager, rows, key);
}
