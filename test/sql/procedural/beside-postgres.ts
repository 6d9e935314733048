/** Scripts of a folder run here and by Postgres 15, statement by statement, each in a world of its own: rows, messages and errors with their places. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../../wire/open-server.ts';
import { PostgresServer } from '../transactions/postgres-server.ts';
import { statementsOf } from '../roles/both.ts';
import { told } from './told.ts';

/** `about`: who is told of when Postgres 15 is not installed. */
export function besidePostgres(folder: URL, about: string): void {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const { installed } = PostgresServer;
  if (!installed || !existsSync(folder)) console.warn(`SKIPPED: ${about} needs Postgres 15 in /usr/lib/postgresql/15/bin`);

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

  test.skipIf(!installed).each(scripts)(
    '%s says what Postgres 15 says',
    async (name) => {
      const statements = statementsOf(readFileSync(new URL(name, folder), 'utf8'));
      const at = { host: '127.0.0.1', user: 'tester' };
      const world = `of_${name.replace(/\W/g, '_')}`;
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
}
