/** Inlines a function in FROM that returns one value: `FROM docs, to_tsquery('cat') q WHERE text @@ q` can then use an index. */
import type { Bound } from '../bound.ts';
import type { FunctionScanPlan, JoinPlan, Plan } from '../logical.ts';
import { folded } from './fold.ts';
import { conjuncts, hasSubquery, isVolatile, useOf } from './walk.ts';
import { filtered } from './rewrite.ts';

export function oneRowFunctions(plan: Plan): Plan {
  if (plan.op !== 'join' || plan.kind !== 'inner') return plan;
  return withValue(plan, plan.left, plan.right) ?? withValue(plan, plan.right, plan.left) ?? plan;
}

function withValue(join: JoinPlan, rows: Plan, one: Plan): Plan | null {
  const value = one.op === 'functionScan' ? valueOf(one) : null;
  // If the other side references its column, it must exist.
  if (value === null || (join.lateral && one === join.left)) return null;
  const items = join.columns.map((column) => ({ id: column.id, value: column.id === one.columns[0].id ? value : useOf(column) }));
  return filtered({ op: 'project', input: rows, items, columns: join.columns }, join.on === null ? [] : conjuncts(join.on));
}

function valueOf({ functions, ordinality, columns }: FunctionScanPlan): Bound | null {
  if (functions.length !== 1 || ordinality !== null || columns.length !== 1) return null;
  const { fn, args, type } = functions[0].call;
  // A user-defined function may take long, and would run for each row.
  if (fn.kind !== 'scalar' || fn.user !== undefined || type.oid !== columns[0].type.oid || type.category === 'C' || type.name === 'record') return null;
  const call: Bound = { kind: 'call', fn, proc: fn.name, args, type, typmod: columns[0].typmod };
  return isVolatile(call) || hasSubquery(call) ? null : folded(call);
}
