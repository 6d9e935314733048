import type { Compilation, Rows } from './compilation.ts';
import type { Plan } from '../plan/logical.ts';
export function openInsert(_c: Compilation, plan: Plan, _needed?: unknown): Rows {
  throw new Error(`not yet: ${plan.op}`);
}
export const openUpdate = openInsert,
  openDelete = openInsert;
