/** Records to put and delete, in document tables and typed tables; the last entry for a row wins. */
import type { Row } from '../commands/contract.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import type { RowChange } from '../tree/datum.ts';
import type { Catalog, Table } from './catalog.ts';
import { primaryKeyNumberName } from './definition.ts';
import { boundAsRelations, documentKeyName, withRelations } from './document-relation.ts';
import { joinChanges } from './merge/join-changes.ts';
import { NewFields } from './new-fields.ts';
import { refusePartitioned } from './partitioned-table.ts';
import { RowWriter } from './row-writer.ts';
import type { RowToLock, TypedTables, TypedWrites, WriteParts } from './typed-tables.ts';

export class RecordWriter {
  readonly #documents: RowWriter;
  readonly #catalog: Catalog;
  readonly #typed: () => TypedWrites;
  readonly #shares: RowToLock[];
  #writes: TypedWrites | null = null;
  readonly #fields: NewFields;
  readonly #relations: readonly RowChange[];

  /** `shares`: receives those of `TypedWrites`. */
  constructor(typed: TypedTables, parts: WriteParts, shares: RowToLock[] = []) {
    this.#shares = shares;
    this.#documents = new RowWriter(parts.pager, parts.objects, parts.root, parts.catalog);
    const { catalog, rows } = boundAsRelations(parts.catalog, (table) => {
      const name = documentKeyName(table.name);
      return { number: parts.objects.number(primaryKeyNumberName(table.number, name)), name };
    });
    this.#catalog = catalog;
    this.#relations = rows;
    this.#fields = new NewFields(catalog, parts.objects);
    this.#typed = () => (this.#writes ??= typed.writes({ ...parts, catalog: this.#fields.catalog }));
  }

  /** Fields that a record brings, for all records before the first of them is put. */
  observe(name: string, record: Row): void {
    const table = this.#typedTable(name);
    if (table?.relation?.object.documents === true) this.#fields.observe(table, record);
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
    joinChanges(changes, this.#writes.finish());
    const fields = [...withRelations(this.#fields.rows(), this.#relations)];
    if (fields.length > 0) joinChanges(changes, [{ tree: CATALOG_TREE, numeric: false, rows: fields }]);
    this.#shares.push(...this.#writes.shares);
    return changes;
  }
}
