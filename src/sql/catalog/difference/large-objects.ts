/** Differences of large objects as function calls. Truncation, owners and privileges cannot be expressed by one statement: a comment says so. */
import { OBJECT_CELL, OBJECTS, PAGE_CELL, PAGES } from '../../../worlds/large-objects.ts';
import type { RowAt } from '../../../tree/row-change.ts';
import { PAGE_BYTES } from '../../schema/large-object-pages.ts';
import type { SqlTable } from '../../schema/table.ts';

/** null for rows of other tables. */
export function largeObjectAsSql({ number }: SqlTable, before: RowAt | null, after: RowAt | null): string | null {
  const { leaf, index } = (after ?? before)!;
  if (number === OBJECTS) {
    const oid = leaf.cell(index, OBJECT_CELL.oid) as number;
    if (before === null) return `SELECT pg_catalog.lo_create('${oid}');`;
    return after === null ? `SELECT pg_catalog.lo_unlink('${oid}');` : `-- owner or privileges of large object ${oid}`;
  }
  if (number !== PAGES) return null;
  const [oid, page] = [leaf.cell(index, PAGE_CELL.loid) as number, leaf.cell(index, PAGE_CELL.pageno) as number];
  if (after === null) return `-- page ${page} of large object ${oid} goes`;
  const data = Buffer.from(leaf.cell(index, PAGE_CELL.data) as string, 'latin1').toString('hex');
  return `SELECT pg_catalog.lo_put('${oid}', ${page * PAGE_BYTES}, '\\x${data}');`;
}
