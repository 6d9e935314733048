/**
 * Sorts many rows without comparisons: each key becomes a number of 64 bits in the key's order, and rows are distributed by 16 bits
 * of it at a time, the last key's lowest first. Digits that all rows share are skipped, so small integers cost one or two rounds.
 * Texts take part by their rank if values repeat.
 */
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { YIELD, type Yield } from './batch.ts';
import { StringTable } from './key-table.ts';
import { compareText } from '../types/text-order.ts';

/** Below this the count tables cost more than comparing. */
export const RADIX_ROWS_MIN = 4096;

export interface RadixKey {
  readonly type: SqlType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** High and low halves of each row's code. */
interface Codes {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

const bits = new Float64Array(1);
const halves = new Uint32Array(bits.buffer);

/** The order of the rows' numbers, or null if a key has no codes. */
export function* radixSort(keys: readonly RadixKey[], columns: readonly (readonly Value[])[], count: number): Generator<Yield, Uint32Array | null> {
  const codes: Codes[] = [];
  for (let k = 0; k < keys.length; k++) {
    const made = yield* codesOf(keys[k], columns[k], count);
    if (made === null) return null;
    codes.push(made);
  }
  let from = new Uint32Array(count);
  let to = new Uint32Array(count);
  for (let i = 0; i < count; i++) from[i] = i;
  if (inOrder(codes, count)) return from;
  const counts = new Uint32Array(65536);
  for (let k = keys.length - 1; k >= 0; k--) {
    for (const half of [codes[k].low, codes[k].high]) {
      for (const shift of [0, 16]) {
        if (yield* deal(half, shift, from, to, counts)) [from, to] = [to, from];
      }
    }
  }
  return from;
}

/** Whether the rows are sorted already; unsorted input is detected early. */
function inOrder(codes: readonly Codes[], count: number): boolean {
  rows: for (let i = 1; i < count; i++) {
    for (let k = 0; k < codes.length; k++) {
      const { high, low } = codes[k];
      if (high[i - 1] !== high[i]) {
        if (high[i - 1] > high[i]) return false;
        continue rows;
      }
      if (low[i - 1] !== low[i]) {
        if (low[i - 1] > low[i]) return false;
        continue rows;
      }
    }
  }
  return true;
}

/** Rows between two yield points. */
const STEP_ROWS = 131_072;

/** One stable round; false if all rows have the same digit. */
function* deal(half: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array, counts: Uint32Array): Generator<Yield, boolean> {
  const count = from.length;
  counts.fill(0);
  for (let begin = 0; begin < count; begin += STEP_ROWS) {
    tally(half, shift, counts, begin, Math.min(count, begin + STEP_ROWS));
    yield YIELD;
  }
  if (counts[(half[0] >>> shift) & 65535] === count) return false;
  let at = 0;
  for (let d = 0; d < 65536; d++) {
    const n = counts[d];
    counts[d] = at;
    at += n;
  }
  for (let begin = 0; begin < count; begin += STEP_ROWS) {
    place(half, shift, from, to, counts, begin, Math.min(count, begin + STEP_ROWS));
    yield YIELD;
  }
  return true;
}

// Separate loops: generator code is slower.
function tally(half: Uint32Array, shift: number, counts: Uint32Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) counts[(half[i] >>> shift) & 65535]++;
}
function place(half: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array, counts: Uint32Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const row = from[i];
    to[counts[(half[row] >>> shift) & 65535]++] = row;
  }
}

const TEXTS = new Set(['text', 'varchar', 'name']);

function* codesOf(key: RadixKey, column: readonly Value[], count: number): Generator<Yield, Codes | null> {
  const { repr, name } = key.type;
  let numbers: readonly (number | null)[];
  if (repr === 'i32' || repr === 'f64' || repr === 'whole') {
    for (let i = 0; i < count; i++) if (typeof column[i] === 'bigint') return null;
    numbers = column as readonly (number | null)[];
  } else if (TEXTS.has(name)) {
    const ranks = yield* ranksOf(column as readonly (string | null)[], count);
    if (ranks === null) return null;
    numbers = ranks;
  } else return null;
  const codes: Codes = { high: new Uint32Array(count), low: new Uint32Array(count) };
  for (let begin = 0; begin < count; begin += STEP_ROWS) {
    encode(key, numbers, codes, begin, Math.min(count, begin + STEP_ROWS));
    yield YIELD;
  }
  return codes;
}

function encode(key: RadixKey, numbers: readonly (number | null)[], { high, low }: Codes, begin: number, end: number): void {
  const flip = key.descending ? 0xffffffff : 0;
  for (let i = begin; i < end; i++) {
    const value = numbers[i];
    if (value === null) {
      const code = key.nullsFirst ? 0 : 0xffffffff;
      high[i] = code;
      low[i] = code;
      continue;
    }
    // NaN in one form, above all; -0 is 0.
    bits[0] = value === value ? value + 0 : NaN;
    let h = halves[1];
    let l = halves[0];
    if (value !== value) {
      h = 0x7ff80000;
      l = 0;
    }
    if (h >= 0x80000000) {
      h = ~h >>> 0;
      l = ~l >>> 0;
    } else h = (h | 0x80000000) >>> 0;
    high[i] = (h ^ flip) >>> 0;
    low[i] = (l ^ flip) >>> 0;
  }
}

/** Rank of each text among the distinct ones; null if there are too many of these. */
function* ranksOf(column: readonly (string | null)[], count: number): Generator<Yield, (number | null)[] | null> {
  const table = new StringTable();
  const values: string[] = [];
  const ids = new Int32Array(count);
  // Past this comparing all of them costs less than ranking them.
  const most = Math.min(count >> 2, RANKS_MAX);
  for (let begin = 0; begin < count; begin += RANK_STEP_ROWS) {
    const end = Math.min(count, begin + RANK_STEP_ROWS);
    for (let i = begin; i < end; i++) {
      const value = column[i];
      if (value === null) {
        ids[i] = -1;
        continue;
      }
      const id = table.id(value);
      if (id === values.length) {
        values.push(value);
        if (id > most) return null;
      }
      ids[i] = id;
    }
    yield YIELD;
  }
  const order = values.map((_, i) => i).sort((a, b) => compareText(values[a], values[b]));
  yield YIELD;
  const rank = new Int32Array(values.length);
  order.forEach((id, place) => {
    rank[id] = place;
  });
  const out: (number | null)[] = new Array(count);
  for (let i = 0; i < count; i++) out[i] = ids[i] < 0 ? null : rank[ids[i]];
  return out;
}

/** Distinct texts that are sorted in one call: some ten milliseconds. */
const RANKS_MAX = 16_384;
const RANK_STEP_ROWS = 32_768;
