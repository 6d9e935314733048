/**
 * Rows that the caller supplies for the result, in place of both sides: written as a put into the target. A table that takes documents, or
 * that the target lacks, is written in the form that it has in the result, and its new fields become definitions of the result.
 */
import type { Row } from '../../commands/contract.ts';
import type { TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Catalog, Table } from '../catalog.ts';
import { idKey } from '../keys.ts';
import { NewFields } from '../new-fields.ts';
import { RowWriter } from '../row-writer.ts';
import type { TypedWrites } from '../typed-tables.ts';
import type { Objects } from '../world.ts';
import { joinChangesSteps } from './join-changes.ts';
import type { PlanInput } from './plan.ts';

interface GivenRow {
  readonly table: Table;
  readonly id: string;
  readonly row: Row | null;
}

export class GivenRows {
  readonly #documents: RowWriter;
  readonly #writes: (catalog: Catalog) => TypedWrites;
  readonly #ours: Catalog;
  readonly #result: Catalog;
  readonly #fields: NewFields;
  /** Of tables with definitions of their own: written once all of their new fields are known. */
  readonly #rows: GivenRow[] = [];
  readonly #rowsOfResult: GivenRow[] = [];

  /** `result`: definitions of the merge. */
  constructor(pager: Pager, objects: Objects, { typed, ours: { catalog, root } }: PlanInput, result: Catalog) {
    this.#documents = new RowWriter(pager, objects, root, catalog);
    this.#ours = catalog;
    this.#result = result;
    this.#fields = new NewFields(result, objects);
    this.#writes = (each) => typed.writes({ pager, objects, catalog: each, root });
  }

  /** null deletes it. */
  put(table: Table, id: string, row: Row | null): void {
    if (table.relation === null) {
      if (row === null) this.#documents.delete(table.name, idKey(id));
      else this.#documents.put(table.name, id, idKey(id), row);
      return;
    }
    const of = this.#result.byNumber.get(table.number);
    const here = this.#ours.byNumber.get(table.number);
    const isOpen = of?.relation?.object.documents === true;
    if (of !== undefined && isOpen && row !== null) this.#fields.observe(of, row);
    if (of !== undefined && (isOpen || here === undefined)) this.#rowsOfResult.push({ table: of, id, row });
    else this.#rows.push({ table, id, row });
  }

  /** New and wider fields, as changes of the definitions of the result. */
  get definitions(): readonly RowChange[] {
    return this.#fields.rows();
  }

  *finish(into: TreeChanges[]): Generator<void, void> {
    yield* joinChangesSteps(into, this.#documents.finish());
    for (const [rows, catalog] of [
      [this.#rows, this.#ours],
      [this.#rowsOfResult, this.#fields.catalog],
    ] as const) {
      if (rows.length === 0) continue;
      const writes = this.#writes(catalog);
      for (const { table, id, row } of rows) {
        if (row === null) writes.delete(table, id);
        else writes.put(table, id, row);
      }
      yield* joinChangesSteps(into, writes.finish());
    }
  }
}
