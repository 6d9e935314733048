/** A small world for tests of the executor: types, functions, tables over a page store in memory, plans by hand. */
import { MemoryPageStore } from '../../../src/storage/memory-page-store.ts';
import { type Datum, type Key, KIND, type RowChange, type Shape } from '../../../src/tree/datum.ts';
import { setChildRoot } from '../../../src/tree/directory.ts';
import type { Node } from '../../../src/tree/node.ts';
import { Pager } from '../../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../../src/tree/write.ts';
import { YIELD } from '../../../src/sql/exec/batch.ts';
import { compile } from '../../../src/sql/exec/compile.ts';
import type { ExecContext } from '../../../src/sql/exec/context.ts';
import type { AggregateFunction, ScalarFunction, SqlCast, SqlOperator } from '../../../src/sql/functions/define.ts';
import type { Bound, BoundAggregate, BoundSort, ColumnId } from '../../../src/sql/plan/bound.ts';
import type { OutputColumn, Plan, ScanPlan } from '../../../src/sql/plan/logical.ts';
import type { Index, SqlColumn, SqlTable, Storage } from '../../../src/sql/schema/table.ts';
import type { TableWriter } from '../../../src/sql/schema/table-writer.ts';
import { type Environment, STORED } from '../../../src/sql/types/environment.ts';
import { makeType } from '../../../src/sql/types/make-type.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { Repr, SqlType } from '../../../src/sql/types/type.ts';
import { type Value, whole, type Whole } from '../../../src/sql/types/value.ts';
import { SvcError } from '../../../src/base/errors/svc-error.ts';

const type = (oid: number, name: string, repr: Repr, category = 'N', more: Partial<SqlType> = {}): SqlType =>
  makeType({
    oid,
    name,
    title: name,
    category,
    length: 4,
    repr,
    arrayOid: 0,
    parse: (text) => (repr === 'string' ? text : Number(text)),
    format: String,
    ...more,
  });

