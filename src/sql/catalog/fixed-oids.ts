/** Oids that Postgres fixes for catalogs and their initial contents, and those that are derived from an object's number. */
import { LANGUAGES, TABLESPACES } from '../functions/system/server-oids.ts';

/** Of the catalogs with user-defined objects. */
export const CLASS = {
  pg_type: 1247,
  pg_attribute: 1249,
  pg_proc: 1255,
  pg_class: 1259,
  pg_authid: 1260,
  pg_database: 1262,
  pg_default_acl: 826,
  pg_foreign_server: 1417,
  pg_user_mapping: 1418,
  pg_foreign_data_wrapper: 2328,
  pg_foreign_table: 3118,
  pg_attrdef: 2604,
  pg_cast: 2605,
  pg_constraint: 2606,
  pg_conversion: 2607,
  pg_language: 2612,
  pg_largeobject: 2613,
  pg_am: 2601,
  pg_amop: 2602,
  pg_amproc: 2603,
  pg_opclass: 2616,
  pg_operator: 2617,
  pg_opfamily: 2753,
  pg_extension: 3079,
  pg_namespace: 2615,
  pg_rewrite: 2618,
  pg_trigger: 2620,
  pg_policy: 3256,
  pg_statistic_ext: 3381,
  pg_collation: 3456,
  pg_event_trigger: 3466,
  pg_ts_dict: 3600,
  pg_ts_parser: 3601,
  pg_ts_config: 3602,
  pg_ts_template: 3764,
  pg_subscription: 6100,
  pg_publication: 6104,
  pg_publication_rel: 6106,
  pg_publication_namespace: 6237,
} as const;

/** The bootstrap role, the default owner. */
export const OWNER = 10;
export const PG_CATALOG = 11;
export const INFORMATION_SCHEMA = 13207;
export const PG_TOAST = 99;
export const HEAP = 2;
export const BTREE = 403;
export const DEFAULT_COLLATION = 100;
export const C_COLLATION = 950;
export const INTERNAL_LANGUAGE = 12;
export const PLPGSQL_LANGUAGE = LANGUAGES.plpgsql;
export const DEFAULT_TABLESPACE = TABLESPACES.pg_default;

/** Numbers of objects count up from 16384, so the upper half of oids is free for objects without a number of their own. */
export function rewriteOid(view: number): number {
  return 0x8000_0000 + view;
}
/** The default of a view's column. */
export function viewDefaultOid(view: number, attnum: number): number {
  return 0x9000_0000 + ((view * 64 + attnum) % 0x1000_0000);
}
/** The functions of a range type, and the cast to its multirange. */
export function rangeFunctionOid(range: number, place: number): number {
  return 0xd000_0000 + ((range * 8 + place) % 0x0800_0000);
}
export function rangeCastOid(range: number): number {
  return 0xd800_0000 + (range % 0x0800_0000);
}
/** The primary key of a document table. */
export function documentKeyOid(table: number): number {
  return 0xc000_0000 + table;
}
