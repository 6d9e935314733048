/** `readers`: Lists registered readers: dashboards and services outside that read tables. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({ at: s.asOf });
export type ReadersInput = Static<typeof input>;
const output = Type.Object({ readers: Type.Array(s.reader) });
export type ReadersReply = Static<typeof output>;

export const readersOperation = defineOperation({
  name: 'readers',
  summary: 'Lists registered readers: dashboards and services outside that read tables.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: ['22007'],
  examples: [{ input: {} }, { input: { at: '-10m' } }],
  sql: {
    result: [
      ['name', 'text'],
      ['table', 'text'],
      ['columns', 'jsonb'],
      ['kind', 'text'],
      ['critical', 'bool'],
      ['detail', 'text'],
      ['created', 'timestamptz'],
    ],
  },
  run: ({ services, input }) => services.governance.readers(input),
});
