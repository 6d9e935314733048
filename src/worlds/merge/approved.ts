/**
 * Owners after a merge: the approver takes ownership of objects that agents defined in the branch, so that they run with the
 * approver's rights from then on. A branch merged by its own agent keeps its owners and authors.
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

/** The principal that takes ownership; null: owners are kept, as the branch is merged by its owner. */
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

/** The definition with the approver as owner; undefined: it is dropped, having become redundant. */
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
