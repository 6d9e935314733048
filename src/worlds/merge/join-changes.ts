/** Joins changes of several sources by tree. Large lists are joined in steps. */
import { runSteps } from '../../base/run-steps.ts';
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import { inPieces } from '../../events/changes-in-pieces.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import { catalogObject, widestField } from '../definition.ts';

/** Rows joined per step. */
const ROWS_A_STEP = 4096;

/** Adds changes by tree; for equal keys the wider definition, or the later row, wins. */
export function joinChanges(into: TreeChanges[], more: readonly TreeChanges[]): void {
  runSteps(joinChangesSteps(into, more));
}

export function* joinChangesSteps(into: TreeChanges[], more: readonly TreeChanges[]): Generator<void, void> {
  for (const each of more) {
    const { tree, numeric } = each;
    const there = into.find((other) => other.tree === tree);
    const rows = yield* listedRows(each);
    if (there === undefined) {
      if (tree === CATALOG_TREE) into.unshift({ tree, numeric, rows });
      else into.push({ tree, numeric, rows });
      continue;
    }
    const joined = yield* joinedRows(there.rows, rows, tree === CATALOG_TREE ? wider : (_one, other) => other);
    // Changes that cancelled out are removed.
    there.rows = tree === CATALOG_TREE ? joined : joined.filter(({ before, after }) => before !== null || after !== null);
  }
}

/** The changes row by row. */
export function* listedRows(changes: TreeChanges): Generator<void, RowChange[]> {
  const out: RowChange[] = [];
  for (const piece of inPieces(changes, ROWS_A_STEP)) {
    for (const row of piece.rows) out.push(row);
    if (out.length >= ROWS_A_STEP) yield;
  }
  return out;
}

/** Merges two lists by key; `both` combines rows with equal keys. */
export function* joinedRows(
  one: readonly RowChange[],
  other: readonly RowChange[],
  both: (one: RowChange, other: RowChange) => RowChange,
): Generator<void, RowChange[]> {
  if (!(ascends(one) && ascends(other) && (one.length === 0 || other.length === 0 || typeof one[0].key === typeof other[0].key))) {
    const byKey = new Map<Key, RowChange>(one.map((row) => [row.key, row]));
    for (const row of other) {
      const known = byKey.get(row.key);
      byKey.set(row.key, known === undefined ? row : both(known, row));
    }
    return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }
  const out: RowChange[] = [];
  let i = 0;
  let k = 0;
  while (i < one.length || k < other.length) {
    if (out.length % ROWS_A_STEP === ROWS_A_STEP - 1) yield;
    if (k === other.length || (i < one.length && one[i].key < other[k].key)) out.push(one[i++]);
    else if (i === one.length || other[k].key < one[i].key) out.push(other[k++]);
    else out.push(both(one[i++], other[k++]));
  }
  return out;
}

/** Changes, and then others of the same rows after them. */
export function changedAfter(first: readonly RowChange[], then: readonly RowChange[]): readonly RowChange[] {
  if (then.length === 0) return first;
  return runSteps(joinedRows(first, then, (one, other) => ({ ...other, before: one.before })));
}

function ascends(rows: readonly RowChange[]): boolean {
  for (let i = 1; i < rows.length; i++) if (!(rows[i - 1].key < rows[i].key) || typeof rows[i].key !== typeof rows[0].key) return false;
  return true;
}

function wider(a: RowChange, b: RowChange): RowChange {
  if (a.after === null || b.after === null) return b;
  const one = catalogObject(a.after[0] as string);
  const two = catalogObject(b.after[0] as string);
  if (one.what !== 'column' || two.what !== 'column') return a;
  return { ...a, after: [JSON.stringify({ ...one, type: widestField(one.type, two.type) })] };
}
