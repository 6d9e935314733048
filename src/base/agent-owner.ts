/**
 * Owners that are not roles: an agent, the guest, a session in safe mode. Each owns what it defines under an oid of its own,
 * in every world that the definition reaches. Agents' oids derive from their ids, so that a later agent of the same name is
 * another owner. Oids of roles count up from 16384 and never get here.
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
