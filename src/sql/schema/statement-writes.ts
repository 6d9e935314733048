/**
 * All writes of one statement: one writer per table, over the transaction's state at the statement's start (so it sees earlier
 * statements). `finish` ends the statement: foreign keys act and are checked, and the changes come out sorted by tree and key.
 */
import { runSteps } from '../../base/run-steps.ts';
import type { TreeChanges } from '../../events/changes.ts';
import { ROW_LOCK } from '../../locks/lock-mode.ts';
import type { Key } from '../../tree/datum.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Objects } from '../../worlds/world.ts';
import type { RowToLock } from '../../worlds/typed-tables.ts';
import type { Environment } from '../types/environment.ts';
import type { Compiler } from './compiler.ts';
import { brokenForeignKeys, type Deferred, enforceDeferred, enforceForeignKeys, type Writers } from './foreign-keys.ts';
import { HierarchyWriter } from './hierarchy-writer.ts';
import { RowsWriter, type WriterState } from './rows-writer.ts';
import type { StatementHooks } from './row-triggers.ts';
import { factsOf } from './facts.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

/** With more tables their writers are found by a hash table. */
const FEW_TABLES = 8;

export interface StatementParts {
  readonly pager: Pager;
  readonly objects: Objects;
  readonly schema: Schema;
  /** Not changed in place while the statement runs. */
  readonly root: Node;
  readonly compiler: Compiler;
  readonly env: Environment;
  /** Modes of SET CONSTRAINTS, by number of the constraint; constraints in neither set are as declared. */
  readonly deferredNow?: ReadonlySet<number>;
  readonly immediateNow?: ReadonlySet<number>;
  /** Which tables' foreign keys are enforced: all, none (session_replication_role is replica), or, if absent, according to each table. */
  readonly enforces?: 'all' | 'none';
  /** The source of tables, indexes and rows; absent: `root`. */
  readonly state?: WriterState;
  /** Called before an error for a conflicting row: throws if another transaction may still change that row. */
  readonly contended?: (tree: number, key: Key, mode: number) => void;
  /** Runs an internal action of a statement, with its context for errors and messages. */
  readonly inside?: (text: string, run: () => void) => void;
  /** null or absent: no triggers. */
  readonly hooks?: StatementHooks | null;
  /** Called before a row is changed: throws if another transaction has locked it. */
  readonly comingTo?: (tree: number, key: Key, mode: number) => void;
}

/** Whether the constraint is deferred to the commit, by SET CONSTRAINTS or its declaration. */
export function waitsForCommit(
  { deferredNow, immediateNow }: Pick<StatementParts, 'deferredNow' | 'immediateNow'>,
  { number, initiallyDeferred }: { readonly number: number; readonly initiallyDeferred: boolean },
): boolean {
  return deferredNow?.has(number) === true || (initiallyDeferred && immediateNow?.has(number) !== true);
}

const NONE_HELD: ReadonlySet<number> = new Set();
const NO_WRITERS: RowsWriter[] = [];

export class StatementWrites implements Writers {
  readonly schema: Schema;
  readonly env: Environment;
  readonly compiler: Compiler;
  /** After `finish`: the checks for `checkDeferred` at commit. */
  deferred: readonly Deferred[] = [];
  /** After `finish`: referenced rows, which must stay, and rows that were written without a change. */
  readonly shares: RowToLock[] = [];
  readonly #parts: StatementParts;
  /** Mostly one: searched linearly while there are few. */
  #writers: RowsWriter[] = NO_WRITERS;
  #byNumber: Map<number, RowsWriter> | null = null;

  constructor(parts: StatementParts) {
    this.schema = parts.schema;
    this.env = parts.env;
    this.compiler = parts.compiler;
    this.#parts = parts;
    this.#state = parts.state ?? null;
  }

  get hooks(): StatementHooks | null {
    return this.#parts.hooks ?? null;
  }

  /** Flushes the writes so far to the transaction, for queries of triggers. `moveTo` must follow. */
  handOver(): TreeChanges[] {
    const out: TreeChanges[] = [];
    for (const writer of this.#writers) {
      const changes = writer.handOver();
      if (changes !== null) out.push(changes);
    }
    return out.sort((a, b) => a.tree - b.tree);
  }

