/** `merge_policies`: Lists merge policies. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['merge_policies'];

export const mergePoliciesOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'merge_policies',
  summary: 'Lists merge policies.',
  input: s.input({}),
  output: Type.Object({ policies: Type.Array(s.policy) }),
  capability: 'read',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session, input) => session.commands.merge_policies(input),
});
