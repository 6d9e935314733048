/**
 * The first rows of a UNION ALL are among the first of each of its inputs:
 *
 *   LIMIT 5 ◄ sort ◄ a ∪ b   →   LIMIT 5 ◄ sort ◄ (LIMIT 5 ◄ sort ◄ a) ∪ (LIMIT 5 ◄ sort ◄ b)
 */
import type { Bound, BoundSort, ColumnId } from '../bound.ts';
import type { LimitPlan, Plan, SetOperationPlan } from '../logical.ts';
import { whole, type Whole } from '../../types/value.ts';
import { columnsOfSide, substitute, withInputs } from './rewrite.ts';
import { hasSubquery, isVolatile } from './walk.ts';

export function topOfUnion(plan: Plan): Plan {
  if (plan.op !== 'limit' || plan.ties !== null || plan.input.op !== 'sort') return plan;
  const most = rowsOf(plan);
  const { keys } = plan.input;
  if (most === null || keys.some(({ value }) => isVolatile(value) || hasSubquery(value))) return plan;
  const input = within(plan.input.input, keys, most);
  return input === null ? plan : { ...plan, input: { ...plan.input, input } };
}

/** The sum of LIMIT and OFFSET; null if it is not constant. */
function rowsOf({ limit, offset }: LimitPlan): Bound | null {
  if (limit === null || offset === null) return limit;
  if (limit.kind !== 'constant' || offset.kind !== 'constant' || limit.value === null) return null;
  return { ...limit, value: whole(BigInt(limit.value as Whole) + BigInt((offset.value ?? 0) as Whole)) };
}

function within(plan: Plan, keys: readonly BoundSort[], most: Bound): Plan | null {
  if (plan.op === 'project') {
    if (plan.items.some(({ value }) => isVolatile(value) || hasSubquery(value))) return null;
    const input = within(plan.input, replaced(keys, new Map(plan.items.map(({ id, value }) => [id, value]))), most);
    return input === null ? null : withInputs(plan, [input]);
  }
  if (plan.op !== 'setOperation' || plan.operator !== 'union' || !plan.all) return null;
  return { ...plan, left: part(plan, plan.left, keys, most), right: part(plan, plan.right, keys, most) };
}

function part(union: SetOperationPlan, input: Plan, keys: readonly BoundSort[], most: Bound): Plan {
  const sorts = replaced(keys, columnsOfSide(union, input));
  const { columns } = input;
  return within(input, sorts, most) ?? { op: 'limit', input: { op: 'sort', input, keys: sorts, columns }, limit: most, offset: null, ties: null, columns };
}

function replaced(keys: readonly BoundSort[], by: ReadonlyMap<ColumnId, Bound>): BoundSort[] {
  return keys.map((key) => ({ ...key, value: substitute(key.value, by) }));
}
