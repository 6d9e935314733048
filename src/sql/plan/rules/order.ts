/** Removes unnecessary sorts: of rows that are already in order, and of more than the first rows. */
import type { Bound, BoundSort, ColumnId } from '../bound.ts';
import type { Access, JoinPlan, LimitPlan, Plan, ScanPlan } from '../logical.ts';
import type { Index, SqlTable } from '../../schema/table.ts';
import { accessOn, allows, bindingsOver, indexExpression, rowCost, scanCost } from './access.ts';
import { estimateRows, LIMIT_ROWS } from './estimate.ts';
import { sameForm } from './factor.ts';
import { lookingUp, lookupByOuter, sourceBelow, sourceCost } from './inner-lookup.ts';
import { substitute, withInputs } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, conjuncts, hasSubquery, inputsOf, isLateral, isVolatile } from './walk.ts';

/** Passes a LIMIT to the sort below. */
export function topOfSort(plan: Plan): Plan {
  if (plan.op !== 'limit' || plan.ties !== null || plan.limit === null) return plan;
  const input = plan.input.op === 'lock' ? expected(plan.input, plan) : pushLimit(plan.input, plan);
  return input === null ? plan : { ...plan, input };
}

/** Rows locked by others may be skipped: the number of rows wanted is only an estimate. */
function expected(plan: Plan & { op: 'lock' }, limit: LimitPlan): Plan | null {
  const wanted = rowsWanted(limit);
  return plan.input.op === 'sort' && Number.isFinite(wanted) ? { ...plan, input: { ...plan.input, expected: wanted } } : null;
}

function rowsWanted({ limit, offset }: Pick<LimitPlan, 'limit' | 'offset'>): number {
  if (limit === null) return Infinity;
  if (limit.kind !== 'constant') return LIMIT_ROWS;
  return Number(limit.value ?? Infinity) + (offset?.kind === 'constant' ? Number(offset.value ?? 0) : 0);
}

function pushLimit(plan: Plan, limit: LimitPlan): Plan | null {
  if (plan.op === 'sort' && plan.top === undefined) return { ...plan, top: { limit: limit.limit, offset: limit.offset } };
  if (plan.op === 'project' && !plan.items.some((item) => isVolatile(item.value))) {
    const input = pushLimit(plan.input, limit);
    return input === null ? null : { ...plan, input };
  }
  return null;
}

/** A sort by the key's columns, or by an index's if few rows are wanted, becomes a scan in that order. */
export function sortByAccess(plan: Plan, statistics: Statistics): Plan {
  if (plan.op !== 'sort') return plan;
  const wanted = plan.top === undefined ? (plan.expected ?? Infinity) : rowsWanted(plan.top);
  const asked = Number.isFinite(wanted) ? led(plan.input, plan.keys, wanted, statistics) : null;
  return rowsInOrder(plan.input, plan.keys, wanted, statistics) ?? (asked === null ? null : rowsInOrder(asked, plan.keys, wanted, statistics)) ?? plan;
}

function rowsInOrder(input: Plan, sorts: readonly BoundSort[], wanted: number, statistics: Statistics): Plan | null {
  const found = scanUnder(input);
  if (found === null) return null;
  // Sort keys computed by a projection, as expressions over its input.
  const keys = sorts.map((key): BoundSort => ({ ...key, value: madeOf(key.value, input) }));
  return inOrder(input, found, keys, wanted, statistics);
}

/**
 * Joins of which only the first rows are wanted, ordered by columns of one relation: that relation leads, and the others are looked
 * up for each of its rows, if that reads less than all of them. Null if the lookups are impossible or too expensive.
 */
function led(plan: Plan, sorts: readonly BoundSort[], wanted: number, statistics: Statistics): Plan | null {
  const keys = sorts.map(({ value }) => value);
  const found = leading(plan, keys, statistics);
  if (found === null || found.lookups === 0) return null;
  // Rows of the leading relation that are read until enough joined rows have come.
  const reads = wanted * Math.max(1, estimateRows(found.first, statistics) / Math.max(1, estimateRows(plan, statistics)));
  return reads * (1 + found.lookups) < wholeCost(plan, statistics) / 2 ? found.plan : null;
}

interface Leading {
  readonly plan: Plan;
  /** The leading scan, with its filters. */
  readonly first: Plan;
  /** The cost of the lookups for one of its rows. */
  readonly lookups: number;
}

