/** Replies of operations without a view of their own: lists as tables, everything else as names and values. */
import { exactJsonText } from '../../base/exact-json.ts';
import { fieldOf } from '../../base/json.ts';
import type { Json } from '../../commands/contract.ts';
import { jsonCell } from '../text/cell.ts';
import type { Style } from '../text/style.ts';
import { countLine, type TableColumn, tableLines } from '../text/table.ts';

type Fields = Record<string, Json>;

export function replyLines(reply: unknown, style: Style, width: number | null): string[] {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return [jsonCell(reply as Json)];
  const { ok, ...fields } = reply as Fields;
  const entries = Object.entries(fields);
  if (entries.length === 0) return [ok === true ? style.green('done') : '{}'];
  const lines: string[] = [];
  const scalars = entries.filter(([, value]) => !isList(value));
  const lists = entries.filter(([, value]) => isList(value)) as [string, Fields[]][];
  // A single nested object replaces the reply.
  if (scalars.length === 1 && lists.length === 0 && isRecord(scalars[0][1])) return pairLines(Object.entries(scalars[0][1]), style, width);
  if (scalars.length > 0) lines.push(...pairLines(scalars, style, width));
  for (const [name, list] of lists) {
    if (entries.length > 1) lines.push(style.bold(name));
    lines.push(...listLines(list, style, width));
  }
  return lines;
}

export function listLines(list: readonly Fields[], style: Style, width: number | null): string[] {
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))];
  if (list.length === 0) return [countLine(0, false)];
  const columns: TableColumn[] = names.map((name) => ({
    name,
    right: list.every((row) => (fieldOf(row, name) ?? null) === null || isNumber(row[name])),
  }));
  const rows = list.map((row) => names.map((name) => ((fieldOf(row, name) ?? null) === null ? null : text(row[name]))));
  return [...tableLines(columns, rows, { width, style }), countLine(list.length, false)];
}

function pairLines(entries: readonly [string, Json][], style: Style, width: number | null): string[] {
  return tableLines(
    [{ name: 'field' }, { name: 'value' }],
    entries.map(([name, value]) => [name, value === null ? null : text(value)]),
    { width, style, expanded: false },
  ).slice(2);
}

function text(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return exactJsonText(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'text' in value && !Array.isArray(value));
}

function isRecord(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: Json): boolean {
  return Array.isArray(value) && value.every(isRecord);
}
