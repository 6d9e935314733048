/** Records to put and delete, in document tables and typed tables; the last entry for a row wins. */
import type { Row } from '../commands/contract.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Catalog, Table } from './catalog.ts';
import { refusePartitioned } from './partitioned-table.ts';
import { RowWriter } from './row-writer.ts';
import { type RowToLock, type TypedWrites, typedTables, type WriteParts } from './typed-tables.ts';
import type { Objects } from './world.ts';

export class RecordWriter {
  readonly #documents: RowWriter;
  readonly #catalog: Catalog;
  readonly #typed: () => TypedWrites;
  readonly #shares: RowToLock[];
  #writes: TypedWrites | null = null;

  /** `contended` and `shares` as in `WriteParts`. */
  constructor(pager: Pager, objects: Objects, root: Node, catalog: Catalog, contended: WriteParts['contended'] = undefined, shares: RowToLock[] = []) {
    this.#shares = shares;
    this.#documents = new RowWriter(pager, objects, root, catalog);
    this.#catalog = catalog;
    this.#typed = () => (this.#writes ??= typedTables().writes({ pager, objects, catalog, root, contended }));
  }

  /** `key` is the id's key in a document table. */
  put(name: string, id: string, key: string, record: Row): void {
    const table = this.#typedTable(name);
    if (table === null) this.#documents.put(name, id, key, record);
    else this.#typed().put(table, id, record);
  }

  delete(name: string, id: string, key: string): void {
    const table = this.#typedTable(name);
    if (table === null) this.#documents.delete(name, key);
    else this.#typed().delete(table, id);
  }

  #typedTable(name: string): Table | null {
    const table = this.#catalog.tables.get(name);
    if (table === undefined || table.relation === null) return null;
    refusePartitioned(table);
    return table;
  }

  finish(): TreeChanges[] {
    const changes = this.#documents.finish();
    if (this.#writes === null) return changes;
    const all = [...changes, ...this.#writes.finish()];
    this.#shares.push(...this.#writes.shares);
    return all;
  }
}
