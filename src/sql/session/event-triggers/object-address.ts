/** Where an object stands in the catalogs: its catalog, oid and column number. */
import { rowTypeOid, type CatalogObject } from '../../../worlds/definition.ts';
import type { ObjectKind } from '../../ast/define.ts';
import { CLASS, EVENT_TRIGGER_CLASS } from '../../catalog/fixed-oids.ts';

export interface ObjectAddress {
  readonly catalog: number;
  readonly oid: number;
  readonly column: number;
}

const COLLATIONS = 3456;
const STATISTICS = 3381;
const DICTIONARIES = 3600;
const CONFIGURATIONS = 3602;
const PUBLICATIONS = 6104;

const CATALOGS: Partial<Record<CatalogObject['what'], number>> = {
  relation: CLASS.pg_class,
  table: CLASS.pg_class,
  view: CLASS.pg_class,
  sequence: CLASS.pg_class,
  index: CLASS.pg_class,
  check: CLASS.pg_constraint,
  'foreign key': CLASS.pg_constraint,
  schema: CLASS.pg_namespace,
  enum: CLASS.pg_type,
  domain: CLASS.pg_type,
  composite: CLASS.pg_type,
  range: CLASS.pg_type,
  function: CLASS.pg_proc,
  operator: CLASS.pg_operator,
  cast: CLASS.pg_cast,
  extension: CLASS.pg_extension,
  policy: CLASS.pg_policy,
  trigger: CLASS.pg_trigger,
  rule: CLASS.pg_rewrite,
  collation: COLLATIONS,
  'extended statistics': STATISTICS,
  'text search dictionary': DICTIONARIES,
  'text search configuration': CONFIGURATIONS,
  publication: PUBLICATIONS,
  'publication table': 6106,
  'publication schema': 6237,
};

/** By the word that commands have for an object. */
const KINDS: Partial<Record<ObjectKind, number>> = {
  table: CLASS.pg_class,
  view: CLASS.pg_class,
  'materialized view': CLASS.pg_class,
  sequence: CLASS.pg_class,
  index: CLASS.pg_class,
  column: CLASS.pg_class,
  constraint: CLASS.pg_constraint,
  'domain constraint': CLASS.pg_constraint,
  schema: CLASS.pg_namespace,
  type: CLASS.pg_type,
  domain: CLASS.pg_type,
  function: CLASS.pg_proc,
  procedure: CLASS.pg_proc,
  routine: CLASS.pg_proc,
  aggregate: CLASS.pg_proc,
  operator: CLASS.pg_operator,
  cast: CLASS.pg_cast,
  extension: CLASS.pg_extension,
  policy: CLASS.pg_policy,
  trigger: CLASS.pg_trigger,
  rule: CLASS.pg_rewrite,
  collation: COLLATIONS,
  statistics: STATISTICS,
  'text search dictionary': DICTIONARIES,
  'text search configuration': CONFIGURATIONS,
  publication: PUBLICATIONS,
  'event trigger': EVENT_TRIGGER_CLASS,
};

/** null for what has no oid of its own. */
export function addressOf(object: CatalogObject): ObjectAddress | null {
  if (object.what === 'attribute') return { catalog: CLASS.pg_class, oid: object.table, column: object.attnum };
  const catalog = CATALOGS[object.what];
  return catalog === undefined || !('number' in object) ? null : { catalog, oid: object.number, column: 0 };
}

export function addressByKind(kind: ObjectKind, oid: number, column = 0): ObjectAddress | null {
  const catalog = KINDS[kind];
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
