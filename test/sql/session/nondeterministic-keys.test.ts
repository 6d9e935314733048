/** Rows under keys by a collation that is not deterministic: in branches, merges, the past, and what is made of the log again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE person (name text COLLATE ci PRIMARY KEY, n int, mail text COLLATE ci UNIQUE);
    INSERT INTO person VALUES ('Anna', 1, 'A@x'), ('bob', 2, 'b@X')`);
}, 60_000);
afterAll(() => t.close());

const rows = (branch?: string): Promise<string[]> => t.lines('SELECT * FROM person ORDER BY name', branch);

test('two worlds that add equal names have added one row', async () => {
  await t.run('CREATE WORLD w');
  await t.run(`INSERT INTO person VALUES ('Carl', 3, 'c@x')`);
  await t.run(`INSERT INTO person VALUES ('CARL', 4, 'cc@x'), ('dora', 1, 'd@x'); UPDATE person SET name = 'ANNA' WHERE name = 'anna'`, 'w');
  await expect(t.run('MERGE WORLD w')).rejects.toThrow(/1 row changed both/);
  await t.run(`DELETE FROM person WHERE name = 'cArl'`);
  await t.run('MERGE WORLD w');
  expect(await rows()).toEqual(['ANNA 1 A@x', 'bob 2 b@X', 'CARL 4 cc@x', 'dora 1 d@x']);
});

test('a merge that would bring a second of two equal mails is refused', async () => {
  await t.run('CREATE WORLD v');
  await t.run(`INSERT INTO person VALUES ('eve', 1, 'E@x')`);
  await t.run(`INSERT INTO person VALUES ('fay', 1, 'e@X')`, 'v');
  await expect(t.run('MERGE WORLD v')).rejects.toThrow(/1 row would break a constraint of the result/);
});

test('rows are found by equal names after rebuilding from the log alone', async () => {
  await t.reopen({ withoutCache: true });
  expect(await t.lines(`SELECT n FROM person WHERE name = 'DORA' AND mail = 'D@X'`)).toEqual(['1']);
  expect((await t.lines(`EXPLAIN SELECT n FROM person WHERE name = 'DORA'`)).join('\n')).toContain('Index Scan using person_pkey');
  await expect(t.run(`INSERT INTO person VALUES ('DORA', 1)`)).rejects.toThrow(/person_pkey/);
});