const power = (n: number): bigint => 10n ** BigInt(n);
const at = (n: Numeric, scale: number): bigint => BigInt(n.coefficient) * power(scale - n.scale);
function compareNumbers(a: Numeric, b: Numeric): number {
  const scale = Math.max(a.scale, b.scale);
  const x = at(a, scale);
  const y = at(b, scale);
  return x < y ? -1 : x > y ? 1 : 0;
}
export const BOOL = type(16, 'bool', 'bool', 'B', { parse: (text) => text === 't', format: (value) => (value === true ? 't' : 'f') });
export const INT4 = type(23, 'int4', 'i32');
export const INT8 = type(20, 'int8', 'whole');
export const FLOAT8 = type(701, 'float8', 'f64', 'N', {
  compare: (a, b) => ((a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : a === b ? 0 : Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1),
});
export const TEXT = type(25, 'text', 'string', 'S');
export const NUMERIC = type(1700, 'numeric', 'numeric', 'N', {
  compare: (a, b) => compareNumbers(a as Numeric, b as Numeric),
  hashKey: (value) => `${at(value as Numeric, 40)}`,
  format: (value) => formatNumeric(value as Numeric),
});
export const INT4_ARRAY = type(1007, '_int4', 'object', 'A', { element: INT4 });

export function formatNumeric(n: Numeric): string {
  const negative = n.coefficient < 0;
  const digits = String(n.coefficient)
    .replace('-', '')
    .padStart(n.scale + 1, '0');
  const text = n.scale === 0 ? digits : `${digits.slice(0, -n.scale)}.${digits.slice(-n.scale)}`;
  return negative ? `-${text}` : text;
}

const big = (value: bigint): Whole => {
  if (value > 9223372036854775807n || value < -9223372036854775808n) throw new SvcError('22003', 'bigint out of range');
  return whole(value);
};
const int4 = (value: number): number => {
  if ((value | 0) !== value) throw new SvcError('22003', 'integer out of range');
  return value;
};
// oxlint-disable-next-line no-explicit-any
type Impl = (...args: any[]) => Value;

const operators = new Map<string, SqlOperator>();
function declare(name: string, arg: string, returns: string, proc: string, impl: Impl): void {
  operators.set(`${arg} ${name}`, { name, left: arg, right: arg, returns, proc, impl });
}
for (const [name, test, impl] of [
  ['=', 'eq', (a: number, b: number) => a === b],
  ['<>', 'ne', (a: number, b: number) => a !== b],
  ['<', 'lt', (a: number, b: number) => a < b],
  ['<=', 'le', (a: number, b: number) => a <= b],
  ['>', 'gt', (a: number, b: number) => a > b],
  ['>=', 'ge', (a: number, b: number) => a >= b],
] as [string, string, Impl][]) {
  for (const arg of ['int4', 'int8', 'float8', 'bool']) declare(name, arg, 'bool', arg + test, impl);
  declare(name, 'text', 'bool', test === 'eq' || test === 'ne' ? `text${test}` : `text_${test}`, impl);
  declare(name, 'numeric', 'bool', `numeric_${test}`, (a: Numeric, b: Numeric) => impl(compareNumbers(a, b), 0));
}
declare('+', 'int4', 'int4', 'int4pl', (a: number, b: number) => int4(a + b));
declare('-', 'int4', 'int4', 'int4mi', (a: number, b: number) => int4(a - b));
declare('*', 'int4', 'int4', 'int4mul', (a: number, b: number) => int4(a * b));
declare('/', 'int4', 'int4', 'int4div', (a: number, b: number) => {
  if (b === 0) throw new SvcError('22012', 'division by zero');
  return Math.trunc(a / b);
});
declare('%', 'int4', 'int4', 'int4mod', (a: number, b: number) => a % b);
declare('+', 'int8', 'int8', 'int8pl', (a: Whole, b: Whole) => big(BigInt(a) + BigInt(b)));
declare('*', 'int8', 'int8', 'int8mul', (a: Whole, b: Whole) => big(BigInt(a) * BigInt(b)));
declare('+', 'float8', 'float8', 'float8pl', (a: number, b: number) => a + b);
declare('*', 'float8', 'float8', 'float8mul', (a: number, b: number) => a * b);
declare('/', 'float8', 'float8', 'float8div', (a: number, b: number) => a / b);
declare('||', 'text', 'text', 'textcat', (a: string, b: string) => a + b);
declare('~~', 'text', 'bool', 'textlike', (a: string, b: string) => new RegExp(`^${b.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(a));
declare('+', 'numeric', 'numeric', 'numeric_add', (a: Numeric, b: Numeric) => {
  const scale = Math.max(a.scale, b.scale);
  return new Numeric(whole(at(a, scale) + at(b, scale)), scale);
});
declare(
  '*',
  'numeric',
  'numeric',
  'numeric_mul',
  (a: Numeric, b: Numeric) => new Numeric(whole(BigInt(a.coefficient) * BigInt(b.coefficient)), a.scale + b.scale),
);

export const operator = (name: string, arg: SqlType): SqlOperator => operators.get(`${arg.name} ${name}`)!;

const typed = { typmod: -1 };
export const constant = (value: Value, of: SqlType): Bound => ({ kind: 'constant', value, type: of, ...typed });
export const int = (value: number | null): Bound => constant(value, INT4);
export const text = (value: string | null): Bound => constant(value, TEXT);
export const column = (id: ColumnId, of: SqlType): Bound => ({ kind: 'column', id, type: of, ...typed });
export const parameter = (number: number, of: SqlType): Bound => ({ kind: 'parameter', number, type: of, ...typed });
export function op(name: string, left: Bound, right: Bound): Bound {
  const fn = operator(name, left.type);
  const returns = { int4: INT4, int8: INT8, float8: FLOAT8, text: TEXT, bool: BOOL, numeric: NUMERIC }[fn.returns]!;
  return { kind: 'call', fn, proc: fn.proc, args: [left, right], type: returns, ...typed };
}
export const call = (fn: ScalarFunction, returns: SqlType, ...args: Bound[]): Bound => ({ kind: 'call', fn, proc: fn.name, args, type: returns, ...typed });
export const and = (...args: Bound[]): Bound => ({ kind: 'and', args, type: BOOL, ...typed });
export const or = (...args: Bound[]): Bound => ({ kind: 'or', args, type: BOOL, ...typed });
export const not = (arg: Bound): Bound => ({ kind: 'not', arg, type: BOOL, ...typed });
export const isNull = (arg: Bound, negated = false): Bound => ({ kind: 'isNull', arg, negated, type: BOOL, ...typed });
export const sortBy = (value: Bound, descending = false, nullsFirst = descending): BoundSort => ({ value, descending, nullsFirst });
export function cast(arg: Bound, to: SqlType, impl?: Impl): Bound {
  const made: SqlCast = { from: arg.type.name, to: to.name, context: 'implicit', method: 'function', impl };
  return { kind: 'cast', arg, method: 'function', cast: made, explicit: false, type: to, ...typed };
}

const asDatum = (value: Value): Datum => value as Datum;
const asValue = (datum: Datum): Value => datum as Value;
export function storageOf(of: SqlType, scale = -1): Storage {
  if (of === NUMERIC) {
    if (scale >= 0) {
      return { kind: KIND.F64, form: 'decimal', scale, encode: (v) => Number(at(v as Numeric, scale)), decode: (d) => new Numeric(d as number, scale) };
    }
    return {
      kind: KIND.TEXT,
      form: 'parsed',
      scale: 0,
      encode: (v) => formatNumeric(v as Numeric),
      decode: (d) => {
        const [whole_, fraction = ''] = (d as string).split('.');
        return new Numeric(whole(BigInt(whole_ + fraction)), fraction.length);
      },
    };
  }
  const kind = of === BOOL ? KIND.BOOL : of.repr === 'string' ? KIND.TEXT : of === INT4 ? KIND.I32 : KIND.F64;
  return { kind, form: 'direct', scale: 0, encode: asDatum, decode: asValue };
}

export interface Declared {
  name: string;
  type: SqlType;
  scale?: number;
  notNull?: boolean;
}

/** Integers as bytes that order as they do; texts end in a zero. */
function bytesOf(value: Value): string {
  if (value === null) return '\x02';
  if (typeof value === 'number') {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigInt64(0, BigInt(value) ^ (-1n << 63n));
    return `\x01${Array.from(new Uint8Array(view.buffer), (b) => String.fromCharCode(b)).join('')}`;
  }
  return `\x01${String(value)}\0`;
}

function valuesOf(bytes: string, types: readonly SqlType[]): Value[] {
  let at = 0;
  return types.map((of) => {
    if (bytes.charCodeAt(at++) === 2) return null;
    const from = at;
    if (of.repr === 'string') {
      at = bytes.indexOf('\0', from) + 1;
      return bytes.slice(from, at - 1);
    }
    at += 8;
    const view = new DataView(Uint8Array.from(bytes.slice(from, at), (c) => c.charCodeAt(0)).buffer);
    return whole(view.getBigInt64(0) ^ (-1n << 63n));
  });
}

export const ENV: Environment = {
  timeZone: 'UTC',
  dateStyle: 'ISO',
  dateOrder: 'MDY',
  intervalStyle: 'postgres',
  extraFloatDigits: 1,
  byteaOutput: 'hex',
  arrayNulls: true,
  quotesAll: false,
  abbreviations: STORED.abbreviations,
  transactionStart: 0,
  statementStart: 0,
  clock: () => 0,
  random: () => 0.5,
  seedRandom: () => undefined,
  randomBytes: (count) => new Uint8Array(count),
  setting: () => undefined,
  setSetting: () => undefined,
};

export class World {
  readonly pager = new Pager(new MemoryPageStore(), 1 << 28, 1);
  root: Node = emptyTree(true, 1);
  readonly trees = new Map<number, Node>();
  #ids = 1000;
  #numbers = 10;

  /** Rows keyed by the first column where it is an int4, else by a hidden number. */
  table(
    name: string,
    declared: readonly Declared[],
    rows: readonly (readonly Value[])[],
    keyed = false,
    indexes: readonly { name: string; columns: number[]; unique?: boolean }[] = [],
  ): SqlTable {
    const columns = declared.map((d, i): SqlColumn => ({
      number: 100 + i,
      attnum: i + 1,
      name: d.name,
      type: d.type,
      typmod: -1,
      storage: storageOf(d.type, d.scale),
      notNull: d.notNull ?? false,
      default: null,
      identity: null,
      generated: null,
      missing: null,
    }));
    const made = indexes.map((index): Index => ({
      number: this.#numbers++,
      name: index.name,
      method: 'btree',
      entries: 'ordered',
      unique: index.unique ?? false,
      nullsNotDistinct: false,
      columns: index.columns.map((c) => ({
        column: c,
        expression: null,
        type: columns[c].type,
        descending: false,
        nullsFirst: false,
        operatorClass: null,
        ownClass: null,
      })),
      include: [],
      where: null,
      constraint: null,
      primary: false,
      excludes: false,
    }));
    const table: SqlTable = {
      number: this.#numbers++,
      schema: 'public',
      name,
      document: false,
      columns,
      key: { numeric: true, columns: keyed ? [0] : [] },
      primaryKey: keyed ? `${name}_pkey` : null,
      indexes: made,
      checks: [],
      foreignKeys: [],
      materialized: null,
      inheritance: null,
    };
    const shape: Shape = { ids: columns.map((c) => c.number), kinds: columns.map((c) => c.storage.kind) };
    const keyOf = (row: readonly Value[], i: number): Key => (keyed ? (row[0] as number) : i + 1);
    const changes: RowChange[] = rows.map((row, i) => {
      const after = row.map((value, k) => (value === null ? null : columns[k].storage.encode(value)));
      const wide = row.some((value) => typeof value === 'bigint');
      return {
        key: keyOf(row, i),
        shape: wide ? { ids: shape.ids, kinds: shape.kinds.map((kind, k) => (typeof row[k] === 'bigint' ? KIND.I64 : kind)) } : shape,
        before: null,
        after,
      };
    });
    changes.sort((a, b) => (a.key as number) - (b.key as number));
    this.put(table.number, applyChanges(this.pager, emptyTree(true, 1), changes, 1));
    made.forEach((index) => {
      const entries: RowChange[] = rows.map((row, i) => ({
        key: index.columns.map((c) => bytesOf(row[c.column!])).join('') + bytesOf(keyOf(row, i) as number),
        shape: { ids: [1], kinds: [KIND.F64] },
        before: null,
        after: [keyOf(row, i)],
      }));
      entries.sort((a, b) => (a.key < b.key ? -1 : 1));
      this.put(index.number, applyChanges(this.pager, emptyTree(false, 1), entries, 1));
    });
    return table;
  }

  put(number: number, tree: Node): void {
    this.trees.set(number, tree);
    this.root = setChildRoot(this.pager, this.root, number, tree, 1);
  }

  id(): ColumnId {
    return ++this.#ids;
  }

  scan(table: SqlTable, access?: ScanPlan['access'], withKey = false): ScanPlan {
    const columns: OutputColumn[] = table.columns.map((c) => ({ id: this.id(), name: c.name, type: c.type, typmod: -1 }));
    const source: (number | 'key')[] = table.columns.map((_, i) => i);
    if (withKey) {
      columns.push({ id: this.id(), name: 'key', type: INT8, typmod: -1 });
      source.push('key');
    }
    return { op: 'scan', table, source, columns, asOf: null, access };
  }

  context(more: Partial<ExecContext> = {}): ExecContext {
    return {
      env: ENV,
      params: [],
      pager: this.pager,
      directory: () => this.root,
      row: null,
      lockRow: () => true,
      reads: null,
      rootAt: () => this.root,
      writer: (): TableWriter => {
        throw new Error('no writer');
      },
      keys: {
        rowKey: (_table, values) => values.map(bytesOf).join(''),
        indexKey: (_index, values) => values.map(bytesOf).join(''),
        entryValues: (index, entry) =>
          valuesOf(
            entry,
            index.columns.map(({ type }) => type),
          ),
        rowValues: (_table, key) => [key],
      },
      environmentValue: () => 7,
      workMemBytes: 1 << 28,
      spill: null,
      checkCancel: () => undefined,
      ...more,
    };
  }

  run(plan: Plan, more: Partial<ExecContext> = {}): Value[][] {
    return drain(compile(plan), this.context(more));
  }
}

export function drain(executable: ReturnType<typeof compile>, context: ExecContext): Value[][] {
  const cursor = executable.run(context);
  const rows: Value[][] = [];
  for (let batch = cursor.next(); batch !== null; batch = cursor.next()) {
    if (batch === YIELD) continue;
    for (let i = 0; i < batch.count; i++) rows.push(batch.columns.map((values) => values[i]));
  }
  return rows;
}

export const out = (id: ColumnId, of: SqlType, name = 'c'): OutputColumn => ({ id, name, type: of, typmod: -1 });
export function project(world: World, input: Plan, ...values: Bound[]): Plan {
  const items = values.map((value) => ({ id: value.kind === 'column' ? value.id : world.id(), value }));
  return { op: 'project', input, items, columns: items.map((item) => out(item.id, item.value.type)) };
}
export const filter = (input: Plan, predicate: Bound): Plan => ({ op: 'filter', input, predicate, columns: input.columns });
export const limit = (input: Plan, rows: number | null, offset: number | null = null, ties: readonly BoundSort[] | null = null): Plan => ({
  op: 'limit',
  input,
  limit: rows === null ? null : constant(rows, INT8),
  offset: offset === null ? null : constant(offset, INT8),
  ties,
  columns: input.columns,
});
export const sort = (input: Plan, ...keys: BoundSort[]): Plan => ({ op: 'sort', input, keys, columns: input.columns });
export const col = (plan: Plan, i: number): Bound => column(plan.columns[i].id, plan.columns[i].type);

export function aggregateOf(world: World, fn: AggregateFunction, returns: SqlType, args: Bound[], more: Partial<BoundAggregate> = {}): BoundAggregate {
  return { id: world.id(), fn, type: returns, args, direct: [], distinct: false, orderBy: [], filter: null, ...more };
}
export function aggregate(world: World, input: Plan, groups: readonly Bound[], aggregates: readonly BoundAggregate[], sets: number[][] | null = null): Plan {
  const made = groups.map((value) => ({ id: world.id(), value }));
  const grouping = sets === null ? [] : [{ id: world.id(), groups: groups.map((_, i) => i) }];
  return {
    op: 'aggregate',
    input,
    groups: made,
    sets,
    grouping,
    aggregates,
    columns: [...made.map((g) => out(g.id, g.value.type)), ...grouping.map((g) => out(g.id, INT4)), ...aggregates.map((a) => out(a.id, a.type))],
  };
}
const agg = (
  name: string,
  args: string[],
  returns: string,
  init: () => unknown,
  step: (state: never, ...args: never[]) => unknown,
  finish: (state: never) => Value,
  strict = true,
): AggregateFunction => ({ kind: 'aggregate', name, args, returns, doc: '', strict, init, step, finish }) as unknown as AggregateFunction;
export const COUNT_ALL = agg(
  'count',
  [],
  'int8',
  () => 0,
  (s: number) => s + 1,
  (s: number) => s,
);
export const COUNT = agg(
  'count',
  ['any'],
  'int8',
  () => 0,
  (s: number) => s + 1,
  (s: number) => s,
);
export const SUM_INT4 = agg(
  'sum',
  ['int4'],
  'int8',
  () => null,
  (s: number | null, v: number) => (s ?? 0) + v,
  (s: number | null) => s,
);
export const SUM_FLOAT8 = agg(
  'sum',
  ['float8'],
  'float8',
  () => null,
  (s: number | null, v: number) => (s ?? 0) + v,
  (s: number | null) => s,
);
export const SUM_NUMERIC = agg(
  'sum',
  ['numeric'],
  'numeric',
  () => null,
  (s: Numeric | null, v: Numeric) => (s === null ? v : operator('+', NUMERIC).impl(s, v)),
  (s: Numeric | null) => s,
);
export const AVG_INT4 = agg(
  'avg',
  ['int4'],
  'numeric',
  () => null,
  (s) => s,
  () => null,
);
export const MIN_TEXT = agg(
  'min',
  ['text'],
  'text',
  () => null,
  (s: string | null, v: string) => (s === null || v < s ? v : s),
  (s: string | null) => s,
);
export const MAX_INT4 = agg(
  'max',
  ['int4'],
  'int4',
  () => null,
  (s: number | null, v: number) => (s === null || v > s ? v : s),
  (s: number | null) => s,
);
export const LIST_TEXT = agg(
  'string_list',
  ['text'],
  'text',
  () => [],
  (s: string[], v: string) => [...s, v],
  (s: string[]) => s.join(','),
);
