/** ts_rank and ts_rank_cd, in the single precision that Postgres computes with. Manual, section 12.3.3. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { compareText } from '../../types/text-order.ts';
import { TS_POSITION_MAX } from '../../types/ts-word-reader.ts';
import { type TsOperand, tsOperands, type TsQuery } from '../../types/tsquery-tree.ts';
import type { TsVector } from '../../types/tsvector.ts';
import { entriesOf, holds } from './match.ts';

const f = Math.fround;

/** Of D, C, B and A. */
const WEIGHTS: readonly number[] = [f(0.1), f(0.2), f(0.4), 1];

const NORM = { logLength: 1, length: 2, extents: 4, unique: 8, logUnique: 16, plusOne: 32 } as const;

export function weightsOf(given: ArrayValue | null): readonly number[] {
  if (given === null) return WEIGHTS;
  if (given.lengths.length !== 1) throw new SvcError('2202E', 'array of weight must be one-dimensional');
  if (given.elements.length < WEIGHTS.length) throw new SvcError('2202E', 'array of weight is too short');
  if (given.elements.includes(null)) throw new SvcError('22004', 'array of weight must not contain nulls');
  return WEIGHTS.map((standard, i) => {
    const own = given.elements[i] as number;
    const weight = own >= 0 ? own : standard;
    if (weight > 1) throw new SvcError('22023', 'weight out of range');
    return weight;
  });
}

function length({ positions }: TsVector): number {
  let out = 0;
  for (const own of positions) out += own === null ? 1 : own.length;
  return out;
}

/** The weight of a pair of words by their distance. */
function nearness(distance: number): number {
  return distance > 100 ? f(1e-30) : f(1 / (1.005 + 0.05 * Math.exp(f(distance) / 1.5 - 2)));
}

/** Different words of a query in order. */
function words(query: TsQuery): TsOperand[] {
  const all = tsOperands(query.root).sort((a, b) => compareText(a.text, b.text));
  return all.filter((each, i) => i === 0 || each.text !== all[i - 1].text);
}

/** The default positions of a word without any. */
const NO_PLACES: readonly number[] = [TS_POSITION_MAX - 1];

export function rank(weights: readonly number[], vector: TsVector, query: TsQuery, method: number): number {
  const { root } = query;
  if (vector.lexemes.length === 0 || root === null) return 0;
  const own = words(query);
  const together = (root.kind === 'and' || root.kind === 'phrase') && own.length > 1;
  let out = together ? rankAnd(weights, vector, own) : rankOr(weights, vector, own);
  if (out < 0) out = f(1e-20);
  const count = vector.lexemes.length;
  if (method & NORM.logLength) out = f(out / (Math.log(length(vector) + 1) / Math.log(2)));
  if (method & NORM.length) out = f(out / f(length(vector)));
  if (method & NORM.unique) out = f(out / f(count));
  if (method & NORM.logUnique) out = f(out / (Math.log(count + 1) / Math.log(2)));
  if (method & NORM.plusOne) out = f(out / f(out + 1));
  return out;
}

function rankAnd(weights: readonly number[], vector: TsVector, own: readonly TsOperand[]): number {
  const places: (readonly number[] | undefined)[] = [];
  let out = -1;
  own.forEach((word, i) => {
    const [from, to] = entriesOf(vector, word);
    for (let entry = from; entry < to; entry++) {
      const here = vector.positions[entry] ?? NO_PLACES;
      places[i] = here;
      for (let k = 0; k < i; k++) {
        const there = places[k];
        if (there === undefined) continue;
        for (const a of here) {
          for (const b of there) {
            let distance = Math.abs((a & TS_POSITION_MAX) - (b & TS_POSITION_MAX));
            if (distance === 0) {
              if (here !== NO_PLACES && there !== NO_PLACES) continue;
              distance = TS_POSITION_MAX + 1;
            }
            const pair = f(Math.sqrt(f(f(weights[a >>> 14] * weights[b >>> 14]) * nearness(distance))));
            out = out < 0 ? pair : f(1 - (1 - out) * (1 - pair));
          }
        }
      }
    }
  });
  return out;
}

