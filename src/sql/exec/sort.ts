/**
 * Sorting: rows are collected in columns, then their numbers are sorted by a merge sort that is generated for the keys, so comparing
 * is inline and stable. With a limit, at most twice the wanted rows are kept, and rows after the last of them are dropped at once.
 */
import type { Bound, BoundSort, ColumnId } from '../plan/bound.ts';
import type { SortPlan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { BatchSize } from './batch-size.ts';
import { BATCH_ROWS, emptyBatch, YIELD, type Batch, type Batches, type Yield } from './batch.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { Emitter } from './emitter.ts';
import { compareSource } from './expression.ts';
import { boundsOfLimit } from './limit.ts';
import { KeyTables, keyKind, keyNumber, type KeyKind } from './keys.ts';
import { asValue } from './operand.ts';
import { collect, WHOLE_MAX, type Pipeline } from './pipeline.ts';
import { produce, withColumns, type Needed } from './produce.ts';
import { RADIX_ROWS_MIN, radixSort } from './radix-sort.ts';
import type { Run } from './run.ts';
import { behindSource, isNumber, isTaken, reachByZones, TopBound, topTests } from './top-bound.ts';
import { SortedRuns } from './sorted-runs.ts';
import { batchBytes } from './spill-codec.ts';

export interface SortKey {
  readonly type: SqlType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** The order of two nullable values in variables, as an expression. */
export function orderSource(g: Emitter, key: SortKey, a: string, b: string): string {
  const compare = key.descending ? compareSource(g, key.type, b, a) : compareSource(g, key.type, a, b);
  return `(${a} === ${b} ? 0 : ${a} === null ? ${key.nullsFirst ? -1 : 1} : ${b} === null ? ${key.nullsFirst ? 1 : -1} : ${compare})`;
}

/** Numbers of rows 0 … count - 1 in the order of their keys; yields at each yield point. */
export type Sorter = (keys: readonly (readonly Value[])[], count: number) => Generator<Yield, Uint32Array>;

export function sorter(keys: readonly SortKey[]): Sorter {
  const merge = lazy(() => mergeFunction(keys));
  return function* (columns, count) {
    if (count <= FEW_ROWS) return sortFew(merge(), columns, count);
    const dealt = count < RADIX_ROWS_MIN ? null : yield* radixSort(keys, columns, count);
    return dealt ?? (yield* mergeSort(merge(), columns.map(numbersOf), count));
  };
}

/** Rows that are sorted per step. */
const FEW_ROWS = 1024;

function sortFew(merge: Merge, columns: readonly (readonly Value[])[], count: number): Uint32Array {
  let from = new Uint32Array(count);
  for (let i = 1; i < count; i++) from[i] = i;
  if (count < 2) return from;
  const keys = columns.map(numbersOf);
  merge(keys, from, from, 0, 0, count, null);
  if (count <= RUN_ROWS) return from;
  let to = new Uint32Array(count);
  for (let width = RUN_ROWS; width < count; width *= 2) {
    merge(keys, from, to, width, 0, count, null);
    [from, to] = [to, from];
  }
  return from;
}

/**
 * Works on rows [begin, end): sorts runs if `width` is 0, otherwise merges pairs of runs of that width. With `at` (positions in both
 * runs and in the result) it merges one pair, some thousand rows per call; true when it is done.
 */
type Merge = (
  keys: readonly (readonly Value[])[],
  from: Uint32Array,
  to: Uint32Array,
  width: number,
  begin: number,
  end: number,
  at: Uint32Array | null,
) => boolean;

const RUN_ROWS = 8;
/** A step of the sort takes some milliseconds at most. */
const STEP_ROWS = 16_384;

function* mergeSort(merge: Merge, keys: readonly (readonly Value[])[], count: number): Generator<Yield, Uint32Array> {
  let from = new Uint32Array(count);
  let to = new Uint32Array(count);
  for (let i = 0; i < count; i++) from[i] = i;
  for (let begin = 0; begin < count; begin += STEP_ROWS) {
    merge(keys, from, to, 0, begin, Math.min(count, begin + STEP_ROWS), null);
    yield YIELD;
  }
  for (let width = RUN_ROWS; width < count; width *= 2) {
    const step = Math.max(STEP_ROWS, 2 * width);
    for (let begin = 0; begin < count; begin += step) {
      const end = Math.min(count, begin + step);
      if (2 * width <= STEP_ROWS) merge(keys, from, to, width, begin, end, null);
      else {
        const at = Uint32Array.of(begin, Math.min(end, begin + width), begin);
        while (!merge(keys, from, to, width, begin, end, at)) yield YIELD;
      }
      yield YIELD;
    }
    [from, to] = [to, from];
  }
  return from;
}

function mergeFunction(keys: readonly SortKey[]): Merge {
  const g = new Emitter();
  keys.forEach((_, i) => g.before(`const k_${i} = keys[${i}];`));
  g.open('const after = (a, b) =>');
  keys.forEach((key, i) => {
    g.open('');
    g.line(`const x = k_${i}[a], y = k_${i}[b];`);
    g.line(`const d = ${orderSource(g, key, 'x', 'y')};`);
    g.line(i === keys.length - 1 ? 'return d > 0;' : 'if (d !== 0) return d > 0;');
    g.close();
  });
  if (keys.length === 0) g.line('return false;');
  g.close();
  g.line(MERGE);
  return g.build<Merge>('keys, from, to, width, begin, end, places');
}

/** Runs by insertion, or merges pair by pair; a pair that is in order already is copied. */
const MERGE = `
if (width === 0) {
  for (let start = begin; start < end; start += ${RUN_ROWS}) {
    const stop = start + ${RUN_ROWS} < end ? start + ${RUN_ROWS} : end;
    for (let i = start + 1; i < stop; i++) {
      const one = from[i];
      let j = i;
      while (j > start && after(from[j - 1], one)) { from[j] = from[j - 1]; j--; }
      from[j] = one;
    }
  }
  return true;
}
if (places !== null) {
  const middle = begin + width < end ? begin + width : end;
  let a = places[0], b = places[1], at = places[2];
  if (at === begin && (middle >= end || !after(from[middle - 1], from[middle]))) {
    to.set(from.subarray(begin, end), begin);
    return true;
  }
  const until = at + ${STEP_ROWS} < end ? at + ${STEP_ROWS} : end;
  while (a < middle && b < end && at < until) to[at++] = after(from[a], from[b]) ? from[b++] : from[a++];
  if (b === end) while (a < middle && at < until) to[at++] = from[a++];
  if (a === middle) while (b < end && at < until) to[at++] = from[b++];
  places[0] = a; places[1] = b; places[2] = at;
  return at === end;
}
for (let start = begin; start < end; start += 2 * width) {
  const middle = start + width < end ? start + width : end;
  const stop = middle + width < end ? middle + width : end;
  if (middle >= stop || !after(from[middle - 1], from[middle])) {
    to.set(from.subarray(start, stop), start);
    continue;
  }
  let a = start, b = middle, at = start;
  while (a < middle && b < stop) to[at++] = after(from[a], from[b]) ? from[b++] : from[a++];
  while (a < middle) to[at++] = from[a++];
  while (b < stop) to[at++] = from[b++];
}
return true;`;

/** Runs steps, yielding when the time slice is over. */
export function* sliced<T>(run: Run, steps: Generator<Yield, T>): Generator<Yield, T> {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    if (run.late()) yield YIELD;
  }
}

/** Runs steps to their end. */
export function finished<T>(steps: Generator<Yield, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** The most rows that are kept for a limit; compacting more would take too long in one call. */
const TOP_ROWS_MAX = 10_000;

/** Memory is checked once per this many rows. */
const LOOK_ROWS = 4096;

/** Of a column of a key in the tables. */
const KEY_BYTES = 40;

/** Rows and their keys while a sort collects them. */
class Gathered implements Batch {
  count = 0;
  columns: Value[][];
  /** Number of rows wanted; Infinity for all. */
  wanted = Infinity;
  /** Keys of the last wanted row once there are enough. */
  worst: Value[] | null = null;
  readonly bound: TopBound;
  /** For one row per key: the keys of the rows, by position. */
  tables: KeyTables | null = null;
  readonly #kinds: readonly KeyKind[] | null;
  readonly #keyAt: readonly number[];
  readonly #order: (gathered: Batch) => Generator<Yield, Uint32Array>;

  constructor(
    width: number,
    bound: TopBound,
    keyAt: readonly number[],
    order: (gathered: Batch) => Generator<Yield, Uint32Array>,
    kinds: readonly KeyKind[] | null,
  ) {
    this.columns = emptyBatch(width).columns;
    this.bound = bound;
    this.#kinds = kinds;
    this.emptied();
    this.#keyAt = keyAt;
    this.#order = order;
  }

  /** Its rows were taken away. */
  emptied(): void {
    this.tables = this.#kinds === null ? null : new KeyTables(this.#kinds);
  }

  /** Of a row, besides its values. */
  get rowBytes(): number {
    return this.#kinds === null ? 0 : KEY_BYTES * (1 + this.#kinds.length);
  }

  /** Drops rows that are not among those wanted. */
  compact(): void {
    const rows = finished(this.#order(this)).subarray(0, this.wanted);
    this.columns = this.columns.map((column) => gather(column, rows, 0, rows.length));
    this.count = rows.length;
    this.worst = this.#keyAt.map((k) => this.columns[k][rows.length - 1]);
    this.bound.move(this.worst[0]);
  }

  /** For a limit of one row: it is now the one with these keys. */
  only(keys: Value[]): void {
    this.count = 1;
    this.worst = keys;
    this.bound.move(keys[0]);
  }
}

export function openSort(c: Compilation, plan: SortPlan, needed: Needed): Rows {
  const ids = plan.columns.map((column) => column.id).filter((id) => needed.has(id));
  return sortedRows(c, plan.input, ids, plan.keys, plan.top ?? null, c.firstOf.get(plan) ?? null);
}

export function sortedRows(
  c: Compilation,
  input: SortPlan['input'],
  ids: readonly ColumnId[],
  keys: readonly BoundSort[],
  top: { readonly limit: Bound | null; readonly offset: Bound | null } | null,
  firstOf: readonly (Bound & { readonly kind: 'column' })[] | null = null,
): Rows {
  const p = c.pipeline();
  const { g, x } = p;
  const state = c.newState();
  const types = typesOf(input);
  const sortKeys = keys.map((key): SortKey => ({ type: key.value.type, descending: key.descending, nullsFirst: key.nullsFirst }));
  const sort = lazy(() => sorter(sortKeys));
  // A key that is an output column is stored once.
  const extra: BoundSort[] = [];
  const keyAt = keys.map((key) => {
    const at = key.value.kind === 'column' ? ids.indexOf(key.value.id) : -1;
    if (at >= 0) return at;
    extra.push(key);
    return ids.length + extra.length - 1;
  });
  const width = ids.length + extra.length;
  /** Of the first key, if it is a coefficient. */
  let scale = 0;
  const boundOf = (run: Run): TopBound | null => {
    const { wanted, bound } = run.states[state] as Gathered;
    return wanted === Infinity ? null : bound;
  };
  if (top !== null && keys.length > 0) p.zoneTests.push(...topTests(input, keys[0].value, sortKeys[0], boundOf));
  produce(
    p,
    input,
    withColumns(
      new Set(ids),
      keys.map((key) => key.value),
    ),
    () => {
      const s = g.state(state);
      if (firstOf !== null) {
        keepFirst();
        return;
      }
      if (top === null) {
        collect(
          p,
          ids,
          types,
          state,
          extra.map((key) => key.value),
        );
        return;
      }
      // Columns are replaced when rows are dropped, so they are not kept in variables here.
      const order = g.fresh('d');
      const keyValues: string[] = [];
      const first = x.compile(keys[0].value);
      // Expressions that may fail are computed for each row, wanted or not.
      const eager = new Map(ids.filter((id) => !isTaken(input, id)).map((id) => [id, asValue(g, x.column(id, types.get(id)!))]));
      const later = keys.slice(1).filter(({ value }) => value.kind !== 'column' || !isTaken(input, value.id));
      for (const { value } of later) x.compile(value);
      // Most rows are already after the last wanted one by a comparison of their first key as a number.
      const behind = isNumber(first) ? behindSource(g, s, first, sortKeys[0]) : null;
      scale = first.scale;
      if (behind !== null) g.open(`if (!(${behind.condition}))`);
      keys.forEach((key) => {
        const v = g.fresh('v');
        g.line(`const ${v} = ${asValue(g, x.compile(key.value))};`);
        keyValues.push(v);
      });
      g.line(`let ${order} = -1;`);
      g.open(`if (${s}.worst !== null)`);
      g.line(`${order} = 0;`);
      sortKeys.forEach((key, i) => {
        const w = g.fresh('w');
        g.line(`const ${w} = ${s}.worst[${i}];`);
        g.line(`if (${order} === 0) ${order} = ${orderSource(g, key, keyValues[i], w)};`);
      });
      g.close();
      g.open(`if (${order} < 0)`);
      const values = ids.map((id, i) => eager.get(id) ?? (keyAt.includes(i) ? keyValues[keyAt.indexOf(i)] : asValue(g, x.column(id, types.get(id)!))));
      g.line(`const columns = ${s}.columns;`);
      keys.forEach((_, i) => {
        if (keyAt[i] >= ids.length) values.push(keyValues[i]);
      });
      g.open(`if (${s}.wanted === 1)`);
      values.forEach((value, i) => g.line(`columns[${i}][0] = ${value};`));
      g.line(`${s}.only([${keyValues.join(', ')}]); ${behind?.reload ?? ''}`);
      g.close();
      g.open('else');
      values.forEach((value, i) => g.line(`columns[${i}].push(${value});`));
      g.line(`if (++${s}.count >= ${s}.wanted * 2 + 256) { ${s}.compact(); ${behind?.reload ?? ''} }`);
      g.close();
      g.close();
      if (behind !== null) g.close();
    },
  );
  /** A row is kept if it is the first of its key so far, in place of the previous one. */
  function keepFirst(): void {
    const s = g.state(state);
    const columnAt = (i: number): string => g.hoist(`${s} column ${i}`, `${s}.columns[${i}]`);
    // Expressions that may fail are computed for each row, kept or not.
    const eager = new Map(ids.filter((id) => !isTaken(input, id)).map((id) => [id, asValue(g, x.column(id, types.get(id)!))]));
    const keyValues = keys.map((key) => {
      const v = g.fresh('v');
      g.line(`const ${v} = ${asValue(g, x.compile(key.value))};`);
      return v;
    });
    const firsts = firstOf!.map((e) => ({ operand: x.compile(e), type: e.type }));
    const at = keyNumber(p, -1, firsts, true, true, g.hoist(`${s} tables`, `${s}.tables`));
    const order = g.fresh('d');
    g.line(`let ${order} = ${at} === ${s}.count ? -1 : 0;`);
    keys.forEach(({ value }, i) => {
      if (value.kind === 'column' && firstOf!.some(({ id }) => id === value.id)) return;
      g.open(`if (${order} === 0)`);
      const w = g.fresh('w');
      g.line(`const ${w} = ${columnAt(keyAt[i])}[${at}];`);
      g.line(`${order} = ${orderSource(g, sortKeys[i], keyValues[i], w)};`);
      g.close();
    });
    g.open(`if (${order} < 0)`);
    const values = ids.map((id, i) => eager.get(id) ?? (keyAt.includes(i) ? keyValues[keyAt.indexOf(i)] : asValue(g, x.column(id, types.get(id)!))));
    keys.forEach((_, i) => {
      if (keyAt[i] >= ids.length) values.push(keyValues[i]);
    });
    values.forEach((value, i) => g.line(`${columnAt(i)}[${at}] = ${value};`));
    g.line(`if (${at} === ${s}.count) ${s}.count++;`);
    g.close();
  }
  const kinds = firstOf === null ? null : firstOf.map((e) => keyKind(e.type));
  const bounds = top === null ? null : boundsOfLimit(c, top.limit, top.offset);
  const order = (gathered: Batch): Generator<Yield, Uint32Array> =>
    sort()(
      keyAt.map((k) => gathered.columns[k]),
      gathered.count,
    );
  /** The row buffer; null if no rows are wanted. */
  const started = (run: Run): Gathered | null => {
    const gathered = new Gathered(width, new TopBound(sortKeys[0], scale, keys.length === 1), keyAt, order, kinds);
    if (bounds === null) return gathered;
    const { skip, left } = bounds(run);
    if (skip + left === 0) return null;
    // With a larger limit all rows are sorted at the end, and the limit above takes the first.
    if (skip + left <= TOP_ROWS_MAX) {
      gathered.wanted = skip + left;
      reachByZones(run, input, keys[0].value, gathered.bound, sortKeys[0], gathered.wanted);
    }
    return gathered;
  };
  return {
    ids,
    *open(run) {
      const gathered = started(run);
      if (gathered !== null) yield* gatherAndSort(run, p, state, gathered, order, sortKeys, keyAt, ids.length, gathered.wanted);
    },
    whole: !p.mayRunWhole
      ? undefined
      : (run, most) => {
          const gathered = started(run);
          if (gathered === null) return emptyBatch(ids.length);
          run.states[state] = gathered;
          if (!p.runWhole(run, gathered.wanted <= most ? WHOLE_MAX : most)) return null;
          run.states[state] = undefined;
          if (gathered.count <= 1) return { count: gathered.count, columns: gathered.columns.slice(0, ids.length) };
          const rows = finished(order(gathered));
          const count = Math.min(gathered.count, gathered.wanted);
          const columns: Value[][] = [];
          for (let i = 0; i < ids.length; i++) columns.push(gather(gathered.columns[i], rows, 0, count));
          return { count, columns };
        },
  };
}

/** Runs the pipeline, whose sink is the buffer, and gives the first `width` columns of its rows in order. */
export function* gatherAndSort(
  run: Run,
  p: Pipeline,
  state: number,
  gathered: Batch & { readonly rowBytes?: number; emptied?(): void },
  order: (gathered: Batch) => Generator<Yield, Uint32Array>,
  keys: readonly SortKey[],
  keyAt: readonly number[],
  width: number,
  wanted: number,
): Batches {
  run.states[state] = gathered;
  const { workMemBytes, spill } = run.context;
  const full = gathered.columns.length;
  const runs = new SortedRuns(run, keys, keyAt, full);
  let looked = LOOK_ROWS;
  let held = 0;
  // A few large rows may exceed memory before the next check.
  const size = p.varying.length > 0 && wanted === Infinity ? new BatchSize(p.varying, Infinity) : null;
  const pace = p.pace(run);
  for (const step of p.run(run)) {
    if (step === YIELD) yield YIELD;
    size?.isLarge(gathered, pace);
    if (size !== null && size.bytes > workMemBytes) looked = Math.min(looked, gathered.count);
    // A sort with a limit keeps few rows.
    if (gathered.count < looked || wanted !== Infinity) continue;
    looked = gathered.count + LOOK_ROWS;
    const bytes = batchBytes(gathered) + gathered.count * (gathered.rowBytes ?? 0);
    if (spill === null) {
      run.hold(bytes - held);
      held = bytes;
    }
    if (spill === null || (bytes <= workMemBytes && (size === null || size.bytes <= workMemBytes))) continue;
    yield* runs.add(gathered, yield* sliced(run, order(gathered)));
    size?.clear();
    gathered.columns = emptyBatch(full).columns;
    gathered.count = 0;
    gathered.emptied?.();
    looked = LOOK_ROWS;
  }
  if (runs.count > 0) {
    yield* runs.add(gathered, yield* sliced(run, order(gathered)));
    run.states[state] = undefined;
    yield* runs.merge(width, wanted);
    return;
  }
  yield* inOrder(run, gathered, yield* sliced(run, order(gathered)), width, wanted);
  run.states[state] = undefined;
  run.release(held);
}

/** Keys that are all ordinary numbers sort faster in a typed array. */
function numbersOf(column: readonly Value[]): readonly Value[] {
  const count = column.length;
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const value = column[i];
    if (typeof value !== 'number') return column;
    numbers[i] = value;
  }
  return numbers as unknown as readonly Value[];
}

function gather(column: readonly Value[], rows: Uint32Array, from: number, to: number): Value[] {
  const out: Value[] = new Array(to - from);
  for (let i = from; i < to; i++) out[i - from] = column[rows[i]];
  return out;
}

function* inOrder(run: Run, batch: Batch, rows: Uint32Array, width: number, wanted: number): Batches {
  const count = Math.min(rows.length, wanted);
  let same = 0;
  while (same < count && rows[same] === same) same++;
  for (let from = 0; from < count; from += BATCH_ROWS) {
    const to = Math.min(count, from + BATCH_ROWS);
    yield { count: to - from, columns: batch.columns.slice(0, width).map((column) => (same >= to ? column.slice(from, to) : gather(column, rows, from, to))) };
    if (run.late()) yield YIELD;
  }
}

export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
