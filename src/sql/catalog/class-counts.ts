/** pg_class with current row counts of tables: everything else in it belongs to the definitions, and is cached with them. */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import type { VirtualRelation } from '../plan/logical.ts';
import type { Value } from '../types/value.ts';

const OID = 0;
const RELPAGES = 9;
const RELTUPLES = 10;
const RELKIND = 16;

/** Columns of pg_class with counts. */
export const CLASS_COUNTS: readonly number[] = [RELPAGES, RELTUPLES];

/** Approximate rows per page in Postgres. */
const ROWS_A_PAGE = 100;

type Row = readonly Value[];

/** `rowsOf`: of a table or materialized view, by its number. */
export function withCounts(relation: VirtualRelation, rowsOf: (table: number) => number): VirtualRelation {
  const counted = (row: Row): Row => {
    const oid = row[OID] as number;
    if (oid < FIRST_OWN_OID || (row[RELKIND] !== 'r' && row[RELKIND] !== 'm')) return row;
    const count = rowsOf(oid);
    const out = row.slice();
    out[RELPAGES] = Math.ceil(count / ROWS_A_PAGE);
    out[RELTUPLES] = count;
    return out;
  };
  const { oid, schema, name, columns, hashed } = relation;
  return {
    oid,
    schema,
    name,
    columns,
    hashed,
    rows: () => Array.from(relation.rows(), counted),
    find: (column, value) => Array.from(relation.find(column, value), counted),
  };
}
