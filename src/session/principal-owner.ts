/** Under which owner a principal that is no role defines things. */
import { agentOwner, GUEST_OWNER, SAFE_OWNER } from '../base/agent-owner.ts';
import type { Principal } from './principal.ts';

/** Oid under which the principal owns what it defines; null: a role owns it. */
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
