/** Rows that a merge derives are in the world as the merge's event and its dry run have them, also where the branch's tree could be taken as it is. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

test('a generated column of the branch, by a function that the world merged into has changed', async () => {
  await t.run("CREATE FUNCTION times(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n * 2'");
  await t.run('CREATE TABLE t (id int PRIMARY KEY, x int); INSERT INTO t VALUES (1, 1), (2, 2); CREATE WORLD w');
  await t.run('ALTER TABLE t ADD COLUMN g int GENERATED ALWAYS AS (times(x)) STORED', 'w');
  await t.run("CREATE OR REPLACE FUNCTION times(n int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT n * 3'");
  const { rows } = await t.db.preview({ branch: 'w' });
  expect(rows.map(({ result }) => result)).toEqual([
    { id: 1, x: 1, g: 3 },
    { id: 2, x: 2, g: 6 },
  ]);
  expect(await t.db.merge({ branch: 'w' })).toEqual({ merged: 2 });
  expect(await t.lines('SELECT * FROM t ORDER BY id')).toEqual(['1 1 3', '2 2 6']);
  await t.reopen({ withoutCache: true });
  expect(await t.lines('SELECT * FROM t ORDER BY id')).toEqual(['1 1 3', '2 2 6']);
});
