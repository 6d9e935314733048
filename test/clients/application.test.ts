/**
 * A database with everything that an application has goes from Postgres 15 to svc and back, as pg_dump writes it and psql and pg_restore
 * read it: without an error, and the same text at the end.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { type Served, serve } from '../wire/open-server.ts';
import { program, type Ran, run } from './client-programs.ts';

const pgDump = program('pg_dump');
const pgRestore = program('pg_restore');
const pgDumpAll = program('pg_dumpall');
const psql = program('psql');
const READY = PostgresServer.installed && pgDump !== null && pgRestore !== null && psql !== null && pgDumpAll !== null;
if (!PostgresServer.installed) process.stderr.write('SKIPPED: PostgreSQL 15 is not installed; its dumps were not restored\n');

/** What svc's dump lacks, and why. Nothing else differs. */
const DIFFERENT: readonly (readonly [why: string, text: RegExp, instead: string])[] = [
  ['the keys that each dump makes anew, and the versions', /^(?:\\(?:un)?restrict .*|-- Dumped .*)\n/gm, ''],
  ['what the planner is told of functions is not kept', / (?:COST \d+|ROWS \d+|PARALLEL \w+|LEAKPROOF)(?=[ \n])/g, ''],
  ['likewise of aggregates', /,\n {4}PARALLEL = safe/g, ''],
  ['estimators of operators are not kept', /,\n {4}(?:RESTRICT = eqsel|JOIN = eqjoinsel)/g, ''],
  ['collations of domains and of attributes are not kept', /^((?:CREATE DOMAIN|\t\w+) [\w. ()[\]]+) COLLATE pg_catalog."C"$/gm, '$1'],
  ['ranges have neither differences of values nor collations', /,\n {4}(?:subtype_diff = float8mi|collation = pg_catalog."C")/g, ''],
  ['storage parameters of constraints in CREATE TABLE are not kept', / WITH \(fillfactor='80'\);/g, ';'],
  ['expressions in bodies of functions are shown as they were written', /\(2\)::numeric/g, '2'],
];

/** Objects in the order of their titles: constraints of partitions come before those of the whole, so that --clean drops the whole's first. */
const comparable = (dump: string): string =>
  DIFFERENT.reduce((text, [, pattern, instead]) => text.replace(pattern, instead), dump)
    .split('\n--\n-- ')
    .sort()
    .join('\n--\n-- ');

interface Place {
  readonly port: number;
  readonly database: string;
}

describe.skipIf(!READY)('a database of an application', () => {
  const text = (name: string): string => readFileSync(join(import.meta.dirname, 'application', name), 'utf8');
  let postgres: PostgresServer;
  let served: Served;
  let folder: string;
  let original: string;
  let databases = 0;

  const at = ({ port }: { port: number }): string[] => ['-h', '127.0.0.1', '-p', String(port), '-U', 'svc'];
  const well = ({ code, err, out }: Ran): string => {
    expect(err).toBe('');
    expect(code).toBe(0);
    return out;
  };
  const load = async (into: Place, sql: string): Promise<string> =>
    well(await run(psql!, [...at(into), '-X', '-q', '-d', into.database, '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'], sql));
  const dump = async (from: Place, ...args: readonly string[]): Promise<string> => well(await run(pgDump!, [...at(from), ...args, from.database]));
  const made = async (port: number, from: string): Promise<Place> => {
    const database = `made_${++databases}`;
    await load({ port, database: from }, `CREATE DATABASE ${database}`);
    return { port, database };
  };
  const inPostgres = (): Promise<Place> => made(postgres.port, 'postgres');
  const inSvc = (): Promise<Place> => made(served.port, 'main');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-application-'));
    [postgres, served] = await Promise.all([PostgresServer.start(), serve()]);
    well(await run(psql!, ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'tester', '-d', 'postgres', '-c', 'CREATE ROLE svc SUPERUSER LOGIN'], ''));
    await load({ port: postgres.port, database: 'postgres' }, text('roles.sql'));
    await load({ port: served.port, database: 'main' }, text('roles.sql'));
    const source = await inPostgres();
    await load(source, text('schema.sql'));
    original = await dump(source);
  }, 60_000);
  afterAll(async () => {
    await served?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const source: () => Place = () => ({ port: postgres.port, database: 'made_1' });

  /** From Postgres to svc and on to Postgres, each time in the given parts. */
  const there = async (...parts: readonly (readonly string[])[]): Promise<string> => {
    const [svc, back] = [await inSvc(), await inPostgres()];
    for (const part of parts) await load(svc, await dump(source(), ...part));
    for (const part of parts) await load(back, await dump(svc, ...part));
    return dump(back);
  };

  test('goes to svc and back', async () => {
    const [svc, back] = [await inSvc(), await inPostgres()];
    await load(svc, original);
    const between = await dump(svc);
    expect(comparable(between)).toBe(comparable(original));
    await load(back, between);
    expect(comparable(await dump(back))).toBe(comparable(original));
  }, 60_000);

  test('as INSERTs with the names of columns', async () => {
    expect(comparable(await there(['--column-inserts']))).toBe(comparable(original));
  }, 60_000);

  test('in sections', async () => {
    expect(comparable(await there(['--section=pre-data'], ['--section=data'], ['--section=post-data']))).toBe(comparable(original));
  }, 60_000);

  test('as a file of pg_restore, over what is there too', async () => {
    const [svc, back] = [await inSvc(), await inPostgres()];
    const file = join(folder, 'custom');
    await dump(source(), '-Fc', '-f', file);
    well(await run(pgRestore!, [...at(svc), '-d', svc.database, file]));
    await dump(svc, '-Fc', '-f', file);
    // Postgres cannot clean up before its own dump: it refuses to drop the constraints of partitions.
    well(await run(pgRestore!, [...at(svc), '-d', svc.database, '--clean', '--if-exists', '--single-transaction', file]));
    well(await run(pgRestore!, [...at(back), '-d', back.database, file]));
    expect(comparable(await dump(back))).toBe(comparable(original));
  }, 60_000);

  test('roles are those of pg_dumpall', async () => {
    const roles = async (port: number): Promise<string[]> => {
      const out = well(await run(pgDumpAll!, [...at({ port }), '-l', port === postgres.port ? 'postgres' : 'main', '--roles-only', '--no-role-passwords']));
      return out.split('\n').filter((line) => /app_|"App User"|auditor/.test(line));
    };
    expect(await roles(served.port)).toEqual((await roles(postgres.port)).map((line) => line.replaceAll('GRANTED BY tester', 'GRANTED BY svc')));
  });
});
