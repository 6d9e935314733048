/** The address of an object in the catalogs: catalog, oid and column number. */
import { rowTypeOid, type CatalogObject } from '../../../worlds/definition.ts';
import type { ObjectKind } from '../../ast/define.ts';
import { CLASS } from '../../catalog/fixed-oids.ts';
import { CATALOG_OF } from '../../catalog/object-catalogs.ts';

export interface ObjectAddress {
  readonly catalog: number;
  readonly oid: number;
  readonly column: number;
}

/** By the kind of object, and by the words that commands use for it. */
const CATALOGS: Readonly<Record<string, number | undefined>> = {
  ...CATALOG_OF,
  'materialized view': CLASS.pg_class,
  'foreign table': CLASS.pg_class,
  column: CLASS.pg_class,
  constraint: CLASS.pg_constraint,
  'domain constraint': CLASS.pg_constraint,
  type: CLASS.pg_type,
  procedure: CLASS.pg_proc,
  routine: CLASS.pg_proc,
  aggregate: CLASS.pg_proc,
  statistics: CLASS.pg_statistic_ext,
};

/** null if it has no oid of its own. */
export function addressOf(object: CatalogObject): ObjectAddress | null {
  if (object.what === 'attribute') return { catalog: CLASS.pg_class, oid: object.table, column: object.attnum };
  const catalog = CATALOGS[object.what];
  return catalog === undefined || !('number' in object) ? null : { catalog, oid: object.number, column: 0 };
}

export function addressByKind(kind: ObjectKind, oid: number, column = 0): ObjectAddress | null {
  const catalog = CATALOGS[kind];
  return catalog === undefined ? null : { catalog, oid, column };
}

export function relationAddress(oid: number, column = 0): ObjectAddress {
  return { catalog: CLASS.pg_class, oid, column };
}

export function constraintAddress(oid: number): ObjectAddress {
  return { catalog: CLASS.pg_constraint, oid, column: 0 };
}

export function typeAddress(oid: number): ObjectAddress {
  return { catalog: CLASS.pg_type, oid, column: 0 };
}

export function rowTypeAddress(relation: number): ObjectAddress {
  return typeAddress(rowTypeOid(relation));
}

/** Defaults of columns have the numbers of their columns. */
export function defaultAddress(oid: number): ObjectAddress {
  return { catalog: CLASS.pg_attrdef, oid, column: 0 };
}

export function ruleAddress(oid: number): ObjectAddress {
  return { catalog: CLASS.pg_rewrite, oid, column: 0 };
}
