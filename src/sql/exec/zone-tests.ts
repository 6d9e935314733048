/**
 * Zone-map tests: a scan's conditions are first evaluated on the zone maps of leaf groups: none of the rows may pass, or all of them
 * must. Only comparisons of a column with a value known before the first row are used, and only for types whose values are stored in
 * their own order; other conditions count as true for some rows. Zone maps describe the current rows, so they never change a scan's
 * result.
 */
import type { GroupView } from '../../tree/gathered.ts';
import { KIND } from '../../tree/datum.ts';
import type { Zone } from '../../tree/zone.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { AppendKey, AppendPlan, Plan, ScanPlan } from '../plan/logical.ts';
import { type Bindings, bindingsOf } from '../plan/rules/access.ts';
import { columnsOf, conjuncts, hasSubquery, isVolatile } from '../plan/rules/walk.ts';
import type { SqlColumn } from '../schema/table.ts';
import { ArrayValue } from '../types/array-value.ts';
import { Numeric } from '../types/numeric.ts';
import type { Value } from '../types/value.ts';
import type { Compilation } from './compilation.ts';
import type { NumberTable } from './key-table.ts';
import type { Run } from './run.ts';

/** How many rows of a group pass. */
export const PASSES = { none: 0, some: 1, all: 2 } as const;
export type Passes = (typeof PASSES)[keyof typeof PASSES];

export type ZoneAsk = (view: GroupView) => Passes;

/** A test on groups of leaves of one of the pipeline's scans. */
export interface ZoneTest {
  readonly scan: ScanPlan;
  /** Called at each start of the scan; null: no test this time. */
  start(run: Run): ZoneAsk | null;
  /** Whether `all` decides the whole condition. */
  readonly decides: boolean;
}

/** A value in zone-map form; undefined if it has none. */
export type ZoneValue = number | bigint | string;

const TEXTS = new Set(['text', 'varchar', 'uuid']);

/** Whether the column's values are stored in their own order. */
export function isZoned({ storage, type }: SqlColumn): boolean {
  if (storage.form === 'parsed') return false;
  if (storage.form === 'decimal') return true;
  if (storage.kind === KIND.TEXT) return TEXTS.has(type.name);
  return storage.kind === KIND.I32 || storage.kind === KIND.F64 || storage.kind === KIND.BOOL;
}

/** Coefficients up to here are exact with any multiplier. */
const EXACT_MAX = 2 ** 52;

export function zoneValue({ storage }: SqlColumn, value: Value): ZoneValue | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return value === value ? value : undefined;
  if (value instanceof Numeric) {
    const { coefficient, scale } = value;
    if (storage.form !== 'decimal' || typeof coefficient !== 'number' || !Number.isFinite(coefficient) || scale > storage.scale) return undefined;
    const aligned = coefficient * 10 ** (storage.scale - scale);
    return Math.abs(aligned) <= EXACT_MAX ? aligned : undefined;
  }
  if (storage.form === 'decimal') return undefined;
  return typeof value === 'bigint' || typeof value === 'string' ? value : undefined;
}

/** The zone-map test for predicates over a scan; null if there is none. */
export function predicateTest(c: Compilation, scan: ScanPlan, predicates: readonly Bound[]): ZoneTest | null {
  if (predicates.some(isVolatile)) return null;
  const made = predicates.map((e) => nodeOf(c, scan, e));
  const asked = made.filter((node) => node !== null);
  if (asked.length === 0) return null;
  return {
    scan,
    decides: asked.length === made.length,
    start(run) {
      const asks = asked.map((start) => start(run));
      return (view) => {
        let passes: Passes = PASSES.all;
        for (let i = 0; i < asks.length; i++) {
          const one = asks[i](view);
          if (one === PASSES.none) return one;
          if (one < passes) passes = one;
        }
        return passes;
      };
    },
  };
}

type Start = (run: Run) => ZoneAsk;

const some: ZoneAsk = () => PASSES.some;

function nodeOf(c: Compilation, scan: ScanPlan, e: Bound): Start | null {
  switch (e.kind) {
    case 'and':
    case 'or': {
      const parts = e.args.map((arg) => nodeOf(c, scan, arg));
      const is = e.kind;
      if (is === 'or' ? parts.some((part) => part === null) : parts.every((part) => part === null)) return null;
      return (run) => {
        const asks = parts.map((part) => (part === null ? some : part(run)));
        return (view) => {
          let passes: Passes = is === 'and' ? PASSES.all : PASSES.none;
          for (const ask of asks) {
            const one = ask(view);
            if (is === 'and' ? one < passes : one > passes) passes = one;
          }
          return passes;
        };
      };
    }
    case 'isNull': {
      const column = e.arg.kind === 'column' ? columnOf(scan, e.arg.id) : null;
      if (column === null) return null;
      const { number, missing } = column;
      const wanted = !e.negated;
      return () => (view) => {
        const zone = view.zone(number);
        const nulls = zone.nulls + (missing === null ? zone.absent : 0);
        const none = wanted ? nulls === 0 : nulls === zone.rows;
        return none ? PASSES.none : nulls === (wanted ? zone.rows : 0) ? PASSES.all : PASSES.some;
      };
    }
    default:
      return comparison(c, scan, e);
  }
}

