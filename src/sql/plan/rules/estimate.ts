/** Rough row estimates: enough to distinguish a few rows from a table. */
import type { Bound, BoundSetFunction, Call, ColumnId, InList } from '../bound.ts';
import type { Access, JoinPlan, Plan, ScanPlan, VirtualLookup, VirtualRelation, VirtualScanPlan } from '../logical.ts';
import type { SqlTable } from '../../schema/table.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import { type JoinKeys, joinKeys } from './join-keys.ts';
import type { Statistics } from './statistics.ts';
import { onlyText, virtualDistinct, virtualRows } from './virtual-lookup.ts';
import { conjuncts } from './walk.ts';

/** For a foreign table, whose source is opened only when it is read. */
const FOREIGN_ROWS = 1000;

/** For a common table without an estimate: the start of a recursion does not determine its size. */
const COMMON_ROWS = 1000;

const known = new WeakMap<Plan, number>();

export function estimateRows(plan: Plan, statistics: Statistics): number {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const rows = Math.max(estimate(plan, statistics), 0);
  known.set(plan, rows);
  return rows;
}

function estimate(plan: Plan, s: Statistics): number {
  const rows = (p: Plan): number => estimateRows(p, s);
  switch (plan.op) {
    case 'scan': {
      const all = s.rows(plan.table);
      if (plan.access === undefined) return all;
      if (plan.access.union !== undefined)
        return Math.min(
          all,
          plan.access.union.reduce((sum, access) => sum + rows({ ...plan, access }), 0),
        );
      return s.accessRows(plan.table, plan.access) ?? Math.max(1, all * accessShare(plan, s));
    }
    case 'foreignScan':
      return FOREIGN_ROWS;
    case 'rankedScan': {
      const all = wholeRows(plan.table, s);
      if (plan.by.kind === 'distance') return all;
      const { limit } = plan.by;
      const most = limit === null ? Infinity : limit.kind === 'constant' ? Number(limit.value ?? Infinity) : LIMIT_ROWS;
      return Math.min(most, Math.max(1, all * RANKED_SHARE));
    }
    case 'hierarchyScan':
      return wholeRows(plan.table, s);
    case 'append':
      return plan.inputs.reduce((sum, input) => sum + rows(input), 0);
    case 'virtualScan':
      return plan.lookup === undefined ? virtualRows(plan.relation) : (plan.lookup.rowsEach ?? lookedUpRows(plan.relation, plan.lookup));
    case 'values':
      return plan.rows.length;
    case 'functionScan':
      // Postgres's default for an array of unknown length.
      if (plan.functions.every(({ call }) => call.fn.name === 'unnest' && call.args.every((arg) => arg.kind !== 'constant'))) return 10;
      return Math.max(...plan.functions.map(({ call }) => seriesLength(call) ?? 1000));
    case 'filter':
      return rows(plan.input) * selectivity(plan.predicate, plan.input, s);
    case 'projectSet':
      return rows(plan.input) * 10;
    case 'join': {
      const l = rows(plan.left);
      const r = rows(plan.right);
      if (plan.kind === 'single') return l;
      const keys = joinKeys(plan.on, ids(plan.left), ids(plan.right));
      if (plan.kind === 'semi' || plan.kind === 'anti') {
        const share = matchedShare(plan, keys, r, s);
        return l * (plan.kind === 'semi' ? share : Math.max(1 - share, 0.1));
      }
      let joined = l * r;
      if (keys.left.length > 0) {
        const ofLeft = Math.min(keyValues(keys.left, plan.left, l, s), baseRows(plan.left, s));
        const ofRight = Math.min(keyValues(keys.right, plan.right, r, s), baseRows(plan.right, s));
        joined /= Math.max(1, ofLeft, ofRight);
      }
      joined *= 0.4 ** keys.rest.length;
      if (plan.kind === 'left') return Math.max(l, joined);
      if (plan.kind === 'right') return Math.max(r, joined);
      if (plan.kind === 'full') return Math.max(l + r, joined);
      return joined;
    }
    case 'aggregate': {
      const input = rows(plan.input);
      if (plan.groups.length === 0) return 1;
      let groups = 1;
      for (const group of plan.groups) groups *= distinctOf(group.value, plan.input, s) ?? Math.sqrt(input);
      return Math.min(input, groups) * (plan.sets?.length ?? 1);
    }
    case 'distinct':
      return rows(plan.input) / 2;
    case 'limit': {
      const limit = plan.limit === null ? Infinity : plan.limit.kind === 'constant' ? Number(plan.limit.value ?? Infinity) : LIMIT_ROWS;
      return Math.min(limit, rows(plan.input));
    }
    case 'setOperation':
      return plan.operator === 'union' ? rows(plan.left) + rows(plan.right) : rows(plan.left);
    case 'with':
      return rows(plan.body);
    case 'cteScan': {
      const definition = s.common?.(plan.number);
      return definition === undefined || definition.op === 'recursive' ? COMMON_ROWS : rows(definition);
    }
    case 'recursive':
      return rows(plan.start) * 10;
    default:
      return 'input' in plan ? rows(plan.input) : 1000;
  }
}

