/** count(*) of ranges of a key or an index is the difference of two positions in its tree, at constant cost. */
import type { Plan } from '../logical.ts';
import { findAccess } from './access.ts';
import type { Statistics } from './statistics.ts';
import { conjuncts, hasSubquery, isVolatile } from './walk.ts';

export function countByAccess(plan: Plan, statistics: Statistics): Plan {
  if (plan.op !== 'aggregate' || plan.groups.length > 0 || plan.sets !== null || plan.aggregates.length === 0) return plan;
  if (!plan.aggregates.every((a) => a.fn.name === 'count' && a.args.length === 0 && a.filter === null)) return plan;
  let { input } = plan;
  while (input.op === 'project') input = input.input;
  if (input.op !== 'filter' || input.input.op !== 'scan' || input.input.access !== undefined) return plan;
  const predicates = conjuncts(input.predicate);
  if (predicates.some((e) => isVolatile(e) || hasSubquery(e))) return plan;
  const found = findAccess(input.input, predicates, statistics);
  if (found === null || predicates.some((e) => !found.implied.includes(e))) return plan;
  return { ...plan, input: { ...input.input, access: found.access } };
}
