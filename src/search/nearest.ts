/**
 * Rows of a table by their distance from a vector, for ORDER BY: as many as the reader takes. Vectors of SQL's types are kept exactly, so
 * their order is that of the operator. The first rows may be those that lists give (nearby-vectors.ts); for more of them all are compared, so
 * that a filter above loses no row.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { rowIn } from '../tree/row-change.ts';
import type { FoundRow, Metric, NearestLimits, SearchedState } from '../worlds/search.ts';
import { bestOf } from './best-rows.ts';
import { type DistanceAt, distanceFrom } from './distances.ts';
import { candidates } from './list-search.ts';
import { keyNumbered } from './numbered-rows.ts';
import { holding, type Searchable } from './segments.ts';
import type { TouchedRows } from './touched-rows.ts';
import { candidatesFor, type VectorSearch } from './vector-search.ts';
import type { ListMetric, TriedLists } from './vector-lists.ts';
import type { VectorSegment } from './vector-segment.ts';
import type { RowVector, VectorSource } from './vector-source.ts';

/** When more rows are taken than were expected, this many times as many are ordered. */
const GROWTH = 8;
const FIRST_MIN = 64;
const ROWS_A_BATCH = 256;
/** When more rows are expected, all vectors are compared. */
const APPROXIMATE_MAX = 1000;

type Rows = Generator<readonly FoundRow[] | void, void>;

export function* nearestRows(
  { segments, nearby }: VectorSearch,
  state: SearchedState,
  source: VectorSource,
  metric: Metric,
  vector: Float32Array,
  { expected, beam }: NearestLimits,
): Rows {
  const { rows } = state;
  if (rows === null || rows.count === 0) return;
  const searchable = yield* segments.for(state, source, rows);
  if (searchable.segment.otherDimensions !== 0) {
    throw new SvcError('22000', `different vector dimensions ${searchable.segment.otherDimensions} and ${vector.length}`);
  }
  const search = new Nearest(state.pager, searchable, rows, metric, vector);
  const isFew = beam !== null && metric !== 'l1' && expected <= APPROXIMATE_MAX && vector.some((each) => each !== 0);
  const lists = isFew ? (nearby?.of(searchable.segment) ?? null) : null;
  yield* holding(state, [searchable.segment.tree], search.inOrder(expected, lists, beam ?? 0));
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
  readonly #added: readonly { readonly key: Key; readonly place: number; readonly distance: number }[];

  constructor(pager: Pager, { segment, touched }: Searchable<RowVector, VectorSegment>, rows: Node, metric: Metric, vector: Float32Array) {
    this.#pager = pager;
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

  *inOrder(expected: number, lists: TriedLists | null, beam: number): Rows {
    const given = lists === null ? null : yield* this.#candidates(lists, expected, beam);
    const distances = yield* this.#allDistances();
    const among = yield* this.#among(given);
    const size = this.#segment.rows.length + this.#added.length;
    const all = among?.length ?? size;
    const isNearer = this.#nearerBy((i) => this.#distanceOf(i, distances));
    let taken = 0;
    for (let wanted = Math.max(FIRST_MIN, expected); taken < all; wanted *= GROWTH) {
      const best = yield* bestOf(size, among, Math.min(wanted, all), isNearer);
      yield* this.#batches(best, taken, (i) => this.#distanceOf(i, distances));
      taken = best.length;
    }
    yield* withoutVector(this.#pager, { segment: this.#segment, touched: this.#touched }, this.#rows);
  }

  /** Gives as many rows as are expected; returns which ones. */
  *#candidates(lists: TriedLists, expected: number, beam: number): Generator<readonly FoundRow[] | void, ReadonlySet<number>> {
    const { rows, floats } = this.#segment;
    const { inSegment } = this.#touched;
    const query = { metric: this.#metric as ListMetric, vector: this.#vector, count: candidatesFor(expected), beam };
    const near = [...(yield* candidates(lists, query, (i) => inSegment.size > 0 && inSegment.has(rows[i])))];
    const distances = new Map(near.map((i) => [i, this.#distance(floats.numbers(i), floats.offset(i))]));
    this.#added.forEach(({ distance }, i) => {
      near.push(rows.length + i);
      distances.set(rows.length + i, distance);
    });
    const distanceOf = (i: number): number => distances.get(i)!;
    const isNearer = this.#nearerBy(distanceOf);
    const best = near.sort((a, b) => (isNearer(a, b) ? -1 : 1)).slice(0, expected);
    yield* this.#batches(best, 0, distanceOf);
    return new Set(best);
  }

  *#batches(best: readonly number[], from: number, distanceOf: (i: number) => number): Rows {
    for (let at = from; at < best.length; at += ROWS_A_BATCH) {
      yield best.slice(at, at + ROWS_A_BATCH).map((i): FoundRow => {
        const key = this.#keyOf(i);
        const { leaf, index } = rowIn(this.#pager, this.#rows, key)!;
        return { key, leaf, at: index, score: distanceOf(i) };
      });
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

  #distanceOf(i: number, distances: Float64Array): number {
    return i < distances.length ? distances[i] : this.#added[i - distances.length].distance;
  }

  #nearerBy(distanceOf: (i: number) => number): (a: number, b: number) => boolean {
    return (a, b) => {
      const [x, y] = [distanceOf(a), distanceOf(b)];
      if (x < y) return true;
      if (x > y) return false;
      // NaN comes after all other numbers.
      if (x === x && y !== y) return true;
      if (x !== x && y === y) return false;
      const [p, q] = [this.#placeOf(a), this.#placeOf(b)];
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

  /** Of the segment's vectors, in its order. */
  *#allDistances(): Generator<void, Float64Array> {
    const { floats, rows } = this.#segment;
    const all = new Float64Array(rows.length);
    for (let i = 0; i < all.length; i++) {
      all[i] = this.#distance(floats.numbers(i), floats.offset(i));
      if (i % 1024 === 0) yield;
    }
    return all;
  }
}

/** Rows that have none. */
function* withoutVector(pager: Pager, { segment, touched }: Searchable<RowVector, VectorSegment>, rows: Node): Rows {
  const rowOf = (key: Key): FoundRow[] => {
    const found = rowIn(pager, rows, key);
    return found === null ? [] : [{ key, leaf: found.leaf, at: found.index, score: NaN }];
  };
  if (segment.rows.length < segment.tree.count) {
    let next = 0;
    for (let ordinal = 0; ordinal < segment.tree.count; ordinal++) {
      if (segment.rows[next] === ordinal) next++;
      else if (!touched.inSegment.has(ordinal)) yield rowOf(keyNumbered(pager, segment.tree, ordinal));
      if (ordinal % 65_536 === 65_535) yield;
    }
  }
  for (const { key, now } of touched.sorted) if (now === null) yield rowOf(key);
}
