/**
 * The locks of one session: those that its statements' changes need, rows of FOR UPDATE, advisory locks, and waiting.
 *
 *   changes ──claim──► no other locks exist: noted, and locked only if the turn ends before the commit
 *                  └─► locked, row by row ──► held by another: LockWait, and the statement is retried
 *                                         └─► changed since the statement's snapshot: retried (READ COMMITTED) or 40001
 *
 * A statement that finishes and commits in one turn of the event loop therefore takes no locks at all.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import { changedRows } from '../../events/changed-rows.ts';
import { ADVISORY_LOCK, ROW_LOCK, TABLE_LOCK } from '../../locks/lock-mode.ts';
import { LockOwner } from '../../locks/lock-owner.ts';
import type { LockSpace } from '../../locks/lock-table.ts';
import { LockWait, RetryStatement } from '../../locks/lock-wait.ts';
import type { Key } from '../../tree/datum.ts';
import { sameRow } from '../../tree/diff.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import { applyToWorld } from '../../worlds/apply.ts';
import { type Catalog, catalogAfter, readCatalog } from '../../worlds/catalog.ts';
import { eachLock, keyCells } from '../../worlds/change-locks.ts';
import { catalogObject } from '../../worlds/definition.ts';
import { rowIn } from '../../tree/row-change.ts';
import type { RowToLock } from '../../worlds/typed-tables.ts';
import type { LockStrength, LockWaiting } from '../plan/logical.ts';
import { recheck } from '../schema/statement-writes.ts';
import type { SqlTable } from '../schema/table.ts';
import { FileTransfer } from './large-object-files.ts';
import { durationMs } from './settings.ts';
import { LogRead, untilRead } from './row-transactions.ts';
import { Sleep } from './sleeps.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

interface Claim {
  readonly changes: readonly TreeChanges[];
  readonly shares: readonly RowToLock[];
}

interface Advisory {
  readonly world: number;
  readonly key: Key;
  readonly mode: number;
}

/** A statement that changes more rows than this locks the table instead: a million row locks would take some 200 MB. */
const TABLE_LOCK_ROWS = 50_000;
/**
 * The same for a statement that is a transaction of its own: its locks are released as soon as it is done, and a row lock costs more
 * than changing the row.
 */
const TABLE_LOCK_ROWS_ALONE = 1000;

/** Asks whether other transactions hold a lock on the row. */
export type Contended = (tree: number, key: Key, mode: number) => void;

export class SessionLocks {
  readonly owner: LockOwner;
  readonly #session: SqlSession;
  /** Changes that conflicted with nothing when they were made, at this stamp of the locks and this version of the world. */
  #noted: Claim[] = [];
  #stamp = 0;
  #version = 0;
  /** Advisory locks that the statement has taken for the session, and those that it had when it was stopped for a retry. */
  #taken: Advisory[] = [];
  #carried: Advisory[] = [];

  constructor(session: SqlSession) {
    this.#session = session;
    this.owner = new LockOwner(() => session.system.backendPid);
  }

