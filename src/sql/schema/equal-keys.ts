/** Rows that may have given values in some columns, by an index; a reader of the rows compares the values again. */
import type { Row } from '../../commands/contract.ts';
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { rowsBetween, scan } from '../../tree/read.ts';
import { widestField } from '../../worlds/definition.ts';
import { fieldValue, typeOf } from '../../worlds/document.ts';
import { ROW_KEY } from '../../worlds/index-keys.ts';
import { valueOfJson } from './json-value.ts';
import { encodePart } from './key-codec.ts';
import type { Schema } from './schema.ts';
import type { Index, SqlTable } from './table.ts';

/** With more of the rows, reading them one by one costs more than reading all of them. */
const PART_MAX = 0.1;

/** The rows' keys in order; null if no index narrows them. `where` has values of the columns' types. */
export function equalKeys(schema: Schema, table: SqlTable, pager: Pager, root: Node, where: Row): Key[] | null {
  const wanted = (column: number | null): boolean => {
    if (column === null) return false;
    const { name } = table.columns[column];
    return Object.hasOwn(where, name) && where[name] !== null;
  };
  let best: { index: Index; columns: number } | null = null;
  for (const index of table.indexes) {
    if (index.entries !== 'ordered' || index.where !== null) continue;
    const first = index.columns.findIndex(({ column }) => !wanted(column));
    const columns = first < 0 ? index.columns.length : first;
    if (columns > (best?.columns ?? 0)) best = { index, columns };
  }
  if (best === null) return null;
  const { index, columns } = best;
  const parts = schema.indexParts(index);
  let prefix = '';
  for (let i = 0; i < columns; i++) {
    const { name, type, field } = table.columns[index.columns[i].column!];
    // A value of another type than the field's equals none of its values.
    if (field !== undefined && widestField(field, typeOf(fieldValue(where[name]))) !== field) return [];
    prefix += encodePart(parts[i], valueOfJson(where[name], type, -1));
  }
  const entries = childRoot(pager, root, index.number);
  if (entries === null) return [];
  if (rowsBetween(pager, entries, prefix, `${prefix}\xff`) > Math.max(1000, entries.count * PART_MAX)) return null;
  const keys: Key[] = [];
  scan(pager, entries, prefix, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      if (!leaf.skeys[i].startsWith(prefix)) return false;
      keys.push(leaf.cell(i, ROW_KEY) as Key);
    }
    return true;
  });
  return keys.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
