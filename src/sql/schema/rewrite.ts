/** Rewrites a table's rows: new cells in place if keys stay, otherwise whole rows. */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Datum } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { leaves } from '../../tree/read.ts';
import { ShapeTable } from '../../tree/row-change.ts';
import { emptyTree } from '../../tree/write.ts';
import type { Value } from '../types/value.ts';
import type { Ddl } from './ddl.ts';
import { nullsFound } from './row-errors.ts';
import { readCell, readRow } from './row-reader.ts';
import { RowsWriter } from './rows-writer.ts';
import { AppliedRows } from './applied-rows.ts';
import type { SqlColumn, SqlTable } from './table.ts';

/**
 * Writes a column's cells in every existing row; a cell to be removed is `gone`. `reads`: the columns that `value` reads, if known;
 * others are null in its rows. `done` is called after the last row.
 */
export function fillColumn(
  ddl: Ddl,
  table: SqlTable,
  column: SqlColumn,
  gone: SqlColumn | null,
  value: (row: readonly Value[]) => Value,
  reads: readonly number[] | null = null,
  done: (() => void) | null = null,
): void {
  const tree = childRoot(ddl.pager, ddl.root, table.number);
  if (tree !== null) ddl.work(fillSteps(ddl, tree, table, column, gone, value, reads, done));
}

function* fillSteps(
  ddl: Ddl,
  tree: Node,
  table: SqlTable,
  column: SqlColumn,
  gone: SqlColumn | null,
  value: (row: readonly Value[]) => Value,
  reads: readonly number[] | null,
  done: (() => void) | null,
): Generator<void, void> {
  const { storage } = column;
  const shapes = new ShapeTable();
  const filled = new AppliedRows(table.number, table.key.numeric, ddl.pager.newEdit(), shapes);
  const cells = gone === null ? [column] : [column, gone];
  const shape = shapes.of(
    cells.map(({ number }) => number),
    cells.map((cell) => cell.storage.kind),
  );
  // A removed cell stays undefined.
  const after: Datum[] = cells.map(() => undefined);
  const sparse = new Array<Value>(table.columns.length).fill(null);
  for (const { leaf } of leaves(ddl.pager, tree, null)) {
    const vecs = cells.map(({ number }) => leaf.col(number));
    for (let i = 0; i < leaf.count; i++) {
      let row = sparse;
      if (reads === null) row = readRow(table, leaf, i);
      else for (let k = 0; k < reads.length; k++) sparse[reads[k]] = readCell(table.columns[reads[k]], leaf, i);
      const made = value(row);
      if (made === null && column.notNull) throw nullsFound(table, column.name);
      after[0] = made === null ? null : storage.encode(made);
      filled.change(leaf.key(i), shape, vecs, i, after);
    }
    yield;
  }
  const changes = filled.changes();
  if (changes !== null) ddl.rows(changes);
  done?.();
}

/** All rows of `before`, mapped, as rows of the current step's table, whose epoch must be new. 23505 for duplicate keys. */
export function rewriteRows(ddl: Ddl, before: SqlTable, map: (row: readonly Value[]) => readonly Value[]): void {
  const { pager, objects, schema, compiler } = ddl;
  const known = schema.tables.get(before.number)!;
  // NOT VALID constraints are not checked because rows move.
  const table = known.checks.every(({ valid }) => valid) ? known : { ...known, checks: known.checks.filter(({ valid }) => valid) };
  const writer = new RowsWriter({ pager, objects, schema, compiler: compiler.within?.(schema, pager) ?? compiler, env: STORED }, null, emptyTree(true), table);
  const tree = childRoot(pager, ddl.root, before.number);
  if (tree !== null) ddl.work(rewriteSteps(ddl, tree, before, table, writer, map));
}

function* rewriteSteps(
  ddl: Ddl,
  tree: Node,
  before: SqlTable,
  table: SqlTable,
  writer: RowsWriter,
  map: (row: readonly Value[]) => readonly Value[],
): Generator<void, void> {
  for (const { leaf } of leaves(ddl.pager, tree, null)) {
    for (let i = 0; i < leaf.count; i++) {
      try {
        writer.insert(map(readRow(before, leaf, i)));
      } catch (error) {
        throw error instanceof SvcError ? asOfTable(error, table) : error;
      }
    }
    yield;
  }
  const changes = writer.changes();
  if (changes !== null) ddl.rows(changes);
}

function asOfTable(error: SvcError, table: SqlTable): SvcError {
  const name = error.data?.['constraint'] ?? error.data?.['column'];
  if (error.code === '23505') {
    return new SvcError('23505', `could not create unique index "${String(name)}"`, {
      detail: error.detail?.replace(/ already exists\.$/, ' is duplicated.'),
      data: error.data,
    });
  }
  if (error.code === '23502') return nullsFound(table, String(name));
  return error;
}
