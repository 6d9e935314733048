/**
 * Members of extensions in the catalogs. Their types, functions and operators are built in; where a world has asked for the extension
 * they stand in the schema that it was put into, and pg_depend says that they belong to it, so that dumps leave them to CREATE EXTENSION.
 */
import { EXTENSION_TYPES, HIDDEN_TYPES, isHiddenType } from '../schema/extension-types.ts';
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

/** Of a list of rows, what stands there by the extensions that a world has. */
const placedBefore = new WeakMap<readonly Row[], Map<string, readonly Row[]>>();
const PLACED_MAX = 16;

/**
 * Rows whose schema is the third column, with the schemas of the extensions that bring them; those of extensions whose types are
 * hidden are not there. The same list for the same extensions.
 */
function placed(schema: Schema, rows: readonly Row[], extensionOf: (oid: number) => string | undefined): readonly Row[] {
  const extensions = [...schema.extensions.values()];
  const key = extensions.map(({ name, schema: place }) => `${name} ${schema.schemas.get(place)}`).join(';');
  let byKey = placedBefore.get(rows);
  if (byKey === undefined) placedBefore.set(rows, (byKey = new Map()));
  let known = byKey.get(key);
  if (known === undefined) {
    if (byKey.size >= PLACED_MAX) byKey.clear();
    const hidden = new Set(HIDDEN_TYPES.filter((oid) => isHiddenType(schema, oid)).map((oid) => EXTENSION_TYPES.get(oid)));
    const places = new Map(extensions.map(({ name, schema: place }) => [name, schema.schemas.get(place)]));
    byKey.set(key, (known = rows.flatMap((row) => placedRow(row, extensionOf(row[0] as number), places, hidden))));
  }
  return known;
}

function placedRow(row: Row, extension: string | undefined, places: ReadonlyMap<string, number | undefined>, hidden: ReadonlySet<string | undefined>): Row[] {
  if (extension === undefined) return [row];
  if (hidden.has(extension)) return [];
  const place = places.get(extension);
  return [place === undefined ? row : row.with(2, place)];
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