function leading(plan: Plan, keys: readonly Bound[], statistics: Statistics): Leading | null {
  if (plan.op === 'scan') return { plan, first: plan, lookups: 0 };
  if (plan.op === 'filter' || plan.op === 'project') {
    if (plan.op === 'project' && plan.items.some((item) => isVolatile(item.value))) return null;
    const made = plan.op === 'filter' ? null : new Map(plan.items.map((item) => [item.id, item.value]));
    const found = leading(plan.input, made === null ? keys : keys.map((key) => substitute(key, made)), statistics);
    return found === null
      ? null
      : { ...found, plan: { ...plan, input: found.plan }, first: found.first === plan.input && plan.op === 'filter' ? plan : found.first };
  }
  if (plan.op !== 'join' || plan.kind === 'full' || plan.kind === 'right' || plan.kind === 'single' || keys.length === 0) return null;
  const join = isOf(plan.left, keys) ? plan : plan.kind === 'inner' && !isLateral(plan) && isOf(plan.right, keys) ? swapped(plan) : null;
  if (join === null) return null;
  const turned = turnedLeft(join);
  if (turned !== null) return leading(turned, keys, statistics);
  const found = leading(join.left, keys, statistics);
  if (found === null) return null;
  if (isLateral(join)) return { ...found, plan: { ...join, left: found.plan }, lookups: found.lookups + 1 };
  const source = sourceBelow(join.right);
  if (source === null || join.on === null) return null;
  const given = new Set(join.left.columns.map((column) => column.id));
  const lookup = lookupByOuter(source, conjuncts(join.on), (id) => given.has(id), statistics);
  return lookup === null ? null : { ...found, plan: lookingUp({ ...join, left: found.plan }, lookup), lookups: found.lookups + lookup.cost };
}

/** a ⋈ (b ⋈ c) as (a ⋈ b) ⋈ c, if the outer join is between a and b; null for another form. */
function turnedLeft(plan: JoinPlan): JoinPlan | null {
  const { left: a, right: inner } = plan;
  if (inner.op !== 'join' || inner.kind !== 'inner' || plan.kind !== 'inner' || plan.on === null || isLateral(plan)) return null;
  const columns = [...a.columns, ...inner.left.columns];
  if (!isOf({ columns }, conjuncts(plan.on))) return null;
  return { ...inner, left: { ...plan, right: inner.left, columns }, columns: [...columns, ...inner.right.columns] };
}

/** Whether expressions use only columns of one plan. */
function isOf(plan: Pick<Plan, 'columns'>, expressions: readonly Bound[]): boolean {
  const given = new Set(plan.columns.map((column) => column.id));
  return expressions.every((e) => [...columnsOf(e)].every((id) => given.has(id)) && !hasSubquery(e));
}

function swapped(plan: JoinPlan): JoinPlan {
  return { ...plan, left: plan.right, right: plan.left, columns: [...plan.right.columns, ...plan.left.columns] };
}

/** The cost of reading everything that the plan reads. */
function wholeCost(plan: Plan, statistics: Statistics): number {
  const inputs = inputsOf(plan);
  if (inputs.length === 0 || (plan.op === 'filter' && plan.input.op === 'scan')) return sourceCost(plan, statistics);
  return inputs.reduce((sum, input) => sum + wholeCost(input, statistics), 0);
}

/** The input whose order a plan preserves, though some rows may be dropped or repeated; null if it has an order of its own. */
function inputInOrder(plan: Plan): Plan | null {
  if (plan.op === 'filter' || plan.op === 'project') return plan.input;
  // Each row of the left is joined with all of the right side before the next one.
  if (plan.op === 'join' && plan.kind !== 'full' && plan.kind !== 'right' && isLateral(plan)) return plan.left;
  return null;
}

function scanUnder(plan: Plan): ScanPlan | null {
  let p: Plan | null = plan;
  while (p !== null && p.op !== 'scan') {
    if (p.op === 'project' && p.items.some((item) => isVolatile(item.value))) return null;
    p = inputInOrder(p);
  }
  return p;
}

function madeOf(e: Bound, plan: Plan): Bound {
  let value = e;
  for (let p: Plan | null = plan; p !== null; p = inputInOrder(p)) {
    if (p.op === 'project') value = substitute(value, new Map(p.items.map((item) => [item.id, item.value])));
  }
  return value;
}

