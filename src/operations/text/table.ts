/**
 * Rows as text for a model. The whole table stays within `room` characters; what is left out is said in lines that begin with
 * `more:` and give the call that gets it.
 *
 * Values that differ look different: nothing is blank, null is NULL, texts that could be mistaken for either are in quotes, and line
 * breaks, tabs and the backslashes before them are escaped.
 */
import { bounded } from '../../base/bounded-text.ts';
import { ExactNumber, exactJsonText } from '../../base/exact-json.ts';
import type { DefinitionChange } from '../../commands/contract.ts';

/** Characters of one reply, or of one of its tables, where the caller chooses none: some 6,000 tokens. */
export const TEXT_MAX = 24_000;
/** Characters a token, about: from `max_tokens` to characters. */
export const TOKEN_CHARACTERS = 4;
export const TOKENS_MAX = 100_000;
/** Cells are cut at the first of these at which all rows fit; below the last one rows are left out instead. */
const CELL_LIMITS = [4000, 1000, 250, 60];
/** Wider columns are not padded. */
const PAD_MAX = 60;

export interface TablePage {
  /** Total number of rows, if more than the given ones; `open`: more, not counted. */
  readonly total?: number | 'open';
  /** How to get the following rows when only the first `shown` fit, or when there are more than given. */
  readonly more?: (shown: number) => string;
  /** Characters of the table; default TEXT_MAX. */
  readonly room?: number;
  /** How to get cut cells whole, beside a larger `max_tokens`. */
  readonly whole?: string;
}

export function textTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { total = rows.length, more, room = TEXT_MAX, whole = '' }: TablePage = {},
): string {
  const heads = headsThatFit(columns, room / 3);
  const cells = rows.map((row) => heads.map((_, c) => cellText(row[c], room + 1)));
  const limit = cellLimit(heads, cells, room);
  const cut = (text: string): string => bounded(text, limit);
  const widths = heads.map((head, c) => Math.min(PAD_MAX, Math.max(head.length, 1, ...cells.map((row) => Math.min(row[c].length, limit)))));
  const line = (parts: readonly string[]): string =>
    parts
      .map((part, c) => part.padEnd(widths[c]))
      .join(' | ')
      .trimEnd();
  const out = [line(heads), widths.map((width) => '-'.repeat(width)).join('-+-')];
  let length = out.join('\n').length;
  let shown = 0;
  let cutCells = 0;
  for (const row of cells) {
    const text = line(row.map(cut));
    if (length + text.length > room && (shown > 0 || limit <= CELL_LIMITS.at(-1)!)) break;
    cutCells += row.filter((cell) => cell.length > limit).length;
    out.push(text);
    length += text.length + 1;
    shown++;
  }
  const all = shown === total;
  out.push(total === 'open' ? `(${shown} rows shown)` : all ? `(${total} row${total === 1 ? '' : 's'})` : `(${shown} of ${total} rows)`);
  if (heads.length < columns.length) {
    const left = bounded(columns.slice(heads.length).join(', '), 1000);
    out.push(`more: ${columns.length - heads.length} more columns (${left}); ${whole === '' ? 'read them with the tool sql' : 'name them in the SELECT'}`);
  }
  if (cutCells > 0) {
    const wanted = tokensFor(cells.slice(0, shown).reduce((sum, row) => sum + row.reduce((own, cell) => own + cell.length + 3, 0), length));
    const larger = wanted <= TOKENS_MAX ? `call again with max_tokens ${wanted}` : '';
    const ways = [larger, whole].filter((way) => way !== '').join(', or ');
    out.push(
      `more: ${cutCells} cell${cutCells === 1 ? ' is' : 's are'} cut at ${limit} characters; ${ways === '' ? 'read parts with the tool sql (substr)' : ways}`,
    );
  }
  if (!all && more !== undefined) out.push(`more: ${more(shown)}`);
  return out.join('\n');
}

export function tokensFor(characters: number): number {
  return Math.ceil((characters * 1.1) / TOKEN_CHARACTERS / 100) * 100;
}

function headsThatFit(columns: readonly string[], room: number): string[] {
  const heads: string[] = [];
  let length = 0;
  for (const column of columns) {
    const head = cellText(column, 200);
    length += head.length + 3;
    if (length > room && heads.length > 0) break;
    heads.push(head);
  }
  return heads;
}

/** The largest limit of cells at which every row fits. */
function cellLimit(heads: readonly string[], cells: readonly (readonly string[])[], room: number): number {
  for (const limit of [Math.max(CELL_LIMITS[0], room - 200), ...CELL_LIMITS]) {
    const widths = heads.map((head, c) => Math.min(PAD_MAX, Math.max(head.length, 1, ...cells.map((row) => Math.min(row[c].length, limit)))));
    let length = widths.reduce((sum, width) => sum + 2 * (width + 3), 0);
    for (const row of cells) for (let c = 0; c < row.length; c++) length += Math.max(widths[c], Math.min(row[c].length, limit)) + 3;
    if (length <= room) return limit;
  }
  return CELL_LIMITS.at(-1)!;
}

/** Definitions of a diff, with the statements that make it. */
export function definitionsTable(definitions: readonly DefinitionChange[], more = 'as_sql: true shows them whole', room = TEXT_MAX): string {
  return `definitions:\n${textTable(
    ['object', 'change', 'statement'],
    definitions.map(({ object, change, statement }) => [object, change, statement]),
    { more: () => more, whole: more, room },
  )}`;
}

/** A cell that is text as it is shown, of values that are escaped already. */
export class ShownText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Nothing (undefined) is blank; long texts are read up to `most` characters. */
export function cellText(value: unknown, most = TEXT_MAX): string {
  if (value === undefined) return '';
  if (value === null) return 'NULL';
  if (value instanceof ShownText) return bounded(value.text, most);
  // JSON has its own escapes.
  if (typeof value !== 'string') return bounded(jsonText(value), most);
  return escaped(/^ *$|^NULL$|^'.*'$| $/s.test(value) ? `'${value.replaceAll("'", "''")}'` : value, most);
}

/** As JSON, numbers as they were written. */
export function jsonText(value: unknown): string {
  return value instanceof ExactNumber ? value.text : (exactJsonText(value) ?? '');
}

/** One field a line. */
export function indentedJson(row: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(row).map(([name, value]) => ` ${JSON.stringify(name)}: ${jsonText(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`;
}

const CONTROLS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string, most: number): string {
  const looked = text.length > most ? bounded(text, most) : text;
  if (!/[\n\r\t\\]/.test(looked)) return looked;
  return looked.replaceAll(/\\(?=[nrt\\\n\r\t]|$)/g, '\\\\').replaceAll(/[\n\r\t]/g, (control) => CONTROLS[control]);
}
