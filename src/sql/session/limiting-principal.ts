/** The principal whose rights limit code written by an agent, the guest or a session in safe mode. */
import { agentOwner, GUEST_OWNER, SAFE_OWNER } from '../../base/agent-owner.ts';
import { AgentUsage } from '../../session/agent-usage.ts';
import type { AgentStates } from '../../session/agent-directory.ts';
import { GUEST, type Principal } from '../../session/principal.ts';

/** Code of a session in safe mode outlives the session, which alone knew its forks. */
const SAFE: Principal = { kind: 'safe', forked: new Set() };

/** Quotas of an agent limit its own statements, not those of callers of its code. */
const UNUSED = new AgentUsage();

/** An agent that was dropped, or whose name another has now, has no rights. */
export function limitingPrincipal(agents: Pick<AgentStates, 'byName'>, owner: number, name: string): Principal {
  if (owner === GUEST_OWNER) return GUEST;
  if (owner === SAFE_OWNER) return SAFE;
  const state = agents.byName(name);
  return { kind: 'agent', agent: { id: '', name, state: state !== null && agentOwner(state.id) === owner ? state : null, usage: UNUSED } };
}
