/**
 * A few rows joined with a grouped subquery by its group keys: each row looks up its own group by a key or an index, instead of
 * computing all groups.
 *
 *   x LEFT JOIN (SELECT k, count(*) FROM t GROUP BY k) g ON g.k = x.id   →   for each x: … FROM t WHERE k = x.id GROUP BY k
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { JoinPlan, Plan } from '../logical.ts';
import { findAccess, lookupCost } from './access.ts';
import { costGrouped, RUN_COST, scanBelow } from './decorrelate.ts';
import { estimateRows } from './estimate.ts';
import { pushDown } from './pushdown.ts';
import { filtered } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, conjuncts, isEquality, isLateral, isVolatile, planIsVolatile } from './walk.ts';

export function groupsByOuter(plan: Plan, statistics: Statistics): Plan {
  if (plan.op !== 'join' || plan.on === null || isLateral(plan) || isVolatile(plan.on)) return plan;
  if (plan.kind === 'left') return asked(plan, statistics) ?? plan;
  if (plan.kind === 'right') return asked({ ...plan, kind: 'left', left: plan.right, right: plan.left }, statistics) ?? plan;
  if (plan.kind !== 'inner') return plan;
  return asked(plan, statistics) ?? asked({ ...plan, left: plan.right, right: plan.left }, statistics) ?? plan;
}

/** The join with its right side computed per row of the left; null if it has no groups, or computing all of them is cheaper. */
function asked(join: JoinPlan, statistics: Statistics): Plan | null {
  const grouped = groupedBelow(join.right);
  if (grouped === null || planIsVolatile(join.right)) return null;
  const own = new Set(join.right.columns.map(({ id }) => id));
  const keys = conjuncts(join.on!).filter((e) => isKey(e, own));
  if (keys.length === 0) return null;
  const right = pushDown(filtered(join.right, keys));
  const below = scanBelow(groupedBelow(right)!);
  const found = below === null ? null : findAccess(below.scan, below.predicates, statistics);
  if (below === null || found === null || !found.access.equal.some((e) => columnsOf(e).size > 0)) return null;
  const each = estimateRows(join.left, statistics) * (RUN_COST + lookupCost(below.scan, found, statistics));
  return each < costGrouped(grouped, statistics) ? { ...join, right, lateral: true } : null;
}

/** `column = …`, in which only the column belongs to the right side. */
function isKey(e: Bound, own: ReadonlySet<ColumnId>): boolean {
  if (!isEquality(e)) return false;
  const at = e.args.findIndex((arg) => arg.kind === 'column' && own.has(arg.id));
  return at >= 0 && [...columnsOf(e.args[1 - at])].every((id) => !own.has(id)) && columnsOf(e.args[1 - at]).size > 0;
}

/** The aggregate below filters and projections; null if there is none. */
function groupedBelow(plan: Plan): Plan | null {
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') p = p.input;
  return p.op === 'aggregate' && p.groups.length > 0 && p.sets === null ? p.input : null;
}
