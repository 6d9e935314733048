/** Roles and privileges here and in Postgres 15: every answer, notice and refusal of the scripts is the same. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Postgres } from '../../bench/postgres.ts';
import { serve, type Served } from '../../wire/open-server.ts';
import { statementsOf, told } from './both.ts';

const PSQL = '/usr/bin/psql';
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
  }, 60_000);

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

  test.skipIf(!existsSync(PSQL))('what psql shows of roles, privileges, members and defaults', async () => {
    const setup = `
      CREATE ROLE d_ann LOGIN CREATEDB CONNECTION LIMIT 3 VALID UNTIL '2031-02-03 04:05:06+00'; CREATE ROLE d_team NOINHERIT; GRANT d_team TO d_ann WITH ADMIN OPTION;
      CREATE SCHEMA d; GRANT USAGE ON SCHEMA d TO d_ann; CREATE TABLE d.t (a serial PRIMARY KEY, b text); CREATE VIEW d.v AS SELECT * FROM d.t;
      GRANT SELECT ON d.t TO d_ann WITH GRANT OPTION; GRANT UPDATE (b), INSERT (a, b) ON d.t TO PUBLIC; GRANT ALL ON d.v TO d_team; CREATE SEQUENCE d.q OWNED BY d.t.b;
      ALTER VIEW d.v OWNER TO d_team; CREATE TYPE d.mood AS ENUM ('a'); GRANT USAGE ON TYPE d.mood TO d_ann;
      ALTER DEFAULT PRIVILEGES IN SCHEMA d GRANT SELECT ON TABLES TO d_ann; ALTER DEFAULT PRIVILEGES FOR ROLE d_ann REVOKE ALL ON FUNCTIONS FROM PUBLIC;
      ALTER ROLE d_ann SET search_path TO d, public;
      CREATE ROLE "D odd" SUPERUSER NOLOGIN`;
    const shown = [
      '\\du d*',
      '\\du "D odd"',
      '\\du+ d_*',
      '\\dp d.*',
      '\\dp d.t',
      '\\ddp',
      '\\dn+ d',
      '\\dn+ public',
      '\\drds d_*',
      '\\dT+ d.mood',
      '\\dt d.*',
      '\\ds d.*',
      '\\dv d.*',
    ];
    postgres.psql('CREATE DATABASE d');
    postgres.psql(setup, 'd');
    await served.database.fork({ name: 'd' });
    await served.database.sql({ sql: setup, branch: 'd' });
    const [, host] = postgres.at();
    const run = (own: string, user: string, port: number): Promise<string> =>
      promisify(execFile)(PSQL, ['-X', '-h', own, '-p', String(port), '-U', user, '-d', 'd', ...shown.flatMap((each) => ['-c', each])]).then(
        ({ stdout }) => stdout,
      );
    const [theirs, ours] = await Promise.all([run(host, 'bench', 5432), run('127.0.0.1', 'svc', served.port)]);
    // Widths of columns, and orders, follow the owner's name.
    const plain = (text: string): string[] =>
      text.replaceAll('bench', 'svc').replaceAll(/-{2,}/g, '-').replaceAll(/ +/g, ' ').replaceAll(' +|', '+|').split('\n').sort();
    expect(plain(ours)).toEqual(plain(theirs));
  });
});
