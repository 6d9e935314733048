/**
 * Sequences of the source stay ahead of the keys that a merge inserted, so that its own next row does not meet one of them. As `setval` is
 * never rolled back, it runs only before a COMMIT; without the privilege the sequence stays where it is.
 */
import type { SentTable } from './sent-rows.ts';
import type { SourceConnection } from './source-connection.ts';

export async function advanceSequences(to: SourceConnection, tables: readonly SentTable[]): Promise<void> {
  const inserting = tables.filter(({ changed }) => changed.some(({ before }) => before === null));
  if (inserting.length === 0) return;
  const owned = await to.rows(
    `SELECT d.refobjid, d.refobjsubid, pg_catalog.format('%I.%I', n.nspname, c.relname) FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_class AS c ON c.oid = d.objid AND c.relkind = 'S'
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjid = ANY ($1::oid[])
        AND CASE WHEN c.relkind = 'S' THEN pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_sequence_privilege(c.oid, 'UPDATE')
          AND pg_catalog.has_sequence_privilege(c.oid, 'SELECT') END`,
    [inserting.map(({ rows }) => String(rows.attached.oid))],
  );
  for (const [table, attnum, sequence] of owned) {
    const sent = inserting.find(({ rows }) => String(rows.attached.oid) === table)!;
    const place = sent.rows.attached.columns.findIndex((each) => String(each.attnum) === attnum);
    const made = sent.changed.filter(({ before }) => before === null).map(({ after }) => after![place]);
    await to.rows(
      `SELECT pg_catalog.setval($1::pg_catalog.regclass, v.value) FROM (SELECT pg_catalog.max(m.value::pg_catalog.int8) AS value FROM pg_catalog.unnest($2::pg_catalog.text[]) AS m (value)) AS v, ${sequence} AS s
        WHERE v.value > s.last_value OR (v.value = s.last_value AND NOT s.is_called)`,
      [sequence, made],
    );
  }
}