/** The table's column behind this id of the scan; null otherwise. */
export function columnOf(scan: ScanPlan, id: ColumnId): SqlColumn | null {
  const at = scan.columns.findIndex((column) => column.id === id);
  const source = at < 0 ? 'key' : scan.source[at];
  if (source === 'key' || (scan.table.document && source === 0)) return null;
  return scan.table.columns[source];
}

function comparison(c: Compilation, scan: ScanPlan, e: Bound): Start | null {
  if (hasSubquery(e)) return null;
  for (const id of columnsOf(e)) {
    const column = columnOf(scan, id);
    if (column === null || !isZoned(column)) continue;
    const subject: Bound = { kind: 'column', id, type: column.type, typmod: column.typmod };
    const bound = bindingsOf(scan, [e], subject, column.type);
    if (bound !== null) return comparisonWith(c, column, bound);
  }
  return null;
}

function comparisonWith(c: Compilation, column: SqlColumn, { equal, oneOf, lower, upper, equalBy, oneOfBy, lowerBy, upperBy }: Bindings): Start {
  const list = equal !== undefined ? [equal] : (oneOf ?? [...(lower === undefined ? [] : [lower.value]), ...(upper === undefined ? [] : [upper.value])]);
  const values = c.scalars(list);
  const isList = equal !== undefined || oneOf !== undefined;
  // A condition that is only implied narrows, it does not decide.
  const decides = equalBy !== undefined || oneOfBy !== undefined || lowerBy !== undefined || upperBy !== undefined;
  return (run) => {
    const given = valuesOf(values, run);
    if (given === null) return some;
    if (isList) {
      const wanted = given.flatMap((value) => (value instanceof ArrayValue ? value.elements : [value])).filter((value) => value !== null);
      const found = wanted.map((value) => zoneValue(column, value)).filter((value) => value !== undefined);
      return found.length < wanted.length ? some : inList(column, found);
    }
    if (given.includes(null)) return () => PASSES.none;
    const found = given.map((value) => zoneValue(column, value));
    if (found.some((value) => value === undefined || (typeof value === 'string' && isWide(value)))) return some;
    const least = lower === undefined ? null : { value: found[0]!, inclusive: lower.inclusive };
    const most = upper === undefined ? null : { value: found[found.length - 1]!, inclusive: upper.inclusive };
    return inRange(column, least, most, decides);
  };
}

/** A value that cannot be computed is computed again when a row needs it, and fails there. */
function valuesOf(values: (run: Run, row: readonly Value[]) => Value[], run: Run): Value[] | null {
  try {
    return values(run, []);
  } catch {
    return null;
  }
}

/** Whether a text has UTF-16 units whose order is not that of their characters. */
function isWide(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0xd800) return true;
  return false;
}

/** Whether the zone map covers every row: none is filled in by the column's `missing` value. */
function speaks({ missing }: SqlColumn, zone: Zone): boolean {
  return zone.ordered && (zone.absent === 0 || missing === null);
}

export function inList(column: SqlColumn, list: readonly ZoneValue[]): ZoneAsk {
  return (view) => {
    const zone = view.zone(column.number);
    if (!speaks(column, zone)) return PASSES.some;
    const { min, max } = zone;
    if (min === null || max === null) return PASSES.none;
    for (let i = 0; i < list.length; i++) {
      if (list[i] < min || list[i] > max) continue;
      return min === max && zone.values === zone.rows ? PASSES.all : PASSES.some;
    }
    return PASSES.none;
  };
}

interface End {
  readonly value: ZoneValue;
  readonly inclusive: boolean;
}

