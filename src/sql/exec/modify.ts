/**
 * INSERT, UPDATE and DELETE: input rows go one by one to the table's writer, which checks and collects them; what RETURNING (or only
 * the row count) needs comes out in batches. One row by its key, or of VALUES, goes there without generators in between.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import type { TriggerEvent } from '../../worlds/definition.ts';
import type { ColumnId } from '../plan/bound.ts';
import type { DeletePlan, InsertConflict, InsertPlan, MergePlan, RowCheck, UpdatePlan } from '../plan/logical.ts';
import { noArbiter } from '../schema/row-errors.ts';
import type { Index, SqlTable } from '../schema/table.ts';
import { XID } from '../types/identifiers.ts';
import { INT8 } from '../types/integers.ts';
import { TEXT } from '../types/texts.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { emptyBatch, YIELD, type Batch, type Batches } from './batch.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import { openMerge } from './merge.ts';
import { typesOf, type Compilation, type Rows } from './compilation.ts';
import { batchesOf, batchOfOne, collect, type Pipeline } from './pipeline.ts';
import { changedRowByRow, changedSingly, each, isRowByRow, returnedBy } from './row-by-row.ts';
import { produce } from './produce.ts';
import { rowAt } from './small-sources.ts';
import { valueBytes } from './spill-codec.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Run } from './run.ts';

export type ModifyPlan = InsertPlan | UpdatePlan | DeletePlan | MergePlan;

/** Ids and types of the rows that RETURNING sees. */
export interface Modified extends Rows {
  readonly types: ReadonlyMap<ColumnId, SqlType>;
  /** They are what RETURNING gives. */
  readonly returned?: true;
}

export function openModify(c: Compilation, plan: ModifyPlan): Modified {
  switch (plan.op) {
    case 'insert':
      return openInsert(c, plan);
    case 'update':
      return openUpdate(c, plan);
    case 'merge':
      return openMerge(c, plan);
    default:
      return openDelete(c, plan);
  }
}

export function rowTypes(table: SqlTable, row: readonly ColumnId[]): Map<ColumnId, SqlType> {
  return new Map(row.map((id, i) => [id, table.columns[i].type]));
}

type Change = (batch: Batch, i: number) => readonly Value[] | null;

/** Hands the rows of a batch to `change` and collects the results; null for none. */
function changedAtOnce(batch: Batch | null, width: number, change: Change): Batch | null {
  if (batch === null) return null;
  const out = emptyBatch(width);
  for (let i = 0; i < batch.count; i++) {
    const row = change(batch, i);
    if (row === null) continue;
    for (let k = 0; k < width; k++) out.columns[k].push(row[k]);
    out.count++;
  }
  return out.count > 0 ? out : null;
}

/** Hands each row of a batch to `change`, which gives the row for RETURNING or null, and collects these. */
export function* changed(run: Run, input: Batches, width: number, change: Change): Batches {
  let out = emptyBatch(width);
  for (const batch of input) {
    if (batch === YIELD) {
      yield YIELD;
      continue;
    }
    const large = largeBytes(batch);
    if (large > 0) run.hold(large);
    for (let i = 0; i < batch.count; i++) {
      const row = change(batch, i);
      if (row === null) continue;
      for (let k = 0; k < width; k++) out.columns[k].push(row[k]);
      out.count++;
    }
    if (out.count >= 256) {
      yield out;
      out = emptyBatch(width);
    }
    if (run.late()) yield YIELD;
  }
  if (out.count > 0) yield out;
}

/** Written values are held until the end of the statement, where short ones take less memory than here. */
const LARGE_LENGTH = 2048;

function largeBytes({ columns, count }: Batch): number {
  let bytes = 0;
  for (const column of columns) {
    for (let i = 0; i < count; i++) {
      const value = column[i];
      if (typeof value === 'string' && value.length > LARGE_LENGTH) bytes += value.length;
      else if (value instanceof ArrayValue && value.elements.length > LARGE_LENGTH) bytes += valueBytes(value);
    }
  }
  return bytes;
}

/** 42P10 if there is none. */
export function arbiterOf({ arbiter }: InsertConflict): Index | 'key' | null {
  if (arbiter === 'none') throw noArbiter();
  return arbiter;
}

function readsColumn(items: InsertPlan['returning'], id: number | undefined): boolean {
  if (id === undefined) return false;
  const used = new Set<number>();
  for (const item of items ?? []) columnsOf(item.value, used);
  return used.has(id);
}

/** The transaction's number, or the one that it would have, for xmax. */
function ownNumber({ context }: Run): number {
  const { system } = context.env;
  return system === undefined || system === null ? 1 : Number(BigInt.asUintN(32, BigInt(system.nextTransactionId())));
}

