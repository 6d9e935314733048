/**
 * An approximate index of the vectors of a segment: an inverted file (Jégou, Douze and Schmid 2011). Vectors are divided into lists by the
 * nearest of some centers, which k-means finds in a sample. A search reads the lists whose centers are nearest, one byte for each number, and
 * gives candidates; the caller compares these exactly.
 *
 *     list l      places starts[l] … starts[l + 1], with the vectors there as bytes, and which vector of the segment each is
 *     vector x    ≈ scale · bytes
 */
import { NumberBlocks } from './number-blocks.ts';
import type { VectorSegment } from './vector-segment.ts';

/** Fewer vectors are all compared. */
export const LISTS_FROM = 20_000;
/** Vectors of the sample for each list. */
const SAMPLE_A_LIST = 16;
const ROUNDS = 6;
const VECTORS_A_STEP = 16;
const NUMBERS_A_STEP = 1 << 16;
/** Products of numbers: a millisecond at most, also without vector instructions. */
export const PRODUCTS_A_STEP = 1 << 20;

export interface VectorLists {
  readonly count: number;
  readonly dimensions: number;
  readonly centers: NumberBlocks<Float32Array>;
  /** Squared length of each center. */
  readonly centerSquares: Float32Array;
  /** The greatest distance of a list's vector from its center. */
  readonly radii: Float32Array;
  readonly starts: Uint32Array;
  /** By place: which vector of the segment it is, its scale, and its squared length. */
  readonly vectors: Uint32Array;
  readonly scales: Float32Array;
  readonly squares: Float32Array;
  readonly bytes: NumberBlocks<Int8Array>;
}

/** Lists, and how many vectors a search by each metric reads: tried out with some of the vectors (list-reads.ts). */
export interface TriedLists extends VectorLists {
  readonly reads: Readonly<Record<ListMetric, number>>;
}

export type ListMetric = 'ip' | 'l2' | 'cosine';

export function listsFor(count: number): number {
  return Math.max(1, Math.round(1.6 * Math.sqrt(count)));
}

/** Bytes beside the vectors themselves. */
export function listsBytes(count: number, dimensions: number): number {
  return count * (dimensions + 12) + listsFor(count) * 4 * dimensions;
}

/** Vectors that are compared with all centers in a step. */
function comparedAStep(lists: number, dimensions: number): number {
  return Math.max(1, Math.floor(PRODUCTS_A_STEP / (lists * dimensions)));
}

/** Builds the index in steps of a millisecond or less: each compares one vector with all centers, or makes `PRODUCTS_A_STEP` products. */
export function* buildLists({ floats, rows, dimensions }: VectorSegment): Generator<void, VectorLists> {
  const count = rows.length;
  const lists = listsFor(count);
  const centers = yield* centersOf(floats, count, dimensions, lists);
  const nearest = yield* nearestCenter(centers, lists, dimensions);
  const listOf = new Uint32Array(count);
  const starts = new Uint32Array(lists + 1);
  const radii = new Float32Array(lists);
  const compared = comparedAStep(lists, dimensions);
  for (let i = 0; i < count; i++) {
    const list = nearest.of(floats.numbers(i), floats.offset(i));
    listOf[i] = list;
    starts[list + 1]++;
    radii[list] = Math.max(radii[list], distance(floats.numbers(i), floats.offset(i), centers.numbers(list), centers.offset(list), dimensions));
    if (i % compared === 0) yield;
  }
  for (let list = 0; list < lists; list++) starts[list + 1] += starts[list];
  const next = starts.slice();
  const vectors = new Uint32Array(count);
  const scales = new Float32Array(count);
  const squares = new Float32Array(count);
  const bytes = NumberBlocks.bytes(count, dimensions);
  for (let i = 0; i < count; i++) {
    const place = next[listOf[i]]++;
    vectors[place] = i;
    const [numbers, from] = [floats.numbers(i), floats.offset(i)];
    squares[place] = square(numbers, from, dimensions);
    scales[place] = quantize(numbers, from, dimensions, 127, bytes.numbers(place), bytes.offset(place));
    if (i % VECTORS_A_STEP === 0) yield;
  }
  const centerSquares = new Float32Array(lists);
  for (let list = 0; list < lists; list++) {
    centerSquares[list] = square(centers.numbers(list), centers.offset(list), dimensions);
    if (list % VECTORS_A_STEP === 0) yield;
  }
  return { count, dimensions, centers, centerSquares, radii, starts, vectors, scales, squares, bytes };
}

