/**
 * What a session reads and has not committed yet: a snapshot of its world and its own changes over it. Nothing is visible to other
 * sessions before `commit` writes the changes as one event.
 *
 *   base ──own changes, applied when their tables are read──► root
 *
 * Under READ COMMITTED each statement starts from the world's current state (`refresh`): the transaction's locks protect the rows
 * that it has changed, so its changes are valid over any later state. A few changes are reapplied, and only when their tables are
 * read; with many, the changes of other sessions are applied to the transaction's own trees instead. Under the other levels the base
 * stays.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Sequence } from '../../base/brands.ts';
import { CATALOG_TREE, SEQUENCE_TREE, type TreeChanges } from '../../events/changes.ts';
import { changedRows, eachChangedKey } from '../../events/changed-rows.ts';
import { ColumnChanges } from '../../events/column-changes.ts';
import { inColumns, joinedChanges } from '../../events/in-columns.ts';
import { NewRows } from '../../events/new-rows.ts';
import type { Built } from '../../events/built.ts';
import type { RoleRow } from '../../identity/roles.ts';
import type { Encoded } from '../../projection/encoded.ts';
import type { Key, RowChange, Shape } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import { Leaf, type Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { applyTableSteps, applyToWorld, applyToWorldSteps } from '../../worlds/apply.ts';
import { type Catalog, readCatalog } from '../../worlds/catalog.ts';
import type { TypedTables } from '../../worlds/typed-tables.ts';
import { catalogObject, isTemporarySchema } from '../../worlds/definition.ts';
import type { ReadSet } from '../../worlds/read-set.ts';
import { type RowAt, rowChange, rowIn, ShapeTable } from '../../tree/row-change.ts';
import { changesBetween, treeDifference } from '../../worlds/changes-between.ts';
import { typeRules } from '../../worlds/type-rules.ts';
import type { World } from '../../worlds/world.ts';
import type { SequenceStates } from '../schema/sequence-values.ts';
import { refuseConcurrentDefinitions } from './concurrent-definitions.ts';
import { NOTHING_WAITS, type Waiting } from './deferred-constraints.ts';
import type { ExportedSnapshot } from './exported-snapshots.ts';
import { type Descriptors, NONE_OPEN } from './large-object-descriptors.ts';
import { SmallWrites } from './small-writes.ts';
import { bytesOfChanges, TransactionMemory } from './transaction-memory.ts';
import type { SettingsMark } from './settings.ts';

/** Up to this many own rows are reapplied rather than kept in the transaction's own trees, which would make the world's writers copy pages. */
const REAPPLIED_ROWS = 64;

/** A row is not searched among more changes of a statement. */
const PENDING_ROWS_MAX = 16;

/** Changes of this many statements may be pending; functions run thousands in one statement. */
const PENDING_STATEMENTS_MAX = 64;
/** Up to this many statements are merged one by one. */
const FEW_STATEMENTS = 16;

/** Rows of a statement that are applied in one time slice. */
const ROWS_A_STEP = 4096;
/** Keys that are looked up between two clock checks. */
const KEYS_A_STEP = 256;

/** The prepared parts of a large commit. */
export interface Ahead {
  /** The number of entries of `own` that it covers. */
  readonly own: number;
  readonly changes: readonly TreeChanges[];
  readonly encoded: Encoded;
  readonly built: Built | null;
}

/** How many own changes are applied to which state. */
interface Applied {
  readonly base: Node;
  readonly version: number;
  readonly root: Node;
  readonly count: number;
}

export interface TransactionMark {
  readonly own: number;
  readonly rows: number;
  /** Memory of its changes. */
  readonly bytes: number;
  readonly waiting: Waiting;
  readonly roleRows: ReadonlyMap<string, RoleRow | null>;
  readonly sequences: SequenceStates;
  readonly descriptors: Descriptors;
  /** null: rolling back rebuilds the state. */
  readonly applied: Applied | null;
}

const NOTHING_PENDING: readonly (readonly TreeChanges[])[] = [];

/** A statement's view of its transaction: the state when it began, without later changes of the transaction. */
export class TransactionView {
  readonly #transaction: Transaction;
  readonly #epoch: number;
  readonly #root: Node;
  readonly #moves: number;
  readonly #pending: readonly (readonly TreeChanges[])[];
  /** Small statements; the first few were there when the view was made. */
  readonly #small: readonly (readonly TreeChanges[])[];
  readonly #smallCount: number;
  #made: Node | null = null;

