/**
 * Rows as a table within a width. If the columns are too wide together they are narrowed, the widest first, and their
 * values truncated with `…`; numbers stay whole. If too little would be left, each row is a block of lines.
 *
 *      id | name   | note            ─[ 1 ]──────────────
 *     ----+--------+--------         id   | 1
 *       1 | bolt   | a long…         name | bolt
 */
import { visible } from './cell.ts';
import type { Style } from './style.ts';
import { cut, padEnd, padStart, textWidth, wrapWords } from './width.ts';

export interface TableColumn {
  readonly name: string;
  /** Right-aligned: numbers. */
  readonly right?: boolean;
}

export interface TableOptions {
  /** null: unbounded. */
  readonly width: number | null;
  readonly style: Style;
  /** true: always blocks; false: never. */
  readonly expanded?: boolean | 'auto';
  /** Number of the first row, for blocks. */
  readonly firstRow?: number;
}

/** Minimum width of a text column. */
const COLUMN_WIDTH_MIN = 8;
/** Longer numbers are truncated like text. */
const NUMBER_WIDTH_MAX = 24;
const GAP = 3;

export interface TableLayout {
  readonly expanded: boolean;
  readonly widths: readonly number[];
}

export type Cells = readonly (string | null)[];

/** Computed from the first rows; later ones use it. */
export function layOut(columns: readonly TableColumn[], rows: readonly Cells[], { width, expanded = 'auto' }: TableOptions): TableLayout {
  const natural = columns.map(({ name }, c) => {
    let most = textWidth(visible(name));
    for (const row of rows) {
      const value = row[c];
      const own = value === null ? 4 : textWidth(visible(value));
      if (own > most) most = own;
    }
    return Math.max(1, most);
  });
  if (expanded === true) return { expanded: true, widths: natural };
  if (width === null) return { expanded: false, widths: natural };
  const room = width - GAP * (columns.length - 1) - 2;
  const least = columns.map(({ right }, c) => Math.min(natural[c], right === true ? NUMBER_WIDTH_MAX : COLUMN_WIDTH_MIN));
  const need = least.reduce((sum, each) => sum + each, 0);
  if (need > room) return { expanded: expanded === 'auto', widths: expanded === 'auto' ? natural : least };
  const widths = natural.map((each) => each);
  let over = widths.reduce((sum, each) => sum + each, 0) - room;
  while (over > 0) {
    // The widest are narrowed together to the next widest.
    const loose = widths.map((_, c) => c).filter((c) => widths[c] > least[c]);
    const top = Math.max(...loose.map((c) => widths[c]));
    const widest = loose.filter((c) => widths[c] === top);
    const next = Math.max(0, ...loose.filter((c) => widths[c] < top).map((c) => widths[c]), ...widest.map((c) => least[c]));
    const step = Math.max(1, Math.min(top - next, Math.ceil(over / widest.length)));
    for (const c of widest) {
      if (over <= 0) break;
      const by = Math.min(step, over, widths[c] - least[c]);
      widths[c] -= by;
      over -= by;
    }
  }
  return { expanded: false, widths };
}

export function headLines(columns: readonly TableColumn[], { widths, expanded }: TableLayout, style: Style): string[] {
  if (expanded || columns.length === 0) return [];
  const names = columns.map(({ name, right }, c) => {
    const text = cut(visible(name), widths[c]);
    return style.bold(right === true ? padStart(text, widths[c]) : padEnd(text, widths[c]));
  });
  return [trimmed(` ${names.join(style.dim(' | '))}`), style.dim(`-${widths.map((width) => '-'.repeat(width)).join('-+-')}-`)];
}

export function rowLines(columns: readonly TableColumn[], rows: readonly Cells[], layout: TableLayout, options: TableOptions): string[] {
  if (layout.expanded) return blockLines(columns, rows, options);
  const { widths } = layout;
  const { style } = options;
  const bar = style.dim(' | ');
  return rows.map((row) =>
    trimmed(
      ` ${columns
        .map(({ right }, c) => {
          const value = row[c];
          if (value === null) return right === true ? style.dim(padStart('NULL', widths[c])) : style.dim(padEnd('NULL', widths[c]));
          const text = cut(visible(value), widths[c]);
          return right === true ? padStart(text, widths[c]) : c === columns.length - 1 ? text : padEnd(text, widths[c]);
        })
        .join(bar)}`,
    ),
  );
}

function blockLines(columns: readonly TableColumn[], rows: readonly Cells[], { style, width, firstRow = 1 }: TableOptions): string[] {
  const names = Math.min(Math.max(0, ...columns.map(({ name }) => textWidth(visible(name)))), width === null ? 1000 : Math.max(8, Math.floor(width / 3)));
  const room = width === null ? Infinity : Math.max(4, width - names - GAP - 1);
  const lines: string[] = [];
  rows.forEach((row, r) => {
    const title = `-[ ${firstRow + r} ]`;
    lines.push(style.dim(title + '-'.repeat(Math.max(0, Math.min(width ?? 40, names + 24) - title.length))));
    columns.forEach(({ name }, c) => {
      const head = style.bold(padEnd(cut(visible(name), names), names));
      const value = row[c];
      if (value === null) {
        lines.push(`${head}${style.dim(' | NULL')}`);
        return;
      }
      const parts = room === Infinity ? [visible(value)] : value.split('\n').flatMap((part) => wrapWords(visible(part), room));
      parts.forEach((part, i) => lines.push(trimmed(`${i === 0 ? head : ' '.repeat(names)}${style.dim(' | ')}${part}`)));
    });
  });
  return lines;
}

export function tableLines(columns: readonly TableColumn[], rows: readonly Cells[], options: TableOptions): string[] {
  const layout = layOut(columns, rows, options);
  return [...headLines(columns, layout, options.style), ...rowLines(columns, rows, layout, options)];
}

export function countLine(count: number, more: boolean): string {
  return `(${count}${more ? '+' : ''} row${count === 1 && !more ? '' : 's'})`;
}

function trimmed(line: string): string {
  return line.trimEnd();
}
