/** Scans by rank: a search gives the rows, the best first, in steps of the statement's own slices. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Key } from '../../tree/datum.ts';
import type { FoundRow } from '../../worlds/search.ts';
import { keyText } from '../../worlds/catalog.ts';
import type { RankedScanPlan } from '../plan/logical.ts';
import { boundsOf } from '../plan/rules/walk.ts';
import { memberKey } from '../schema/hierarchy.ts';
import { readCell } from '../schema/row-reader.ts';
import type { Value } from '../types/value.ts';
import { BATCH_ROWS, type Batch, YIELD, type Yield } from './batch.ts';
import { overColumns } from './bind-batch.ts';
import { BatchSource, type Pipeline } from './pipeline.ts';
import type { Needed } from './produce.ts';
import type { Run } from './run.ts';

/** Of a row that was found and is not read yet. */
const FOUND_BYTES = 100;
/** Keys of rows that pass the filters of an order by distance: if there are more, rows are read in the order until enough have passed. */
const PASSING_MAX = 1 << 17;

export function produceRankedScan(p: Pipeline, plan: RankedScanPlan, needed: Needed, consume: () => void): void {
  const { c } = p;
  const { by, columns, table } = plan;
  const wanted = plan.source.map((source, at) => (needed.has(columns[at].id) ? source : null));
  const given = c.scalars(boundsOf(plan).slice());
  const visible = plan.visible === null ? null : c.rows(plan.visible, [plan.visible.columns[0].id]);
  p.source = new BatchSource(function* (run) {
    const { context } = run;
    const [first, limit = null] = given(run, []);
    if (context.ranked === undefined) throw new SvcError('0A000', `"${table.name}" cannot be searched here`);
    if (by.kind === 'distance') {
      const { name: column } = table.columns[by.column];
      const { metric, expected, index } = by;
      const passing = visible === null ? null : () => withoutYields(keysOf(run, visible.open(run), PASSING_MAX));
      const search = { column, metric, vector: first as Float32Array | null, expected, wanted: by.wanted, approximate: index !== null, passing };
      for (const rows of context.nearest!(table, plan.asOf, search)) {
        if (rows !== undefined && rows.length > 0) yield batchOf(plan, wanted, rows);
        if (run.late()) yield YIELD;
      }
      return;
    }
    if (first === null) return;
    const keys = visible === null ? null : yield* keysOf(run, visible.open(run), Infinity);
    const steps = context.ranked(table, plan.asOf, { text: first as string, limit: limitOf(limit), without: by.without, visible: keys });
    const { rows } = yield* inSlices(run, steps);
    run.hold(rows.length * FOUND_BYTES);
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      yield batchOf(plan, wanted, rows.slice(from, from + BATCH_ROWS));
      if (run.late()) yield YIELD;
    }
  });
  overColumns(p, columns, consume);
}

/** Infinity: all rows. */
function limitOf(limit: Value): number {
  if (limit === null) return Infinity;
  const count = Number(limit);
  if (count < 0) throw new SvcError('2201W', 'the limit of bm25 must not be negative');
  return count;
}

/** null: more than `most`. */
function* keysOf(run: Run, batches: Iterable<Batch | Yield>, most: number): Generator<Yield, ReadonlySet<Key> | null> {
  const keys = new Set<Key>();
  for (const batch of batches) {
    if (batch === YIELD) {
      yield YIELD;
      continue;
    }
    if (keys.size + batch.count > most) return null;
    for (let i = 0; i < batch.count; i++) keys.add(run.keep(batch.columns[0][i] as Key));
  }
  return keys;
}

/** For a search, which ends the time slice itself. */
function* withoutYields<T>(steps: Generator<Yield, T>): Generator<void, T> {
  try {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      yield;
    }
  } finally {
    steps.return(undefined as never);
  }
}

/** Steps that never wait: they run in the time slices of the statement. */
function* inSlices<T>(run: Run, steps: Generator<void, T>): Generator<Yield, T> {
  try {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      if (run.late()) yield YIELD;
    }
  } finally {
    steps.return(undefined as never);
  }
}

function batchOf({ table }: RankedScanPlan, wanted: readonly (number | 'key' | 'score' | null)[], rows: readonly FoundRow[]): Batch {
  const { whole } = table;
  const columns = wanted.map((source): Value[] => {
    if (source === null) return [];
    if (source === 'score') return rows.map(({ score }) => score);
    if (source === 'key') return rows.map(({ key, part }) => (whole === undefined ? key : memberKey(whole.members[part].table.number, key)));
    if (table.document && source === 0) return rows.map(({ leaf, at }) => keyText(leaf.skeys[at]));
    if (whole === undefined) {
      const column = table.columns[source];
      return rows.map(({ leaf, at }) => readCell(column, leaf, at));
    }
    const own = whole.members.map((member) => member.table.columns[member.columns[source]]);
    return rows.map(({ leaf, at, part }) => readCell(own[part], leaf, at));
  });
  return { count: rows.length, columns };
}
