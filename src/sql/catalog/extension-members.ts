/**
 * Members of extensions in the catalogs. Their types, functions and operators are built in; where a world has asked for the extension
 * they stand in the schema that it was put into, and pg_depend says that they belong to it, so that dumps leave them to CREATE EXTENSION.
 */
import { EXTENSION_TYPES } from '../schema/extension-types.ts';
import type { Schema } from '../schema/schema.ts';
import { CLASS } from './fixed-oids.ts';
import type { FunctionCatalog } from './function-catalog.ts';
import type { Row } from './made-relation.ts';
import type { OperatorCatalog } from './operator-catalog.ts';

interface Source {
  readonly schema: Schema;
  readonly functions: FunctionCatalog;
  readonly operators: OperatorCatalog;
}

/** Rows whose schema is the third column, with the schemas of the extensions that bring them. */
function placed({ extensions, schemas }: Schema, rows: readonly Row[], extensionOf: (oid: number) => string | undefined): readonly Row[] {
  if (extensions.size === 0) return rows;
  return rows.map((row) => {
    const name = extensionOf(row[0] as number);
    const extension = name === undefined ? undefined : extensions.get(name);
    const schema = extension === undefined ? undefined : schemas.get(extension.schema);
    return schema === undefined ? row : row.with(2, schema);
  });
}

export function placedTypes(schema: Schema, rows: readonly Row[]): readonly Row[] {
  return placed(schema, rows, (oid) => EXTENSION_TYPES.get(oid));
}

export function placedFunctions({ schema, functions }: Source, rows: readonly Row[]): readonly Row[] {
  return placed(schema, rows, (oid) => functions.byOid.get(oid)?.fn?.extension);
}

export function placedOperators({ schema, operators }: Source, rows: readonly Row[]): readonly Row[] {
  return placed(schema, rows, (oid) => operators.byOid.get(oid)?.extension);
}

export function extensionMemberRows({ schema, functions, operators }: Source): Row[] {
  if (schema.extensions.size === 0) return [];
  const rows: Row[] = [];
  const add = (catalog: number, oid: number, name: string | undefined): void => {
    const extension = name === undefined ? undefined : schema.extensions.get(name);
    if (extension !== undefined) rows.push([catalog, oid, 0, CLASS.pg_extension, extension.number, 0, 'e']);
  };
  for (const [oid, name] of EXTENSION_TYPES) add(CLASS.pg_type, oid, name);
  for (const { oid, fn } of functions.byOid.values()) add(CLASS.pg_proc, oid, fn?.extension);
  for (const { oid, extension } of operators.byOid.values()) add(CLASS.pg_operator, oid, extension);
  return rows;
}
