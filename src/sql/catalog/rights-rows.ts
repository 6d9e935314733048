/** Owners, privileges and labels in the catalogs. */
import { type Acl, itemText } from '../schema/acl.ts';
import type { Schema } from '../schema/schema.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { Value } from '../types/value.ts';
import { rolesOf } from './catalog-session.ts';
import { CLASS } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

/** A value of type aclitem[]; null for default privileges. */
export function aclValue(acl: Acl | null): Value {
  return acl === null ? null : new ArrayValue(acl.map(itemText));
}

export function ownerName({ schema, session }: RowSource, object: number): string {
  const oid = schema.ownerOf(object);
  return rolesOf(session).byOid(oid)?.name ?? `unknown (OID=${oid})`;
}

/** Rows of pg_proc and pg_type with changed privileges of built-in objects: the ACL is the last column. */
export function withSystemRights(schema: Schema, rows: readonly Row[]): readonly Row[] {
  if (schema.systemRights.length === 0) return rows;
  const changed = new Set(schema.systemRights);
  return rows.map((row) => (changed.has(row[0] as number) ? row.with(-1, aclValue(schema.aclOf(row[0] as number))) : row));
}

/** Of a row of pg_default_acl, by its position. */
export function defaultAclOid(place: number): number {
  return 0xb000_0000 + place;
}

export function defaultAclRows(schema: Schema): Row[] {
  return schema.defaultRights.map(({ role, scope, kind, acl }, i) => [defaultAclOid(i), role, scope, kind, new ArrayValue(acl)]);
}

function* labels(schema: Schema): Iterable<{ object: number; attnum: number; text: string }> {
  for (const [key, text] of schema.labels) {
    const [object, attnum] = key.split('.').map(Number);
    yield { object, attnum, text };
  }
}

export function labelRows(schema: Schema): Row[] {
  return [...labels(schema)].map(({ object, attnum, text }) => [object, CLASS.pg_class, attnum, 'anon', text]);
}

export function namedLabelRows(schema: Schema): Row[] {
  return [...labels(schema)].map(({ object, attnum, text }) => {
    const table = schema.tables.get(object);
    const column = table?.columns.find((each) => each.attnum === attnum);
    const namespace = table === undefined ? null : (schema.schemas.get(table.schema) ?? null);
    return [object, CLASS.pg_class, attnum, 'column', namespace, `${table?.name ?? object}.${column?.name ?? attnum}`, 'anon', text];
  });
}
