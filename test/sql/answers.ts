/** Statements sent one by one by a client of its own, and what it is told of each: rows, messages, or the refusal. */
import pg from 'pg';

export interface Shown {
  notice(notice: { readonly severity?: string; readonly message?: string; readonly where?: string }): string;
  /** The line before a result's rows. */
  head(result: pg.QueryResult): string;
  refusal(error: pg.DatabaseError): string;
}

export async function answersOf(config: pg.ClientConfig, statements: readonly string[], show: Shown): Promise<string[]> {
  const client = new pg.Client({ ...config, types: { getTypeParser: () => (text: unknown) => text } });
  let notices: string[] = [];
  client.on('notice', (notice) => notices.push(show.notice(notice)));
  await client.connect();
  const out: string[] = [];
  try {
    for (const sql of statements) {
      notices = [];
      let answer: string;
      try {
        const results = [await client.query({ text: sql, rowMode: 'array' })].flat() as unknown as pg.QueryResult[];
        answer = results
          .map((result) => [show.head(result), ...result.rows.map((row) => (row as unknown[]).map((each) => each ?? '∅').join('|'))].join('\n'))
          .join('\n');
      } catch (error) {
        answer = show.refusal(error as pg.DatabaseError);
      }
      out.push([sql, ...notices, answer].join('\n'));
    }
  } finally {
    await client.end();
  }
  return out;
}
