/**
 * Writes of one statement to one table, over the state at its start. Rows that the statement has written are pending, with their
 * values before and after; lookups of rows and unique keys search the pending rows first, then the tree. Trees are not changed:
 * `changes` gives the result.
 */
import { assert } from '../../base/assert.ts';
import { runSteps } from '../../base/run-steps.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TreeChanges } from '../../events/changes.ts';
import { inColumns, joinedChanges } from '../../events/in-columns.ts';
import { NewRows } from '../../events/new-rows.ts';
import { lastKey } from '../../tree/append-leaves.ts';
import { LeafBuilder } from '../../tree/leaf-builder.ts';
import { ROW_LOCK } from '../../locks/lock-mode.ts';
import type { Datum, Key, Kind, RowChange, Shape } from '../../tree/datum.ts';
import { KIND, TAG } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import { cellAs, type Leaf, type Node } from '../../tree/node.ts';
import type { Vec } from '../../tree/vec.ts';
import type { Pager } from '../../tree/pager.ts';
import { leafFor, leaves, scan } from '../../tree/read.ts';
import { ROW_KEY } from '../../worlds/index-keys.ts';
import { complement } from '../../worlds/memcomparable.ts';
import { ChangedCells, type RowAt, rowChange, rowIn, ShapeTable } from '../../tree/row-change.ts';
import type { Objects } from '../../worlds/world.ts';
import type { IndexObject } from '../../worlds/definition.ts';
import type { Environment } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { shownKey } from './shown-key.ts';
import type { Compiler } from './compiler.ts';
import type { Deferred } from './foreign-keys.ts';
import { IndexValues } from './index-values.ts';
import type { RowKeyCodec } from './key-codec.ts';
import { PendingRows } from './pending-rows.ts';
import { columnsIn, followedColumns, placingColumns } from './followed-columns.ts';
import { AppliedRows } from './applied-rows.ts';
import { exclusionRules, type ExclusionRule } from './exclusion.ts';
import { partitionedAbove, partitionTest } from './hierarchy.ts';
import { keyText as documentId } from '../../worlds/catalog.ts';
import { checkRefused, keyText, notInPartition, notUnique, nullRefused, maySeeValues } from './row-errors.ts';
import { readCell, readRow } from './row-reader.ts';
import type { RowTriggers, StatementHooks } from './row-triggers.ts';
import type { Schema } from './schema.ts';
import { kindOfCell } from './storage.ts';
import type { Index, SqlTable } from './table.ts';
import type { RowChecker, TableWriter } from './table-writer.ts';

/** A row for the foreign key queue at the end of the statement. */
export interface Moved {
  readonly old: readonly Value[] | null;
  readonly row: readonly Value[] | null;
  /** Key of `row`, or of `old` if it was deleted. */
  readonly key: Key;
}

/** Checks of a row alone by its types (22P02, 23502, 23514); gives the row with missing values filled in. `there`: it was not written. */
export type RowChecks = (row: readonly Value[], there: boolean) => readonly Value[];
type RefuseRow = (key: Key, row: readonly Value[], error: SvcError) => void;

export interface WriterMark {
  readonly rows: number;
  readonly moved: number;
}

interface Unique {
  readonly values: IndexValues;
  /** Its entries at the start of the statement; undefined: not loaded yet. */
  tree: Node | null | undefined;
  /** A deferrable constraint: checked at the end of the statement. */
  readonly late: boolean;
  /** Keys of rows that this statement wrote, by entry prefix (unique reservations). */
  readonly claimed: Map<string, Key>;
}

export interface WriterParts {
  readonly pager: Pager;
  readonly objects: Objects;
  readonly schema: Schema;
  readonly compiler: Compiler;
  readonly env: Environment;
  /** See `StatementParts`. */
  readonly contended?: (tree: number, key: Key, mode: number) => void;
  readonly hooks?: StatementHooks | null;
  readonly comingTo?: (tree: number, key: Key, mode: number) => void;
}

/** The state that a writer reads. */
export interface WriterState {
  readonly directory: (table: number) => Node;
  /** Finds a row without building the directory; undefined: use the directory. */
  readonly rowAt?: (table: number, key: Key) => RowAt | null | undefined;
}

/** The constraints of a table, compiled once for all statements of one schema. */
class TableRules {
  readonly schema: Schema;
  readonly compiler: Compiler;
  readonly codec: RowKeyCodec;
  readonly indexes: readonly IndexValues[];
  readonly uniques: readonly IndexValues[];
  readonly notNull: readonly number[];
  readonly checks: readonly ((row: readonly Value[]) => boolean | null)[];
  /** For a partition: whether a row satisfies its bounds. */
  readonly belongs: ((row: readonly Value[]) => boolean) | null;
  readonly generated: readonly { column: number; value: (row: readonly Value[]) => Value }[];
  /** Cells of a row and their kinds: columns, then hidden cells of indexes. */
  readonly ids: readonly number[];
  readonly kinds: readonly Kind[];
  /** A row's values are its cells. */
  readonly direct: boolean;
  /** Nothing here was compiled for a particular statement. */
  readonly plain: boolean;
  /** Columns that more than themselves, plain indexes and checks depend on. */
  readonly entered: ReadonlySet<number>;
  /** Columns that determine the partition of a row. */
  readonly placing: ReadonlySet<number>;
  /** Columns that checks may read; null: any. */
  readonly checked: readonly number[] | null;
  /** Whether foreign keys reference the table. */
  readonly referenced: boolean;
  /** Columns that foreign keys of either side use; null: none. */
  readonly watched: ReadonlySet<number> | null;
  readonly exclusions: readonly ExclusionRule[];
  /** Whether each of `uniques` is checked at the end of the statement. */
  readonly late: readonly boolean[];
  readonly shapes = new ShapeTable();
  /** Of the last columns: a plan that runs again has the same. */
  #changing: Changing | null = null;

  constructor(schema: Schema, table: SqlTable, compiler: Compiler) {
    this.schema = schema;
    this.compiler = compiler;
    this.codec = schema.rowKey(table);
    this.indexes = table.indexes.map((index) => new IndexValues(schema, table, index, compiler));
    this.uniques = this.indexes.filter(({ index }) => index.unique);
    this.watched = watchedColumns(schema, table);
    this.late = this.uniques.map(({ index }) => schema.catalog.indexes.get(index.number)?.deferrable === true);
    this.exclusions = exclusionRules(schema, table, compiler);
    this.notNull = table.columns.flatMap(({ notNull }, i) => (notNull ? [i] : []));
    this.checks = table.checks.map(({ condition }) => compiler.check(table, condition));
    this.belongs = table.inheritance === null ? null : partitionTest(schema, table, compiler);
    this.generated = table.columns.flatMap(({ generated, type, typmod }, column) =>
      generated === null ? [] : [{ column, value: compiler.expression(table, generated, type, typmod) }],
    );
    const hidden = this.indexes.flatMap(({ cells }) => cells);
    const conditions = new Set(schema.catalog.byNumber.get(table.number)?.relation?.indexes.map(({ whereCell }) => whereCell));
    const fields = table.document ? table.columns.slice(1) : table.columns;
    this.direct = !table.document && hidden.length === 0 && table.columns.every(({ storage, field }) => storage.form === 'direct' && field === undefined);
    this.plain =
      this.checks.length === 0 &&
      partitionedAbove(schema, table).every(({ inheritance }) => inheritance!.partitionBy!.elements.every(({ expression }) => expression === null)) &&
      this.exclusions.length === 0 &&
      this.generated.length === 0 &&
      table.indexes.every(({ where, columns }) => where === null && columns.every(({ expression }) => expression === null));
    this.entered = followedColumns(table, this.indexes);
    this.placing = placingColumns(schema, table);
    const checked = columnsIn(
      table,
      table.checks.map(({ condition }) => condition),
    );
    this.checked = checked === null ? null : [...checked];
    this.referenced = schema.referencing(table.number).length > 0;
    this.ids = [...fields.map(({ number }) => number), ...hidden];
    this.kinds = [...fields.map(({ storage }) => storage.kind), ...hidden.map((cell): Kind => (conditions.has(cell) ? KIND.BOOL : KIND.BIN))];
  }

