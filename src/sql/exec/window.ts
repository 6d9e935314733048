/**
 * Window functions. Rows are gathered and sorted by partition and order; then one partition after the other,
 * function by function. Aggregates grow with frames that only grow, undo steps where they can, and else are
 * computed anew for each different frame.
 */
import type { AggregateFunction, Call, WindowFunction } from '../functions/define.ts';
import type { Bound, BoundWindowFunction, ColumnId } from '../plan/bound.ts';
import type { WindowPlan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { BATCH_ROWS, YIELD, type Batches } from './batch.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { collect } from './pipeline.ts';
import { produce, type Needed } from './produce.ts';
import type { Run } from './run.ts';
import { lazy, sliced, sorter, type SortKey } from './sort.ts';
import { emptyBatch, type Batch } from './batch.ts';
import { checkOffset, PartitionView, type RangeKeys } from './window-frame.ts';

interface Compiled {
  readonly function: BoundWindowFunction;
  /** Columns of the gathered rows that hold its arguments. */
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
  // Everything computed from a row is a column of the gathered rows.
  const add = (e: Bound): number => {
    columnsOf(e, read);
    extra.push(e);
    types.set(-extra.length, e.type);
    return inputIds.length + extra.length - 1;
  };
  const partition = plan.partitionBy.map(add);
  const order = plan.orderBy.map((key) => add(key.value));
  const functions: Compiled[] = plan.functions.map((f) => ({ function: f, args: f.args.map(add), filter: f.filter === null ? -1 : add(f.filter) }));
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
  const { start, end, inRange } = plan.frame;
  const offsets = c.scalars([start, end].flatMap((edge) => ('offset' in edge ? [edge.offset] : [])));
  const offsetType = [start, end].find((edge) => 'offset' in edge) as { offset: Bound } | undefined;
  const ranged = inRange !== null && plan.orderBy.length > 0;
  const minus = !ranged ? null : c.scalars([inRange!.minus], rangeColumns(plan, offsetType?.offset.type));
  const plus = !ranged ? null : c.scalars([inRange!.plus], rangeColumns(plan, offsetType?.offset.type));
  return {
    ids: [...inputIds, ...plan.functions.map((f) => f.id)],
    *open(run): Batches {
      run.states[state] = emptyBatch(ids.length);
      yield* p.exhaust(run);
      const rows = run.states[state] as Batch;
      run.states[state] = undefined;
      if (rows.count === 0) return;
      const given = offsets(run, []);
      const offsetsOfRun: [Value, Value] = ['offset' in start ? given[0] : null, 'offset' in end ? given[given.length - 1] : null];
      if ('offset' in start) checkOffset(offsetsOfRun[0], 'starting');
      if ('offset' in end) checkOffset(offsetsOfRun[1], 'ending');
      if (keys.length > 0) {
        const numbers = yield* sliced(
          run,
          sort()(
            [...partition, ...order].map((at) => rows.columns[at]),
            rows.count,
          ),
        );
        rows.columns = rows.columns.map((column) => {
          const out: Value[] = new Array(rows.count);
          for (let i = 0; i < out.length; i++) out[i] = column[numbers[i]];
          return out;
        });
      }
      if (run.late()) yield YIELD;
      const results: Value[][] = functions.map(() => []);
      for (let from = 0; from < rows.count;) {
        let to = from + 1;
        const groups = [0];
        while (to < rows.count && same(rows, partition, plan.partitionBy, to - 1, to)) {
          if (
            order.length > 0 &&
            !same(
              rows,
              order,
              plan.orderBy.map((key) => key.value),
              to - 1,
              to,
            )
          )
            groups.push(to - from);
          to++;
        }
        const slice = (at: number): Value[] => rows.columns[at].slice(from, to);
        const rangeKeys: RangeKeys | null =
          minus === null || plus === null
            ? null
            : {
                type: plan.orderBy[0].value.type,
                descending: plan.orderBy[0].descending,
                values: slice(order[0]),
                minus: (r, base, offset) => within(() => minus(r, [base, base, offset])[0]),
                plus: (r, base, offset) => within(() => plus(r, [base, base, offset])[0]),
              };
        const view = new PartitionView(run, plan, groups, to - from, offsetsOfRun, rangeKeys);
        for (let f = 0; f < functions.length; f++) {
          const one = functions[f];
          view.args = one.args.map(slice);
          const filter = one.filter < 0 ? null : slice(one.filter);
          yield* evaluate(run, one.function, view, filter, results[f]);
        }
        from = to;
        if (run.late()) yield YIELD;
      }
      for (let from = 0; from < rows.count; from += BATCH_ROWS) {
        const to = Math.min(rows.count, from + BATCH_ROWS);
        yield { count: to - from, columns: [...rows.columns.slice(0, inputIds.length), ...results].map((column) => column.slice(from, to)) };
        if (run.late()) yield YIELD;
      }
    },
  };
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

/** A bound past the type's range is no bound. */
function within(compute: () => Value): Value {
  try {
    return compute();
  } catch (error) {
    if ((error as { code?: string }).code === '22003' || (error as { code?: string }).code === '22008') return null;
    throw error;
  }
}

function same(rows: Batch, columns: readonly number[], types: readonly Bound[], a: number, b: number): boolean {
  for (let k = 0; k < columns.length; k++) {
    const x = rows.columns[columns[k]][a];
    const y = rows.columns[columns[k]][b];
    if (x === y) continue;
    if (x === null || y === null || types[k].type.compare(x, y) !== 0) return false;
  }
  return true;
}

function* evaluate(run: Run, f: BoundWindowFunction, view: PartitionView, filter: readonly Value[] | null, out: Value[]): Batches {
  const call: Call = { env: run.context.env, argTypes: f.args.map((arg) => arg.type), returnType: f.type };
  if (f.fn.kind === 'window') {
    const fn: WindowFunction = f.fn;
    for (let row = 0; row < view.count; row++) {
      view.moveTo(row);
      out.push(fn.impl(view, call));
      if ((row & 1023) === 1023 && run.late()) yield YIELD;
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
  for (let row = 0; row < view.count; row++) {
    view.moveTo(row);
    const { frameStart, frameEnd } = view;
    if ((row & 255) === 255 && run.late()) yield YIELD;
    if (view.excludes) {
      state = fn.init(call);
      for (let k = frameStart; k < frameEnd; k++) if (view.inFrame(k) && counts(k)) state = fn.step(state, ...argsAt(k));
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
    for (; from < frameStart; from++) if (counts(from)) state = fn.inverse!(state, ...argsAt(from));
    for (; to < frameEnd; to++) if (counts(to)) state = fn.step(state, ...argsAt(to));
    result = fn.finish(state);
    known = true;
    out.push(result);
  }
}
