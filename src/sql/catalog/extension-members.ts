/**
 * Members of extensions in the catalogs. Their types, functions and operators are built in; after CREATE EXTENSION they are in the
 * extension's schema, and pg_depend marks them as members, so that dumps leave them to CREATE EXTENSION.
 */
import { EXTENSION_TYPES, HIDDEN_TYPES, isHiddenType } from '../schema/extension-types.ts';
import type { Schema } from '../schema/schema.ts';
import { RELATION_EXTENSIONS } from './extension-relations.ts';
import { CLASS } from './fixed-oids.ts';
import type { FunctionCatalog } from './function-catalog.ts';
import type { Row } from './made-relation.ts';
import type { OperatorCatalog } from './operator-catalog.ts';

interface Source {
  readonly schema: Schema;
  readonly functions: FunctionCatalog;
  readonly operators: OperatorCatalog;
}

/** A list of rows, filtered by the extensions of a world. */
const seenBefore = new WeakMap<readonly Row[], Map<string, readonly Row[]>>();
const LISTS_MAX = 16;

/** Rows without hidden types of extensions, with the schema of the extension for its members if the rows have one. The same list for the same extensions. */
function seen(
  schema: Schema,
  rows: readonly Row[],
  schemaColumn: number | null,
  extensionOf: (row: Row) => string | undefined,
  onceCreated = false,
): readonly Row[] {
  const extensions = [...schema.extensions.values()];
  const key = extensions.map(({ name, schema: place }) => `${name} ${schema.schemas.get(place)}`).join(';');
  let byKey = seenBefore.get(rows);
  if (byKey === undefined) seenBefore.set(rows, (byKey = new Map()));
  let known = byKey.get(key);
  if (known === undefined) {
    if (byKey.size >= LISTS_MAX) byKey.clear();
    const hidden = new Set(HIDDEN_TYPES.filter((oid) => isHiddenType(schema, oid)).map((oid) => EXTENSION_TYPES.get(oid)));
    const places = new Map(extensions.map(({ name, schema: place }) => [name, schema.schemas.get(place)]));
    known = rows.flatMap((row) => {
      const extension = extensionOf(row);
      if (extension === undefined) return [row];
      const place = places.get(extension);
      if (hidden.has(extension) || (onceCreated && place === undefined)) return [];
      return [place === undefined || schemaColumn === null ? row : row.with(schemaColumn, place)];
    });
    byKey.set(key, known);
  }
  return known;
}

export function seenTypes(schema: Schema, rows: readonly Row[]): readonly Row[] {
  return seen(schema, rows, 2, ([oid]) => EXTENSION_TYPES.get(oid as number));
}

/** Rows of relations, whose oid is the first column, with their schema in this one; those of views of extensions once they were created. */
export function seenRelations(schema: Schema, rows: readonly Row[], oidColumn: number, schemaColumn: number | null): readonly Row[] {
  return seen(schema, rows, schemaColumn, (row) => RELATION_EXTENSIONS.get(row[oidColumn] as number), true);
}

export function seenFunctions({ schema, functions }: Source, rows: readonly Row[]): readonly Row[] {
  return seen(schema, rows, 2, ([oid]) => functions.byOid.get(oid as number)?.fn?.extension);
}

export function seenOperators({ schema, operators }: Source, rows: readonly Row[]): readonly Row[] {
  return seen(schema, rows, 2, ([oid]) => operators.byOid.get(oid as number)?.extension);
}

export function seenCasts(schema: Schema, rows: readonly Row[]): readonly Row[] {
  return seen(schema, rows, null, ([, source, target]) => EXTENSION_TYPES.get(source as number) ?? EXTENSION_TYPES.get(target as number));
}

export function extensionMemberRows({ schema, functions, operators }: Source): Row[] {
  if (schema.extensions.size === 0) return [];
  const rows: Row[] = [];
  const add = (catalog: number, oid: number, name: string | undefined): void => {
    const extension = name === undefined ? undefined : schema.extensions.get(name);
    if (extension !== undefined) rows.push([catalog, oid, 0, CLASS.pg_extension, extension.number, 0, 'e']);
  };
  for (const [oid, name] of RELATION_EXTENSIONS) add(CLASS.pg_class, oid, name);
  for (const [oid, name] of EXTENSION_TYPES) add(CLASS.pg_type, oid, name);
  for (const { oid, fn } of functions.byOid.values()) add(CLASS.pg_proc, oid, fn?.extension);
  for (const { oid, extension } of operators.byOid.values()) add(CLASS.pg_operator, oid, extension);
  return rows;
}
