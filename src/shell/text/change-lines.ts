/**
 * Changes of a diff as lines:
 *
 *     - items/7    name=bolt  stock=5                 deleted
 *     ~ items/2    stock 7 → 9                        updated, the columns that changed
 *     + items/12   name=nut   stock=1                 inserted
 */
import { exactJsonText } from '../../base/exact-json.ts';
import { fieldOf } from '../../base/json.ts';
import type { Change, Conflict, DefinitionChange, Json, Row, TableSummary } from '../../commands/contract.ts';
import { jsonCell, visible } from './cell.ts';
import type { Style } from './style.ts';
import { cutLine, padEnd, textWidth } from './width.ts';
import { type TableColumn, tableLines } from './table.ts';

export function changeLines({ key, before, after, columns }: Change, style: Style, width: number | null): string[] {
  const fit = (line: string): string => (width === null ? line : cutLine(line, width));
  const name = style.bold(visible(key));
  if (before === null && after !== null) return [fit(`${style.green(`+ ${visible(key)}`)}  ${style.green(fields(after))}`)];
  if (after === null && before !== null) return [fit(`${style.red(`- ${visible(key)}`)}  ${style.red(fields(before))}`)];
  const pair = (column: string): string =>
    `${style.red(marked('-', fieldOf(before, column), style))} ${style.dim('→')} ${style.green(marked('+', fieldOf(after, column), style))}`;
  const one = `${style.yellow('~')} ${name}  ${columns.map((column) => `${visible(column)} ${pair(column)}`).join('  ')}`;
  if (columns.length === 1 || (columns.length <= 3 && textWidth(one) <= (width ?? 120))) return [fit(one)];
  const widest = Math.min(24, Math.max(0, ...columns.map((column) => column.length)));
  return [fit(`${style.yellow('~')} ${name}`), ...columns.map((column) => fit(`    ${padEnd(visible(column), widest)}  ${pair(column)}`))];
}

/** Without colours the signs distinguish the sides. */
function marked(sign: string, value: Json | undefined, style: Style): string {
  const text = value === undefined ? 'absent' : value === null ? 'NULL' : jsonCell(value);
  return style.coloured ? text : `${sign}${text}`;
}

function fields(row: Row): string {
  return Object.entries(row)
    .map(([column, value]) => `${visible(column)}=${value === null ? 'NULL' : jsonCell(value)}`)
    .join('  ');
}

const DEFINITION_SIGNS = { create: '+', alter: '~', drop: '-' } as const;

/** Definitions as lines: the object, then the statement that makes the change. */
export function definitionLines(definitions: readonly DefinitionChange[], style: Style, width: number | null): string[] {
  const fit = (line: string): string => (width === null ? line : cutLine(line, width));
  return definitions.flatMap(({ object, change, statement }) => {
    const head = `${DEFINITION_SIGNS[change]} ${visible(object)}`;
    const first = change === 'create' ? style.green(head) : change === 'drop' ? style.red(head) : style.yellow(head);
    return [fit(first), ...statement.split('\n').map((line) => fit(`    ${style.dim(visible(line))}`))];
  });
}

/** Both sides of a row in conflict: differing columns come first, so that a narrow screen shows them. */
export function conflictSides({ ours, theirs }: Pick<Conflict, 'ours' | 'theirs'>): { ours: string; theirs: string } {
  const differs = (column: string): boolean =>
    ours === null || theirs === null || exactJsonText(fieldOf(ours, column)) !== exactJsonText(fieldOf(theirs, column));
  const text = (row: Row | null): string => {
    if (row === null) return 'deleted';
    const columns = Object.keys(row);
    const ordered = [...columns.filter(differs), ...columns.filter((column) => !differs(column))];
    return ordered.map((column) => `${visible(column)}=${row[column] === null ? 'NULL' : jsonCell(row[column])}`).join('  ');
  };
  return { ours: text(ours), theirs: text(theirs) };
}

const SUMMARY: readonly TableColumn[] = [
  { name: 'table' },
  { name: 'deleted', right: true },
  { name: 'updated', right: true },
  { name: 'inserted', right: true },
];

/** Tables with most deletes come first. */
export function summaryLines(summary: readonly TableSummary[], style: Style, width: number | null): string[] {
  if (summary.length === 0) return [style.dim('nothing changes')];
  const sorted = summary.toSorted((a, b) => b.deleted - a.deleted);
  const rows = sorted.map(({ table, deleted, updated, inserted }) => [table, count(deleted), count(updated), count(inserted)]);
  return tableLines(SUMMARY, rows, { width, style, expanded: false });
}

function count(value: number): string {
  return value === 0 ? '' : String(value);
}

/** `3 rows: 1 deleted, 2 updated`. */
export function summaryText(summary: readonly TableSummary[]): string {
  const sums = { deleted: 0, updated: 0, inserted: 0 };
  for (const { deleted, updated, inserted } of summary) {
    sums.deleted += deleted;
    sums.updated += updated;
    sums.inserted += inserted;
  }
  const total = sums.deleted + sums.updated + sums.inserted;
  const parts = Object.entries(sums).flatMap(([what, many]) => (many === 0 ? [] : [`${many} ${what}`]));
  return total === 0 ? 'no rows' : `${total} row${total === 1 ? '' : 's'}: ${parts.join(', ')}`;
}
