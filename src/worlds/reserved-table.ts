/**
 * The contract's name for the table of agents. Agents are stored outside of worlds, so no world has such a table; the name is
 * refused everywhere, so that it is not mistaken for another table.
 */
import { SvcError } from '../base/errors/svc-error.ts';

const AGENTS = '_svc_agents';

/** `name` with or without a schema. */
export function isReserved(name: string): boolean {
  return name.endsWith(AGENTS) && (name.length === AGENTS.length || name[name.length - AGENTS.length - 1] === '.');
}

/** 42501. */
export function refuseReserved(name: string): void {
  if (!isReserved(name)) return;
  throw new SvcError('42501', `permission denied for table ${AGENTS}`, { hint: 'Use SHOW AGENTS, CREATE AGENT, ALTER AGENT and DROP AGENT.' });
}
