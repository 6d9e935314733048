/** `drop_agent`: Drops an agent: its token stops, its worlds stay its own. */
import Type from 'typebox';
import { agentName } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const dropAgentOperation = defineOperation<{ name: string }, { ok: true }>({
  name: 'drop_agent',
  summary: 'Drops an agent: its token stops, its worlds stay its own.',
  input: s.input({ name: agentName }),
  output: Type.Object({ ok: s.ok }),
  capability: 'admin',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { name: 'writer' }, output: { ok: true } }],
  handler: (session, input) => session.commands.drop_agent(input),
});
