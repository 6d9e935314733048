/** The owner of objects defined by a principal that is not a role. */
import { agentOwner, GUEST_OWNER, SAFE_OWNER } from '../base/agent-owner.ts';
import type { Principal } from './principal.ts';

/** Oid of the owner of what the principal defines; null: a role owns it. */
export function ownerOfPrincipal(principal: Principal): number | null {
  switch (principal.kind) {
    case 'agent':
      return agentOwner(principal.agent.id);
    case 'guest':
      return GUEST_OWNER;
    case 'safe':
      return SAFE_OWNER;
    default:
      return null;
  }
}
