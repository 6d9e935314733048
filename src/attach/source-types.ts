/** Types and sequences that tables of the external Postgres need. */
import { MAY_SET } from './source-sequences.ts';
import type { SourceConnection } from './source-connection.ts';

export interface SourceType {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As in pg_type: b, c, d, e, r, m. */
  readonly kind: string;
  /** Of an array: the type of its elements; else 0. */
  readonly element: number;
  /** The extension that it belongs to. */
  readonly extension: string | null;
  readonly labels: readonly string[];
  /** Of a domain. */
  readonly base: string | null;
  readonly baseOid: number;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly collation: string | null;
  readonly checks: readonly { readonly name: string; readonly text: string }[];
  readonly comment: string | null;
}

export interface SourceSequence {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly type: string;
  readonly start: string;
  readonly increment: string;
  readonly min: string;
  readonly max: string;
  readonly cache: string;
  readonly cycle: boolean;
  /** The last value that it gave; null: none, or not to be read. */
  readonly last: string | null;
  /** The role may read it. */
  readonly readable: boolean;
  /** The role may move it ahead of keys that a merge inserts. */
  readonly settable: boolean;
  /** The table and column that it belongs to. */
  readonly owner: { readonly table: number; readonly attnum: number } | null;
  /** It belongs to an identity column, which defines it. */
  readonly identity: boolean;
  readonly comment: string | null;
}

/** The types, and those that they are made of, the latter first. */
export async function readTypes(from: SourceConnection, oids: readonly number[]): Promise<SourceType[]> {
  const rows = await from.rows(
    `WITH RECURSIVE need (oid, depth) AS (
        SELECT u.oid, 0 FROM pg_catalog.unnest($1::oid[]) AS u (oid)
        UNION SELECT m.oid, n.depth + 1 FROM need AS n JOIN pg_catalog.pg_type AS t ON t.oid = n.oid
          CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END, t.typbasetype]) AS m (oid) WHERE m.oid <> 0)
      SELECT t.oid, s.nspname, t.typname, t.typtype, CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END,
        (SELECT e.extname FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid
          WHERE d.classid = 'pg_catalog.pg_type'::regclass AND d.objid = t.oid AND d.refclassid = 'pg_catalog.pg_extension'::regclass AND d.deptype = 'e'),
        (SELECT pg_catalog.json_agg(l.enumlabel ORDER BY l.enumsortorder) FROM pg_catalog.pg_enum AS l WHERE l.enumtypid = t.oid),
        CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) END, t.typbasetype, t.typnotnull, t.typdefault,
        CASE WHEN t.typtype = 'd' AND t.typcollation <> 0 AND t.typcollation <> (SELECT b.typcollation FROM pg_catalog.pg_type AS b WHERE b.oid = t.typbasetype) THEN (
          SELECT pg_catalog.format('%I.%I', cn.nspname, co.collname) FROM pg_catalog.pg_collation AS co JOIN pg_catalog.pg_namespace AS cn ON cn.oid = co.collnamespace WHERE co.oid = t.typcollation
        ) END,
        (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', c.conname, 'text', pg_catalog.pg_get_constraintdef(c.oid)) ORDER BY c.conname)
          FROM pg_catalog.pg_constraint AS c WHERE c.contypid = t.oid),
        pg_catalog.obj_description(t.oid, 'pg_type')
      FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS s ON s.oid = t.typnamespace JOIN (SELECT oid, max(depth) AS depth FROM need GROUP BY oid) AS n ON n.oid = t.oid
      WHERE s.nspname <> 'pg_catalog' OR t.typtype <> 'b' ORDER BY n.depth DESC, s.nspname, t.typname`,
    [oids.map(String)],
  );
  return rows.map(([oid, schema, name, kind, element, extension, labels, base, baseOid, notNull, standard, collation, checks, comment]) => ({
    oid: Number(oid),
    schema: schema!,
    name: name!,
    kind: kind!,
    element: Number(element),
    extension,
    labels: labels === null ? [] : (JSON.parse(labels) as string[]),
    base,
    baseOid: Number(baseOid),
    notNull: notNull === 't',
    default: standard,
    collation,
    checks: checks === null ? [] : (JSON.parse(checks) as { name: string; text: string }[]),
    comment,
  }));
}

/** Sequences that belong to columns of the tables, or that their defaults use. */
export async function readSequences(from: SourceConnection, tables: readonly number[]): Promise<SourceSequence[]> {
  const rows = await from.rows(
    `WITH used AS (
        SELECT d.objid AS seq FROM pg_catalog.pg_depend AS d
          WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = ANY ($1::oid[]) AND d.deptype IN ('a', 'i')
        UNION SELECT d.refobjid FROM pg_catalog.pg_attrdef AS a JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = a.oid
          WHERE a.adrelid = ANY ($1::oid[]) AND d.refclassid = 'pg_catalog.pg_class'::regclass)
      SELECT c.oid, n.nspname, c.relname, pg_catalog.format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
        v.last_value, CASE WHEN c.relkind = 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE, SELECT') END,
        ${MAY_SET}, o.refobjid, o.refobjsubid, coalesce(o.deptype = 'i', false), pg_catalog.obj_description(c.oid, 'pg_class')
      FROM used JOIN pg_catalog.pg_class AS c ON c.oid = used.seq AND c.relkind = 'S' JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_sequence AS s ON s.seqrelid = c.oid LEFT JOIN pg_catalog.pg_sequences AS v ON v.schemaname = n.nspname AND v.sequencename = c.relname
        LEFT JOIN pg_catalog.pg_depend AS o ON o.classid = 'pg_catalog.pg_class'::regclass AND o.objid = c.oid AND o.refclassid = 'pg_catalog.pg_class'::regclass AND o.deptype IN ('a', 'i')
      ORDER BY n.nspname, c.relname`,
    [tables.map(String)],
  );
  return rows.map(([oid, schema, name, type, start, increment, min, max, cache, cycle, last, readable, settable, table, attnum, identity, comment]) => ({
    oid: Number(oid),
    schema: schema!,
    name: name!,
    type: type!,
    start: start!,
    increment: increment!,
    min: min!,
    max: max!,
    cache: cache!,
    cycle: cycle === 't',
    last,
    readable: readable === 't',
    settable: settable === 't',
    owner: table === null ? null : { table: Number(table), attnum: Number(attnum) },
    identity: identity === 't',
    comment,
  }));
}
