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
  ['the keys that each dump generates, and the versions', /^(?:\\(?:un)?restrict .*|-- Dumped .*)\n/gm, ''],
  ['storage parameters of constraints in CREATE TABLE are not kept', / WITH \(fillfactor='80'\);/g, ';'],
  ['expressions in bodies of functions are shown as they were written', /\(2\)::numeric/g, '2'],
];

/** Objects in the order of their titles: pg_dump puts constraints of partitions behind those of the whole where pg_depend says so, which svc's does not. */
const comparable = (dump: string): string =>
  DIFFERENT.reduce((text, [, pattern, instead]) => text.replace(pattern, instead), dump)
    .split('\n--\n-- ')
    .sort()
    .join('\n--\n-- ');

/** Columns of catalogs whose oids may have no row, and why. */
const DANGLING: Readonly<Record<string, string>> = {
  'pg_type.typinput': 'types of extensions are read and written without functions of their own',
  'pg_type.typoutput': 'likewise',
  'pg_type.typreceive': 'types whose binary form has no function',
  'pg_index.indclass': 'operator classes of extensions have no rows',
  'pg_constraint.conexclop': 'operators of ranges in exclusions are found by their own types alone',
  'pg_opclass.opckeytype': 'the type gtsvector is not there',
  'pg_aggregate.aggtransfn': 'aggregates without a step that SQL knows',
};

function danglingQuery(table: string, columns: readonly string[], other: string, otherColumns: readonly string[], array: boolean, optional: boolean): string {
  const last = columns.length - 1;
  const value = (column: string, i: number): string => (array && i === last ? 'each.value' : `own.${column}`);
  const given = optional ? columns.map((column, i) => `${value(column, i)} <> 0 AND `).join('') : '';
  const same = columns.map((column, i) => `${value(column, i)} = other.${otherColumns[i]}`).join(' AND ');
  const from = array ? `${table} own, unnest(own.${columns[last]}) each(value)` : `${table} own`;
  return `SELECT '${table}.${columns.join(',')}', count(*) FROM ${from} WHERE ${given}NOT EXISTS (SELECT FROM ${other} other WHERE ${same});`;
}

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

  test('in sections, as INSERTs with the names of columns', async () => {
    const parts = [['--section=pre-data'], ['--section=data', '--column-inserts'], ['--section=post-data']];
    expect(comparable(await there(...parts))).toBe(comparable(original));
  }, 60_000);

  test('as a file of pg_restore', async () => {
    const [svc, back] = [await inSvc(), await inPostgres()];
    const file = join(folder, 'custom');
    await dump(source(), '-Fc', '-f', file);
    well(await run(pgRestore!, [...at(svc), '-d', svc.database, file]));
    await dump(svc, '-Fc', '-f', file);
    well(await run(pgRestore!, [...at(back), '-d', back.database, file]));
    expect(comparable(await dump(back))).toBe(comparable(original));
  }, 60_000);

  test('what its catalogs point at is there', async () => {
    const svc = await inSvc();
    await load(svc, original);
    const ask = async (sql: string): Promise<string[][]> => {
      const out = well(await run(psql!, [...at(svc), '-X', '-At', '-d', svc.database, '-v', 'ON_ERROR_STOP=1'], sql));
      return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('|')]));
    };
    const keys = await ask(
      `SELECT fktable, array_to_string(fkcols, ','), pktable, array_to_string(pkcols, ','), is_array, is_opt FROM pg_get_catalog_foreign_keys();`,
    );
    expect(keys).toHaveLength(219);
    const dangling = keys.map(([table, columns, other, otherColumns, array, optional]) =>
      danglingQuery(table, columns.split(','), other, otherColumns.split(','), array === 't', optional === 't'),
    );
    const found = (await ask(dangling.join('\n'))).filter(([, count]) => count !== '0').map(([key]) => key);
    expect(found.filter((key) => !Object.hasOwn(DANGLING, key))).toEqual([]);
    const tables = (
      await ask(
        `SELECT attrelid::regclass FROM pg_attribute WHERE attrelid < 16384 AND attname = 'oid' AND attnum > 0 AND atttypid = 26 AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r');`,
      )
    ).flat();
    expect(tables.length).toBeGreaterThan(40);
    const twice = await ask(tables.map((table) => `SELECT '${table}', oid FROM ${table} GROUP BY oid HAVING count(*) > 1;`).join('\n'));
    expect(twice).toEqual([]);
  }, 60_000);

  test('roles are those of pg_dumpall', async () => {
    const roles = async (port: number): Promise<string[]> => {
      const out = well(await run(pgDumpAll!, [...at({ port }), '-l', port === postgres.port ? 'postgres' : 'main', '--roles-only', '--no-role-passwords']));
      return out.split('\n').filter((line) => /app_|"App User"|auditor/.test(line));
    };
    expect(await roles(served.port)).toEqual((await roles(postgres.port)).map((line) => line.replaceAll('GRANTED BY tester', 'GRANTED BY svc')));
  });
});
