/** Candidates of an approximate search: the best vectors, by their bytes, of the lists that are nearest to the vector. */
import { VECTORS_A_CALL } from './number-blocks.ts';
import { TopRows } from './top-rows.ts';
import { type ListMetric, quantize, queryMax, type TriedLists, type VectorLists } from './vector-lists.ts';

/** Vectors that a search reads for each candidate that it gives, at least. */
const READ_A_CANDIDATE = 32;
/** Vectors that it reads for each unit of a given beam. */
const READ_A_BEAM = 100;
const READ_A_STEP = 8192;

export interface ListQuery {
  readonly metric: ListMetric;
  readonly vector: ArrayLike<number>;
  /** Candidates to give. */
  readonly count: number;
  /** Beam: 0 is automatic. */
  readonly beam: number;
}

/** Numbers of vectors of the segment, the best first. `skips`: those that are left out. */
export function* candidates(lists: TriedLists, query: ListQuery, skips: (vector: number) => boolean): Generator<void, Uint32Array> {
  const { starts } = lists;
  const search = new ListSearch(lists, query, skips);
  const wanted = query.beam > 0 ? query.beam * READ_A_BEAM : Math.max(lists.reads[query.metric], READ_A_CANDIDATE * query.count);
  let read = 0;
  let sinceStep = 0;
  for (const list of orderOf(search.centers)) {
    if (search.isFull && read >= wanted) break;
    if (search.isDone(list)) continue;
    for (let at = starts[list]; at < starts[list + 1]; at += VECTORS_A_CALL) search.read(at, Math.min(starts[list + 1], at + VECTORS_A_CALL));
    read += starts[list + 1] - starts[list];
    sinceStep += starts[list + 1] - starts[list];
    if (sinceStep < READ_A_STEP) continue;
    sinceStep = 0;
    yield;
  }
  return search.best();
}

/** Lists by the scores of their centers, the best first. */
export function orderOf(centers: Float32Array): Uint32Array {
  return Uint32Array.from(centers.keys()).sort((a, b) => centers[b] - centers[a]);
}

/** Scores of all centers for a vector. Greater is nearer. */
export function centerScores({ centers, centerSquares }: VectorLists, metric: ListMetric, floats: Float32Array): Float32Array {
  const scores = new Float32Array(centers.capacity);
  centers.dots(floats, 0, centers.capacity, scores);
  for (let i = 0; i < scores.length; i++) scores[i] = scoreOf(metric, scores[i], centerSquares[i]);
  return scores;
}
export class ListSearch {
  /** How near each list's center is. */
  readonly centers: Float32Array;
  readonly #lists: VectorLists;
  readonly #metric: ListMetric;
  readonly #skips: (vector: number) => boolean;
  readonly #bytes: Int16Array;
  readonly #scale: number;
  /** Squared length of the vector. */
  readonly #square: number;
  readonly #out = new Int32Array(VECTORS_A_CALL);
  /** Candidates, by their places. */
  readonly #top: TopRows;

  constructor(lists: VectorLists, { metric, vector, count }: Omit<ListQuery, 'beam'>, skips: (vector: number) => boolean) {
    this.#lists = lists;
    this.#metric = metric;
    this.#skips = skips;
    const floats = new Float32Array(lists.centers.width);
    floats.set(vector);
    this.#bytes = new Int16Array(lists.bytes.width);
    this.#scale = quantize(floats, 0, lists.dimensions, queryMax(lists.dimensions), this.#bytes, 0);
    this.#square = floats.reduce((sum, each) => sum + each * each, 0);
    this.centers = centerScores(lists, metric, floats);
    this.#top = new TopRows(Math.min(count, lists.count));
  }

  get isFull(): boolean {
    return this.#top.isFull;
  }

  /** Whether no vector of the list can be better than the worst candidate. */
  isDone(list: number): boolean {
    if (!this.isFull) return false;
    const [worst, radius] = [this.#top.least, this.#lists.radii[list]];
    switch (this.#metric) {
      case 'ip':
        return this.centers[list] + Math.sqrt(this.#square) * radius < worst;
      case 'l2': {
        const apart = Math.sqrt(Math.max(0, this.#square - this.centers[list])) - radius;
        return apart > 0 && this.#square - apart * apart < worst;
      }
      case 'cosine':
        return false;
    }
  }

  read(from: number, to: number): void {
    const { scales, squares, bytes } = this.#lists;
    bytes.dots(this.#bytes, from, to, this.#out);
    const [out, scale, metric] = [this.#out, this.#scale, this.#metric];
    const top = this.#top;
    for (let place = from; place < to; place++) {
      const score = scoreOf(metric, out[place - from] * scale * scales[place], squares[place]);
      if (!(score > top.least) && top.isFull) continue;
      if (!this.#skips(this.#lists.vectors[place])) top.offer(score, place, place);
    }
  }

  best(): Uint32Array {
    return this.bestPlaces().map((place) => this.#lists.vectors[place]);
  }

  bestPlaces(): Uint32Array {
    return Uint32Array.from(this.#top.sorted(), ({ row }) => row);
  }
}

/** Greater is nearer. By a distance: up to a constant, which is the square of the query. */
function scoreOf(metric: ListMetric, product: number, square: number): number {
  if (metric === 'ip') return product;
  if (metric === 'l2') return 2 * product - square;
  return square === 0 ? -Infinity : product / Math.sqrt(square);
}
