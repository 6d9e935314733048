/** Functions in PL/pgSQL in defaults, checks and generated columns, where rows come without SQL: puts, merges, undoings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';

let db: Database;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-calls-'));
  db = await open(folder);
  await run(
    'main',
    `CREATE FUNCTION even(a int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN IF a = 13 THEN LOOP END LOOP; END IF; RETURN a % 2 = 0; END $$;
     CREATE FUNCTION counted(a int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM t) < 100; END $$;
     CREATE FUNCTION climbing(a int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CREATE ROLE climbed SUPERUSER'; RETURN true; END $$;
     CREATE FUNCTION four() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 4; END $$;
     CREATE FUNCTION times(a int, b int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN a * b; END $$;
     CREATE TYPE level AS ENUM ('low', 'high');
     CREATE TABLE t (id int PRIMARY KEY, v int CHECK (even(v)), d int DEFAULT four(), l level, size int GENERATED ALWAYS AS (times(v, d)) STORED);
     CREATE TABLE reading (id int PRIMARY KEY, v int CHECK (counted(v)));
     CREATE TABLE rising (id int PRIMARY KEY, v int CHECK (climbing(v)))`,
  );
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (branch: string, sql: string): Promise<unknown[]> => (await db.sql({ branch, sql })).results.at(-1)!.rows;
const put = (table: string, id: string, record: Record<string, number>) => db.commands.put({ table, id, record });

test('a put computes defaults and generated columns, and is checked', async () => {
  await put('t', '1', { v: 6 });
  expect(await run('main', 'SELECT id, v, d, size FROM t')).toEqual([{ id: 1, v: 6, d: 4, size: 24 }]);
  await expect(put('t', '2', { v: 5 })).rejects.toMatchObject({ code: '23514' });
});

test('one that does not end is stopped, one that reads tables or acts beyond the world is refused', async () => {
  await expect(put('t', '2', { v: 13 })).rejects.toMatchObject({ code: '57014' });
  await expect(put('reading', '1', { v: 1 })).rejects.toMatchObject({ code: '0A000' });
  await expect(put('rising', '1', { v: 1 })).rejects.toMatchObject({ code: '42501' });
  expect(await run('main', `SELECT count(*)::int AS n FROM pg_roles WHERE rolname = 'climbed'`)).toEqual([{ n: 0 }]);
});

test('rows of a merge and of its undoing are judged by them', async () => {
  await run('main', `INSERT INTO t (id, v, l) VALUES (1, 2, 'low'), (2, 4, 'high')`);
  await run('main', 'CREATE WORLD w');
  await run('w', `ALTER TYPE level ADD VALUE 'top'; UPDATE t SET v = 8 WHERE id = 1`);
  await run('main', 'UPDATE t SET d = 10 WHERE id = 1');
  await run('main', 'MERGE WORLD w BY COLUMNS');
  expect(await run('main', 'SELECT id, size FROM t ORDER BY id')).toEqual([
    { id: 1, size: 80 },
    { id: 2, size: 16 },
  ]);
  await run('main', 'UPDATE t SET d = 11 WHERE id = 2');
  await run('main', 'UNDO MERGE w');
  expect(await run('main', 'SELECT id, size FROM t ORDER BY id')).toEqual([
    { id: 1, size: 20 },
    { id: 2, size: 44 },
  ]);
});

test('a check that the branch adds is evaluated for rows that main changed', async () => {
  await run('main', 'CREATE TABLE many (id int PRIMARY KEY, v int); INSERT INTO many VALUES (1, 2), (2, 4)');
  await run('main', 'CREATE WORLD w');
  await run('w', 'ALTER TABLE many ADD CHECK (even(v))');
  await run('main', 'UPDATE many SET v = 3 WHERE id = 2');
  await expect(run('main', 'MERGE WORLD w')).rejects.toMatchObject({ data: { conflicts: [expect.objectContaining({ code: '23514' })] } });
});
