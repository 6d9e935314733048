/**
 * Access paths: a scan uses the table's key or an index if predicates bind its first columns and few enough rows remain. The
 * predicates stay above the scan: an index narrows, it does not decide.
 */
import type { IcuCollation } from '../../types/icu-collation.ts';
import type { Bound, ColumnId } from '../bound.ts';
import { underFold } from '../folded.ts';
import type { Access, FewAccess, Plan, ScanPlan } from '../logical.ts';
import { SEARCHED, TURNED } from '../../schema/search-keys.ts';
import type { Index, SqlTable } from '../../schema/table.ts';
import { arrayType } from '../../types/array-type.ts';
import type { SqlType } from '../../types/type.ts';
import { estimateRows } from './estimate.ts';
import { sameForm } from './factor.ts';
import { implies } from './implication.ts';
import { filtered } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { accessBounds, columnsOf, conjuncts, freeColumns, hasSubquery, isEquality, isVolatile } from './walk.ts';

/**
 * The cost of a row found through an index, in sequentially read rows: it is at a random position, under its own key. Larger trees
 * are deeper and cache worse: 0.7 µs were measured at 10,000 rows, 2.8 µs at 600,000.
 */
export function rowCost(all: number): number {
  return Math.max(10, 15 * Math.cbrt(all / 10_000));
}
/** A full scan: leaves that earlier scans have gathered cost a quarter. */
export function scanCost(all: number): number {
  return all <= GATHERED_MIN ? all : GATHERED_MIN + (all - GATHERED_MIN) * GATHERED_ROW_COST;
}
/** Fewer rows fill too few leaves. */
const GATHERED_MIN = 1000;
const GATHERED_ROW_COST = 0.25;

/** The cost of evaluating a search condition on a document, an array, a text or a range. */
const SEARCH_TEST_COST = 2;

/** The cost of a row in a range, once that is found. */
const RANGE_ROW_COST = 1.5;

/** The cost of one lookup of an access path, among many with other values. */
export function lookupCost({ table }: ScanPlan, { access, rows }: { readonly access: Access; readonly rows: number }, statistics: Statistics): number {
  const all = statistics.rows(table);
  if (access.index !== null) return (1 + rows) * rowCost(all);
  // Numeric keys compare faster.
  return rowCost(all) * (table.key.numeric ? 0.4 : 1) + rows * RANGE_ROW_COST;
}

/** If a list is longer than this, and than the table, rows are looked up in the list instead. */
const LONG_LIST = 1000;

/** The restrictions of predicates on one column, and their predicates. */
export interface Bindings {
  equalBy?: Bound;
  oneOfBy?: Bound;
  lowerBy?: Bound;
  upperBy?: Bound;
  equal?: Bound;
  oneOf?: readonly Bound[];
  lower?: { readonly value: Bound; readonly inclusive: boolean };
  upper?: { readonly value: Bound; readonly inclusive: boolean };
}

export interface ChosenAccess {
  readonly access: Access;
  readonly rows: number;
  readonly cost: number;
  /** Predicates that hold for every row of the access path. */
  readonly implied: readonly Bound[];
}

/** The cheapest access path by key or index that the predicates allow; null if there is none. `subqueries`: also with their results as bounds. */
export function findAccess(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics, subqueries = false): ChosenAccess | null {
  const { table } = scan;
  const bindingOf = bindingsOver(scan, predicates, statistics, subqueries);
  let best: ChosenAccess | null = null;
  const consider = (index: Index | null): void => {
    const found = accessOn(scan, index, bindingOf, statistics);
    if (found !== null && (best === null || found.cost < best.cost)) best = found;
  };
  if (table.key.columns.length > 0) consider(null);
  for (const index of table.indexes) if (index.entries === 'ordered' && allows(scan, index, predicates, statistics)) consider(index);
  return best;
}

