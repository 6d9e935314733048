/** `agents`: All agents, never their tokens. */
import Type from 'typebox';
import type { AgentView } from '../commands/contract.ts';
import { agent } from './agent-schemas.ts';
import { defineOperation } from './define-operation.ts';
import * as s from './schemas.ts';

export const agentsOperation = defineOperation<object, { agents: AgentView[] }>({
  name: 'agents',
  summary: 'All agents, never their tokens.',
  description: 'In SQL, SHOW AGENTS needs `read` only.',
  input: s.input({}),
  output: Type.Object({ agents: Type.Array(agent) }),
  capability: 'admin',
  effect: 'read',
  errors: [],
  examples: [{ input: {} }],
  handler: (session) => session.commands.agents(),
});
