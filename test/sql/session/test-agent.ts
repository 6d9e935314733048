/** An agent that may everything, for tests of what agents see. */
import type { AgentState } from '../../../src/events/agent.ts';
import { AgentUsage } from '../../../src/session/agent-usage.ts';
import type { Principal } from '../../../src/session/principal.ts';

const STATE: AgentState = {
  id: 'a0123456789abcdef',
  name: 'helper',
  tokenHash: '',
  scram: '',
  can: ['read', 'fork', 'write_own', 'write', 'write_main', 'merge'],
  quotas: { max_worlds: 0, max_changes: 0, writes_per_minute: 0, world_ttl: 0, max_query_ms: 0, max_concurrent: 0, max_memory_mb: 0, max_idle_ms: 0 },
  policy: null,
  disabled: false,
  created: 0,
};
export const AGENT: Principal = { kind: 'agent', agent: { id: STATE.id, name: STATE.name, state: STATE, usage: new AgentUsage() } };
