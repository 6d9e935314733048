/** Rows that the caller supplies for the result, in place of both sides: written as a put into the target. */
import type { Row } from '../../commands/contract.ts';
import type { TreeChanges } from '../../events/changes.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Table } from '../catalog.ts';
import { idKey } from '../keys.ts';
import { RowWriter } from '../row-writer.ts';
import type { TypedWrites } from '../typed-tables.ts';
import type { Objects } from '../world.ts';
import { joinChangesSteps } from './join-changes.ts';
import type { PlanInput } from './plan.ts';

export class GivenRows {
  readonly #documents: RowWriter;
  readonly #typed: () => TypedWrites;
  #writes: TypedWrites | null = null;

  constructor(pager: Pager, objects: Objects, { typed, ours: { catalog, root } }: PlanInput) {
    this.#documents = new RowWriter(pager, objects, root, catalog);
    this.#typed = () => (this.#writes ??= typed.writes({ pager, objects, catalog, root }));
  }

  /** null deletes it. */
  put(table: Table, id: string, row: Row | null): void {
    if (table.relation !== null) {
      if (row === null) this.#typed().delete(table, id);
      else this.#typed().put(table, id, row);
    } else if (row === null) this.#documents.delete(table.name, idKey(id));
    else this.#documents.put(table.name, id, idKey(id), row);
  }

  *finish(into: TreeChanges[]): Generator<void, void> {
    yield* joinChangesSteps(into, this.#documents.finish());
    if (this.#writes !== null) yield* joinChangesSteps(into, this.#writes.finish());
  }
}