/** The restrictions of the predicates on columns of keys and indexes. */
export function bindingsOver(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics, subqueries = false): BindingOf {
  const { table } = scan;
  const known = new Map<string, Bindings | null>();
  return (index, at) => {
    const part = index?.columns[at];
    const column = index === null ? table.key.columns[at] : part!.column;
    const { folding } = index === null ? table.columns[column!] : part!;
    const key = column === null ? `${index!.number}.${at}` : `${column} ${folding?.locale ?? ''}`;
    let found = known.get(key);
    if (found === undefined) {
      const e = column === null ? indexExpression(scan, index!, at, statistics) : columnOf(scan, column);
      const type = column === null ? part!.type : table.columns[column].type;
      known.set(key, (found = e === null ? null : bindingsOf(scan, predicates, e, type, { folding, subqueries })));
    }
    return found;
  };
}

/** The access path by one index (null: the primary tree); null if the predicates do not restrict its first column. */
export function accessOn(scan: ScanPlan, index: Index | null, bindingOf: BindingOf, statistics: Statistics): ChosenAccess | null {
  const { table } = scan;
  const columns = index === null ? table.key.columns.length : index.columns.length;
  const implied: Bound[] = [];
  const access = accessBy(table, index, columns, bindingOf, implied);
  if (access === null) return null;
  const listed = access.oneOf?.length ?? 0;
  if (listed > LONG_LIST && listed > statistics.rows(table)) return null;
  const unique = (index === null || (index.unique && index.where === null)) && access.equal.length === columns;
  const rows = unique ? 1 : (statistics.accessRows(table, access) ?? estimateRows({ ...scan, access }, statistics));
  const ranges = access.oneOf?.length ?? 1;
  const cost = (index === null ? rows : rows * rowCost(statistics.rows(table))) + ranges * 5;
  return { access, rows, cost, implied };
}

/** The scan under the predicates, with an access path if that is cheaper. */
export function chooseAccess(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics): Plan {
  if (scan.access !== undefined) return filtered(scan, predicates);
  const all = statistics.rows(scan.table);
  const found = findAccess(scan, predicates, statistics, true);
  const whole = scanCost(all);
  const usable = found !== null && (found.access.index === null || (found.cost <= whole && !isOpenRange(found.access)));
  const search = accessByKeys(scan, predicates, statistics, usable ? Math.min(found.cost, whole) : whole + all * SEARCH_TEST_COST);
  if (search !== null) return filtered({ ...scan, access: search }, predicates);
  if (usable) {
    return filtered(
      { ...scan, access: found.access },
      predicates.filter((e) => !found.implied.includes(e)),
    );
  }
  const union = accessByArms(scan, predicates, statistics);
  if (union !== null) return filtered({ ...scan, access: union }, predicates);
  // A parameter, a subquery or the clock may leave fewer rows than most values would. The bounds are evaluated again for its rows, which is too expensive
  // for a list.
  const bounds = found === null ? [] : accessBounds(found.access);
  const open = found !== null && bounds.some((e) => e.kind !== 'constant') && !bounds.some(isVolatile);
  const few = open ? found.access : accessUnless(scan, predicates, statistics);
  return filtered(few === null ? scan : { ...scan, few }, predicates);
}

/** For `$1 IS NULL OR a = $1`: the access path for the case that the part without columns is false. */
function accessUnless(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics): FewAccess | null {
  let best: (ChosenAccess & { readonly unless: Bound }) | null = null;
  for (const e of predicates) {
    if (e.kind !== 'or') continue;
    const known = e.args.filter((arm) => columnsOf(arm).size === 0 && !isVolatile(arm) && !hasSubquery(arm));
    const others = e.args.filter((arm) => !known.includes(arm));
    if (known.length === 0 || others.length !== 1) continue;
    const found = findAccess(scan, [...conjuncts(others[0]), ...predicates.filter((other) => other !== e)], statistics);
    if (found === null || (best !== null && found.cost >= best.cost)) continue;
    best = { ...found, unless: known.length === 1 ? known[0] : { ...e, args: known } };
  }
  return best === null ? null : { ...best.access, unless: best.unless };
}

