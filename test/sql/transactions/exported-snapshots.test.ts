/** pg_export_snapshot and SET TRANSACTION SNAPSHOT: two sessions that read one state. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER } from '../../../src/session/principal.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { refused, TestDatabase } from '../session/open-database.ts';

let database: TestDatabase;
const sessions: SqlSession[] = [];
const session = (branch = 'main'): SqlSession => {
  const made = database.db.session({ branch, principal: OWNER });
  sessions.push(made);
  return made;
};
beforeAll(async () => {
  database = await TestDatabase.open();
  await database.run('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)');
});
afterAll(async () => {
  for (const each of sessions) each.close();
  await database.close();
});

const value = async (own: SqlSession, sql: string): Promise<unknown> => (await own.run(sql)).at(-1)!.rows[0][0];
const count = (own: SqlSession): Promise<unknown> => value(own, 'SELECT count(*) FROM t');

test.each(['READ COMMITTED', 'REPEATABLE READ'])('a transaction reads what one under %s read when it exported', async (level) => {
  const [a, b, c] = [session(), session(), session()];
  await a.run('TRUNCATE t; INSERT INTO t VALUES (1)');
  await a.run(`BEGIN ISOLATION LEVEL ${level}`);
  expect(await count(a)).toBe(1);
  const id = (await value(a, 'SELECT pg_export_snapshot()')) as string;
  expect(id).toMatch(/^[0-9A-F]{8}-[0-9A-F]{8}-1$/);
  for (let i = 2; i < 50; i++) await c.run(`INSERT INTO t VALUES (${i})`);
  await b.run(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '${id}'`);
  expect(await count(b)).toBe(1);
  await a.run('COMMIT');
  // Who has it keeps it.
  await c.run('INSERT INTO t VALUES (1000)');
  expect(await count(b)).toBe(1);
  await b.run('COMMIT');
  expect(await count(b)).toBe(50 - 1 + 1);
  await b.run('BEGIN ISOLATION LEVEL REPEATABLE READ');
  expect((await refused('22023', b.run(`SET TRANSACTION SNAPSHOT '${id}'`))).message).toBe(`invalid snapshot identifier: "${id}"`);
  await b.run('ROLLBACK');
});

test('what it has not committed is not in it, and writing over it meets later changes', async () => {
  const [a, b] = [session(), session()];
  await a.run('TRUNCATE t; INSERT INTO t VALUES (1), (2)');
  await a.run('BEGIN');
  await a.run('INSERT INTO t VALUES (3)');
  const id = (await value(a, 'SELECT pg_export_snapshot()')) as string;
  await b.run(`BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '${id}'`);
  expect(await count(b)).toBe(2);
  await a.run('UPDATE t SET id = 20 WHERE id = 2; COMMIT');
  await refused('40001', b.run('DELETE FROM t WHERE id = 2'));
  await b.run('ROLLBACK');
});

const refusals: readonly [sql: string, code: string, message: string][] = [
  ["SET TRANSACTION SNAPSHOT 'x'", '0A000', 'a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE READ'],
  ["BEGIN; SET TRANSACTION SNAPSHOT 'x'", '0A000', 'a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE READ'],
  ["BEGIN ISOLATION LEVEL SERIALIZABLE; SET TRANSACTION SNAPSHOT 'x'", '22023', 'invalid snapshot identifier: "x"'],
  ["BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; SET TRANSACTION SNAPSHOT 'x'", '25001', 'SET TRANSACTION SNAPSHOT must be called before any query'],
  ['BEGIN; SAVEPOINT s; SELECT pg_export_snapshot()', '25001', 'cannot export a snapshot from a subtransaction'],
];
test.each(refusals)('%s is refused', async (sql, code, message) => {
  const own = session();
  expect((await refused(code, own.run(sql))).message).toBe(message);
  await own.run('ROLLBACK');
});

test('another world has another state', async () => {
  const [a, b] = [session(), session('other')];
  await a.run('CREATE DATABASE other');
  await a.run('BEGIN');
  const id = (await value(a, 'SELECT pg_export_snapshot()')) as string;
  await b.run('BEGIN ISOLATION LEVEL REPEATABLE READ');
  expect((await refused('0A000', b.run(`SET TRANSACTION SNAPSHOT '${id}'`))).message).toBe('cannot import a snapshot from a different database');
  await b.run('ROLLBACK');
  await a.run('ROLLBACK');
});