  get #table(): SqlSession['host']['context']['locks'] {
    return this.#session.host.context.locks;
  }

  /** 40001 if a writer without locks has changed what the transaction had locked, or the state was rolled back. */
  throwIfDoomed(): void {
    const { doomed } = this.owner;
    if (doomed !== null) throw doomed;
  }

  // --- what a statement has changed

  /** Locks what the changes need. LockWait, RetryStatement, 40001; for given rows (COPY) 23505 instead of a retry. */
  claim(transaction: Transaction, changes: readonly TreeChanges[], shares: readonly RowToLock[], again = true): void {
    if (changes.length === 0 && shares.length === 0) return;
    const table = this.#table;
    const world = transaction.world!;
    const moved = world.version !== transaction.version;
    if (table.count === 0 && !transaction.explicit && !moved && this.#session.prompt) {
      this.#noted.push({ changes, shares });
      this.#stamp = table.stamp;
      this.#version = world.version;
      return;
    }
    this.#lock(transaction, changes, shares);
    if (moved) this.#compare(transaction, changes, shares, again);
  }

  /** Before the turn ends: locks the noted changes. */
  secure(transaction: Transaction): void {
    if (this.#noted.length === 0) return;
    const noted = this.#noted;
    this.#noted = [];
    try {
      for (const { changes, shares } of noted) this.#lock(transaction, changes, shares);
    } catch (error) {
      // Other transactions came in between, and rows already sent to the client cannot be revoked.
      if (error instanceof RetryStatement) throw serialization('concurrent update');
      throw error;
    }
  }

  /** Before the commit. */
  confirm(transaction: Transaction): void {
    if (this.#noted.length === 0) return;
    if (this.#stamp === this.#table.stamp && this.#version === transaction.world!.version) {
      this.#noted = [];
      return;
    }
    const noted = this.#noted;
    this.secure(transaction);
    for (const { changes, shares } of noted) {
      try {
        this.#compare(transaction, changes, shares, true);
      } catch (error) {
        if (error instanceof RetryStatement) throw serialization('concurrent update');
        throw error;
      }
    }
  }

  #lock(transaction: Transaction, changes: readonly TreeChanges[], shares: readonly RowToLock[]): void {
    const { owner } = this;
    const table = this.#table;
    const { number } = transaction.world!;
    const { pager } = transaction;
    const catalog = transaction.defines ? readCatalog(pager, transaction.directory(CATALOG_TREE)) : transaction.catalog;
    const tables = table.tables(number);
    const most = transaction.explicit || this.#session.functionDepth > 0 ? TABLE_LOCK_ROWS : TABLE_LOCK_ROWS_ALONE;
    let single: TreeChanges[] | null = null;
    for (const each of changes) {
      const { tree } = each;
      if (tree === CATALOG_TREE) this.#lockDefinitions(catalog, changes, tables);
      else this.#take(tables, tree, TABLE_LOCK.rowExclusive);
      // With the whole table locked, row locks are not needed; for very many rows the table lock is tried, and taken if free.
      if (this.#hasAlone(tables, tree) || (changedRows(each) > most && table.take(owner, tables, tree, TABLE_LOCK.exclusive) === null)) {
        single ??= [...changes];
        single.splice(single.indexOf(each), 1);
      }
    }
    let space: LockSpace | null = null;
    let waits: LockWait | null = null;
    eachLock(
      pager,
      catalog,
      (tree) => transaction.directory(tree),
      single ?? changes,
      (tree, key, mode) => {
        if (space === null || space.tree !== tree) space = table.rows(number, tree);
        if (table.take(owner, space, key, mode) === null) return true;
        waits = new LockWait(space, key, mode);
        return false;
      },
    );
    if (waits !== null) throw waits as LockWait;
    for (const { table: tree, key, mode } of shares) {
      this.#take(tables, tree, mode === ROW_LOCK.keyShare ? TABLE_LOCK.rowShare : TABLE_LOCK.rowExclusive);
      this.#take(table.rows(number, tree), key, mode);
    }
  }

  #hasAlone(tables: LockSpace, tree: number): boolean {
    const lock = tables.locks.get(tree);
    const at = lock === undefined ? -1 : lock.owners.indexOf(this.owner);
    return at >= 0 && (lock!.modes[at] & (TABLE_LOCK.exclusive | TABLE_LOCK.accessExclusive)) !== 0;
  }

  #take(space: LockSpace, key: Key, mode: number): void {
    if (this.#table.take(this.owner, space, key, mode) !== null) throw new LockWait(space, key, mode);
  }

  /** DDL on a table waits for its writers and they for it; a new foreign key waits for writers of the referenced table. */
  #lockDefinitions(catalog: Catalog, changes: readonly TreeChanges[], tables: LockSpace): void {
    const { rows } = changes.find(({ tree }) => tree === CATALOG_TREE)!;
    const after = catalogAfter(catalog, rows);
    for (const { before, after: now } of rows) {
      for (const side of [before, now]) {
        if (side === null || typeof side[0] !== 'string') continue;
        const object = catalogObject(side[0]);
        if (object.what === 'statistics') continue;
        if (object.what === 'foreign key' && object.target !== object.table) this.#take(tables, object.target, TABLE_LOCK.shareRowExclusive);
        const number = 'table' in object ? object.table : object.what === 'relation' ? object.number : 0;
        if (number !== 0 && catalog.byNumber.get(number)?.relation !== after.byNumber.get(number)?.relation)
          this.#take(tables, number, TABLE_LOCK.accessExclusive);
      }
    }
  }

  // --- comparing with the world after the statement's snapshot

  #compare(transaction: Transaction, changes: readonly TreeChanges[], shares: readonly RowToLock[], again: boolean): void {
    const { pager, base } = transaction;
    const root = this.#now(transaction);
    const mayRetry = transaction.fresh && again;
    // The statement ran under definitions that have changed since.
    if (mayRetry && transaction.isRedefined(changes, this.#session.host.context.catalog(transaction.world!))) throw new RetryStatement();
    let related = false;
    const schema = this.#session.schema();
    for (const each of changes) {
      const { tree } = each;
      const from = childRoot(pager, base, tree);
      const to = childRoot(pager, root, tree);
      if (sameTree(from, to)) continue;
      const table = schema.tableNumbered(tree);
      if (table !== undefined && (table.foreignKeys.length > 0 || table.indexes.some(({ unique }) => unique) || schema.referencing(tree).length > 0))
        related = true;
      for (const { key, before } of each.rows) {
        const now = rowIn(pager, to, key);
        if (this.#unchanged(from, now, key)) continue;
        if (mayRetry) throw new RetryStatement();
        // A duplicate key conflicts under any isolation level.
        if (before === null && now !== null && tree !== CATALOG_TREE) related = true;
        else throw serialization(now === null ? 'concurrent delete' : 'concurrent update');
      }
    }
    for (const { table, key, mode } of shares) {
      const from = childRoot(pager, base, table);
      const now = rowIn(pager, childRoot(pager, root, table), key);
      if (mode === ROW_LOCK.keyShare ? now !== null || rowIn(pager, from, key) === null : this.#unchanged(from, now, key)) continue;
      if (mayRetry) throw new RetryStatement();
      throw serialization('concurrent update');
    }
    if (schema.tables.size > 0 && !related)
      related = changes.some(({ tree }) => schema.referencing(tree).length > 0 || (schema.tableNumbered(tree)?.foreignKeys.length ?? 0) > 0);
    if (!related) return;
    try {
      recheck({ ...this.#session.partsOf(transaction), root: this.merged(transaction), state: undefined }, changes);
    } catch (error) {
      if (mayRetry && error instanceof SvcError) throw new RetryStatement();
      throw error;
    }
  }

  #unchanged(from: Node | null, now: ReturnType<typeof rowIn>, key: Key): boolean {
    const was = rowIn(this.#session.host.context.engine.pager, from, key);
    if (was === null || now === null) return was === now;
    return was.leaf === now.leaf || sameRow(was.leaf, was.index, now.leaf, now.index);
  }

  /** Whether the row still exists, with the same values in columns that foreign keys may reference. */
  #sameKeys({ pager, catalog }: Transaction, table: number, from: Node | null, now: ReturnType<typeof rowIn>, key: Key): boolean {
    const was = rowIn(pager, from, key);
    if (was === null || now === null) return was === now;
    for (const cell of keyCells(catalog, table)) if (was.leaf.cell(was.index, cell) !== now.leaf.cell(now.index, cell)) return false;
    return true;
  }

  /** The world's current state, with the session's temporary tables. */
  #now({ pager, world }: Transaction): Node {
    return this.#session.temporary.overlay(pager, world!.root);
  }

  /** The world's current state with the changes of the transaction's earlier statements. */
  merged(transaction: Transaction): Node {
    const { pager, own } = transaction;
    const edit = pager.newEdit();
    let root = this.#now(transaction);
    for (const changes of own) root = applyToWorld(pager, root, changes, edit);
    return root;
  }

  // --- during a statement

  /** Locks a row for SELECT … FOR UPDATE. */
  lockRow(transaction: Transaction, { number, name }: SqlTable, key: Key, strength: LockStrength, wait: LockWaiting): boolean {
    const world = transaction.world!;
    const table = this.#table;
    const tables = table.tables(world.number);
    if (table.take(this.owner, tables, number, TABLE_LOCK.rowShare) !== null) {
      if (wait !== 'block') throw notAvailable(`could not obtain lock on relation "${name}"`);
      throw new LockWait(tables, number, TABLE_LOCK.rowShare);
    }
    const space = table.rows(world.number, number);
    const mode = ROW_LOCK[strength];
    if (table.take(this.owner, space, key, mode) !== null) {
      if (wait === 'skip') return false;
      if (wait === 'error') throw notAvailable(`could not obtain lock on row in relation "${name}"`);
      throw new LockWait(space, key, mode);
    }
    if (world.version !== transaction.version) {
      const { pager } = transaction;
      const from = childRoot(pager, transaction.base, number);
      const to = childRoot(pager, this.#now(transaction), number);
      if (!sameTree(from, to)) {
        const now = rowIn(pager, to, key);
        if (strength === 'keyShare' ? !this.#sameKeys(transaction, number, from, now, key) : !this.#unchanged(from, now, key)) {
          if (transaction.fresh) throw new RetryStatement();
          throw serialization(now === null ? 'concurrent delete' : 'concurrent update');
        }
      }
    }
    return true;
  }

  /** Asked by row writers before they raise an error: whether another transaction may still change the conflicting row. */
  readonly contended: Contended = (tree, key, mode) => {
    const table = this.#table;
    if (table.count === 0) return;
    const world = this.#session.begin().world!.number;
    const space = table.rows(world, tree);
    if (table.blocked(this.owner, space, key, mode) !== null) throw new LockWait(space, key, mode);
    const tables = table.tables(world);
    if (table.blocked(this.owner, tables, tree, TABLE_LOCK.rowExclusive) !== null) throw new LockWait(tables, tree, TABLE_LOCK.rowExclusive);
  };

  /** Asked by a writer before it changes a row: a waiter for a row holds the table's lock, like all writers. */
  readonly comingTo: Contended = (tree, key, mode) => {
    const table = this.#table;
    if (table.count === 0) return;
    const world = this.#session.begin().world!.number;
    const space = table.rows(world, tree);
    if (table.blocked(this.owner, space, key, mode) === null) return;
    this.#take(table.tables(world), tree, TABLE_LOCK.rowExclusive);
    throw new LockWait(space, key, mode);
  };

  lockTable(transaction: Transaction, { number, name }: SqlTable, mode: number, nowait: boolean): void {
    const tables = this.#table.tables(transaction.world!.number);
    if (this.#table.take(this.owner, tables, number, mode) === null) return;
    if (nowait) throw notAvailable(`could not obtain lock on relation "${name}"`);
    throw new LockWait(tables, number, mode);
  }

  /** Readers wait for transactions that have locked the table against readers. */
  reading(transaction: Transaction, tables: Iterable<SqlTable>): void {
    if (this.#table.count === 0 || transaction.world === null) return;
    const space = this.#table.tables(transaction.world.number);
    if (space.locks.size === 0) return;
    for (const { number } of tables) {
      if (this.#table.blocked(this.owner, space, number, TABLE_LOCK.accessShare) !== null) throw new LockWait(space, number, TABLE_LOCK.accessShare);
    }
  }

  // --- advisory locks

  /** False if another session holds it and `wait` is false. */
  takeAdvisory(key: Key, shared: boolean, forTransaction: boolean, wait: boolean): boolean {
    const table = this.#table;
    const world = this.#session.begin().world?.number ?? 0;
    const space = table.advisory(world);
    const mode = shared ? ADVISORY_LOCK.share : ADVISORY_LOCK.exclusive;
    if (!forTransaction) {
      // A retried statement takes the locks that it had before.
      const carried = this.#carried.findIndex((each) => each.world === world && each.key === key && each.mode === mode);
      if (carried >= 0) {
        this.#taken.push(...this.#carried.splice(carried, 1));
        return true;
      }
    }
    if (table.take(this.owner, space, key, mode) !== null) {
      if (wait) throw new AdvisoryWait(space, key, mode, forTransaction);
      return false;
    }
    if (!forTransaction) {
      table.keep(this.owner);
      this.#taken.push({ world, key, mode });
    }
    return true;
  }

  /** False if the session does not hold it. */
  giveAdvisory(key: Key, shared: boolean): boolean {
    const world = this.#session.begin().world?.number ?? 0;
    return this.#table.unlock(this.owner, this.#table.advisory(world), key, shared ? ADVISORY_LOCK.share : ADVISORY_LOCK.exclusive);
  }

  giveAllAdvisory(): void {
    this.#table.unlockAll(this.owner);
    this.#taken = [];
  }

  // --- statements, waits, ends

  /** A new statement begins (not a retry). */
  begin(): void {
    if (this.#taken.length > 0) this.#taken = [];
    if (this.#carried.length > 0) this.#giveCarried();
  }

  #giveCarried(): void {
    const carried = this.#carried;
    this.#carried = [];
    for (const { world, key, mode } of carried) this.#table.unlock(this.owner, this.#table.advisory(world), key, mode);
  }

  /** Waits for the lock that the statement needs. 40P01, 55P03, 57014. */
  async wait(error: RetryStatement, statementMs: number): Promise<void> {
    this.#carried = [...this.#carried, ...this.#taken];
    this.#taken = [];
    if (error instanceof Sleep) return this.#session.sleeps.wait(error, statementMs);
    if (error instanceof LogRead) return this.#session.controlled(({ signal }) => untilRead(error, signal));
    if (error instanceof FileTransfer) return this.#session.files.wait(error, () => this.#session.checkCancel());
    if (!(error instanceof LockWait)) return;
    const table = this.#table;
    const { owner } = this;
    const { settings } = this.#session;
    const lockMs = durationMs(settings.get('lock_timeout')!);
    const first = lockMs > 0 && lockMs <= statementMs;
    const ms = first ? lockMs : statementMs;
    const timer = ms === Infinity ? null : setTimeout(() => table.abandon(owner, first ? lockTimeout() : statementTimeout()), Math.max(0, ms));
    try {
      await table.wait(owner, table.space(error.kind, error.world, error.tree), error.key, error.mode);
    } finally {
      if (timer !== null) clearTimeout(timer);
    }
    if (error instanceof AdvisoryWait && !error.forTransaction) {
      table.keep(owner);
      this.#carried.push({ world: error.world, key: error.key, mode: error.mode });
    }
  }

  /** Ends a wait in progress. */
  abandon(error: SvcError): void {
    this.#table.abandon(this.owner, error);
  }

  /** The transaction has ended. */
  release(): void {
    this.#noted = [];
    if (this.owner.locks.length > 0) this.#table.release(this.owner);
    this.owner.ended();
  }

  backTo(mark: number): void {
    this.#noted = [];
    this.#table.release(this.owner, mark);
  }

  close(): void {
    this.release();
    this.#table.unlockAll(this.owner);
  }
}

class AdvisoryWait extends LockWait {
  readonly forTransaction: boolean;

  constructor(space: LockSpace, key: Key, mode: number, forTransaction: boolean) {
    super(space, key, mode);
    this.forTransaction = forTransaction;
  }
}

function sameTree(a: Node | null, b: Node | null): boolean {
  return a === b || (a !== null && b !== null && a.id !== 0 && a.id === b.id);
}

export function serialization(what: 'concurrent update' | 'concurrent delete'): SvcError {
  return new SvcError('40001', `could not serialize access due to ${what}`);
}

function notAvailable(message: string): SvcError {
  return new SvcError('55P03', message);
}

function lockTimeout(): SvcError {
  return new SvcError('55P03', 'canceling statement due to lock timeout');
}

function statementTimeout(): SvcError {
  return new SvcError('57014', 'canceling statement due to statement timeout');
}
