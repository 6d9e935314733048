/** `history`: What happened in a world, or to one row of it, newest first. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '../base/limits.ts';
import { defineOperation, type ResultColumn } from './define-operation.ts';
import * as s from './schemas.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { historyText } from './text/history.ts';
import { historyOf } from '../commands/history.ts';
import * as masked from './masking.ts';
/** Events in one reply to a model. */
const EVENTS_MAX = 1000;
const worldNamed = Type.Object({ name: Type.String(), id: Type.String() });

const input = s.input({
  branch: s.branch,
  table: Type.Optional(s.table),
  id: Type.Optional(Type.String({ description: "The row's id, as `get` takes it; of a key of several columns their texts, %-escaped and joined with `,`." })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.historyLimitMax, description: 'Default 100.' })),
  before: s.beforeEvent,
  after: s.afterEvent,
  definitions: Type.Optional(Type.Boolean({ description: 'Also the definitions that each event changed. Not of one row.' })),
});
export type HistoryInput = Static<typeof input>;
const output = Type.Object({
  events: Type.Array(
    Type.Object({
      id: s.eventId,
      at: Type.String({ format: 'date-time' }),
      world: Type.String(),
      event: Type.String(),
      rows: s.count,
      branch: Type.Optional(worldNamed),
      into: Type.Optional(worldNamed),
      onto: Type.Optional(worldNamed),
      undoes: Type.Optional(s.eventId),
      by: Type.Optional(s.textOrNull),
      approval: Type.Optional(
        Type.Object(
          {
            way: Type.Union([Type.Literal('rules'), Type.Literal('none'), Type.Literal('approved'), Type.Literal('person')]),
            policy: s.textOrNull,
            by: s.textOrNull,
          },
          { description: "How the merge of an agent's world was let through: by the rules of its policy, without a policy, approved, or by a person." },
        ),
      ),
      definitions: Type.Optional(s.definitions),
      change: Type.Optional(Type.Union([Type.Literal('insert'), Type.Literal('update'), Type.Literal('delete')])),
      before: Type.Optional(s.recordOrNull),
      after: Type.Optional(s.recordOrNull),
      columns: Type.Optional(Type.Array(Type.String())),
      via: Type.Optional(s.eventId),
    }),
  ),
  next: s.textOrNull,
  since: s.textOrNull,
});
export type HistoryReply = Static<typeof output>;

const worldColumns: readonly ResultColumn[] = [
  ['at', 'timestamptz'],
  ['world', 'text'],
  ['event', 'text'],
  ['rows', 'int8'],
  ['branch', 'text'],
  ['into', 'text'],
  ['by', 'text'],
  ['id', 'text'],
  ['onto', 'text'],
  ['undoes', 'text'],
  ['approval', 'jsonb'],
];
const rowColumns: readonly ResultColumn[] = [
  ['at', 'timestamptz'],
  ['world', 'text'],
  ['event', 'text'],
  ['change', 'text'],
  ['before', 'jsonb'],
  ['after', 'jsonb'],
  ['columns', 'jsonb'],
  ['by', 'text'],
  ['branch', 'text'],
  ['into', 'text'],
  ['id', 'text'],
  ['via', 'text'],
  ['onto', 'text'],
  ['undoes', 'text'],
  ['approval', 'jsonb'],
];

export const historyOperation = defineOperation({
  name: 'history',
  summary: 'What happened in a world, or to one row of it, newest first.',
  description:
    'With `table` and `id`: who changed that row, when, from what to what, through merges into the worlds that wrote it; `via` names the event by which a write of another world came. `next` is the `before` of the page that follows, null on the last one; `since` says where history begins, null for the whole.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  rows: ({ table, id }) => table !== undefined || id !== undefined,
  mask: masked.tables(({ table }) => (table === undefined ? [] : [table])),
  errors: ['02000', '22007'],
  examples: [{ input: { branch: 'main', limit: 2 } }, { input: { table: 'users', id: 'ann' } }, { input: { limit: 1000, before: '#4711' } }],
  long: true,
  sql: { world: worldColumns, definitions: [...worldColumns, ['definitions', 'jsonb']], row: rowColumns },
  mcp: {
    title: 'Show history',
    description: 'What happened in a world, newest first. With table and id: who changed that row, when, from what to what, by which merge.',
    words: {
      branch: 'World; default main. Where it is read also name@when: main@-10m.',
      table: '',
      id: '',
      limit: 'Default 30, at most 1000.',
      before: 'Only events before this one (#42) or a moment.',
      after: '',
      definitions: 'Also what each event changed of tables, views, functions.',
    },
    page: {},
    bounded: ['limit'],
    asked: ({ limit = 30, ...given }) => {
      if (limit > EVENTS_MAX) throw new SvcError('22023', `history answers at most ${EVENTS_MAX} events`, { hint: 'Use the tool sql: SHOW HISTORY LIMIT n.' });
      return { ...given, limit };
    },
    text: historyText,
  },
  run: ({ services, input, by, control }) => historyOf(services.context, input, by, control),
});
