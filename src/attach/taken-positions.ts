/** After a refresh sequences of `main` are not behind those of the source, so that the next key of a fork is not one that Postgres gave since. */
import type { SqlSession } from '../sql/session/sql-session.ts';
import { quoteIdentifier, quoteNames, quoteString } from '../base/quote-identifier.ts';
import type { SourceSequence } from './source-types.ts';
import type { AttachedTable } from '../events/types/attached.ts';

/** A sequence that the role may not read goes behind the keys that it gave. One that `main` does not have any more is passed over. */
export async function takePositions(session: SqlSession, sequences: readonly SourceSequence[], tables: readonly AttachedTable[]): Promise<void> {
  for (const sequence of sequences) {
    const name = quoteNames([sequence.schema, sequence.name]);
    const down = sequence.increment.startsWith('-');
    const position = positionText(sequence, tables, down);
    if (position === null || !(await isThere(session, name))) continue;
    await session.run(
      `SELECT setval(${quoteString(name)}, p.v) FROM (SELECT (${position})::int8 AS v) AS p, ${name} AS s
        WHERE p.v BETWEEN ${sequence.min} AND ${sequence.max} AND (s.last_value ${down ? '>' : '<'} p.v OR (s.last_value = p.v AND NOT s.is_called))`,
    );
  }
}

function positionText({ last, readable, owner }: SourceSequence, tables: readonly AttachedTable[], down: boolean): string | null {
  if (last !== null) return last;
  const table = tables.find(({ oid }) => oid === owner?.table);
  const column = table?.columns.find(({ attnum }) => attnum === owner?.attnum);
  if (readable || table === undefined || column === undefined) return null;
  return `SELECT ${down ? 'min' : 'max'}(${quoteIdentifier(column.name)}) FROM ${quoteNames([table.schema, table.table])}`;
}

async function isThere(session: SqlSession, name: string): Promise<boolean> {
  return (await session.run(`SELECT 1 WHERE to_regclass(${quoteString(name)}) IS NOT NULL`)).at(-1)!.rows.length > 0;
}
