/**
 * Tables and fields that rows require. They are only added or widened, never removed: the target may have rows that need
 * them. Dropped ones are handled in plan.ts and undo-plan.ts, which check the rows.
 */
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { type Catalog } from '../catalog.ts';
import { columnDefinition, columnDefinitionKey, DEFINITION_SHAPE, widestField, tableDefinition, tableDefinitionKey } from '../definition.ts';

/** Definitions of these tables that `target` lacks or has narrower than `source`. */
export function missingDefinitions(source: Catalog, target: Catalog, tables: ReadonlySet<number>): TreeChanges[] {
  if (source === target) return [];
  const rows: RowChange[] = [];
  for (const number of tables) {
    const table = source.byNumber.get(number);
    if (table === undefined || table.relation !== null) continue;
    const there = target.byNumber.get(number);
    if (there === table) continue;
    if (there === undefined)
      rows.push({ key: tableDefinitionKey(number), shape: DEFINITION_SHAPE, before: null, after: [tableDefinition(number, table.name)] });
    for (const column of table.columns) {
      const has = there?.byNumber.get(column.number);
      const type = has === undefined ? column.type : widestField(has.type, column.type);
      if (has?.type === type) continue;
      rows.push({
        key: columnDefinitionKey(number, column.number),
        shape: DEFINITION_SHAPE,
        before: has === undefined ? null : [columnDefinition(number, column.number, has.name, has.type)],
        after: [columnDefinition(number, column.number, column.name, type)],
      });
    }
  }
  if (rows.length === 0) return [];
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  return [{ tree: CATALOG_TREE, numeric: false, rows }];
}
