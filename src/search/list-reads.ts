/**
 * How many vectors a search has to read so that it finds the nearest ones: some vectors of the segment are searched in all lists, and the
 * lists of their nearest are read up to there by later searches. Where lists do not divide the vectors well, that is all of them.
 */
import { ListSearch, orderOf } from './list-search.ts';
import { VECTORS_A_CALL } from './number-blocks.ts';
import type { ListMetric, TriedLists, VectorLists } from './vector-lists.ts';
import type { VectorSegment } from './vector-segment.ts';

const QUERIES = 64;
/** Of each of them. */
const NEAREST = 10;
/** Part of the nearest that may be missed by the queries, and how much more is read than that takes: other vectors are searched for. */
const MISSED = 0.002;
const MORE = 1.5;
const READ_MIN = 4096;
const METRICS: readonly ListMetric[] = ['ip', 'l2', 'cosine'];

export function* triedLists(lists: VectorLists, { floats }: VectorSegment): Generator<void, TriedLists> {
  const reads: Record<ListMetric, number> = { ip: lists.count, l2: lists.count, cosine: lists.count };
  for (const metric of METRICS) {
    const needed: number[] = [];
    for (let i = 0; i < QUERIES; i++) {
      const own = Math.floor(((i + 0.5) * lists.count) / QUERIES);
      const [numbers, from] = [floats.numbers(own), floats.offset(own)];
      const vector = numbers.subarray(from, from + lists.dimensions);
      needed.push(...(yield* readsOf(lists, metric, vector, own)));
    }
    needed.sort((a, b) => a - b);
    const enough = needed[Math.ceil(needed.length * (1 - MISSED)) - 1] ?? lists.count;
    reads[metric] = Math.min(lists.count, Math.max(READ_MIN, Math.ceil(MORE * enough)));
  }
  return { ...lists, reads };
}

/** For each of the vectors that are nearest to one: vectors to read until its list has been read. */
function* readsOf(lists: VectorLists, metric: ListMetric, vector: Float32Array, own: number): Generator<void, number[]> {
  const { starts, count } = lists;
  const search = new ListSearch(lists, { metric, vector, count: NEAREST }, (each) => each === own);
  for (let at = 0; at < count; at += VECTORS_A_CALL) {
    search.read(at, Math.min(count, at + VECTORS_A_CALL));
    yield;
  }
  const readTo = new Float64Array(starts.length - 1);
  let read = 0;
  for (const list of orderOf(search.centers)) readTo[list] = read += starts[list + 1] - starts[list];
  return Array.from(search.bestPlaces(), (place) => readTo[listAt(starts, place)]);
}

/** The list that has a place. */
function listAt(starts: Uint32Array, place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
}
