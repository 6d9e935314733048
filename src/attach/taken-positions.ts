/** After a refresh sequences of `main` are not behind those of the source, so that the next key of a fork is not one that Postgres gave since. */
import type { SqlSession } from '../sql/session/sql-session.ts';
import { quoteNames, quoteString } from '../base/quote-identifier.ts';
import { goesDown, positionOf } from './sequence-position.ts';
import type { SourceSequence } from './source-types.ts';
import type { AttachedTable } from '../events/types/attached.ts';

/** One that `main` does not have any more is passed over. */
export async function takePositions(session: SqlSession, sequences: readonly SourceSequence[], tables: readonly AttachedTable[]): Promise<void> {
  for (const sequence of sequences) {
    const name = quoteNames([sequence.schema, sequence.name]);
    const position = positionOf(sequence, tables, ({ table }) => table);
    if (position === null || !(await isThere(session, name))) continue;
    await session.run(
      `SELECT setval(${quoteString(name)}, p.v) FROM (SELECT (${position})::int8 AS v) AS p, ${name} AS s
        WHERE p.v BETWEEN ${sequence.min} AND ${sequence.max} AND (s.last_value ${goesDown(sequence) ? '>' : '<'} p.v OR (s.last_value = p.v AND NOT s.is_called))`,
    );
  }
}

async function isThere(session: SqlSession, name: string): Promise<boolean> {
  return (await session.run(`SELECT 1 WHERE to_regclass(${quoteString(name)}) IS NOT NULL`)).at(-1)!.rows.length > 0;
}
