/** Rewriting a table's rows: new cells in place where keys stay, or all rows anew where they change. */
import { STORED } from '../types/environment.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Datum, RowChange, Shape } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import { scan } from '../../tree/read.ts';
import { emptyTree } from '../../tree/write.ts';
import type { Value } from '../types/value.ts';
import { eachRow } from './constraint.ts';
import type { Ddl } from './ddl.ts';
import { readRow } from './row-reader.ts';
import { RowsWriter } from './rows-writer.ts';
import { kindOfCell } from './storage.ts';
import type { SqlColumn, SqlTable } from './table.ts';

/** Gives a column's cells to every row that is there; a cell that is to go is `gone`. */
export function fillColumn(ddl: Ddl, table: SqlTable, column: SqlColumn, gone: SqlColumn | null, value: (row: readonly Value[]) => Value): void {
  const tree = childRoot(ddl.pager, ddl.root, table.number);
  if (tree === null) return;
  const ids = gone === null ? [column.number] : [column.number, gone.number];
  const shapes = new Map<string, Shape>();
  const rows: RowChange[] = [];
  scan(ddl.pager, tree, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      const made = value(readRow(table, leaf, i));
      if (made === null && column.notNull) throw new SvcError('23502', `column "${column.name}" of relation "${table.name}" contains null values`);
      const after: Datum[] = [made === null ? null : column.storage.encode(made)];
      const before: Datum[] = [leaf.cell(i, column.number)];
      const kinds = [kindOfCell(column.storage.kind, after[0])];
      if (gone !== null) {
        before.push(leaf.cell(i, gone.number));
        after.push(undefined);
        kinds.push(kindOfCell(gone.storage.kind, before[1]));
      }
      const form = kinds.join();
      let shape = shapes.get(form);
      if (shape === undefined) shapes.set(form, (shape = { ids, kinds }));
      rows.push({ key: leaf.key(i), shape, before, after });
    }
  });
  ddl.rows({ tree: table.number, numeric: table.key.numeric, rows });
}

/**
 * All rows of `before`, mapped, as rows of the table as the step at hand defines it, whose epoch must be a new
 * one. 23505 where two of them come to have one key.
 */
export function rewriteRows(ddl: Ddl, before: SqlTable, map: (row: readonly Value[]) => readonly Value[]): void {
  const { pager, objects, schema, compiler } = ddl;
  const known = schema.tables.get(before.number)!;
  // Rows that a constraint has never been asked of are not asked because they move.
  const table = known.checks.every(({ valid }) => valid) ? known : { ...known, checks: known.checks.filter(({ valid }) => valid) };
  const writer = new RowsWriter({ pager, objects, schema, compiler, env: STORED }, emptyTree(true), table);
  eachRow(ddl, before, (row) => {
    try {
      writer.insert(map(row));
    } catch (error) {
      throw error instanceof SvcError ? asOfTable(error, table) : error;
    }
  });
  const changes = writer.changes();
  if (changes !== null) ddl.rows(changes);
}

function asOfTable(error: SvcError, table: SqlTable): SvcError {
  const name = error.data?.['constraint'] ?? error.data?.['column'];
  if (error.code === '23505') {
    return new SvcError('23505', `could not create unique index "${String(name)}"`, { detail: error.detail?.replace(/ already exists\.$/, ' is duplicated.') });
  }
  if (error.code === '23502') return new SvcError('23502', `column "${String(name)}" of relation "${table.name}" contains null values`);
  return error;
}
