/** `merge_checks`: Lists merge checks: queries whose rows make a merge fail. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { continueFrom } from './text/page.ts';
import { textTable } from './text/table.ts';

const input = s.input({ at: s.asOf });
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
  errors: ['22007'],
  examples: [{ input: {} }, { input: { at: '-10m' } }],
  sql: {
    result: [
      ['name', 'text'],
      ['tables', 'jsonb'],
      ['timeout_ms', 'int8'],
      ['query', 'text'],
      ['created', 'timestamptz'],
    ],
  },
  mcp: {
    title: 'List merge checks',
    description: 'Queries over the result of a merge; rows they find refuse it.',
    fields: [],
    page: { offset: true },
    text: ({ checks }, { page: { offset, room } }) =>
      textTable(
        ['name', 'tables', 'timeout_ms', 'query', 'created'],
        checks
          .slice(offset)
          .map((check) => [check.name, check.tables.length === 0 ? undefined : check.tables.join(', '), check.timeout_ms, check.query, check.created]),
        { more: continueFrom(offset), room },
      ),
  },
  run: ({ services, input }) => services.governance.mergeChecks(input),
});
