/**
 * What a session reads and has not committed yet: a state of its world and the changes of its own statements over it.
 * Nothing is seen outside before `commit` puts the changes into one event.
 *
 *   base ──own changes, applied when somebody looks at their tables──► root
 *
 * Under READ COMMITTED each statement begins over the world as it then is (`refresh`): the transaction's locks keep
 * others from what it has changed, so its changes mean the same over any later state. A few changes are applied anew,
 * and only where a statement looks at their tables; where there are many, the changes of others are applied to the
 * transaction's own trees instead. Under the other levels the base stays.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { CATALOG_TREE, SEQUENCE_TREE, type TreeChanges } from '../../events/changes.ts';
import { changedRows, eachChangedKey } from '../../events/changed-rows.ts';
import { ColumnChanges } from '../../events/column-changes.ts';
import { inColumns, joinedChanges } from '../../events/in-columns.ts';
import { NewRows } from '../../events/new-rows.ts';
import type { Built } from '../../events/event.ts';
import type { RoleRow } from '../../identity/roles.ts';
import type { Encoded } from '../../projection/encoded.ts';
import type { Key, RowChange, Shape } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import { Leaf, type Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { applyTableSteps, applyToWorld, applyToWorldSteps } from '../../worlds/apply.ts';
import { type Catalog, readCatalog } from '../../worlds/catalog.ts';
import { catalogObject, isTemporarySchema } from '../../worlds/definition.ts';
import type { ReadSet } from '../../worlds/read-set.ts';
import { type RowAt, rowChange, rowIn, ShapeTable } from '../../tree/row-change.ts';
import { changesBetween, treeDifference } from '../../worlds/changes-between.ts';
import { typeRules } from '../../worlds/type-rules.ts';
import type { World } from '../../worlds/world.ts';
import type { SequenceStates } from '../schema/sequence-values.ts';
import { refuseDefinedApart } from './definitions-beside.ts';
import { NOTHING_WAITS, type Waiting } from './deferred-constraints.ts';
import { type Descriptors, NONE_OPEN } from './large-object-descriptors.ts';
import { SmallWrites } from './small-writes.ts';
import { bytesOfChanges, TransactionMemory } from './transaction-memory.ts';
import type { SettingsMark } from './settings.ts';

/** So many own rows are applied anew rather than kept in trees of their own, which costs the world's writers copies. */
const REAPPLIED_ROWS = 64;

/** Among more own changes of a statement a row is not looked for. */
const PENDING_ROWS_MAX = 16;

/** Changes of so many statements wait to be applied; functions make thousands of them in one. */
const PENDING_STATEMENTS_MAX = 64;
/** So many statements are put in order one by one. */
const FEW_STATEMENTS = 16;

/** So many rows of a statement are applied in one turn of the event loop. */
const ROWS_A_STEP = 4096;
/** So many keys are looked up without asking for the time. */
const KEYS_A_STEP = 256;

/** What a large commit needs, made before it. */
export interface Ahead {
  /** So many of `own` it stands for. */
  readonly own: number;
  readonly changes: readonly TreeChanges[];
  readonly encoded: Encoded;
  readonly built: Built | null;
}

/** How far own changes were applied to which state. */
interface Applied {
  readonly base: Node;
  readonly version: number;
  readonly root: Node;
  readonly count: number;
}

export interface TransactionMark {
  readonly own: number;
  readonly rows: number;
  /** That its changes take. */
  readonly bytes: number;
  readonly waiting: Waiting;
  readonly roleRows: ReadonlyMap<string, RoleRow | null>;
  readonly sequences: SequenceStates;
  readonly descriptors: Descriptors;
  /** null: going back builds the state anew. */
  readonly applied: Applied | null;
}

const NOTHING_PENDING: readonly (readonly TreeChanges[])[] = [];

/** What a statement sees of its transaction: the state in which it began, whatever the transaction does meanwhile. */
export class TransactionView {
  readonly #transaction: Transaction;
  readonly #epoch: number;
  readonly #root: Node;
  readonly #moves: number;
  readonly #pending: readonly (readonly TreeChanges[])[];
  /** Small statements, of which the first few were there already. */
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

