/** `drop_merge_policy`: Drops a merge policy. */
import Type, { type Static } from 'typebox';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { quoteIdentifier } from '../base/quote-identifier.ts';
import { draftReads } from './draft.ts';

const input = s.input({
  name: s.ruleName,
  release_agents: Type.Optional(Type.Boolean({ description: 'Take its agents from under it; else it is refused while there are any.' })),
});
export type DropMergePolicyInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok });
export type DropMergePolicyReply = Static<typeof output>;

export const dropMergePolicyOperation = defineOperation({
  name: 'drop_merge_policy',
  summary: 'Drops a merge policy.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  effectOf: draftReads,
  errors: ['2BP01', '42704'],
  examples: [{ input: { name: 'careful', release_agents: true } }],
  mcp: {
    title: 'Drop a merge policy',
    description: 'Drops a policy. Needs admin; in safe mode it drafts the SQL.',
    words: { name: '', release_agents: 'Take its agents from under it.' },
    destructive: true,
    text: (_reply, { given: { name } }) => `dropped policy ${name}`,
    draft: (_reply, { given: { name, release_agents } }) => [`DROP MERGE POLICY ${quoteIdentifier(name)}${release_agents === true ? ' RELEASE AGENTS' : ''}`],
  },
  run: ({ services, input, by, control }) => services.governance.dropMergePolicy(input, by, control.draft),
});
