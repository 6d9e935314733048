/** VALUES and set-returning functions. */
import type { Call } from '../functions/define.ts';
import type { Bound, BoundSetFunction, ColumnId } from '../plan/bound.ts';
import type { FunctionScanPlan, ProjectSetPlan, ValuesPlan } from '../plan/logical.ts';
import { columnsOf as columnsOfType, isRecordType } from '../types/record-type.ts';
import { RecordValue } from '../types/record-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { BATCH_ROWS, emptyBatch, YIELD, type Batch, type Batches, type Yield } from './batch.ts';
import { columnsOf, isVolatile } from '../plan/rules/walk.ts';
import { isSlowMatch, listLong, mayTakeLong } from './long-call.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import type { Needed } from './produce.ts';
import type { Run } from './run.ts';

/** Batch size of set-returning functions. */
const BATCH_ROWS_SET = 256;

/** VALUES with more rows of constants are not compiled to code. */
const CODE_ROWS_MAX = 50;

export function openValues(c: Compilation, plan: ValuesPlan, _needed: Needed): Rows {
  const width = plan.columns.length;
  const constant = plan.rows.every((row) => row.every((e) => e.kind === 'constant'));
  if (constant && width > 0) {
    const columns = plan.columns.map((_, i) => plan.rows.map((row) => (row[i] as Bound & { kind: 'constant' }).value));
    return {
      ids: plan.columns.map((column) => column.id),
      *open() {
        for (let from = 0; from < plan.rows.length; from += BATCH_ROWS) {
          yield { count: Math.min(BATCH_ROWS, plan.rows.length - from), columns: columns.map((column) => column.slice(from, from + BATCH_ROWS)) };
        }
      },
    };
  }
  const ids = plan.columns.map((column) => column.id);
  if (plan.rows.length === 1 && !plan.rows[0].some(mayTakeLong)) {
    const values = c.scalars(plan.rows[0]);
    const one = (run: Run): Batch => ({ count: 1, columns: values(run, []).map((value) => [value]) });
    return {
      ids,
      one,
      *open(run) {
        yield one(run);
      },
    };
  }
  if (c.rowByRow && plan.rows.some((row) => row.some(isVolatile))) return valuesRowByRow(c, plan);
  // Rows are compiled in parts: one function for thousands would never be optimised, nor need be.
  const parts: ((run: Run) => Generator<Yield, Value[]>)[] = [];
  for (let from = 0; from < plan.rows.length; from += CODE_ROWS_MAX) {
    const rows = plan.rows.slice(from, from + CODE_ROWS_MAX);
    const values = c.scalarSteps(rows.flat());
    parts.push((run) => values(run, []));
  }
  return {
    ids,
    *open(run) {
      for (let part = 0; part < parts.length; part++) {
        const values = yield* parts[part](run);
        const batch = emptyBatch(width);
        batch.count = Math.min(CODE_ROWS_MAX, plan.rows.length - part * CODE_ROWS_MAX);
        for (let i = 0; i < values.length; i++) batch.columns[i % width].push(values[i]);
        yield batch;
        if (run.late()) yield YIELD;
      }
    },
  };
}

/** Each row is computed after what the statement does with the one before. Rows of one form share their code. */
function valuesRowByRow(c: Compilation, plan: ValuesPlan): Rows {
  const rows = plan.rows.map((row) => (row.some(mayTakeLong) ? c.scalarSteps(row) : c.scalars(row, [], 'a row of VALUES')));
  return {
    ids: plan.columns.map((column) => column.id),
    *open(run) {
      for (const row of rows) {
        const made = row(run, []);
        const values = Array.isArray(made) ? (made as Value[]) : yield* made as Generator<Yield, Value[]>;
        yield { count: 1, columns: values.map((value) => [value]) };
        if (run.late()) yield YIELD;
      }
    },
  };
}