/** An index range without known selectivity. */
function isOpenRange({ index, equal, lower, upper }: Access): boolean {
  return index !== null && equal.length === 0 && [lower, upper].some((bound) => bound !== undefined && bound.value.kind !== 'constant');
}

/** Whether an index lookup of this many rows is cheaper than a full scan. */
export function areFew(rows: number, all: number): boolean {
  return rows * rowCost(all) <= scanCost(all);
}

/** By an inverted index (gin), if a condition names keys that are rare enough to be cheaper than the given cost. */
function accessByKeys(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics, costMax: number): Access | null {
  const all = statistics.rows(scan.table);
  let best: Access | null = null;
  let least = costMax;
  for (const index of scan.table.indexes) {
    if (index.entries !== 'lists' || !allows(scan, index, predicates, statistics)) continue;
    index.columns.forEach(({ column }, at) => {
      const subject = column === null ? indexExpression(scan, index, at, statistics) : columnOf(scan, column);
      if (subject === null) return;
      const own = bare(subject);
      const isIt = (e: Bound): boolean => bare(e).kind === own.kind && sameForm(bare(e), own);
      for (const e of predicates) {
        if (e.kind !== 'call' || e.args.length !== 2) continue;
        const found = [SEARCHED[e.proc], TURNED[e.proc]].find(
          (each) => each !== undefined && isIt(e.args[each.side]) && isOutside(scan, e.args[1 - each.side]),
        );
        if (found === undefined) continue;
        const access: Access = {
          index,
          equal: [],
          backward: false,
          search: { column: at, by: found.by, type: subject.type, value: e.args[1 - found.side], operator: e.fn.name, turned: found.side === 1 },
        };
        // The rows of a value that is unknown at plan time are counted when the scan starts, with a fallback to the full scan.
        const rows = access.search!.value.kind === 'constant' ? estimateRows({ ...scan, access }, statistics) : 0;
        const cost = (1 + rows) * rowCost(all);
        if (cost >= least) continue;
        least = cost;
        best = access;
      }
    });
  }
  return best === null ? null : { index: null, equal: [], backward: false, union: [best] };
}

/** Whether the expression names no column of the scan and can be computed before it; `subqueries`: including some of those. */
function isOutside(scan: Pick<ScanPlan, 'columns'>, e: Bound, subqueries = false): boolean {
  return (
    e.kind === 'constant' ||
    e.kind === 'parameter' ||
    ((!isVolatile(e) || (subqueries && isInitial(e))) &&
      (subqueries || !hasSubquery(e)) &&
      [...columnsOf(e)].every((id) => !scan.columns.some((column) => column.id === id)))
  );
}

/** An uncorrelated subquery, which is computed once, even if it is volatile. */
function isInitial(e: Bound): boolean {
  return (e.kind === 'subquery' || e.kind === 'arrayQuery') && freeColumns(e.plan).size === 0;
}

/** The most OR arms that are looked up separately. */
const ARMS_MAX = 16;

/** If each arm of an OR has an access path, and they find few enough rows together. */
function accessByArms(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics): Access | null {
  const all = statistics.rows(scan.table);
  for (const e of predicates) {
    if (e.kind !== 'or' || e.args.length > ARMS_MAX) continue;
    const union: Access[] = [];
    let cost = 0;
    for (const arm of e.args) {
      const found = findAccess(scan, [...conjuncts(arm), ...predicates.filter((other) => other !== e)], statistics);
      if (found === null) break;
      union.push(found.access);
      cost += (1 + found.rows) * rowCost(all);
    }
    if (union.length === e.args.length && cost <= scanCost(all)) return { index: null, equal: [], backward: false, union };
  }
  return null;
}

/** The id of a table column in the scan; -1 if it is not read. */
function idOf(scan: ScanPlan, column: number): ColumnId {
  const at = scan.source.indexOf(column);
  return at < 0 ? -1 : scan.columns[at].id;
}