function openInsert(c: Compilation, plan: InsertPlan): Modified {
  const { table, conflict } = plan;
  const arbiter = conflict === null ? null : arbiterOf(conflict);
  const types = rowTypes(table, plan.row).set(plan.rowKey, table.key.numeric ? INT8 : TEXT);
  const xmax = readsColumn(plan.returning, conflict?.xmax) ? conflict!.xmax : undefined;
  if (xmax !== undefined) types.set(xmax, XID);
  const generated = table.columns.some((column) => column.generated !== null);
  const width = plan.returning === null ? 0 : plan.row.length + (xmax === undefined ? 1 : 2);
  const seen = [...plan.row, ...(conflict?.excluded ?? [])].map((id, i) => ({ id, type: table.columns[i % table.columns.length].type }));
  const set =
    conflict?.set == null
      ? null
      : c.scalars(
          conflict.set.map((one) => one.value),
          seen,
        );
  const where = conflict?.where == null ? null : c.scalars([conflict.where], seen);
  const checked = conflict?.check;
  const check = checked === undefined ? null : c.scalars([checked.value], [...seen, ...checked.row.map((id, i) => ({ id, type: table.columns[i].type }))]);
  const asked = rowChecker(c, plan, plan.check);
  const fresh = rowChecker(c, plan, conflict?.unmet);
  const events = conflict?.set == null ? INSERTS : UPSERTS;
  const setColumns = conflict?.set?.map(({ column }) => column);
  const put = (run: Run): Change => {
    const writer = run.context.writer(table, events, setColumns);
    const { proposes } = writer;
    const { progress } = run.context;
    const one: Change = (batch, i) => {
      let row: readonly Value[] = rowAt(batch, i);
      if (proposes) {
        const proposed = writer.propose(row);
        if (proposed === null) return null;
        row = proposed;
        if (asked !== null) asked(run, row);
      }
      if (conflict !== null) {
        const key = writer.conflict(row, arbiter);
        if (key !== null) {
          if (conflict.set === null) return null;
          if (writer.written(key)) {
            throw new SvcError('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time', {
              hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
            });
          }
          const both = [...writer.read(key)!, ...row];
          if (where !== null && where(run, both)[0] !== true) return null;
          const columns = setColumns!;
          const values = set!(run, both);
          const now = writer.update(key, columns, values, check === null ? undefined : (next) => void check(run, [...both, ...next]));
          return now === null ? null : width === 0 ? NO_VALUES : [...now, key, ownNumber(run)];
        }
        if (fresh !== null) fresh(run, row);
      }
      if (width === 0) {
        writer.add(row);
        return NO_VALUES;
      }
      const key = writer.insert(row);
      const stored = (generated ? writer.read(key) : null) ?? row;
      return xmax === undefined ? [...stored, key] : [...stored, key, 0];
    };
    if (progress === undefined) return one;
    return (batch, i) => {
      progress.writing = true;
      const row = one(batch, i);
      progress.done++;
      progress.writing = false;
      return row;
    };
  };
  const ids = plan.returning === null ? [] : [...plan.row, plan.rowKey, ...(xmax === undefined ? [] : [xmax])];
  if (isRowByRow(plan)) {
    const inputIds = plan.input.columns.map(({ id }) => id);
    const make = (p: Pipeline, state: number): void => produce(p, plan.input, new Set(inputIds), () => each(p, inputIds, typesOf(plan.input), state));
    return rowByRow(c, plan, { ids, types }, make, put);
  }
  const input = c.rows(plan.input);
  return {
    ids,
    types,
    ...(input.one === undefined ? {} : { one: (run: Run) => changedAtOnce(input.one!(run), width, put(run)) }),
    *open(run): Batches {
      yield* changed(run, input.open(run), width, put(run));
    },
  };
}

/** `make` compiles the input with `each` as its sink, whose values `put` takes as a batch of one row. */
function rowByRow(
  c: Compilation,
  plan: InsertPlan | UpdatePlan,
  changed: { readonly ids: readonly ColumnId[]; readonly types: ReadonlyMap<ColumnId, SqlType> },
  make: (p: Pipeline, state: number) => void,
  put: (run: Run) => Change,
): Modified {
  const p = c.pipeline();
  const state = c.newState();
  const { rowByRow: within } = c;
  c.rowByRow = true;
  make(p, state);
  c.rowByRow = within;
  const { ids, types, compute } = returnedBy(c, plan.returning, changed.ids, changed.types);
  const changeOf = (run: Run): ((values: readonly Value[]) => readonly Value[] | null) => {
    const change = put(run);
    return (values) => {
      const batch: Batch = { count: 1, columns: values.map((value) => [value]) };
      const large = largeBytes(batch);
      if (large > 0) run.hold(large);
      const row = change(batch, 0);
      return row === null || ids.length === 0 ? row : compute(run, row);
    };
  };
  return {
    ids,
    types,
    returned: true,
    ...(p.single ? { one: (run: Run) => changedSingly(run, p, state, ids.length, changeOf(run)) } : {}),
    *open(run): Batches {
      yield* changedRowByRow(run, p, state, ids.length, changeOf(run));
    },
  };
}

