/** `merge_outcomes`: What became of agents' worlds, by agent or by policy. For the database's own user. */
import Type from 'typebox';
import type { GovernanceCommands } from '../commands/contract.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

type Call = GovernanceCommands['merge_outcomes'];

export const mergeOutcomesOperation = defineOperation<Parameters<Call>[0], Awaited<ReturnType<Call>>>({
  name: 'merge_outcomes',
  summary: "What became of agents' worlds, by agent or by policy. For the database's own user.",
  input: s.input({
    by: Type.Optional(Type.Union([Type.Literal('agent'), Type.Literal('policy')], { description: 'Default `agent`.' })),
  }),
  output: Type.Object({ since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]), outcomes: Type.Array(s.mergeOutcomes) }),
  capability: 'admin',
  effect: 'read',
  errors: ['42501'],
  examples: [{ input: { by: 'policy' } }],
  handler: (session, input) => session.commands.merge_outcomes(input),
});
