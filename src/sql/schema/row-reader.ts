/** Rows of leaves as values, one per column. */
import type { Datum } from '../../tree/datum.ts';
import { cellAs, type Leaf } from '../../tree/node.ts';
import { keyText } from '../../worlds/catalog.ts';
import type { Value } from '../types/value.ts';
import type { SqlColumn, SqlTable } from './table.ts';

export function readRow(table: SqlTable, leaf: Leaf, at: number): Value[] {
  const { columns } = table;
  const row = new Array<Value>(columns.length);
  for (let i = 0; i < columns.length; i++) row[i] = readCell(columns[i], leaf, at);
  // The id of a document is stored only in its key.
  if (table.document) row[0] = keyText(leaf.skeys[at]);
  return row;
}

export function readCell(column: SqlColumn, leaf: Leaf, at: number): Value {
  const vec = leaf.col(column.number);
  return valueOf(column, vec === null ? undefined : cellAs(vec.get(at), vec.kind, column.storage.kind));
}

/** The same, which the leaf does not keep: for readers of whole tables. */
export function passingCell(column: SqlColumn, leaf: Leaf, at: number): Value {
  const vec = leaf.col(column.number);
  return valueOf(column, vec === null ? undefined : cellAs(vec.passing(at), vec.kind, column.storage.kind));
}

function valueOf({ storage, missing }: SqlColumn, datum: Datum): Value {
  if (datum === undefined) return missing;
  return datum === null ? null : storage.decode(datum);
}
