/**
 * Which event changed which key, of one table: sorted runs of (key, sequence), each of later events than the runs before it. Runs of like
 * length are merged, so that a lookup searches few of them.
 */
import type { Sequence } from '../base/brands.ts';
import type { Key } from '../tree/datum.ts';

/** Sorted by key, then by sequence. Keys of one table are all numbers or all texts. */
interface Run {
  readonly keys: Float64Array | readonly string[];
  readonly sequences: Float64Array;
}

/** Bytes of an entry: a number or a reference, and a sequence. */
const ENTRY_BYTES = 16;
/** Of a text's object, besides its characters. */
const TEXT_BYTES = 32;

export class ChangeRuns {
  readonly #numeric: boolean;
  readonly #runs: Run[] = [];
  #bytes = 0;

  constructor(numeric: boolean) {
    this.#numeric = numeric;
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the keys of later events than all before, in order of events. Empties both lists. */
  add(keys: Key[], sequences: Sequence[]): void {
    if (keys.length === 0) return;
    const order = Uint32Array.from(keys, (_, i) => i);
    let sorted = true;
    for (let i = 1; i < keys.length && sorted; i++) sorted = keys[i - 1] < keys[i] || (keys[i - 1] === keys[i] && sequences[i - 1] <= sequences[i]);
    if (!sorted) order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
    const run: Run = {
      keys: this.#numeric ? Float64Array.from(order, (i) => keys[i] as number) : Array.from(order, (i) => keys[i] as string),
      sequences: Float64Array.from(order, (i) => sequences[i]),
    };
    this.#bytes += bytesOf(run);
    keys.length = sequences.length = 0;
    this.#runs.push(run);
    while (this.#runs.length > 1 && this.#runs.at(-2)!.keys.length < this.#runs.at(-1)!.keys.length * 2) {
      const later = this.#runs.pop()!;
      this.#runs.push(this.#merged(this.#runs.pop()!, later));
    }
  }

  #merged(a: Run, b: Run): Run {
    const count = a.keys.length + b.keys.length;
    const keys: Float64Array | string[] = this.#numeric ? new Float64Array(count) : new Array<string>(count);
    const sequences = new Float64Array(count);
    for (let i = 0, j = 0, at = 0; at < count; at++) {
      const first = j === b.keys.length || (i < a.keys.length && a.keys[i] <= b.keys[j]);
      const from = first ? a : b;
      const index = first ? i++ : j++;
      keys[at] = from.keys[index];
      sequences[at] = from.sequences[index];
    }
    return { keys, sequences };
  }

  /** The newest event up to `upTo` that changed the row; 0 if there is none. */
  last(key: Key, upTo: Sequence): Sequence {
    for (let r = this.#runs.length - 1; r >= 0; r--) {
      const { keys, sequences } = this.#runs[r];
      // The end of the entries with this key and no later sequence.
      let lo = 0;
      let hi = keys.length;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (keys[mid] < key || (keys[mid] === key && sequences[mid] <= upTo)) lo = mid + 1;
        else hi = mid;
      }
      if (lo > 0 && keys[lo - 1] === key) return sequences[lo - 1] as Sequence;
    }
    return 0 as Sequence;
  }
}

function bytesOf({ keys }: Run): number {
  let bytes = keys.length * ENTRY_BYTES;
  if (Array.isArray(keys)) for (const key of keys as readonly string[]) bytes += TEXT_BYTES + key.length;
  return bytes;
}
