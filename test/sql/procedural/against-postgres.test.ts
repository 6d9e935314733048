/**
 * Scripts of functions, procedures and cursors run here and by Postgres 15, statement by statement: rows, messages with
 * their context, and errors with their place and what ran inside what.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../../wire/open-server.ts';
import { PostgresServer } from '../transactions/postgres-server.ts';
import { statementsOf } from '../roles/both.ts';

const folder = new URL('./scripts/', import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith('.sql'));
const { installed } = PostgresServer;
if (!installed || !existsSync(folder)) console.warn('SKIPPED: test/sql/procedural/against-postgres needs Postgres 15 in /usr/lib/postgresql/15/bin');

let served: Served;
let postgres: PostgresServer;
beforeAll(async () => {
  if (!installed) return;
  [served, postgres] = await Promise.all([serve(), PostgresServer.start()]);
}, 60_000);
afterAll(async () => {
  if (!installed) return;
  await Promise.all([served.close(), postgres.stop()]);
});

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
async function told(config: pg.ClientConfig, statements: readonly string[]): Promise<string[]> {
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

test.skipIf(!installed).each(scripts)(
  '%s says what Postgres 15 says',
  async (name) => {
    const statements = statementsOf(readFileSync(new URL(name, folder), 'utf8'));
    const at = { host: '127.0.0.1', user: 'tester' };
    const world = name.replace(/\W/g, '_');
    for (const [port, database] of [
      [served.port, 'main'],
      [postgres.port, 'postgres'],
    ] as const) {
      const client = new pg.Client({ ...at, user: port === served.port ? 'svc' : 'tester', port, database });
      await client.connect();
      await client.query(`CREATE DATABASE ${world}`);
      await client.end();
    }
    const [here, there] = await Promise.all([
      told({ ...at, user: 'svc', port: served.port, database: world }, statements),
      told({ ...at, port: postgres.port, database: world }, statements),
    ]);
    const wrong = here.flatMap((each, i) => (each === there[i] ? [] : [`${each}\n--- Postgres:\n${there[i]}`]));
    if (process.env.SVC_TOLD !== undefined) for (const each of wrong) console.log(`@@ ${statements[here.indexOf(each.split('\n--- Postgres:')[0])]}`);
    expect(wrong.join('\n\n')).toBe('');
    expect(here.length).toBe(statements.length);
  },
  60_000,
);
