/** Rules of a domain that change beside a transaction that has written values of it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { refused, TestDatabase } from '../session/open-database.ts';

let t: TestDatabase;
let a: SqlSession;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE DOMAIN d AS int; CREATE DOMAIN dd AS d; CREATE TABLE t (id int PRIMARY KEY, v d, w dd)');
  a = t.db.session();
});
afterEach(async () => {
  a.close();
  await t.close();
});

const RULES: [alter: string, row: string, code: string][] = [
  ['ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0)', '(1, -5, 5)', '23514'],
  ['ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0)', '(1, 5, -5)', '23514'],
  ['ALTER DOMAIN d SET NOT NULL', '(1, NULL, 5)', '23502'],
];

for (const [alter, row, code] of RULES) {
  test(`${alter} waits for who has written ${row}, and is refused`, async () => {
    await a.run(`BEGIN; INSERT INTO t VALUES ${row}`);
    let over = false;
    const altered = refused(code, t.run(alter)).finally(() => (over = true));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(over).toBe(false);
    await a.run('COMMIT');
    await altered;
    expect(await t.lines('SELECT id FROM t')).toEqual(['1']);
  });

  test(`${alter} is done once ${row} is rolled back`, async () => {
    await a.run(`BEGIN; INSERT INTO t VALUES ${row}`);
    const altered = t.run(alter);
    await a.run('ROLLBACK');
    await altered;
    await t.refused(code, `INSERT INTO t VALUES ${row}`);
  });

  describe.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])('%s', (level) => {
    test(`a merge that brings ${alter} beside ${row}: the transaction does not commit`, async () => {
      await t.run('CREATE WORLD w');
      await t.run(alter, 'w');
      await a.run(`BEGIN ISOLATION LEVEL ${level}; INSERT INTO t VALUES ${row}`);
      await t.run('MERGE WORLD w');
      await refused('40001', a.run('COMMIT'));
      expect(await t.lines('SELECT id FROM t')).toEqual([]);
    });
  });
}

test('a NOT VALID constraint waits for no transaction', async () => {
  await a.run('BEGIN; INSERT INTO t VALUES (1, -5, -5)');
  await t.run('ALTER DOMAIN d ADD CONSTRAINT c CHECK (VALUE > 0) NOT VALID');
  await a.run('COMMIT');
  expect(await t.lines('SELECT id FROM t')).toEqual(['1']);
});
