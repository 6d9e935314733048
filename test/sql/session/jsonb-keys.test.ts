/** Tables whose primary key is jsonb fork, merge, are told apart and read in the past by the documents' own equality. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE TABLE items (k jsonb PRIMARY KEY, n int, tag jsonb UNIQUE);
    INSERT INTO items VALUES ('{"a": 1}', 1, '1'), ('[]', 2, '2'), ('"x"', 3, '3')`);
  await t.run('CREATE WORLD w');
});
afterEach(() => t.close());

const rows = (world = 'main'): Promise<string[]> => t.lines('SELECT k::text, n, tag::text FROM items ORDER BY items.k', world);

test('columns of one row that both sides change merge', async () => {
  await t.run(`UPDATE items SET n = 10 WHERE k = '{"a": 1.0}'`);
  await t.run(`UPDATE items SET tag = '7' WHERE k = '{"a": 1}'; DELETE FROM items WHERE k = '[]'; INSERT INTO items VALUES ('null', 4, '4')`, 'w');
  expect(await t.lines('DIFF WORLD w')).toMatchInlineSnapshot(`
    [
      "items/[] delete {"k":[],"n":2,"tag":2} null ["k","n","tag"]",
      "items/null insert null {"k":null,"n":4,"tag":4} ["k","n","tag"]",
      "items/{"a":%201} update {"k":{"a":1},"n":1,"tag":1} {"k":{"a":1},"n":1,"tag":7} ["tag"]",
    ]
  `);
  await t.run('MERGE WORLD w BY COLUMNS');
  expect(await rows()).toEqual(['null 4 4', '"x" 3 3', '{"a": 1} 10 7']);
  expect(await t.lines(`SELECT n FROM items WHERE tag = '7.0'`)).toEqual(['10']);
  await t.run('UNDO MERGE w');
  expect(await rows()).toEqual(['[] 2 2', '"x" 3 3', '{"a": 1} 10 1']);
});

test('equal documents that are written otherwise are one key, and rows of it conflict', async () => {
  await t.run(`INSERT INTO items VALUES ('5', 1, '8')`);
  await t.run(`INSERT INTO items VALUES ('5.0', 2, '9')`, 'w');
  await t.refused('SV409', 'MERGE WORLD w');
  await t.run('MERGE WORLD w RESOLVE THEIRS');
  expect(await t.lines(`SELECT n, tag FROM items WHERE k = '5'`)).toEqual(['2 9']);
});

test('a unique key that both sides give refuses the merge', async () => {
  await t.run(`INSERT INTO items VALUES ('6', 1, '{"t": 1}')`);
  await t.run(`INSERT INTO items VALUES ('7', 1, '{"t": 1.00}')`, 'w');
  await t.refused('SV409', 'MERGE WORLD w');
});

test('the past has the keys that it had, and searches by them', async () => {
  await t.run(`CREATE INDEX items_z ON items ((tag -> 'z')); UPDATE items SET tag = '{"z": 1.5}' WHERE k = '[]'`);
  const at = String(t.db.stats()['log_sequence']);
  await t.run(`UPDATE items SET k = '"y"' WHERE k = '"x"'; UPDATE items SET tag = '{"z": 2}' WHERE k = '[]'`);
  const past = `main@#${at}`;
  expect(await rows(past)).toEqual(['[] 2 {"z": 1.5}', '"x" 3 3', '{"a": 1} 1 1']);
  expect(await t.lines(`SELECT n FROM items WHERE tag -> 'z' = '1.50'`, past)).toEqual(['2']);
  expect(await t.lines(`SELECT n FROM items WHERE tag -> 'z' = '1.50'`)).toEqual([]);
  expect(await rows()).toEqual(['[] 2 {"z": 2}', '"y" 3 3', '{"a": 1} 1 1']);
});
