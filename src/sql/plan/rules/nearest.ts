/**
 * ORDER BY a distance from one vector, LIMIT: a ranked scan gives the rows in that order, and filters above it take as many as they need.
 *
 *     sort by c <-> value, first n          project, filter
 *       project, filter              ──►       ranked scan by distance
 *         scan                                   the keys of rows that pass: project, filter, scan
 *
 * The keys are read only if few rows pass, or if the first rows by an index were not enough.
 */
import { OID } from '../../schema/oids.ts';
import type { SqlTable } from '../../schema/table.ts';
import { INT8 } from '../../types/integers.ts';
import { TEXT } from '../../types/texts.ts';
import type { Bound, BoundSort } from '../bound.ts';
import type { OutputColumn, Plan, RankedByDistance, RankedScanPlan, ScanPlan } from '../logical.ts';
import type { Ids } from './decorrelate.ts';
import { estimateRows, LIMIT_ROWS } from './estimate.ts';
import { substitute, withInputs } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, hasSubquery, isVolatile, useOf } from './walk.ts';

const METRICS: Readonly<Record<string, { readonly metric: RankedByDistance['metric']; readonly operator: string }>> = {
  l2_distance: { metric: 'l2', operator: '<->' },
  vector_negative_inner_product: { metric: 'ip', operator: '<#>' },
  halfvec_negative_inner_product: { metric: 'ip', operator: '<#>' },
  cosine_distance: { metric: 'cosine', operator: '<=>' },
  l1_distance: { metric: 'l1', operator: '<+>' },
};
const CLASSES: Readonly<Record<RankedByDistance['metric'], string>> = { l2: 'l2_ops', ip: 'ip_ops', cosine: 'cosine_ops', l1: 'l1_ops' };

/** Rows are read one by one: a part of the table beyond this is scanned and sorted instead. */
const PART_MAX = 0.25;
/** Rows are ordered at once up to this. */
const EXPECTED_MAX = 10_000;

export function nearestByRank(plan: Plan, statistics: Statistics, ids: Ids): Plan {
  if (plan.op !== 'sort' || plan.top === undefined || plan.top.limit === null || plan.keys.length !== 1) return plan;
  const [key] = plan.keys;
  const found = scanBelow(plan.input, key);
  if (found === null || key.descending || key.nullsFirst) return plan;
  const { scan, value } = found;
  const by = byDistance(scan, value);
  if (by === null) return plan;
  const all = Math.max(1, statistics.rows(scan.table));
  const kept = Math.max(1, estimateRows(plan.input, statistics));
  const { limit, offset } = plan.top;
  const wanted = numberIn(limit) + (offset === null ? 0 : numberIn(offset));
  const expected = Math.ceil((wanted * all) / kept);
  if (expected > Math.max(1000, all * PART_MAX)) return plan;
  const { table, columns, asOf, alias } = scan;
  const ranked: RankedScanPlan = {
    op: 'rankedScan',
    table,
    source: scan.source,
    columns,
    asOf,
    by: { ...by, expected: Math.min(expected, EXPECTED_MAX), wanted: Math.min(wanted, EXPECTED_MAX) },
    visible: passing(plan.input, ids),
    ...(alias === undefined ? {} : { alias }),
  };
  return replaced(plan.input, ranked);
}

function numberIn(bound: Bound): number {
  return bound.kind === 'constant' ? Number(bound.value ?? Infinity) : LIMIT_ROWS;
}

/** The scan below projections and filters, and the key as an expression over it. */
function scanBelow(plan: Plan, { value: key }: BoundSort): { scan: ScanPlan; value: Bound } | null {
  let value = key;
  let p = plan;
  for (; p.op === 'project' || p.op === 'filter'; p = p.input) {
    if (p.op === 'filter') continue;
    if (p.items.some((item) => isVolatile(item.value))) return null;
    value = substitute(value, new Map(p.items.map((item) => [item.id, item.value])));
  }
  if (p.op !== 'scan' || p.access !== undefined || p.table.document) return null;
  return { scan: p, value };
}

function byDistance(scan: ScanPlan, e: Bound): Omit<RankedByDistance, 'expected' | 'wanted'> | null {
  if (e.kind !== 'call' || e.args.length !== 2 || !Object.hasOwn(METRICS, e.proc) || 'user' in e.fn) return null;
  const at = e.args.findIndex((arg) => arg.kind === 'column' && scan.columns.some(({ id }) => id === arg.id));
  if (at < 0) return null;
  const [own, value] = at === 0 ? e.args : [e.args[1], e.args[0]];
  const given = new Set(scan.columns.map(({ id }) => id));
  if (isVolatile(value) || hasSubquery(value) || [...columnsOf(value)].some((id) => given.has(id))) return null;
  const source = scan.source[scan.columns.findIndex(({ id }) => own.kind === 'column' && id === own.id)];
  if (source === 'key') return null;
  const { type, typmod } = scan.table.columns[source];
  if ((type.oid !== OID.vector && type.oid !== OID.halfvec) || typmod < 1 || value.type.oid !== type.oid) return null;
  const { metric, operator } = METRICS[e.proc];
  return { kind: 'distance', column: source, metric, value, operator, index: indexFor(scan.table, source, type.name, metric) };
}

/** The index that was made for the column and the operator. */
function indexFor(table: SqlTable, column: number, type: string, metric: RankedByDistance['metric']): string | null {
  const wanted = `${type}_${CLASSES[metric]}`;
  const found = table.indexes.find(
    ({ method, where, columns: [first] }) =>
      (method === 'hnsw' || method === 'ivfflat') && where === null && first.column === column && (first.operatorClass ?? 'vector_l2_ops') === wanted,
  );
  return found?.name ?? null;
}

/** The keys of the rows that pass the filters; null if there is none, or if rows would not pass it twice in the same way. */
function passing(plan: Plan, ids: Ids): Plan | null {
  if (!isFiltered(plan)) return null;
  const { input, key } = withKeys(plan, ids);
  return { op: 'project', input, items: [{ id: key.id, value: useOf(key) }], columns: [key] };
}

function isFiltered(plan: Plan): boolean {
  let filters = 0;
  for (let p = plan; p.op === 'project' || p.op === 'filter'; p = p.input) {
    if (p.op === 'project') continue;
    if (isVolatile(p.predicate)) return false;
    filters++;
  }
  return filters > 0;
}

/** The same plan with the row's key as a further column. */
function withKeys(plan: Plan, ids: Ids): { readonly input: Plan; readonly key: OutputColumn } {
  if (plan.op === 'filter') {
    const { input, key } = withKeys(plan.input, ids);
    return { input: { ...plan, input, columns: input.columns }, key };
  }
  if (plan.op === 'project') {
    const { input, key } = withKeys(plan.input, ids);
    const items = [...plan.items, { id: key.id, value: useOf(key) }];
    return { input: { ...plan, input, items, columns: [...plan.columns, key] }, key };
  }
  const scan = plan as ScanPlan;
  const key: OutputColumn = { id: ids.fresh(), name: '', type: scan.table.key.numeric ? INT8 : TEXT, typmod: -1 };
  return { input: { ...scan, source: [...scan.source, 'key'], columns: [...scan.columns, key] }, key };
}

function replaced(plan: Plan, ranked: RankedScanPlan): Plan {
  return plan.op === 'project' || plan.op === 'filter' ? withInputs(plan, [replaced(plan.input, ranked)]) : ranked;
}
