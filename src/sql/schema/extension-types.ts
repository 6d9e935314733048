/**
 * Types of extensions. They are built in; after CREATE EXTENSION they are known in the extension's schema. Some are hidden before
 * that: clients look for their names to detect features.
 */
import { OID } from './oids.ts';
import type { Schema } from './schema.ts';

/** Each is followed by its array type. */
const TYPES: readonly (readonly [oid: number, extension: string])[] = [
  [OID.citext, 'citext'],
  [OID.hstore, 'hstore'],
  [OID.query_int, 'intarray'],
  [OID.ltree, 'ltree'],
  [OID.lquery, 'ltree'],
  [OID.ltxtquery, 'ltree'],
  [OID.vector, 'vector'],
  [OID.halfvec, 'vector'],
  [OID.sparsevec, 'vector'],
];

const EXTENSIONS: ReadonlyMap<number, string> = new Map(
  TYPES.flatMap(([oid, extension]): [number, string][] => [
    [oid, extension],
    [oid + 1, extension],
  ]),
);

/** The types that are hidden before CREATE EXTENSION. */
export const HIDDEN_TYPES: readonly number[] = [...EXTENSIONS.keys()].filter((oid) => EXTENSIONS.get(oid) !== 'vector');

/** The extension of each type, hidden or not. */
export const EXTENSION_TYPES: ReadonlyMap<number, string> = EXTENSIONS;

/** A type that works without CREATE EXTENSION is also hidden if the world has a type of its own by that name. */
export function isHiddenType(schema: Pick<Schema, 'extensions' | 'schemas' | 'typeByName'>, oid: number): boolean {
  const name = EXTENSIONS.get(oid);
  if (name === undefined || schema.extensions.get(name) !== undefined) return false;
  if (HIDDEN_TYPES.includes(oid)) return true;
  for (const each of schema.schemas.keys()) if (schema.typeByName(each, name) !== null) return true;
  return false;
}

/** The schema of the extension that provides the type; null for other types, and before CREATE EXTENSION. */
export function extensionSchemaOf({ extensions }: Pick<Schema, 'extensions'>, oid: number): string | null {
  const name = EXTENSIONS.get(oid);
  return name === undefined ? null : (extensions.get(name)?.schema ?? null);
}
