/** Roles and privileges here and in Postgres 15: every answer, notice and refusal of the scripts is the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Postgres } from '../../bench/postgres.ts';
import { serve, type Served } from '../../wire/open-server.ts';
import { statementsOf, told } from './both.ts';

const SCRIPTS = join(import.meta.dirname, 'scripts');
const installed = Postgres.installed;
if (!installed) console.warn('SKIPPED: test/sql/roles/against-postgres needs Postgres 15 in /usr/lib/postgresql/15/bin');

describe.skipIf(!installed)('roles as in Postgres 15', () => {
  let postgres: Postgres;
  let served: Served;

  beforeAll(async () => {
    [postgres, served] = await Promise.all([Postgres.start(), serve()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([postgres?.stop(), served?.close()]);
  });

  test.each(readdirSync(SCRIPTS).filter((name) => name.endsWith('.sql')))('%s', async (file) => {
    const statements = statementsOf(readFileSync(join(SCRIPTS, file), 'utf8'));
    const name = file.replace('.sql', '').replaceAll('-', '_');
    postgres.psql(`CREATE DATABASE ${name}`);
    await served.database.fork({ name });
    const [, host] = postgres.at();
    const [theirs, ours] = await Promise.all([
      told({ host, user: 'bench', database: name }, statements),
      told({ host: '127.0.0.1', port: served.port, user: 'svc', database: name }, statements),
    ]);
    expect(ours).toEqual(theirs.map((each) => each.replaceAll('bench', 'svc')));
  });
});
