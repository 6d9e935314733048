/**
 * The locks of a database, in memory. All work runs in one process and one thread, so taking a lock is an operation on
 * a hash table that cannot be interrupted; only waiting is asynchronous.
 *
 *   world ──► rows: tree → key     tables: tree     advisory: key        key → holders with their modes, queue
 *
 * A row lock is stored under the row's key in the table's tree, a lock on a unique index key under the entry's
 * prefix in the index's tree. Queues are fair: a new waiter goes to the end, unless it already holds the lock.
 * A wait that would close a cycle fails at once (40P01).
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import { ADVISORY_LOCK, CONFLICTS, covers, type LockKind, modeName } from './lock-mode.ts';
import type { LockOwner } from './lock-owner.ts';
import { SoleLock } from './sole-lock.ts';

const WORLDS_KEPT = 256;

export interface Waiter {
  readonly owner: LockOwner;
  readonly lock: Lock;
  readonly mode: number;
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Lock {
  readonly space: LockSpace;
  readonly key: Key;
  readonly owners: LockOwner[];
  /** Modes by owner. */
  readonly modes: number[];
  queue: Waiter[] | null = null;

  /** Most locks have one owner for their whole life; arrays created with one element stay that small. */
  constructor(space: LockSpace, key: Key, owner: LockOwner, mode: number) {
    this.space = space;
    this.key = key;
    this.owners = [owner];
    this.modes = [mode];
  }
}

/** A lock object as stored in a space. */
export type HeldLock = Lock | SoleLock;

/** Locks of one kind: on a tree's rows, on a world's tables, on a world's advisory keys. */
export class LockSpace {
  readonly kind: LockKind;
  readonly world: number;
  /** Tree of rows and index keys; 0 otherwise. */
  readonly tree: number;
  readonly locks = new Map<Key, HeldLock>();
  readonly conflicts: readonly number[];

  constructor(kind: LockKind, world: number, tree: number) {
    this.kind = kind;
    this.world = world;
    this.tree = tree;
    this.conflicts = CONFLICTS[kind];
  }
}

class WorldLocks {
  readonly rows = new Map<number, LockSpace>();
  readonly tables: LockSpace;
  readonly advisory: LockSpace;

  constructor(world: number) {
    this.tables = new LockSpace('table', world, 0);
    this.advisory = new LockSpace('advisory', world, 0);
  }
}

export class LockTable {
  /** Incremented whenever a lock is taken: a check that found no conflict stays valid while it is unchanged. */
  stamp = 0;
  /** Row and table locks in all worlds. */
  count = 0;
  /** Owners that hold locks: open transactions that have written. */
  holders = 0;
  readonly #worlds = new Map<number, WorldLocks>();

  rows(world: number, tree: number): LockSpace {
    const { rows } = this.#world(world);
    let space = rows.get(tree);
    if (space === undefined) rows.set(tree, (space = new LockSpace('row', world, tree)));
    return space;
  }

  tables(world: number): LockSpace {
    return this.#world(world).tables;
  }

  advisory(world: number): LockSpace {
    return this.#world(world).advisory;
  }

  space(kind: LockKind, world: number, tree: number): LockSpace {
    return kind === 'row' ? this.rows(world, tree) : kind === 'table' ? this.tables(world) : this.advisory(world);
  }

  #world(number: number): WorldLocks {
    let world = this.#worlds.get(number);
    if (world === undefined) {
      // Drop spaces of worlds without locks now and then.
      if (this.count === 0 && this.#worlds.size >= WORLDS_KEPT) {
        for (const [each, { advisory }] of this.#worlds) if (advisory.locks.size === 0) this.#worlds.delete(each);
      }
      this.#worlds.set(number, (world = new WorldLocks(number)));
    }
    return world;
  }

