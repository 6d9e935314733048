/** What UNDO … DRY RUN answers: rows that would go back, by table, and the first keys. */
import type { TableSummary } from '../../commands/contract.ts';

export function undoneByTable({ summary = [], keys = [] }: { summary?: readonly TableSummary[]; keys?: readonly string[] }): unknown[][] {
  return summary.map(({ table, deleted, updated, inserted }) => [table, deleted, updated, inserted, keys.filter((key) => key.startsWith(`${table}/`))]);
}
