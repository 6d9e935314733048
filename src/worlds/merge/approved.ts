/**
 * What a merge makes of owners: who approves it takes over what agents defined in the branch, so that it runs with that person's
 * rights from then on. A branch that its own agent merges brings its owners and authors along.
 */
import { agentOwner, isAgentOwner } from '../../base/agent-owner.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import type { Principal } from '../../session/principal.ts';
import type { CatalogObject } from '../definition.ts';

export interface Approver {
  /** Oid of a role or an agent's owner. */
  readonly owner: number;
  readonly name: string;
}

/** Who takes over what the branch defined; null: nobody, it is merged by whom it belongs to. */
export function approverOf(by: Principal, branchOwner: string | null): Approver | null {
  switch (by.kind) {
    case 'owner':
    case 'system':
      return { owner: OWNER_ROLE, name: '' };
    case 'role':
      return { owner: by.oid, name: by.name };
    case 'agent':
      return by.agent.name === branchOwner ? null : { owner: agentOwner(by.agent.id), name: by.agent.name };
    default:
      return null;
  }
}

/** The definition as the approver has it; undefined: it says nothing any more. */
export function approved(object: CatalogObject, { owner, name }: Approver): CatalogObject | undefined {
  const own = (oid: number): number => (isAgentOwner(oid) ? owner : oid);
  switch (object.what) {
    case 'author':
      return isAgentOwner(owner) ? { ...object, by: owner, name } : undefined;
    case 'rights':
      if (!isAgentOwner(object.owner)) return object;
      return owner === OWNER_ROLE && !object.explicit ? undefined : { ...object, owner };
    case 'grant':
      return { ...object, grantor: own(object.grantor), grantee: own(object.grantee) };
    case 'default rights':
      return isAgentOwner(object.role) ? undefined : object;
    default:
      return object;
  }
}
