/** `history`: of a world as a table; of one row as one line per event, with its changes below. */
import Type from 'typebox';
import { bounded } from '../../base/bounded-text.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { HistoryEvent, HistoryReply, Json } from '../../commands/contract.ts';
import { branch, flag, input, table, type Tool, whole } from '../tool.ts';
import { definitionsTable, TEXT_MAX, textTable } from '../text-table.ts';

const HISTORY_MAX = 1000;
const VALUE_MAX = 400;

interface HistoryCall {
  branch?: string;
  table?: string;
  id?: string;
  limit?: number;
  before?: string;
  after?: string;
  definitions?: boolean;
}

export const history: Tool<HistoryCall> = {
  name: 'history',
  title: 'Show history',
  description: 'What happened in a world, newest first. With table and id: who changed that row, when, from what to what, by which merge.',
  input: input({
    branch,
    table: Type.Optional(table),
    id: Type.Optional(Type.String()),
    limit: whole(0, 'Default 30, at most 1000.'),
    before: Type.Optional(Type.String({ minLength: 1, description: 'Only events before this one (#42) or a moment.' })),
    after: Type.Optional(Type.String({ minLength: 1 })),
    definitions: flag('Also what each event changed of tables, views, functions.'),
  }),
  annotations: { readOnlyHint: true },
  needs: ['read'],
  async run({ commands }, given, { signal }) {
    const { limit = 30, branch: world = 'main' } = given;
    if (limit > HISTORY_MAX) throw new SvcError('22023', `history answers at most ${HISTORY_MAX} events`, { hint: 'Use the tool sql: SHOW HISTORY LIMIT n.' });
    const reply = await commands.history({ ...given, branch: world, limit }, { signal });
    return given.table === undefined ? worldText(reply, given.definitions === true) : rowText(reply);
  },
};

/** The table comes last: its last line says how to continue. */
function worldText({ events, next, since }: HistoryReply, withDefinitions: boolean): string {
  const parts: string[] = [];
  // Table cells are short, but names of worlds may be long.
  const notes = events.flatMap((event) => (noteText(event) === '' ? [] : [`${event.event} ${event.id}: ${noteText(event)}`]));
  if (notes.length > 0) parts.push(bounded(notes.join('\n'), TEXT_MAX));
  if (withDefinitions) {
    const tables = events.flatMap(({ event, id, definitions }) =>
      definitions === undefined ? [] : [`${event} ${id} ${definitionsTable(definitions, 'the tool sql: SHOW HISTORY WITH DEFINITIONS')}`],
    );
    if (tables.length > 0) parts.push(bounded(tables.join('\n\n'), TEXT_MAX));
  }
  if (next === null && since !== null) parts.push(`history begins at ${since}`);
  parts.push(
    textTable(
      ['id', 'at', 'event', 'rows'],
      events.map((event) => [event.id, event.at, event.event, event.rows]),
      { total: next === null ? events.length : 'open', more: (shown) => continueFrom(events[shown - 1]?.id ?? next) },
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

function rowText({ events, next, since }: HistoryReply): string {
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
    if (length + text.length > TEXT_MAX && shown > 0) break;
    out.push(bounded(text, TEXT_MAX));
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
  return bounded(JSON.stringify(row[column]), VALUE_MAX);
}

function continueFrom(id: string | null | undefined): string {
  return id === null || id === undefined ? 'call again with a higher limit' : `call again with before "${id}"`;
}
