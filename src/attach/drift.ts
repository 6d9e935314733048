/** Whether the external Postgres is the one that was attached, with its tables as they were. */
import { SvcError } from '../base/errors/svc-error.ts';
import { quoteNames } from '../base/quote-identifier.ts';
import type { AttachedSource, AttachedTable } from '../events/types/attached.ts';
import type { Identity, SourceConnection } from './source-connection.ts';

/** 55000 if it is another server or database. A promoted standby of the same system is taken. */
export async function checkIdentity(from: SourceConnection, source: AttachedSource): Promise<Identity> {
  const identity = await from.identity();
  if (identity.system !== source.system || identity.database !== source.database) {
    throw new SvcError(
      '55000',
      `Postgres at ${from.shown} is not the server that was attached: it is system ${identity.system}, database "${identity.database}", and the tables are of system ${source.system}, database "${source.database}"`,
      { hint: 'Set SVC_ATTACH_URL, or the variable named by --attach-url-env, to the address of that server.' },
    );
  }
  return identity;
}

/** 55000 naming all that differs. */
export async function checkDrift(from: SourceConnection, tables: readonly AttachedTable[]): Promise<void> {
  const rows = await from.rows(
    `SELECT c.oid, n.nspname, c.relname, c.relkind, c.relispartition, c.relrowsecurity, a.attname, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attidentity, a.attgenerated,
        EXISTS (SELECT FROM pg_catalog.pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])),
        EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = c.oid AND r.ev_type IN ('2', '3', '4') AND r.ev_enabled IN ('O', 'A'))
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.oid = ANY ($1::oid[]) ORDER BY c.oid, a.attnum`,
    [tables.map(({ oid }) => String(oid))],
  );
  const reasons = tables.flatMap((table) => {
    const found = rows.filter(([oid]) => oid === String(table.oid));
    return differences(table, found).map((reason) => `${quoteNames([table.schema, table.table])}: ${reason}`);
  });
  if (reasons.length === 0) return;
  throw new SvcError(
    '55000',
    `the definitions of attached tables have changed in Postgres: ${reasons.slice(0, 3).join('; ')}${reasons.length > 3 ? ` and ${reasons.length - 3} more` : ''}`,
    {
      hint: 'Detach the tables (svc attach <folder> --detach --tables …), drop them in main and attach them again.',
      data: { reasons },
    },
  );
}

function differences(table: AttachedTable, found: readonly (string | null)[][]): string[] {
  if (found.length === 0) return ['it was dropped, or is not visible to the role'];
  const [[, schema, name, kind, isPartition, rowSecurity, , , , , , , hasRule]] = found;
  const out: string[] = [];
  if (schema !== table.schema || name !== table.table) out.push(`it is named ${quoteNames([schema!, name!])} now`);
  if (kind !== 'r' || isPartition === 't') out.push('it is partitioned now');
  if (rowSecurity === 't') out.push('it has row-level security now');
  if (hasRule === 't') out.push('it has a rule now');
  const there = new Map(found.map((row) => [row[7], row]));
  for (const { attnum, name: column, type, key } of table.columns) {
    const row = there.get(String(attnum));
    there.delete(String(attnum));
    if (row === undefined) out.push(`column ${column} was dropped`);
    else if (row[6] !== column) out.push(`column ${column} is named ${row[6]} now`);
    else if (row[8] !== type) out.push(`column ${column} is of type ${row[8]} now, it was ${type}`);
    else if ((row[11] === 't') !== key) out.push(`column ${column} is ${key ? 'not in' : 'in'} the primary key now`);
    else if (row[10] !== '') out.push(`column ${column} is generated now`);
  }
  for (const [, row] of there) out.push(`column ${row[6]} is new`);
  return out;
}