function columnOf(scan: ScanPlan, column: number): Bound | null {
  const at = scan.source.indexOf(column);
  return at < 0 ? null : { kind: 'column', ...scan.columns[at] };
}

/** The expression of an index column, over the scan's columns. */
export function indexExpression(scan: ScanPlan, index: Index, at: number, statistics: Statistics): Bound | null {
  return statistics.expression?.(scan.table, index, at, (column) => idOf(scan, column)) ?? null;
}

/** Whether the index covers all rows that satisfy the predicates: for a partial one they must imply its condition. */
export function allows(scan: ScanPlan, index: Index, predicates: readonly Bound[], statistics: Statistics): boolean {
  if (index.where === null) return true;
  const condition = statistics.condition?.(scan.table, index, (column) => idOf(scan, column)) ?? null;
  return condition !== null && implies(predicates, condition);
}

export type BindingOf = (index: Index | null, at: number) => Bindings | null;

function accessBy(table: SqlTable, index: Index | null, columns: number, bindingOf: BindingOf, implied: Bound[]): Access | null {
  const equal: Bound[] = [];
  let i = 0;
  for (; i < columns; i++) {
    const one = bindingOf(index, i);
    if (one?.equal === undefined) break;
    equal.push(one.equal);
    implied.push(one.equalBy!);
  }
  const next = i < columns ? bindingOf(index, i) : null;
  if (next?.oneOf !== undefined) {
    implied.push(next.oneOfBy!);
    return { index, equal, oneOf: next.oneOf, backward: false };
  }
  if (next !== null && (next.lower !== undefined || next.upper !== undefined)) {
    // A range of an index may include nulls at its open end; keys have none.
    const column = index === null ? null : index.columns[i].column;
    const closed = (next.lower !== undefined && next.upper !== undefined) || (column !== null && table.columns[column].notNull);
    if (index === null || closed) for (const by of [next.lowerBy, next.upperBy]) if (by !== undefined) implied.push(by);
    return { index, equal, lower: next.lower, upper: next.upper, backward: false };
  }
  return equal.length === 0 ? null : { index, equal, backward: false };
}

const FLIPPED: Record<string, string> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const INTEGERS = new Set(['int2', 'int4', 'int8']);
const TEXTS = new Set(['text', 'varchar']);

/** Whether a value of one type can be used in a key of the other. */
function fits(column: SqlType, value: SqlType): boolean {
  return column.oid === value.oid || (INTEGERS.has(column.name) && INTEGERS.has(value.name)) || (TEXTS.has(column.name) && TEXTS.has(value.name));
}

/** text and varchar have the same values. */
function bare(e: Bound): Bound {
  return e.kind === 'cast' && e.method === 'binary' && TEXTS.has(e.type.name) ? e.arg : e;
}

/** The list of `subject IN (SELECT …)`, if that is computed once: for an IN that cannot be a join, since it locks rows. */
function listOf({ quantifier, plan, compare }: Bound & { kind: 'quantifiedQuery' }, isSubject: (e: Bound) => boolean): Bound | null {
  const [column, ...more] = plan.columns;
  if (quantifier !== 'any' || more.length > 0 || column.type.element !== null || freeColumns(plan).size > 0) return null;
  if (!isEquality(compare)) return null;
  const at = compare.args.findIndex((arg) => arg.kind === 'column' && arg.id === column.id);
  if (at < 0 || !isSubject(compare.args[1 - at])) return null;
  return { kind: 'arrayQuery', plan, type: arrayType(column.type, column.type.arrayOid), typmod: -1 };
}