/** For generate_series over known integers. */
function seriesLength({ fn, args }: BoundSetFunction): number | null {
  if (fn.name !== 'generate_series') return null;
  const [from, to, step = 1] = args.map((arg) => (arg.kind === 'constant' && typeof arg.value === 'number' ? arg.value : NaN));
  const length = Math.floor((to - from) / step) + 1;
  return Number.isFinite(length) ? Math.max(1, length) : null;
}

function lookedUpRows(relation: VirtualRelation, { column, values }: VirtualLookup): number {
  const all = virtualRows(relation);
  return Math.min(all, (all / Math.max(1, virtualDistinct(relation, column) ?? 1)) * values.length);
}

/** The default for an unknown limit. */
export const LIMIT_ROWS = 100;
/** Of a table with its descendants. */
function wholeRows(table: SqlTable, s: Statistics): number {
  if (table.whole === undefined) return s.rows(table);
  return table.whole.members.reduce((sum, member) => sum + (member.table.foreign === undefined ? s.rows(member.table) : FOREIGN_ROWS), 0);
}

/** Rows that have a word of a search. */
const RANKED_SHARE = 0.05;

/** The share of left rows with a match: the number of distinct right values relative to the left ones. */
function matchedShare(plan: JoinPlan, keys: JoinKeys, right: number, s: Statistics): number {
  let share = keys.left.length === 0 ? 0.5 : 1;
  for (let i = 0; i < keys.left.length; i++) {
    const ofLeft = distinctOf(keys.left[i], plan.left, s);
    if (ofLeft === null) {
      share = Math.min(share, 0.5);
      continue;
    }
    const ofRight = Math.min(right, distinctOf(keys.right[i], plan.right, s) ?? right);
    share = Math.min(share, ofRight / Math.max(1, ofLeft));
  }
  return share * 0.8 ** keys.rest.length;
}

/** Rows before the plan's own conditions: an upper bound for distinct keys. */
function baseRows(plan: Plan, s: Statistics): number {
  return plan.op === 'filter' ? estimateRows(plan.input, s) : estimateRows(plan, s);
}

function ids(plan: Plan): Set<ColumnId> {
  return new Set(plan.columns.map((column) => column.id));
}

/** Distinct combinations of several expressions over `rows` rows. */
function keyValues(keys: readonly Bound[], plan: Plan, rows: number, s: Statistics): number {
  let product = 1;
  for (const key of keys) product *= distinctOf(key, plan, s) ?? rows;
  if (keys.length === 1 || s.together === undefined) return product;
  const found = keys.map((key) => sourceOf(key, plan, s));
  const [first] = found;
  if (first?.scan.op !== 'scan' || !found.every((one) => one !== null && one.scan === first.scan && one.column !== 'key')) return product;
  return Math.min(
    product,
    s.together(
      first.scan.table,
      found.map((one) => one!.column as number),
    ),
  );
}

/** Distinct values of an expression: an index over it suggests few rows for each. */
function unknownValues(plan: ScanPlan, s: Statistics): number {
  return Math.max(100, s.rows(plan.table) / 20);
}

/** The default share of rows that a search key finds. */
const SEARCHED_SHARE = 0.01;

function accessShare(plan: ScanPlan, s: Statistics): number {
  const access = plan.access!;
  if (access.search !== undefined) return SEARCHED_SHARE;
  const columns = access.index === null ? plan.table.key.columns : access.index.columns.map((column) => column.column ?? -1);
  let values = 1;
  access.equal.forEach((_, i) => {
    values *= columns[i] >= 0 ? Math.max(1, s.distinct(plan.table, columns[i])) : unknownValues(plan, s);
  });
  const equal = columns.slice(0, access.equal.length);
  if (equal.length > 1 && equal.every((column) => column >= 0) && s.together !== undefined) values = Math.min(values, s.together(plan.table, equal));
  let share = 1 / values;
  if (access.oneOf !== undefined)
    share *=
      access.oneOf.reduce((sum, e) => sum + valuesIn(e, 10, s), 0) /
      Math.max(1, columns[access.equal.length] >= 0 ? s.distinct(plan.table, columns[access.equal.length]) : unknownValues(plan, s));
  else if (access.lower !== undefined && access.upper !== undefined) share *= BETWEEN_SHARE;
  else if (access.lower !== undefined || access.upper !== undefined) share *= 0.33;
  return Math.min(1, share);
}

