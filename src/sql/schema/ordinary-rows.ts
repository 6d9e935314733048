/** Rows of documents whose id is stored as any other column from now on: since it will be something else, or their table part of a hierarchy. */
import type { Ddl } from './ddl.ts';
import { rewriteRows } from './rewrite.ts';
import type { SqlTable } from './table.ts';

/** The table as it is then; the given one if its id is a column like others already. It takes no documents any more. */
export function ordinaryRows(ddl: Ddl, table: SqlTable): SqlTable {
  if (!table.document) return table;
  ddl.definedTable(table.number);
  const { documents: _open, idsInKeys: _ids, ...relation } = ddl.schema.catalog.byNumber.get(table.number)!.relation!.object;
  ddl.put({ ...relation, epoch: relation.epoch + 1 });
  rewriteRows(ddl, table, (row) => row);
  ddl.end();
  return ddl.schema.tables.get(table.number)!;
}
