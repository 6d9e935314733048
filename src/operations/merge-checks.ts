/** `merge_checks`: Lists merge checks: queries whose rows make a merge fail. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

const input = s.input({});
export type MergeChecksInput = Static<typeof input>;
const output = Type.Object({ checks: Type.Array(s.mergeCheck) });
export type MergeChecksReply = Static<typeof output>;

export const mergeChecksOperation = defineOperation({
  name: 'merge_checks',
  summary: 'Lists merge checks: queries whose rows make a merge fail.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  sql: {
    result: [
      ['name', 'text'],
      ['tables', 'jsonb'],
      ['timeout_ms', 'int8'],
      ['query', 'text'],
      ['created', 'timestamptz'],
    ],
  },
  run: ({ services }) => services.governance.mergeChecks(),
});