  /** Whether it is of what is there now, where that is applied to `root`. */
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
   * One row where own changes of its table are not applied yet, as a leaf that has these columns of it: a row that is looked up is not
   * worth copies of the pages above it. null: no such row; undefined: look into the directory.
   */
  row(table: number, key: Key, columns: readonly number[]): Leaf | null | undefined {
    return this.#isNow ? this.#transaction.pendingRow(table, key, columns) : undefined;
  }

  /** Where a row lies that no change waits for; valid until the transaction is written again. undefined: look into the directory. */
  rowAt(table: number, key: Key): RowAt | null | undefined {
    return this.#isNow ? this.#transaction.rowAt(table, key) : undefined;
  }
}

/** Changes those columns of the leaf's only row that are asked for. */
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
  /** Locks taken, notifications and listens asked for before it. */
  readonly locks: number;
  readonly notifications: number;
  readonly listens: number;
  readonly settings: SettingsMark;
}

const NO_ROLES: ReadonlyMap<string, RoleRow | null> = new Map();
const NO_SEQUENCES: SequenceStates = new Map();

export class Transaction {
  readonly pager: Pager;
  /** null where a past moment is read: nothing can be written. */
  world: World | null;
  /** The world's state that statements see, without the transaction's own changes. */
  source: Node;
  /** The same with the session's temporary tables. */
  base: Node;
  version: number;
  /** Definitions of `base`. */
  catalog: Catalog;
  /** BEGIN was said; otherwise it ends with the statement list. */
  explicit: boolean;
  /** What functions call it by; null before one asks. */
  number: number | null = null;
  /** Each statement sees what was committed before it. */
  fresh = true;
  /** What a serializable transaction has read. */
  reads: ReadSet | null = null;
  readOnly = false;
  failed = false;
  /** Set once the base is kept for readers of later turns. */
  #release: (() => void) | null = null;
  /** Holds of states that something of the transaction still reads. */
  readonly #holds: (() => void)[] = [];
  /** Changes of the statements that wrote, in order, but for the last small ones. */
  readonly #own: (readonly TreeChanges[])[] = [];
  /** Those of small statements behind them, since the last mark. */
  #small: SmallWrites | null = null;
  /** So many of `#own` may be what is gone back to: what follows may be put together. */
  #marked = 0;
  #rows = 0;
  #defines = false;
  #root: Node;
  /** How many of `#own` are in `#root`. */
  #applied = 0;
  /** Rises whenever `#root` stands for something else. */
  #epoch = 0;
  #edit: number;
  /** A statement looked at rows: isolation and access can no longer be chosen. */
  looked = false;
  waiting: Waiting = NOTHING_WAITS;
  /** Labels that it has added to enums, by their oids: no value may be made of one before it is committed. */
  readonly newLabels = new Map<number, Set<string>>();
  /** Roles and memberships that it has changed (null: gone); another map with each change. */
  roleRows: ReadonlyMap<string, RoleRow | null> = NO_ROLES;
  /** Those that its definitions make, drop or restart. */
  sequences: SequenceStates = NO_SEQUENCES;
  /** Large objects that it has open. */
  descriptors: Descriptors = NONE_OPEN;
  readonly savepoints: Savepoint[] = [];
  /** What it holds of its own changes. */
  readonly memory = new TransactionMemory();
  /** Before its first statement. */
  readonly start: TransactionMark;

  readonly #overlay: (root: Node) => Node;

  /** `overlay` lays the session's temporary tables over a state of the world. */
  constructor(pager: Pager, world: World | null, source: Node, catalog: Catalog, explicit: boolean, overlay: (root: Node) => Node = (root) => root) {
    this.pager = pager;
    this.world = world;
    const base = overlay(source);
    this.#overlay = overlay;
    this.source = source;
    this.base = base;
    this.version = world?.version ?? 0;
    this.catalog = base === source ? catalog : readCatalog(pager, base);
    this.explicit = explicit;
    this.#root = base;
    this.#edit = pager.newEdit();
    const applied = { base, version: this.version, root: base, count: 0 };
    this.start = { own: 0, rows: 0, bytes: 0, waiting: NOTHING_WAITS, roleRows: NO_ROLES, sequences: NO_SEQUENCES, descriptors: NONE_OPEN, applied };
  }

