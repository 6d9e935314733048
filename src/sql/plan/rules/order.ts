/** Sorts that need not be: rows that come in order already, and sorts of which only the first rows are wanted. */
import type { BoundSort } from '../bound.ts';
import type { Access, LimitPlan, Plan, ScanPlan } from '../logical.ts';
import type { Index } from '../../schema/table.ts';
import { rowCost } from './access.ts';
import { estimateRows } from './estimate.ts';
import { withInputs } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { inputsOf, isVolatile } from './walk.ts';

/** LIMIT over a sort tells the sort. */
export function topOfSort(plan: Plan): Plan {
  if (plan.op !== 'limit' || plan.ties !== null || plan.limit === null) return plan;
  const input = told(plan.input, plan);
  return input === null ? plan : { ...plan, input };
}

function told(plan: Plan, limit: LimitPlan): Plan | null {
  if (plan.op === 'sort' && plan.top === undefined) return { ...plan, top: { limit: limit.limit, offset: limit.offset } };
  if (plan.op === 'project' && !plan.items.some((item) => isVolatile(item.value))) {
    const input = told(plan.input, limit);
    return input === null ? null : { ...plan, input };
  }
  return null;
}

/** A sort by the key's columns, or by an index's where few rows are wanted, reads the rows in that order instead. */
export function sortByAccess(plan: Plan, statistics: Statistics): Plan {
  if (plan.op !== 'sort') return plan;
  const wanted =
    plan.top?.limit?.kind === 'constant'
      ? Number(plan.top.limit.value ?? Infinity) + (plan.top.offset?.kind === 'constant' ? Number(plan.top.offset.value ?? 0) : 0)
      : Infinity;
  const found = scanUnder(plan.input);
  if (found === null) return plan;
  const input = inOrder(plan.input, found, plan.keys, wanted, statistics);
  return input ?? plan;
}

function scanUnder(plan: Plan): ScanPlan | null {
  let p = plan;
  while (p.op === 'filter' || (p.op === 'project' && !p.items.some((item) => item.value.kind !== 'column'))) p = p.input;
  return p.op === 'scan' ? p : null;
}

function inOrder(plan: Plan, scan: ScanPlan, keys: readonly BoundSort[], wanted: number, statistics: Statistics): Plan | null {
  const sources: number[] = [];
  for (const key of keys) {
    if (key.value.kind !== 'column') return null;
    const { id } = key.value;
    const at = scan.columns.findIndex((column) => column.id === id);
    const source = at < 0 ? 'key' : scan.source[at];
    if (source === 'key') return null;
    sources.push(source);
  }
  const { table, access } = scan;
  const replace = (made: Access): Plan => replaceScan(plan, { ...scan, access: made });
  const direction = (index: Index | null, columns: readonly (number | null)[], fixed: number): boolean | null => {
    // Columns bound to one value do not count.
    let backward: boolean | null = null;
    let at = fixed;
    for (let i = 0; i < keys.length; i++) {
      if (columns.slice(0, fixed).includes(sources[i])) continue;
      if (at >= columns.length) return (index === null || index.unique) && backward !== null ? backward : null;
      if (columns[at] !== sources[i]) return null;
      const descending = index?.columns[at].descending ?? false;
      const turned = keys[i].descending !== descending;
      const nullsFirst = index?.columns[at].nullsFirst ?? false;
      if (index !== null && !table.columns[sources[i]].notNull && keys[i].nullsFirst !== (turned ? !nullsFirst : nullsFirst)) return null;
      if (backward !== null && backward !== turned) return null;
      backward = turned;
      at++;
    }
    return backward ?? false;
  };
  if (access !== undefined) {
    if (access.oneOf !== undefined && access.index !== null) return null;
    const columns = access.index === null ? table.key.columns : access.index.columns.map((column) => column.column);
    const backward = direction(access.index, columns, access.equal.length);
    return backward === null ? null : replace({ ...access, backward });
  }
  if (table.key.columns.length > 0) {
    const backward = direction(null, table.key.columns, 0);
    if (backward !== null) return backward ? replace({ index: null, equal: [], backward }) : plan;
  }
  if (!Number.isFinite(wanted)) return null;
  const all = statistics.rows(table);
  const share = Math.max(estimateRows(plan, statistics) / Math.max(1, all), 1e-6);
  if ((wanted / share) * rowCost(all) > all) return null;
  for (const index of table.indexes) {
    if (index.where !== null) continue;
    const backward = direction(
      index,
      index.columns.map((column) => column.column),
      0,
    );
    if (backward !== null) return replace({ index, equal: [], backward });
  }
  return null;
}

function replaceScan(plan: Plan, scan: ScanPlan): Plan {
  if (plan.op === 'scan') return scan;
  return withInputs(
    plan,
    inputsOf(plan).map((input) => replaceScan(input, scan)),
  );
}
