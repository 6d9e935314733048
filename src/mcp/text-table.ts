/** Rows as text for a model: bounded widths, bounded length, and a last line that says what is missing. */
import { bounded } from '../base/bounded-text.ts';
import type { DefinitionChange } from '../commands/contract.ts';

const CELL_MAX = 60;
const COLUMNS_MAX = 40;
/** Characters of one reply, or of one of its tables: some 6,000 tokens. */
export const TEXT_MAX = 24_000;

export interface Page {
  /** Total number of rows, if more than the given ones; `open`: more, not counted. */
  readonly total?: number | 'open';
  /** How to get the following rows when only the first `shown` fit, or when there are more than given. */
  readonly more?: (shown: number) => string;
}

export function textTable(columns: readonly string[], rows: readonly (readonly unknown[])[], { total = rows.length, more }: Page = {}): string {
  const names = columns.length > COLUMNS_MAX ? columns.slice(0, COLUMNS_MAX) : columns;
  const heads = names.map(cellText);
  const cells = rows.map((row) => names.map((_, c) => cellText(row[c])));
  const widths = heads.map((head, c) => Math.max(head.length, ...cells.map((row) => row[c].length), 1));
  const line = (parts: readonly string[]): string =>
    parts
      .map((part, c) => part.padEnd(widths[c]))
      .join(' | ')
      .trimEnd();
  const out = [line(heads), widths.map((width) => '-'.repeat(width)).join('-+-')];
  let length = out.join('\n').length;
  let shown = 0;
  for (const row of cells) {
    const text = line(row);
    if (length + text.length > TEXT_MAX) break;
    out.push(text);
    length += text.length + 1;
    shown++;
  }
  const all = shown === total;
  out.push(total === 'open' ? `(${shown} rows shown)` : all ? `(${total} row${total === 1 ? '' : 's'})` : `(${shown} of ${total} rows)`);
  if (names.length < columns.length) out.push(`${columns.length - names.length} more columns: ${bounded(columns.slice(COLUMNS_MAX).join(', '), 1000)}`);
  if (!all && more !== undefined) out.push(`more: ${more(shown)}`);
  return out.join('\n');
}

/** Definitions of a diff, with the statements that make it. */
export function definitionsTable(definitions: readonly DefinitionChange[], more = 'as_sql: true shows them whole'): string {
  return `definitions:\n${textTable(
    ['object', 'change', 'statement'],
    definitions.map(({ object, change, statement }) => [object, change, statement]),
    { more: () => more },
  )}`;
}

/** null is empty, text is shown without line breaks, everything else as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const flat = text.replaceAll(/[\n\r\t]+/g, ' ');
  return bounded(flat, CELL_MAX);
}
