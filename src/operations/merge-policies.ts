/** `merge_policies`: Lists merge policies. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { policiesText } from './text/reviews.ts';

const input = s.input({ at: s.asOf });
export type MergePoliciesInput = Static<typeof input>;
const output = Type.Object({ policies: Type.Array(s.policy) });
export type MergePoliciesReply = Static<typeof output>;

export const mergePoliciesOperation = defineOperation({
  name: 'merge_policies',
  summary: 'Lists merge policies.',
  input,
  output,
  capability: 'read',
  effect: 'read',
  errors: ['22007'],
  examples: [{ input: {} }, { input: { at: '-10m' } }],
  sql: {
    result: [
      ['name', 'text'],
      ['max_rows', 'int8'],
      ['max_deletes', 'int8'],
      ['tables', 'jsonb'],
      ['review_tables', 'jsonb'],
      ['schema', 'bool'],
      ['overwrite', 'bool'],
      ['created', 'timestamptz'],
      ['rows_per_hour', 'int8'],
      ['deletes_per_hour', 'int8'],
      ['max_age', 'text'],
      ['review_columns', 'jsonb'],
      ['critical', 'bool'],
      ['check_reads', 'bool'],
      ['require_scope', 'bool'],
      ['strict', 'bool'],
      ['confirm_deletes_over', 'int8'],
      ['reviewer', 'text'],
    ],
  },
  mcp: {
    title: 'List merge policies',
    description: 'Rules under which merges of agents go through without a person.',
    fields: [],
    page: { offset: true },
    text: policiesText,
  },
  run: ({ services, input }) => services.governance.mergePolicies(input),
});
