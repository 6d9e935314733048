/** `alter_agent`: Changes the fields of an agent that are given. */
import Type, { type Static } from 'typebox';
import { agent, agentFields } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { alterAgent } from '../commands/agents.ts';

const input = s.input({ ...agentFields, disabled: Type.Optional(Type.Boolean()) });
export type AlterAgentInput = Static<typeof input>;
const output = Type.Object({ agent });
export type AlterAgentReply = Static<typeof output>;

export const alterAgentOperation = defineOperation({
  name: 'alter_agent',
  summary: 'Changes the fields of an agent that are given.',
  description: 'It acts at the next request or statement. The token of a disabled agent does not work.',
  input,
  output,
  capability: 'admin',
  effect: 'write',
  errors: ['42704'],
  examples: [{ input: { name: 'writer', disabled: true } }],
  run: ({ services, input, by }) => alterAgent(services.context, input, by),
});
