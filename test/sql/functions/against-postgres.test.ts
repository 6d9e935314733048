/** Functions by Postgres's own names, extensions, collations and statistics, here and in Postgres 15: every answer and refusal is the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Postgres } from '../../bench/postgres.ts';
import { serve, type Served } from '../../wire/open-server.ts';
import { statementsOf, told } from '../roles/both.ts';

const SCRIPTS = join(import.meta.dirname, 'scripts');
const installed = Postgres.installed;
if (!installed) console.warn('SKIPPED: test/sql/functions/against-postgres needs Postgres 15 in /usr/lib/postgresql/15/bin');

describe.skipIf(!installed)('functions as in Postgres 15', () => {
  let postgres: Postgres;
  let served: Served;

  beforeAll(async () => {
    [postgres, served] = await Promise.all([Postgres.start(), serve()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([postgres?.stop(), served?.close()]);
  }, 60_000);

  test.each(readdirSync(SCRIPTS))(
    '%s',
    async (file) => {
      const statements = statementsOf(readFileSync(join(SCRIPTS, file), 'utf8'));
      const name = file.replace('.sql', '').replaceAll('-', '_');
      postgres.psql(`CREATE DATABASE ${name}`);
      await served.database.fork({ name });
      const [, host] = postgres.at();
      const [theirs, ours] = await Promise.all([
        told({ host, user: 'bench', database: name }, statements),
        told({ host: '127.0.0.1', port: served.port, user: 'svc', database: name }, statements),
      ]);
      expect(ours).toEqual(theirs);
    },
    60_000,
  );
});
