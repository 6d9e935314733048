/** Rows of an attached table as texts, one a column in the order of the attachment, as both sides write and read them. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { Row } from '../commands/contract.ts';
import { quoteNames } from '../base/quote-identifier.ts';
import { setField } from '../base/json.ts';
import type { AttachedTable } from '../events/types/attached.ts';
import { readCell } from '../sql/schema/row-reader.ts';
import { type Schema, schemaOf } from '../sql/schema/schema.ts';
import type { SqlColumn, SqlTable } from '../sql/schema/table.ts';
import { TYPE_LOOKUP } from '../sql/session/typed-tables.ts';
import { STORED } from '../sql/types/environment.ts';
import type { Value } from '../sql/types/value.ts';
import type { Key } from '../tree/datum.ts';
import type { RowAt } from '../tree/row-change.ts';
import type { Catalog } from '../worlds/catalog.ts';

export type Texts = readonly (string | null)[];

export class RowTexts {
  readonly schema: Schema;
  readonly table: SqlTable;
  readonly attached: AttachedTable;
  /** By column of the attachment. */
  readonly #columns: readonly SqlColumn[];
  /** Places in the attachment of the columns of the primary key, in its order. */
  readonly keyPlaces: readonly number[];

  /** 55000 if the table is not in the catalog as it was attached. */
  constructor(catalog: Catalog, attached: AttachedTable) {
    this.schema = schemaOf(catalog, TYPE_LOOKUP);
    this.attached = attached;
    const number = catalog.tables.get(attached.name)?.number;
    const table = number === undefined ? undefined : this.schema.tableNumbered(number);
    if (table === undefined) throw new SvcError('55000', `attached table "${attached.name}" is not in main`, { hint: 'Attach it again.' });
    this.table = table;
    this.#columns = attached.columns.map(({ name }) => {
      const column = table.columns.find((each) => each.name === name);
      if (column === undefined) throw new SvcError('55000', `attached table "${attached.name}" has no column "${name}" any more`, { hint: 'Attach it again.' });
      return column;
    });
    this.keyPlaces = table.key.columns.map((place) => this.#columns.indexOf(table.columns[place]));
  }

  of({ leaf, index }: RowAt): Texts {
    return this.#columns.map((column) => {
      const value = readCell(column, leaf, index);
      return value === null ? null : column.type.format(value, STORED);
    });
  }

  /** All values, in the order of the table's columns. 55000 for one that the column does not take. */
  values(texts: Texts): Value[] {
    try {
      return this.#values(texts);
    } catch (error) {
      throw refusedRow(error, this.attached);
    }
  }

  #values(texts: Texts): Value[] {
    const row = new Array<Value>(this.table.columns.length).fill(null);
    for (const [i, column] of this.#columns.entries()) row[this.table.columns.indexOf(column)] = this.#value(column, texts[i]);
    return row;
  }

  #value({ type, typmod }: SqlColumn, text: string | null): Value {
    return text === null ? null : type.coerce(type.parse(text, typmod, STORED), typmod, false);
  }

  key(texts: Texts): Key {
    return this.schema.rowKey(this.table).encode(this.keyPlaces.map((place) => this.#value(this.#columns[place], texts[place])));
  }

  /** As row operations show it. */
  record(texts: Texts): Row {
    const row: Row = {};
    const values = this.values(texts);
    for (const column of this.#columns) {
      const value = values[this.table.columns.indexOf(column)];
      setField(row, column.name, value === null ? null : column.type.json(value, STORED));
    }
    return row;
  }
}

/** A row of Postgres that `main` refuses: a constraint or a type of the table is not there as it was when the table was attached. */
export function refusedRow(error: unknown, { schema, table }: AttachedTable): unknown {
  if (!(error instanceof SvcError) || !/^2[23]/.test(error.code)) return error;
  return new SvcError(
    '55000',
    `the definition of attached table ${quoteNames([schema, table])} has changed in Postgres, which has a row that main refuses: ${error.message}`,
    {
      hint: 'Detach the table (svc attach <folder> --detach --tables …), drop it in main and attach it again.',
    },
  );
}
