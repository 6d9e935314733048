/**
 * ORDER BY a distance from one vector, LIMIT: a ranked scan gives the rows in that order, and filters above it take as many as they need.
 *
 *     sort by c <-> value, first n          project, filter
 *       project, filter              ──►       ranked scan by distance
 *         scan                                   the keys of rows that pass: project, filter, scan
 *
 * The keys are read only if few rows pass, or if the first rows by an index were not enough. Of an append, as of partitions, the nearest rows of
 * each input are found, and the sort stays above.
 */
import { OID } from '../../schema/oids.ts';
import type { SqlTable } from '../../schema/table.ts';
import { INT8 } from '../../types/integers.ts';
import { TEXT } from '../../types/texts.ts';
import { whole, type Whole } from '../../types/value.ts';
import type { Bound, BoundSort } from '../bound.ts';
import type { AppendPlan, OutputColumn, Plan, RankedByDistance, RankedScanPlan, ScanPlan, SortPlan } from '../logical.ts';
import type { Ids } from './decorrelate.ts';
import { estimateRows, LIMIT_ROWS } from './estimate.ts';
import { substitute, withInputs } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { boundsOf, columnsOf, hasSubquery, isVolatile, useOf } from './walk.ts';

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
  if (key.descending || key.nullsFirst) return plan;
  const append = appendBelow(plan.input);
  if (append !== null) return nearestOfEach(plan, append, statistics, ids);
  const found = scanBelow(plan.input, key);
  if (found === null) return plan;
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
  return replaced(plan.input, scan, ranked);
}

function numberIn(bound: Bound): number {
  return bound.kind === 'constant' ? Number(bound.value ?? Infinity) : LIMIT_ROWS;
}

/** The nearest rows of each input of an append, of which the sort above takes the nearest; the plan itself if none is ranked. */
function nearestOfEach(plan: SortPlan, append: AppendPlan, statistics: Statistics, ids: Ids): Plan {
  const most = topRows(plan.top!);
  if (most === null) return plan;
  let ranked = false;
  const inputs = append.inputs.map((input): Plan => {
    const own = replaced(plan.input, append, input);
    const nearest = nearestByRank({ ...plan, input: own, top: { limit: most, offset: null } }, statistics, ids);
    if (nearest.op === 'sort') return nearest;
    ranked = true;
    return { op: 'limit', input: nearest, limit: most, offset: null, ties: null, columns: nearest.columns };
  });
  return ranked ? { ...plan, input: { op: 'append', inputs, columns: plan.input.columns, prune: append.prune } } : plan;
}

/** The sum of LIMIT and OFFSET; null if it is not known when the plan is made. */
function topRows({ limit, offset }: NonNullable<SortPlan['top']>): Bound | null {
  if (limit === null || offset === null) return limit;
  if (limit.kind !== 'constant' || offset.kind !== 'constant' || limit.value === null) return null;
  return { ...limit, value: whole(BigInt(limit.value as Whole) + BigInt((offset.value ?? 0) as Whole)) };
}

/** The append below projections and filters that would give the same rows over each of its inputs. */
function appendBelow(plan: Plan): AppendPlan | null {
  let p = plan;
  for (; p.op === 'project' || p.op === 'filter'; p = p.input) if (boundsOf(p).some(isVolatile)) return null;
  return p.op === 'append' ? p : null;
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

/** The plan with another one in the place of one below its projections and filters. */
function replaced(plan: Plan, old: Plan, by: Plan): Plan {
  if (plan === old) return by;
  return withInputs(plan, [replaced((plan as Plan & { op: 'filter' }).input, old, by)]);
}
