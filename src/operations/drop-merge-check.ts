/** `drop_merge_check`: Drops a merge check. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['drop_merge_check'];

export const dropMergeCheckOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'drop_merge_check',
  summary: 'Drops a merge check.',
  input: s.input({ name: s.ruleName }),
  output: Type.Object({ ok: s.ok }),
  capability: 'admin',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { name: 'no_negative_stock' } }],
  handler: (session, input) => session.commands.drop_merge_check(input),
});
