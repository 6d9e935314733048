/** Quotas of agents that are counted in memory. The owner, the guest and roles have none. */
import type { Quotas } from '../events/agent.ts';
import { describe, type Principal } from './principal.ts';

/** A quota of the principal as it is now; 0: off. */
export function quotaOf(principal: Principal, quota: keyof Quotas): number {
  return principal.kind === 'agent' ? (principal.agent.state?.quotas[quota] ?? 0) : 0;
}

/** Takes one write of the minute's: a statement, a batch, a call that writes. 53400 (429) where none is left. */
export function chargeWrite(principal: Principal): void {
  if (principal.kind !== 'agent') return;
  const perMinute = quotaOf(principal, 'writes_per_minute');
  if (perMinute > 0) principal.agent.usage.write(perMinute, performance.now(), describe(principal));
}

/** Begins a statement or request, and gives what ends it; null where nothing is counted. 53300 (429) where too many run. */
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
