/** Where statements end otherwise than on Postgres, by design. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)');
});
afterAll(() => t.close());

test.each(['TRIGGER r AFTER', 'CONSTRAINT TRIGGER r AFTER'])('CREATE %s INSERT is refused with what to do instead', async (what) => {
  const error = await refused('0A000', t.db.sql({ sql: `CREATE ${what} INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()` }));
  expect(error.message).toBe('CREATE TRIGGER is not supported');
  expect(error.hint).toContain('generated columns');
});

test('the place of a row stays, its version changes', async () => {
  const [before] = await t.lines('SELECT ctid FROM t');
  const [version] = await t.lines('SELECT xmin FROM t');
  await t.run('UPDATE t SET a = 2');
  expect(await t.lines('SELECT ctid FROM t')).toEqual([before]);
  expect(await t.lines('SELECT xmin FROM t')).not.toEqual([version]);
});
