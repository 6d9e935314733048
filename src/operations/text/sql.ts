/** Results and errors of `sql` as text for a model. */
import { bounded } from '../../base/bounded-text.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
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

/** What other clients answer themselves: it is `describe` here. */
const LISTING = /^\s*(?:\\[a-z]|show\s+(?:full\s+)?(?:tables|databases|schemas|columns|create\s+table|index)\b|desc(?:ribe)?\s|list\s+tables)/i;
const LINE_MAX = 120;

/** With the place in the text, and with the tool that lists tables and fields where one is unknown. */
export function sqlRefusal(error: unknown, { sql }: { sql: string }): unknown {
  if (!(error instanceof SvcError)) return error;
  const place = error.position === undefined ? undefined : placeText(sql, error.position);
  const listing =
    LISTING.test(sql) || error.code === '42P01' ? 'Call describe to see tables and fields.' : error.code === '42703' ? 'describe lists the fields.' : undefined;
  const hint = [error.hint, listing].filter((part) => part !== undefined).join(' ');
  const detail = [place, error.detail].filter((part) => part !== undefined).join('\n');
  if (place === undefined && listing === undefined) return error;
  return new SvcError(error.code, error.message, {
    ...(detail === '' ? {} : { detail }),
    ...(hint === '' ? {} : { hint }),
    status: error.status,
    ...(error.data === undefined ? {} : { data: error.data }),
  });
}

/** `position`: of a character, from 1, as Postgres counts. */
function placeText(sql: string, position: number): string {
  const before = [...sql].slice(0, position - 1).join('');
  const line = before.split('\n').length;
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length;
  const text = (sql.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  const from = Math.max(0, column - LINE_MAX / 2);
  const shown = bounded([...text].slice(from).join(''), LINE_MAX);
  return `at character ${position}:\nLINE ${line}: ${shown}\n${' '.repeat(`LINE ${line}: `.length + column - from)}^`;
}
