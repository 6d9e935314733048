/** Rows of pg_depend that follow from an object's place: on its schema, its language, and (publications, statistics) on its subject. */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { PUBLIC_SCHEMA } from '../schema/schema-rights.ts';
import { CLASS, PLPGSQL_LANGUAGE } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { rangeCasts, rangeConstructors } from './range-constructors.ts';
import type { RowSource } from './system-catalog.ts';

export function scopeDependencyRows({ schema }: Pick<RowSource, 'schema'>): Row[] {
  const rows: Row[] = [];
  const add = (catalog: number, oid: number, refCatalog: number, ref: number, attnum: number, kind: 'n' | 'a' | 'i'): void => {
    rows.push([catalog, oid, 0, refCatalog, ref, attnum, kind]);
  };
  const within = (catalog: number, oid: number, name: string): void => {
    const scope = schema.schemas.get(name);
    // Built-in schemas are pinned: dependencies on them are not recorded.
    if (scope !== undefined && (scope >= FIRST_OWN_OID || scope === PUBLIC_SCHEMA)) add(catalog, oid, CLASS.pg_namespace, scope, 0, 'n');
  };
  for (const { number, schema: name } of [...schema.tables.values(), ...schema.views.values(), ...schema.sequences.values()])
    within(CLASS.pg_class, number, name);
  for (const { number, schema: name, object } of schema.types.values()) {
    within(CLASS.pg_type, number, name);
    if (object.what !== 'range') continue;
    within(CLASS.pg_type, object.multirange, name);
    add(CLASS.pg_type, object.multirange, CLASS.pg_type, number, 0, 'i');
    add(CLASS.pg_type, object.multirangeArray, CLASS.pg_type, object.multirange, 0, 'i');
  }
  for (const { object } of schema.functions.values()) {
    within(CLASS.pg_proc, object.number, object.schema);
    if (object.language === 'plpgsql') add(CLASS.pg_proc, object.number, CLASS.pg_language, PLPGSQL_LANGUAGE, 0, 'n');
  }
  for (const { object, inputs, of } of rangeConstructors(schema)) {
    within(CLASS.pg_proc, object.number, object.schema);
    add(CLASS.pg_proc, object.number, CLASS.pg_type, of, 0, 'i');
    for (const type of new Set([object.returns, ...inputs.map(({ type: { oid } }) => oid)]))
      if (type >= FIRST_OWN_OID) add(CLASS.pg_proc, object.number, CLASS.pg_type, type, 0, 'n');
  }
  for (const { oid, from, to, routine } of rangeCasts(schema)) {
    for (const type of [from, to]) add(CLASS.pg_cast, oid, CLASS.pg_type, type, 0, 'i');
    add(CLASS.pg_cast, oid, CLASS.pg_proc, routine, 0, 'i');
  }
  for (const { object } of schema.operators.values()) within(CLASS.pg_operator, object.number, object.schema);
  for (const { number, schema: name } of schema.collations.values()) within(CLASS.pg_collation, number, name);
  for (const { number, schema: name } of schema.conversions.values()) within(CLASS.pg_conversion, number, name);
  for (const { number, schema: name } of schema.searchDictionaries.values()) within(CLASS.pg_ts_dict, number, name);
  for (const { number, schema: name } of schema.searchConfigurations.values()) within(CLASS.pg_ts_config, number, name);
  for (const { number, schema: name, table, columns } of schema.extendedStatistics.values()) {
    within(CLASS.pg_statistic_ext, number, name);
    const attnums = schema.tables.get(table)?.columns.flatMap((column) => (columns.includes(column.number) ? [column.attnum] : [])) ?? [];
    for (const attnum of attnums.length === 0 ? [0] : attnums) add(CLASS.pg_statistic_ext, number, CLASS.pg_class, table, attnum, 'a');
  }
  for (const { number, publication, table } of schema.plain.of('publication table').values()) {
    add(CLASS.pg_publication_rel, number, CLASS.pg_class, table, 0, 'a');
    add(CLASS.pg_publication_rel, number, CLASS.pg_publication, publication, 0, 'a');
  }
  for (const { number, publication, namespace } of schema.plain.of('publication schema').values()) {
    add(CLASS.pg_publication_namespace, number, CLASS.pg_namespace, namespace, 0, 'a');
    add(CLASS.pg_publication_namespace, number, CLASS.pg_publication, publication, 0, 'a');
  }
  return rows;
}
