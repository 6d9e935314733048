/** Transactions, savepoints, and two sessions that write at once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
let a: SqlSession;
let b: SqlSession;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n VALUES (1, 10), (2, 20)');
  a = t.db.session();
  b = t.db.session();
});
afterEach(async () => {
  a.close();
  b.close();
  await t.close();
});

async function values(session: SqlSession, sql = 'SELECT v FROM n ORDER BY id'): Promise<unknown[]> {
  return (await session.run(sql)).at(-1)!.rows.map((row) => row[0]);
}

test('writes of a transaction are visible to it only until it commits', async () => {
  await a.run('BEGIN; UPDATE n SET v = 11 WHERE id = 1');
  expect(await values(a)).toEqual([11, 20]);
  expect(await values(b)).toEqual([10, 20]);
  await a.run('COMMIT');
  expect(await values(b)).toEqual([11, 20]);
});

test('a rolled back transaction leaves nothing, definitions neither', async () => {
  const { version } = await t.db.world({});
  await a.run(`BEGIN; CREATE TABLE made (a int); INSERT INTO made VALUES (1); ALTER TABLE n ADD COLUMN w int; DROP TABLE n; ROLLBACK`);
  expect(await values(a)).toEqual([10, 20]);
  await refused('42P01', a.run('SELECT * FROM made'));
  expect((await t.db.world({})).version).toBe(version);
});

test('after an error the block waits for its end', async () => {
  await refused('22012', a.run('BEGIN; UPDATE n SET v = 0; SELECT 1/0'));
  await refused('25P02', a.run('SELECT 1'));
  await refused('25P02', a.run('SAVEPOINT s'));
  expect((await a.run('COMMIT'))[0].command).toBe('ROLLBACK');
  expect(await values(a)).toEqual([10, 20]);
});

test('savepoints nest, are released and gone back to', async () => {
  await a.run('BEGIN; SAVEPOINT s; UPDATE n SET v = 1; SAVEPOINT s; UPDATE n SET v = 2; CREATE TABLE made (a int)');
  await a.run('ROLLBACK TO s');
  expect(await values(a)).toEqual([1, 1]);
  await refused('42P01', a.run('SELECT * FROM made'));
  await a.run('ROLLBACK TO s; RELEASE s; ROLLBACK TO SAVEPOINT s');
  expect(await values(a)).toEqual([10, 20]);
  await a.run('SAVEPOINT last');
  await refused('3B001', a.run('RELEASE nope'));
  await a.run('ROLLBACK TO last; RELEASE s');
  await refused('3B001', a.run('ROLLBACK TO last'));
  await a.run('ROLLBACK; BEGIN');
  await a.run('UPDATE n SET v = 3 WHERE id = 1; COMMIT');
  expect(await values(b)).toEqual([3, 20]);
  await refused('25P01', a.run('SAVEPOINT s'));
});

test('a constraint that fails in a savepoint is rolled back with it', async () => {
  await a.run('BEGIN; INSERT INTO n VALUES (3, 30); SAVEPOINT s');
  await refused('23505', a.run('INSERT INTO n VALUES (3, 31)'));
  await a.run('ROLLBACK TO s; INSERT INTO n VALUES (4, 40); COMMIT');
  expect(await values(b)).toEqual([10, 20, 30, 40]);
});

test('a read-only transaction writes nothing', async () => {
  await refused('25006', a.run('BEGIN READ ONLY; DELETE FROM n'));
  await a.run('ROLLBACK');
  await a.run('SET default_transaction_read_only = on');
  await refused('25006', a.run('CREATE TABLE x (a int)'));
});

test('of two blocks that write one row the second waits, and fails with 40001 under REPEATABLE READ', async () => {
  await a.run('BEGIN ISOLATION LEVEL REPEATABLE READ; UPDATE n SET v = v + 1 WHERE id = 1');
  await b.run('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT v FROM n');
  const waiting = b.run('UPDATE n SET v = v + 5 WHERE id = 1');
  waiting.catch(() => {});
  await a.run('COMMIT');
  const error = await refused('40001', waiting);
  expect(error.message).toBe('could not serialize access due to concurrent update');
  await b.run('ROLLBACK');
  expect(await values(b)).toEqual([11, 20]);
  await b.run('BEGIN; UPDATE n SET v = v + 5 WHERE id = 1; COMMIT');
  expect(await values(a)).toEqual([16, 20]);
});

test('statements that write at once all count', async () => {
  const sessions = Array.from({ length: 8 }, () => t.db.session());
  await Promise.all(sessions.flatMap((session) => [session.run('UPDATE n SET v = v + 1 WHERE id = 2')]));
  await Promise.all(Array.from({ length: 40 }, () => t.db.sql({ sql: 'UPDATE n SET v = v + 1 WHERE id = 2; SELECT v FROM n' })));
  expect(await values(a, 'SELECT v FROM n WHERE id = 2')).toEqual([68]);
  for (const session of sessions) session.close();
});

test('blocks that are tried again until they commit lose no step', async () => {
  const step = async (): Promise<number> => {
    const session = t.db.session();
    for (let tries = 1; ; tries++) {
      try {
        await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ');
        const [v] = await values(session, 'SELECT v FROM n WHERE id = 1');
        await session.run(`UPDATE n SET v = ${Number(v) + 1} WHERE id = 1`);
        await session.run('COMMIT');
        session.close();
        return tries;
      } catch (error) {
        expect((error as { code: string }).code).toBe('40001');
        await session.run('ROLLBACK');
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, step));
  expect(await values(a, 'SELECT v FROM n WHERE id = 1')).toEqual([16]);
});

test('a world dropped under an open transaction refuses its commit', async () => {
  await t.run('CREATE WORLD w');
  const session = t.db.session({ branch: 'w' });
  await session.run('BEGIN; UPDATE n SET v = 0');
  await t.run('DROP WORLD w');
  await refused('3D000', session.run('COMMIT'));
  session.close();
  expect(await values(a)).toEqual([10, 20]);
});

test('sequences keep their numbers over rollbacks and errors', async () => {
  await t.run('CREATE TABLE s (id serial PRIMARY KEY, u int UNIQUE)');
  await t.run('INSERT INTO s (u) VALUES (1)');
  await refused('23505', t.db.sql({ sql: 'INSERT INTO s (u) VALUES (1)' }));
  await a.run('BEGIN; INSERT INTO s (u) VALUES (2); ROLLBACK');
  await a.run('INSERT INTO s (u) VALUES (3)');
  const ids = await values(a, 'SELECT id FROM s ORDER BY id');
  expect(ids[0]).toBe(1);
  expect(Number(ids[1])).toBeGreaterThan(1);
});

test('cursors end with their transaction, those WITH HOLD do not', async () => {
  await a.run('BEGIN; DECLARE c CURSOR FOR SELECT id FROM n ORDER BY id; DECLARE h CURSOR WITH HOLD FOR SELECT v FROM n ORDER BY id');
  expect(await values(a, 'FETCH 1 FROM c')).toEqual([1]);
  await a.run('UPDATE n SET v = 0; COMMIT');
  await refused('34000', a.run('FETCH 1 FROM c'));
  expect(await values(a, 'FETCH ALL FROM h')).toEqual([10, 20]);
});
