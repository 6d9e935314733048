/**
 * How a scan finds its rows: by the table's key or an index where predicates bind its first columns and few
 * enough rows are left. The predicates stay above the scan: an index narrows, it does not decide.
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { Access, Plan, ScanPlan } from '../logical.ts';
import type { Index } from '../../schema/table.ts';
import type { SqlType } from '../../types/type.ts';
import { estimateRows } from './estimate.ts';
import { filtered } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, hasSubquery, isVolatile } from './walk.ts';

/**
 * A row found through an index costs as much as so many rows of a full scan: it lies somewhere, under a key of its own.
 * Larger trees are deeper and further from the processor: 0.7 µs were measured at 10,000 rows, 2.8 µs at 600,000.
 */
export function rowCost(all: number): number {
  return 10 * Math.max(1, Math.log10(all));
}
/** A row of a range that is read once it is found. */
const RANGE_ROW_COST = 1.5;

/** Cost of finding an access's rows once, among many times with other values. */
export function lookupCost({ table }: ScanPlan, { access, rows }: { readonly access: Access; readonly rows: number }, statistics: Statistics): number {
  const all = statistics.rows(table);
  if (access.index !== null) return (1 + rows) * rowCost(all);
  // Keys that are numbers are compared as numbers.
  return rowCost(all) * (table.key.numeric ? 0.3 : 0.7) + rows * RANGE_ROW_COST;
}

/** What predicates say about one column, and which say it. */
interface Bindings {
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
  /** Predicates that hold for every row the access gives. */
  readonly settled: readonly Bound[];
}

/** The cheapest access by key or index that the predicates allow; null where none is. */
export function findAccess(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics): ChosenAccess | null {
  const own = new Map<ColumnId, number>();
  scan.columns.forEach((column, i) => {
    const source = scan.source[i];
    if (source !== 'key') own.set(column.id, source);
  });
  const bindings = bindingsOf(scan, predicates, own);
  if (bindings.size === 0) return null;
  let best: ChosenAccess | null = null;
  const consider = (index: Index | null, columns: readonly (number | null)[]): void => {
    const settled: Bound[] = [];
    const access = accessBy(index, columns, bindings, settled);
    if (access === null) return;
    const { table } = scan;
    const unique = (index === null || index.unique) && access.equal.length === columns.length;
    const rows = unique ? 1 : (statistics.accessRows(table, access) ?? estimateRows({ ...scan, access }, statistics));
    const ranges = access.oneOf?.length ?? 1;
    const cost = (index === null ? rows : rows * rowCost(statistics.rows(table))) + ranges * 5;
    if (best === null || cost < best.cost) best = { access, rows, cost, settled };
  };
  const { table } = scan;
  if (table.key.columns.length > 0) consider(null, table.key.columns);
  for (const index of table.indexes) {
    if (index.where !== null) {
      const condition = statistics.condition?.(table, index, (column) => [...own].find(([, source]) => source === column)?.[0] ?? -1) ?? null;
      if (condition === null || !predicates.some((e) => sameBound(e, condition))) continue;
    }
    consider(
      index,
      index.columns.map((column) => column.column),
    );
  }
  return best;
}

/** The scan under the predicates, by an access where that is worth it. */
export function chooseAccess(scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics): Plan {
  const found = scan.access === undefined ? findAccess(scan, predicates, statistics) : null;
  if (found === null || (found.access.index !== null && found.cost > statistics.rows(scan.table))) return filtered(scan, predicates);
  return filtered(
    { ...scan, access: found.access },
    predicates.filter((e) => !found.settled.includes(e)),
  );
}

function accessBy(index: Index | null, columns: readonly (number | null)[], bindings: ReadonlyMap<number, Bindings>, settled: Bound[]): Access | null {
  const equal: Bound[] = [];
  let i = 0;
  for (; i < columns.length; i++) {
    const column = columns[i];
    const one = column === null ? undefined : bindings.get(column);
    if (one?.equal === undefined) break;
    equal.push(one.equal);
    settled.push(one.equalBy!);
  }
  const next = i < columns.length && columns[i] !== null ? bindings.get(columns[i]!) : undefined;
  if (next?.oneOf !== undefined) {
    settled.push(next.oneOfBy!);
    return { index, equal, oneOf: next.oneOf, backward: false };
  }
  if (next !== undefined && (next.lower !== undefined || next.upper !== undefined)) {
    // A range of an index may hold nulls at its open end; keys have none.
    if (index === null) for (const by of [next.lowerBy, next.upperBy]) if (by !== undefined) settled.push(by);
    return { index, equal, lower: next.lower, upper: next.upper, backward: false };
  }
  return equal.length === 0 ? null : { index, equal, backward: false };
}

