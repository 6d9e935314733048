/**
 * The name under which the contract knows the agents. They are kept beside all worlds, so there is no such table in any;
 * the name is refused wherever it is used, so that nobody takes another table for it.
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