function inOrder(plan: Plan, { few, ...scan }: ScanPlan, keys: readonly BoundSort[], wanted: number, statistics: Statistics): Plan | null {
  const { table, access } = scan;
  const places = keys.map(({ value }) => (value.kind === 'column' ? sourceOf(scan, value.id) : null));
  const replace = (made: Access): Plan => replaceScan(plan, { ...scan, access: made });
  const isPart = (index: Index | null, at: number, key: number): boolean => {
    const column = index === null ? table.key.columns[at] : index.columns[at].column;
    const { folding } = index === null ? table.columns[table.key.columns[at]] : index.columns[at];
    if (folding !== undefined) return false;
    if (column !== null) return places[key] === column;
    const expression = indexExpression(scan, index!, at, statistics);
    return expression !== null && sameForm(expression, keys[key].value);
  };
  const direction = (index: Index | null, fixed: number): boolean | null => {
    const count = index === null ? table.key.columns.length : index.columns.length;
    // Columns bound to one value do not count.
    let backward: boolean | null = null;
    let at = fixed;
    for (let i = 0; i < keys.length; i++) {
      let isFixed = false;
      for (let f = 0; f < fixed; f++) if (isPart(index, f, i)) isFixed = true;
      if (isFixed) continue;
      if (at >= count) {
        if (backward !== null && (index === null || hasOneRowEach(table, index))) return backward;
        // Equal entries are in the order of their rows' keys.
        const key: number | undefined = index === null ? undefined : table.key.columns[at - count];
        if (key === undefined || places[i] !== key || table.columns[key].folding !== undefined) return null;
        if (backward !== null && backward !== keys[i].descending) return null;
        backward = keys[i].descending;
        at++;
        continue;
      }
      if (!isPart(index, at, i)) return null;
      const descending = index?.columns[at].descending ?? false;
      const turned = keys[i].descending !== descending;
      const nullsFirst = index?.columns[at].nullsFirst ?? false;
      const column = places[i];
      const notNull = column !== null && table.columns[column].notNull;
      if (index !== null && !notNull && keys[i].nullsFirst !== (turned ? !nullsFirst : nullsFirst)) return null;
      if (backward !== null && backward !== turned) return null;
      backward = turned;
      at++;
    }
    return backward ?? false;
  };
  if (access !== undefined) {
    if (access.union !== undefined || (access.oneOf !== undefined && access.index !== null)) return null;
    const backward = direction(access.index, access.equal.length);
    return backward === null ? null : replace({ ...access, backward });
  }
  // All rows are wanted: sorting a few costs less than a full scan.
  if (few !== undefined && wanted === Infinity) return null;
  const byKey = table.key.columns.length > 0 ? direction(null, 0) : null;
  // An index path for few rows has another order.
  const asItStands = few === undefined ? plan : replaceScan(plan, scan);
  const inKeyOrder = byKey === null ? null : byKey ? replace({ index: null, equal: [], backward: true }) : asItStands;
  if (wanted === Infinity) return inKeyOrder;
  const all = statistics.rows(table);
  const passing = Math.max(1, estimateRows(plan, statistics));
  const predicates = predicatesOver(plan);
  const bindingOf = bindingsOver(scan, predicates, statistics);
  let best: Access | null = null;
  let least = scanCost(all);
  // The qualifying rows may all be at the far end: the rows read until then count a little.
  if (byKey !== null) least = passing >= all ? wanted : Math.min(least, (wanted * all) / passing + least * FAR_SHARE);
  for (const index of table.indexes) {
    if (index.entries !== 'ordered' || !allows(scan, index, predicates, statistics)) continue;
    const found = accessOn(scan, index, bindingOf, statistics);
    if (found?.access.oneOf !== undefined || (found === null && byKey !== null && index.where === null)) continue;
    const backward = direction(index, found?.access.equal.length ?? 0);
    if (backward === null) continue;
    // Index rows that are read until enough of them have qualified.
    const rows = found?.rows ?? all;
    const cost = Math.min(rows, wanted * Math.max(1, rows / passing)) * rowCost(all);
    if (cost >= least) continue;
    least = cost;
    best = found === null ? { index, equal: [], backward } : { ...found.access, backward };
  }
  return best === null ? inKeyOrder : replace(best);
}

const FAR_SHARE = 0.02;

/** Whether no two rows have the same values in the index: nulls differ from one another. */
function hasOneRowEach(table: SqlTable, { unique, nullsNotDistinct, columns }: Index): boolean {
  return unique && (nullsNotDistinct || columns.every(({ column }) => column !== null && table.columns[column].notNull));
}

/** The table column with this id in the scan. */
function sourceOf(scan: ScanPlan, id: ColumnId): number | null {
  const at = scan.columns.findIndex((column) => column.id === id);
  const source = at < 0 ? 'key' : scan.source[at];
  return source === 'key' ? null : source;
}

/** Predicates between the plan and its scan. */
function predicatesOver(plan: Plan): Bound[] {
  const out: Bound[] = [];
  for (let p: Plan | null = plan; p !== null; p = inputInOrder(p)) {
    if (p.op === 'filter') out.push(...conjuncts(p.predicate));
    // Predicates above a join may name columns that are not available below.
    else if (p.op === 'join') out.length = 0;
  }
  return out;
}

function replaceScan(plan: Plan, scan: ScanPlan): Plan {
  if (plan.op === 'scan') return scan;
  if (plan.op === 'join') return { ...plan, left: replaceScan(plan.left, scan) };
  return withInputs(
    plan,
    inputsOf(plan).map((input) => replaceScan(input, scan)),
  );
}
