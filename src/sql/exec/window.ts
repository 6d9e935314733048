/**
 * Window functions. Rows are collected and sorted by partition and order; then each partition is processed, function by function.
 * Aggregates extend with frames that only grow, undo steps if they can, and otherwise are recomputed for each different frame.
 */
import type { AggregateFunction, Call, WindowFunction } from '../functions/define.ts';
import type { Bound, BoundWindowFunction, ColumnId } from '../plan/bound.ts';
import type { WindowPlan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { BATCH_ROWS, emptyBatch, YIELD, type Batch, type Batches, type Yield } from './batch.ts';
import { columnsOf, isVolatile } from '../plan/rules/walk.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { collect } from './pipeline.ts';
import { produce, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { gatherAndSort, lazy, sorter, type SortKey } from './sort.ts';
import { batchBytes } from './spill-codec.ts';
import { checkOffset, PartitionView, type RangeKeys } from './window-frame.ts';

interface Compiled {
  readonly function: BoundWindowFunction;
  /** Columns of the collected rows that hold its arguments. */
  readonly args: readonly number[];
  readonly filter: number;
}

export function openWindow(c: Compilation, plan: WindowPlan, needed: Needed): Rows {
  const inputIds = plan.input.columns.map((column) => column.id).filter((id) => needed.has(id));
  const p = c.pipeline();
  const state = c.newState();
  const types = new Map<ColumnId, SqlType>(typesOf(plan.input));
  const read = new Set<ColumnId>(inputIds);
  const extra: Bound[] = [];
  // Everything computed from a row is a column of the collected rows.
  const add = (e: Bound): number => {
    columnsOf(e, read);
    extra.push(e);
    types.set(-extra.length, e.type);
    return inputIds.length + extra.length - 1;
  };
  const partition = plan.partitionBy.map(add);
  const order = plan.orderBy.map((key) => add(key.value));
  const functions: Compiled[] = usedFunctions(plan, needed).map((f) => ({
    function: f,
    args: f.args.map(add),
    filter: f.filter === null ? -1 : add(f.filter),
  }));
  const ids = [...inputIds, ...extra.map((_, i) => -1 - i)];
  produce(p, plan.input, read, () => {
    extra.forEach((e, i) => p.x.scope.set(-1 - i, () => p.x.compile(e)));
    collect(p, ids, types, state);
  });
  const keys: SortKey[] = [
    ...plan.partitionBy.map((e) => ({ type: e.type, descending: false, nullsFirst: false })),
    ...plan.orderBy.map((key) => ({ type: key.value.type, descending: key.descending, nullsFirst: key.nullsFirst })),
  ];
  const sort = lazy(() => sorter(keys));
  const keyAt = [...partition, ...order];
  const sortOf = (rows: Batch): Generator<Yield, Uint32Array> =>
    sort()(
      keyAt.map((at) => rows.columns[at]),
      rows.count,
    );
  const { start, end, inRange, mode, exclude } = plan.frame;
  const frameOfPeers = mode !== 'rows' || exclude === 'group' || exclude === 'ties';
  const needsPeers = functions.some(({ function: { fn } }) =>
    fn.kind === 'window' ? fn.needs === 'peers' || (fn.needs === 'frame' && frameOfPeers) : frameOfPeers,
  );
  const offsets = c.scalars([start, end].flatMap((edge) => ('offset' in edge ? [edge.offset] : [])));
  const offsetType = [start, end].find((edge) => 'offset' in edge) as { offset: Bound } | undefined;
  const ranged = inRange !== null && plan.orderBy.length > 0;
  const minus = !ranged ? null : c.scalars([inRange!.minus], rangeColumns(plan, offsetType?.offset.type));
  const plus = !ranged ? null : c.scalars([inRange!.plus], rangeColumns(plan, offsetType?.offset.type));
  return {
    ids: [...inputIds, ...functions.map((one) => one.function.id)],
    *open(run): Batches {
      const given = offsets(run, []);
      const offsetsOfRun: [Value, Value] = ['offset' in start ? given[0] : null, 'offset' in end ? given[given.length - 1] : null];
      let part = new Partition(run, ids.length);
      let out = emptyBatch(inputIds.length + functions.length);
      const finish = function* (): Batches {
        if (part.count === 0) return;
        const groups = needsPeers ? [0] : null;
        const peers = plan.orderBy.map((key) => key.value);
        for (let i = 1; groups !== null && i < part.count; i++) {
          if (order.length > 0 && !same(part.columns, i - 1, part.columns, i, order, peers)) groups.push(i);
          if ((i & 8191) === 8191 && run.late()) yield YIELD;
        }
        const rangeKeys: RangeKeys | null =
          minus === null || plus === null
            ? null
            : {
                type: plan.orderBy[0].value.type,
                descending: plan.orderBy[0].descending,
                values: part.columns[order[0]],
                minus: (r, base, offset) => within(() => minus(r, [base, base, offset])[0]),
                plus: (r, base, offset) => within(() => plus(r, [base, base, offset])[0]),
              };
        const view = new PartitionView(run, plan, groups, part.count, offsetsOfRun, rangeKeys);
        // Columns of a large partition are handed on as they are.
        const large = part.count >= BATCH_ROWS;
        if (large && out.count > 0) {
          yield out;
          out = emptyBatch(inputIds.length + functions.length);
        }
        for (let f = 0; f < functions.length; f++) {
          const one = functions[f];
          view.args = one.args.map((at) => part.columns[at]);
          const filter = one.filter < 0 ? null : part.columns[one.filter];
          yield* evaluate(run, one.function, view, filter, out.columns[inputIds.length + f]);
        }
        for (let k = 0; k < inputIds.length; k++) {
          const [from, to] = [part.columns[k], out.columns[k]];
          if (large) out.columns[k] = from;
          else for (let i = 0; i < part.count; i++) to.push(from[i]);
        }
        out.count += part.count;
        part.release();
        part = new Partition(run, ids.length);
        if (out.count < BATCH_ROWS) return;
        const full = out;
        out = emptyBatch(full.columns.length);
        if (full.count <= 2 * BATCH_ROWS) yield full;
        else {
          for (let from = 0; from < full.count; from += BATCH_ROWS) {
            const to = Math.min(full.count, from + BATCH_ROWS);
            yield { count: to - from, columns: full.columns.map((column) => column.slice(from, to)) };
          }
        }
        if (run.late()) yield YIELD;
      };
      let checked = false;
      const sorting = gatherAndSort(run, p, state, emptyBatch(ids.length), sortOf, keys, keyAt, ids.length, Infinity);
      for (const batch of sorting) {
        if (batch === YIELD) {
          yield YIELD;
          continue;
        }
        if (!checked) {
          checked = true;
          if ('offset' in start) checkOffset(offsetsOfRun[0], 'starting', plan.frame.mode);
          if ('offset' in end) checkOffset(offsetsOfRun[1], 'ending', plan.frame.mode);
        }
        for (let from = 0; from < batch.count;) {
          let to = from;
          if (part.count === 0) to++;
          while (
            to < batch.count &&
            (to === from
              ? same(part.columns, part.count - 1, batch.columns, to, partition, plan.partitionBy)
              : same(batch.columns, to - 1, batch.columns, to, partition, plan.partitionBy))
          ) {
            to++;
          }
          part.add(batch, from, to);
          if (to < batch.count) yield* finish();
          from = to;
        }
      }
      yield* finish();
      if (out.count > 0) yield out;
    },
  };
}

/** The functions that are read; volatile ones are called all the same. */
export function usedFunctions(plan: WindowPlan, needed: Needed): readonly BoundWindowFunction[] {
  return plan.functions.filter((f) => needed.has(f.id) || f.args.some(isVolatile) || (f.filter !== null && isVolatile(f.filter)));
}

/** The rows of one partition; all of them are in memory while its functions are computed. */
class Partition {
  count = 0;
  readonly columns: Value[][];
  readonly #run: Run;
  #held = 0;

  constructor(run: Run, width: number) {
    this.#run = run;
    this.columns = emptyBatch(width).columns;
  }

  add(batch: Batch, from: number, to: number): void {
    for (let c = 0; c < this.columns.length; c++) {
      const [source, own] = [batch.columns[c], this.columns[c]];
      for (let i = from; i < to; i++) own.push(source[i]);
    }
    this.count += to - from;
    if (this.count < BATCH_ROWS) return;
    const bytes = (batchBytes(batch) / batch.count) * (to - from);
    this.#held += bytes;
    this.#run.hold(bytes);
  }

  release(): void {
    this.#run.release(this.#held);
  }
}

function rangeColumns(plan: WindowPlan, offset: SqlType | undefined): { id: ColumnId; type: SqlType }[] {
  const { value, base, offset: offsetId } = plan.frame.inRange!;
  const { type } = plan.orderBy[0].value;
  return [
    { id: base, type },
    { id: value, type },
    { id: offsetId, type: offset ?? type },
  ];
}

/** A bound past the type's range means unbounded. */
function within(compute: () => Value): Value {
  try {
    return compute();
  } catch (error) {
    if ((error as { code?: string }).code === '22003' || (error as { code?: string }).code === '22008') return null;
    throw error;
  }
}

function same(a: readonly Value[][], i: number, b: readonly Value[][], k: number, columns: readonly number[], types: readonly Bound[]): boolean {
  for (let c = 0; c < columns.length; c++) {
    const x = a[columns[c]][i];
    const y = b[columns[c]][k];
    if (x === y) continue;
    if (x === null || y === null || types[c].type.compare(x, y) !== 0) return false;
  }
  return true;
}

function* evaluate(run: Run, f: BoundWindowFunction, view: PartitionView, filter: readonly Value[] | null, out: Value[]): Batches {
  const call: Call = { env: run.context.env, argTypes: f.args.map((arg) => arg.type), returnType: f.type };
  if (f.fn.kind === 'window') {
    const fn: WindowFunction = f.fn;
    const framed = fn.needs === 'frame';
    for (let row = 0; row < view.count; row++) {
      if (framed) view.moveTo(row);
      else view.row = row;
      out.push(fn.impl(view, call));
      if ((row & 255) === 255 && run.late()) yield YIELD;
    }
    return;
  }
  const fn: AggregateFunction = f.fn;
  const counts = (position: number): boolean => {
    if (filter !== null && filter[position] !== true) return false;
    if (fn.strict === true) for (let k = 0; k < view.args.length; k++) if (view.args[k][position] === null) return false;
    return true;
  };
  const argsAt = (position: number): Value[] => view.args.map((arg) => arg[position]);
  let state = fn.init(call);
  let from = 0;
  let to = 0;
  let result: Value = null;
  let known = false;
  let steps = 0;
  for (let row = 0; row < view.count; row++) {
    view.moveTo(row);
    const { frameStart, frameEnd } = view;
    if ((row & 255) === 255 && run.late()) yield YIELD;
    if (view.excludes) {
      state = fn.init(call);
      for (let k = frameStart; k < frameEnd; k++) {
        if (view.inFrame(k) && counts(k)) state = fn.step(state, ...argsAt(k));
        if ((++steps & 1023) === 0 && run.late()) yield YIELD;
      }
      out.push(fn.finish(state));
      continue;
    }
    if (known && frameStart === from && frameEnd === to) {
      out.push(result);
      continue;
    }
    const moves = frameStart >= from && frameEnd >= to && frameStart <= to;
    if (!moves || (frameStart > from && fn.inverse === undefined)) {
      state = fn.init(call);
      from = frameStart;
      to = frameStart;
    }
    for (; from < frameStart; from++) {
      if (counts(from)) state = fn.inverse!(state, ...argsAt(from));
      if ((++steps & 1023) === 0 && run.late()) yield YIELD;
    }
    for (; to < frameEnd; to++) {
      if (counts(to)) state = fn.step(state, ...argsAt(to));
      if ((++steps & 1023) === 0 && run.late()) yield YIELD;
    }
    result = fn.finish(state);
    known = true;
    out.push(result);
  }
}