  /** Trees of the world that have locks on rows. */
  *lockedTrees(world: number): Iterable<LockSpace> {
    for (const space of this.#worlds.get(world)?.rows.values() ?? []) if (space.locks.size > 0) yield space;
  }

  /** A conflicting lock of another owner, or null. `owner` null: a writer that holds no locks. */
  blocked(owner: LockOwner | null, space: LockSpace, key: Key, mode: number): HeldLock | null {
    const lock = space.locks.get(key);
    if (lock === undefined) return null;
    const conflicts = space.conflicts[mode];
    for (let i = 0; i < lock.owners.length; i++) if (lock.owners[i] !== owner && (lock.modes[i] & conflicts) !== 0) return lock;
    return null;
  }

  /** Grants the lock to the owner's transaction, or returns the conflicting lock. */
  take(owner: LockOwner, space: LockSpace, key: Key, mode: number): Lock | null {
    const held = space.locks.get(key);
    if (held === undefined) {
      if (space.kind === 'row') this.#takeAlone(owner, space, key, mode);
      else {
        const made = new Lock(space, key, owner, mode);
        space.locks.set(key, made);
        if (space.kind !== 'advisory') this.count++;
        this.#note(owner, made, mode, null);
      }
      this.stamp++;
      return null;
    }
    if (held instanceof SoleLock && held.owner === owner && covers('row', held.mode, mode)) return null;
    const lock = held instanceof SoleLock ? this.#shared(held, key) : held;
    const at = lock.owners.indexOf(owner);
    if (at >= 0 && covers(space.kind, lock.modes[at], mode)) {
      // The session may hold the same lock: count what a savepoint or the transaction releases.
      if (space.kind === 'advisory') this.#note(owner, lock, mode, null);
      return null;
    }
    if (this.#inTheWay(lock, owner, mode, at >= 0)) return lock;
    this.#give(lock, owner, mode, at);
    this.#note(owner, lock, mode, null);
    return null;
  }

  #takeAlone(owner: LockOwner, space: LockSpace, key: Key, mode: number): void {
    const sole = owner.sole(space, mode);
    space.locks.set(key, sole);
    sole.count++;
    this.count++;
    this.#note(owner, sole, mode, key);
  }

  /** Splits off a lock object for the key, because another owner or another mode wants it. */
  #shared(sole: SoleLock, key: Key): Lock {
    const lock = new Lock(sole.space, key, sole.owner, sole.mode);
    sole.count--;
    sole.space.locks.set(key, lock);
    return lock;
  }

