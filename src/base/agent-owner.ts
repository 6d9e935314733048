/**
 * Owners that are no roles: an agent, the guest, a session in safe mode. Each owns what it defines under an oid of its own, in every
 * world that the definition reaches. Agents' oids follow from their ids, so that an agent of the same name that comes later is
 * another owner. Roles count up from 16384 and never reach these.
 */
const FIRST_AGENT_OWNER = 0x8000_0000;
export const SAFE_OWNER = 0xffff_ffff;
export const GUEST_OWNER = 0xffff_fffe;
const RANGE = GUEST_OWNER - FIRST_AGENT_OWNER;

/** `id`: `a` and 16 hex digits. */
export function agentOwner(id: string): number {
  return FIRST_AGENT_OWNER + (Number.parseInt(id.slice(1, 9), 16) % RANGE);
}

export function isAgentOwner(oid: number): boolean {
  return oid >= FIRST_AGENT_OWNER;
}
