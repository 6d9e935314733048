/** `history` as text for a model: of a world as a table; of one row as one line per event, with its changes below. */
import type { Json } from '../../base/json.ts';
import type { HistoryInput, HistoryReply } from '../history.ts';
import type { ModelCall } from '../model-tool.ts';
import { cutText } from './page.ts';
import { definitionsTable, jsonText, textTable } from './table.ts';

type HistoryEvent = HistoryReply['events'][number];

export function historyText(reply: HistoryReply, { given, page: { room } }: ModelCall<HistoryInput, HistoryReply>): string {
  return given.table === undefined ? worldText(reply, given.definitions === true, room) : rowText(reply, room);
}

/** The table comes last: its last line says how to continue. */
function worldText({ events, next, since }: HistoryReply, withDefinitions: boolean, room: number): string {
  const parts: string[] = [];
  // Table cells are short, but names of worlds may be long.
  const notes = events.flatMap((event) => (noteText(event) === '' ? [] : [`${event.event} ${event.id}: ${noteText(event)}`]));
  if (notes.length > 0) parts.push(cutText(notes.join('\n'), room, 'ask for fewer events'));
  if (withDefinitions) {
    const tables = events.flatMap(({ event, id, definitions }) =>
      definitions === undefined ? [] : [`${event} ${id} ${definitionsTable(definitions, 'the tool sql: SHOW HISTORY WITH DEFINITIONS', room)}`],
    );
    if (tables.length > 0) parts.push(cutText(tables.join('\n\n'), room, 'ask for fewer events'));
  }
  if (next === null && since !== null) parts.push(`history begins at ${since}`);
  parts.push(
    textTable(
      ['id', 'at', 'event', 'rows'],
      events.map((event) => [event.id, event.at, event.event, event.rows]),
      { total: next === null ? events.length : 'open', more: (shown) => continueFrom(events[shown - 1]?.id ?? next), room },
    ),
  );
  return parts.join('\n\n');
}

/** Worlds, actor and approval; '' if nothing is known besides the event. */
function noteText({ branch: merged, into, onto, undoes, by, approval }: HistoryEvent): string {
  const named = (world: { name: string; id: string } | undefined): string => (world === undefined ? '?' : `${world.name} (${world.id})`);
  const parts: string[] = [];
  if (onto !== undefined) parts.push(`${named(merged)} onto ${named(onto)}`);
  else if (merged !== undefined) parts.push(`${named(merged)} into ${named(into)}`);
  if (by !== undefined) parts.push(`by ${by ?? 'a person'}`);
  if (undoes !== undefined) parts.push(`undoes ${undoes}`);
  if (approval !== undefined) parts.push(approvalText(approval));
  return parts.join(', ').replace(', by ', ' by ');
}

function approvalText({ way, policy, by }: NonNullable<HistoryEvent['approval']>): string {
  const of = policy === null ? '' : ` under policy ${policy}`;
  if (way === 'approved') return `approved by ${by ?? 'a person'}${of}`;
  if (way === 'rules') return `let through by the rules${of}`;
  return way === 'person' ? 'merged by a person' : 'its agent has no policy';
}

function rowText({ events, next, since }: HistoryReply, room: number): string {
  const out: string[] = [];
  let length = 0;
  let shown = 0;
  for (const event of events) {
    const note = noteText(event);
    const via = event.via === undefined ? '' : `, came by ${event.via}`;
    const lines = [
      `${event.id} ${event.at} in ${event.world}: ${event.change} by ${event.by ?? 'a person'} (${event.event}${event.branch === undefined && event.onto === undefined ? '' : `: ${note}`}${via})`,
      ...(event.columns ?? []).map((column) => `  ${column}: ${valueText(event.before, column)} -> ${valueText(event.after, column)}`),
    ];
    const text = lines.join('\n');
    if (length + text.length > room && shown > 0) break;
    out.push(cutText(text, room));
    length += text.length;
    shown++;
  }
  const isMore = shown < events.length || next !== null;
  out.push(isMore ? `(${shown} events shown)\nmore: ${continueFrom(events[shown - 1]?.id ?? next)}` : `(${shown} event${shown === 1 ? '' : 's'})`);
  if (!isMore && since !== null) out.push(`history begins at ${since}`);
  return out.join('\n');
}

function valueText(row: { [column: string]: Json } | null | undefined, column: string): string {
  if (row === null || row === undefined || !Object.hasOwn(row, column)) return '(none)';
  return jsonText(row[column]);
}

function continueFrom(id: string | null | undefined): string {
  return id === null || id === undefined ? 'call again with a higher limit' : `call again with before "${id}"`;
}
