/**
 * Defers scalar subqueries of a select list above LIMIT, if the order does not depend on them, so that they run only for the
 * remaining rows:
 *
 *   LIMIT 10 ◄ sort by a ◄ a, (SELECT …)   →   a, (SELECT …) ◄ LIMIT 10 ◄ sort by a ◄ a
 */
import type { ColumnId } from '../bound.ts';
import type { LimitPlan, OutputColumn, Plan, ProjectPlan, SortPlan } from '../logical.ts';
import { columnsOf, hasSubquery, isVolatile, onlyLeavesOut, useOf } from './walk.ts';

type Item = ProjectPlan['items'][number];

export function deferSubqueries(plan: Plan): Plan {
  if (plan.op !== 'limit' || plan.limit === null || plan.ties !== null) return plan;
  const sorts: SortPlan[] = [];
  let p = plan.input;
  for (; p.op === 'sort' || (p.op === 'project' && onlyLeavesOut(p)); p = p.input) if (p.op === 'sort') sorts.push(p);
  if (p.op !== 'project') return plan;
  const sortedBy = new Set<ColumnId>();
  for (const { keys } of sorts) for (const { value } of keys) columnsOf(value, sortedBy);
  const late = p.items.filter(({ id, value }) => !sortedBy.has(id) && hasSubquery(value) && !isVolatile(value));
  return late.length === 0 ? plan : apart(plan, sorts, p, late);
}

function apart(limit: LimitPlan, sorts: readonly SortPlan[], project: ProjectPlan, late: readonly Item[]): Plan {
  const soon = project.items.filter((item) => !late.includes(item));
  const given = new Set(soon.map(({ id }) => id));
  const read = new Set<ColumnId>();
  for (const { value } of late) columnsOf(value, read);
  const more = project.input.columns.filter(({ id }) => read.has(id) && !given.has(id));
  const columns = [...project.columns.filter(({ id }) => given.has(id)), ...more];
  let made: Plan = { ...project, items: [...soon, ...more.map(passed)], columns };
  for (const sort of [...sorts].reverse()) made = { ...sort, input: made, columns };
  const values = new Map(late.map((item) => [item.id, item]));
  return {
    op: 'project',
    input: { ...limit, input: made, columns },
    items: limit.columns.map((column) => values.get(column.id) ?? passed(column)),
    columns: limit.columns,
  };
}

function passed(column: OutputColumn): Item {
  return { id: column.id, value: useOf(column) };
}
