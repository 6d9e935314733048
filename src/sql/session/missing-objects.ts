/**
 * DROP of missing objects: objects of kinds that this database does not have, names in missing schemas, functions over missing
 * types. With IF EXISTS the message is a notice, otherwise an error.
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

/** The type as written; types that are SQL keywords are shown with their schema. */
export function writtenType({ schema, name, arrayBounds }: TypeName): string {
  return `${schema === null ? '' : `${schema}.`}${name}${arrayBounds.length > 0 ? '[]' : ''}`;
}

/** The argument types of a routine, as written. */
export function writtenArguments(args: readonly FunctionArgument[]): string {
  return args
    .filter(({ mode }) => mode !== 'out' && mode !== 'table')
    .map(({ dataType }) => writtenType(dataType))
    .join(',');
}

/** `schema "s" does not exist` if the name is qualified with a missing schema; otherwise null. */
export function missingSchema(session: SqlSession, parts: readonly string[]): string | null {
  if (parts.length < 2) return null;
  const schema = parts[parts.length - 2];
  const known = ['pg_catalog', 'information_schema', 'pg_toast', 'pg_temp'].includes(schema) || session.schema().schemas.has(schema);
  return known || schema === session.temporary.schema ? null : `schema "${schema}" does not exist`;
}

/** `type "t" does not exist` for the first missing type; otherwise null. */
export function missingType(session: SqlSession, types: readonly TypeName[]): string | null {
  const binder = binderOf(session);
  binder.allowsShells = true;
  for (const type of types) {
    try {
      bindTypeName(binder, { ...type, setOf: false });
    } catch (error) {
      if (!(error instanceof SvcError) || (error.code !== '42704' && error.code !== '3F000')) throw error;
      return missingSchema(session, type.schema === null ? [type.name] : [type.schema, type.name]) ?? `type "${writtenType(type)}" does not exist`;
    }
  }
  return null;
}

/** What is missing of an object named by argument types: its schema, or one of the types. */
export function missingOfArguments(session: SqlSession, { name, args }: ObjectName): string | null {
  const types = (args ?? []).map(({ dataType }) => dataType);
  return missingSchema(session, name) ?? missingType(session, types);
}

/** An object of a kind that this database never has. */
export function missingObject(session: SqlSession, kind: ObjectKind, { name, dataType }: ObjectName): string {
  const last = name[name.length - 1] ?? '';
  switch (kind) {
    case 'rule': {
      const table = name.slice(0, -1);
      const schema = missingSchema(session, table);
      if (schema !== null) return schema;
      const shown = table[table.length - 1];
      const found = session.names().relation(table.length > 1 ? table[table.length - 2] : null, shown);
      return found === null ? `relation "${table.join('.')}" does not exist` : `${kind} "${last}" for relation "${table.join('.')}" does not exist`;
    }
    case 'operator class':
    case 'operator family': {
      const [method, ...own] = name;
      if (!isIndexMethod(method)) return `access method "${method}" does not exist`;
      return missingSchema(session, own) ?? `${kind} "${own.join('.')}" does not exist for access method "${method}"`;
    }
    case 'transform':
      return dataType === null
        ? 'transform does not exist'
        : (missingType(session, [dataType]) ?? `transform for type ${writtenType(dataType)} language "${last}" does not exist`);
    default:
      return missingSchema(session, name) ?? `${TITLES[kind] ?? kind} "${name.join('.')}" does not exist`;
  }
}
