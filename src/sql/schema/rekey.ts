/**
 * Rekeys a table's rows when a primary key is added or dropped. Rows that are already in the order of the new keys keep their
 * columns, leaf by leaf; others are sorted by their keys into new leaves.
 */
import { STORED } from '../types/environment.ts';
import { NewRows } from '../../events/new-rows.ts';
import { childRoot } from '../../tree/directory.ts';
import { type Datum, KIND, type Kind } from '../../tree/datum.ts';
import { LeafBuilder } from '../../tree/leaf-builder.ts';
import { Leaf } from '../../tree/node.ts';
import { scan } from '../../tree/read.ts';
import type { Vec } from '../../tree/vec.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Value } from '../types/value.ts';
import type { Ddl } from './ddl.ts';
import { keyText, nullsFound } from './row-errors.ts';
import { readCell } from './row-reader.ts';
import type { SqlTable } from './table.ts';

/** Up to this many rows are sorted by one number each, with a 21-bit position beside a 32-bit key. */
const PACKED_ROWS_MAX = 2 ** 21;

/** The rows of the table, with keys of the current step's definition, whose epoch must be new. 23505 for duplicate keys. */
export function rekeyRows(ddl: Ddl, before: SqlTable): void {
  const tree = childRoot(ddl.pager, ddl.root, before.number);
  if (tree === null || tree.count === 0) return;
  const table = ddl.schema.tables.get(before.number)!;
  const leaves: Leaf[] = [];
  scan(ddl.pager, tree, null, (leaf) => {
    leaves.push(leaf);
  });
  const keys = newKeys(ddl, table, leaves, tree.count);
  const isSorted = ascending(keys);
  const rows = isSorted && table.key.numeric ? relabelled(ddl, table, leaves, keys as Float64Array) : sorted(ddl, table, leaves, keys, isSorted);
  ddl.rows(new NewRows(table.number, table.key.numeric, rows));
}

/** The new key of each row, in storage order. */
function newKeys(ddl: Ddl, table: SqlTable, leaves: readonly Leaf[], count: number): Float64Array | string[] {
  const { columns } = table.key;
  const keys = table.key.numeric ? new Float64Array(count) : new Array<string>(count);
  let at = 0;
  if (columns.length === 0) {
    for (; at < count; at++) keys[at] = ddl.objects.rowNumber();
    return keys;
  }
  const codec = ddl.schema.rowKey(table);
  const parts = columns.map((column) => table.columns[column]);
  const values = new Array<Value>(parts.length);
  for (const leaf of leaves) {
    const vec = table.key.numeric ? leaf.col(parts[0].number) : null;
    if (vec !== null && vec.tags === null && vec.kind === KIND.I32) {
      const numbers = vec.i32;
      for (let i = 0; i < leaf.count; i++) keys[at++] = numbers[i];
      continue;
    }
    for (let i = 0; i < leaf.count; i++) {
      for (let p = 0; p < parts.length; p++) {
        values[p] = readCell(parts[p], leaf, i);
        if (values[p] !== null) continue;
        throw nullsFound(table, parts[p].name);
      }
      keys[at++] = codec.encode(values);
    }
  }
  return keys;
}

function ascending(keys: Float64Array | readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1] >= keys[i]) return false;
  return true;
}

/** The same leaves under new keys: live columns are shared, dropped columns are left out. */
function relabelled(ddl: Ddl, table: SqlTable, leaves: readonly Leaf[], keys: Float64Array): Leaf[] {
  const kept = cellsOf(ddl, table);
  let at = 0;
  return leaves.map((old) => {
    const leaf = new Leaf(true, 0);
    leaf.count = old.count;
    leaf.nkeys = keys.slice(at, at + Math.max(8, (old.count + 7) & ~7));
    at += old.count;
    const cols: Vec[] = [];
    const ids: number[] = [];
    for (let c = 0; c < old.cols.length; c++) {
      if (!kept.has(old.colIds[c])) continue;
      ids.push(old.colIds[c]);
      cols.push(old.cols[c].lent());
    }
    leaf.colIds = ids.length === old.colIds.length ? old.colIds : ids;
    leaf.cols = cols;
    leaf.bytes = old.bytes;
    return leaf;
  });
}