  #note(owner: LockOwner, lock: HeldLock, mode: number, key: Key | null): void {
    if (owner.locks.length === 0) this.holders++;
    owner.note(lock, mode, key);
  }

  #inTheWay(lock: Lock, owner: LockOwner, mode: number, holds: boolean): boolean {
    const conflicts = lock.space.conflicts[mode];
    for (let i = 0; i < lock.owners.length; i++) if (lock.owners[i] !== owner && (lock.modes[i] & conflicts) !== 0) return true;
    if (lock.queue === null || holds) return false;
    for (const waiter of lock.queue) if (waiter.owner !== owner && (waiter.mode & conflicts) !== 0) return true;
    return false;
  }

  #give(lock: Lock, owner: LockOwner, mode: number, at: number): void {
    if (at >= 0) lock.modes[at] |= mode;
    else {
      lock.owners.push(owner);
      lock.modes.push(mode);
    }
    this.stamp++;
  }

  /** Resolves when the lock was granted. 40P01 on deadlock. */
  wait(owner: LockOwner, space: LockSpace, key: Key, mode: number): Promise<void> {
    if (this.take(owner, space, key, mode) === null) return Promise.resolve();
    return this.#queued(owner, space.locks.get(key) as Lock, mode);
  }

  /** Resolves when no other owner holds the lock; does not take it. */
  async passed(owner: LockOwner, space: LockSpace, key: Key, mode: number): Promise<void> {
    const { mark } = owner;
    await this.wait(owner, space, key, mode);
    this.release(owner, mark);
  }

  #queued(owner: LockOwner, lock: Lock, mode: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { owner, lock, mode, since: Date.now(), resolve, reject };
      const circle = this.#circle(waiter);
      if (circle !== null) {
        reject(deadlock(circle));
        return;
      }
      const queue = (lock.queue ??= []);
      // A holder cannot wait behind owners that wait for it.
      if (lock.owners.includes(owner)) queue.unshift(waiter);
      else queue.push(waiter);
      owner.waiting = waiter;
    });
  }

  /** Fails the owner's wait with an error. */
  abandon(owner: LockOwner, error: Error): void {
    const { waiting } = owner;
    if (waiting === null) return;
    owner.waiting = null;
    const { lock } = waiting;
    lock.queue = lock.queue!.filter((each) => each !== waiting);
    this.#wake(lock);
    waiting.reject(error);
  }

  /** Releases the locks taken since the mark; the end of the transaction releases all. */
  release(owner: LockOwner, mark = 0): void {
    const { locks, modes, keys } = owner;
    if (mark === 0) {
      if (locks.length > 0) this.holders--;
      this.#releaseSpaces(owner);
    }
    while (locks.length > mark) {
      const lock = locks.pop()!;
      const mode = modes.pop()!;
      const key = keys.pop()!;
      if (!(lock instanceof SoleLock)) this.#giveBack(owner, lock, mode);
      else if (lock.count > 0 || lock.space.locks.size > 0) this.#giveBackSole(lock, key);
    }
    if (mark === 0 && owner.soles.length > 0) owner.soles = [];
  }

  /** Spaces in which the owner has every lock are cleared at once. */
  #releaseSpaces({ soles }: LockOwner): void {
    for (const { space } of soles) {
      let count = 0;
      for (const each of soles) if (each.space === space) count += each.count;
      if (count === 0 || count !== space.locks.size) continue;
      space.locks.clear();
      this.count -= count;
      for (const each of soles) if (each.space === space) each.count = 0;
    }
  }

  #giveBackSole(sole: SoleLock, key: Key): void {
    const held = sole.space.locks.get(key);
    if (held instanceof SoleLock) {
      if (held !== sole) return;
      sole.space.locks.delete(key);
      sole.count--;
      this.count--;
    } else if (held !== undefined) this.#giveBack(sole.owner, held, sole.mode);
  }

  #giveBack(owner: LockOwner, lock: Lock, mode: number): void {
    if (lock.space.kind === 'advisory' && this.#stillHolds(owner, lock, mode)) return;
    const at = lock.owners.indexOf(owner);
    if (at < 0) return;
    const left = lock.modes[at] & ~mode;
    if (left !== 0) lock.modes[at] = left;
    else {
      const last = lock.owners.length - 1;
      lock.owners[at] = lock.owners[last];
      lock.modes[at] = lock.modes[last];
      lock.owners.pop();
      lock.modes.pop();
    }
    this.#wake(lock);
  }

  #stillHolds(owner: LockOwner, lock: Lock, mode: number): boolean {
    const kept = owner.kept.get(lock);
    if (kept !== undefined && (mode === ADVISORY_LOCK.share ? kept.share : kept.exclusive) > 0) return true;
    return owner.locks.some((each, i) => each === lock && owner.modes[i] === mode);
  }

  /** Grants the lock to compatible waiters; drops it without holders and waiters. */
  #wake(lock: Lock): void {
    const { queue } = lock;
    if (queue !== null && queue.length > 0) {
      let ahead = 0;
      const left: Waiter[] = [];
      for (const waiter of queue) {
        const conflicts = lock.space.conflicts[waiter.mode];
        const free = (ahead & conflicts) === 0 && !lock.owners.some((owner, i) => owner !== waiter.owner && (lock.modes[i] & conflicts) !== 0);
        if (!free) {
          ahead |= waiter.mode;
          left.push(waiter);
          continue;
        }
        this.#give(lock, waiter.owner, waiter.mode, lock.owners.indexOf(waiter.owner));
        this.#note(waiter.owner, lock, waiter.mode, null);
        waiter.owner.waiting = null;
        waiter.resolve();
      }
      lock.queue = left;
    }
    if (lock.owners.length > 0 || (lock.queue !== null && lock.queue.length > 0)) return;
    if (lock.space.locks.delete(lock.key) && lock.space.kind !== 'advisory') this.count--;
  }

  // --- session-level advisory locks

  /** Moves a lock just granted to the transaction to the session. */
  keep(owner: LockOwner): void {
    const lock = owner.locks.pop() as Lock;
    const mode = owner.modes.pop()!;
    owner.keys.pop();
    if (owner.locks.length === 0) this.holders--;
    let kept = owner.kept.get(lock);
    if (kept === undefined) owner.kept.set(lock, (kept = { share: 0, exclusive: 0 }));
    if (mode === ADVISORY_LOCK.share) kept.share++;
    else kept.exclusive++;
  }

  /** False if the session does not hold it. */
  unlock(owner: LockOwner, space: LockSpace, key: Key, mode: number): boolean {
    const lock = space.locks.get(key) as Lock | undefined;
    const kept = lock === undefined ? undefined : owner.kept.get(lock);
    if (lock === undefined || kept === undefined) return false;
    if ((mode === ADVISORY_LOCK.share ? kept.share : kept.exclusive) === 0) return false;
    if (mode === ADVISORY_LOCK.share) kept.share--;
    else kept.exclusive--;
    if (kept.share + kept.exclusive === 0) owner.kept.delete(lock);
    this.#giveBack(owner, lock, mode);
    return true;
  }

  unlockAll(owner: LockOwner): void {
    const all = [...owner.kept];
    owner.kept.clear();
    for (const [lock, { share, exclusive }] of all) {
      if (share > 0) this.#giveBack(owner, lock, ADVISORY_LOCK.share);
      if (exclusive > 0) this.#giveBack(owner, lock, ADVISORY_LOCK.exclusive);
    }
  }

  // --- wait-for graph

  /** The owners that the waiter waits for. */
  blockers({ owner, lock, mode }: Pick<Waiter, 'owner' | 'lock' | 'mode'>): LockOwner[] {
    const conflicts = lock.space.conflicts[mode];
    const out = lock.owners.filter((each, i) => each !== owner && (lock.modes[i] & conflicts) !== 0);
    const holds = lock.owners.includes(owner);
    for (const ahead of lock.queue ?? []) {
      if (ahead.owner === owner || holds) break;
      if ((ahead.mode & conflicts) !== 0) out.push(ahead.owner);
    }
    return out;
  }

  /** The cycle of waits through this one; null without a cycle. */
  #circle(first: Waiter): Waiter[] | null {
    const seen = new Set<LockOwner>();
    const path: Waiter[] = [first];
    const follow = (waiter: Waiter): boolean => {
      for (const owner of this.blockers(waiter)) {
        if (owner === first.owner) return true;
        if (owner.waiting === null || seen.has(owner)) continue;
        seen.add(owner);
        path.push(owner.waiting);
        if (follow(owner.waiting)) return true;
        path.pop();
      }
      return false;
    };
    return follow(first) ? path : null;
  }

  /** All locks, for pg_locks. */
  *all(): Iterable<HeldLock> {
    for (const { rows, tables, advisory } of this.#worlds.values()) {
      for (const space of rows.values()) yield* space.locks.values();
      yield* tables.locks.values();
      yield* advisory.locks.values();
    }
  }
}

/** Describes a wait in Postgres's words. */
export function describeWait({ lock, mode }: Waiter, holder: LockOwner): string {
  const { kind, world } = lock.space;
  const name = modeName(kind, mode);
  if (kind === 'row') return `${name} on transaction ${holder.transaction}`;
  if (kind === 'table') return `${name} on relation ${lock.key} of database ${world}`;
  return `${name} on advisory lock [${world},${String(lock.key)}]`;
}

function deadlock(circle: readonly Waiter[]): SvcError {
  const lines = circle.map((waiter, i) => {
    const next = circle[(i + 1) % circle.length].owner;
    return `Process ${waiter.owner.pid} waits for ${describeWait(waiter, next)}; blocked by process ${next.pid}.`;
  });
  return new SvcError('40P01', 'deadlock detected', { detail: lines.join('\n'), hint: 'See server log for query details.' });
}