function inRange(column: SqlColumn, least: End | null, most: End | null, decides: boolean): ZoneAsk {
  return (view) => {
    const zone = view.zone(column.number);
    if (!speaks(column, zone)) return PASSES.some;
    const { min, max } = zone;
    if (min === null || max === null) return PASSES.none;
    if (least !== null && (least.inclusive ? max < least.value : max <= least.value)) return PASSES.none;
    if (most !== null && (most.inclusive ? min > most.value : min >= most.value)) return PASSES.none;
    if (!decides || zone.values < zone.rows) return PASSES.some;
    if (least !== null && (least.inclusive ? min < least.value : min <= least.value)) return PASSES.some;
    if (most !== null && (most.inclusive ? max > most.value : max >= most.value)) return PASSES.some;
    return PASSES.all;
  };
}

export interface ScanColumn {
  readonly scan: ScanPlan;
  readonly column: SqlColumn;
}

/** The scans at the bottom of the pipeline that produces the plan's rows, each with its column behind `id`: one, or those of an append. */
export function scansBehind(plan: Plan, id: ColumnId): readonly ScanColumn[] {
  const found = sourceBehind(plan, id);
  if (found === null) return [];
  const { source, at } = found;
  if (source.op === 'append') return source.inputs.flatMap((input) => scansBehind(input, at));
  const column = columnOf(source, at);
  return column === null || !isZoned(column) ? [] : [{ scan: source, column }];
}

/**
 * The source at the bottom of the pipeline that produces the plan's rows, and its column behind `id`, provided that each row of the
 * plan takes that column from one of its rows and that leaving out rows there only removes their results.
 */
function sourceBehind(plan: Plan, id: ColumnId): { source: ScanPlan | AppendPlan; at: ColumnId } | null {
  let at: ColumnId = id;
  let p = plan;
  for (;;) {
    switch (p.op) {
      case 'scan':
      case 'append':
        return { source: p, at };
      case 'filter':
        if (conjuncts(p.predicate).some(isVolatile)) return null;
        break;
      case 'project': {
        const own: ColumnId = at;
        const value: Bound | undefined = p.items.find((item) => item.id === own)?.value;
        if (value?.kind !== 'column' || p.items.some((item) => isVolatile(item.value))) return null;
        at = value.id;
        break;
      }
      case 'join':
        if (p.kind === 'right' || p.kind === 'full' || p.kind === 'single' || (p.on !== null && isVolatile(p.on))) return null;
        p = p.left;
        continue;
      default:
        return null;
    }
    p = p.input;
  }
}

/** Build-side keys that are looked up in zone maps one by one; of more only the least and the greatest. */
const KEYS_MAX = 1000;

/** Which inputs of an append are read, decided at each start; null: all. */
export interface InputTest {
  readonly append: AppendPlan;
  kept(run: Run): readonly boolean[] | null;
}

/** Skips partitions that cannot contain any of a join table's keys. */
export function keyedInputs(plan: Plan, key: Bound, tableOf: (run: Run) => NumberTable | null): InputTest | null {
  const found = key.kind === 'column' ? sourceBehind(plan, key.id) : null;
  if (found === null || found.source.op !== 'append') return null;
  const { source, at } = found;
  const own: AppendKey | undefined = source.keys?.find(({ id }) => id === at);
  if (own === undefined) return null;
  return {
    append: source,
    kept(run) {
      const keys = tableOf(run)?.keys(KEYS_MAX) ?? null;
      if (keys === null) return null;
      const { list, all } = keys;
      return all ? own.among([...list]) : own.between(list[0], list[1]);
    },
  };
}

/** Skips leaf groups whose column has none of a join table's keys. */
export function keysTests(plan: Plan, key: Bound, tableOf: (run: Run) => NumberTable | null): readonly ZoneTest[] {
  if (key.kind !== 'column') return [];
  return scansBehind(plan, key.id)
    .filter(({ column: { storage } }) => storage.form === 'direct' && storage.kind <= KIND.F64)
    .map((found) => keysTest(found, tableOf));
}

function keysTest({ scan, column }: ScanColumn, tableOf: (run: Run) => NumberTable | null): ZoneTest {
  return {
    scan,
    decides: false,
    start(run) {
      const keys = tableOf(run)?.keys(KEYS_MAX) ?? null;
      if (keys === null) return null;
      const { list, all } = keys;
      return (view) => {
        const zone = view.zone(column.number);
        if (!speaks(column, zone)) return PASSES.some;
        const { min, max } = zone;
        if (min === null || max === null || list.length === 0) return PASSES.none;
        const [least, most] = [Number(min), Number(max)];
        if (!all) return most < list[0] || least > list[1] ? PASSES.none : PASSES.some;
        let at = 0;
        for (let end = list.length; at < end;) {
          const middle = (at + end) >> 1;
          if (list[middle] < least) at = middle + 1;
          else end = middle;
        }
        return at < list.length && list[at] <= most ? PASSES.some : PASSES.none;
      };
    },
  };
}
