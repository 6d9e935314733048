/**
 * The first rows by the key of range partitions: each range is sorted separately, in the order of the ranges, and none is read once
 * there are enough rows.
 *
 *   limit(sort(append(p1, p2 …))) ──► limit(append(sort(p1), sort(p2) …))
 */
import type { BoundSort, ColumnId } from '../bound.ts';
import type { AppendPlan, LimitPlan, Plan, SortPlan } from '../logical.ts';
import { withInputs } from './rewrite.ts';
import { boundsOf, isVolatile } from './walk.ts';

export function appendInOrder(plan: Plan): Plan {
  if (plan.op !== 'limit' || plan.ties !== null || plan.limit === null) return plan;
  const input = sorted(plan.input, plan);
  return input === null ? plan : { ...plan, input };
}

function sorted(plan: Plan, limit: LimitPlan): Plan | null {
  if (plan.op === 'project' && !plan.items.some((item) => isVolatile(item.value))) {
    const input = sorted(plan.input, limit);
    return input === null ? null : { ...plan, input };
  }
  if (plan.op !== 'sort' || plan.keys.length === 0 || plan.top !== undefined) return null;
  const append = appendUnder(plan.input);
  if (append?.ranges === undefined || !follows(plan.keys, plan.input, append.ranges.keys)) return null;
  const parts = append.ranges.ends.map((end, i, ends) => partOf(append, i === 0 ? 0 : ends[i - 1], end));
  if (parts.length < 2) return null;
  if (plan.keys[0].descending) parts.reverse();
  const top: SortPlan['top'] = { limit: limit.limit, offset: limit.offset };
  const inputs = parts.map((part): Plan => ({ ...plan, input: over(plan.input, append, part), top }));
  return { op: 'append', inputs, columns: plan.columns, prune: null };
}

/** The append below whose rows, possibly filtered, are the plan's. */
function appendUnder(plan: Plan): AppendPlan | null {
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') {
    if (boundsOf(p).some(isVolatile)) return null;
    p = p.input;
  }
  return p.op === 'append' ? p : null;
}

/** Whether the ranges are in this order. */
function follows(sorts: readonly BoundSort[], input: Plan, keys: readonly ColumnId[]): boolean {
  const { descending } = sorts[0];
  // Further sort keys after the partition key do not matter, since ranges have no keys in common.
  const counted = sorts.slice(0, keys.length);
  return counted.every(({ value, descending: own }, i) => own === descending && value.kind === 'column' && columnBelow(value.id, input) === keys[i]);
}

/** The append's column behind a column of the plan; null if it is computed. */
function columnBelow(id: ColumnId, plan: Plan): ColumnId | null {
  let at = id;
  for (let p = plan; p.op === 'filter' || p.op === 'project'; p = p.input) {
    if (p.op === 'filter') continue;
    const own = at;
    const value = p.items.find((item) => item.id === own)?.value;
    if (value?.kind !== 'column') return null;
    at = value.id;
  }
  return at;
}

function over(plan: Plan, append: AppendPlan, part: Plan): Plan {
  if (plan === append) return part;
  return withInputs(plan, [over((plan as Plan & { op: 'filter' }).input, append, part)]);
}

/** Inputs [from, end) of an append. */
function partOf(append: AppendPlan, from: number, end: number): Plan {
  const { inputs, columns, prune } = append;
  if (prune === null && end - from === 1) return inputs[from];
  const own = prune === null ? null : { ...prune, kept: (values: Parameters<typeof prune.kept>[0]): readonly boolean[] => prune.kept(values).slice(from, end) };
  return { op: 'append', inputs: inputs.slice(from, end), columns, prune: own };
}
