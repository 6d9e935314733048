/**
 * Snapshots that transactions have exported (`pg_export_snapshot`), for others to read the same state: SET TRANSACTION
 * SNAPSHOT. They last as long as the transaction that exported them; who has adopted one keeps its state.
 */
import type { Node } from '../../tree/node.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import type { Transaction } from './transaction.ts';

export interface ExportedSnapshot {
  readonly by: Transaction;
  /** Number of the world. */
  readonly world: number;
  readonly root: Node;
  readonly version: number;
  readonly catalog: Catalog;
  /** Lets the state go. */
  readonly release: () => void;
}

export class ExportedSnapshots {
  readonly #byId = new Map<string, ExportedSnapshot>();
  #last = 0;

  /** Gives the snapshot's name, in Postgres's form: backend, transaction, number. */
  export(pid: number, snapshot: ExportedSnapshot): string {
    const id = `${hex(pid)}-${hex(++this.#last)}-1`;
    this.#byId.set(id, snapshot);
    return id;
  }

  find(id: string): ExportedSnapshot | null {
    return this.#byId.get(id) ?? null;
  }

  /** The transaction is over. */
  ended(by: Transaction): void {
    if (this.#byId.size === 0) return;
    for (const [id, snapshot] of this.#byId) {
      if (snapshot.by !== by) continue;
      snapshot.release();
      this.#byId.delete(id);
    }
  }
}

function hex(number: number): string {
  return (number >>> 0).toString(16).toUpperCase().padStart(8, '0');
}
