/** Counts of a merge by table. */
import type { Row, TableSummary } from '../../commands/contract.ts';
import type { RowChange } from '../../tree/datum.ts';
import type { RowAt } from '../../tree/row-change.ts';
import { utf8Key } from '../catalog.ts';
import { parseRowKey } from '../keys.ts';
import { isDefinitionKey } from './definition-names.ts';
import type { Plan } from './plan.ts';

/** Tables that lose most rows first. */
export function byDeletes(a: TableSummary, b: TableSummary): number {
  return b.deleted - a.deleted || (utf8Key(a.table) < utf8Key(b.table) ? -1 : 1);
}

export function hasRows({ deleted, updated, inserted }: TableSummary): boolean {
  return deleted + updated + inserted > 0;
}

/** Counts a row that becomes `after`. */
export function tally(summary: TableSummary, before: RowAt | RowChange['before'], after: Row | RowChange['after']): void {
  if (after === null) summary.deleted++;
  else if (before === null) summary.inserted++;
  else summary.updated++;
}

/** Rows that differ in the result, including rows changed only by a definition. */
export function mergedRows({ summary }: Plan): number {
  return summary.reduce((sum, { deleted, updated, inserted }) => sum + deleted + updated + inserted, 0);
}

/** The branch's changes by table, including rows in conflict. */
export function branchSummary({ summary, conflicts }: Plan): TableSummary[] {
  const out = new Map(summary.map((each) => [each.table, { ...each }]));
  const seen = new Set<string>();
  for (const { key, base, theirs, code } of conflicts) {
    // For rows that violate a constraint, the summary already has those of the branch.
    if (code !== undefined || isDefinitionKey(key) || seen.has(key)) continue;
    seen.add(key);
    const { table } = parseRowKey(key);
    const each = out.get(table) ?? { table, deleted: 0, updated: 0, inserted: 0 };
    out.set(table, each);
    if (theirs === null) each.deleted++;
    else if (base === null) each.inserted++;
    else each.updated++;
  }
  return [...out.values()].sort(byDeletes);
}
