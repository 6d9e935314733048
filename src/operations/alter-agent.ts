/** `alter_agent`: Changes the fields of an agent that are given. */
import Type from 'typebox';
import type { AgentView, AlterAgentInput } from '../commands/contract.ts';
import { agent, agentFields } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const alterAgentOperation = defineOperation<AlterAgentInput, { agent: AgentView }>({
  name: 'alter_agent',
  summary: 'Changes the fields of an agent that are given.',
  description: 'It acts at the next request or statement. The token of a disabled agent does not work.',
  input: s.input({ ...agentFields, disabled: Type.Optional(Type.Boolean()) }),
  output: Type.Object({ agent }),
  capability: 'admin',
  effect: 'append',
  errors: ['42704'],
  examples: [{ input: { name: 'writer', disabled: true } }],
  handler: (session, input) => session.commands.alter_agent(input),
});
