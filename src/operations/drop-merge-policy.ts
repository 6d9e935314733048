/** `drop_merge_policy`: Drops a merge policy. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['drop_merge_policy'];

export const dropMergePolicyOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'drop_merge_policy',
  summary: 'Drops a merge policy.',
  input: s.input({
    name: s.ruleName,
    release_agents: Type.Optional(Type.Boolean({ description: 'Take its agents from under it; else it is refused while there are any.' })),
  }),
  output: Type.Object({ ok: s.ok }),
  capability: 'admin',
  effect: 'append',
  errors: ['2BP01', '42704'],
  examples: [{ input: { name: 'careful', release_agents: true } }],
  handler: (session, input) => session.commands.drop_merge_policy(input),
});
