/** An error as lines: message, position in the SQL, DETAIL and HINT, and rows in conflict. */
import { exactJsonText } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Conflict, Row } from '../../commands/contract.ts';
import { visible } from './cell.ts';
import type { Style } from './style.ts';
import { textWidth } from './width.ts';

const LIST_MAX = 10;

/** `sql` is the text that the error's position refers to. */
export function errorLines(error: unknown, sql: string | null, style: Style, width: number | null): string[] {
  if (!(error instanceof SvcError)) return [`${style.red(style.bold('ERROR:'))}  ${visible((error as Error).message)}`];
  const lines = [`${style.red(style.bold('ERROR:'))}  ${error.message.split('\n').map(visible).join('\n')} ${style.dim(`(${error.code})`)}`];
  if (sql !== null && error.position !== undefined) lines.push(...placeLines(sql, error.position, style, width ?? Infinity));
  if (error.detail !== undefined) lines.push(`${style.bold('DETAIL:')}  ${error.detail.split('\n').map(visible).join('\n')}`);
  lines.push(...dataLines(error.data ?? {}, error.detail === undefined, style));
  if (error.hint !== undefined) lines.push(`${style.bold('HINT:')}  ${error.hint.split('\n').map(visible).join('\n')}`);
  return lines.flatMap((line) => line.split('\n'));
}

/** The line of the text that has the position, and a caret under it. */
function placeLines(sql: string, position: number, style: Style, width: number): string[] {
  // Positions count characters, not UTF-16 units.
  const characters = [...sql];
  const before = characters.slice(0, position - 1).join('');
  const start = before.lastIndexOf('\n') + 1;
  const number = before.split('\n').length;
  const line = sql.slice(start).split('\n')[0].replaceAll('\t', ' ');
  const head = `LINE ${number}: `;
  let left = visible(before.slice(start).replaceAll('\t', ' '));
  let text = visible(line);
  const room = width - head.length - 1;
  if (textWidth(text) > room) {
    const from = Math.max(0, Math.min(left.length - Math.floor(room / 2), text.length - room + 2));
    if (from > 0) {
      text = `…${text.slice(from + 1)}`;
      left = `…${left.slice(from + 1)}`;
    }
    if (text.length > room) text = `${text.slice(0, room - 1)}…`;
  }
  return [`${style.dim(head)}${text}`, `${' '.repeat(head.length + textWidth(left))}${style.red('^')}`];
}

/** `listsConflicts`: list conflicts, as no DETAIL does. */
function dataLines(data: Record<string, unknown>, listsConflicts: boolean, style: Style): string[] {
  const lines: string[] = [];
  const { where } = data;
  if (typeof where === 'string') lines.push(`${style.bold('CONTEXT:')}  ${where.split('\n').map(visible).join('\n')}`);
  const { conflicts, changed, reasons } = data as { conflicts?: Conflict[]; changed?: unknown[]; reasons?: { message: string }[] };
  if (listsConflicts && Array.isArray(conflicts)) {
    for (const { key, explanation } of conflicts.slice(0, LIST_MAX)) lines.push(`  ${style.yellow(visible(key))}  ${visible(explanation)}`);
    if (conflicts.length > LIST_MAX) lines.push(`  … and ${conflicts.length - LIST_MAX} more`);
  }
  if (Array.isArray(changed)) {
    for (const key of changed.slice(0, LIST_MAX)) lines.push(`  ${style.yellow(visible(typeof key === 'string' ? key : exactJsonText(key)))}`);
    if (changed.length > LIST_MAX) lines.push(`  … and ${changed.length - LIST_MAX} more`);
  }
  if (Array.isArray(reasons)) for (const { message } of reasons.slice(0, LIST_MAX)) lines.push(`  ${style.yellow('•')} ${visible(message)}`);
  return lines;
}

/** A row as `{a: 1, b: "x"}`, on one line. */
export function rowText(row: Row | null): string {
  if (row === null) return 'no row';
  return Object.entries(row)
    .map(([column, value]) => `${column}=${typeof value === 'string' ? value : exactJsonText(value)}`)
    .map(visible)
    .join(' ');
}
