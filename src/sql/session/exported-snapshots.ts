/**
 * Snapshots that transactions have exported (`pg_export_snapshot`), for SET TRANSACTION SNAPSHOT in others. A snapshot lasts as long
 * as the exporting transaction; a transaction that has imported it keeps the state.
 */
import type { Sequence } from '../../base/brands.ts';
import type { Node } from '../../tree/node.ts';
import type { Catalog } from '../../worlds/catalog.ts';
import type { Transaction } from './transaction.ts';

export interface ExportedSnapshot {
  readonly by: Transaction;
  /** Number of the world. */
  readonly world: number;
  readonly root: Node;
  readonly version: number;
  /** Its newest event. */
  readonly seen: Sequence;
  readonly catalog: Catalog;
  /** Releases the state. */
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

  /** Called when the transaction has ended. */
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
