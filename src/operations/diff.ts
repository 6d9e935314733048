/** `diff`: What a world changed since its fork point, or against another state. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { diffText } from './text/diff.ts';
import { diffWorlds } from '../commands/diff.ts';
import * as masked from './masking.ts';

const input = s.input({
  branch: s.branch,
  to: Type.Optional(Type.String({ minLength: 1, description: 'Compare `branch` (before) with this state (after).' })),
  sql: Type.Optional(Type.Boolean({ description: 'Answer the statements that make the change.' })),
  count: Type.Optional(Type.Boolean({ description: 'Answer counts.' })),
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  after: Type.Optional(s.key),
  deletes: Type.Optional(Type.Boolean({ description: 'true: only deleted rows; false: only the others.' })),
  readers: Type.Optional(Type.Boolean({ description: 'Also list the readers of the changes, for the whole diff, and which kinds of readers were analysed.' })),
  version: Type.Optional(s.version),
});
export type DiffInput = Static<typeof input>;
const output = Type.Object({
  changes: Type.Optional(Type.Array(s.change)),
  next: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  sql: Type.Optional(Type.Array(Type.String())),
  total: Type.Optional(s.count),
  tables: Type.Optional(Type.Record(Type.String(), s.count)),
  summary: Type.Optional(s.summary),
  effects: Type.Optional(Type.Array(s.effect)),
  definitions: Type.Optional(s.definitions),
  readers: Type.Optional(s.readersOf),
  coverage: Type.Optional(s.coverage),
  version: Type.Optional(s.version),
});
export type DiffReply = Static<typeof output>;

export const diffOperation = defineOperation({
  name: 'diff',
  summary: 'What a world changed since its fork point, or against another state.',
  input,
  output,
  fieldAliases: { as_sql: 'sql' },
  capability: 'read',
  effect: 'read',
  rows: true,
  mask: masked.diff,
  errors: ['22007', '40001'],
  examples: [{ input: { branch: 'draft', limit: 100 } }, { input: { branch: 'main@-1h', to: 'main', count: true } }],
  long: true,
  sql: {
    result: [
      ['key', 'text'],
      ['change', 'text'],
      ['before', 'jsonb'],
      ['after', 'jsonb'],
      ['columns', 'jsonb'],
    ],
    count: [
      ['table', 'text'],
      ['changed', 'int8'],
    ],
    sql: [['sql', 'text']],
    readers: [
      ['table', 'text'],
      ['columns', 'jsonb'],
      ['kind', 'text'],
      ['reader', 'text'],
      ['detail', 'text'],
    ],
  },
  mcp: {
    title: 'Show changes',
    description:
      'What a world changed since its fork point, or from `branch` to the state `to`: counts per table, then changed rows with before and after. Look before you merge.',
    fields: ['branch', 'to', 'as_sql', 'readers', 'count', 'after'],
    words: {
      branch: '',
      to: 'Default: none, the diff since the fork point. Also name@when.',
      as_sql: 'Statements that make the change.',
      readers: 'Who reads what changed.',
      count: 'Only counts.',
      after: 'Key of the last row seen.',
    },
    required: ['branch'],
    page: { limit: 20, offset: true },
    asked: (given) => (given.sql === true ? { branch: given.branch, to: given.to, sql: true } : { ...given, count: true }),
    text: diffText,
  },
  run: ({ services, input, by, control }) => diffWorlds(services.context, input, by, services.guard, control),
});