const FLIPPED: Record<string, string> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const INTEGERS = new Set(['int2', 'int4', 'int8']);
const TEXTS = new Set(['text', 'varchar']);

/** Whether a value of one type can stand in a key of the other. */
function fits(column: SqlType, value: SqlType): boolean {
  return column.oid === value.oid || (INTEGERS.has(column.name) && INTEGERS.has(value.name)) || (TEXTS.has(column.name) && TEXTS.has(value.name));
}

function bindingsOf(scan: ScanPlan, predicates: readonly Bound[], own: ReadonlyMap<ColumnId, number>): Map<number, Bindings> {
  const out = new Map<number, Bindings>();
  const at = (column: number): Bindings => {
    let one = out.get(column);
    if (one === undefined) out.set(column, (one = {}));
    return one;
  };
  const columnOf = (e: Bound): number | undefined => {
    const bare = e.kind === 'cast' && e.method === 'binary' && TEXTS.has(e.type.name) ? e.arg : e;
    return bare.kind === 'column' ? own.get(bare.id) : undefined;
  };
  const outside = (e: Bound): boolean =>
    !isVolatile(e) && !hasSubquery(e) && [...columnsOf(e)].every((id) => !own.has(id) && !scan.columns.some((column) => column.id === id));
  for (const e of predicates) {
    if (e.kind === 'in' && !e.negated) {
      const column = columnOf(e.arg);
      if (column === undefined || !e.list.every((item) => outside(item) && fits(scan.table.columns[column].type, item.type))) continue;
      const listed = at(column);
      if (listed.oneOf === undefined) {
        listed.oneOf = e.list;
        listed.oneOfBy = e;
      }
      continue;
    }
    if (e.kind === 'quantified' && e.quantifier === 'any' && e.operator.name === '=') {
      const column = columnOf(e.left);
      const { element } = e.array.type;
      if (
        column === undefined ||
        element === null ||
        !outside(e.array) ||
        !fits(scan.table.columns[column].type, element) ||
        scan.table.columns[column].type.element !== null
      )
        continue;
      const listed = at(column);
      if (listed.oneOf === undefined) {
        listed.oneOf = [e.array];
        listed.oneOfBy = e;
      }
      continue;
    }
    if (e.kind === 'call' && e.args.length === 2 && FLIPPED[e.fn.name] !== undefined && !('kind' in e.fn)) {
      const left = columnOf(e.args[0]);
      const right = columnOf(e.args[1]);
      const [column, value, name] =
        left !== undefined && outside(e.args[1])
          ? [left, e.args[1], e.fn.name]
          : right !== undefined && outside(e.args[0])
            ? [right, e.args[0], FLIPPED[e.fn.name]]
            : [undefined, e.args[0], ''];
      if (column === undefined || !fits(scan.table.columns[column].type, value.type)) continue;
      const one = at(column);
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
    if (e.kind === 'call' && e.proc === 'textlike' && e.args[1].kind === 'constant' && typeof e.args[1].value === 'string') {
      const column = columnOf(e.args[0]);
      const prefix = /^[^%_\\]*/.exec(e.args[1].value)![0];
      const last = prefix.charCodeAt(prefix.length - 1);
      // The next character after the last one bounds the prefix, where it stays clear of surrogates.
      if (column === undefined || prefix === '' || last >= 0xd7ff || !TEXTS.has(scan.table.columns[column].type.name)) continue;
      const one = at(column);
      const text = (value: string): Bound => ({ ...(e.args[1] as Bound & { kind: 'constant' }), value });
      one.lower ??= { value: text(prefix), inclusive: true };
      one.upper ??= { value: text(prefix.slice(0, -1) + String.fromCharCode(last + 1)), inclusive: false };
    }
  }
  return out;
}

/** Whether two expressions are written alike. */
export function sameBound(a: Bound, b: Bound): boolean {
  const plain = (e: unknown): string =>
    JSON.stringify(e, (key, value: unknown) => {
      if (key === 'type' || key === 'fn' || key === 'cast' || key === 'typmod' || key === 'equal') return undefined;
      return typeof value === 'bigint' ? `${value}n` : value;
    });
  return plain(a) === plain(b);
}
