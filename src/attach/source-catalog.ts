/** Definitions of tables as the catalogs of the external Postgres have them, read in the snapshot that is copied. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { SourceConnection } from './source-connection.ts';
import { writtenName } from './written-names.ts';

export interface SourceColumn {
  readonly name: string;
  readonly attnum: number;
  /** As `format_type` names it. */
  readonly type: string;
  readonly typeOid: number;
  readonly notNull: boolean;
  readonly default: string | null;
  /** `a` always, `d` by default. */
  readonly identity: string;
  readonly generated: boolean;
  /** A collation that is not the type's own, as SQL. */
  readonly collation: string | null;
  readonly comment: string | null;
}

export interface SourceConstraint {
  readonly name: string;
  /** As in pg_constraint: p, u, c, f, x. */
  readonly kind: string;
  readonly text: string;
  /** Numbers of columns. */
  readonly columns: readonly number[];
  /** Of a foreign key: the referenced table. */
  readonly target: number;
  readonly deferrable: boolean;
  readonly valid: boolean;
  /** Postgres 18 has constraints that are not checked. */
  readonly enforced: boolean;
  readonly comment: string | null;
}

export interface SourceIndex {
  readonly name: string;
  readonly text: string;
  readonly unique: boolean;
  readonly comment: string | null;
}

export interface SourceTable {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As in pg_class: r, p, v, m, f. */
  readonly kind: string;
  readonly temporary: boolean;
  readonly partition: boolean;
  readonly parents: boolean;
  readonly children: boolean;
  readonly rowSecurity: boolean;
  /** Names of its rules for INSERT, UPDATE and DELETE. */
  readonly rules: readonly string[];
  /** What the connection's role lacks of SELECT on the table and USAGE on the schema. */
  readonly readable: boolean;
  readonly comment: string | null;
  /** The planner's estimate. */
  readonly rows: number;
  readonly columns: readonly SourceColumn[];
  readonly constraints: readonly SourceConstraint[];
  readonly indexes: readonly SourceIndex[];
}

export interface SourceSchema {
  readonly name: string;
  readonly comment: string | null;
}

const IS_SYSTEM = /^(pg_|information_schema$)/;

