/**
 * What DROP says of objects that there are not: of kinds that this database has none of, of names in schemas that there are
 * not, and of functions over types that there are not. With IF EXISTS it is a notice, else an error.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { FunctionArgument, ObjectKind, ObjectName } from '../ast/define.ts';
import type { TypeName } from '../ast/type-name.ts';
import { bindTypeName } from '../bind/type-name.ts';
import { isIndexMethod } from '../schema/index-methods.ts';
import { binderOf } from './define-table.ts';
import type { SqlSession } from './sql-session.ts';

const TITLES: Partial<Record<ObjectKind, string>> = {
  statistics: 'statistics object',
};

/** A type as it was written: keywords of SQL come with the schema. */
export function writtenType({ schema, name, arrayBounds }: TypeName): string {
  return `${schema === null ? '' : `${schema}.`}${name}${arrayBounds.length > 0 ? '[]' : ''}`;
}

/** Arguments that name a routine, as they were written. */
export function writtenArguments(args: readonly FunctionArgument[]): string {
  return args
    .filter(({ mode }) => mode !== 'out' && mode !== 'table')
    .map(({ dataType }) => writtenType(dataType))
    .join(',');
}

/** `schema "s" does not exist` where the name stands in a schema that there is not; null else. */
export function absentSchema(session: SqlSession, parts: readonly string[]): string | null {
  if (parts.length < 2) return null;
  const schema = parts[parts.length - 2];
  const known = ['pg_catalog', 'information_schema', 'pg_toast', 'pg_temp'].includes(schema) || session.schema().schemas.has(schema);
  return known || schema === session.temporary.schema ? null : `schema "${schema}" does not exist`;
}

/** `type "t" does not exist` for the first type that there is not; null else. */
export function absentType(session: SqlSession, types: readonly TypeName[]): string | null {
  const binder = binderOf(session);
  binder.allowsShells = true;
  for (const type of types) {
    try {
      bindTypeName(binder, { ...type, setOf: false });
    } catch (error) {
      if (!(error instanceof SvcError) || (error.code !== '42704' && error.code !== '3F000')) throw error;
      return absentSchema(session, type.schema === null ? [type.name] : [type.schema, type.name]) ?? `type "${writtenType(type)}" does not exist`;
    }
  }
  return null;
}

/** What there is not of an object that is named with the types of its arguments: its schema, or one of them. */
export function absentOfArguments(session: SqlSession, { name, args }: ObjectName): string | null {
  const types = (args ?? []).map(({ dataType }) => dataType);
  return absentSchema(session, name) ?? absentType(session, types);
}

/** Of a kind that there are no objects of. */
export function absentObject(session: SqlSession, kind: ObjectKind, { name, dataType }: ObjectName): string {
  const last = name[name.length - 1] ?? '';
  switch (kind) {
    case 'rule': {
      const table = name.slice(0, -1);
      const schema = absentSchema(session, table);
      if (schema !== null) return schema;
      const shown = table[table.length - 1];
      const found = session.names().relation(table.length > 1 ? table[table.length - 2] : null, shown);
      return found === null ? `relation "${table.join('.')}" does not exist` : `${kind} "${last}" for relation "${table.join('.')}" does not exist`;
    }
    case 'operator class':
    case 'operator family': {
      const [method, ...own] = name;
      if (!isIndexMethod(method)) return `access method "${method}" does not exist`;
      return absentSchema(session, own) ?? `${kind} "${own.join('.')}" does not exist for access method "${method}"`;
    }
    case 'transform':
      return dataType === null
        ? 'transform does not exist'
        : (absentType(session, [dataType]) ?? `transform for type ${writtenType(dataType)} language "${last}" does not exist`);
    default:
      return absentSchema(session, name) ?? `${TITLES[kind] ?? kind} "${name.join('.')}" does not exist`;
  }
}
