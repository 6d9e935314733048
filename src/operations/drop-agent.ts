/** `drop_agent`: Drops an agent: its token stops, its worlds stay its own. */
import Type, { type Static } from 'typebox';
import { agentName } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { dropAgent } from '../commands/agents.ts';

const input = s.input({ name: agentName });
export type DropAgentInput = Static<typeof input>;
const output = Type.Object({ ok: s.ok });
export type DropAgentReply = Static<typeof output>;

export const dropAgentOperation = defineOperation({
  name: 'drop_agent',
  summary: 'Drops an agent: its token stops, its worlds stay its own.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: ['42704'],
  examples: [{ input: { name: 'writer' }, output: { ok: true } }],
  run: ({ services, input, by }) => dropAgent(services.context, input, by),
});