  /** The statement continues over another state, which includes the flushed writes. */
  moveTo(state: WriterState): void {
    this.#state = state;
    for (const writer of this.#writers) writer.moveTo(state);
  }
  /** null: it reads `root`. */
  #state: WriterState | null;

  writer(table: SqlTable): RowsWriter {
    const { number } = table;
    const writers = this.#writers;
    if (this.#byNumber !== null) {
      const known = this.#byNumber.get(number);
      if (known !== undefined) return known;
    } else for (let i = 0; i < writers.length; i++) if (writers[i].table.number === number) return writers[i];
    const state = this.#state;
    const made = new RowsWriter(this.#parts, state, this.#parts.root, table);
    const { state: first } = this.#parts;
    if (first !== undefined && state !== first) made.beganOver(first);
    if (writers.length === 0) this.#writers = [made];
    else writers.push(made);
    if (this.#byNumber !== null) this.#byNumber.set(number, made);
    else if (writers.length > FEW_TABLES) this.#byNumber = new Map(writers.map((each) => [each.table.number, each]));
    return made;
  }

  /** For a table together with its descendants. */
  hierarchy(table: SqlTable): HierarchyWriter {
    const known = (this.#hierarchies ??= new Map());
    let writer = known.get(table.number);
    if (writer === undefined) known.set(table.number, (writer = new HierarchyWriter(this, table)));
    return writer;
  }
  #hierarchies: Map<number, HierarchyWriter> | null = null;

  all(): Iterable<RowsWriter> {
    return this.#writers;
  }

  acting(table: SqlTable, event: 'update' | 'delete', columns: readonly number[] | null): void {
    // With inheritance the parent is fired for that table alone.
    this.hooks?.begin(table.inheritance?.partitionBy == null ? table : this.schema.whole(table)!, [event], columns);
  }

  inside(text: string, run: () => void): void {
    if (this.#parts.inside === undefined) run();
    else this.#parts.inside(text, run);
  }

  contended(table: number, key: Key, mode: number): void {
    this.#parts.contended?.(table, key, mode);
  }

  #keepUnchanged(writer: RowsWriter): void {
    for (const key of writer.unchanged()) this.shares.push({ table: writer.table.number, key, mode: ROW_LOCK.noKeyUpdate });
  }

  share(table: number, key: Key): void {
    this.shares.push({ table, key, mode: ROW_LOCK.keyShare });
  }

  isDeferred(key: { readonly number: number; readonly deferrable: boolean; readonly initiallyDeferred: boolean }): boolean {
    if (this.#heldBack.has(key.number)) return true;
    return key.deferrable && waitsForCommit(this.#parts, key);
  }

  /** The rows are a part of a statement's: checks of these foreign keys are returned as deferred, until the other rows exist. */
  holdBack(keys: ReadonlySet<number>): void {
    this.#heldBack = keys;
  }
  #heldBack: ReadonlySet<number> = NONE_HELD;

  unenforced(table: SqlTable): boolean {
    const { enforces } = this.#parts;
    return enforces === undefined ? factsOf(this.schema, table.number)?.unenforced === true : enforces === 'none';
  }

  get #touchesForeignKeys(): boolean {
    for (const { moved } of this.#writers) if (moved.length > 0) return true;
    return false;
  }

  /** 23503, and 23505 of deferrable constraints. */
  finish(): TreeChanges[] {
    const [writer] = this.#writers;
    const { hooks } = this;
    if (this.#writers.length !== 1 || writer.moved.length > 0 || writer.checksAtEnd || (hooks !== null && !hooks.idle)) return runSteps(this.finishSteps());
    const changes = writer.changes();
    this.#keepUnchanged(writer);
    return changes === null ? [] : [changes];
  }

  /** Rows written so far. */
  get count(): number {
    let count = 0;
    for (const writer of this.#writers) count += writer.count;
    return count;
  }

  /** The same in steps; nothing may be written meanwhile. */
  *finishSteps(): Generator<void, TreeChanges[]> {
    this.hooks?.ended();
    const deferred = this.#touchesForeignKeys ? enforceForeignKeys(this) : [];
    for (const writer of this.#writers) if (writer.checksAtEnd) writer.checkDeferrable((index) => this.isDeferred(index), deferred);
    this.hooks?.ended();
    this.deferred = deferred;
    const out: TreeChanges[] = [];
    for (const writer of this.#writers) {
      const changes = yield* writer.changesSteps();
      this.#keepUnchanged(writer);
      if (changes !== null) out.push(changes);
    }
    return out.sort((a, b) => a.tree - b.tree);
  }
}

/** Checks changes that were computed over another state: 23505, 23503. Nothing cascades. */
export function recheck(parts: StatementParts, changes: readonly TreeChanges[]): void {
  const writes = new StatementWrites(parts);
  const refused = (_table: unknown, _key: unknown, _row: unknown, error: Error): void => {
    throw error;
  };
  for (const { tree, rows } of changes) {
    const table = parts.schema.tableNumbered(tree);
    if (table === undefined || (table.implied === true && parts.schema.referencing(tree).length === 0)) continue;
    const writer = writes.writer(table);
    writer.refuseTaken(rows);
    writer.load(rows);
    writer.verify(null, (key, row, error) => refused(table, key, row, error));
  }
  for (const writer of writes.all()) writer.checkDeferrable((index) => writes.isDeferred(index), []);
  runSteps(brokenForeignKeys(writes, refused, (key) => writes.isDeferred(key)));
}

/** Deferred constraints, over the state to be committed; 23503, 23505. Gives the rows that must stay. */
export function checkDeferred(parts: StatementParts, items: readonly Deferred[]): readonly RowToLock[] {
  if (items.length === 0) return [];
  const writes = new StatementWrites(parts);
  enforceDeferred(writes, items);
  return writes.shares;
}
