/** Resolves type names with their modifiers. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TypeName } from '../ast/type-name.ts';
import { columnsOf } from '../types/record-type.ts';
import type { SqlType } from '../types/type.ts';
import { reducedPrecision, typeModifier } from '../types/type-modifier.ts';
import { type Binder, fail } from './binder.ts';

/** Types that Postgres has only after CREATE EXTENSION. */
const EXTENSION_TYPES: ReadonlySet<string> = new Set(['vector', 'halfvec', 'sparsevec', 'citext', 'hstore', 'query_int', 'ltree', 'lquery', 'ltxtquery']);

/** Domains of the SQL standard's views, as their base types. */
const STANDARD_DOMAINS: Readonly<Record<string, string | undefined>> = {
  cardinal_number: 'int4',
  character_data: 'varchar',
  sql_identifier: 'name',
  time_stamp: 'timestamptz',
  yes_or_no: 'varchar',
};

export interface NamedType {
  readonly type: SqlType;
  readonly typmod: number;
}

/** `placed`: warnings have the name's position, as in expressions and columns. */
export function bindTypeName(binder: Binder, name: TypeName, placed = true): NamedType {
  if (name.columnOf !== null) return typeOfColumn(binder, name.columnOf, name.name);
  const type = findType(binder, name.schema, name.name);
  if (type === null && name.schema !== null && !binder.names.hasSchema(name.schema)) fail('3F000', `schema "${name.schema}" does not exist`, name.at);
  if (type === null)
    fail('42704', `type "${name.schema === null || name.schema === 'pg_catalog' ? '' : `${name.schema}.`}${name.name}" does not exist`, name.at);
  if (type.shell === true && name.arrayBounds.length > 0) fail('42704', `type "${name.name}[]" does not exist`, name.at);
  if (type.shell === true && !binder.allowsShells) fail('42704', `type "${name.name}" is only a shell`, name.at);
  if (binder.depth === 0) binder.recording?.types.set(name, type.oid);
  const typmod = typmodOf(binder, type, name, placed);
  if (name.arrayBounds.length > 0) return { type: type.element !== null ? type : binder.coercion.arrayOf(type), typmod };
  return { type, typmod };
}

/** `table.column%TYPE`: of any relation with columns. */
function typeOfColumn(binder: Binder, parts: readonly string[], column: string): NamedType {
  const table = parts[parts.length - 1];
  const schema = parts.length > 1 ? parts[parts.length - 2] : null;
  if (schema !== null && !binder.names.hasSchema(schema)) throw new SvcError('3F000', `schema "${schema}" does not exist`);
  const columns = columnsNamed(binder, schema, table);
  if (columns === null) throw new SvcError('42P01', `relation "${parts.join('.')}" does not exist`);
  const own = columns.find(({ name }) => name === column);
  if (own === undefined) throw new SvcError('42703', `column "${column}" of relation "${table}" does not exist`);
  return { type: own.type, typmod: own.typmod ?? -1 };
}

function columnsNamed({ names }: Binder, schema: string | null, name: string): readonly { name: string; type: SqlType; typmod?: number }[] | null {
  const found = names.relation(schema, name);
  switch (found?.kind) {
    case 'table':
      return found.table.columns;
    case 'view':
      return rowColumns(names.rowType?.(found.number));
    case 'virtual':
      return found.relation.columns;
    case 'other':
      return null;
    default:
      return rowColumns(names.userType(schema, name));
  }
}

function rowColumns(type: SqlType | null | undefined): ReturnType<typeof columnsOf> {
  return type === null || type === undefined ? null : columnsOf(type);
}

export function findType(binder: Binder, schema: string | null, name: string): SqlType | null {
  if (schema === null || schema === 'pg_catalog') {
    const known = binder.registry.findType(name);
    if (known !== undefined && binder.names.hidesType?.(known.oid) !== true) return known;
    if (schema !== null) return binder.names.userType(schema, name);
  }
  if (schema === 'information_schema') {
    const domain = STANDARD_DOMAINS[name];
    if (domain !== undefined) return binder.registry.type(domain);
  }
  const own = binder.names.userType(schema, name, binder.unchecked);
  if (own !== null || schema === null || !EXTENSION_TYPES.has(name) || !binder.names.hasSchema(schema)) return own;
  // Dumps write the schema of an extension.
  return binder.registry.findType(name) ?? null;
}

function typmodOf(binder: Binder, type: SqlType, name: TypeName, placed: boolean): number {
  if (name.typmods.length === 0) return -1;
  const values = name.typmods.map((each) => {
    if (each.type === 'integer') return each.value;
    if (each.type === 'operator' && each.left === null && each.operator.name === '-' && each.right.type === 'integer') return -each.right.value;
    return fail('22023', 'type modifiers must be simple constants or identifiers', each.at);
  });
  try {
    const reduced = reducedPrecision(type, values);
    if (reduced !== null) binder.env.system?.notice('22023', reduced, placed ? name.at + 1 : undefined, 'WARNING');
    return typeModifier(type, values);
  } catch (error) {
    if (error instanceof SvcError) fail(error.code, error.message, name.at);
    throw error;
  }
}
