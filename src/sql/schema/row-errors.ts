/**
 * Constraint violations of rows, with Postgres's messages. Values are shown only to users who may read them: not if policies apply
 * to the table's rows, and not for columns that the writer may not select or sees masked.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { clip } from './implicit-name.ts';
import type { CheckConstraint, SqlTable } from './table.ts';

/** Longest value that a DETAIL of a failing row shows. */
const SHOWN_BYTES_MAX = 64;

/** Whether the current user may see values of these columns. `null`: of all. */
export function maySeeValues(table: SqlTable, columns: readonly (number | null)[] | null, { system }: Environment): boolean {
  const rights = system?.rights;
  if (rights === undefined) return true;
  const hidden = (column: number | null): boolean =>
    column === null ? table.columns.some(({ attnum }) => rights.masked(table.number, attnum)) : rights.masked(table.number, table.columns[column].attnum);
  if (columns === null ? hidden(null) : columns.some(hidden)) return false;
  if (rights.role === 0 || rights.isSuperuser(rights.role)) return true;
  if (rights.rowSecurityActive(table.number)) return false;
  const { role } = rights;
  if (rights.held(role, 'r', table.number, 'SELECT', false)) return true;
  return (
    columns !== null && columns.every((column) => column !== null && rights.heldOnColumn(role, table.number, table.columns[column].attnum, 'SELECT', false))
  );
}

export function failingRow(table: SqlTable, row: readonly Value[], env: Environment): string | undefined {
  const texts = row.map((value, i) => {
    if (value === null) return 'null';
    const text = table.columns[i].type.format(value, env);
    return Buffer.byteLength(text) <= SHOWN_BYTES_MAX ? text : `${clip(text, SHOWN_BYTES_MAX)}...`;
  });
  if (maySeeValues(table, null, env)) return `Failing row contains (${texts.join(', ')}).`;
  const shown = row.flatMap((_, i) => (maySeeValues(table, [i], env) ? [i] : []));
  if (shown.length === 0) return undefined;
  return `Failing row contains (${shown.map((i) => table.columns[i].name).join(', ')}) = (${shown.map((i) => texts[i]).join(', ')}).`;
}

export function nullRefused(table: SqlTable, column: number, row: readonly Value[], env: Environment): SvcError {
  const { name } = table.columns[column];
  return new SvcError('23502', `null value in column "${name}" of relation "${table.name}" violates not-null constraint`, {
    detail: failingRow(table, row, env),
    data: { schema: table.schema, table: table.name, column: name },
  });
}

/** No unique index matches the ON CONFLICT specification. */
export function noArbiter(): SvcError {
  return new SvcError('42P10', 'there is no unique or exclusion constraint matching the ON CONFLICT specification');
}

/** A column with nulls that was to become NOT NULL. */
export function nullsFound(table: SqlTable, column: string): SvcError {
  return new SvcError('23502', `column "${column}" of relation "${table.name}" contains null values`, {
    data: { schema: table.schema, table: table.name, column },
  });
}

export function checkRefused(table: SqlTable, check: CheckConstraint, row: readonly Value[], env: Environment): SvcError {
  return new SvcError('23514', `new row for relation "${table.name}" violates check constraint "${check.name}"`, {
    detail: failingRow(table, row, env),
    status: 400,
    data: { schema: table.schema, table: table.name, constraint: check.name },
  });
}

export function notInPartition(table: SqlTable, row: readonly Value[], env: Environment): SvcError {
  return new SvcError('23514', `new row for relation "${table.name}" violates partition constraint`, {
    detail: failingRow(table, row, env),
    status: 400,
    data: { schema: table.schema, table: table.name },
  });
}

/** `Key (a, b)=(1, 2)`. */
export function keyText(columns: readonly string[], types: readonly SqlType[], values: readonly Value[], env: Environment): string {
  const texts = values.map((value, i) => (value === null ? 'null' : types[i].format(value, env)));
  return `Key (${columns.join(', ')})=(${texts.join(', ')})`;
}

export function notUnique(table: SqlTable, constraint: string, key: string | null): SvcError {
  return new SvcError('23505', `duplicate key value violates unique constraint "${constraint}"`, {
    detail: key === null ? undefined : `${key} already exists.`,
    data: { schema: table.schema, table: table.name, constraint },
  });
}