/** The first `width` values with some of them replaced. */
export function changedRow(row: readonly Value[], columns: readonly number[], values: readonly Value[], width: number): Value[] {
  const out = row.slice(0, width);
  columns.forEach((column, k) => {
    out[column] = values[k];
  });
  return out;
}

/** The input's columns that RETURNING reads besides the changed row. */
function passedOn(plan: UpdatePlan | DeletePlan): readonly ColumnId[] {
  const used = new Set<ColumnId>();
  for (const item of plan.returning ?? []) columnsOf(item.value, used);
  return plan.input.columns.map((column) => column.id).filter((id) => used.has(id));
}

function openUpdate(c: Compilation, plan: UpdatePlan): Modified {
  const { table } = plan;
  const passed = passedOn(plan);
  // New values as columns of the batch, after the key and the columns that are passed through.
  const ids = [plan.key, ...passed, ...plan.set.map((_, i) => -1 - i)];
  const types = new Map([...typesOf(plan.input), ...plan.set.map((one, i): [ColumnId, SqlType] => [-1 - i, one.value.type])]);
  const needed = new Set<ColumnId>([plan.key, ...passed]);
  for (const one of plan.set) columnsOf(one.value, needed);
  const make = (p: Pipeline, sink: () => void): void =>
    produce(p, plan.input, needed, () => {
      plan.set.forEach((one, i) => p.x.scope.set(-1 - i, () => p.x.compile(one.value)));
      sink();
    });
  const columns = plan.set.map((one) => one.column);
  const returning = plan.returning !== null;
  const { rowKey } = plan;
  const asked = rowChecker(c, plan, plan.check);
  const out = returning ? [...plan.row, ...passed, ...(rowKey === undefined ? [] : [rowKey])] : [];
  const put = (run: Run): Change => {
    const writer = run.context.writer(table, UPDATES, columns);
    const values = new Array<Value>(columns.length).fill(null);
    const first = 1 + passed.length;
    return (batch, i) => {
      const key = batch.columns[0][i] as Key | null;
      if (key === null || writer.written(key)) return null;
      for (let k = 0; k < values.length; k++) values[k] = batch.columns[first + k][i];
      if (!returning && writer.change(key, columns, values)) return NO_VALUES;
      const row = writer.update(key, columns, values, asked === null ? undefined : (next) => void asked(run, next));
      if (row === null) return null;
      if (!returning) return NO_VALUES;
      const given = [...row, ...passed.map((_, k) => batch.columns[1 + k][i])];
      if (rowKey !== undefined) given.push(writer.keyAfter!(key));
      return given;
    };
  };
  const outTypes = new Map([...rowTypes(table, plan.row), ...typesOf(plan.input), ...(rowKey === undefined ? [] : [[rowKey, TEXT] as const])]);
  if (isRowByRow(plan)) {
    return rowByRow(c, plan, { ids: out, types: outTypes }, (p, state) => make(p, () => each(p, ids, types, state)), put);
  }
  const p = c.pipeline();
  const state = c.newState();
  make(p, () => collect(p, ids, types, state));
  return {
    ids: out,
    types: outTypes,
    ...(p.single ? { one: (run: Run) => changedAtOnce(batchOfOne(run, p, state, ids.length), out.length, put(run)) } : {}),
    *open(run): Batches {
      yield* changed(run, batchesOf(run, p, state, ids.length), out.length, put(run));
    },
  };
}

/** Checks on rows after BEFORE triggers, or without a conflict. */
function rowChecker(c: Compilation, { table }: InsertPlan | UpdatePlan, check: RowCheck | undefined): ((run: Run, row: readonly Value[]) => Value[]) | null {
  if (check === undefined) return null;
  return c.scalars(
    [check.value],
    check.row.map((id, i) => ({ id, type: table.columns[i].type })),
  );
}

const INSERTS: readonly TriggerEvent[] = ['insert'];
const UPSERTS: readonly TriggerEvent[] = ['insert', 'update'];
const UPDATES: readonly TriggerEvent[] = ['update'];
const DELETES: readonly TriggerEvent[] = ['delete'];
const NO_VALUES: readonly Value[] = [];

function openDelete(c: Compilation, plan: DeletePlan): Modified {
  const passed = passedOn(plan);
  const input = c.rows(plan.input, [plan.key, ...passed]);
  const returning = plan.returning !== null;
  const width = returning ? passed.length : 0;
  const take = (run: Run): Change => {
    const writer = run.context.writer(plan.table, DELETES);
    return (batch, i) => {
      const key = batch.columns[0][i] as Key | null;
      if (key === null || writer.written(key)) return null;
      if (!writer.delete(key)) return null;
      return passed.map((_, k) => batch.columns[1 + k][i]);
    };
  };
  return {
    ids: returning ? passed : [],
    types: typesOf(plan.input),
    ...(input.one === undefined ? {} : { one: (run: Run) => changedAtOnce(input.one!(run), width, take(run)) }),
    *open(run): Batches {
      yield* changed(run, input.open(run), width, take(run));
    },
  };
}
