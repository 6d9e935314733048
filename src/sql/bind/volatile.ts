/** Whether an expression or plan is volatile. */
import type { Bound } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { mapPlan } from './plan-map.ts';
import { boundsOf } from '../plan/rules/walk.ts';
import { anyIn } from './walk.ts';

export function isVolatile(value: Bound): boolean {
  return anyIn(value, (each) => {
    if (each.kind === 'call') return each.fn.volatility === 'volatile';
    return (each.kind === 'exists' || each.kind === 'subquery' || each.kind === 'arrayQuery' || each.kind === 'quantifiedQuery') && hasVolatile(each.plan);
  });
}

export function hasVolatile(plan: Plan): boolean {
  let found = false;
  mapPlan(plan, (each) => {
    if (each.op === 'lock') found = true;
    if (boundsOf(each).some(isVolatile)) found = true;
    if (each.op === 'functionScan' || each.op === 'projectSet') {
      if (each.functions.some(({ call }) => call.fn.volatility === 'volatile')) found = true;
    }
    return null;
  });
  return found;
}
