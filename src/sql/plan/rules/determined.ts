/**
 * GROUP BY columns that are functionally dependent on others: if a table's whole key is among them, or is equal to some of them by
 * inner joins, each group has one row of it, so its other columns need not be compared.
 *
 *   GROUP BY c_custkey, c_name, c_comment   →   by c_custkey, the others from the group's first row
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { AggregatePlan, Plan, ScanPlan } from '../logical.ts';
import { conjuncts, isEquality } from './walk.ts';

/** Indexes of the dependent groups. */
export function determinedGroups({ input, groups, sets }: AggregatePlan): ReadonlySet<number> {
  const determined = new Set<number>();
  if (groups.length < 2 || sets !== null) return determined;
  const scans: ScanPlan[] = [];
  const equal = new Map<ColumnId, ColumnId>();
  below(input, scans, equal);
  const grouped = new Map<ColumnId, number>();
  groups.forEach(({ value }, k) => {
    if (value.kind === 'column') grouped.set(rootOf(equal, value.id), grouped.get(rootOf(equal, value.id)) ?? k);
  });
  /** Groups that determine others stay. */
  const needed = new Set<number>();
  for (const scan of scans) {
    const key: ColumnId[] = [];
    for (const column of scan.table.key.columns) {
      const at = scan.source.indexOf(column);
      if (at >= 0) key.push(rootOf(equal, scan.columns[at].id));
    }
    if (key.length === 0 || key.length < scan.table.key.columns.length || !key.every((id) => grouped.has(id))) continue;
    const by = key.map((id) => grouped.get(id)!);
    if (by.some((k) => determined.has(k))) continue;
    groups.forEach(({ value }, k) => {
      if (value.kind !== 'column' || by.includes(k) || needed.has(k) || !scan.columns.some(({ id }) => id === value.id)) return;
      determined.add(k);
    });
    for (const k of by) needed.add(k);
  }
  return determined;
}

/** Tables whose columns are passed through, and columns that inner joins make equal. */
function below(plan: Plan, scans: ScanPlan[], equal: Map<ColumnId, ColumnId>): void {
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'scan') {
      if (!p.table.document) scans.push(p);
    } else if (p.op === 'filter' || p.op === 'sort' || p.op === 'limit') stack.push(p.input);
    else if (p.op === 'project') {
      for (const { id, value } of p.items) if (value.kind === 'column' && value.id !== id) link(equal, id, value.id);
      stack.push(p.input);
    } else if (p.op === 'join') {
      stack.push(p.left);
      if (p.kind !== 'semi' && p.kind !== 'anti') stack.push(p.right);
      if (p.kind !== 'inner') continue;
      if (p.on !== null) for (const e of conjuncts(p.on)) linkEqual(equal, e);
      // The columns of a lookup equal its bounds.
      let right: Plan = p.right;
      while (right.op === 'filter') right = right.input;
      if (right.op !== 'scan' || right.access === undefined) continue;
      const { index, equal: asked } = right.access;
      const columns = index === null ? right.table.key.columns : index.columns.map((part) => part.column ?? -1);
      for (let k = 0; k < asked.length; k++) {
        const at = right.source.indexOf(columns[k]);
        const value = asked[k];
        if (at >= 0 && value.kind === 'column') link(equal, right.columns[at].id, value.id);
      }
    }
  }
}

function linkEqual(equal: Map<ColumnId, ColumnId>, e: Bound): void {
  if (!isEquality(e)) return;
  const [a, b] = e.args;
  if (a.kind === 'column' && b.kind === 'column' && a.type.oid === b.type.oid) link(equal, a.id, b.id);
}

function rootOf(equal: ReadonlyMap<ColumnId, ColumnId>, id: ColumnId): ColumnId {
  let root = id;
  for (let up = equal.get(root); up !== undefined; up = equal.get(root)) root = up;
  return root;
}

function link(equal: Map<ColumnId, ColumnId>, a: ColumnId, b: ColumnId): void {
  const [x, y] = [rootOf(equal, a), rootOf(equal, b)];
  if (x !== y) equal.set(x, y);
}
