/** What a client is told of each statement of a script: rows, messages with their context, errors with their place. */
import pg from 'pg';

const FIELDS = [
  'code',
  'message',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
] as const;

/** What a client is told of each statement. */
export async function told(config: pg.ClientConfig, statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ ...config, types: { getTypeParser: () => (text: unknown) => text } });
  let notices: string[] = [];
  client.on('notice', ({ severity, message, where }) => notices.push([severity, message, where].filter((each) => each !== undefined).join('\n  ')));
  await client.connect();
  const out: string[] = [];
  try {
    for (const sql of statements) {
      notices = [];
      let answer: string;
      try {
        const results = [await client.query({ text: sql, rowMode: 'array' })].flat();
        answer = results
          .map(({ command, rows, fields }) =>
            [`${command} ${fields.map(({ name }) => name).join()}`, ...rows.map((row) => (row as unknown[]).map((each) => each ?? '∅').join('|'))].join('\n'),
          )
          .join('\n');
      } catch (error) {
        const fields = error as pg.DatabaseError;
        answer = FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [`${name}: ${fields[name]}`])).join('\n');
      }
      out.push([sql, ...notices, answer].join('\n'));
    }
  } finally {
    await client.end();
  }
  return out;
}
