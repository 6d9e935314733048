/** Rows that a merge changes only by its definitions and derived values. */
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Pager } from '../../tree/pager.ts';
import { type RowAt, rowIn } from '../../tree/row-change.ts';
import { epochOf, type Table } from '../catalog.ts';
import { ROWS_A_STEP } from '../changes-between.ts';
import { countAffectedSteps, eachAffected, effectOn, isAffected, ROWS_OF_DEFINITIONS_MAX } from '../definition-effects.ts';
import type { Computed } from './computed.ts';
import type { Plan, PlanInput } from './plan.ts';

/**
 * Rows of the target that neither side wrote but that differ in the result: a definition drops or adds a column, or derived
 * values change. They are counted; some are returned for the preview.
 */
export function* unwrittenRows(
  pager: Pager,
  { ours, theirs }: PlanInput,
  plan: Plan,
  computed: readonly Computed[],
  wantRows: boolean,
): Generator<void, { table: Table; key: Key; row: RowAt; detail: string }[]> {
  const out: { table: Table; key: Key; row: RowAt; detail: string }[] = [];
  for (const [number, table] of ours.catalog.byNumber) {
    const after = plan.result.byNumber.get(number);
    const made = computed.filter(({ tree }) => tree === number).flatMap(({ rows }) => rows);
    const effect = after !== undefined && epochOf(after) === epochOf(table) ? effectOn(table, after) : null;
    if (after === undefined || (effect === null && made.length === 0)) continue;
    const tree = childRoot(pager, ours.root, number);
    plan.reads.add(number);
    const written = plan.changes.find((each) => each.tree === number)?.rows ?? [];
    let rows = 0;
    let shown = 0;
    /** Whether more are wanted. */
    const show = (key: Key, row: RowAt, detail: string): boolean => {
      if (wantRows && shown < ROWS_OF_DEFINITIONS_MAX) out.push({ table, key, row, detail });
      return ++shown < ROWS_OF_DEFINITIONS_MAX;
    };
    let done = 0;
    for (const { key, shape } of made) {
      if (++done % ROWS_A_STEP === 0) yield;
      const row = shape.ids.some((id) => after.relation?.hidden.has(id) !== true) ? rowIn(pager, tree, key) : null;
      if (row === null) continue;
      show(key, row, 'derived values are recomputed');
      rows++;
    }
    if (effect !== null) {
      const columns = [...effect.lost, ...effect.gained].map(({ name }) => name);
      const detail = `"${theirs.name}" changed the definition of ${[...new Set(columns)].join(', ')}`;
      if (wantRows && written.length < ROWS_OF_DEFINITIONS_MAX) {
        const keys = new Set(written.map(({ key }) => key));
        eachAffected(pager, tree, effect, null, null, (key, row) => keys.has(key) || show(key, row, detail));
      }
      rows += yield* countAffectedSteps(pager, tree, effect);
      for (const { key } of written) {
        if (++done % ROWS_A_STEP === 0) yield;
        const row = rowIn(pager, tree, key);
        if (row !== null && isAffected(effect, row)) rows--;
      }
    }
    if (rows <= 0) continue;
    const summary = plan.summary.find((each) => each.table === table.name || each.table === after.name);
    if (summary === undefined) plan.summary.push({ table: after.name, deleted: 0, updated: rows, inserted: 0 });
    else summary.updated += rows;
  }
  return out;
}
