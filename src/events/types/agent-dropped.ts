/** The agent is no more. */
import { defineEvent } from '../define-event.ts';

export interface AgentDropped {
  type: 'agentDropped';
  name: string;
}

export const agentDropped = defineEvent<AgentDropped>({
  type: 'agentDropped',
  number: 16,
  encode: (out, { name }) => out.text(name),
  decode: (from) => ({ type: 'agentDropped', name: from.text() }),
});
