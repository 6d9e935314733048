/** Rows as objects: no column is lost, in the `sql` operation, over HTTP and in sessions of programs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open, SvcError } from '../../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../../src/http/server.ts';

let folder: string;
let db: Database;
let server: HttpServer;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-objects-'));
  db = await open(join(folder, 'db'));
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  url = await server.listen('127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Result {
  columns: string[];
  rows: unknown[];
}

const ENTRANCES: Record<string, (sql: string) => Promise<Result>> = {
  sql: async (sql) => (await db.sql({ sql })).results[0],
  HTTP: async (sql) => {
    const reply = await fetch(`${url}/v1/sql`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql }) });
    return ((await reply.json()) as { results: Result[] }).results[0];
  },
  session: async (sql) => {
    await using session = db.session();
    return session.query(sql);
  },
};

describe.each(Object.entries(ENTRANCES))('%s', (_name, run) => {
  test.each<[string, Record<string, unknown>]>([
    ['SELECT 1 AS a, 2 AS b', { a: 1, b: 2 }],
    ['SELECT 1 AS a, 2 AS a', { a: 1, a_1: 2 }],
    ['SELECT 1 AS a, 2 AS a, 3 AS a', { a: 1, a_1: 2, a_2: 3 }],
    ['SELECT 1 AS a, 2 AS a_1, 3 AS a', { a: 1, a_1: 2, a_2: 3 }],
    ['SELECT 1 AS a, 3 AS a, 2 AS a_1', { a: 1, a_2: 3, a_1: 2 }],
    ['SELECT 1 AS a_1, 2 AS a_1, 3 AS a, 4 AS a', { a_1: 1, a_1_1: 2, a: 3, a_2: 4 }],
    ['SELECT 1, 2', { '?column?': 1, '?column?_1': 2 }],
    ['SELECT 1 AS constructor, 2 AS constructor', { constructor: 1, constructor_1: 2 }],
    ['SELECT x.i, y.i FROM generate_series(1, 1) x(i), generate_series(2, 2) y(i)', { i: 1, i_1: 2 }],
  ])('%s', async (sql, row) => {
    const { columns, rows } = await run(sql);
    expect(rows).toEqual([row]);
    expect(columns).toEqual(Object.keys(row));
  });
});

describe('sessions of programs', () => {
  test('keep a transaction between calls, and take parameters', async () => {
    await using session = db.session();
    await session.query('CREATE TABLE counts (id int PRIMARY KEY, n int)');
    await session.query('BEGIN');
    expect(await session.query('INSERT INTO counts VALUES ($1, $2) RETURNING id', [1, 5])).toMatchObject({ command: 'INSERT 0 1', rows: [{ id: 1 }] });
    expect((await db.sql({ sql: 'SELECT * FROM counts' })).results[0].rows).toEqual([]);
    await session.query('COMMIT');
    expect((await session.query('SELECT 1; SELECT n FROM counts')).rows).toEqual([{ n: 5 }]);
    expect(await session.query('')).toEqual({ command: '', columns: [], types: [], rows: [] });
  });

  test('roll back what is open when they are disposed of', async () => {
    {
      await using session = db.session();
      await session.query('BEGIN');
      await session.query('DELETE FROM counts');
    }
    expect((await db.sql({ sql: 'SELECT n FROM counts' })).results[0].rows).toEqual([{ n: 5 }]);
  });

  test('a database that is disposed of is closed, and can be opened again', async () => {
    const path = join(folder, 'other');
    {
      await using other = await open(path);
      await other.put({ table: 't', id: 'a', record: { n: 1 } });
    }
    await using again = await open(path);
    expect((await again.get({ table: 't', id: 'a' })).row).toEqual({ n: 1 });
  });

  test('conflicts are on the error', async () => {
    await db.put({ table: 'docs', id: 'a', record: { n: 1 } });
    await db.fork({ name: 'draft' });
    await db.put({ branch: 'draft', table: 'docs', id: 'a', record: { n: 2 } });
    await db.put({ table: 'docs', id: 'a', record: { n: 3 } });
    const error = await db.merge({ branch: 'draft' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SvcError);
    expect((error as SvcError).conflicts).toMatchObject([{ key: 'docs/a', base: { n: 1 }, ours: { n: 3 }, theirs: { n: 2 } }]);
    expect(((await db.get({ table: 'docs', id: 'b' }).catch((thrown: unknown) => thrown)) as SvcError).conflicts).toBeUndefined();
  });
});
