/** Search by the dot product with a vector: every vector of the segment and of the touched rows, the best ones computed again exactly. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { rowIn } from '../tree/row-change.ts';
import type { FoundRow, FoundRows, SearchedState, SearchLimits } from '../worlds/search.ts';
import { bestOf } from './best-rows.ts';
import { keyNumbered } from './numbered-rows.ts';
import { holding, type Searchable, type Segments } from './segments.ts';
import { BLOCK_VECTORS, type VectorSegment } from './vector-segment.ts';
import type { RowVector, VectorSource } from './vector-source.ts';

export type VectorSegments = Segments<RowVector, VectorSegment>;

export function* searchVectors(
  segments: VectorSegments,
  state: SearchedState,
  source: VectorSource,
  vector: readonly number[],
  limits: SearchLimits,
): Generator<void, FoundRows> {
  const { rows } = state;
  if (rows === null || rows.count === 0) return { rows: [], total: 0 };
  const searchable = yield* segments.for(state, source, rows);
  return yield* holding(state, [searchable.segment.tree], found(state.pager, searchable, source, rows, Float64Array.from(vector), limits));
}

/** Rounding to 32 bits may change the order of rows that are this near to the last one given. */
const SPARE = 64;

function* found(
  pager: Pager,
  { segment, touched }: Searchable<RowVector, VectorSegment>,
  source: VectorSource,
  rows: Node,
  vector: Float64Array,
  { take, skip, matches }: SearchLimits,
): Generator<void, FoundRows> {
  const added: { key: Key; place: number; score: number }[] = [];
  for (const { key, ordinal, inSegment, now } of touched.sorted) {
    if (now !== null) added.push({ key, place: inSegment ? ordinal : ordinal - 0.5, score: dot(now, vector) });
  }
  const scores = yield* allScores(segment, vector);
  const keyOf = (i: number): Key => (i < scores.length ? keyNumbered(pager, segment.tree, segment.rows[i]) : added[i - scores.length].key);
  let among: number[] | null = null;
  if (touched.inSegment.size > 0 || matches !== null) {
    among = [];
    for (let i = 0; i < scores.length + added.length; i++) {
      if (i < scores.length && touched.inSegment.has(segment.rows[i])) continue;
      if (matches !== null) {
        const { leaf, index } = rowIn(pager, rows, keyOf(i))!;
        if (i % 64 === 63) yield;
        if (!matches(leaf, index)) continue;
      }
      among.push(i);
    }
  }
  const total = among?.length ?? scores.length + added.length;
  if (total === 0) refuseOtherDimensions(source, segment);
  const scoreOf = (i: number): number => (i < scores.length ? scores[i] : added[i - scores.length].score);
  const placeOf = (i: number): number => (i < scores.length ? segment.rows[i] : added[i - scores.length].place);
  const rough = yield* bestOf(scores.length + added.length, among, take === 0 ? 0 : skip + take + SPARE, (a, b) => {
    const [x, y] = [scoreOf(a), scoreOf(b)];
    return x === y ? isBefore(placeOf(a), placeOf(b), a, b) : x > y;
  });
  yield;
  const exact = rough.map((i): FoundRow & { place: number; i: number } => {
    const key = keyOf(i);
    const { leaf, index } = rowIn(pager, rows, key)!;
    return { key, leaf, at: index, score: dot(source.vector(leaf, index)!, vector), place: placeOf(i), i };
  });
  exact.sort((a, b) => b.score - a.score || (isBefore(a.place, b.place, a.i, b.i) ? -1 : 1));
  return { rows: exact.slice(skip, skip + take), total };
}

function isBefore(x: number, y: number, a: number, b: number): boolean {
  return x === y ? a < b : x < y;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Scores of the segment's vectors, in its order. */
function* allScores({ blocks, dimensions, rows }: VectorSegment, vector: Float64Array): Generator<void, Float64Array> {
  const scores = new Float64Array(rows.length);
  for (let block = 0; block < blocks.length; block++) {
    const values = blocks[block];
    const count = values.length / dimensions;
    for (let i = 0; i < count; i++) scores[block * BLOCK_VECTORS + i] = dotAt(values, i * dimensions, vector);
    yield;
  }
  return scores;
}

/** Four sums, so that one does not wait for the other. */
function dotAt(values: Float32Array, from: number, vector: Float64Array): number {
  const { length } = vector;
  const even = length - (length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < even; i += 4) {
    a += values[from + i] * vector[i];
    b += values[from + i + 1] * vector[i + 1];
    c += values[from + i + 2] * vector[i + 2];
    d += values[from + i + 3] * vector[i + 3];
  }
  for (let i = even; i < length; i++) a += values[from + i] * vector[i];
  return a + b + (c + d);
}

/** 22000 if the table has vectors, but none of as many dimensions. */
function refuseOtherDimensions({ column, dimensions }: VectorSource, { rows, otherDimensions }: VectorSegment): void {
  if (rows.length > 0 || otherDimensions === 0) return;
  throw new SvcError('22000', `different vector dimensions ${otherDimensions} and ${dimensions}`, {
    detail: `The vectors of "${column.name}" have ${otherDimensions} dimensions.`,
  });
}
