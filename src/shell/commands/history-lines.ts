/** The history of a world as a table; of a row as one block per event, with old and new values of changed columns. */
import type { HistoryEvent, HistoryReply, Json } from '../../commands/contract.ts';
import { jsonCell, visible } from '../text/cell.ts';
import { countLine, tableLines } from '../text/table.ts';
import { ago, shortTime } from '../text/time-text.ts';
import type { Stage } from './stage.ts';

export function historyLines({ events, next, since }: HistoryReply, ofRow: boolean, stage: Stage): string[] {
  const { style } = stage;
  return [
    ...(ofRow ? events.flatMap((event) => rowLines(event, stage)) : worldLines(events, stage)),
    ...(ofRow ? [`(${events.length} event${events.length === 1 ? '' : 's'})`] : [countLine(events.length, false)]),
    ...events.flatMap(({ id, definitions = [] }) => definitions.map(({ statement }) => style.dim(`${id}  ${visible(statement)}`))),
    ...(next !== null ? [style.dim(`… more: --before '${next}'`)] : ofRow && since !== null ? [style.dim(`history begins at ${shortTime(since)} UTC`)] : []),
  ];
}

function worldLines(events: readonly HistoryEvent[], stage: Stage): string[] {
  const rows = events.map((event) => [shortTime(event.at), ago(event.at, stage.nowMs()), event.event, event.rows === 0 ? '' : String(event.rows), note(event)]);
  const noted = rows.some((row) => row[4] !== '');
  if (!noted) for (const row of rows) row.pop();
  return tableLines([{ name: 'at (UTC)' }, { name: '' }, { name: 'event' }, { name: 'rows', right: true }, ...(noted ? [{ name: 'of' }] : [])], rows, {
    width: stage.width,
    style: stage.style,
    expanded: false,
  });
}

function rowLines(event: HistoryEvent, stage: Stage): string[] {
  const { style } = stage;
  const said = event.branch === undefined ? `by ${visible(event.by ?? 'a person')}` : note(event);
  const via = event.via === undefined ? '' : `, came by ${event.via}`;
  return [
    `${style.bold(shortTime(event.at))}  ${visible(event.world)}: ${event.change} (${event.event}) ${said}${via}  ${style.dim(event.id)}`,
    ...(event.columns ?? []).map((column) => `    ${visible(column)}: ${value(event.before, column)} → ${value(event.after, column)}`),
  ];
}

function value(row: { [column: string]: Json } | null | undefined, column: string): string {
  return row === null || row === undefined || !Object.hasOwn(row, column) ? '∅' : visible(row[column] === null ? 'null' : jsonCell(row[column]));
}

function note({ branch, into, onto, undoes, by, approval }: HistoryEvent): string {
  if (by === undefined) return '';
  const parts: string[] = [];
  if (branch !== undefined) parts.push(`${branch.name} (${branch.id}) ${onto === undefined ? 'into' : 'onto'} ${(onto ?? into)?.name ?? '?'}`);
  parts.push(`by ${by ?? 'a person'}`);
  if (undoes !== undefined) parts.push(`undoes ${undoes}`);
  if (approval?.way === 'approved') parts.push(`approved by ${approval.by ?? 'a person'}`);
  else if (approval?.way === 'rules') parts.push(`on the rules of ${approval.policy ?? 'its policy'}`);
  return visible(parts.join(' '));
}
