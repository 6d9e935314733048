/** Which column of which relation a result's column is: of a partitioned table its own, whichever partitions are read, and of a view its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from './open-database.ts';

let database: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  database = await TestDatabase.open();
  session = database.db.session({ branch: 'main' });
  await session.run(`CREATE TABLE plain (a int, b text);
    CREATE TABLE whole (x int, gone int, y text) PARTITION BY LIST (x); ALTER TABLE whole DROP COLUMN gone;
    CREATE TABLE one PARTITION OF whole FOR VALUES IN (1); CREATE TABLE rest PARTITION OF whole DEFAULT;
    CREATE VIEW seen AS SELECT b AS name, a, a AS again, a + 1 AS next FROM plain; CREATE VIEW over AS SELECT again, name FROM seen;
    INSERT INTO whole VALUES (1, 'a'), (2, 'b'); INSERT INTO plain VALUES (1, 'p')`);
});
afterAll(async () => {
  session.close();
  await database.close();
});

test.each([
  ['SELECT b, a FROM plain', ['plain 2', 'plain 1']],
  ['SELECT y, x + 1 FROM whole', ['whole 3', '']],
  ['SELECT y FROM whole WHERE x = 1', ['whole 3']],
  ['SELECT whole.y, plain.b FROM whole JOIN plain ON a = x ORDER BY 1 LIMIT 1', ['whole 3', 'plain 2']],
  ['SELECT max(y) FROM whole', ['']],
  ['SELECT * FROM seen', ['seen 1', 'seen 2', 'seen 3', 'seen 4']],
  ['SELECT again FROM (SELECT * FROM over) o', ['over 1']],
  ['WITH w AS (SELECT name FROM over) SELECT * FROM w', ['over 2']],
  ['SELECT a, over.again FROM plain RIGHT JOIN seen USING (a) JOIN over ON true', ['seen 2', 'over 1']],
])('%s', async (sql, origins) => {
  const names = new Map([...session.schema().tables.values(), ...session.schema().views.values()].map(({ number, name }) => [number, name]));
  session.rollback();
  const [{ columns }] = await session.run(sql);
  expect(columns!.map(({ table, attnum }) => (table === undefined ? '' : `${names.get(table)} ${attnum}`))).toEqual(origins);
});