/** Columns of the table and hidden cells of its indexes. */
function cellsOf(ddl: Ddl, { number: table, columns }: SqlTable): Set<number> {
  const kept = new Set(columns.map(({ number }) => number));
  for (const index of ddl.schema.catalog.byNumber.get(table)?.relation?.indexes ?? []) {
    for (const { cell } of index.columns) kept.add(cell);
    if (index.whereCell !== null) kept.add(index.whereCell);
  }
  return kept;
}

function sorted(ddl: Ddl, table: SqlTable, leaves: readonly Leaf[], keys: Float64Array | readonly string[], isSorted: boolean): readonly Leaf[] {
  const order = isSorted ? null : orderOf(keys);
  const count = keys.length;
  if (order !== null) {
    for (let i = 1; i < count; i++) if (keys[order[i - 1]] === keys[order[i]]) throw notUniqueYet(table, leaves, order[i]);
  }
  const kept = [...cellsOf(ddl, table)];
  const kinds = new Map<number, Kind>(table.columns.map(({ number, storage }) => [number, storage.kind]));
  // The first row number of each leaf.
  const starts = new Uint32Array(leaves.length + 1);
  const leafOf = new Uint32Array(count);
  for (let l = 0; l < leaves.length; l++) {
    starts[l + 1] = starts[l] + leaves[l].count;
    leafOf.fill(l, starts[l], starts[l + 1]);
  }
  for (const { cols, colIds } of leaves) for (let c = 0; c < cols.length; c++) if (!kinds.has(colIds[c])) kinds.set(colIds[c], cols[c].kind);
  const ids = kept.filter((id) => kinds.has(id));
  const own = leaves.map((leaf) => ids.map((id) => leaf.col(id)));
  const builder = new LeafBuilder(
    table.key.numeric,
    ids,
    ids.map((id) => kinds.get(id)!),
    ddl.pager.newEdit(),
  );
  const cells = new Array<Datum>(ids.length);
  for (let i = 0; i < count; i++) {
    const row = order === null ? i : order[i];
    const l = leafOf[row];
    const cols = own[l];
    for (let c = 0; c < cols.length; c++) cells[c] = cols[c]?.get(row - starts[l]);
    builder.add(keys[row], cells);
  }
  return builder.finish();
}

/** The positions of the keys in sorted order. */
function orderOf(keys: Float64Array | readonly string[]): Uint32Array {
  const count = keys.length;
  const order = new Uint32Array(count);
  if (keys instanceof Float64Array && count <= PACKED_ROWS_MAX && keys.every((key) => (key | 0) === key)) {
    const packed = new Float64Array(count);
    for (let i = 0; i < count; i++) packed[i] = keys[i] * PACKED_ROWS_MAX + i;
    packed.sort();
    for (let i = 0; i < count; i++) order[i] = packed[i] - Math.floor(packed[i] / PACKED_ROWS_MAX) * PACKED_ROWS_MAX;
    return order;
  }
  for (let i = 0; i < count; i++) order[i] = i;
  return order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
}

function notUniqueYet(table: SqlTable, leaves: readonly Leaf[], row: number): SvcError {
  let left = row;
  let l = 0;
  while (left >= leaves[l].count) left -= leaves[l++].count;
  const columns = table.key.columns.map((column) => table.columns[column]);
  const text = keyText(
    columns.map(({ name }) => quoteIdentifier(name)),
    columns.map(({ type }) => type),
    columns.map((column): Value => readCell(column, leaves[l], left)),
    STORED,
  );
  return new SvcError('23505', `could not create unique index "${table.primaryKey}"`, {
    detail: `${text} is duplicated.`,
    data: { schema: table.schema, table: table.name, constraint: table.primaryKey! },
  });
}