/** The predicates' restrictions on a column or index expression, folded like the key (`folded.ts`); null if there are none. */
export function bindingsOf(
  scan: Pick<ScanPlan, 'columns'>,
  predicates: readonly Bound[],
  subject: Bound,
  type: SqlType,
  { folding, subqueries = false }: { readonly folding?: IcuCollation; readonly subqueries?: boolean } = {},
): Bindings | null {
  const own = bare(subject);
  const isIt = (e: Bound): boolean => {
    const value = folding === undefined ? e : underFold(e, folding);
    if (value === null) return false;
    const found = bare(value);
    return found.kind === own.kind && sameForm(found, own);
  };
  const outside = (e: Bound): boolean => isOutside(scan, e, subqueries);
  const one: Bindings = {};
  for (const e of predicates) {
    if (e.kind === 'in' && !e.negated) {
      if (one.oneOf !== undefined || !isIt(e.arg) || !e.list.every((item) => outside(item) && fits(type, item.type))) continue;
      one.oneOf = e.list;
      one.oneOfBy = e;
      continue;
    }
    if (e.kind === 'quantified' && e.quantifier === 'any' && e.operator.name === '=') {
      const { element } = e.array.type;
      if (one.oneOf !== undefined || !isIt(e.left) || element === null || !outside(e.array) || !fits(type, element) || type.element !== null) continue;
      one.oneOf = [e.array];
      one.oneOfBy = e;
      continue;
    }
    if (e.kind === 'quantifiedQuery' && subqueries) {
      const list = one.oneOf === undefined ? listOf(e, isIt) : null;
      if (list === null || !fits(type, list.type.element!)) continue;
      one.oneOf = [list];
      one.oneOfBy = e;
      continue;
    }
    // A boolean column is a condition itself.
    if (type.name === 'bool' && (isIt(e) || (e.kind === 'not' && isIt(e.arg)))) {
      one.equal ??= { kind: 'constant', value: e.kind !== 'not', type, typmod: -1 };
      one.equalBy ??= e;
      continue;
    }
    if (e.kind === 'rowCompare') {
      // (a, b) < (x, y) implies for `a` only that it is not above x.
      const turned = !isIt(e.left[0]);
      if (turned && !isIt(e.right[0])) continue;
      const value = (turned ? e.left : e.right)[0];
      if (!outside(value) || !fits(type, value.type) || e.less[0]?.own !== undefined) continue;
      const name = turned ? FLIPPED[e.op] : e.op;
      if (name === '>' || name === '>=') one.lower ??= { value, inclusive: true };
      else if (name === '<' || name === '<=') one.upper ??= { value, inclusive: true };
      continue;
    }
    if (e.kind !== 'call' || e.args.length !== 2) continue;
    if (FLIPPED[e.fn.name] !== undefined && !('kind' in e.fn)) {
      const turned = !isIt(e.args[0]);
      if (turned && !isIt(e.args[1])) continue;
      const value = e.args[turned ? 0 : 1];
      const name = turned ? FLIPPED[e.fn.name] : e.fn.name;
      if (!outside(value) || !fits(type, value.type)) continue;
      if (name === '=' && one.equal === undefined) {
        one.equal = value;
        one.equalBy = e;
      } else if ((name === '>' || name === '>=') && one.lower === undefined) {
        one.lower = { value, inclusive: name === '>=' };
        one.lowerBy = e;
      } else if ((name === '<' || name === '<=') && one.upper === undefined) {
        one.upper = { value, inclusive: name === '<=' };
        one.upperBy = e;
      }
    }
    if (e.proc === 'textlike' && e.args[1].kind === 'constant' && typeof e.args[1].value === 'string') {
      const prefix = /^[^%_\\]*/.exec(e.args[1].value)![0];
      const last = prefix.charCodeAt(prefix.length - 1);
      // The successor of the last character bounds the prefix, unless surrogates are involved.
      if (!isIt(e.args[0]) || prefix === '' || last >= 0xd7ff || !TEXTS.has(type.name)) continue;
      const text = (value: string): Bound => ({ ...(e.args[1] as Bound & { kind: 'constant' }), value });
      one.lower ??= { value: text(prefix), inclusive: true };
      one.upper ??= { value: text(prefix.slice(0, -1) + String.fromCharCode(last + 1)), inclusive: false };
    }
  }
  return one.equal === undefined && one.oneOf === undefined && one.lower === undefined && one.upper === undefined ? null : one;
}
