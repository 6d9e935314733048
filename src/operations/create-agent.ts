/** `create_agent`: Makes an agent; its token is shown only in this reply. */
import Type, { type Static } from 'typebox';
import { agent, agentFields } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { createAgent } from '../commands/agents.ts';

const input = s.input(agentFields);
export type AgentInput = Static<typeof input>;
const output = Type.Object({ agent, token: Type.String({ description: '`svc_` and 64 hex digits.' }) });
export type CreateAgentReply = Static<typeof output>;

export const createAgentOperation = defineOperation({
  name: 'create_agent',
  summary: 'Makes an agent; its token is shown only in this reply.',
  description: 'The name of a dropped agent cannot be taken while it owns worlds (22023).',
  input,
  output,
  capability: 'admin',
  effect: 'grow',
  errors: ['42704', '42710', '53100'],
  examples: [{ input: { name: 'writer', can: ['read', 'fork', 'write_own', 'merge_own'], max_worlds: 5, world_ttl: 3_600_000 } }],
  sql: {
    result: [
      ['name', 'text'],
      ['id', 'text'],
      ['token', 'text'],
    ],
  },
  run: ({ services, input, by }) => createAgent(services.context, input, by),
});
