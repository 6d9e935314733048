/** In-memory quotas of agents. The owner, the guest and roles have none. */
import type { Quotas } from '../events/agent.ts';
import { describe, type Principal } from './principal.ts';

/** The principal's current quota; 0: off. */
export function quotaOf(principal: Principal, quota: keyof Quotas): number {
  return principal.kind === 'agent' ? (principal.agent.state?.quotas[quota] ?? 0) : 0;
}

/** Charges one write: a statement, a batch, a writing call. 53400 (429) if none is left. */
export function chargeWrite(principal: Principal): void {
  if (principal.kind !== 'agent') return;
  const perMinute = quotaOf(principal, 'writes_per_minute');
  if (perMinute > 0) principal.agent.usage.write(perMinute, performance.now(), describe(principal));
}

/** Begins a statement or request and returns its end; null if it is not counted. 53300 (429) if too many are running. */
export function enterRunning(principal: Principal): (() => void) | null {
  if (principal.kind !== 'agent') return null;
  const { usage } = principal.agent;
  const most = quotaOf(principal, 'max_concurrent');
  usage.enter(most, most === 0 ? '' : describe(principal));
  let over = false;
  return () => {
    if (over) return;
    over = true;
    usage.leave();
  };
}
