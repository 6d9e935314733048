/** Results of `sql` as text for a model. */
import type { SqlReply } from '../sql.ts';
import type { Page } from '../model-tool.ts';
import { textTable } from './table.ts';

/** Maximum rows shown of one result. */
const ROWS_MAX = 200;

export function resultsText({ results, version }: SqlReply, { page: { room } }: { page: Page }): string {
  const parts: string[] = [];
  let length = 0;
  for (const { command, columns, rows } of results) {
    if (length > room) {
      parts.push(`more: the results of ${results.length - parts.length} statements are not shown; send fewer at a time`);
      break;
    }
    const part =
      columns.length === 0
        ? command
        : textTable(
            columns,
            rows.slice(0, ROWS_MAX).map((row) => columns.map((column) => row[column])),
            {
              total: rows.length,
              more: (n) => `add LIMIT and OFFSET ${n} (with ORDER BY), or aggregate`,
              whole: 'read parts of them: substr(column, from, length)',
              room,
            },
          );
    length += part.length;
    parts.push(part);
  }
  return `${parts.join('\n\n')}\nversion ${version}`;
}