/** Rows that an iterator gives, in batches. */
export function* batched(run: Run, rows: Iterable<readonly Value[]>, source: readonly number[]): Batches {
  let batch = emptyBatch(source.length);
  // A row may be a number of a series, or a search through a document: from one on, ever more rows are read between two clock checks.
  let next = 1;
  for (const row of rows) {
    for (let i = 0; i < source.length; i++) batch.columns[i].push(row[source[i]]);
    if (++batch.count < next) continue;
    const late = run.late();
    if (batch.count >= BATCH_ROWS_SET || late) {
      yield batch;
      batch = emptyBatch(source.length);
      if (late) yield YIELD;
      next = late ? Math.max(1, next >> 2) : BATCH_ROWS_SET;
    } else next = Math.min(BATCH_ROWS_SET, next * 4);
  }
  if (batch.count > 0) yield batch;
}

/** Gives the rows of one call of a set-returning (or plain) function. */
export type SetRows = (args: readonly Value[], run: Run) => Generator<Yield, Iterator<readonly Value[]>>;

/** `whole`: a row is one value, as in a select list; otherwise its fields are columns. */
export function setRows(c: Compilation, call: BoundSetFunction, width: number, whole: boolean): SetRows {
  const { fn } = call;
  const types = columnsOfType(call.type)?.map(({ type }) => type);
  const record = isRecordType(call.type);
  const state =
    fn.needsCall === true
      ? c.callState(
          call.args.map((arg) => arg.type),
          call.type,
        )
      : -1;
  return function* (args, run) {
    if (fn.strict !== false && args.includes(null)) {
      return (fn.kind === 'set' ? [] : [new Array<Value>(width).fill(null)])[Symbol.iterator]();
    }
    const all = state >= 0 ? [run.states[state], ...args] : args;
    let isLong = fn.long?.isLong(...args) === true;
    let result: unknown;
    if (!isLong) {
      try {
        result = fn.impl(...all);
      } catch (error) {
        isLong = fn.long !== undefined && isSlowMatch(error);
        if (!isLong) throw error;
      }
    }
    if (isLong) result = yield* listLong(run, fn, state >= 0 ? (run.states[state] as Call) : null, args);
    if (fn.kind !== 'set') return [record && !whole ? spread(result as Value, width) : [result as Value]][Symbol.iterator]();
    if (!record) return rowsOf(result as Iterable<Value>);
    return whole ? recordsOf(result as Iterable<Value[] | RecordValue>, types ?? []) : fieldsOf(result as Iterable<Value[] | RecordValue>, width);
  };
}

const NONE: readonly Value[] = [];

/** All values of one call if it returns them as a list, as `unnest` does; null if they have to be read one by one. */
function listOf({ fn }: BoundSetFunction, args: readonly Value[]): Value[] | null {
  if (fn.strict !== false && args.includes(null)) return NONE as Value[];
  if (fn.long?.isLong(...args) === true) return null;
  const result: unknown = fn.impl(...args);
  return Array.isArray(result) ? (result as Value[]) : null;
}

/** Whether `listOf` is supported: the function can be called again if it returns no list. */
function mayGiveList({ call: { fn, type, args } }: FunctionScanPlan['functions'][number], width: number): boolean {
  return fn.kind === 'set' && fn.volatility !== 'volatile' && fn.needsCall !== true && width === 1 && !isRecordType(type) && !args.some(mayTakeLong);
}

function spread(value: Value, width: number): Value[] {
  if (value instanceof RecordValue) return [...value.fields];
  return value === null ? new Array<Value>(width).fill(null) : [value];
}

function* rowsOf(result: Iterable<Value>): Generator<readonly Value[]> {
  for (const value of result) yield [value];
}

function* fieldsOf(result: Iterable<Value[] | RecordValue>, width: number): Generator<readonly Value[]> {
  for (const row of result) yield Array.isArray(row) ? row : spread(row, width);
}

function* recordsOf(result: Iterable<Value[] | RecordValue>, types: readonly SqlType[]): Generator<readonly Value[]> {
  for (const row of result) yield [Array.isArray(row) ? new RecordValue(row, types) : row];
}

/** Functions in parallel (ROWS FROM): the shorter ones are padded with nulls. */
function* zipped(iterators: readonly Iterator<readonly Value[]>[], widths: readonly number[], ordinality: boolean): Generator<Value[]> {
  let number = 0;
  const open = iterators.map(() => true);
  for (;;) {
    const row: Value[] = [];
    let any = false;
    for (let i = 0; i < iterators.length; i++) {
      const next = open[i] ? iterators[i].next() : null;
      if (next === null || next.done === true) {
        open[i] = false;
        for (let k = 0; k < widths[i]; k++) row.push(null);
      } else {
        any = true;
        for (let k = 0; k < widths[i]; k++) row.push(next.value[k]);
      }
    }
    if (!any) return;
    if (ordinality) row.push(++number);
    yield row;
  }
}

