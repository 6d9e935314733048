/**
 * Rows of one tree that changed in an interval, by key, with the net undo of each. Rows are identified by number until they
 * are read: reading a past state visits a hundred thousand of them and reads few.
 */
import type { Key, Shape } from '../tree/datum.ts';
import { joinedRow, sameColumns, UNDO, type Undo, type UndoRow } from './undo-rows.ts';

export type Keys = readonly Key[] | Float64Array;

export interface UndoRun {
  /** Sorted. */
  readonly keys: Keys;
  undo(i: number): Undo;
  /** Columns restored in the i-th row. */
  shape(i: number): Shape;
  /** Approximate bytes of the restored values. */
  bytes(i: number): number;
  row(i: number): UndoRow;
}

/** Rows of one tree. */
export interface UndoTree {
  readonly tree: number;
  readonly numeric: boolean;
  readonly run: UndoRun;
}

/** A run of row objects. */
export class ListedRun implements UndoRun {
  readonly keys: Keys;
  readonly #rows: readonly UndoRow[];

  constructor(rows: readonly UndoRow[]) {
    this.keys = rows.map(({ key }) => key);
    this.#rows = rows;
  }

  undo(i: number): Undo {
    return this.#rows[i].undo;
  }

  shape(i: number): Shape {
    return this.#rows[i].shape;
  }

  bytes(i: number): number {
    let bytes = 0;
    for (const value of this.#rows[i].after ?? []) bytes += typeof value === 'string' ? value.length : 8;
    return bytes;
  }

  row(i: number): UndoRow {
    return this.#rows[i];
  }
}

/** Composes the undo of consecutive intervals. */
export function joinedUndo(stretches: readonly (readonly UndoTree[])[]): readonly UndoTree[] {
  if (stretches.length <= 1) return stretches[0] ?? [];
  const runs = new Map<number, { readonly numeric: boolean; readonly runs: UndoRun[] }>();
  for (const { tree, numeric, run } of stretches.flat()) {
    const known = runs.get(tree);
    if (known === undefined) runs.set(tree, { numeric, runs: [run] });
    else known.runs.push(run);
  }
  return Array.from(runs, ([tree, { numeric, runs: of }]) => ({ tree, numeric, run: of.length === 1 ? of[0] : new Joining(of, numeric).run() }));
}

/** Rows by key, with their numbers in `Joining`. */
interface Numbered {
  readonly keys: Keys;
  readonly numbers: Int32Array;
}

/** Joins several runs into one: rows are numbered across all of them, and rows in several are composed, with negative numbers. */
class Joining {
  readonly #runs: readonly UndoRun[];
  readonly #numeric: boolean;
  /** Number of each run's first row. */
  readonly #firsts: number[] = [];
  readonly #made: UndoRow[] = [];

  /** In the order of time. */
  constructor(runs: readonly UndoRun[], numeric: boolean) {
    this.#runs = runs;
    this.#numeric = numeric;
    let first = 0;
    for (const { keys } of runs) {
      this.#firsts.push(first);
      first += keys.length;
    }
  }

  run(): UndoRun {
    let level: Numbered[] = this.#runs.map(({ keys }, r) => {
      const numbers = new Int32Array(keys.length);
      for (let i = 0; i < numbers.length; i++) numbers[i] = this.#firsts[r] + i;
      return { keys, numbers };
    });
    while (level.length > 1) {
      const next: Numbered[] = [];
      for (let i = 0; i < level.length; i += 2) next.push(i + 1 < level.length ? this.#joined(level[i], level[i + 1]) : level[i]);
      level = next;
    }
    return new JoinedRun(this.#runs, this.#firsts, this.#made, level[0]);
  }

  #joined(a: Numbered, b: Numbered): Numbered {
    const most = a.keys.length + b.keys.length;
    const keys: Key[] | Float64Array = this.#numeric ? new Float64Array(most) : new Array<Key>(most);
    const numbers = new Int32Array(most);
    let i = 0;
    let j = 0;
    let count = 0;
    while (i < a.keys.length && j < b.keys.length) {
      const x = a.keys[i];
      const y = b.keys[j];
      let number = 0;
      let key = x;
      if (x < y) number = a.numbers[i++];
      else if (x > y) {
        number = b.numbers[j++];
        key = y;
      } else {
        const both = this.#both(a.numbers[i++], b.numbers[j++]);
        if (both === null) continue;
        number = both;
      }
      keys[count] = key;
      numbers[count++] = number;
    }
    for (; i < a.keys.length; i++) {
      keys[count] = a.keys[i];
      numbers[count++] = a.numbers[i];
    }
    for (; j < b.keys.length; j++) {
      keys[count] = b.keys[j];
      numbers[count++] = b.numbers[j];
    }
    return { keys: keys instanceof Float64Array ? keys.subarray(0, count) : keys.slice(0, count), numbers: numbers.subarray(0, count) };
  }

  /** Number of the composed row; null if the row existed neither at the start nor at the end. */
  #both(earlier: number, later: number): number | null {
    if (this.#changesSame(earlier, later)) return earlier;
    const x = this.#row(earlier);
    const both = joinedRow(x, this.#row(later));
    if (both === null || both === x) return both === null ? null : earlier;
    return -this.#made.push(both);
  }

  /** Whether both restore the same columns, so that the earlier entry suffices. */
  #changesSame(earlier: number, later: number): boolean {
    if (earlier < 0 || later < 0) return false;
    const a = runOf(this.#firsts, earlier);
    const b = runOf(this.#firsts, later);
    const x = this.#runs[a];
    const y = this.#runs[b];
    const i = earlier - this.#firsts[a];
    const j = later - this.#firsts[b];
    return x.undo(i) === UNDO.UPDATE && y.undo(j) === UNDO.UPDATE && sameColumns(x.shape(i), y.shape(j));
  }

  #row(number: number): UndoRow {
    if (number < 0) return this.#made[-number - 1];
    const r = runOf(this.#firsts, number);
    return this.#runs[r].row(number - this.#firsts[r]);
  }
}

class JoinedRun implements UndoRun {
  readonly keys: Keys;
  readonly #runs: readonly UndoRun[];
  readonly #firsts: readonly number[];
  readonly #made: ListedRun;
  readonly #numbers: Int32Array;

  constructor(runs: readonly UndoRun[], firsts: readonly number[], made: readonly UndoRow[], { keys, numbers }: Numbered) {
    this.keys = keys;
    this.#runs = runs;
    this.#firsts = firsts;
    this.#made = new ListedRun(made);
    this.#numbers = numbers;
  }

  undo(i: number): Undo {
    const run = this.#at(i);
    return run.undo(this.#index);
  }

  shape(i: number): Shape {
    const run = this.#at(i);
    return run.shape(this.#index);
  }

  bytes(i: number): number {
    const run = this.#at(i);
    return run.bytes(this.#index);
  }

  row(i: number): UndoRow {
    const run = this.#at(i);
    return run.row(this.#index);
  }

  /** The run of the row, whose position there is stored in `#index`. */
  #at(i: number): UndoRun {
    const number = this.#numbers[i];
    if (number < 0) {
      this.#index = -number - 1;
      return this.#made;
    }
    const r = runOf(this.#firsts, number);
    this.#index = number - this.#firsts[r];
    return this.#runs[r];
  }
  #index = 0;
}

/** The run that the row number belongs to. */
function runOf(firsts: readonly number[], number: number): number {
  let lo = 0;
  let hi = firsts.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (firsts[mid] <= number) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}
