/** Errors about objects that are missing, already exist, or are still needed, with Postgres's messages. */
import { LIMITS } from '../../base/limits.ts';
import { isTemporarySchema } from '../../worlds/definition.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlState } from '../../base/errors/sqlstate.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

/** 54011; views and composite types have the limit of tables. */
export function refuseWideTable(columns: number): void {
  if (columns <= LIMITS.tableColumnsMax) return;
  throw new SvcError('54011', `tables can have at most ${LIMITS.tableColumnsMax} columns`, {
    hint: 'Split it, or keep some of them in one column as an array or as jsonb.',
  });
}

export function relationTaken(name: string): SvcError {
  return new SvcError('42P07', `relation "${name}" already exists`);
}

/** A relation's name is also that of its row type, so no other type may have it. */
export function refuseTypeName(schema: Schema, own: string, name: string): void {
  const type = schema.ownType(own, name);
  if (type === null) return;
  if (type.object.what === 'composite') throw relationTaken(name);
  throw new SvcError('42710', `type "${name}" already exists`, {
    hint: "A relation has an associated type of the same name, so you must use a name that doesn't conflict with any existing type.",
  });
}

/** `relation "x" does not exist` and similar. */
export function missing(kind: string, name: string): SvcError {
  const codes: Record<string, SqlState> = {
    table: '42P01',
    'materialized view': '42P01',
    relation: '42P01',
    view: '42P01',
    sequence: '42P01',
    schema: '3F000',
    column: '42703',
  };
  return new SvcError(codes[kind] ?? '42704', `${kind} "${name}" does not exist`);
}

/** Checks that an object may move between schemas. 0A000: objects cannot move into or out of temporary schemas. 3F000, 42501 for the target schema. */
export function mustBeMovable(schema: Schema, from: string, to: string): void {
  const isTemporary = (name: string): boolean => name === 'pg_temp' || isTemporarySchema(name);
  if (isTemporary(from) !== isTemporary(to)) throw new SvcError('0A000', 'cannot move objects into or out of temporary schemas');
  if (to === 'pg_toast') throw new SvcError('0A000', 'cannot move objects into or out of TOAST schema');
  if (from !== to) schemaMustExist(schema, to);
}

export function schemaMustExist(schema: Schema, name: string): void {
  if (name === 'pg_catalog' || name === 'information_schema') throw new SvcError('42501', `permission denied for schema ${name}`);
  if (!schema.schemas.has(name)) throw missing('schema', name);
}

export function columnIndex(table: SqlTable, name: string): number {
  const at = table.columns.findIndex((column) => column.name === name);
  if (at < 0) {
    if (isSystemColumn(name)) throw new SvcError('0A000', `cannot alter system column "${name}"`);
    throw new SvcError('42703', `column "${name}" of relation "${table.name}" does not exist`);
  }
  return at;
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['ctid', 'xmin', 'cmin', 'xmax', 'cmax', 'tableoid']);

export function isSystemColumn(name: string): boolean {
  return SYSTEM_COLUMNS.has(name);
}

/** 42701 for the name of a system column. */
export function refuseSystemColumn(name: string): void {
  if (SYSTEM_COLUMNS.has(name)) throw new SvcError('42701', `column name "${name}" conflicts with a system column name`);
}
