/** `agents`: All agents, never their tokens. */
import Type, { type Static } from 'typebox';
import { agent } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';
import { READ } from '../session/authorize.ts';
import { listAgents } from '../commands/agents.ts';

const input = s.input({ at: s.asOf });
export type AgentsInput = Static<typeof input>;
const output = Type.Object({ agents: Type.Array(agent) });
export type AgentsReply = Static<typeof output>;

export const agentsOperation = defineOperation({
  name: 'agents',
  summary: 'All agents, never their tokens.',
  description: 'In SQL, SHOW AGENTS needs `read` only.',
  input,
  output,
  capability: 'admin',
  effect: 'read',
  needs: { what: 'admin', as: 'list agents' },
  errors: ['22007'],
  examples: [{ input: {} }, { input: { at: '-10m' } }],
  sql: {
    result: [
      ['name', 'text'],
      ['id', 'text'],
      ['can', 'jsonb'],
      ['quotas', 'jsonb'],
      ['world_ttl', 'int8'],
      ['created', 'timestamptz'],
      ['disabled', 'bool'],
      ['limits', 'jsonb'],
    ],
  },
  run: ({ services, input }) => listAgents(services.context, input),
});

/** SHOW AGENTS. */
export const showAgentsOperation = defineOperation({ ...agentsOperation, name: 'show_agents', capability: 'read', needs: READ });