/** Number of searched values; `unknown`: for an array of unknown length. */
function valuesIn(e: Bound, unknown: number, s: Statistics): number {
  if (e.type.element === null) return 1;
  if (e.kind === 'arrayQuery') return estimateRows(e.plan, s);
  return e.kind === 'constant' && e.value instanceof ArrayValue ? e.value.elements.length : unknown;
}

/** The table column behind an expression, if it is one of a scan under filters. */
function tableColumn(e: Bound, plan: Plan): { readonly scan: ScanPlan; readonly column: number } | null {
  const bare = e.kind === 'cast' && e.method === 'binary' ? e.arg : e;
  let input = plan;
  while (input.op === 'filter') input = input.input;
  if (bare.kind !== 'column' || input.op !== 'scan') return null;
  const at = input.columns.findIndex((column) => column.id === bare.id);
  const source = at < 0 ? 'key' : input.source[at];
  return source === 'key' ? null : { scan: input, column: source };
}

/** The column test of `column op constant`; null for another form. */
function testOf(e: Bound, input: Plan): { readonly scan: ScanPlan; readonly column: number; readonly passes: (own: Value) => boolean } | null {
  if (e.kind !== 'call' || e.args.length !== 2) return null;
  const { fn, args } = e;
  if (fn.strict === false || ('needsCall' in fn && fn.needsCall === true) || (fn.volatility ?? 'immutable') !== 'immutable') return null;
  const turned = args[0].kind === 'constant';
  const value = turned ? args[0] : args[1];
  const found = tableColumn(turned ? args[1] : args[0], input);
  if (found === null || value.kind !== 'constant' || value.value === null) return null;
  const impl = fn.impl as (a: Value, b: Value) => Value;
  const constant = value.value;
  return { ...found, passes: (own) => (turned ? impl(constant, own) : impl(own, constant)) === true };
}

/** A value with at least this share of a sample is frequent enough to be estimated by the sample. */
const OFTEN = 0.005;

/** The share of a sample that satisfies the condition; for equality only with frequent values, otherwise the distinct count is better. */
function sampledShare(e: Call, input: Plan, s: Statistics): number | null {
  const test = s.share === undefined ? null : testOf(e, input);
  if (test === null) return null;
  const share = s.share!(test.scan.table, test.column, test.passes);
  return e.fn.name === '=' && share !== null && share < OFTEN ? null : share;
}

function sampledList(e: InList, input: Plan, s: Statistics): number | null {
  const found = s.share === undefined ? null : tableColumn(e.arg, input);
  if (found === null || !e.arg.type.hashable) return null;
  const { type } = e.arg;
  const keys = new Set<unknown>();
  for (const item of e.list) {
    if (item.kind !== 'constant' || item.value === null || item.type.oid !== type.oid) return null;
    keys.add(type.hashKey(item.value));
  }
  const share = s.share!(found.scan.table, found.column, (own) => keys.has(type.hashKey(own)));
  return share !== null && share < OFTEN ? null : share;
}

/** The scan column that an expression passes through from below. */
function sourceOf(e: Bound, plan: Plan, s: Statistics): { readonly scan: ScanPlan | VirtualScanPlan; readonly column: number | 'key' } | null {
  let id: ColumnId | null = e.kind === 'column' ? e.id : e.kind === 'cast' && e.arg.kind === 'column' ? e.arg.id : null;
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined && id !== null; p = stack.pop()) {
    if (p.op === 'scan' || p.op === 'virtualScan') {
      const at = p.columns.findIndex((column) => column.id === id);
      if (at >= 0) return { scan: p, column: p.source[at] };
    } else if (p.op === 'project' || p.op === 'aggregate') {
      const item: { readonly value: Bound } | undefined = (p.op === 'project' ? p.items : p.groups).find((one) => one.id === id);
      if (item === undefined) continue;
      if (item.value.kind !== 'column') return null;
      id = item.value.id;
      stack.push(p.input);
    } else if (p.op === 'cteScan') {
      const at = p.columns.findIndex((column) => column.id === id);
      const definition = at < 0 ? undefined : s.common?.(p.number);
      if (definition === undefined) continue;
      id = definition.columns[p.source[at]].id;
      stack.push(definition);
    } else if (p.op === 'join') stack.push(p.left, p.right);
    else if (p.op === 'filter' || p.op === 'sort' || p.op === 'limit' || p.op === 'distinct' || p.op === 'lock') stack.push(p.input);
  }
  return null;
}

/** Distinct values of an expression that is a column of a table or virtual relation somewhere below. */
export function distinctOf(e: Bound, plan: Plan, s: Statistics): number | null {
  const found = sourceOf(e, plan, s);
  if (found === null) return null;
  if (found.scan.op === 'virtualScan') return virtualDistinct(found.scan.relation, found.column as number);
  return found.column === 'key' ? s.rows(found.scan.table) : s.distinct(found.scan.table, found.column);
}

