/** pg_description: comments on a world's objects, and on built-in ones. */
import { CLASS } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { EXTENSIONS } from './extensions.ts';
import { CATALOG_OF } from './object-catalogs.ts';
import { commentKey } from '../schema/schema.ts';
import type { RowSource } from './system-catalog.ts';
import { systemDescriptions } from './system-descriptions.ts';

export function descriptionRows({ schema, objects }: RowSource): Row[] {
  const rows: Row[] = [];
  for (const [key, text] of schema.comments) {
    const [object, attnum] = key.split('.').map(Number);
    // Attributes of a composite type belong to its relation, comments on the type itself to pg_type.
    rows.push([object, attnum > 0 ? CLASS.pg_class : classOf({ schema, objects }, object), attnum, text]);
  }
  for (const [oid, text] of schema.largeObjectComments) rows.push([oid, CLASS.pg_largeobject, 0, text]);
  for (const { name, number } of schema.extensions.values()) {
    // A user's comment replaces the extension's.
    if (!schema.comments.has(commentKey(number, 0))) rows.push([number, CLASS.pg_extension, 0, EXTENSIONS.get(name)?.comment ?? '']);
  }
  return rows;
}

/** The same for all worlds. */
export function systemDescriptionRows(source: RowSource): Row[] {
  const rows: Row[] = [];
  for (const [catalog, texts] of systemDescriptions(source)) for (const [oid, text] of texts) rows.push([oid, catalog, 0, text]);
  return rows;
}

/** The catalog of an object. Numbers are unique, so the first match is right. */
export function classOf({ schema, objects }: Pick<RowSource, 'schema' | 'objects'>, object: number): number {
  const relation = objects.byOid.get(object);
  if (relation !== undefined && relation.kind !== 'c') return CLASS.pg_class;
  if (schema.types.has(object)) return CLASS.pg_type;
  for (const [, { policies }] of schema.secured) if (policies.some(({ number }) => number === object)) return CLASS.pg_policy;
  if (schema.functions.has(object)) return CLASS.pg_proc;
  if (schema.operators.has(object)) return CLASS.pg_operator;
  if (schema.casts.has(object)) return CLASS.pg_cast;
  for (const [, triggers] of schema.triggered) if (triggers.some(({ number }) => number === object)) return CLASS.pg_trigger;
  for (const [, rules] of schema.ruled) if (rules.some(({ number }) => number === object)) return CLASS.pg_rewrite;
  for (const oid of schema.schemas.values()) if (oid === object) return CLASS.pg_namespace;
  for (const { number } of schema.extensions.values()) if (number === object) return CLASS.pg_extension;
  const plain = schema.plain.at(object);
  if (plain !== null) return CATALOG_OF[plain.what];
  return CLASS.pg_constraint;
}
