/**
 * INSERT and UPDATE row by row. Postgres computes a row, changes it, and computes what RETURNING reads before it computes the next row. That
 * shows where a function has effects: `nextval` in the row and `currval` in a trigger, in RETURNING or in ON CONFLICT. Such statements change
 * each row inside the function that computes it; all others take rows in batches.
 */
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { InsertPlan, UpdatePlan } from '../plan/logical.ts';
import { isVolatile, planIsVolatile } from '../plan/rules/walk.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { emptyBatch, YIELD, type Batch, type Batches } from './batch.ts';
import type { Compilation } from './compilation.ts';
import { asValue } from './operand.ts';
import { HAND_ON, type Pipeline } from './pipeline.ts';
import type { Run } from './run.ts';

/** Whether the statement shows in which order its rows are computed and changed. */
export function isRowByRow(plan: InsertPlan | UpdatePlan): boolean {
  if (!planIsVolatile(plan.input) && (plan.op === 'insert' || !plan.set.some(({ value }) => isVolatile(value)))) return false;
  if (plan.triggered === true || (plan.returning ?? []).some(({ value }) => isVolatile(value))) return true;
  if (plan.op === 'update' || plan.conflict === null) return false;
  const { set, where } = plan.conflict;
  return (set ?? []).some(({ value }) => isVolatile(value)) || (where !== null && isVolatile(where));
}

/** Sink: calls `take` of the state with the values of each row. */
export function each(p: Pipeline, ids: readonly ColumnId[], types: ReadonlyMap<ColumnId, SqlType>, state: number): void {
  const { g } = p;
  const values = ids.map((id) => asValue(g, p.x.column(id, types.get(id)!)));
  g.line(`${g.state(state)}.take([${values.join(', ')}]);`);
}

/** What RETURNING gives, computed from a changed row with these columns. */
export function returnedBy(
  c: Compilation,
  returning: readonly { readonly id: ColumnId; readonly value: Bound }[] | null,
  ids: readonly ColumnId[],
  types: ReadonlyMap<ColumnId, SqlType>,
): { readonly ids: ColumnId[]; readonly types: Map<ColumnId, SqlType>; compute(run: Run, row: readonly Value[]): readonly Value[] } {
  const items = returning ?? [];
  const values = c.scalars(
    items.map(({ value }) => value),
    ids.map((id) => ({ id, type: types.get(id)! })),
  );
  return { ids: items.map(({ id }) => id), types: new Map(items.map(({ id, value }) => [id, value.type])), compute: values };
}

/** The state of the sink: changes rows, and collects what RETURNING gives. */
class EachRow {
  out: Batch;
  readonly #width: number;
  readonly #change: (row: readonly Value[]) => readonly Value[] | null;

  constructor(width: number, change: (row: readonly Value[]) => readonly Value[] | null) {
    this.#width = width;
    this.#change = change;
    this.out = emptyBatch(width);
  }

  take(values: readonly Value[]): void {
    const row = this.#change(values);
    if (row === null) return;
    const { out } = this;
    for (let k = 0; k < this.#width; k++) out.columns[k].push(row[k]);
    out.count++;
  }

  handOn(): Batch {
    const { out } = this;
    this.out = emptyBatch(this.#width);
    return out;
  }
}

/** Runs a pipeline whose sink is `each`. `change` gives the row of RETURNING, or null. */
export function* changedRowByRow(run: Run, p: Pipeline, state: number, width: number, change: (row: readonly Value[]) => readonly Value[] | null): Batches {
  const rows = new EachRow(width, change);
  run.states[state] = rows;
  for (const step of p.run(run)) {
    if (rows.out.count >= HAND_ON) yield rows.handOn();
    if (step === YIELD) yield YIELD;
  }
  if (rows.out.count > 0) yield rows.out;
}

/** The same for a `single` pipeline. */
export function changedSingly(run: Run, p: Pipeline, state: number, width: number, change: (row: readonly Value[]) => readonly Value[] | null): Batch | null {
  const rows = new EachRow(width, change);
  run.states[state] = rows;
  p.runOne(run);
  return rows.out.count > 0 ? rows.out : null;
}