  changing(table: SqlTable, columns: readonly number[]): Changing {
    if (this.#changing?.columns === columns) return this.#changing;
    const set = columns.map((column) => table.columns[column]);
    const shape = { ids: set.map(({ number }) => number), kinds: set.map(({ storage }) => storage.kind) };
    return (this.#changing = { columns, shape, vecs: set.map(() => null), after: set.map(() => null) });
  }
}

/** Columns that a statement sets, and a buffer for their cells. */
interface Changing {
  readonly columns: readonly number[];
  readonly shape: Shape;
  readonly vecs: (Vec | null)[];
  readonly after: Datum[];
}

const ROWS_A_STEP = 4096;
/** The same for rows that are checked whole: about a millisecond. */
const ROWS_A_LOOK = 256;
/** After this many new rows in key order, after all existing ones, the following rows go into leaves directly. */
const RUN_ROWS = 256;
/** This many rows are looked up singly. */
const FEW_LOOKUPS = 8;
const NO_VALUES: Value[] = [];
const NO_UNIQUES: readonly Unique[] = [];
const NO_KEYS: readonly Key[] = [];

const cells = new ChangedCells();
const rulesOf = new WeakMap<SqlTable, TableRules>();

function tableRules({ schema, compiler }: WriterParts, table: SqlTable): TableRules {
  let rules = rulesOf.get(table);
  if (rules === undefined || rules.schema !== schema || (rules.compiler !== compiler && !rules.plain))
    rulesOf.set(table, (rules = new TableRules(schema, table, compiler)));
  return rules;
}

export class RowsWriter implements TableWriter {
  readonly table: SqlTable;
  readonly moved: Moved[] = [];
  readonly #parts: WriterParts;
  /** The root of the table and its indexes; null until needed: single-row statements mostly do not. */
  #root: Node | null;
  #state: WriterState | null;
  #tree: Node | null | undefined = undefined;
  readonly #triggers: RowTriggers | null;
  readonly #rules: TableRules;
  readonly #keyed: boolean;
  readonly #watched: ReadonlySet<number> | null;
  readonly #pending = new PendingRows();
  readonly #uniques: readonly Unique[];
  /** Highest key of the tree, once known: rows after it need no lookup. */
  #last: Key | null | undefined = undefined;
  #lookups = 0;
  readonly #keyValues: Value[];
  /** A long run of new rows after all others, not pending; undefined until it is known whether there can be one. */
  #run: LeafBuilder | null | undefined = undefined;
  /** Changes that were applied immediately, of rows that are not pending. */
  #applied: AppliedRows | null = null;
  /** Columns of a statement whose changes are applied immediately; undefined: not checked yet. */
  #changeable: readonly number[] | null | undefined = undefined;
  #deletable: boolean | undefined = undefined;
  /** The leaf of the last placed row, its first and last key, that row's key, and the position after it (0: none). */
  #leaf: Leaf | null = null;
  #leafFirst: Key = 0;
  #leafLast: Key = 0;
  #placed: Key = 0;
  #behind = 0;
  /** The shape of rows whose cells have the kinds of their columns. */
  #wholeShape: Shape | null = null;

  /** `root`: the directory of the table and its indexes, if there is no `state`. */
  constructor(parts: WriterParts, state: WriterState | null, root: Node, table: SqlTable) {
    this.#parts = parts;
    this.#state = state;
    this.#root = state === null ? root : null;
    this.table = table;
    this.#triggers = parts.hooks?.rows(table) ?? null;
    this.#rules = tableRules(parts, table);
    this.#keyed = table.key.columns.length > 0;
    this.#watched = this.#rules.watched;
    this.#keyValues = this.#keyed ? new Array<Value>(table.key.columns.length).fill(null) : NO_VALUES;
    const { uniques, late } = this.#rules;
    this.#uniques =
      uniques.length === 0
        ? NO_UNIQUES
        : uniques.map((values, i) => ({
            values,
            tree: undefined,
            late: late[i],
            claimed: new Map(),
          }));
  }

  get #directory(): Node {
    return (this.#root ??= this.#state!.directory(this.table.number));
  }

  get tree(): Node | null {
    return this.#tree === undefined ? (this.#tree = childRoot(this.#parts.pager, this.#directory, this.table.number)) : this.#tree;
  }

  #entries(unique: Unique): Node | null {
    return unique.tree === undefined ? (unique.tree = childRoot(this.#parts.pager, this.#directory, unique.values.index.number)) : unique.tree;
  }

  /** The row in the writer's state. */
  #found(key: Key): RowAt | null {
    const at = this.#few(key);
    return at === undefined ? rowIn(this.#parts.pager, this.tree, key) : at;
  }

  /** The same for the first few lookups, which need no directory; undefined: search the tree. */
  #few(key: Key): RowAt | null | undefined {
    const state = this.#state;
    if (this.#root !== null || state?.rowAt === undefined || ++this.#lookups > FEW_LOOKUPS) return undefined;
    return state.rowAt(this.table.number, key);
  }

  /** For a record: which of the row's fields it gives as null; fields of other nulls are absent. */
  keepNulls(key: Key, columns: ReadonlySet<number>): void {
    (this.#nulls ??= new Map()).set(key, columns);
  }
  #nulls: Map<Key, ReadonlySet<number>> | null = null;

  add(row: readonly Value[]): void {
    this.insert(row);
  }

  /** The writer takes ownership of the row. `placed`: routing has verified the partition bounds. */
  insert(row: readonly Value[], moving = false, placed = false): Key {
    const stored = this.#complete(row, placed);
    const key = this.#keyed ? this.#keyOf(stored) : this.#parts.objects.rowNumber();
    if (this.#run === undefined && this.#pending.count >= RUN_ROWS) this.#run = this.#beginRun();
    // Changed rows keep their keys: only deleted ones free theirs.
    if (this.#applied !== null && this.#applied.deletes && this.#mayTakePlaceOf(key)) this.#allPending();
    const run = this.#run;
    if (run !== null && run !== undefined) {
      if (key > run.last!) {
        run.add(key, this.#cells(key, stored));
        this.#triggers?.inserted(key, stored, moving);
        return key;
      }
      this.#allPending();
    }
    if (this.#keyed && this.#exists(key)) throw this.#keyTaken(stored, key);
    this.#claim(key, stored);
    this.#pending.set(key, null, stored);
    if (this.#watched !== null) this.moved.push({ old: null, row: stored, key });
    this.#triggers?.inserted(key, stored, moving);
    return key;
  }

  /** Whether a deleted row may have had the key of a new one. */
  #mayTakePlaceOf(key: Key): boolean {
    return this.#uniques.length > 0 || this.#rules.exclusions.length > 0 || (this.#keyed && this.#applied!.has(key));
  }

  /** The pending rows as the start of a run, if all are new and need no further checks. */
  #beginRun(): LeafBuilder | null {
    const pending = this.#pending;
    const { ids, kinds } = this.#rules;
    if (this.#uniques.length > 0 || this.#watched !== null || this.table.document || !pending.ascending || this.#applied !== null) return null;
    for (let i = 0; i < pending.count; i++) if (pending.before[i] !== null || pending.after[i] === null) return null;
    const last = this.tree === null ? null : lastKey(this.#parts.pager, this.tree);
    if (last !== null && last >= pending.keys[0]) return null;
    const run = new LeafBuilder(this.table.key.numeric, ids, kinds, this.#parts.pager.newEdit());
    for (let i = 0; i < pending.count; i++) run.add(pending.keys[i], this.#cells(pending.keys[i], pending.after[i]!));
    pending.cutTo(0);
    return run;
  }

  /** Turns the rows of a run into pending ones. */
  #endRun(): void {
    const run = this.#run;
    if (run === undefined || run === null) return;
    this.#run = null;
    for (const leaf of run.finish()) {
      for (let i = 0; i < leaf.count; i++) this.#pending.add(leaf.key(i), null, readRow(this.table, leaf, i));
    }
  }

  /** Queries for single rows are answered from pending ones. */
  #allPending(): void {
    this.#endRun();
    if (this.#applied !== null) {
      for (const change of this.#applied.all()) {
        const row = this.#leftBy(change);
        this.#pending.add(change.key, this.#stored(change.key), row);
        // Its entries in the trees are not read any more.
        for (const { values, claimed } of this.#uniques) {
          const claim = row === null ? null : values.claim(row);
          if (claim !== null) claimed.set(claim, change.key);
        }
      }
      this.#applied = null;
    }
    this.#changeable = null;
    this.#deletable = false;
  }

  /** The row after the change. */
  #leftBy({ key, shape, after }: RowChange): Value[] | null {
    const row = after === null ? null : this.#stored(key);
    if (row === null) return null;
    const { columns } = this.table;
    for (let i = 0; i < shape.ids.length; i++) {
      const at = columns.findIndex(({ number }) => number === shape.ids[i]);
      const datum = after![i];
      row[at] = datum === null || datum === undefined ? null : columns[at].storage.decode(datum);
    }
    return row;
  }

  // --- rows without dependent data

  get #applying(): AppliedRows {
    return (this.#applied ??= new AppliedRows(this.table.number, this.table.key.numeric, this.#parts.pager.newEdit(), this.#rules.shapes));
  }

  /** Whether changes can be applied immediately, since nothing reads the rows again. */
  get #appliesImmediately(): boolean {
    return this.#triggers === null && !this.table.document && this.#firstTree === undefined && (this.#run === undefined || this.#run === null);
  }

  #appliesUpdates(columns: readonly number[], placed: boolean): boolean {
    if (this.#changeable === columns) return true;
    if (this.#changeable === null || !this.#appliesImmediately || this.#rules.checked === null) return false;
    const watched = this.#watched;
    const { entered, placing } = this.#rules;
    for (const column of columns) {
      if (this.table.key.columns.includes(column) || watched?.has(column) === true || entered.has(column) || (!placed && placing.has(column))) return false;
    }
    this.#changeable = columns;
    this.#changing = this.#rules.changing(this.table, columns);
    return true;
  }

  #appliesDelete(key: Key): boolean {
    this.#endRun();
    return (this.#deletable ??= this.#appliesImmediately && !this.#rules.referenced) && !this.#pending.has(key);
  }

  // --- rows of partitions

  /** Whether a trigger may read rows of the table. */
  get hooked(): boolean {
    return this.#triggers !== null;
  }

  /** The row's values in these columns, into `row` at `places`; false if the row is not simply the stored one. */
  readInto(row: Value[], places: readonly number[], key: Key, columns: readonly number[]): boolean {
    if (!this.#appliesImmediately || this.#pending.has(key)) return false;
    const at = this.#place(key);
    if (at < 0) return false;
    for (let i = 0; i < columns.length; i++) row[places[i]] = readCell(this.table.columns[columns[i]], this.#leaf!, at);
    return true;
  }

  /** Removes a row that moves to another partition, if nothing reads it again; null, without effect, otherwise. */
  takeOut(key: Key): Value[] | null {
    if (!this.#appliesDelete(key)) return null;
    const index = this.#place(key);
    if (index < 0) return null;
    const leaf = this.#leaf!;
    const row = readRow(this.table, leaf, index);
    this.#applying.remove(leaf, index);
    return row;
  }

  /** The stored position of the row: the next one is mostly in the same leaf, after it. */
  #place(key: Key): number {
    let leaf = this.#leaf;
    if (leaf === null || key < this.#leafFirst || key > this.#leafLast) {
      const few = this.#few(key);
      if (few === null) return -1;
      if (few !== undefined) {
        this.#leaf = few.leaf;
        this.#leafFirst = this.#leafLast = this.#placed = key;
        this.#behind = 0;
        return few.index;
      }
      if (this.tree === null) return -1;
      leaf = leafFor(this.#parts.pager, this.tree, key);
      if (leaf.count === 0) return -1;
      this.#leaf = leaf;
      this.#leafFirst = leaf.key(0);
      this.#leafLast = leaf.key(leaf.count - 1);
      this.#behind = 0;
    }
    const at = leaf.find(key, this.#behind > 0 && key > this.#placed ? this.#behind : 0);
    if (at >= 0) {
      this.#placed = key;
      this.#behind = at + 1;
    }
    return at;
  }

  /** `placed`: as for `insert`. */
  change(key: Key, columns: readonly number[], values: readonly Value[], placed = false): boolean {
    if (!this.#appliesUpdates(columns, placed) || this.#pending.has(key)) return false;
    // A row that another transaction has locked is waited for before anything is computed from it.
    if (this.#applied === null) this.#parts.comingTo?.(this.table.number, key, ROW_LOCK.noKeyUpdate);
    const at = this.#place(key);
    if (at < 0) return false;
    const leaf = this.#leaf!;
    // A check may run arbitrary code, so it comes before the cell buffer is used.
    if (this.#rules.checks.length > 0 && !this.#passes(leaf, at, columns, values)) return false;
    const { vecs, after } = this.#changing!;
    for (let i = 0; i < columns.length; i++) {
      const column = this.table.columns[columns[i]];
      const value = values[i];
      if (value === null && column.notNull) return false;
      const vec = leaf.col(column.number);
      vecs[i] = vec;
      // An absent cell stays absent if it is set to its default.
      const stands = (vec === null || vec.tag(at) === TAG.ABSENT) && Object.is(value, column.missing);
      after[i] = stands ? undefined : value === null ? null : column.storage.encode(value);
    }
    this.#applying.change(key, this.#changing!.shape, vecs, at, after);
    return true;
  }
  #changing: Changing | null = null;

  /** Whether the checks accept these values; they receive the columns that they read. */
  #passes(leaf: Leaf, at: number, columns: readonly number[], values: readonly Value[]): boolean {
    const row = (this.#asked ??= new Array<Value>(this.table.columns.length).fill(null));
    for (const column of this.#rules.checked!) {
      const given = columns.indexOf(column);
      row[column] = given < 0 ? readCell(this.table.columns[column], leaf, at) : values[given];
    }
    for (const check of this.#rules.checks) if (check(row) === false) return false;
    return true;
  }
  #asked: Value[] | null = null;

  conflict(row: readonly Value[], arbiter: Index | 'key' | null): Key | null {
    this.#allPending();
    const stored = this.computed(row);
    if (arbiter === null || arbiter === 'key') {
      if (this.#keyed && !this.table.key.columns.some((column) => stored[column] === null)) {
        const key = this.#keyOf(stored);
        if (this.#exists(key)) return this.#inTheWay(stored, key);
      }
      if (arbiter === 'key') return null;
    }
    for (const unique of this.#uniques) {
      if (arbiter !== null && unique.values.index.number !== arbiter.number) continue;
      if (unique.late) throw deferrableArbiter(this.table, unique.values.index);
      const claim = unique.values.claim(stored);
      const holder = claim === null ? null : this.#holder(unique, claim, null);
      if (holder !== null) {
        this.#parts.contended?.(unique.values.index.number, claim!, ROW_LOCK.update);
        return this.#inTheWay(stored, holder);
      }
    }
    for (const rule of this.#rules.exclusions) {
      if (arbiter !== null && rule.index.number !== arbiter.number) continue;
      if (rule.late) throw deferrableArbiter(this.table, rule.index);
      const excluded = this.#excludedBy(rule, stored, null);
      if (excluded !== null) return this.#inTheWay(stored, excluded.key);
    }
    return null;
  }

  /** The row, in its current version, that conflicts with this one under an exclusion constraint. */
  #excludedBy(rule: ExclusionRule, row: readonly Value[], own: Key | null): { key: Key; mine: Value[]; values: Value[] } | null {
    const mine = rule.of(row);
    if (mine === null) return null;
    const group = this.#excluding?.get(rule)?.get(rule.group(mine));
    if (group !== undefined) {
      for (const [key, values] of group) if (key !== own && rule.conflict(mine, values)) return { key, mine, values };
    }
    const found = rule.stored(this.#parts.pager, this.#directory, this.tree, mine, (key) => key === own || this.#pending.has(key));
    return found === null ? null : { ...found, mine };
  }
  /** Rows that this statement wrote, grouped by the values whose rows may conflict. */
  #excluding: Map<ExclusionRule, Map<string, Map<Key, Value[]>>> | null = null;

  #exclude(key: Key, row: readonly Value[], late: boolean): void {
    for (const rule of this.#rules.exclusions) {
      if (!rule.late || late) {
        const found = this.#excludedBy(rule, row, key);
        if (found !== null) {
          const error = rule.error(found.mine, found.values, this.#parts.env);
          holders.set(error, found.key);
          throw error;
        }
      }
      const mine = rule.of(row);
      if (mine === null) continue;
      const excluding = (this.#excluding ??= new Map());
      let groups = excluding.get(rule);
      if (groups === undefined) excluding.set(rule, (groups = new Map()));
      const name = rule.group(mine);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, new Map([[key, mine]]));
      else group.set(key, mine);
    }
  }

  /** A row that another transaction is about to change may not conflict afterwards. */
  #inTheWay(proposed: readonly Value[], key: Key): Key {
    this.#mustStandAlone(proposed, false);
    this.#parts.contended?.(this.table.number, key, ROW_LOCK.share);
    return key;
  }

  read(key: Key): Value[] | null {
    this.#allPending();
    const at = this.#pending.find(key);
    if (at >= 0) return this.#pending.after[at]?.slice() ?? null;
    return this.#stored(key);
  }

  written(key: Key): boolean {
    if (this.#applied?.has(key) === true) return true;
    this.#endRun();
    return this.#pending.has(key) || this.#handed?.has(key) === true;
  }

  update(key: Key, columns: readonly number[], values: readonly Value[], check?: RowChecker): readonly Value[] | null {
    const next = this.proposeUpdate(key, columns, values);
    if (next === null) return null;
    if (check !== undefined) check(this.computed(next));
    return this.replace(key, next, columns);
  }

  /** The row with new values, after BEFORE triggers; null if they skip it. */
  proposeUpdate(key: Key, columns: readonly number[], values: readonly Value[]): Value[] | null {
    this.#allPending();
    const old = this.#unchanged(key, 'updated');
    const next = old.slice();
    for (let i = 0; i < columns.length; i++) next[columns[i]] = values[i];
    const triggers = this.#triggers;
    if (triggers === null || !triggers.beforeUpdate) return next;
    for (const { column } of this.#rules.generated) next[column] = null;
    const row = triggers.updating(old, next, columns);
    if (row === null) return null;
    this.#refuseChanged(key, old, 'updated');
    return row === next ? next : row.slice();
  }

  /** Whether BEFORE triggers allow the deletion. */
  proposeDelete(key: Key): boolean {
    const triggers = this.#triggers;
    if (triggers === null || !triggers.beforeDelete) return true;
    this.#allPending();
    const old = this.#unchanged(key, 'deleted');
    if (!triggers.deleting(old)) return false;
    this.#refuseChanged(key, old, 'deleted');
    return true;
  }

  /** The row to insert, after BEFORE triggers; null if they skip it. */
  propose(row: readonly Value[], moving = false): readonly Value[] | null {
    const triggers = this.#triggers;
    if (triggers === null || !triggers.beforeInsert) return row;
    // A moving row already has its generated values, from its update.
    const own = (moving ? this.computed(row) : row).slice();
    if (!moving) for (const { column } of this.#rules.generated) own[column] = null;
    const given = triggers.inserting(own, moving);
    return given === null ? null : this.computed(given);
  }

  /** With its generated columns. */
  computed(row: readonly Value[]): readonly Value[] {
    return this.#rules.generated.length === 0 ? row : this.#withGenerated(row);
  }

  /** Name of the last trigger that was called. */
  get called(): string {
    return this.#triggers?.called ?? '';
  }

  get proposes(): boolean {
    return this.#triggers !== null && this.#triggers.beforeInsert;
  }

  /** Whether an update may change more than its columns. */
  get proposesUpdates(): boolean {
    return this.#triggers !== null && this.#triggers.beforeUpdate;
  }

  /** The current row; 27000 if a trigger of this statement has changed it meanwhile. */
  #unchanged(key: Key, done: 'updated' | 'deleted'): Value[] {
    const row = this.read(key);
    if (this.#firstTree === undefined) {
      assert(row !== null, 'a row to change is there');
      return row;
    }
    if (!this.#pending.has(key) && this.#handed?.has(key) !== true) {
      const at = rowIn(this.#parts.pager, this.#firstTree(), key);
      if (at !== null && (row === null || !this.#same(readRow(this.table, at.leaf, at.index), row))) throw changedMeanwhile(done);
    }
    if (row === null) throw changedMeanwhile(done);
    return row;
  }

  #refuseChanged(key: Key, old: readonly Value[], done: 'updated' | 'deleted'): void {
    if (this.#firstTree === undefined) return;
    const now = this.read(key);
    if (now === null || !this.#same(old, now)) throw changedMeanwhile(done);
  }

  #same(a: readonly Value[], b: readonly Value[]): boolean {
    return this.table.columns.every(({ storage }, i) => {
      const [x, y] = [a[i], b[i]];
      return Object.is(x, y) || (x !== null && y !== null && Object.is(storage.encode(x), storage.encode(y)));
    });
  }

  // --- statements whose triggers run queries

  /** Flushes the pending rows; `moveTo` must follow. */
  handOver(): TreeChanges | null {
    this.#allPending();
    const pending = this.#pending;
    if (pending.count === 0) return null;
    const changes = this.changes();
    this.#handed ??= new Map();
    for (let i = 0; i < pending.count; i++) if (!this.#handed.has(pending.keys[i])) this.#handed.set(pending.keys[i], pending.before[i]);
    pending.cutTo(0);
    for (const { claimed } of this.#uniques) claimed.clear();
    this.#excluding?.clear();
    return changes;
  }
  /** Flushed rows, with their values before the statement. */
  #handed: Map<Key, readonly Value[] | null> | null = null;
  /** The tree at the start of the statement, if it continues over another state. */
  #firstTree: (() => Node | null) | undefined = undefined;

  /** The statement began over another state than the writer. */
  beganOver(state: WriterState): void {
    let tree: Node | null | undefined;
    this.#firstTree = () => (tree === undefined ? (tree = childRoot(this.#parts.pager, state.directory(this.table.number), this.table.number)) : tree);
  }

  moveTo(state: WriterState): void {
    this.#allPending();
    if (this.#firstTree === undefined) {
      const first = this.#state;
      const root = this.#root;
      this.beganOver(root === null ? first! : { directory: () => root });
    }
    this.#state = state;
    this.#root = null;
    this.#tree = undefined;
    for (const unique of this.#uniques) unique.tree = undefined;
    this.#lookups = 0;
    this.#last = undefined;
    this.#leaf = null;
    this.#run = undefined;
  }

  /** Replaces the row; `columns`: those that the statement sets. */
  replace(key: Key, next: readonly Value[], set: readonly number[]): readonly Value[] {
    const old = this.read(key)!;
    const pending = this.#pending;
    const stays = !this.proposesUpdates && !set.some((column) => this.#rules.placing.has(column));
    const row = this.#complete(next, stays);
    const columns = this.proposesUpdates ? differing(old, row) : set;
    const moves = this.#keyed && this.table.key.columns.some((column) => columns.includes(column));
    const newKey = moves ? this.#keyOf(row) : key;
    if (newKey !== key && this.#exists(newKey)) throw this.#keyTaken(row, newKey, key);
    this.#release(key, old);
    let at = pending.find(key);
    if (at < 0) {
      at = pending.count;
      pending.add(key, old, old);
    }
    if (newKey === key) {
      this.#claim(key, row);
      pending.after[at] = row;
    } else {
      // The row is removed before its unique reservations, or it would conflict with itself.
      pending.after[at] = null;
      this.#claim(newKey, row);
      pending.set(newKey, null, row);
    }
    if (this.#watched !== null && (this.#rules.generated.length > 0 || columns.some((column) => this.#watched!.has(column))))
      this.moved.push({ old, row, key: newKey });
    this.#triggers?.updated(newKey, old, row, set, this.#isFresh(at));
    return row;
  }

  /** Whether the pending row was inserted by this statement. */
  #isFresh(at: number): boolean {
    const { keys, before } = this.#pending;
    return before[at] === null && (this.#handed === null || !this.#handed.has(keys[at]) || this.#handed.get(keys[at]) === null);
  }

  delete(key: Key): boolean {
    if (this.#appliesDelete(key)) {
      const index = this.#place(key);
      if (index >= 0) this.#applying.remove(this.#leaf!, index);
      return true;
    }
    this.#allPending();
    if (this.#triggers !== null && (this.read(key) === null ? this.#firstTree === undefined : !this.proposeDelete(key))) return false;
    const old = this.#firstTree === undefined ? this.read(key) : this.#unchanged(key, 'deleted');
    if (old === null) return true;
    this.#gone(key, old, false);
    if (this.#watched !== null) this.moved.push({ old, row: null, key });
    return true;
  }

  #gone(key: Key, old: readonly Value[], moving: boolean): void {
    this.#release(key, old);
    this.#pending.set(key, old, null);
    this.#triggers?.deleted(key, old, this.#isFresh(this.#pending.find(key)), moving);
  }

  /** The row moves to another table of its hierarchy; foreign keys see a change to `row`. */
  leave(key: Key, row: readonly Value[]): void {
    const old = this.read(key)!;
    this.#gone(key, old, true);
    if (this.#watched !== null) this.moved.push({ old, row, key });
  }

  // --- lookups for foreign keys

  /** Whether a row has these values in these columns, which are the key's or a unique index's. */
  has(columns: readonly number[], values: readonly Value[]): boolean {
    return this.keyOf(columns, values) !== null;
  }

  /** The key of the row that has them. */
  keyOf(columns: readonly number[], values: readonly Value[]): Key | null {
    this.#allPending();
    const { key, indexes } = this.table;
    if (this.#keyed && sameSet(key.columns, columns)) {
      const ordered = key.columns.map((column) => values[columns.indexOf(column)]);
      const own = this.#rules.codec.encode(ordered);
      return this.#exists(own) ? own : null;
    }
    const index = indexes.find(
      (each) =>
        each.unique &&
        each.where === null &&
        sameSet(
          each.columns.map(({ column }) => column ?? -1),
          columns,
        ),
    );
    assert(index !== undefined, 'a foreign key points at unique columns');
    const row = new Array<Value>(this.table.columns.length).fill(null);
    columns.forEach((column, i) => (row[column] = values[i]));
    const unique = this.#uniques.find(({ values: each }) => each.index.number === index.number)!;
    const claim = unique.values.prefix(row);
    return claim === null ? null : this.#holder(unique, claim, null);
  }

  /** Surviving rows whose columns give one of the wanted texts; `text` null: has a null. */
  *matching(
    columns: readonly number[],
    text: (values: readonly Value[]) => string | null,
    wanted: ReadonlyMap<string, readonly Value[]>,
  ): Generator<[Key, string]> {
    this.#allPending();
    const found: [Key, string][] = [];
    const look = (leaf: Leaf, at: number): void => {
      const key = leaf.key(at);
      if (this.#pending.has(key)) return;
      const row = readRow(this.table, leaf, at);
      const own = text(columns.map((column) => row[column]));
      if (own !== null && wanted.has(own)) found.push([key, own]);
    };
    const index = this.#rules.indexes.find(
      ({ index: { columns: own, where, entries } }) =>
        where === null &&
        entries === 'ordered' &&
        sameSet(
          own.slice(0, columns.length).map(({ column }) => column ?? -1),
          columns,
        ),
    );
    const leading = sameSet(this.table.key.columns.slice(0, columns.length), columns) && this.table.key.columns.length > 0;
    if (this.tree !== null && leading && this.table.key.numeric) {
      for (const values of wanted.values()) {
        const at = rowIn(this.#parts.pager, this.tree, values[0] as number);
        if (at !== null) look(at.leaf, at.index);
      }
    } else if (this.tree !== null && index !== undefined) {
      const { pager, schema } = this.#parts;
      const root = this.#directory;
      const parts = schema.indexParts(index.index);
      const tree = childRoot(pager, root, index.index.number);
      for (const values of wanted.values()) {
        let prefix = '';
        for (let i = 0; i < columns.length; i++) {
          const value = values[columns.indexOf(index.index.columns[i].column!)];
          const bytes = parts[i].codec.encode(value);
          prefix += `\x01${parts[i].descending ? complement(bytes) : bytes}`;
        }
        if (tree === null) continue;
        scan(pager, tree, prefix, (leaf, from, to) => {
          for (let i = from; i < to; i++) {
            if (!leaf.skeys[i].startsWith(prefix)) return false;
            const row = rowIn(pager, this.tree, leaf.cell(i, ROW_KEY) as Key);
            if (row !== null) look(row.leaf, row.index);
          }
          return true;
        });
      }
    } else if (this.tree !== null && leading && this.table.key.columns.length > columns.length) {
      const { pager, schema } = this.#parts;
      const codecs = this.table.key.columns.slice(0, columns.length).map((column) => ({ column, codec: schema.columnCodec(this.table.columns[column]) }));
      for (const values of wanted.values()) {
        const prefix = codecs.map(({ column, codec }) => codec.encode(values[columns.indexOf(column)])).join('');
        scan(pager, this.tree, prefix, (leaf, from, to) => {
          for (let i = from; i < to; i++) {
            if (!leaf.skeys[i].startsWith(prefix)) return false;
            look(leaf, i);
          }
          return true;
        });
      }
    } else if (this.tree !== null) {
      scan(this.#parts.pager, this.tree, null, (leaf, from, to) => {
        for (let i = from; i < to; i++) look(leaf, i);
      });
    }
    const { keys, after: rows } = this.#pending;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      const after = rows[i];
      if (after === null) continue;
      const own = text(columns.map((column) => after[column]));
      if (own !== null && wanted.has(own)) found.push([key, own]);
    }
    yield* found;
  }

  /** Surviving rows that the statement wrote, with their former values. */
  *left(): Generator<[key: Key, before: readonly Value[] | null, row: readonly Value[]]> {
    this.#allPending();
    const { keys, before, after } = this.#pending;
    const handed = this.#handed;
    for (let i = 0; i < keys.length; i++) {
      const row = after[i];
      if (row !== null) yield [keys[i], handed?.has(keys[i]) === true ? handed.get(keys[i])! : before[i], row];
    }
    if (handed === null) return;
    for (const [key, first] of handed) {
      const row = this.#pending.has(key) ? null : this.#stored(key);
      if (row !== null) yield [key, first, row];
    }
  }

  // --- merges

  /** Adds existing changes as the statement's own. */
  load(changes: readonly RowChange[]): void {
    runSteps(this.loadSteps(changes));
  }

  /** The same in steps, as are the following: the state may not be changed in place meanwhile. */
  *loadSteps(changes: readonly RowChange[]): Generator<void, void> {
    this.#allPending();
    const at = new Map(this.table.columns.map(({ number }, i) => [number, i]));
    let done = 0;
    for (const { key, shape, before, after } of changes) {
      if (++done % ROWS_A_LOOK === 0) yield;
      const old = this.#stored(key);
      let row: Value[] | null = null;
      if (after !== null) {
        row = before === null || old === null ? this.table.columns.map(({ missing }) => missing) : old.slice();
        for (let i = 0; i < shape.ids.length; i++) {
          const column = at.get(shape.ids[i]);
          if (column === undefined) continue;
          const datum = after[i];
          row[column] = datum === undefined ? this.table.columns[column].missing : datum === null ? null : this.table.columns[column].storage.decode(datum);
        }
        if (this.table.document) row[0] = documentId(key as string);
      }
      const known = this.#pending.find(key);
      if (known < 0) this.#pending.add(key, old, row);
      else {
        this.#pending.before[known] = old;
        this.#pending.after[known] = row;
      }
      if (this.#watched !== null) this.moved.push({ old, row, key });
    }
  }

  /** Rechecks an existing row as if it had been written. */
  touch(key: Key): void {
    this.#allPending();
    if (this.#pending.has(key)) return;
    const row = this.#stored(key);
    if (row === null) return;
    this.#pending.add(key, row, row);
    if (this.#watched !== null) this.moved.push({ old: null, row, key });
  }

  /**
   * Checks every existing row that was not loaded: its own constraints, and its derived values. A row with other derived values
   * becomes a write of the statement.
   */
  *surveySteps(asked: RowChecks, refused: RefuseRow): Generator<void, void> {
    this.#allPending();
    const { tree } = this;
    if (tree === null) return;
    let done = 0;
    for (const { leaf, start } of leaves(this.#parts.pager, tree, null)) {
      for (let i = start; i < leaf.count; i++) {
        if (++done % ROWS_A_LOOK === 0) yield;
        const key = leaf.key(i);
        if (this.#pending.has(key)) continue;
        const row = readRow(this.table, leaf, i);
        tried(key, row, refused, () => {
          const now = this.computed(asked(row, true));
          let faults = 0;
          this.#mustStandAlone(now, false, true, (error) => {
            faults++;
            refused(key, row, error);
          });
          if (faults > 0) return;
          if (now === row || this.#same(row, now)) return;
          this.#pending.add(key, row, now);
          (this.#surveyed ??= new Set()).add(key);
          if (this.#watched !== null) this.moved.push({ old: row, row: now, key });
        });
      }
    }
  }
  /** Pending rows whose own constraints were checked. */
  #surveyed: Set<Key> | null = null;

  /** Rechecks every existing row as if it had been written. */
  *touchAllSteps(): Generator<void, void> {
    if (this.tree === null) return;
    let done = 0;
    for (const { leaf, start } of leaves(this.#parts.pager, this.tree, null)) {
      for (let i = start; i < leaf.count; i++) {
        if (++done % ROWS_A_LOOK === 0) yield;
        this.touch(leaf.key(i));
      }
    }
  }

  /** Checks every row that was loaded or touched; `asked`: including constraints of a row alone and derived values. */
  verify(asked: RowChecks | null, refused: RefuseRow): void {
    runSteps(this.verifySteps(asked, refused));
  }

  *verifySteps(asked: RowChecks | null, refused: RefuseRow): Generator<void, void> {
    let done = 0;
    // A unique index that the state does not have yet: all rows are checked.
    if (this.tree !== null && this.#uniques.some((unique) => this.#entries(unique) === null)) {
      for (const { leaf, start } of leaves(this.#parts.pager, this.tree, null)) {
        for (let i = start; i < leaf.count; i++) {
          if (++done % ROWS_A_LOOK === 0) yield;
          const key = leaf.key(i);
          if (this.#pending.has(key)) continue;
          const row = readRow(this.table, leaf, i);
          for (const unique of this.#uniques) if (this.#entries(unique) === null) tried(key, row, refused, () => this.#claimOne(unique, key, row));
        }
      }
    }
    const { keys, before, after } = this.#pending;
    for (let i = 0; i < keys.length; i++) {
      if (++done % ROWS_A_LOOK === 0) yield;
      const key = keys[i];
      const row = after[i];
      if (row === null) continue;
      tried(key, row, refused, () => {
        if (asked !== null && this.#surveyed?.has(key) !== true) {
          after[i] = this.computed(asked(row, before[i] === row));
          this.#mustStandAlone(after[i]!, false, true, (error) => refused(key, row, error));
        }
        // Each key that is taken is a violation of its own.
        const now = after[i]!;
        if (this.#rules.exclusions.length > 0) tried(key, row, refused, () => this.#exclude(key, now, false));
        for (const unique of this.#uniques) tried(key, row, refused, () => this.#claimOne(unique, key, now));
      });
    }
  }

  // --- the statement's changes

  /** Rows written so far. */
  get count(): number {
    return this.#pending.count + (this.#applied?.count ?? 0) + (this.#run?.count ?? 0);
  }

  /** For `backTo`. */
  mark(): WriterMark {
    return { rows: this.count, moved: this.moved.length };
  }

  /** Rolls back rows that were inserted since the mark; nothing else was written meanwhile. */
  backTo({ rows, moved }: WriterMark): void {
    this.#allPending();
    const { keys, after, count } = this.#pending;
    for (let i = rows; i < count; i++) this.#release(keys[i], after[i]!);
    this.#pending.cutTo(rows);
    this.moved.length = moved;
  }

  changes(): TreeChanges | null {
    if (this.#pending.count > ROWS_A_STEP) return runSteps(this.changesSteps());
    this.#wholeShape = null;
    this.#idle = null;
    const made = this.#made();
    if (made !== undefined) return made;
    if (this.#applied === null && this.#pending.count === 1) {
      const change = this.#changeOf(0);
      return change === null ? null : this.#inOrder([change]);
    }
    const rows = this.#applied?.rows() ?? [];
    this.#addChanges(rows, 0, this.#pending.count);
    return this.#inOrder(rows);
  }

  /** Changes that exist already; undefined if pending rows have to be examined. */
  #made(): TreeChanges | null | undefined {
    const { number: tree, key } = this.table;
    if (this.#run !== null && this.#run !== undefined) return new NewRows(tree, key.numeric, this.#run.finish());
    if (this.#applied === null || this.#pending.count > 0) return undefined;
    return this.#applied.changes();
  }

  #inOrder(rows: RowChange[]): TreeChanges | null {
    if (rows.length === 0) return null;
    if (!this.#pending.ascending || this.#applied !== null) rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return { tree: this.table.number, numeric: this.table.key.numeric, rows };
  }

  /** The same in steps. */
  *changesSteps(): Generator<void, TreeChanges | null> {
    this.#wholeShape = null;
    this.#idle = null;
    const made = this.#made();
    if (made !== undefined) return made;
    const { count, ascending } = this.#pending;
    // If the rows are not queried again, and are in order.
    if (count >= RUN_ROWS && ascending && this.#applied === null && this.#uniques.length === 0) return yield* this.#columnsSteps();
    const rows = this.#applied?.rows() ?? [];
    for (let from = 0; from < count; from += ROWS_A_STEP) {
      if (from > 0) yield;
      this.#addChanges(rows, from, Math.min(count, from + ROWS_A_STEP));
    }
    return this.#inOrder(rows);
  }

  /** The same as columns, if the rows of each step have one form. */
  *#columnsSteps(): Generator<void, TreeChanges | null> {
    const { number: tree, key } = this.table;
    const { count } = this.#pending;
    const parts: TreeChanges[] = [];
    for (let from = 0; from < count; from += ROWS_A_STEP) {
      if (from > 0) yield;
      const rows: RowChange[] = [];
      this.#addChanges(rows, from, Math.min(count, from + ROWS_A_STEP));
      if (rows.length === 0) continue;
      const step = { tree, numeric: key.numeric, rows };
      parts.push(inColumns(step, () => this.#parts.pager.newEdit()) ?? step);
    }
    return joinedChanges(parts) ?? this.#inOrder(parts.flatMap(({ rows }) => rows));
  }

  #addChanges(rows: RowChange[], start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const change = this.#changeOf(i);
      if (change !== null) rows.push(change);
    }
  }

  /** The change of a pending row; null if it is unchanged. */
  #changeOf(i: number): RowChange | null {
    const { ids, kinds, shapes } = this.#rules;
    const key = this.#pending.keys[i];
    const before = this.#pending.before[i];
    const after = this.#pending.after[i];
    if (before === null) return after === null ? null : this.#whole(key, after, ids, kinds, shapes);
    const at = this.#found(key)!;
    if (after === null) return rowChange(key, at, null, shapes);
    const change = this.#partial(key, at, before, after, ids, kinds, shapes);
    if (change === null) (this.#idle ??= []).push(key);
    return change;
  }
  #idle: Key[] | null = null;

  /** After `changes`: rows that were written without a change. */
  unchanged(): readonly Key[] {
    const applied = this.#applied?.unchanged() ?? NO_KEYS;
    return this.#idle === null ? applied : [...applied, ...this.#idle];
  }

  #cells(key: Key, row: readonly Value[]): Datum[] {
    const { columns, document } = this.table;
    const nulls = this.#nulls?.get(key);
    // Values in stored form: the row itself.
    if (this.#rules.direct) return row as Datum[];
    const out: Datum[] = [];
    for (let i = document ? 1 : 0; i < columns.length; i++) {
      const value = row[i];
      // A missing field of a document is absent.
      out.push(value === null ? (columns[i].field === undefined || nulls?.has(i) === true ? null : undefined) : columns[i].storage.encode(value));
    }
    for (const index of this.#rules.indexes) if (index.cells.length > 0) index.pushCells(row, out);
    return out;
  }

  #whole(key: Key, row: readonly Value[], ids: readonly number[], kinds: readonly Kind[], shapes: ShapeTable): RowChange {
    const after = this.#cells(key, row);
    for (let i = 0; i < after.length; i++) {
      if (typeof after[i] !== 'bigint') continue;
      const own = after.map((datum, c) => kindOfCell(kinds[c], datum));
      return { key, shape: shapes.of(ids, own), before: null, after };
    }
    return { key, shape: (this.#wholeShape ??= shapes.of(ids, kinds)), before: null, after };
  }

  #partial(
    key: Key,
    at: { leaf: Leaf; index: number },
    before: readonly Value[],
    after: readonly Value[],
    ids: readonly number[],
    kinds: readonly Kind[],
    shapes: ShapeTable,
  ): RowChange | null {
    const offset = this.table.document ? 1 : 0;
    const { columns } = this.table;
    const hidden: Datum[] = [];
    // An index expression may call a function that re-enters this writer.
    if (ids.length > columns.length - offset) for (const index of this.#rules.indexes) if (index.cells.length > 0) index.pushCells(after, hidden);
    cells.count = 0;
    const take = (id: number, kind: Kind, datum: Datum): void => {
      const vec = at.leaf.col(id);
      const was = vec === null ? undefined : cellAs(vec.get(at.index), vec.kind, kind);
      if (Object.is(was, datum)) return;
      cells.add(id, typeof was === 'bigint' ? KIND.I64 : kindOfCell(kind, datum), was, datum);
    };
    const nulls = this.#nulls?.get(key);
    for (let i = offset; i < columns.length; i++) {
      const value = after[i];
      const absent = nulls !== undefined && value === null && columns[i].field !== undefined && !nulls.has(i);
      if (nulls === undefined ? Object.is(value, before[i]) : value !== null && Object.is(value, before[i])) continue;
      take(ids[i - offset], kinds[i - offset], value === null ? (absent ? undefined : null) : columns[i].storage.encode(value));
    }
    for (let i = 0; i < hidden.length; i++) take(ids[columns.length - offset + i], kinds[columns.length - offset + i], hidden[i]);
    return cells.count === 0 ? null : cells.take(key, shapes);
  }

  // --- constraints of one row

  /** `placed`: the partition bounds are known to hold. */
  #complete(row: readonly Value[], placed = false): readonly Value[] {
    const stored = this.computed(row);
    this.#mustStandAlone(stored, placed);
    return stored;
  }

  /** Checks a row's own constraints, independent of other rows. `validOnly`: except NOT VALID ones. `fault`: receives each. */
  #mustStandAlone(stored: readonly Value[], placed: boolean, validOnly = false, fault = throwFault): void {
    for (const column of this.#rules.notNull) if (stored[column] === null) fault(nullRefused(this.table, column, stored, this.#parts.env));
    for (let i = 0; i < this.#rules.checks.length; i++) {
      if (this.#rules.checks[i](stored) === false && !(validOnly && !this.table.checks[i].valid))
        fault(checkRefused(this.table, this.table.checks[i], stored, this.#parts.env));
    }
    if (!placed && this.#rules.belongs !== null && !this.#rules.belongs(stored)) fault(notInPartition(this.table, stored, this.#parts.env));
  }

  #withGenerated(row: readonly Value[]): Value[] {
    const out = row.slice();
    for (const { column, value } of this.#rules.generated) out[column] = value(row);
    return out;
  }

  #keyOf(row: readonly Value[]): Key {
    const { columns } = this.table.key;
    for (let i = 0; i < columns.length; i++) this.#keyValues[i] = row[columns[i]];
    return this.#rules.codec.encode(this.#keyValues);
  }

  #exists(key: Key): boolean {
    const at = this.#pending.find(key);
    if (at >= 0) return this.#pending.after[at] !== null;
    const few = this.#few(key);
    if (few !== undefined) return few !== null;
    if (this.tree === null) return false;
    // Bulk inserts mostly come after the existing rows.
    if (this.#last === undefined && ++this.#lookups > FEW_LOOKUPS) this.#last = lastKey(this.#parts.pager, this.tree);
    if (this.#last !== undefined && (this.#last === null || key > this.#last)) return false;
    return leafFor(this.#parts.pager, this.tree, key).find(key) >= 0;
  }

  #stored(key: Key): Value[] | null {
    const at = this.#found(key);
    return at === null ? null : readRow(this.table, at.leaf, at.index);
  }

  #claim(key: Key, row: readonly Value[]): void {
    if (this.#rules.exclusions.length > 0) this.#exclude(key, row, false);
    for (const unique of this.#uniques) this.#claimOne(unique, key, row);
  }

  #claimOne(unique: Unique, key: Key, row: readonly Value[]): void {
    const claim = unique.values.claim(row);
    if (claim === null) return;
    const holder = unique.late ? null : this.#holder(unique, claim, key);
    if (holder !== null) throw this.#notUnique(unique, row, key, holder);
    unique.claimed.set(claim, key);
  }

  /** Waits for rows that other transactions may still change, before rows are refused. */
  awaitOthers(): void {
    const { comingTo } = this.#parts;
    if (comingTo === undefined) return;
    const { keys, before, after } = this.#pending;
    for (let i = 0; i < keys.length; i++) {
      if (before[i] !== null) comingTo(this.table.number, keys[i], after[i] === null ? ROW_LOCK.update : ROW_LOCK.noKeyUpdate);
    }
  }

  #notUnique({ values }: Unique, row: readonly Value[], key: Key, holder: Key): SvcError {
    const { index } = values;
    this.awaitOthers();
    this.#parts.comingTo?.(this.table.number, key, ROW_LOCK.noKeyUpdate);
    this.#parts.contended?.(index.number, values.prefix(row)!, ROW_LOCK.update);
    this.#parts.contended?.(this.table.number, holder, ROW_LOCK.share);
    const types = index.columns.map(({ type }) => type);
    const { env } = this.#parts;
    const shown = maySeeValues(
      this.table,
      index.columns.map(({ column }) => column),
      env,
    );
    const error = notUnique(
      this.table,
      index.constraint ?? index.name,
      shown ? keyText(shownKey(this.table, index.columns, env), types, values.values(row), env) : null,
    );
    holders.set(error, holder);
    return error;
  }

  get checksAtEnd(): boolean {
    return this.#rules.late.includes(true) || this.#rules.exclusions.some(({ late }) => late);
  }

  #checkExclusions(isDeferred: (index: IndexObject) => boolean, waiting: Deferred[]): void {
    for (const rule of this.#rules.exclusions) {
      if (!rule.late) continue;
      const object = this.#parts.schema.catalog.indexes.get(rule.index.number)!;
      const waits = isDeferred(object);
      for (const [key, , row] of this.left()) {
        const found = this.#excludedBy(rule, row, key);
        if (found === null) continue;
        if (!waits) throw rule.error(found.mine, found.values, this.#parts.env);
        waiting.push({ table: this.table.number, key: object.number, side: 'unique', row: key, values: [] });
      }
    }
  }

  /** Checks deferrable unique constraints at the end of the statement; 23505. Those deferred to the commit are added to `waiting`. */
  checkDeferrable(isDeferred: (index: IndexObject) => boolean = () => false, waiting: Deferred[] = []): void {
    if (this.#rules.exclusions.length > 0) this.#checkExclusions(isDeferred, waiting);
    for (const unique of this.#uniques) {
      if (!unique.late) continue;
      unique.claimed.clear();
      const object = this.#parts.schema.catalog.indexes.get(unique.values.index.number)!;
      if (isDeferred(object)) {
        for (const [key, , row] of this.left()) {
          const claim = unique.values.claim(row);
          // Only a claim that another row has now must be rechecked.
          if (claim !== null && (this.#holder(unique, claim, key) !== null || unique.claimed.has(claim)))
            waiting.push({ table: this.table.number, key: object.number, side: 'unique', row: key, values: [] });
          if (claim !== null) unique.claimed.set(claim, key);
        }
        continue;
      }
      for (const [key, , after] of this.left()) {
        const claim = unique.values.claim(after);
        if (claim === null) continue;
        const holder = this.#holder(unique, claim, key);
        if (holder !== null) throw this.#notUnique(unique, after, key, holder);
        unique.claimed.set(claim, key);
      }
    }
  }

  /** 23505 if the row's key in a unique index is another row's too; at commit. */
  refuseDuplicate(index: number, key: Key): void {
    const rule = this.#rules.exclusions.find((each) => each.index.number === index);
    if (rule !== undefined) {
      const own = this.read(key);
      const found = own === null ? null : this.#excludedBy(rule, own, key);
      if (found !== null) throw rule.error(found.mine, found.values, this.#parts.env);
      return;
    }
    const unique = this.#uniques.find(({ values }) => values.index.number === index);
    const row = unique === undefined ? null : this.read(key);
    const claim = row === null ? null : unique!.values.claim(row);
    const holder = claim === null ? null : this.#holder(unique!, claim, key);
    if (holder !== null) throw this.#notUnique(unique!, row!, key, holder);
  }

  /** 23505 if rows that must be new exist already. */
  refuseTaken(changes: readonly RowChange[]): void {
    if (!this.#keyed) return;
    for (const { key, before } of changes) {
      if (before !== null) continue;
      const row = this.#stored(key);
      if (row !== null) throw this.#keyTaken(row, key);
    }
  }

  #release(key: Key, row: readonly Value[]): void {
    for (const [rule, groups] of this.#excluding ?? []) {
      const mine = rule.of(row);
      if (mine !== null) groups.get(rule.group(mine))?.delete(key);
    }
    for (const { values, claimed } of this.#uniques) {
      const claim = values.claim(row);
      if (claim !== null && claimed.get(claim) === key) claimed.delete(claim);
    }
  }

  /** Key of another row that has the claim, as the statement leaves its rows. */
  #holder(unique: Unique, claim: string, own: Key | null): Key | null {
    const here = unique.claimed.get(claim);
    if (here !== undefined && here !== own) return here;
    const tree = this.#entries(unique);
    if (tree === null) return null;
    let found: Key | null = null;
    scan(this.#parts.pager, tree, claim, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        if (!leaf.skeys[i].startsWith(claim)) return false;
        const key = leaf.cell(i, ROW_KEY) as Key;
        if (key === own || this.#pending.has(key)) continue;
        found = key;
        return false;
      }
      return true;
    });
    return found;
  }

  /** `was`: the former key of the row. */
  #keyTaken(row: readonly Value[], key: Key, was: Key = key): Error {
    this.awaitOthers();
    if (was !== key) this.#parts.comingTo?.(this.table.number, was, ROW_LOCK.update);
    this.#parts.contended?.(this.table.number, key, ROW_LOCK.share);
    const columns = this.table.key.columns.map((column) => this.table.columns[column]);
    const text = keyText(
      columns.map(({ name }) => quoteIdentifier(name)),
      columns.map(({ type }) => type),
      this.table.key.columns.map((column) => row[column]),
      this.#parts.env,
    );
    return notUnique(this.table, this.table.primaryKey!, maySeeValues(this.table, this.table.key.columns, this.#parts.env) ? text : null);
  }
}

function differing(old: readonly Value[], row: readonly Value[]): number[] {
  const out: number[] = [];
  for (let i = 0; i < row.length; i++) if (!Object.is(row[i], old[i])) out.push(i);
  return out;
}

function changedMeanwhile(done: 'updated' | 'deleted'): SvcError {
  return new SvcError('27000', `tuple to be ${done} was already modified by an operation triggered by the current command`, {
    hint: 'Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.',
  });
}

/** Columns that foreign keys of either side use; null if there are none. Other tables' keys change independently of this one. */
function watchedColumns(schema: Schema, table: SqlTable): ReadonlySet<number> | null {
  const referencing = schema.referencing(table.number);
  if (table.foreignKeys.length + referencing.length === 0) return null;
  return new Set([...table.foreignKeys.flatMap(({ columns }) => columns), ...referencing.flatMap(({ key }) => key.targetColumns)]);
}

const holders = new WeakMap<SvcError, Key>();

/** Key of the conflicting row of an error; null if there is none. */
export function holderOf(error: SvcError): Key | null {
  return holders.get(error) ?? null;
}

function throwFault(error: SvcError): void {
  throw error;
}

function tried(key: Key, row: readonly Value[], refused: RefuseRow, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    refused(key, row, error);
  }
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each));
}

function deferrableArbiter({ schema, name }: SqlTable, { constraint }: Index): SvcError {
  return new SvcError('55000', 'ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters', {
    data: { schema, table: name, constraint: constraint! },
  });
}
