/** Columns with the row type of a table: such a table cannot change the form of its rows, which are stored elsewhere (manual, 8.16). */
import { SvcError } from '../../base/errors/svc-error.ts';
import { rowTypeOid } from '../../worlds/definition.ts';
import { columnsOf } from '../types/record-type.ts';
import type { SqlType } from '../types/type.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

/** Whether values of the type are or contain rows of that type. */
export function holdsRows(type: SqlType, row: number): boolean {
  if (type.oid === row) return true;
  const root = type.domain?.root ?? type;
  if (root !== type) return holdsRows(root, row);
  if (type.element !== null) return holdsRows(type.element, row);
  return columnsOf(type)?.some((column) => holdsRows(column.type, row)) ?? false;
}

/** 0A000 before a table's row form changes. Arrays of them are reported first. */
export function refuseRowTypeUse(schema: Schema, table: SqlTable): void {
  const row = rowTypeOid(table.number);
  const uses = [...schema.tables.values()]
    .flatMap((other) => other.columns.map((column) => ({ other, column })))
    .filter(({ column }) => holdsRows(column.type, row));
  if (uses.length === 0) return;
  const { other, column } = uses.find((each) => each.column.type.element?.oid === row) ?? uses[0];
  const what = table.foreign === undefined ? 'table' : 'foreign table';
  throw new SvcError('0A000', `cannot alter ${what} "${table.name}" because column "${other.name}.${column.name}" uses its row type`);
}

/** 42P16. */
export function refuseOwnRow(table: SqlTable, type: SqlType): void {
  if (holdsRows(type, rowTypeOid(table.number))) throw new SvcError('42P16', `composite type ${table.name} cannot be made a member of itself`);
}
