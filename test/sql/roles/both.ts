/** A script run here and by Postgres 15, statement by statement, by the same client. */
import pg from 'pg';

/** Statements are parted by empty lines, so that a list of several can be one. */
export function statementsOf(script: string): string[] {
  return script
    .split(/\n\s*\n/)
    .map((text) => text.replace(/^--.*$/gm, '').trim())
    .filter((text) => text !== '');
}

/** What a client is told: command tags and rows, notices, or the refusal. */
export async function told(config: pg.ClientConfig, statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ ...config, types: { getTypeParser: () => (text: unknown) => text } });
  let notices: string[] = [];
  client.on('notice', ({ severity, message }) => notices.push(`${severity}: ${message}`));
  await client.connect();
  const out: string[] = [];
  try {
    for (const sql of statements) {
      notices = [];
      let answer: string;
      try {
        const results = [await client.query({ text: sql, rowMode: 'array' })].flat();
        answer = results
          .map(({ command, rowCount, rows }) =>
            [`${command} ${rowCount ?? ''}`.trim(), ...rows.map((row) => (row as unknown[]).map((each) => each ?? '∅').join('|'))].join('\n'),
          )
          .join('\n');
      } catch (error) {
        const { code, message, detail, hint } = error as pg.DatabaseError;
        // Objects that depend are listed in no order.
        const listed = code === '2BP01' ? detail?.split('\n').sort().join('\n') : detail;
        answer = [`${code} ${message}`, listed === undefined ? '' : `DETAIL: ${listed}`, hint === undefined ? '' : `HINT: ${hint}`]
          .filter((each) => each !== '')
          .join('\n');
      }
      out.push([sql, ...notices, answer].join('\n'));
    }
  } finally {
    await client.end();
  }
  return out;
}
