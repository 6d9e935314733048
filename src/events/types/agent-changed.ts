/** The agent's new state: created or altered. */
import type { AgentState } from '../agent.ts';
import { defineEvent } from '../define-event.ts';

export interface AgentChanged {
  type: 'agentChanged';
  agent: AgentState;
}

export const agentChanged = defineEvent<AgentChanged>({
  type: 'agentChanged',
  number: 15,
  encode: (out, { agent }) => out.text(JSON.stringify(agent)),
  decode: (from) => ({ type: 'agentChanged', agent: JSON.parse(from.text()) as AgentState }),
});
