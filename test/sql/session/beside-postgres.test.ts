/** Where statements end otherwise than on Postgres, by design. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)');
});
afterAll(() => t.close());

test.each([['CREATE RULE r AS ON SELECT TO t DO INSTEAD SELECT * FROM t', 'rules ON SELECT are not supported']])('%s is refused', async (sql, message) => {
  expect((await refused('0A000', t.db.sql({ sql }))).message).toBe(message);
});

test('the place of a row stays, its version changes', async () => {
  const [before] = await t.lines('SELECT ctid FROM t');
  const [version] = await t.lines('SELECT xmin FROM t');
  await t.run('UPDATE t SET a = 2');
  expect(await t.lines('SELECT ctid FROM t')).toEqual([before]);
  expect(await t.lines('SELECT xmin FROM t')).not.toEqual([version]);
});
