/**
 * Search by the dot product with a vector. All vectors are compared, or those that lists give as candidates (nearby-vectors.ts), and the touched
 * rows beside them; the best ones are computed again from the rows, in 64 bits.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { sortedInSteps } from '../base/sorted-in-steps.ts';
import type { Key } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leaves, rowsBelow } from '../tree/read.ts';
import { rowIn } from '../tree/row-change.ts';
import type { FoundRow, FoundRows, SearchedState, VectorLimits } from '../worlds/search.ts';
import { bestOf } from './best-rows.ts';
import { candidates } from './list-search.ts';
import type { NearbyVectors } from './nearby-vectors.ts';
import { VECTORS_A_CALL } from './number-blocks.ts';
import { keyNumbered, placeIn } from './numbered-rows.ts';
import { holding, type Searchable, type Segments } from './segments.ts';
import type { RowOrder } from './table-parts.ts';
import type { TouchedRows } from './touched-rows.ts';
import type { TriedLists } from './vector-lists.ts';
import type { VectorSegment } from './vector-segment.ts';
import type { RowVector, VectorSource } from './vector-source.ts';

export type VectorSegments = Segments<RowVector, VectorSegment>;

export interface VectorSearch {
  readonly segments: VectorSegments;
  /** Null: all vectors are compared. */
  readonly nearby: NearbyVectors | null;
}

/** A part of the searched table, and what reads its vectors. */
export interface VectorPart {
  readonly state: SearchedState;
  readonly source: VectorSource;
}

/** The best rows of each part, and of these the best. */
export function* searchVectors(
  { segments, nearby }: VectorSearch,
  parts: readonly VectorPart[],
  vector: readonly number[],
  limits: VectorLimits,
  isBefore: RowOrder,
): Generator<void, FoundRows> {
  const numbers = Float64Array.from(vector);
  const { skip, take } = limits;
  const isOne = parts.length === 1;
  const all: FoundRow[] = [];
  let total = 0;
  let vectors = 0;
  let otherDimensions = 0;
  for (let part = 0; part < parts.length; part++) {
    const { state, source } = parts[part];
    const { rows } = state;
    if (rows === null || rows.count === 0) continue;
    // The column has vectors of its own dimensions alone.
    if (source.columnDimensions > 0 && source.columnDimensions !== source.dimensions) throw wrongDimensions(source, source.columnDimensions);
    const searchable = yield* segments.for(state, source, rows);
    const own = isOne ? limits : { ...limits, take: take === 0 ? 0 : skip + take, skip: 0 };
    const search = new Compared(state.pager, searchable, source, rows, numbers, own, part);
    const found = yield* holding(state, [searchable.segment.tree], search.found(nearby));
    for (const row of found.rows) all.push(row);
    total += found.total;
    vectors += searchable.segment.rows.length;
    otherDimensions ||= searchable.segment.otherDimensions;
  }
  if (total === 0 && vectors === 0 && otherDimensions !== 0) throw wrongDimensions(parts[0].source, otherDimensions);
  if (isOne) return { rows: all, total };
  const order = yield* sortedInSteps(all, (a, b) => b.score - a.score || (isBefore(a, b) ? -1 : 1));
  return { rows: order.slice(skip, skip + take), total };
}

/** Rows beyond the last one given, of which rough scores are sorted at once. */
const SPARE = 64;
/** More rows are found by comparing all. */
const APPROXIMATE_MAX = 1000;
/** Candidates for each row that is wanted, and beside these: their order is known only roughly. */
const CANDIDATES_A_ROW = 4;
const CANDIDATES_MORE = 60;
/** Sums of products of 32-bit floats neither overflow nor vanish between these. */
const PRODUCT_MAX = 1e30;
const PRODUCT_MIN = 1e-25;

export function candidatesFor(wanted: number): number {
  return CANDIDATES_A_ROW * wanted + CANDIDATES_MORE;
}

/** One search. Vectors are numbered: those of the segment, then those of touched rows. */
class Compared {
  readonly #pager: Pager;
  readonly #segment: VectorSegment;
  readonly #touched: TouchedRows<RowVector>;
  readonly #source: VectorSource;
  readonly #rows: Node;
  readonly #vector: Float64Array;
  readonly #limits: VectorLimits;
  /** Which of the table's parts it is. */
  readonly #part: number;
  readonly #added: readonly { readonly key: Key; readonly place: number; readonly score: number }[];
  /** The greatest product of lengths. */
  readonly #size: number;
  /** How far a rough score may be from the exact one: of sums of 32-bit floats in eight parts, of rounded numbers. */
  readonly #error: number;

