/** Row operations name one table and one key; a partitioned table has no rows of its own, and only SQL routes rows to partitions. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Table } from './catalog.ts';

export function isPartitioned({ relation }: Table): boolean {
  return relation?.object.partitionBy !== undefined;
}

/** 0A000 */
export function refusePartitioned(table: Table): void {
  if (!isPartitioned(table)) return;
  const { name } = table;
  throw new SvcError('0A000', `table "${name}" is partitioned: its rows are those of its partitions`, {
    hint: 'Name the partition that holds the row, or use SQL.',
    status: 400,
  });
}