/** Oids of the tables that are named, `name` or `schema.name`; 42P01 names all that do not exist. */
export async function tablesNamed(from: SourceConnection, names: readonly string[]): Promise<number[]> {
  const missing: string[] = [];
  const oids: number[] = [];
  for (const name of names) {
    const { schema, table } = writtenName(name);
    const [found] = await from.rows(
      `SELECT c.oid FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
      [schema ?? 'public', table],
    );
    if (found === undefined) missing.push(name);
    else if (!oids.includes(Number(found[0]))) oids.push(Number(found[0]));
  }
  if (missing.length > 0) {
    throw new SvcError('42P01', `there is no table ${missing.join(', ')} in database ${from.shown}`, {
      hint: 'Write schema.table for tables outside of public, and names with dots or commas in double quotes.',
    });
  }
  return oids;
}

/** Oids of all tables of a schema; views are left out. 3F000 if there is no such schema, 42P01 if it has no table. */
export async function tablesOfSchema(from: SourceConnection, schema: string): Promise<number[]> {
  const [exists] = await from.rows('SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
  if (exists === undefined || IS_SYSTEM.test(schema)) throw new SvcError('3F000', `there is no schema "${schema}" to attach in database ${from.shown}`);
  const rows = await from.rows(`SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = $1 AND relkind IN ('r', 'p', 'f') ORDER BY relname`, [exists[0]]);
  if (rows.length === 0) throw new SvcError('42P01', `schema "${schema}" of database ${from.shown} has no table`);
  return rows.map(([oid]) => Number(oid));
}

/** The schemas of these names. */
export async function readSchemas(from: SourceConnection, names: readonly string[]): Promise<SourceSchema[]> {
  const rows = await from.rows(
    `SELECT nspname, pg_catalog.obj_description(oid, 'pg_namespace') FROM pg_catalog.pg_namespace WHERE nspname = ANY ($1::text[])`,
    [names],
  );
  return rows.map(([name, comment]) => ({ name: name!, comment }));
}

export async function readTables(from: SourceConnection, oids: readonly number[]): Promise<SourceTable[]> {
  const list = [oids.map(String)];
  const tables = await from.rows(
    `SELECT c.oid, n.nspname, c.relname, c.relkind, c.relpersistence = 't', c.relispartition,
        EXISTS (SELECT FROM pg_catalog.pg_inherits WHERE inhrelid = c.oid), EXISTS (SELECT FROM pg_catalog.pg_inherits WHERE inhparent = c.oid),
        c.relrowsecurity, pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT'),
        pg_catalog.obj_description(c.oid, 'pg_class'), c.reltuples::int8,
        (SELECT pg_catalog.json_agg(r.rulename ORDER BY r.rulename) FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = c.oid AND r.ev_type IN ('2', '3', '4') AND r.ev_enabled IN ('O', 'A'))
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = ANY ($1::oid[]) ORDER BY n.nspname, c.relname`,
    list,
  );
  const columns = await from.rows(
    `SELECT a.attrelid, a.attname, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypid, a.attnotnull, pg_catalog.pg_get_expr(d.adbin, d.adrelid),
        a.attidentity, a.attgenerated <> '',
        CASE WHEN a.attcollation <> 0 AND a.attcollation <> t.typcollation THEN (
          SELECT pg_catalog.format('%I.%I', cn.nspname, co.collname) FROM pg_catalog.pg_collation AS co JOIN pg_catalog.pg_namespace AS cn ON cn.oid = co.collnamespace WHERE co.oid = a.attcollation
        ) END, pg_catalog.col_description(a.attrelid, a.attnum)
      FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum`,
    list,
  );
  const constraints = await from.rows(
    `SELECT conrelid, conname, contype, pg_catalog.pg_get_constraintdef(oid), conkey, confrelid, condeferrable, convalidated, pg_catalog.obj_description(oid, 'pg_constraint'),
        coalesce(pg_catalog.to_jsonb(c) ->> 'conenforced', 'true')
      FROM pg_catalog.pg_constraint AS c WHERE conrelid = ANY ($1::oid[]) AND contype IN ('p', 'u', 'c', 'f', 'x') ORDER BY conrelid, conname`,
    list,
  );
  const indexes = await from.rows(
    `SELECT i.indrelid, c.relname, pg_catalog.pg_get_indexdef(i.indexrelid), i.indisunique, pg_catalog.obj_description(c.oid, 'pg_class')
      FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
      WHERE i.indrelid = ANY ($1::oid[]) AND i.indisvalid AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
      ORDER BY i.indrelid, c.relname`,
    list,
  );
  const of = (rows: (string | null)[][], oid: string): (string | null)[][] => rows.filter(([table]) => table === oid);
  return tables.map(([oid, schema, name, kind, temporary, partition, parents, children, rowSecurity, readable, comment, rows, rules]) => ({
    oid: Number(oid),
    schema: schema!,
    name: name!,
    kind: kind!,
    temporary: temporary === 't',
    partition: partition === 't',
    parents: parents === 't',
    children: children === 't',
    rowSecurity: rowSecurity === 't',
    rules: rules === null ? [] : (JSON.parse(rules) as string[]),
    readable: readable === 't',
    comment,
    rows: Math.max(0, Number(rows)),
    columns: of(columns, oid!).map(([, column, attnum, type, typeOid, notNull, standard, identity, generated, collation, said]) => ({
      name: column!,
      attnum: Number(attnum),
      type: type!,
      typeOid: Number(typeOid),
      notNull: notNull === 't',
      default: standard,
      identity: identity!,
      generated: generated === 't',
      collation,
      comment: said,
    })),
    constraints: of(constraints, oid!).map(([, constraint, contype, text, keys, target, deferrable, valid, said, enforced]) => ({
      name: constraint!,
      kind: contype!,
      text: text!,
      columns: (keys ?? '{}').slice(1, -1).split(',').filter(Boolean).map(Number),
      target: Number(target),
      deferrable: deferrable === 't',
      valid: valid === 't',
      enforced: enforced === 'true',
      comment: said,
    })),
    indexes: of(indexes, oid!).map(([, index, text, unique, said]) => ({ name: index!, text: text!, unique: unique === 't', comment: said })),
  }));
}