  constructor(
    pager: Pager,
    { segment, touched }: Searchable<RowVector, VectorSegment>,
    source: VectorSource,
    rows: Node,
    vector: Float64Array,
    limits: VectorLimits,
    part: number,
  ) {
    this.#part = part;
    this.#pager = pager;
    this.#segment = segment;
    this.#touched = touched;
    this.#source = source;
    this.#rows = rows;
    this.#vector = vector;
    this.#limits = limits;
    this.#added = touched.sorted.flatMap(({ key, ordinal, inSegment, now }) =>
      now === null ? [] : [{ key, place: inSegment ? ordinal : ordinal - 0.5, score: dot(now, vector) }],
    );
    this.#size = Math.sqrt(dot(vector, vector)) * segment.lengthMax;
    this.#error = (segment.floats.width / 8 + 8) * 2 ** -24 * this.#size;
  }

  *found(nearby: NearbyVectors | null): Generator<void, FoundRows> {
    const { matches, skip, take } = this.#limits;
    const isPlain = this.#size < PRODUCT_MAX && this.#size > PRODUCT_MIN;
    const lists = isPlain && matches === null && take > 0 && skip + take <= APPROXIMATE_MAX ? (nearby?.of(this.#segment) ?? null) : null;
    if (lists !== null) return yield* this.#approximate(lists);
    const scores = isPlain ? yield* this.#roughScores() : yield* this.#exactScores();
    const among = yield* this.#among();
    const count = this.#segment.rows.length;
    const total = among?.length ?? count + this.#added.length;
    if (take === 0) return { rows: [], total };
    const scoreOf = (i: number): number => (i < count ? scores[i] : this.#added[i - count].score);
    const isBetter = (a: number, b: number): boolean => {
      const [x, y] = [scoreOf(a), scoreOf(b)];
      return x === y ? isBefore(this.#placeOf(a), this.#placeOf(b), a, b) : x > y;
    };
    for (let wanted = skip + take + SPARE; ; wanted *= 4) {
      const best = yield* bestOf(count + this.#added.length, among, wanted, isBetter);
      const least = best.length <= skip + take ? -Infinity : scoreOf(best[skip + take - 1]) - 2 * this.#error;
      // Rows beyond these may belong before the last one.
      if (best.length === wanted && !(scoreOf(best[wanted - 1]) < least)) continue;
      return { rows: yield* this.#exactly(best.filter((i) => !(scoreOf(i) < least))), total };
    }
  }

  *#approximate(lists: TriedLists): Generator<void, FoundRows> {
    const { floats, rows, dimensions } = this.#segment;
    const { inSegment, sorted } = this.#touched;
    const { skip, take, beam = 0 } = this.#limits;
    const query = { metric: 'ip' as const, vector: this.#vector, count: candidatesFor(skip + take), beam };
    const near = yield* candidates(lists, query, (i) => inSegment.size > 0 && inSegment.has(rows[i]));
    const scored = Array.from(near, (i) => ({ i, score: dotAt(floats.numbers(i), floats.offset(i), this.#vector, dimensions) }));
    this.#added.forEach(({ score }, i) => scored.push({ i: rows.length + i, score }));
    scored.sort((a, b) => b.score - a.score || (isBefore(this.#placeOf(a.i), this.#placeOf(b.i), a.i, b.i) ? -1 : 1));
    const least = scored.length <= skip + take ? -Infinity : scored[skip + take - 1].score - 2 * this.#error;
    const best = scored.filter(({ score }) => score >= least).map(({ i }) => i);
    const before = sorted.reduce((sum, each) => sum + Number(each.before !== null), 0);
    return { rows: yield* this.#exactly(best), total: rows.length - before + this.#added.length };
  }

  #placeOf(i: number): number {
    const { rows } = this.#segment;
    return i < rows.length ? rows[i] : this.#added[i - rows.length].place;
  }

  #keyOf(i: number): Key {
    const { rows, tree } = this.#segment;
    return i < rows.length ? keyNumbered(this.#pager, tree, rows[i]) : this.#added[i - rows.length].key;
  }

  /** By the vectors as the rows have them. */
  *#exactly(best: readonly number[]): Generator<void, FoundRow[]> {
    const { skip, take } = this.#limits;
    const exact: (FoundRow & { place: number; i: number })[] = [];
    for (const i of best) {
      const key = this.#keyOf(i);
      const { leaf, index } = rowIn(this.#pager, this.#rows, key)!;
      exact.push({ part: this.#part, key, leaf, at: index, score: dot(this.#source.vector(leaf, index)!, this.#vector), place: this.#placeOf(i), i });
      if (exact.length % 64 === 0) yield;
    }
    exact.sort((a, b) => b.score - a.score || (isBefore(a.place, b.place, a.i, b.i) ? -1 : 1));
    return exact.slice(skip, skip + take);
  }

  /** Vectors that count; null: all of them. */
  *#among(): Generator<void, number[] | null> {
    const { matches } = this.#limits;
    const { rows } = this.#segment;
    const { inSegment } = this.#touched;
    if (matches !== null) {
      const keys = this.#limits.among?.[this.#part] ?? null;
      return keys === null ? yield* this.#matching(matches) : yield* this.#matchingOf(keys, matches);
    }
    if (inSegment.size === 0) return null;
    const among: number[] = [];
    for (let i = 0; i < rows.length + this.#added.length; i++) {
      if (i % 16_384 === 0) yield;
      if (i >= rows.length || !inSegment.has(rows[i])) among.push(i);
    }
    return among;
  }

  /** Those of the rows that match, which are read in their order: each page once. */
  *#matching(matches: NonNullable<VectorLimits['matches']>): Generator<void, number[]> {
    const part = this.#part;
    const { rows } = this.#segment;
    const { sorted } = this.#touched;
    const added = new Map(this.#added.map(({ key }, i) => [key, rows.length + i]));
    const among: number[] = [];
    // Of the next row: its ordinal in the segment, its place among the vectors, and the next touched row.
    let [ordinal, place, next] = [0, 0, 0];
    for (const { leaf, start } of leaves(this.#pager, this.#rows, null)) {
      for (let at = start; at < leaf.count; at++) {
        if (next < sorted.length) {
          const key = leaf.key(at);
          for (; next < sorted.length && sorted[next].key < key; next++) ordinal += Number(sorted[next].inSegment);
          const touched = sorted[next]?.key === key ? sorted[next++] : null;
          if (touched !== null) {
            ordinal += Number(touched.inSegment);
            const i = added.get(key);
            if (i !== undefined && matches(leaf, at, part)) among.push(i);
            continue;
          }
        }
        while (rows[place] < ordinal) place++;
        if (rows[place] === ordinal++ && matches(leaf, at, part)) among.push(place);
      }
      yield;
    }
    return among;
  }

  /** Those of some rows that match. */
  *#matchingOf(keys: readonly Key[], matches: NonNullable<VectorLimits['matches']>): Generator<void, number[]> {
    const { rows, tree } = this.#segment;
    const added = new Map(this.#added.map(({ key }, i) => [key, rows.length + i]));
    const among: number[] = [];
    let looked = 0;
    for (const key of keys) {
      if (++looked % 64 === 0) yield;
      const i = this.#touched.byKey.has(key) ? (added.get(key) ?? -1) : placeIn(rows, rowsBelow(this.#pager, tree, key));
      if (i < 0) continue;
      const { leaf, index } = rowIn(this.#pager, this.#rows, key)!;
      if (matches(leaf, index, this.#part)) among.push(i);
    }
    return among;
  }

  /** Of the segment's vectors, in its order. */
  *#roughScores(): Generator<void, Float32Array> {
    const { floats, rows } = this.#segment;
    const query = new Float32Array(floats.width);
    query.set(this.#vector);
    const scores = new Float32Array(rows.length);
    for (let from = 0; from < rows.length; from += VECTORS_A_CALL) {
      const to = Math.min(rows.length, from + VECTORS_A_CALL);
      floats.dots(query, from, to, scores.subarray(from, to));
      yield;
    }
    return scores;
  }

  /** Of numbers that 32-bit floats do not hold. */
  *#exactScores(): Generator<void, Float64Array> {
    const scores = new Float64Array(this.#segment.rows.length);
    let at = 0;
    for (const { leaf, start } of leaves(this.#pager, this.#segment.tree, null)) {
      for (let i = start; i < leaf.count; i++) {
        const vector = this.#source.vector(leaf, i);
        if (vector !== null) scores[at++] = dot(vector, this.#vector);
      }
      yield;
    }
    return scores;
  }
}

function isBefore(x: number, y: number, a: number, b: number): boolean {
  return x === y ? a < b : x < y;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function dotAt(numbers: Float32Array, from: number, vector: Float64Array, dimensions: number): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += numbers[from + i] * vector[i];
  return sum;
}

/** 22000: the table has vectors, but none of as many dimensions. */
function wrongDimensions({ column, dimensions }: VectorSource, there: number): SvcError {
  return new SvcError('22000', `different vector dimensions ${there} and ${dimensions}`, {
    detail: `The vectors of "${column.name}" have ${there} dimensions.`,
  });
}