export function selectivity(predicate: Bound, input: Plan, s: Statistics): number {
  let share = 1;
  const all = conjuncts(predicate);
  // Bounds on both sides of one column are estimated together.
  const ranges = new Map<number, Bound[]>();
  for (const e of all) {
    const test = s.share !== undefined && e.kind === 'call' && e.fn.name !== '=' && e.fn.name !== '<>' ? testOf(e, input) : null;
    if (test === null) share *= one(e, input, s) * betweenShare(e, all);
    else ranges.set(test.column, [...(ranges.get(test.column) ?? []), e]);
  }
  for (const some of ranges.values()) {
    const tests = some.map((e) => testOf(e, input)!);
    const [{ scan, column }] = tests;
    share *= rangeShare(scan.table, column, some, s) ?? s.share!(scan.table, column, (own) => tests.every(({ passes }) => passes(own))) ?? 0.33 ** some.length;
  }
  return share;
}

/** Rows between two unknown bounds: Postgres assumes the same. */
const BETWEEN_SHARE = 0.005;

/** The factor that turns the defaults of two bounds on one column, 0.33 each, into that of a pair; otherwise 1. */
function betweenShare(e: Bound, all: readonly Bound[]): number {
  const side = openSide(e);
  if (side === null || side.up) return 1;
  const isPair = all.some((other) => {
    const end = openSide(other);
    return end?.up === true && end.id === side.id;
  });
  return isPair ? BETWEEN_SHARE / 0.33 ** 2 : 1;
}

/** The column that an unknown value bounds, and whether from above. */
function openSide(e: Bound): { readonly id: ColumnId; readonly up: boolean } | null {
  if (e.kind !== 'call' || e.args.length !== 2 || !['<', '<=', '>', '>='].includes(e.fn.name)) return null;
  const [a, b] = e.args;
  const less = e.fn.name.startsWith('<');
  if (a.kind === 'column' && b.kind !== 'constant' && b.kind !== 'column') return { id: a.id, up: less };
  return b.kind === 'column' && a.kind !== 'constant' && a.kind !== 'column' ? { id: b.id, up: !less } : null;
}

/** The share of rows within bounds on a key's first column, counted in the tree. */
function rangeShare(table: SqlTable, column: number, bounds: readonly Bound[], s: Statistics): number | null {
  if (table.key.columns[0] !== column) return null;
  let access: Access = { index: null, equal: [], backward: false };
  for (const e of bounds) {
    const { fn, args } = e as Call;
    const turned = args[0].kind === 'constant';
    const value = args[turned ? 0 : 1];
    if (value.type.oid !== args[turned ? 1 : 0].type.oid) return null;
    const inclusive = fn.name.endsWith('=');
    if (fn.name === '>' || fn.name === '>=' ? !turned : turned) access = { ...access, lower: { value, inclusive } };
    else access = { ...access, upper: { value, inclusive } };
    if (!['<', '<=', '>', '>='].includes(fn.name)) return null;
  }
  const rows = s.accessRows(table, access);
  return rows === null ? null : rows / Math.max(1, s.rows(table));
}

function one(e: Bound, input: Plan, s: Statistics): number {
  switch (e.kind) {
    case 'call': {
      if (e.args.length !== 2) return 0.3;
      const sampled = sampledShare(e, input, s);
      if (sampled !== null) return sampled;
      const distinct = distinctOf(e.args[0], input, s) ?? distinctOf(e.args[1], input, s);
      if (e.fn.name === '=' || onlyText(e) !== null) return distinct === null ? 0.05 : 1 / Math.max(1, distinct);
      if (e.fn.name === '<>') return 0.9;
      return 0.33;
    }
    case 'in': {
      const listed = sampledList(e, input, s);
      if (listed !== null) return e.negated ? 1 - listed : listed;
      const distinct = distinctOf(e.arg, input, s) ?? 20;
      const share = Math.min(1, e.list.length / Math.max(1, distinct));
      return e.negated ? 1 - share : share;
    }
    case 'quantified': {
      const distinct = e.quantifier === 'any' && e.operator.name === '=' ? distinctOf(e.left, input, s) : null;
      return distinct === null ? 0.5 : Math.min(1, valuesIn(e.array, 4, s) / Math.max(1, distinct));
    }
    case 'isNull':
      return e.negated ? 0.9 : 0.1;
    case 'or':
      return Math.min(
        1,
        e.args.reduce((sum, arg) => sum + one(arg, input, s), 0),
      );
    case 'and':
      return selectivity(e, input, s);
    case 'not':
      return 1 - one(e.arg, input, s);
    case 'constant':
      return e.value === true ? 1 : 0;
    default:
      return 0.5;
  }
}