export function openFunctionScan(c: Compilation, plan: FunctionScanPlan): Rows {
  const args = c.scalarSteps(plan.functions.flatMap((f) => f.call.args));
  const widths = plan.functions.map((f) => f.columns.length);
  const calls = plan.functions.map((f, i) => setRows(c, f.call, widths[i], false));
  const made: ColumnId[] = plan.functions.flatMap((f) => f.columns.map((column) => column.id));
  if (plan.ordinality !== null) made.push(plan.ordinality.id);
  const source = made.map((_, i) => i);
  const [{ call }] = plan.functions;
  const lists = plan.functions.length === 1 && plan.ordinality === null && mayGiveList(plan.functions[0], widths[0]);
  const listArgs = lists ? c.scalars(call.args) : null;
  return {
    ids: made,
    whole:
      listArgs === null
        ? undefined
        : (run, most) => {
            const list = listOf(call, listArgs(run, []));
            return list === null || list.length > most ? null : { count: list.length, columns: [list] };
          },
    *open(run): Batches {
      const values = yield* args(run, []);
      let at = 0;
      const iterators: Iterator<readonly Value[]>[] = [];
      for (let i = 0; i < calls.length; i++) {
        const { length } = plan.functions[i].call.args;
        iterators.push(yield* calls[i](values.slice(at, at + length), run));
        at += length;
      }
      // One function of one column, as generate_series: its values are the rows.
      if (iterators.length === 1 && widths[0] === 1 && plan.ordinality === null) {
        yield* batched(run, { [Symbol.iterator]: () => iterators[0] }, source);
        return;
      }
      yield* batched(run, zipped(iterators, widths, plan.ordinality !== null), source);
    },
  };
}

export function openProjectSet(c: Compilation, plan: ProjectSetPlan, needed: Needed): Rows {
  const inputIds = plan.input.columns.map((column) => column.id);
  const wanted = new Set(needed);
  for (const f of plan.functions) for (const arg of f.call.args) columnsOf(arg, wanted);
  const ids = inputIds.filter((id) => wanted.has(id));
  const input = c.rows(plan.input, ids);
  const types = typesOf(plan.input);
  const columns = ids.map((id) => ({ id, type: types.get(id)! }));
  const args = c.scalarSteps(
    plan.functions.flatMap((f) => f.call.args),
    columns,
  );
  const calls = plan.functions.map((f) => setRows(c, f.call, 1, true));
  const widths = plan.functions.map(() => 1);
  return {
    ids: [...ids, ...plan.functions.map((f) => f.id)],
    *open(run) {
      let out = emptyBatch(ids.length + widths.length);
      for (const batch of input.open(run)) {
        if (batch === YIELD) {
          yield YIELD;
          continue;
        }
        for (let i = 0; i < batch.count; i++) {
          const row = rowAt(batch, i);
          const values = yield* args(run, row);
          let at = 0;
          const iterators: Iterator<readonly Value[]>[] = [];
          for (let k = 0; k < calls.length; k++) {
            const { length } = plan.functions[k].call.args;
            iterators.push(yield* calls[k](values.slice(at, at + length), run));
            at += length;
          }
          for (const made of zipped(iterators, widths, false)) {
            for (let k = 0; k < row.length; k++) out.columns[k].push(row[k]);
            for (let k = 0; k < made.length; k++) out.columns[row.length + k].push(made[k]);
            if (++out.count >= 256) {
              yield out;
              out = emptyBatch(ids.length + widths.length);
              if (run.late()) yield YIELD;
            }
          }
        }
      }
      if (out.count > 0) yield out;
    },
  };
}

export function rowAt(batch: Batch, i: number): Value[] {
  const { columns } = batch;
  const row = new Array<Value>(columns.length);
  for (let c = 0; c < row.length; c++) row[c] = columns[c][i];
  return row;
}
