import type { Plan } from '../plan/logical.ts';
export function produceJoin(_p: unknown, plan: Plan, _needed: unknown, _consume: unknown): void {
  throw new Error(`not yet: ${plan.op}`);
}
