/**
 * Rows of a table by their distance from a vector, for ORDER BY: as many as the reader takes. Vectors of SQL's types are kept exactly, so
 * their order is that of the operator. All of them are compared, so that a filter above loses no row.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { rowIn } from '../tree/row-change.ts';
import type { FoundRow, Metric, NearestLimits, SearchedState } from '../worlds/search.ts';
import { bestOf } from './best-rows.ts';
import { type DistanceAt, distanceFrom } from './distances.ts';
import { keyNumbered } from './numbered-rows.ts';
import { holding, type Searchable } from './segments.ts';
import type { VectorSegments } from './vector-search.ts';
import { BLOCK_VECTORS, type VectorSegment } from './vector-segment.ts';
import type { RowVector, VectorSource } from './vector-source.ts';

/** When more rows are taken than were expected, this many times as many are ordered. */
const GROWTH = 8;
const FIRST_MIN = 64;
const ROWS_A_BATCH = 256;

type Rows = Generator<readonly FoundRow[] | void, void>;

export function* nearestRows(
  segments: VectorSegments,
  state: SearchedState,
  source: VectorSource,
  metric: Metric,
  vector: Float32Array,
  { expected }: NearestLimits,
): Rows {
  const { rows } = state;
  if (rows === null || rows.count === 0) return;
  const searchable = yield* segments.for(state, source, rows);
  if (searchable.segment.otherDimensions !== 0) {
    throw new SvcError('22000', `different vector dimensions ${searchable.segment.otherDimensions} and ${vector.length}`);
  }
  yield* holding(state, [searchable.segment.tree], inOrder(state.pager, searchable, rows, distanceFrom(vector, metric), expected));
}

function* inOrder(pager: Pager, { segment, touched }: Searchable<RowVector, VectorSegment>, rows: Node, distance: DistanceAt, expected: number): Rows {
  const added = touched.sorted.flatMap(({ key, ordinal, inSegment, now }) =>
    now === null ? [] : [{ key, place: inSegment ? ordinal : ordinal - 0.5, distance: distance(Float32Array.from(now), 0) }],
  );
  const count = segment.rows.length;
  const distances = yield* allDistances(segment, distance);
  // Touched rows are among the added ones.
  let among: number[] | null = null;
  if (touched.size > 0) {
    among = [];
    for (let i = 0; i < count + added.length; i++) {
      if (i >= count || !touched.inSegment.has(segment.rows[i])) among.push(i);
      if (i % 65_536 === 0) yield;
    }
  }
  const distanceOf = (i: number): number => (i < count ? distances[i] : added[i - count].distance);
  const placeOf = (i: number): number => (i < count ? segment.rows[i] : added[i - count].place);
  const keyOf = (i: number): Key => (i < count ? keyNumbered(pager, segment.tree, segment.rows[i]) : added[i - count].key);
  const isNearer = (a: number, b: number): boolean => {
    const [x, y] = [distanceOf(a), distanceOf(b)];
    if (x < y) return true;
    if (x > y) return false;
    // NaN comes after all other numbers.
    if (x === x && y !== y) return true;
    if (x !== x && y === y) return false;
    const [p, q] = [placeOf(a), placeOf(b)];
    return p === q ? a < b : p < q;
  };
  const all = among?.length ?? count + added.length;
  let given = 0;
  for (let wanted = Math.max(FIRST_MIN, expected); given < all; wanted *= GROWTH) {
    const best = yield* bestOf(count + added.length, among, Math.min(wanted, all), isNearer);
    for (; given < best.length; given += ROWS_A_BATCH) {
      yield best.slice(given, given + ROWS_A_BATCH).map((i): FoundRow => {
        const key = keyOf(i);
        const { leaf, index } = rowIn(pager, rows, key)!;
        return { key, leaf, at: index, score: distanceOf(i) };
      });
    }
    given = best.length;
  }
  yield* withoutVector(pager, { segment, touched }, rows);
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

/** Of the segment's vectors, in its order. */
function* allDistances({ blocks, dimensions, rows }: VectorSegment, distance: DistanceAt): Generator<void, Float64Array> {
  const all = new Float64Array(rows.length);
  for (let block = 0; block < blocks.length; block++) {
    const values = blocks[block];
    const count = values.length / dimensions;
    for (let i = 0; i < count; i++) all[block * BLOCK_VECTORS + i] = distance(values, i * dimensions);
    yield;
  }
  return all;
}
