/** `drop_merge_check`: Drops a merge check. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { quoteIdentifier } from '../base/quote-identifier.ts';
import { draftReads } from './draft.ts';

const input = s.input({ name: s.ruleName });
export type DropMergeCheckInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok });
export type DropMergeCheckReply = Static<typeof output>;

export const dropMergeCheckOperation = defineOperation({
  name: 'drop_merge_check',
  summary: 'Drops a merge check.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  effectOf: draftReads,
  errors: ['42704'],
  examples: [{ input: { name: 'no_negative_stock' } }],
  mcp: {
    title: 'Drop a merge check',
    description: 'Drops a check. Needs admin; in safe mode it drafts the SQL.',
    words: { name: '' },
    destructive: true,
    text: (_reply, { given: { name } }) => `dropped check ${name}`,
    draft: (_reply, { given: { name } }) => [`DROP MERGE CHECK ${quoteIdentifier(name)}`],
  },
  run: ({ services, input, by, control }) => services.governance.dropMergeCheck(input, by, control.draft),
});