  constructor(transaction: Transaction, epoch: number, root: Node, pending: readonly (readonly TreeChanges[])[], small: readonly (readonly TreeChanges[])[]) {
    this.#transaction = transaction;
    this.#epoch = epoch;
    this.#moves = transaction.moves;
    this.#root = root;
    this.#pending = pending;
    this.#small = small;
    this.#smallCount = small.length;
  }

  get #isNow(): boolean {
    return this.#transaction.isAsIn(this.#epoch, this.#moves);
  }

  /** Whether it shows the transaction's current state, applied to `root`. */
  isOf(root: Node): boolean {
    return this.#root === root && this.#isNow;
  }

  /** A directory in which the table and its indexes are as the statement sees them. */
  directory(table: number): Node {
    const transaction = this.#transaction;
    if (this.#isNow) return transaction.directory(table);
    if (this.#made !== null) return this.#made;
    const pending = [...this.#pending, ...this.#small.slice(0, this.#smallCount)];
    if (!pending.some((changes) => changes.some(({ tree }) => tree === table || tree === CATALOG_TREE))) return this.#root;
    return (this.#made = transaction.viewed(this.#root, pending));
  }

  /**
   * One row of a table with pending changes, as a leaf with these columns: a lookup is not worth copies of the pages above it. null:
   * no such row; undefined: use the directory.
   */
  row(table: number, key: Key, columns: readonly number[]): Leaf | null | undefined {
    return this.#isNow ? this.#transaction.pendingRow(table, key, columns) : undefined;
  }

  /** The location of a row without pending changes; valid until the transaction is written to. undefined: use the directory. */
  rowAt(table: number, key: Key): RowAt | null | undefined {
    return this.#isNow ? this.#transaction.rowAt(table, key) : undefined;
  }
}

/** Applies a change to the requested columns of a one-row leaf. */
function updateColumns(row: Leaf, { shape, after }: RowChange, columns: readonly number[]): void {
  const { ids, kinds } = shape;
  if (ids.every((id) => columns.includes(id))) {
    row.update(0, shape, after!);
    return;
  }
  const asked = ids.flatMap((id, i) => (columns.includes(id) ? [i] : []));
  const part: Shape = { ids: asked.map((i) => ids[i]), kinds: asked.map((i) => kinds[i]) };
  row.update(
    0,
    part,
    asked.map((i) => after![i]),
  );
}

function changeIn({ rows }: TreeChanges, key: Key): RowChange | undefined {
  for (let i = 0; i < rows.length; i++) if (rows[i].key === key) return rows[i];
  return undefined;
}

interface Savepoint extends TransactionMark {
  readonly name: string;
  /** Number of locks, notifications and listens before it. */
  readonly locks: number;
  readonly notifications: number;
  readonly listens: number;
  readonly settings: SettingsMark;
}

const NO_ROLES: ReadonlyMap<string, RoleRow | null> = new Map();
const NO_SEQUENCES: SequenceStates = new Map();

/** The newest event that its state has. */
export function lastEventOf({ lastWrite, number }: World): Sequence {
  return Math.max(lastWrite, number) as Sequence;
}

export class Transaction {
  readonly pager: Pager;
  /** null for a past moment: read-only. */
  world: World | null;
  /** The world's state that statements see, without the transaction's own changes. */
  source: Node;
  /** The same with the session's temporary tables. */
  base: Node;
  version: number;
  /** Definitions of `base`. */
  catalog: Catalog;
  /** BEGIN was given; otherwise it ends with the statement list. */
  explicit: boolean;
  /** The transaction's number, with an event of its own; null until one is requested. */
  number: Sequence | null = null;
  /** The newest event of the world that `source` has. */
  seen: Sequence;
  /** Each statement sees what was committed before it (READ COMMITTED). */
  fresh = true;
  /** The reads of a serializable transaction. */
  reads: ReadSet | null = null;
  readOnly = false;
  failed = false;
  /** Set once the base is held for readers of later turns. */
  #release: (() => void) | null = null;
  readonly #typed: TypedTables;
  /** Holds of states that the transaction still reads. */
  readonly #holds: (() => void)[] = [];
  /** Changes of the statements that wrote, in order, except for the last small ones. */
  readonly #own: (readonly TreeChanges[])[] = [];
  /** Small statements after those, since the last mark. */
  #small: SmallWrites | null = null;
  /** Entries of `#own` that a rollback may return to: later ones may be combined. */
  #marked = 0;
  #rows = 0;
  #defines = false;
  #root: Node;
  /** Number of entries of `#own` that are applied in `#root`. */
  #applied = 0;
  /** Incremented when `#root` is replaced. */
  #epoch = 0;
  #edit: number;
  /** A statement has read rows: isolation level and access mode are fixed. */
  looked = false;
  waiting: Waiting = NOTHING_WAITS;
  /** Enum labels that it has added, by type oid: unusable before the commit. */
  readonly newLabels = new Map<number, Set<string>>();
  /** Roles and memberships that it has changed (null: dropped); a new map with each change. */
  roleRows: ReadonlyMap<string, RoleRow | null> = NO_ROLES;
  /** Sequences that its definitions create, drop or restart. */
  sequences: SequenceStates = NO_SEQUENCES;
  /** Its open large objects. */
  descriptors: Descriptors = NONE_OPEN;
  readonly savepoints: Savepoint[] = [];
  /** The memory of its own changes. */
  readonly memory = new TransactionMemory();
  /** Before its first statement. */
  readonly start: TransactionMark;

  readonly #overlay: (root: Node) => Node;

  /** `overlay` adds the session's temporary tables to a state of the world. */
  constructor(
    pager: Pager,
    typed: TypedTables,
    world: World | null,
    source: Node,
    catalog: Catalog,
    seen: Sequence,
    explicit: boolean,
    overlay: (root: Node) => Node = (root) => root,
  ) {
    this.pager = pager;
    this.#typed = typed;
    this.world = world;
    const base = overlay(source);
    this.#overlay = overlay;
    this.source = source;
    this.seen = seen;
    this.base = base;
    this.version = world?.version ?? 0;
    this.catalog = base === source ? catalog : readCatalog(pager, base);
    this.explicit = explicit;
    this.#root = base;
    this.#edit = pager.newEdit();
    const applied = { base, version: this.version, root: base, count: 0 };
    this.start = { own: 0, rows: 0, bytes: 0, waiting: NOTHING_WAITS, roleRows: NO_ROLES, sequences: NO_SEQUENCES, descriptors: NONE_OPEN, applied };
  }

  /** Changes of the statements that wrote, in order; those of small statements are combined. */
  get own(): readonly (readonly TreeChanges[])[] {
    this.#combineSmall();
    return this.#own;
  }

  /** Combines the small statements into one. */
  #combineSmall(): void {
    const small = this.#small;
    if (small === null) return;
    this.#small = null;
    const changes = small.finish(() => this.pager.newEdit());
    if (changes.length === 0) return;
    this.#own.push(changes);
    this.memory.add(bytesOfChanges(changes));
  }

  /** The state with all own changes. */
  get root(): Node {
    this.#combineSmall();
    for (; this.#applied < this.#own.length; this.#applied++) this.#root = this.#privately(this.#root, this.#own[this.#applied], this.#edit);
    return this.#root;
  }

  /** Private nodes of a transaction are not counted as checkpoint work until they belong to the world. */
  #privately(root: Node, changes: readonly TreeChanges[], edit: number): Node {
    const { dirtyBytes } = this.pager;
    const after = applyToWorld(this.pager, root, changes, edit);
    this.#ownBytes += this.pager.dirtyBytes - dirtyBytes;
    this.pager.dirtyBytes = dirtyBytes;
    return after;
  }
  #ownBytes = 0;

  /** Brings `root` up to date in time slices; the base must be held. */
  *applySteps(): Generator<void, void> {
    while (this.#applied < this.own.length) {
      const changes = this.own[this.#applied];
      if (changes.some(({ tree }) => tree === CATALOG_TREE)) {
        const root = yield* this.#privateSteps(applyToWorldSteps(this.pager, this.#root, changes, this.#edit));
        if (root === null) return;
        this.#root = root;
      } else if (changes.every((each) => each instanceof NewRows || changedRows(each) <= ROWS_A_STEP)) {
        void this.root;
        continue;
      } else {
        let root = this.#root;
        for (const each of changes) {
          if (each instanceof NewRows) {
            root = this.#privately(root, [each], this.#edit);
            continue;
          }
          const after = yield* this.#privateSteps(applyTableSteps(this.pager, root, each, this.#edit));
          if (after === null) return;
          root = after;
        }
        this.#root = root;
      }
      this.#applied++;
    }
  }

  /** See `#privately`; null if the root was changed in between, and has to be built on demand. */
  *#privateSteps(steps: Generator<void, Node>): Generator<void, Node | null> {
    const epoch = this.#epoch;
    for (;;) {
      const { dirtyBytes } = this.pager;
      const next = steps.next();
      this.#ownBytes += this.pager.dirtyBytes - dirtyBytes;
      this.pager.dirtyBytes = dirtyBytes;
      if (next.done === true) return next.value;
      yield;
      if (this.#epoch !== epoch) return null;
    }
  }

  /** Rows of own changes so far. */
  get rows(): number {
    return this.#rows;
  }

  /** The same including rows that new indexes are built over. */
  get work(): number {
    return this.#rows + this.#indexed;
  }
  #indexed = 0;

  /** The prepared commit; valid until own changes are added or rolled back. */
  ahead: Ahead | null = null;

  /** Base and root, for a commit of exactly the own changes. */
  built(): Built {
    const base = this.base;
    return { base, after: this.seal(), bytes: this.#ownBytes };
  }

  /** A directory in which the table (or the definitions) and its indexes are as in `root`. */
  directory(table: number): Node {
    if (this.#small?.changes(table) === true) return this.root;
    for (let i = this.#applied; i < this.#own.length; i++) {
      for (const { tree } of this.#own[i]) if (tree === table || tree === CATALOG_TREE) return this.root;
    }
    return this.#root;
  }

  /** The current state, for a statement that keeps reading after the transaction has changed. */
  view(): TransactionView {
    const root = this.#root;
    // A statement calls this several times.
    if (this.#view?.isOf(root) === true) return this.#view;
    const pending = this.#applied === this.#own.length ? NOTHING_PENDING : this.#own.slice(this.#applied);
    return (this.#view = new TransactionView(this, this.#epoch, root, pending, this.#small?.statements ?? NOTHING_PENDING));
  }
  #view: TransactionView | null = null;

  /** Whether a view made at this epoch and move shows the current state. */
  isAsIn(epoch: number, moves: number): boolean {
    return this.#epoch === epoch && this.moves === moves;
  }

  /** The state of a view that the transaction has left: `root` with the changes that were pending then. */
  viewed(root: Node, pending: readonly (readonly TreeChanges[])[]): Node {
    const edit = this.pager.newEdit();
    let made = root;
    for (const changes of pending) made = this.#privately(made, changes, edit);
    return made;
  }

  /** A row of a table with pending changes: see `TransactionView.row`. */
  pendingRow(table: number, key: Key, columns: readonly number[]): Leaf | null | undefined {
    if (this.#pendingIn(table) !== true || this.#small?.change(table, key) !== undefined) return undefined;
    const found = this.#appliedRow(table, key);
    let row = found?.leaf ?? null;
    let at = found?.index ?? 0;
    let own = false;
    for (let i = this.#applied; i < this.#own.length; i++) {
      for (const each of this.#own[i]) {
        if (each.tree !== table) continue;
        const change = changeIn(each, key);
        if (change === undefined) continue;
        if (change.after === null) row = null;
        else if (change.before === null || row === null) {
          row = new Leaf(each.numeric, this.#edit);
          row.upsert(key, change.shape, change.after);
        } else {
          if (!own) row = row.single(at, this.#edit, columns);
          updateColumns(row, change, columns);
        }
        at = 0;
        own = true;
      }
    }
    return row;
  }

  /** See `TransactionView.rowAt`. */
  rowAt(table: number, key: Key): RowAt | null | undefined {
    if (this.#pendingIn(table) === undefined || this.#small?.change(table, key) !== undefined) return undefined;
    for (let i = this.#applied; i < this.#own.length; i++) {
      for (const each of this.#own[i]) if (each.tree === table && changeIn(each, key) !== undefined) return undefined;
    }
    return this.#appliedRow(table, key);
  }

  /** Whether own changes of the table are pending; undefined: too many to search. */
  #pendingIn(table: number): boolean | undefined {
    let touched = this.#small?.changes(table) === true;
    for (let i = this.#applied; i < this.#own.length; i++) {
      for (const each of this.#own[i]) {
        if (each.tree === CATALOG_TREE || (each.tree === table && changedRows(each) > PENDING_ROWS_MAX)) return undefined;
        if (each.tree === table) touched = true;
      }
    }
    return touched;
  }

  #appliedRow(table: number, key: Key): RowAt | null {
    return rowIn(this.pager, childRoot(this.pager, this.#root, table), key);
  }

  /** The world's nodes are not changed in place any more, so `base` stays valid. */
  get held(): boolean {
    return this.#release !== null;
  }

  hold(release: () => void): void {
    this.#release = release;
  }

  /** The base is needed in later turns even between statements. */
  get keepsBase(): boolean {
    return !this.fresh || this.#rows > REAPPLIED_ROWS || this.#defines;
  }

  /** Readers of the current base need it after the transaction has left it, too. */
  pin(): void {
    if (this.#release !== null) this.#holds.push(this.#release);
    this.#release = null;
    this.#edit = this.pager.newEdit();
  }

  get dirty(): boolean {
    return this.#own.length > 0 || this.#small !== null;
  }

  get defines(): boolean {
    return this.#defines;
  }

  write(changes: readonly TreeChanges[]): void {
    if (changes.length === 0) return;
    this.moves++;
    this.ahead = null;
    if ((this.#small !== null || this.#own.length > this.#marked) && SmallWrites.takes(changes)) this.#writeSmall(changes);
    else {
      this.#combineSmall();
      this.#own.push(changes);
      this.memory.add(bytesOfChanges(changes));
    }
    this.memory.check();
    for (const each of changes) {
      const { tree } = each;
      this.#rows += changedRows(each);
      if (tree !== CATALOG_TREE) continue;
      this.#defines = true;
      for (const { after } of each.rows) this.#indexed += this.#toIndex(after);
    }
    // Each statement keeps a list of the pending changes.
    if (this.#own.length - this.#applied > PENDING_STATEMENTS_MAX) void this.root;
  }

  #writeSmall(changes: readonly TreeChanges[]): void {
    if (this.#small === null) this.#beginSmall();
    else if (this.#small.isFull) void this.root;
    if (this.#small?.add(changes) === true) return;
    void this.root;
    this.#small = new SmallWrites();
    this.#small.add(changes);
  }

  /** Combines the previous statement's writes with the following ones, if they are few and were not read. */
  #beginSmall(): void {
    const last = this.#own.length - 1;
    if (last < this.#applied || !SmallWrites.takes(this.#own[last])) return;
    this.#small = new SmallWrites();
    this.#small.add(this.#own.pop()!);
  }

  /** Rows that an index has to be built over. */
  #toIndex(definition: RowChange['after']): number {
    const object = definition === null ? null : catalogObject(definition[0] as string);
    return object?.what === 'index' ? (childRoot(this.pager, this.base, object.table)?.count ?? 0) : 0;
  }

  /** Moves to a newer state of the world, with own changes. 40001 if a table that was written is redefined. */
  refresh(world: World, catalog: Catalog): void {
    const before = this.source;
    if (this.dirty) {
      this.refuseRedefined(catalog);
      if (this.keepsBase && this.held) {
        const others = [...changesBetween(this.pager, before, world.root), ...treeDifference(this.pager, before, world.root, SEQUENCE_TREE)];
        const root = this.#privately(this.seal(), others, this.#edit);
        this.#moved(world, catalog);
        this.#root = root;
        this.#applied = this.#own.length;
        return;
      }
    }
    this.#combineSmall();
    this.#moved(world, catalog);
    this.#root = this.base;
    this.#applied = 0;
  }

  #moved(world: World, catalog: Catalog): void {
    this.world = world;
    this.source = world.root;
    this.seen = lastEventOf(world);
    this.base = this.#overlay(world.root);
    this.version = world.version;
    this.catalog = this.base === this.source ? catalog : readCatalog(this.pager, this.base);
    this.#release?.();
    this.#release = null;
    this.#epoch++;
    this.#edit = this.pager.newEdit();
  }

  /** 40001 if other sessions have changed definitions of tables that this transaction has written, or that its own definitions depend on. */
  refuseRedefined(catalog: Catalog): void {
    for (const changes of this.own) {
      if (this.isRedefined(changes, catalog))
        throw new SvcError('40001', 'could not serialize access due to concurrent update', { detail: 'A written table was redefined in the meantime.' });
    }
    if (!this.#defines) return;
    const was = this.base === this.source ? this.catalog : readCatalog(this.pager, this.source);
    if (was !== catalog) refuseConcurrentDefinitions(this.#typed, was, readCatalog(this.pager, this.root), catalog);
  }

  /** Whether a changed table has another definition in `catalog` than when the transaction began, or its domains have other constraints. */
  isRedefined(changes: readonly TreeChanges[], catalog: Catalog): boolean {
    if (catalog === this.catalog) return false;
    return changes.some(({ tree }) => {
      const was = this.catalog.byNumber.get(tree)?.relation ?? null;
      // Temporary tables belong to the session alone.
      if (was === null || isTemporarySchema(was.object.schema)) return false;
      return was !== catalog.byNumber.get(tree)?.relation || typeRules(this.catalog, tree, 'domains') !== typeRules(catalog, tree, 'domains');
    });
  }

  /** Starts from a state that another transaction reads; `release` lets go of it. */
  adopt({ root: source, version, catalog, seen }: Pick<ExportedSnapshot, 'root' | 'version' | 'catalog' | 'seen'>, release: () => void): void {
    this.seen = seen;
    this.source = source;
    this.base = this.#overlay(source);
    this.version = version;
    this.catalog = this.base === source ? catalog : readCatalog(this.pager, this.base);
    this.#release?.();
    this.#release = release;
    this.#root = this.base;
    this.#applied = 0;
    this.#epoch++;
    this.#edit = this.pager.newEdit();
    this.looked = true;
  }

  /** The current state, protected from in-place changes. */
  seal(): Node {
    const { root } = this;
    this.#edit = this.pager.newEdit();
    return root;
  }

  /** All own changes combined, one per row. */
  changes(): TreeChanges[] {
    const steps = this.changesSteps();
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
    }
  }

  /** The same in time slices; the base must be held. */
  *changesSteps(): Generator<void, TreeChanges[]> {
    if (this.ahead !== null && this.ahead.own === this.own.length) return [...this.ahead.changes];
    if (this.own.length === 1) return [...this.own[0]];
    const apart = this.#apart();
    if (apart !== null) return apart;
    const times = new Map<number, number>();
    for (const changes of this.own) for (const { tree } of changes) times.set(tree, (times.get(tree) ?? 0) + 1);
    if (times.has(CATALOG_TREE)) {
      const root = this.seal();
      return changesBetween(this.pager, this.base, root, true);
    }
    const out: TreeChanges[] = [];
    for (const changes of this.own) for (const each of changes) if (times.get(each.tree) === 1) out.push(each);
    for (const [tree, count] of times) if (count > 1) yield* this.#gathered(tree, out);
    return out.sort((a, b) => a.tree - b.tree);
  }

  /** The changes of a few statements that each wrote trees of their own; otherwise null. */
  #apart(): TreeChanges[] | null {
    const { own } = this;
    if (own.length > FEW_STATEMENTS) return null;
    const out: TreeChanges[] = [];
    for (let i = 0; i < own.length; i++) {
      if (own[i].length !== 1) return null;
      const [each] = own[i];
      if (each.tree === CATALOG_TREE) return null;
      // Sorted by tree.
      let at = i;
      for (; at > 0 && out[at - 1].tree >= each.tree; at--) if (out[at - 1].tree === each.tree) return null;
      out.splice(at, 0, each);
    }
    return out;
  }

  /** The combined changes of a tree that several statements wrote. */
  *#gathered(tree: number, out: TreeChanges[]): Generator<void, void> {
    const edit = (): number => this.pager.newEdit();
    const each = this.own.flatMap((changes) => changes.filter((each) => each.tree === tree));
    const parts = each.some((part) => part instanceof NewRows || part instanceof ColumnChanges) ? each.map((part) => inColumns(part, edit) ?? part) : each;
    const joined = joinedChanges(parts);
    if (joined !== null) {
      out.push(joined);
      return;
    }
    const keys = new Set<Key>();
    let numeric = false;
    let listed = 0;
    let ascending = true;
    let last: Key | null = null;
    for (const changes of this.own) {
      for (const each of changes) {
        if (each.tree !== tree) continue;
        ({ numeric } = each);
        eachChangedKey(each, (key) => {
          ascending &&= last === null || key > last;
          last = key;
          keys.add(key);
        });
      }
      if (keys.size - listed > KEYS_A_STEP) {
        listed = keys.size;
        yield;
      }
    }
    const from = childRoot(this.pager, this.base, tree);
    const to = childRoot(this.pager, this.root, tree);
    const shapes = new ShapeTable();
    const rows: RowChange[] = [];
    let looked = 0;
    for (const key of ascending ? keys : [...keys].sort((a, b) => (a < b ? -1 : 1))) {
      if (++looked % KEYS_A_STEP === 0) yield;
      const a = rowIn(this.pager, from, key);
      const b = rowIn(this.pager, to, key);
      if (a === null && b === null) continue;
      const change = rowChange(key, a, b, shapes);
      if (change.shape.ids.length > 0 || a === null || b === null) rows.push(change);
    }
    if (rows.length > 0) out.push({ tree, numeric, rows });
  }

  // --- rollback

  /** Incremented with each own change and each rollback. */
  moves = 0;

  mark(): TransactionMark {
    this.#setMark();
    // Later changes go into nodes of their own.
    this.#edit = this.pager.newEdit();
    return {
      own: this.#own.length,
      rows: this.#rows,
      bytes: this.memory.bytes,
      waiting: this.waiting,
      roleRows: this.roleRows,
      sequences: this.sequences,
      descriptors: this.descriptors,
      applied: { base: this.base, version: this.version, root: this.#root, count: this.#applied },
    };
  }

  /** Earlier writes are not combined with later ones. */
  #setMark(): void {
    this.#combineSmall();
    this.#marked = this.#own.length;
  }

  /** The same for a statement that rarely rolls back: nothing is kept for it, and rolling back rebuilds the state. */
  lightMark(): TransactionMark {
    this.#setMark();
    const { waiting, roleRows, sequences, descriptors } = this;
    return { own: this.#own.length, rows: this.#rows, bytes: this.memory.bytes, waiting, roleRows, sequences, descriptors, applied: null };
  }

  backTo({ own, rows, bytes, waiting, roleRows, sequences, descriptors, applied }: TransactionMark): void {
    this.roleRows = roleRows;
    this.sequences = sequences;
    this.descriptors = this.descriptors.backTo(descriptors);
    if (this.#own.length === own && this.#small === null && this.waiting === waiting) return;
    this.moves++;
    this.#small = null;
    this.#own.length = own;
    this.#marked = own;
    this.ahead = null;
    this.#rows = rows;
    this.memory.backTo(bytes);
    this.#defines = this.#own.some((changes) => changes.some(({ tree }) => tree === CATALOG_TREE));
    this.waiting = waiting;
    const same = applied !== null && applied.base === this.base && applied.version === this.version;
    this.#root = same ? applied.root : this.base;
    this.#applied = same ? applied.count : 0;
    this.#epoch++;
    this.#edit = this.pager.newEdit();
  }

  savepoint(name: string, locks: number, notifications: number, listens: number, settings: SettingsMark): void {
    this.savepoints.push({ name, ...this.mark(), locks, notifications, listens, settings });
  }

  /** How often subtransactions at this depth of savepoints were rolled back: a portal ends with its own. */
  rollbacksAt(depth: number): number {
    return this.#rollbacks[depth] ?? 0;
  }
  readonly #rollbacks: number[] = [];

  /** Index of the newest savepoint of the name, or -1. */
  find(name: string): number {
    return this.savepoints.findLastIndex((each) => each.name === name);
  }

  rollbackTo(index: number): Savepoint {
    const savepoint = this.savepoints[index];
    for (let depth = this.savepoints.length; depth > index; depth--) this.#rollbacks[depth] = this.rollbacksAt(depth) + 1;
    this.savepoints.length = index + 1;
    this.backTo(savepoint);
    this.failed = false;
    return savepoint;
  }

  ended(): void {
    this.memory.release();
    this.#release?.();
    this.#release = null;
    // Clearing an empty list takes longer than the test.
    if (this.#holds.length === 0) return;
    for (const release of this.#holds) release();
    this.#holds.length = 0;
  }
}
