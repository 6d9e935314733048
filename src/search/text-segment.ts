/**
 * An inverted index of one state of a table: which rows have a term, and how often. It never changes, so it serves every world and every
 * moment that differs little from that state (touched-rows.ts). Its arrays are outside the JavaScript heap.
 *
 *     row        ordinal of a row in the state, in key order
 *     term t     terms.text(t); its rows are rows[starts[t] … starts[t + 1]), ascending, with counts beside them
 */
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leaves } from '../tree/read.ts';
import { sortedInSteps } from '../base/sorted-in-steps.ts';
import { compareText } from '../sql/types/text-order.ts';
import type { Segment } from './row-source.ts';
import type { TextSource } from './text-source.ts';

const TERMS_A_STEP = 4096;

/** Terms in the order of their UTF-8 bytes. */
export class Terms {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  private constructor(bytes: Buffer, ends: Uint32Array) {
    this.#bytes = bytes;
    this.#ends = ends;
  }

  /** `sizeBytes`: of all names. `order`: their numbers, sorted by name. */
  static *of(names: readonly string[], order: readonly number[], sizeBytes: number): Generator<void, Terms> {
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    const ends = new Uint32Array(order.length);
    let end = 0;
    for (let i = 0; i < order.length; i++) {
      ends[i] = end += bytes.write(names[order[i]], end, 'utf8');
      if (i % TERMS_A_STEP === TERMS_A_STEP - 1) yield;
    }
    return new Terms(bytes, ends);
  }

  /** Of names side by side, and where each ends. */
  static from(bytes: Buffer, ends: Uint32Array): Terms {
    return new Terms(bytes, ends);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get ends(): Uint32Array {
    return this.#ends;
  }

  get count(): number {
    return this.#ends.length;
  }

  get sizeBytes(): number {
    return this.#bytes.length + this.#ends.byteLength;
  }

  /** -1 if it is not there. */
  find(term: string): number {
    const wanted = Buffer.from(term, 'utf8');
    const at = this.#firstAtLeast(wanted);
    return at < this.count && this.#compare(at, wanted) === 0 ? at : -1;
  }

  /** The terms that begin with it: from the first up to, not including, the second. */
  range(prefix: string): [from: number, to: number] {
    const wanted = Buffer.from(prefix, 'utf8');
    const from = this.#firstAtLeast(wanted);
    let to = from;
    while (to < this.count && this.#startsWith(to, wanted)) to++;
    return [from, to];
  }

  #start(i: number): number {
    return i === 0 ? 0 : this.#ends[i - 1];
  }

  #compare(i: number, wanted: Buffer): number {
    return this.#bytes.compare(wanted, 0, wanted.length, this.#start(i), this.#ends[i]);
  }

  #startsWith(i: number, wanted: Buffer): boolean {
    const start = this.#start(i);
    return this.#ends[i] - start >= wanted.length && this.#bytes.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0;
  }

  #firstAtLeast(wanted: Buffer): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface TextSegment extends Segment {
  readonly terms: Terms;
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
  readonly counts: Uint32Array | Uint16Array;
  /** Lexemes in each row. */
  readonly lengths: Uint32Array;
  /** Rows with lexemes, and all of their lexemes. */
  readonly filled: number;
  readonly lexemes: number;
}

/** A list of numbers that grows outside the JavaScript heap. */
class Numbers {
  #values = new Uint32Array(1 << 12);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  get values(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

const ROWS_A_STEP = 1 << 15;

/** Builds the segment in steps: one leaf each, then parts of the sorting. */
export function* buildSegment(pager: Pager, tree: Node, source: TextSource): Generator<void, TextSegment> {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  // The rows as they come: terms with counts, and where each row ends.
  const termsSeen = new Numbers();
  const countsSeen = new Numbers();
  const ends = new Uint32Array(tree.count);
  const lengths = new Uint32Array(tree.count);
  let row = 0;
  let seen = 0;
  let filled = 0;
  let lexemes = 0;
  let countMax = 0;
  let namesBytes = 0;
  for (const { leaf, start } of leaves(pager, tree, null)) {
    for (let i = start; i < leaf.count; i++) {
      const { length, counts } = yield* source.read(leaf, i);
      for (const [term, count] of counts) {
        let number = numbers.get(term);
        if (number === undefined) {
          numbers.set(term, (number = names.length));
          names.push(term);
          namesBytes += Buffer.byteLength(term);
        }
        termsSeen.push(number);
        countsSeen.push(count);
        if (count > countMax) countMax = count;
        seen++;
      }
      if (length > 0) filled++;
      lexemes += length;
      lengths[row] = length;
      ends[row++] = seen;
    }
    yield;
  }
  const order = yield* sortedInSteps(
    names.map((_, i) => i),
    (a, b) => compareText(names[a], names[b]),
  );
  const places = new Uint32Array(names.length);
  for (let i = 0; i < order.length; i++) places[order[i]] = i;
  const terms = yield* Terms.of(names, order, namesBytes);
  const byRow = termsSeen.values;
  const counts = countsSeen.values;
  const starts = new Uint32Array(names.length + 1);
  for (let i = 0; i < byRow.length; i++) {
    starts[places[byRow[i]] + 1]++;
    if (i % ROWS_A_STEP === 0) yield;
  }
  for (let i = 0; i < names.length; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const rows = new Uint32Array(byRow.length);
  const kept = countMax < 1 << 16 ? new Uint16Array(byRow.length) : new Uint32Array(byRow.length);
  for (let at = 0, of = 0; at < tree.count; at++) {
    for (; of < ends[at]; of++) {
      const place = next[places[byRow[of]]]++;
      rows[place] = at;
      kept[place] = counts[of];
    }
    if (at % 1024 === 0) yield;
  }
  const sizeBytes = terms.sizeBytes + starts.byteLength + rows.byteLength + kept.byteLength + lengths.byteLength;
  return { tree, terms, starts, rows, counts: kept, lengths, filled, lexemes, sizeBytes };
}
