/**
 * The parts of a searched table: the table itself, its partitions, or its children and itself. Each has a segment of its own; scores are those
 * of all rows together, so a partitioned table is ranked as one table would be that has the same rows.
 */
import type { Schema } from '../sql/schema/schema.ts';
import { columnsBelow } from '../sql/schema/hierarchy.ts';
import type { SearchedFields } from '../sql/schema/searched-fields.ts';
import type { SqlTable } from '../sql/schema/table.ts';
import type { FoundRow, SearchedState, SearchedTable } from '../worlds/search.ts';

/** Whether a row belongs before another of the same score. */
export type RowOrder = (a: Placed, b: Placed) => boolean;
type Placed = Pick<FoundRow, 'part' | 'key'>;

/** The tables of the parts as SQL sees them, in their order. */
export function tablesOf({ parts }: SearchedTable, schema: Schema): SqlTable[] {
  return parts.map(({ table }) => schema.tableNumbered(table.number)!);
}

export function statesOf({ pager, catalog, hold, parts }: SearchedTable): SearchedState[] {
  return parts.map(({ table, rows }) => ({ pager, catalog, hold, table, rows }));
}

/** What is read in the columns of a table, in those of a part of it. */
export function fieldsBelow({ fields, configuration }: SearchedFields, top: SqlTable, part: SqlTable): SearchedFields {
  if (part.number === top.number) return { fields, configuration };
  const places = columnsBelow(top, part);
  return {
    fields: fields.map(({ column, weight }) => ({ column: part.columns[places[top.columns.findIndex(({ number }) => number === column.number)]], weight })),
    configuration,
  };
}

/** By key, where all parts have the same key, else by part and key. */
export function orderOfRows(tables: readonly SqlTable[]): RowOrder {
  const [first, ...others] = tables.map(keyForm);
  const isOneKey = first !== null && others.every((each) => each === first);
  return (a, b) => {
    if (!isOneKey && a.part !== b.part) return a.part < b.part;
    return a.key === b.key ? a.part < b.part : a.key < b.key;
  };
}

/** Equal for tables whose keys have one order; null for numbers of rows, which each table counts for its own. */
function keyForm({ key, columns }: SqlTable): string | null {
  if (key.columns.length === 0) return null;
  return JSON.stringify([key.numeric, key.columns.map((at) => [columns[at].name, columns[at].type.oid, columns[at].folding?.locale ?? null])]);
}
