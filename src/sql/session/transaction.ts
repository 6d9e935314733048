/**
 * What a session reads and has not committed yet: a private root over one moment of its world. Nothing is
 * seen outside before `commit` puts all changes into one event.
 */
import type { TreeChanges } from '../../events/changes.ts';
import type { RoleRow } from '../../identity/roles.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Node } from '../../tree/node.ts';
import { applyToWorld } from '../../worlds/apply.ts';
import type { World } from '../../worlds/world.ts';
import { NOTHING_WAITS, type Waiting } from './deferred-constraints.ts';

const NO_ROLES: ReadonlyMap<string, RoleRow | null> = new Map();

export class Transaction {
  readonly pager: Pager;
  /** null where a past moment is read: nothing can be written. */
  readonly world: World | null;
  /** The world's state when the transaction began; sealed from then on. */
  base: Node;
  version: number;
  /** BEGIN was said; otherwise it ends with the statement list. */
  explicit: boolean;
  readOnly = false;
  failed = false;
  /** Set once the base is kept for readers of later turns. */
  release: (() => void) | null = null;
  #root: Node;
  /** Changes that nobody has looked at: where the transaction ends with its only write, its own tree is never made. */
  #waitingChanges: readonly TreeChanges[] = [];
  #edit: number;
  /** Changes of the only statement that wrote so far, so that they need not be found again. */
  #only: TreeChanges[] | null = null;
  #writes = 0;
  /** A statement looked at rows: isolation and access can no longer be chosen. */
  looked = false;
  waiting: Waiting = NOTHING_WAITS;
  /** Roles and memberships that it has changed (null: gone); another map with each change. */
  roleRows: ReadonlyMap<string, RoleRow | null> = NO_ROLES;
  readonly savepoints: {
    readonly name: string;
    readonly root: Node;
    readonly only: TreeChanges[] | null;
    readonly writes: number;
    readonly waiting: Waiting;
    readonly roleRows: ReadonlyMap<string, RoleRow | null>;
  }[] = [];

  constructor(pager: Pager, world: World | null, base: Node, explicit: boolean) {
    this.pager = pager;
    this.world = world;
    this.base = base;
    this.version = world?.version ?? 0;
    this.explicit = explicit;
    this.#root = base;
    this.#edit = pager.newEdit();
  }

  get root(): Node {
    if (this.#waitingChanges.length > 0) {
      this.#root = applyToWorld(this.pager, this.#root, this.#waitingChanges, this.#edit);
      this.#waitingChanges = [];
    }
    return this.#root;
  }

  /** The world's nodes are not changed in place any more, so that `base` stays as it is. */
  get held(): boolean {
    return this.release !== null;
  }

  get dirty(): boolean {
    return this.#writes > 0;
  }

  /** Changes of the one statement that wrote; null where several did. */
  get only(): TreeChanges[] | null {
    return this.#only;
  }

  write(changes: readonly TreeChanges[]): void {
    if (changes.length === 0) return;
    this.#only = this.#writes === 0 ? [...changes] : null;
    this.#writes++;
    this.#root = this.root;
    this.#waitingChanges = changes;
  }

  /** Moves a transaction that has written nothing to a newer state of its world. */
  refresh(base: Node, version: number): void {
    this.base = base;
    this.#root = base;
    this.version = version;
    this.release?.();
    this.release = null;
    this.#edit = this.pager.newEdit();
  }

  /** The state as it is now, not changed in place by later writes. */
  seal(): Node {
    const { root } = this;
    this.#edit = this.pager.newEdit();
    return root;
  }

  savepoint(name: string): void {
    this.savepoints.push({ name, root: this.seal(), only: this.#only, writes: this.#writes, waiting: this.waiting, roleRows: this.roleRows });
  }

  /** Index of the newest savepoint of the name, or -1. */
  find(name: string): number {
    return this.savepoints.findLastIndex((each) => each.name === name);
  }

  rollbackTo(index: number): void {
    const { root, only, writes, waiting, roleRows } = this.savepoints[index];
    this.savepoints.length = index + 1;
    this.#root = root;
    this.#waitingChanges = [];
    this.#only = only;
    this.#writes = writes;
    this.waiting = waiting;
    this.roleRows = roleRows;
    this.#edit = this.pager.newEdit();
    this.failed = false;
  }
}