  /** Changes of the statements that wrote, in order; those of small statements are put together. */
  get own(): readonly (readonly TreeChanges[])[] {
    this.#settle();
    return this.#own;
  }

  /** Small statements become one. */
  #settle(): void {
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
    this.#settle();
    for (; this.#applied < this.#own.length; this.#applied++) this.#root = this.#privately(this.#root, this.#own[this.#applied], this.#edit);
    return this.#root;
  }

  /** Nodes that only the transaction has are no work for a checkpoint before they are the world's. */
  #privately(root: Node, changes: readonly TreeChanges[], edit: number): Node {
    const { dirtyBytes } = this.pager;
    const after = applyToWorld(this.pager, root, changes, edit);
    this.#ownBytes += this.pager.dirtyBytes - dirtyBytes;
    this.pager.dirtyBytes = dirtyBytes;
    return after;
  }
  #ownBytes = 0;

  /** Brings `root` up to date some rows at a time, so that others can be let in; the base must be held. */
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

  /** See `#privately`; null where somebody came in between: whoever asks for the root makes it. */
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

  /** The same with rows that new indexes are built over. */
  get work(): number {
    return this.#rows + this.#indexed;
  }
  #indexed = 0;

  /** What was made of the own changes before the commit; counts as long as none are added or taken back. */
  ahead: Ahead | null = null;

  /** Base and root as they are, for whoever commits exactly the own changes. */
  built(): Built {
    const base = this.base;
    return { base, after: this.seal(), bytes: this.#ownBytes };
  }

  /** A directory in which the table (or the definitions) and its indexes are as `root` has them. */
  directory(table: number): Node {
    if (this.#small?.changes(table) === true) return this.root;
    for (let i = this.#applied; i < this.#own.length; i++) {
      for (const { tree } of this.#own[i]) if (tree === table || tree === CATALOG_TREE) return this.root;
    }
    return this.#root;
  }

  /** What `directory` gives now, for a statement that reads on after the transaction has moved. */
  view(): TransactionView {
    const root = this.#root;
    // A statement asks several times.
    if (this.#view?.isOf(root) === true) return this.#view;
    const pending = this.#applied === this.#own.length ? NOTHING_PENDING : this.#own.slice(this.#applied);
    return (this.#view = new TransactionView(this, this.#epoch, root, pending, this.#small?.statements ?? NOTHING_PENDING));
  }
  #view: TransactionView | null = null;

  /** Whether a view that was made at this epoch and after so many moves is of what is there now. */
  isAsIn(epoch: number, moves: number): boolean {
    return this.#epoch === epoch && this.moves === moves;
  }

  /** The state of a view that the transaction has left: `root` with what was pending then. */
  viewed(root: Node, pending: readonly (readonly TreeChanges[])[]): Node {
    const edit = this.pager.newEdit();
    let made = root;
    for (const changes of pending) made = this.#privately(made, changes, edit);
    return made;
  }

  /** Of a row whose table has own changes that are not applied yet: see `TransactionView.row`. */
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

  /** Whether own changes of the table are not applied yet; undefined: too many to look for a row among them. */
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

  /** The world's nodes are not changed in place any more, so that `base` stays as it is. */
  get held(): boolean {
    return this.#release !== null;
  }

  hold(release: () => void): void {
    this.#release = release;
  }

  /** The base must be there in later turns even where no statement is under way. */
  get keepsBase(): boolean {
    return !this.fresh || this.#rows > REAPPLIED_ROWS || this.#defines;
  }

  /** What reads the base now reads it after it was left, too. */
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
      this.#settle();
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
    // Each statement that begins keeps a list of what is not applied yet.
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

  /** What the statement before has written goes with those that follow, where it is small and nobody has looked for it. */
  #beginSmall(): void {
    const last = this.#own.length - 1;
    if (last < this.#applied || !SmallWrites.takes(this.#own[last])) return;
    this.#small = new SmallWrites();
    this.#small.add(this.#own.pop()!);
  }

  /** Rows that a definition has to be built over. */
  #toIndex(definition: RowChange['after']): number {
    const object = definition === null ? null : catalogObject(definition[0] as string);
    return object?.what === 'index' ? (childRoot(this.pager, this.base, object.table)?.count ?? 0) : 0;
  }

  /** Moves to a newer state of the world, own changes and all. 40001 where a table that was written is defined anew. */
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
    this.#settle();
    this.#moved(world, catalog);
    this.#root = this.base;
    this.#applied = 0;
  }

  #moved(world: World, catalog: Catalog): void {
    this.world = world;
    this.source = world.root;
    this.base = this.#overlay(world.root);
    this.version = world.version;
    this.catalog = this.base === this.source ? catalog : readCatalog(this.pager, this.base);
    this.#release?.();
    this.#release = null;
    this.#epoch++;
    this.#edit = this.pager.newEdit();
  }

  /** 40001 where others have changed definitions of tables that this transaction has written, or what its own definitions need. */
  refuseRedefined(catalog: Catalog): void {
    for (const changes of this.own) {
      if (this.isRedefined(changes, catalog))
        throw new SvcError('40001', 'could not serialize access due to concurrent update', { detail: 'A table that was written has been defined anew.' });
    }
    if (!this.#defines) return;
    const was = this.base === this.source ? this.catalog : readCatalog(this.pager, this.source);
    if (was !== catalog) refuseDefinedApart(was, readCatalog(this.pager, this.root), catalog);
  }

  /** Whether a table that is changed is defined otherwise in `catalog` than where the transaction began, or its domains ask something else. */
  isRedefined(changes: readonly TreeChanges[], catalog: Catalog): boolean {
    if (catalog === this.catalog) return false;
    return changes.some(({ tree }) => {
      const was = this.catalog.byNumber.get(tree)?.relation ?? null;
      // A temporary table is nobody else's.
      if (was === null || isTemporarySchema(was.object.schema)) return false;
      return was !== catalog.byNumber.get(tree)?.relation || typeRules(this.catalog, tree, 'domains') !== typeRules(catalog, tree, 'domains');
    });
  }

  /** Begins over a state that another transaction reads; `release` lets it go. */
  adopt(source: Node, version: number, catalog: Catalog, release: () => void): void {
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

  /** The state as it is now, not changed in place by later writes. */
  seal(): Node {
    const { root } = this;
    this.#edit = this.pager.newEdit();
    return root;
  }

  /** All own changes as one, a change a row. */
  changes(): TreeChanges[] {
    const steps = this.changesSteps();
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
    }
  }

  /** The same some rows at a time, so that others can be let in; the base must be held. */
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

  /** The changes of a few statements, each of which wrote one tree that no other wrote; else null. */
  #apart(): TreeChanges[] | null {
    const { own } = this;
    if (own.length > FEW_STATEMENTS) return null;
    const out: TreeChanges[] = [];
    for (let i = 0; i < own.length; i++) {
      if (own[i].length !== 1) return null;
      const [each] = own[i];
      if (each.tree === CATALOG_TREE) return null;
      // In the order of trees.
      let at = i;
      for (; at > 0 && out[at - 1].tree >= each.tree; at--) if (out[at - 1].tree === each.tree) return null;
      out.splice(at, 0, each);
    }
    return out;
  }

  /** Changes of a tree that several statements wrote: what they come to. */
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

  // --- going back

  /** Rises with each change of its own, and where some are taken back. */
  moves = 0;

  mark(): TransactionMark {
    this.#setMark();
    // What is applied from here on goes into nodes of its own.
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

  /** What was written so far stays apart from what follows. */
  #setMark(): void {
    this.#settle();
    this.#marked = this.#own.length;
  }

  /** The same for a statement that mostly does not go back: nothing is kept for it, and going back builds the state anew. */
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

  /** Index of the newest savepoint of the name, or -1. */
  find(name: string): number {
    return this.savepoints.findLastIndex((each) => each.name === name);
  }

  rollbackTo(index: number): Savepoint {
    const savepoint = this.savepoints[index];
    this.savepoints.length = index + 1;
    this.backTo(savepoint);
    this.failed = false;
    return savepoint;
  }

  ended(): void {
    this.memory.release();
    this.#release?.();
    this.#release = null;
    // Emptying what is empty takes longer than asking.
    if (this.#holds.length === 0) return;
    for (const release of this.#holds) release();
    this.#holds.length = 0;
  }
}
