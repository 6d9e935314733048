/** Tools connect to the database `postgres` or `template1` first, and name the role `postgres`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { POSTGRES_BIN, postgresInstalled } from '../postgres-bin.ts';
import { type Served, serve } from './open-server.ts';
import { errorOf, rows, WireClient } from './wire-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

test.each(['postgres', 'template1'])('%s is no world, is empty, and takes CREATE and DROP DATABASE', async (database) => {
  const client = await WireClient.login(served.port, { database });
  expect(rows(await client.query('SELECT current_database(), (SELECT count(*) FROM pg_database WHERE datname = current_database())'))).toEqual([
    [database, '1'],
  ]);
  expect(rows(await client.query("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"))).toEqual([['0']]);
  expect(errorOf(await client.query('CREATE TABLE t (a int)'))).toMatchObject({ C: '25006', H: expect.stringContaining('CREATE DATABASE') });
  await client.query('CREATE DATABASE made');
  expect(rows(await client.query('SHOW WORLDS')).map(([name]) => name)).toContain('made');
  expect(errorOf(await client.query('CREATE DATABASE made'))['C']).toBe('42P04');
  await client.query('DROP DATABASE made');
  expect(rows(await client.query("SELECT count(*) FROM pg_database WHERE datname = 'made'"))).toEqual([['0']]);
  await client.query('CREATE ROLE one; DROP ROLE one');
  await client.query('USE WORLD main; CREATE TABLE entered (a int); DROP TABLE entered');
  expect(rows(await client.query('SELECT current_database()'))).toEqual([['main']]);
  await client.quit();
});

test('a world of the name takes precedence, and other names are refused', async () => {
  const main = await WireClient.login(served.port);
  await main.query('CREATE DATABASE postgres');
  const client = await WireClient.login(served.port, { database: 'postgres' });
  await client.query('CREATE TABLE t (a int); INSERT INTO t VALUES (1)');
  expect(rows(await client.query('SELECT a FROM t'))).toEqual([['1']]);
  await client.quit();
  await main.query('DROP DATABASE postgres');
  await main.quit();
  await expect(WireClient.login(served.port, { database: 'nosuch' })).rejects.toThrow();
});

test('the role postgres is there, owns and is granted to', async () => {
  const client = await WireClient.login(served.port, { user: 'postgres' });
  expect(rows(await client.query("SELECT rolsuper, rolcanlogin FROM pg_roles WHERE rolname = 'postgres'"))).toEqual([['t', 't']]);
  await client.query('CREATE TABLE owned (a int); ALTER TABLE owned OWNER TO postgres; GRANT SELECT ON owned TO postgres');
  expect(rows(await client.query("SELECT relowner::regrole FROM pg_class WHERE relname = 'owned'"))).toEqual([['postgres']]);
  expect(errorOf(await client.query('CREATE ROLE postgres'))['C']).toBe('42710');
  expect(rows(await client.query('SET ROLE postgres; SELECT current_user'))).toEqual([['postgres']]);
  await client.quit();
});

test.skipIf(!postgresInstalled)('createdb, dropdb, psql -l and pg_dumpall need no flag', async () => {
  const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(served.port), PGUSER: 'postgres' };
  const run = async (command: string, ...args: string[]): Promise<string> => (await promisify(execFile)(join(POSTGRES_BIN, command), args, { env })).stdout;
  await run('createdb', 'shop');
  expect(await run('psql', '-l', '-A', '-t')).toMatch(/^shop\|/m);
  await run('psql', '-d', 'shop', '-c', 'CREATE TABLE t (a int)');
  expect(await run('pg_dumpall')).toMatch(/connect shop[^]*CREATE TABLE public.t/);
  await run('dropdb', 'shop');
  expect(await run('psql', '-l', '-A', '-t')).not.toMatch(/^shop\|/m);
});
