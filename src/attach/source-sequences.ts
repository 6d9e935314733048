/**
 * Sequences of the source stay ahead of the keys that a merge inserted, so that its own next row does not meet one of them: those that
 * belong to a column, and those that its default uses. As `setval` is never rolled back, it runs only before a COMMIT; without the privilege
 * the sequence stays where it is.
 */
import type { SentTable } from './sent-rows.ts';
import { goesDown } from './sequence-position.ts';
import type { SourceConnection } from './source-connection.ts';

/** Whether the role may read and set the sequence `c` of the schema `n`. */
export const MAY_SET =
  "CASE WHEN c.relkind = 'S' THEN pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_sequence_privilege(c.oid, 'UPDATE') AND pg_catalog.has_sequence_privilege(c.oid, 'SELECT') END";
const WHOLE = /^-?\d+$/;

export async function advanceSequences(to: SourceConnection, tables: readonly SentTable[]): Promise<void> {
  const inserting = tables.filter(({ changed }) => changed.some(({ before }) => before === null));
  if (inserting.length === 0) return;
  const used = await to.rows(
    `WITH used (relation, attnum, sequence) AS (
        SELECT d.refobjid, d.refobjsubid, d.objid FROM pg_catalog.pg_depend AS d
          WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjid = ANY ($1::oid[])
        UNION SELECT a.adrelid, a.adnum, d.refobjid FROM pg_catalog.pg_attrdef AS a JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_attrdef'::regclass AND d.objid = a.oid
          WHERE a.adrelid = ANY ($1::oid[]) AND d.refclassid = 'pg_catalog.pg_class'::regclass)
      SELECT u.relation, u.attnum, pg_catalog.format('%I.%I', n.nspname, c.relname), s.seqincrement, s.seqmin, s.seqmax
      FROM used AS u JOIN pg_catalog.pg_class AS c ON c.oid = u.sequence AND c.relkind = 'S' JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_catalog.pg_sequence AS s ON s.seqrelid = c.oid
      WHERE ${MAY_SET}`,
    [inserting.map(({ rows }) => String(rows.attached.oid))],
  );
  for (const [table, attnum, sequence, increment, min, max] of used) {
    const { rows, changed } = inserting.find(({ rows: { attached } }) => String(attached.oid) === table)!;
    const place = rows.attached.columns.findIndex((each) => String(each.attnum) === attnum);
    const down = goesDown({ increment: increment! });
    const last = furthest(
      changed.flatMap(({ before, after }) => (before === null ? [after![place]] : [])),
      down,
      BigInt(min!),
      BigInt(max!),
    );
    if (last === null) continue;
    await to.rows(
      `SELECT pg_catalog.setval($1::pg_catalog.regclass, $2::pg_catalog.int8) FROM ${sequence} AS s
        WHERE s.last_value ${down ? '>' : '<'} $2::pg_catalog.int8 OR (s.last_value = $2::pg_catalog.int8 AND NOT s.is_called)`,
      [sequence, String(last)],
    );
  }
}

/** The value that is last in the direction of the sequence, of those that it can give. */
function furthest(texts: readonly (string | null)[], down: boolean, min: bigint, max: bigint): bigint | null {
  let last: bigint | null = null;
  for (const text of texts) {
    if (text === null || !WHOLE.test(text)) continue;
    const value = BigInt(text);
    if (value < min || value > max) continue;
    if (last === null || (down ? value < last : value > last)) last = value;
  }
  return last;
}
