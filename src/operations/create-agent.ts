/** `create_agent`: Makes an agent; its token is shown only in this reply. */
import Type from 'typebox';
import type { AgentInput, AgentView } from '../commands/contract.ts';
import { agent, agentFields } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const createAgentOperation = defineOperation<AgentInput, { agent: AgentView; token: string }>({
  name: 'create_agent',
  summary: 'Makes an agent; its token is shown only in this reply.',
  description: 'The name of a dropped agent cannot be taken while it owns worlds (22023).',
  input: s.input(agentFields),
  output: Type.Object({ agent, token: Type.String({ description: '`svc_` and 64 hex digits.' }) }),
  capability: 'admin',
  effect: 'append',
  errors: ['42704', '42710', '53100'],
  examples: [{ input: { name: 'writer', can: ['read', 'fork', 'write_own', 'merge_own'], max_worlds: 5, world_ttl: 3_600_000 } }],
  handler: (session, input) => session.commands.create_agent(input),
});