function rankOr(weights: readonly number[], vector: TsVector, own: readonly TsOperand[]): number {
  let out = 0;
  for (const word of own) {
    const [from, to] = entriesOf(vector, word);
    for (let entry = from; entry < to; entry++) {
      const places = vector.positions[entry] ?? NO_PLACES;
      let sum = 0;
      let best = -1;
      let bestAt = 0;
      for (let j = 0; j < places.length; j++) {
        const weight = weights[places[j] >>> 14];
        sum = f(sum + f(weight / f((j + 1) * (j + 1))));
        if (weight > best) {
          best = weight;
          bestAt = j;
        }
      }
      // The sum of 1/i² is π²/6.
      out = f(out + f(f(best + sum) - f(best / f((bestAt + 1) * (bestAt + 1)))) / 1.64493406685);
    }
  }
  return own.length > 0 ? f(out / f(own.length)) : out;
}

/** A position of the text with the query words there. */
interface Stand {
  readonly place: number;
  readonly weight: number;
  readonly entry: number;
  readonly words: TsOperand[];
}

function standsOf(vector: TsVector, query: TsQuery): Stand[] {
  const all: Stand[] = [];
  for (const word of tsOperands(query.root)) {
    const [from, to] = entriesOf(vector, word);
    for (let entry = from; entry < to; entry++) {
      for (const each of vector.positions[entry] ?? []) {
        const weight = each >>> 14;
        if (word.weight === 0 || word.weight & (1 << weight)) all.push({ place: each & TS_POSITION_MAX, weight, entry, words: [word] });
      }
    }
  }
  all.sort((a, b) => a.place - b.place || a.weight - b.weight || a.entry - b.entry);
  const out: Stand[] = [];
  for (const stand of all) {
    const last = out[out.length - 1];
    if (last !== undefined && last.place === stand.place && last.weight === stand.weight && last.entry === stand.entry) last.words.push(...stand.words);
    else out.push(stand);
  }
  return out;
}

/** Words seen so far, with their positions in order. */
class Seen {
  readonly #places = new Map<TsOperand, number[]>();
  readonly #backwards: boolean;

  constructor(backwards: boolean) {
    this.#backwards = backwards;
  }

  add({ words: own, place }: Stand): void {
    for (const word of own) {
      const known = this.#places.get(word);
      if (known === undefined) this.#places.set(word, [place]);
      else if (known[known.length - 1] !== place) known.push(place);
    }
  }

  answers(query: TsQuery): boolean {
    return holds(query.root!, (word, places) => {
      const own = this.#places.get(word);
      if (own === undefined) return 'no';
      if (places !== null) places.at = this.#backwards ? [...own].reverse() : own;
      return 'yes';
    });
  }
}

/** By the covers of the query in the text: the shorter and heavier, the better. */
export function coverRank(weights: readonly number[], vector: TsVector, query: TsQuery, method: number): number {
  const inverse = weights.map((weight) => 1 / weight);
  if (query.root === null) return 0;
  const stands = standsOf(vector, query);
  if (stands.length === 0) return 0;
  let out = 0;
  let distances = 0;
  let previous = 0;
  let count = 0;
  for (let from = 0; ;) {
    const forwards = new Seen(false);
    let end = from;
    for (; end < stands.length; end++) {
      forwards.add(stands[end]);
      if (forwards.answers(query)) break;
    }
    // A position of 0 ends it: Postgres searches for a greater one.
    if (end >= stands.length || stands[end].place <= 0) break;
    const backwards = new Seen(true);
    let begin = end;
    for (; begin >= from; begin--) {
      backwards.add(stands[begin]);
      if (backwards.answers(query)) break;
    }
    if (begin < from) {
      from++;
      continue;
    }
    from = begin + 1;
    let sum = 0;
    for (let i = begin; i <= end; i++) sum += inverse[stands[i].weight];
    const low = stands[begin].place;
    const high = stands[end].place;
    let noise = high - low - (end - begin);
    if (noise < 0) noise = Math.trunc((end - begin) / 2);
    out += (end - begin + 1) / sum / (1 + noise);
    const middle = (high + low) / 2;
    if (count > 0 && middle > previous) distances += 1 / (middle - previous);
    previous = middle;
    count++;
  }
  const lexemes = vector.lexemes.length;
  if (method & NORM.logLength) out /= Math.log(length(vector) + 1);
  if (method & NORM.length) out /= length(vector);
  if (method & NORM.extents && count > 0 && distances > 0) out /= count / distances;
  if (method & NORM.unique) out /= lexemes;
  if (method & NORM.logUnique) out /= Math.log(lexemes + 1) / Math.log(2);
  if (method & NORM.plusOne) out /= out + 1;
  return f(out);
}
