/**
 * Scans: the leaves of a table's tree go straight into the pipeline's function, each column as the array in the leaf. With `access`
 * only ranges of the key are read, or rows that an index names, in its order.
 *
 *   index tree: memcomparable(values…) + row key → column 1: the row's key
 */
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { GroupView } from '../../tree/gathered.ts';
import type { Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { keyAt, leafFor, rowsBelow, rowsBetween } from '../../tree/read.ts';
import type { Access, ScanPlan } from '../plan/logical.ts';
import { searchTerm } from '../schema/search-keys.ts';
import { searchRanges } from './search-ranges.ts';
import { EntryColumns, INDEX_ROW_KEY } from './entry-columns.ts';
import { areFew } from '../plan/rules/access.ts';
import { accessBounds, fewBounds, hasSubquery } from '../plan/rules/walk.ts';
import type { SqlColumn, SqlTable } from '../schema/table.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import { YIELD, type Yield } from './batch.ts';
import { DocumentIdReader, NumberKeyReader, isDecimalText, readerForm, TextKeyReader, type ColumnReader, type ReaderWishes } from './column-reader.ts';
import type { Compilation } from './compilation.ts';
import { keyAfterPrefix, type KeyCodec } from './context.ts';
import { LeafCursor, type Grouping, type ReadColumns } from './leaf-cursor.ts';
import { INT4_MAX, INT4_MIN, isInt4, narrowParts, sideOfInt4 } from './narrow-keys.ts';
import { decimal, dummy, fromValue, operand } from './operand.ts';
import { CHUNKS_A_STEP, readColumns, readRow, type Pipeline, type Source } from './pipeline.ts';
import type { Needed } from './produce.ts';
import type { Run } from './run.ts';
import { RowsAtOnce } from './scan-at-once.ts';
import { PASSES } from './zone-tests.ts';

export function produceScan(p: Pipeline, plan: ScanPlan, needed: Needed, consume: () => void): void {
  const { g, c } = p;
  const readers = bindScan(p, plan, needed, 'i', (key, source) => g.hoist(key, source), null);
  const backward = plan.access?.backward === true;
  const source = new ScanSource(
    c,
    plan,
    readers,
    plan.columns.map(({ id }) => needed.has(id)),
  );
  p.source = source;
  const counted = c.counted.get(plan);
  if (counted !== undefined) source.countsIn(c, counted);
  g.open(backward ? 'source: for (let i = to - 1; i >= from; i--)' : 'source: for (let i = from; i < to; i++)');
  consume();
  g.close();
}

/** `wanted`: which of the plan's columns are read. */
function columnsRead(plan: ScanPlan, wanted: readonly boolean[]): ReadColumns {
  const { table } = plan;
  const sources = plan.source.filter((_, at) => wanted[at]);
  const isKey = (of: number | 'key'): boolean => of === 'key' || (table.document && of === 0);
  const read = sources.flatMap((of) => (of === 'key' || isKey(of) ? [] : [table.columns[of]]));
  const decimals = (column: SqlColumn): boolean => readsDecimals(plan) && isDecimalText(column);
  return {
    ids: read.filter((column) => !decimals(column)).map(({ number }) => number),
    decimals: read.filter(decimals).map(({ number }) => number),
    keys: sources.some(isKey),
  };
}

/** Whether leaves are read as a whole: a lookup of single rows should not decode their neighbours. */
export function readsDecimals({ table, access }: ScanPlan): boolean {
  return access === undefined || (access.index === null && access.union === undefined && !isWholeKey(table, access));
}

/** A reader of a scan: its state, and a constructor for another scan of the same form, of which it reads the same column. */
export interface ScanReader {
  readonly state: number;
  make(plan: ScanPlan): ColumnReader;
}

/**
 * Makes the scan's columns those of the leaf that their readers show, in row `row`; null if the variable `nulls` is set. `load`
 * gives the variable that holds a reader's array.
 */
export function bindScan(
  p: Pipeline,
  plan: ScanPlan,
  needed: Needed,
  row: string,
  load: (key: string, source: string) => string,
  nulls: string | null,
): ScanReader[] {
  const { g, x, c } = p;
  const { table } = plan;
  const readers: ScanReader[] = [];
  const read = (make: ScanReader['make']): number => {
    const state = c.runState(() => make(plan));
    readers.push({ state, make });
    return state;
  };
  const guard = nulls === null ? '' : `${nulls} || `;
  plan.columns.forEach((column, at) => {
    if (!needed.has(column.id)) return;
    const source = plan.source[at];
    if (source === 'key' || (table.document && source === 0)) {
      const { numeric } = table.key;
      const state = read(() => (source !== 'key' ? new DocumentIdReader() : numeric ? new NumberKeyReader() : new TextKeyReader()));
      const rep = numeric ? 'whole' : 'string';
      const made = source === 'key' && !numeric;
      x.scope.set(column.id, () => {
        const t = g.fresh('t');
        const value = made ? `${load(`keys ${state}`, `S[${state}]`)}.key(${row})` : `${load(`reader ${state}`, `S[${state}].values`)}[${row}]`;
        g.line(`const ${t} = ${nulls === null ? '' : `${nulls} ? ${dummy(rep)} : `}${value};`);
        return operand(t, nulls ?? 'false', rep);
      });
      return;
    }
    const form = readerForm(table.columns[source]);
    const asked: ReaderWishes = { codes: false };
    const decimals = nulls === null && row === 'i' && readsDecimals(plan) ? form.decimals : undefined;
    const state = read((of) => {
      const own = of === plan ? form : readerForm(of.table.columns[of.source[at] as number]);
      return decimals === undefined ? own.make(asked) : own.decimals!();
    });
    const codes = (): number => {
      asked.codes = true;
      return state;
    };
    x.scope.set(column.id, () => {
      const values = load(`reader ${state}`, `S[${state}].values`);
      let n = nulls ?? 'false';
      if (form.nullable) {
        const tags = load(`tags ${state}`, `S[${state}].tags`);
        n = g.fresh('n');
        g.line(`const ${n} = ${guard}${tags}[${row}] !== 0;`);
      }
      if (decimals !== undefined) {
        const t = g.fresh('t');
        const [s, d] = [g.fresh('s'), g.fresh('d')];
        const scales = [load(`scales ${state}`, `S[${state}].scales`), load(`shown ${state}`, `S[${state}].shown`)];
        g.line(`const ${t} = ${values}[i], ${s} = ${scales[0]}[i], ${d} = ${scales[1]}[i];`);
        return decimal(t, s, d, n);
      }
      if (form.decoded) {
        const r = g.fresh('r');
        const decode = `${g.constant(table.columns[source].storage)}.decode(${values}[${row}])`;
        g.line(`const ${r} = ${n === 'false' ? decode : `${n} ? null : ${decode}`};`);
        return n === 'false' && (form.rep === 'object' || form.rep === 'numeric' || form.rep === 'string')
          ? operand(r, 'false', form.rep)
          : fromValue(g, r, table.columns[source].type.repr);
      }
      // A text is not loaded if its code suffices; rows that are looked up singly have none.
      if (form.coded && nulls === null && row === 'i') return { ...operand(`${values}[i]`, n, form.rep), codes, often: plan.access === undefined };
      const t = g.fresh('t');
      g.line(`const ${t} = ${nulls === null ? '' : `${nulls} ? ${dummy(form.rep)} : `}${values}[${row}]${form.rep === 'bool' ? ' !== 0' : ''};`);
      return operand(t, n, form.rep, form.scale);
    });
  });
  return readers;
}

export interface Range {
  readonly lower: Key | null;
  readonly upper: Key | null;
}
export const EVERYTHING: readonly Range[] = [{ lower: null, upper: null }];

/** The counters of a scan under EXPLAIN ANALYZE. */
interface Counted {
  rows: number;
  skipped?: number;
  never?: boolean;
}

export class ScanSource implements Source {
  readonly #plan: ScanPlan;
  readonly #scanReaders: readonly ScanReader[];
  readonly #wanted: readonly boolean[];
  readonly #readers: readonly number[];
  readonly #ranges: ((run: Run, directory: Node) => readonly Range[]) | null;
  /** The access's bounds if they contain subqueries, or those of the access for few rows. */
  readonly #asked: ReturnType<Compilation['scalarSteps']> | null = null;
  readonly one?: (run: Run, pipeline: Pipeline) => void;
  readonly whole?: (run: Run, pipeline: Pipeline, most: number) => number;
  /** The number of rows that an OFFSET still skips, by the counts in the tree. */
  skips: ((run: Run) => { skip: number }) | null = null;
  /** Under EXPLAIN ANALYZE: the state that counts its rows. */
  #counted: number | null = null;

  readonly #read: ReadColumns;
  /** Upper bound of bytes per row in a group. */
  readonly #width: number;

  constructor(c: Compilation, plan: ScanPlan, readers: readonly ScanReader[], wanted: readonly boolean[]) {
    const read = columnsRead(plan, wanted);
    this.#plan = plan;
    this.#read = read;
    this.#width = 8 * (read.ids.length + 1) + 12 * read.decimals.length;
    this.#scanReaders = readers;
    this.#wanted = wanted;
    this.#readers = readers.map(({ state }) => state);
    if (plan.access !== undefined && asks(plan.access)) {
      this.#asked = c.scalarSteps(accessBounds(plan.access));
      this.#ranges = null;
      return;
    }
    if (plan.few !== undefined) this.#asked = c.scalarSteps(fewBounds(plan.few));
    this.#ranges = plan.access === undefined ? null : rangesOf(c, plan.table, plan.access);
    if (plan.access !== undefined && isWholeKey(plan.table, plan.access)) {
      const values = c.scalars(accessBounds(plan.access));
      this.one = (run, pipeline) => {
        this.#begun(run);
        this.#one(run, pipeline, values(run, []));
      };
      this.whole = (run, pipeline) => {
        this.#begun(run);
        this.#one(run, pipeline, values(run, []));
        return 1;
      };
    } else if (plan.access !== undefined && plan.access.union === undefined) {
      const state = c.newState();
      this.whole = (run, pipeline, most) => this.#whole(run, pipeline, most, state);
    }
  }

  countsIn(c: Compilation, state: number): void {
    this.#counted = state;
    c.inits.push(({ states }) => ((states[state] as Counted).never = true));
  }

  #begun({ states }: Run): void {
    if (this.#counted !== null) (states[this.#counted] as Counted).never = false;
  }

  /** The same for another scan of the same form, which has to be `shown` before it feeds. */
  over(c: Compilation, plan: ScanPlan): ScanSource {
    return new ScanSource(c, plan, this.#scanReaders, this.#wanted);
  }

  /** Installs its readers in place of those of the scan that the code was compiled for. */
  show({ states }: Run): void {
    for (const { state, make } of this.#scanReaders) states[state] = make(this.#plan);
  }

  /** Reads all rows of the ranges, if they are few. */
  #whole(run: Run, pipeline: Pipeline, most: number, state: number): number {
    this.#begun(run);
    const { asOf, table } = this.#plan;
    const directory = asOf === null ? run.context.directory(table.number) : run.context.rootAt(asOf);
    const ranges = this.#ranges!(run, directory);
    if (ranges.length === 0) return 0;
    const rows = (run.states[state] ??= new RowsAtOnce(
      run,
      this.#plan,
      this.#readers.map((reader) => run.states[reader] as ColumnReader),
      [...this.#read.ids, ...this.#read.decimals],
    )) as RowsAtOnce;
    return rows.take(run, pipeline, ranges, directory, most);
  }

  /** Reads the row of a whole key, without cursors and steps. */
  #one(run: Run, pipeline: Pipeline, values: readonly Value[]): void {
    const { access, table, asOf } = this.#plan;
    const { context } = run;
    const { pager, keys } = context;
    for (let i = 0; i < values.length; i++) if (values[i] === null) return;
    const reads = asOf === null ? context.reads : null;
    const { index } = access!;
    if (index === null) {
      const narrow = table.key.numeric ? null : narrowParts(table, access!);
      if (narrow !== null && values.some((value, i) => narrow[i] && !isInt4(value))) return;
      const key = table.key.numeric ? Number(values[0]) : keys.rowKey(table, values);
      if (typeof key === 'number' && !Number.isSafeInteger(key)) return;
      reads?.ranges(table.number, [{ lower: key, upper: typeof key === 'number' ? key + 1 : `${key}\0` }]);
      const own = asOf === null && context.row !== null ? context.row(table.number, key, this.#read.ids) : undefined;
      if (own !== undefined) {
        if (own !== null) this.#takeFrom(run, pipeline, own, key);
        return;
      }
      const tree = childRoot(pager, asOf === null ? context.directory(table.number) : context.rootAt(asOf), table.number);
      if (tree !== null) this.#takeFrom(run, pipeline, leafFor(pager, tree, key), key);
      return;
    }
    const directory = asOf === null ? context.directory(table.number) : context.rootAt(asOf);
    const tree = childRoot(pager, directory, table.number);
    const narrow = narrowParts(table, access!);
    if (narrow !== null && values.some((value, i) => narrow[i] && !isInt4(value))) return;
    const start = keys.indexKey(index, values);
    const end = keyAfterPrefix(start);
    reads?.ranges(index.number, [{ lower: start, upper: end }]);
    const entries = childRoot(pager, directory, index.number);
    if (tree === null || entries === null) return;
    const cursor = new LeafCursor(pager, entries, start, end, false);
    // A deferred unique constraint may have duplicates for a while.
    while (cursor.next()) {
      for (let k = cursor.from; k < cursor.to; k++) {
        const key = cursor.leaf.cell(k, INDEX_ROW_KEY) as Key;
        reads?.row(table.number, key);
        if (this.#takeFrom(run, pipeline, leafFor(pager, tree, key), key)) return;
      }
    }
  }

  #takeFrom({ states }: Run, pipeline: Pipeline, leaf: Leaf, key: Key): boolean {
    const at = leaf.find(key);
    if (at < 0) return false;
    // Readers show this row alone.
    let wide = false;
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = states[this.#readers[i]] as ColumnReader;
      reader.readRow(leaf, at);
      if (reader.wide) wide = true;
    }
    return pipeline.function(wide, false)(states, leaf, at, at + 1);
  }

  *feed(run: Run, pipeline: Pipeline): Generator<Yield | undefined, void> {
    this.#begun(run);
    const { pager } = run.context;
    const plan = this.#plan;
    const asked = this.#asked === null ? null : yield* this.#asked(run, []);
    const directory = plan.asOf === null ? run.context.directory(plan.table.number) : run.context.rootAt(plan.asOf);
    const reads = plan.asOf === null ? run.context.reads : null;
    const tree = childRoot(pager, directory, plan.table.number);
    if (tree === null && reads === null) return;
    const { access, ranges } = this.#way(run, directory, tree, asked);
    if (ranges.length === 0) return;
    reads?.ranges(access?.index?.number ?? plan.table.number, ranges);
    if (tree === null) return;
    const readers = this.#readers.map((state) => run.states[state] as ColumnReader);
    const backward = access?.backward === true;
    if (access !== undefined && access.index !== null) {
      const index = childRoot(pager, directory, access.index.number);
      if (index !== null) {
        const left = this.#behind(run, index, ranges, backward);
        if (access.only === true) yield* this.#byEntries(run, pipeline, index, left, readers, backward);
        else yield* this.#byIndex(run, pipeline, tree, index, left, readers, backward);
      }
      return;
    }
    const left = this.#behind(run, tree, ranges, backward);
    const states = run.states;
    const pace = pipeline.pace(run);
    const pauses = pipeline.pauses(run);
    const read = tree.count * this.#width <= pager.groupBytesMax ? this.#read : null;
    const decided = this.#decided(run, pipeline);
    const grouping = read === null && decided === null ? null : { read, decided };
    let taken = 0;
    for (let r = 0; r < left.length; r++) {
      const range = left[backward ? left.length - 1 - r : r];
      const cursor = new LeafCursor(pager, tree, range.lower, range.upper, backward, grouping);
      while (cursor.next()) {
        if (cursor.from === cursor.to) {
          if (run.late()) yield YIELD;
          continue;
        }
        const { chunk: leaf, from, to } = cursor;
        const wide = readColumns(readers, leaf);
        if (!pauses && to - from <= pace.rows) {
          pace.begin();
          const stop = pipeline.function(wide, false)(states, leaf, from, to);
          if (pace.end(run, to - from)) yield YIELD;
          else if (!pipeline.gathers || ++taken % CHUNKS_A_STEP === 0) yield undefined;
          if (stop) return;
        } else if (yield* pipeline.pieces(run, leaf, from, to, wide, pauses, backward, () => readColumns(readers, leaf))) return;
      }
    }
  }

  /** The access path of this run. */
  #way(
    run: Run,
    directory: Node,
    tree: Node | null,
    asked: readonly Value[] | null,
  ): { readonly access: Access | undefined; readonly ranges: readonly Range[] } {
    const { table, access, few } = this.#plan;
    const { keys, pager } = run.context;
    if (few === undefined) {
      if (asked !== null) return { access, ranges: keyRanges(keys, table, access!, asked) };
      return { access, ranges: this.#ranges === null ? EVERYTHING : this.#ranges(run, directory) };
    }
    if (few.unless === undefined || asked!.at(-1) !== true) {
      const ranges = keyRanges(keys, table, few, asked!);
      const entries = few.index === null ? tree : childRoot(pager, directory, few.index.number);
      if (tree === null || areFew(entriesIn(pager, entries, ranges), tree.count)) return { access: few, ranges };
    }
    return { access, ranges: EVERYTHING };
  }

  /** Whether a group's rows need not be read: none of them passes, or the sink takes the group as a whole. */
  #decided(run: Run, pipeline: Pipeline): Grouping['decided'] {
    const tests = pipeline.zoneTests.filter((test) => test.scan === this.#plan);
    const asks = tests.map((test) => test.start(run)).filter((ask) => ask !== null);
    const takes = pipeline.takesGroups?.(run) ?? null;
    if (asks.length === 0 && takes === null) return null;
    const decides = takes !== null && tests.every((test) => test.decides);
    const counted = this.#counted === null ? null : (run.states[this.#counted] as Counted);
    return (view: GroupView): boolean => {
      let all = decides;
      for (let i = 0; i < asks.length; i++) {
        const passes = asks[i](view);
        if (passes === PASSES.none) {
          if (counted !== null) {
            counted.rows += view.count;
            counted.skipped = (counted.skipped ?? 0) + view.count;
          }
          return true;
        }
        if (passes !== PASSES.all) all = false;
      }
      return all && takes!(view);
    };
  }

  /** The remainder of the ranges after the skipped rows. */
  #behind(run: Run, tree: Node, ranges: readonly Range[], backward: boolean): readonly Range[] {
    const bounds = this.skips?.(run);
    if (bounds === undefined || bounds.skip === 0) return ranges;
    const { pager } = run.context;
    let left = ranges;
    while (left.length > 0 && bounds.skip > 0) {
      const { lower, upper } = left[backward ? left.length - 1 : 0];
      const from = lower === null ? 0 : rowsBelow(pager, tree, lower);
      const to = upper === null ? tree.count : rowsBelow(pager, tree, upper);
      const rest = backward ? left.slice(0, -1) : left.slice(1);
      if (to - from <= bounds.skip) {
        bounds.skip -= Math.max(0, to - from);
        left = rest;
        continue;
      }
      const key = keyAt(pager, tree, backward ? to - bounds.skip : from + bounds.skip);
      bounds.skip = 0;
      left = backward ? [...rest, { lower, upper: key }] : [{ lower: key, upper }, ...rest];
    }
    return left;
  }

  /** Reads rows from index entries alone. */
  *#byEntries(
    run: Run,
    pipeline: Pipeline,
    index: Node,
    ranges: readonly Range[],
    readers: ColumnReader[],
    backward: boolean,
  ): Generator<Yield | undefined, void> {
    const { pager, keys } = run.context;
    const { table, asOf } = this.#plan;
    const reads = asOf === null ? run.context.reads : null;
    const columns = new EntryColumns(this.#plan, [...this.#read.ids, ...this.#read.decimals], keys);
    const pace = pipeline.pace(run);
    const pauses = pipeline.pauses(run);
    for (let r = 0; r < ranges.length; r++) {
      const range = ranges[backward ? ranges.length - 1 - r : r];
      const cursor = new LeafCursor(pager, index, range.lower, range.upper, backward);
      while (cursor.next()) {
        const { leaf, from, to } = cursor;
        if (reads !== null) for (let i = from; i < to; i++) reads.row(table.number, leaf.cell(i, INDEX_ROW_KEY) as Key);
        columns.show(leaf, from, to);
        const wide = readColumns(readers, columns);
        if (!pauses && columns.count <= pace.rows) {
          pace.begin();
          const stop = pipeline.function(wide, false)(run.states, columns, 0, columns.count);
          yield pace.end(run, columns.count) ? YIELD : undefined;
          if (stop) return;
        } else if (yield* pipeline.pieces(run, columns, 0, columns.count, wide, pauses, backward, () => readColumns(readers, columns))) return;
      }
    }
  }

  *#byIndex(
    run: Run,
    pipeline: Pipeline,
    tree: Node,
    index: Node,
    ranges: readonly Range[],
    readers: ColumnReader[],
    backward: boolean,
  ): Generator<Yield | undefined, void> {
    const { pager } = run.context;
    const reads = this.#plan.asOf === null ? run.context.reads : null;
    const table = this.#plan.table.number;
    const pace = pipeline.pace(run);
    const pauses = pipeline.pauses(run);
    let looked = 0;
    pace.begin();
    for (let r = 0; r < ranges.length; r++) {
      const range = ranges[backward ? ranges.length - 1 - r : r];
      const cursor = new LeafCursor(pager, index, range.lower, range.upper, backward);
      while (cursor.next()) {
        const entries = cursor.leaf;
        for (let k = cursor.from; k < cursor.to; k++) {
          const key = entries.cell(backward ? cursor.to - 1 - (k - cursor.from) : k, INDEX_ROW_KEY) as Key;
          const at = leafFor(pager, tree, key);
          const i = at.find(key);
          if (i < 0) continue;
          reads?.row(table, key);
          if (!pauses) {
            if (pipeline.function(readRow(readers, at, i), false)(run.states, at, i, i + 1)) return;
            if (++looked < pace.rows) continue;
            yield pace.end(run, looked) ? YIELD : undefined;
            looked = 0;
            pace.begin();
            continue;
          }
          // Code that has run in between may have moved the readers.
          if (yield* pipeline.pieces(run, at, i, i + 1, readColumns(readers, at), true)) return;
        }
      }
    }
    if (looked > 0) yield pace.end(run, looked) ? YIELD : undefined;
  }
}

export function entriesIn(pager: Pager, index: Node | null, ranges: readonly Range[]): number {
  if (index === null) return 0;
  let rows = 0;
  for (const { lower, upper } of ranges) rows += rowsBetween(pager, index, lower, upper);
  return rows;
}

/** Whether the access's bounds contain subqueries, which may take long. */
export function asks(access: Access): boolean {
  return accessBounds(access).some(hasSubquery);
}

/** Whether an access matches one row at most. */
export function isWholeKey(table: SqlTable, { index, equal, oneOf, lower, upper, union }: Access): boolean {
  if (oneOf !== undefined || lower !== undefined || upper !== undefined || equal.length === 0 || union !== undefined) return false;
  return index === null ? equal.length === table.key.columns.length : index.unique && equal.length === index.columns.length;
}

/** The key ranges of an access, in ascending order; none if a bound is null. */
export function rangesOf(c: Compilation, table: SqlTable, access: Access): (run: Run, directory: Node) => readonly Range[] {
  if (access.union !== undefined) {
    const parts = access.union.map((each) => (each.search === undefined ? keysBy(each, table, rangesOf(c, table, each)) : keysSearched(c, table, each)));
    return (run, directory) => {
      const keys = new Set<Key>();
      for (const part of parts) {
        if (!part(run, directory, keys)) return EVERYTHING;
      }
      const sorted = table.key.numeric ? Float64Array.from(keys as Set<number>).sort() : [...(keys as Set<string>)].sort((a, b) => (a < b ? -1 : 1));
      return Array.from<Key, Range>(sorted, (key) => ({ lower: key, upper: typeof key === 'number' ? key + 1 : `${key}\0` }));
    };
  }
  const values = c.scalars(accessBounds(access));
  return (run) => keyRanges(run.context.keys, table, access, values(run, []));
}

/** A larger part of a table is read faster by a full scan. */
const SEARCHED_SHARE_MAX = 0.25;

/** Adds keys of rows; false if the whole table has to be read. */
type AddKeys = (run: Run, directory: Node, into: Set<Key>) => boolean;

function keysBy(access: Access, table: SqlTable, ranges: (run: Run, directory: Node) => readonly Range[]): AddKeys {
  return (run, directory, into) => {
    keysIn(run, directory, table, access, ranges(run, directory), into);
    return true;
  };
}

/** Through an inverted index (gin). */
function keysSearched(c: Compilation, table: SqlTable, access: Access): AddKeys {
  const { column, by, type, value } = access.search!;
  const values = c.scalars([value]);
  return (run, directory, into) => {
    const { pager } = run.context;
    const rows = childRoot(pager, directory, table.number);
    const entries = childRoot(pager, directory, access.index!.number);
    const term = searchTerm(by, type, values(run, [])[0]);
    if (rows === null || entries === null) return term !== null;
    const { ranges, rows: count, also = [] } = searchRanges(pager, entries, column, term);
    if (ranges === null || (count > rows.count * SEARCHED_SHARE_MAX && count > FEW_ROWS)) return false;
    if (also.length === 0) {
      keysIn(run, directory, table, access, ranges, into);
      return true;
    }
    let left = new Set<Key>();
    keysIn(run, directory, table, access, ranges, left);
    for (const other of also) {
      if (left.size <= SINGLE_ROWS) break;
      const keys = new Set<Key>();
      keysIn(run, directory, table, access, other, keys);
      left = new Set([...left].filter((key) => keys.has(key)));
    }
    for (const key of left) into.add(key);
    return true;
  };
}

/** With this few rows, reading them beats reading more entries. */
const SINGLE_ROWS = 10;

/** This many rows are looked up even in a small table. */
const FEW_ROWS = 100;

/** Keys of the table's rows in these ranges of the table or of an index. */
function keysIn(run: Run, directory: Node, table: SqlTable, { index }: Access, ranges: readonly Range[], into: Set<Key>): void {
  const { pager } = run.context;
  const tree = childRoot(pager, directory, index === null ? table.number : index.number);
  if (directory === run.context.directory(table.number)) run.context.reads?.ranges(index?.number ?? table.number, ranges);
  if (tree === null) return;
  for (const { lower, upper } of ranges) {
    const cursor = new LeafCursor(pager, tree, lower, upper, false);
    while (cursor.next()) {
      const { leaf, from, to } = cursor;
      for (let i = from; i < to; i++) into.add(index === null ? leaf.key(i) : (leaf.cell(i, INDEX_ROW_KEY) as Key));
    }
  }
}

export function keyRanges(keys: KeyCodec, table: SqlTable, access: Access, all: readonly Value[]): readonly Range[] {
  const { index } = access;
  const keyColumns = table.key.columns.length;
  // Nothing can follow a whole key; a prefix can be followed by anything.
  const after = (key: string, columns: number): string => (index === null && columns === keyColumns ? `${key}\0` : (keyAfterPrefix(key) as string));
  const equalCount = access.equal.length;
  const equal = all.slice(0, equalCount);
  if (equal.includes(null)) return [];
  const narrow = narrowParts(table, access);
  if (narrow !== null && equal.some((value, i) => narrow[i] && !isInt4(value))) return [];
  // An array among the values of a list is expanded: `= ANY ($1)`.
  const list =
    access.oneOf === undefined
      ? null
      : all
          .slice(equalCount, equalCount + access.oneOf.length)
          .flatMap((value) => (value instanceof ArrayValue ? value.elements : [value]))
          .filter((value) => narrow?.[equalCount] !== true || isInt4(value));
  let at = equalCount + (access.oneOf?.length ?? 0);
  let lower = access.lower === undefined ? undefined : all[at++];
  let upper = access.upper === undefined ? undefined : all[at++];
  let lowerInclusive = access.lower?.inclusive === true;
  let upperInclusive = access.upper?.inclusive === true;
  if (narrow?.[equalCount] === true) {
    const [below, above] = [sideOfInt4(lower ?? 0), sideOfInt4(upper ?? 0)];
    if (below > 0 || above < 0) return [];
    if (below < 0) [lower, lowerInclusive] = [INT4_MIN, true];
    if (above > 0) [upper, upperInclusive] = [INT4_MAX, true];
  }
  if (lower === null || upper === null) return [];
  if (index === null && table.key.numeric) return numberRanges(equal, list, lower, lowerInclusive, upper, upperInclusive);
  const key = (more: readonly Value[]): string => (index === null ? keys.rowKey(table, more) : keys.indexKey(index, more));
  if (list !== null) {
    const starts = [...new Set(list.filter((value) => value !== null).map((value) => key([...equal, value])))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return starts.map((start) => ({ lower: start, upper: after(start, equal.length + 1) }));
  }
  const start = equal.length === 0 ? null : key(equal);
  let low: Key | null = start;
  let high: Key | null = start === null ? null : after(start, equal.length);
  const descending = index !== null && index.columns[equal.length]?.descending === true;
  const first = descending ? upper : lower;
  const firstInclusive = descending ? upperInclusive : lowerInclusive;
  const last = descending ? lower : upper;
  const lastInclusive = descending ? lowerInclusive : upperInclusive;
  if (first !== undefined) {
    const bound = key([...equal, first]);
    low = firstInclusive ? bound : after(bound, equal.length + 1);
  }
  if (last !== undefined) {
    const bound = key([...equal, last]);
    high = lastInclusive ? after(bound, equal.length + 1) : bound;
  }
  return [{ lower: low, upper: high }];
}

/** A range for each number, ascending; numbers that no key can have are left out. */
function singleKeys(list: readonly Value[]): readonly Range[] {
  const keys = new Float64Array(list.length);
  let count = 0;
  for (const value of list) {
    const key = value === null ? NaN : Number(value);
    if (Number.isSafeInteger(key)) keys[count++] = key;
  }
  const sorted = keys.subarray(0, count).sort();
  const ranges: Range[] = [];
  for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) ranges.push({ lower: sorted[i], upper: sorted[i] + 1 });
  return ranges;
}

function numberRanges(
  equal: readonly Value[],
  list: readonly Value[] | null,
  lower: Value | undefined,
  lowerInclusive: boolean,
  upper: Value | undefined,
  upperInclusive: boolean,
): readonly Range[] {
  const one = (value: Value): Range[] => {
    const k = Number(value);
    return Number.isSafeInteger(k) ? [{ lower: k, upper: k + 1 }] : [];
  };
  if (equal.length > 0) return one(equal[0]);
  if (list !== null) {
    return singleKeys(list);
  }
  let low: number | null = null;
  let high: number | null = null;
  if (lower !== undefined) low = lowerInclusive ? Math.ceil(Number(lower)) : Math.floor(Number(lower)) + 1;
  if (upper !== undefined) high = upperInclusive ? Math.floor(Number(upper)) + 1 : Math.ceil(Number(upper));
  return [{ lower: low, upper: high }];
}
