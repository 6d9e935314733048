import type { Compilation, Rows } from './compilation.ts';
import type { Plan } from '../plan/logical.ts';
export function openSetOperation(_c: Compilation, plan: Plan): Rows {
  throw new Error(`not yet: ${plan.op}`);
}
