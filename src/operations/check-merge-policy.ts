/** `check_merge_policy`: Tries rules on a branch's real changes; saves nothing. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['check_merge_policy'];

export const checkMergePolicyOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'check_merge_policy',
  summary: "Tries rules on a branch's real changes; saves nothing.",
  input: s.input({
    branch: s.requiredBranch,
    name: Type.Optional(s.ruleName),
    rules: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Rules over those of the named policy, or over the defaults.' })),
  }),
  output: Type.Object({ passes: Type.Boolean(), reasons: s.reasons, rows: s.count, deletes: s.count }),
  capability: 'read',
  effect: 'read',
  errors: ['42704'],
  examples: [{ input: { branch: 'draft', rules: { max_rows: 10 } } }],
  handler: (session, input) => session.commands.check_merge_policy(input),
});
