/** Rows that the caller supplies for the result, in place of both sides: written as a put into the target. */
import type { Row } from '../../commands/contract.ts';
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Table } from '../catalog.ts';
import { idKey } from '../keys.ts';
import { NewFields } from '../new-fields.ts';
import { RowWriter } from '../row-writer.ts';
import type { TypedWrites } from '../typed-tables.ts';
import type { Objects } from '../world.ts';
import { joinChangesSteps } from './join-changes.ts';
import type { PlanInput } from './plan.ts';

export class GivenRows {
  readonly #documents: RowWriter;
  readonly #typed: () => TypedWrites;
  readonly #fields: NewFields;
  /** Of tables with definitions of their own, whose new fields must be known first. */
  readonly #rows: { readonly table: Table; readonly id: string; readonly row: Row | null }[] = [];

  constructor(pager: Pager, objects: Objects, { typed, ours: { catalog, root } }: PlanInput) {
    this.#documents = new RowWriter(pager, objects, root, catalog);
    this.#fields = new NewFields(catalog, objects);
    this.#typed = () => typed.writes({ pager, objects, catalog: this.#fields.catalog, root });
  }

  /** null deletes it. */
  put(table: Table, id: string, row: Row | null): void {
    if (table.relation !== null) {
      if (row !== null && table.relation.object.documents === true) this.#fields.observe(table, row);
      this.#rows.push({ table, id, row });
    } else if (row === null) this.#documents.delete(table.name, idKey(id));
    else this.#documents.put(table.name, id, idKey(id), row);
  }

  *finish(into: TreeChanges[]): Generator<void, void> {
    yield* joinChangesSteps(into, this.#documents.finish());
    if (this.#rows.length === 0) return;
    const writes = this.#typed();
    for (const { table, id, row } of this.#rows) {
      if (row === null) writes.delete(table, id);
      else writes.put(table, id, row);
    }
    yield* joinChangesSteps(into, writes.finish());
    const fields = this.#fields.rows();
    if (fields.length > 0) yield* joinChangesSteps(into, [{ tree: CATALOG_TREE, numeric: false, rows: fields }]);
  }
}
