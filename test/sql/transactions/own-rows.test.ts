/** Rows that a transaction has changed itself, looked up by their keys: what it sees is what a look at the whole table shows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNER } from '../../../src/session/principal.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from '../session/open-database.ts';

let database: TestDatabase;
const sessions: SqlSession[] = [];
const session = (): SqlSession => {
  const made = database.db.session({ branch: 'main', principal: OWNER });
  sessions.push(made);
  return made;
};
beforeAll(async () => {
  database = await TestDatabase.open();
  await database.run(`
    CREATE TABLE t (id int PRIMARY KEY, n int, name text, note text DEFAULT 'new');
    CREATE TABLE two (a text, b int, n numeric(10,2), PRIMARY KEY (a, b))`);
});
afterAll(async () => {
  for (const each of sessions) each.close();
  await database.close();
});

const rows = async (own: SqlSession, sql: string): Promise<unknown[][]> => (await own.run(sql)).at(-1)!.rows.map((row) => row.map(String));

const steps: readonly (readonly [what: string, sql: string])[] = [
  ['a changed row', 'UPDATE t SET n = n + 1 WHERE id = 3'],
  ['one changed twice', 'UPDATE t SET n = n + 1 WHERE id = 3; UPDATE t SET name = NULL WHERE id = 3'],
  ['a new one', "INSERT INTO t VALUES (50, 1, 'fifty')"],
  ['a new one that is changed', "INSERT INTO t VALUES (51, 1, 'fifty-one'); UPDATE t SET note = 'x' WHERE id = 51"],
  ['one that goes', 'DELETE FROM t WHERE id = 5'],
  ['one that goes and comes again', "DELETE FROM t WHERE id = 6; INSERT INTO t VALUES (6, 60, 'again')"],
  ['one whose key changes', 'UPDATE t SET id = 70 WHERE id = 7'],
  ['what a savepoint takes back', 'SAVEPOINT s; UPDATE t SET n = 0 WHERE id = 8; ROLLBACK TO s'],
  ['many rows', 'UPDATE t SET n = n * 2 WHERE id <= 30'],
];

test.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])('under %s each row is found as it is', async (level) => {
  const [own, other] = [session(), session()];
  await own.run("TRUNCATE t; INSERT INTO t SELECT i, i * 10, 'name ' || i FROM generate_series(1, 40) i");
  for (const [what, sql] of steps) {
    await own.run(`BEGIN ISOLATION LEVEL ${level}; SELECT count(*) FROM t`);
    // Others come in between, so that the transaction's changes stand over a state that they were not made over.
    await own.run(sql);
    if (level !== 'SERIALIZABLE') await other.run('UPDATE t SET note = note || 1 WHERE id = 39');
    const single: unknown[][] = [];
    for (const id of [3, 4, 5, 6, 7, 8, 39, 50, 51, 70, 99]) {
      single.push(...(await rows(own, `SELECT id, n, name, note FROM t WHERE id = ${id}`)));
      // What is written next is made of what was seen.
      await own.run(`UPDATE t SET n = n + 1 WHERE id = ${id} AND id = 4`);
      if (id === 4) single.pop();
    }
    const whole = await rows(own, 'SELECT id, n, name, note FROM t WHERE id + 0 IN (3, 5, 6, 7, 8, 39, 50, 51, 70, 99) ORDER BY id');
    expect(single, what).toEqual(whole);
    await own.run('COMMIT');
    expect(await rows(other, 'SELECT id, n, name, note FROM t WHERE id IN (3, 5, 6, 7, 8, 50, 51, 70, 99) ORDER BY id'), what).toEqual(
      whole.filter(([id]) => id !== '39'),
    );
  }
});

test('by a key of two columns', async () => {
  const own = session();
  await own.run("TRUNCATE two; INSERT INTO two VALUES ('a', 1, 1.5), ('a', 2, 2.5), ('ä', 1, NULL)");
  await own.run("BEGIN; UPDATE two SET n = n * 2 WHERE a = 'a' AND b = 2; DELETE FROM two WHERE a = 'a' AND b = 1; INSERT INTO two VALUES ('z', 9, 0.01)");
  const one = async (a: string, b: number): Promise<unknown[][]> => rows(own, `SELECT n::text FROM two WHERE a = '${a}' AND b = ${b}`);
  expect([await one('a', 1), await one('a', 2), await one('ä', 1), await one('z', 9)]).toEqual([[], [['5.00']], [['null']], [['0.01']]]);
  await own.run('COMMIT');
  expect(await rows(own, 'SELECT a, b, n::text FROM two ORDER BY a COLLATE "C", b')).toEqual([
    ['a', '2', '5.00'],
    ['z', '9', '0.01'],
    ['ä', '1', 'null'],
  ]);
});

test('a cursor shows the row as it was when it was declared', async () => {
  const own = session();
  await own.run('TRUNCATE t; INSERT INTO t VALUES (1, 10), (2, 20)');
  await own.run('BEGIN; UPDATE t SET n = 11 WHERE id = 1; DECLARE c CURSOR FOR SELECT n FROM t WHERE id = 1; UPDATE t SET n = 12 WHERE id = 1');
  expect(await rows(own, 'FETCH c')).toEqual([['11']]);
  expect(await rows(own, 'SELECT n FROM t WHERE id = 1')).toEqual([['12']]);
  await own.run('ROLLBACK');
  expect(await rows(own, 'SELECT n FROM t WHERE id = 1')).toEqual([['10']]);
});

test('transactions that hold locks are counted, and none is left', async () => {
  const { locks } = session().host.context;
  const [a, b] = [session(), session()];
  expect(locks.holders).toBe(0);
  await a.run('BEGIN; UPDATE t SET n = 1 WHERE id = 1');
  await b.run('BEGIN; SAVEPOINT s; UPDATE t SET n = 1 WHERE id = 2; SELECT pg_advisory_lock(1); SELECT pg_advisory_xact_lock(2)');
  expect(locks.holders).toBe(2);
  await b.run('ROLLBACK TO s');
  await a.run('COMMIT');
  await b.run('SELECT pg_advisory_unlock_all()');
  await b.run('COMMIT');
  expect(locks.holders).toBe(0);
  await a.run('BEGIN; SELECT n FROM t WHERE id = 1 FOR UPDATE');
  const waits = b.run('UPDATE t SET n = 5 WHERE id = 1');
  await a.run('COMMIT');
  await waits;
  expect(locks.holders).toBe(0);
});
