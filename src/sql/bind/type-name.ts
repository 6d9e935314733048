/** Names of types as written, as types with their modifiers. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { SqlType } from '../types/type.ts';
import { typeModifier } from '../types/type-modifier.ts';
import { type Binder, fail } from './binder.ts';

/** Types that Postgres knows by CREATE EXTENSION alone. */
const EXTENSION_TYPES: ReadonlySet<string> = new Set(['vector', 'citext', 'hstore']);

export interface NamedType {
  readonly type: SqlType;
  readonly typmod: number;
}

export function bindTypeName(binder: Binder, name: TypeName): NamedType {
  if (name.columnOf !== null) return typeOfColumn(binder, name.columnOf, name.name, name.at);
  const type = findType(binder, name.schema, name.name);
  if (type === null && name.schema !== null && !binder.names.hasSchema(name.schema)) fail('3F000', `schema "${name.schema}" does not exist`, name.at);
  if (type === null)
    fail('42704', `type "${name.schema === null || name.schema === 'pg_catalog' ? '' : `${name.schema}.`}${name.name}" does not exist`, name.at);
  if (type.shell === true && name.arrayBounds.length > 0) fail('42704', `type "${name.name}[]" does not exist`, name.at);
  if (type.shell === true && !binder.allowsShells) fail('42704', `type "${name.name}" is only a shell`, name.at);
  if (binder.depth === 0) binder.recording?.types.set(name, type.oid);
  const typmod = typmodOf(type, name);
  if (name.arrayBounds.length > 0) return { type: type.element !== null ? type : binder.coercion.arrayOf(type), typmod };
  return { type, typmod };
}

/** `table.column%TYPE`. */
function typeOfColumn(binder: Binder, parts: readonly string[], column: string, at: number): NamedType {
  const table = parts[parts.length - 1];
  const found = binder.names.relation(parts.length > 1 ? parts[parts.length - 2] : null, table);
  if (found?.kind !== 'table') fail('42P01', `relation "${parts.join('.')}" does not exist`, at);
  const own = found.table.columns.find(({ name }) => name === column);
  if (own === undefined) fail('42703', `column "${column}" of relation "${table}" does not exist`, at);
  return { type: own.type, typmod: own.typmod };
}

export function findType(binder: Binder, schema: string | null, name: string): SqlType | null {
  if (schema === null || schema === 'pg_catalog') {
    const known = binder.registry.findType(name);
    if (known !== undefined && binder.names.hidesType?.(known.oid) !== true) return known;
    if (schema !== null) return null;
  }
  const own = binder.names.userType(schema, name, binder.unchecked);
  if (own !== null || schema === null || !EXTENSION_TYPES.has(name) || !binder.names.hasSchema(schema)) return own;
  // Dumps write the schema that the extension was put into.
  return binder.registry.findType(name) ?? null;
}

function typmodOf(type: SqlType, name: TypeName): number {
  if (name.typmods.length === 0) return -1;
  const values = name.typmods.map((each) => {
    if (each.type === 'integer') return each.value;
    if (each.type === 'operator' && each.left === null && each.operator.name === '-' && each.right.type === 'integer') return -each.right.value;
    return fail('22023', 'type modifiers must be simple constants or identifiers', each.at);
  });
  try {
    return typeModifier(type, values);
  } catch (error) {
    if (error instanceof SvcError) fail(error.code, error.message, name.at);
    throw error;
  }
}
