/** Definitions of document tables that a merge removes. */
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Table } from '../catalog.ts';
import { columnDefinition, columnDefinitionKey, DEFINITION_SHAPE, tableDefinition, tableDefinitionKey } from '../definition.ts';
import type { Plan, PlanInput } from './plan.ts';

/** Drops document tables that the branch dropped, once they have no rows. */
export function documentTablesGone(pager: Pager, { base, ours, theirs }: PlanInput, plan: Plan, wanted: (table: Table) => boolean): TreeChanges[] {
  const rows: RowChange[] = [];
  for (const [number, table] of base.catalog.byNumber) {
    const here = ours.catalog.byNumber.get(number);
    if (table.relation !== null || theirs.catalog.byNumber.has(number) || here === undefined || !wanted(table)) continue;
    plan.reads.add(number);
    const changes = plan.changes.find(({ tree }) => tree === number)?.rows ?? [];
    const left = changes.reduce(
      (sum, { before, after }) => sum + Number(before === null) - Number(after === null),
      childRoot(pager, ours.root, number)?.count ?? 0,
    );
    if (left > 0) continue;
    rows.push({ key: tableDefinitionKey(number), shape: DEFINITION_SHAPE, before: [tableDefinition(number, here.name)], after: null });
    for (const column of here.columns) {
      const before = [columnDefinition(number, column.number, column.name, column.type)];
      rows.push({ key: columnDefinitionKey(number, column.number), shape: DEFINITION_SHAPE, before, after: null });
    }
  }
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  return rows.length === 0 ? [] : [{ tree: CATALOG_TREE, numeric: false, rows }];
}