/** Centers of a sample, by Lloyd's rounds. A center without vectors is moved to one of the sample. */
function* centersOf(floats: NumberBlocks<Float32Array>, count: number, dimensions: number, lists: number): Generator<void, NumberBlocks<Float32Array>> {
  const sample = Math.min(count, SAMPLE_A_LIST * lists);
  // Not evenly spaced: rows may repeat in a period.
  const sampled = (i: number): number => Math.floor(((i + hashed(i)) * count) / sample);
  const centers = NumberBlocks.floats(lists, dimensions);
  for (let list = 0; list < lists; list++) {
    copy(floats, sampled(Math.floor((list * sample) / lists)), centers, list, dimensions);
    if (list % VECTORS_A_STEP === 0) yield;
  }
  const sums = new Float64Array(dimensions * lists);
  const counts = new Uint32Array(lists);
  const compared = comparedAStep(lists, dimensions);
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = yield* nearestCenter(centers, lists, dimensions);
    for (let at = 0; at < sums.length; at += NUMBERS_A_STEP) {
      sums.fill(0, at, at + NUMBERS_A_STEP);
      yield;
    }
    counts.fill(0);
    for (let i = 0; i < sample; i++) {
      const of = sampled(i);
      const [numbers, from] = [floats.numbers(of), floats.offset(of)];
      const list = nearest.of(numbers, from);
      counts[list]++;
      for (let n = 0, at = list * dimensions; n < dimensions; n++) sums[at + n] += numbers[from + n];
      if (i % compared === 0) yield;
    }
    for (let list = 0; list < lists; list++) {
      if (counts[list] === 0) copy(floats, sampled(Math.floor(hashed(round * lists + list) * sample)), centers, list, dimensions);
      else {
        const [numbers, from] = [centers.numbers(list), centers.offset(list)];
        for (let n = 0; n < dimensions; n++) numbers[from + n] = sums[list * dimensions + n] / counts[list];
      }
      if (list % VECTORS_A_STEP === 0) yield;
    }
  }
  return centers;
}

/** Finds the center that is nearest to a vector, by bytes. */
class NearestCenter {
  readonly #bytes: NumberBlocks<Int8Array>;
  readonly #scales: Float32Array;
  /** Half of the squared lengths. */
  readonly #halves: Float32Array;
  readonly #query: Int16Array;
  readonly #queryMax: number;
  readonly #out: Int32Array;
  readonly #dimensions: number;

  constructor(count: number, dimensions: number) {
    this.#dimensions = dimensions;
    this.#bytes = NumberBlocks.bytes(count, dimensions);
    this.#scales = new Float32Array(count);
    this.#halves = new Float32Array(count);
    this.#query = new Int16Array(this.#bytes.width);
    this.#queryMax = queryMax(dimensions);
    this.#out = new Int32Array(count);
  }

  add(centers: NumberBlocks<Float32Array>, i: number): void {
    const [numbers, from] = [centers.numbers(i), centers.offset(i)];
    this.#scales[i] = quantize(numbers, from, this.#dimensions, 127, this.#bytes.numbers(i), this.#bytes.offset(i));
    this.#halves[i] = square(numbers, from, this.#dimensions) / 2;
  }

  of(numbers: Float32Array, from: number): number {
    const scale = quantize(numbers, from, this.#dimensions, this.#queryMax, this.#query, 0);
    this.#bytes.dots(this.#query, 0, this.#out.length, this.#out);
    return nearestBy(this.#out, this.#scales, this.#halves, scale);
  }
}

function* nearestCenter(centers: NumberBlocks<Float32Array>, count: number, dimensions: number): Generator<void, NearestCenter> {
  const nearest = new NearestCenter(count, dimensions);
  for (let i = 0; i < count; i++) {
    nearest.add(centers, i);
    if (i % VECTORS_A_STEP === 0) yield;
  }
  return nearest;
}

function nearestBy(out: Int32Array, scales: Float32Array, halves: Float32Array, scale: number): number {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < out.length; i++) {
    const apart = halves[i] - out[i] * scales[i] * scale;
    if (apart < least) {
      least = apart;
      best = i;
    }
  }
  return best;
}

/** The greatest number of a quantized query: sums of its products with bytes fit into 31 bits. */
export function queryMax(dimensions: number): number {
  return Math.min(32_767, Math.floor(2 ** 31 / (127 * dimensions)) - 1);
}

/** Writes whole numbers up to `max`; returns what one of them is worth. */
export function quantize(numbers: ArrayLike<number>, from: number, dimensions: number, max: number, into: Int8Array | Int16Array, at: number): number {
  let greatest = 0;
  for (let i = 0; i < dimensions; i++) {
    const size = Math.abs(numbers[from + i]);
    if (size > greatest) greatest = size;
  }
  if (greatest === 0) {
    into.fill(0, at, at + dimensions);
    return 0;
  }
  const factor = max / greatest;
  for (let i = 0; i < dimensions; i++) into[at + i] = Math.round(numbers[from + i] * factor);
  return greatest / max;
}

function square(numbers: ArrayLike<number>, from: number, dimensions: number): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += numbers[from + i] * numbers[from + i];
  return sum;
}

function distance(a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number, dimensions: number): number {
  let sum = 0;
  for (let i = 0; i < dimensions; i++) {
    const apart = a[ai + i] - b[bi + i];
    sum += apart * apart;
  }
  return Math.sqrt(sum);
}

function copy(from: NumberBlocks<Float32Array>, i: number, to: NumberBlocks<Float32Array>, at: number, dimensions: number): void {
  const start = from.offset(i);
  to.numbers(at).set(from.numbers(i).subarray(start, start + dimensions), to.offset(at));
}

/** From 0, below 1. */
function hashed(value: number): number {
  let t = Math.imul(value + 0x6d2b79f5, 0x2c1b3c6d);
  t = Math.imul(t ^ (t >>> 15), 0x297a2d39);
  return ((t ^ (t >>> 15)) >>> 0) / 2 ** 32;
}
