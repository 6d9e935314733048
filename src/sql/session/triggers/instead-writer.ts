/** Writes to a view through its INSTEAD OF triggers. The key of a row is the old row itself. */
import type { Key } from '../../../tree/datum.ts';
import type { TableWriter } from '../../schema/table-writer.ts';
import type { RecordValue } from '../../types/record-value.ts';
import type { Value } from '../../types/value.ts';
import type { StatementTriggers } from './statement-triggers.ts';
import type { TableTriggers } from './table-triggers.ts';

type Row = readonly Value[];

export class InsteadWriter implements TableWriter {
  readonly proposes = true;
  readonly #of: StatementTriggers;
  readonly #triggers: TableTriggers;

  constructor(of: StatementTriggers, triggers: TableTriggers) {
    this.#of = of;
    this.#triggers = triggers;
  }

  propose(row: Row): Row | null {
    return this.#of.before(this.#triggers.insteadOf.insert, this.#triggers, 'insert', null, row, null);
  }

  insert(): Key {
    return 0;
  }

  add(): void {}

  conflict(): Key | null {
    return null;
  }

  read(): Value[] | null {
    return null;
  }

  written(): boolean {
    return false;
  }

  change(): boolean {
    return false;
  }

  update(key: Key, columns: readonly number[], values: readonly Value[]): Row | null {
    const old = fieldsOf(key);
    const row = old.slice();
    columns.forEach((column, i) => (row[column] = values[i]));
    return this.#of.before(this.#triggers.insteadOf.update, this.#triggers, 'update', old, row, columns);
  }

  delete(key: Key): boolean {
    return this.#of.before(this.#triggers.insteadOf.delete, this.#triggers, 'delete', fieldsOf(key), null, null) !== null;
  }
}

function fieldsOf(key: Key): Row {
  return (key as unknown as RecordValue).fields;
}
