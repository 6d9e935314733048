/** Tables that a branch makes or drops together with what points at them: merged, and undone. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

const CASES: [string, string, string][] = [
  [
    'a table and one that points at it',
    `CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (7); CREATE TABLE b (id int PRIMARY KEY, c int REFERENCES a); INSERT INTO b VALUES (1, 7)`,
    'a, b',
  ],
  [
    'by another unique key',
    `CREATE TABLE a (id int PRIMARY KEY, w text UNIQUE); INSERT INTO a VALUES (1, 'x'); CREATE TABLE b (id int PRIMARY KEY, w text REFERENCES a (w)); CREATE INDEX ON b (lower(w)); INSERT INTO b VALUES (1, 'x')`,
    'a, b',
  ],
  ['a table that points at itself', `CREATE TABLE a (id int PRIMARY KEY, up int REFERENCES a); INSERT INTO a VALUES (1, NULL), (2, 1)`, 'a'],
  [
    'partitions that are pointed at',
    `CREATE TABLE a (id int, k int, PRIMARY KEY (id, k)) PARTITION BY LIST (k); CREATE TABLE a1 PARTITION OF a FOR VALUES IN (1); CREATE TABLE a2 PARTITION OF a DEFAULT; INSERT INTO a SELECT g, g % 3 FROM generate_series(1, 9) g; CREATE TABLE b (id int PRIMARY KEY, c int, k int, FOREIGN KEY (c, k) REFERENCES a); INSERT INTO b VALUES (1, 7, 1), (2, 5, 2)`,
    'a, b',
  ],
  [
    'partitions that point',
    `CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1), (2); CREATE TABLE b (id int, k int, c int REFERENCES a) PARTITION BY LIST (k); CREATE TABLE b1 PARTITION OF b FOR VALUES IN (1); CREATE TABLE b2 PARTITION OF b FOR VALUES IN (2); INSERT INTO b VALUES (1, 1, 2), (2, 2, 1)`,
    'a, b',
  ],
  [
    'a ring',
    `CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY REFERENCES a); ALTER TABLE a ADD FOREIGN KEY (id) REFERENCES b DEFERRABLE INITIALLY DEFERRED; BEGIN; INSERT INTO a VALUES (1); INSERT INTO b VALUES (1); COMMIT`,
    'a, b',
  ],
];

test.each(CASES)('%s', async (_name, sql, tables) => {
  const rows = async (branch = 'main'): Promise<string[]> => {
    const out: string[] = [];
    for (const table of tables.split(', ')) out.push(...(await t.lines(`SELECT tableoid::regclass, r::text FROM ${table} r ORDER BY 2`, branch)));
    return out;
  };
  await t.run('CREATE WORLD branch');
  await t.run(sql, 'branch');
  const made = await rows('branch');
  await t.run('MERGE WORLD branch');
  expect(await rows()).toEqual(made);
  await t.run('UNDO MERGE branch');
  await t.refused('42P01', `SELECT * FROM ${tables.split(', ')[0]}`);
  await t.run(sql);
  await t.run('CREATE WORLD other');
  await t.run(`DROP TABLE ${tables} CASCADE`, 'other');
  await t.run('MERGE WORLD other');
  await t.run('UNDO MERGE other');
  expect(await rows()).toEqual(made);
  await t.reopen({ withoutCache: true });
  expect(await rows()).toEqual(made);
});

const POINTING = `CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (7), (8), (9); CREATE TABLE b (id int PRIMARY KEY, c int REFERENCES a);
  INSERT INTO b VALUES (1, 7), (2, 9)`;

test('rows that get new keys drop their old references', async () => {
  await t.run(POINTING);
  await t.run('CREATE WORLD branch');
  await t.run('ALTER TABLE b ALTER id TYPE bigint; UPDATE b SET c = 9; DELETE FROM a WHERE id = 7', 'branch');
  await t.run('MERGE WORLD branch');
  expect(await t.lines('SELECT id, c FROM b ORDER BY id')).toEqual(['1 9', '2 9']);
  expect(await t.lines('SELECT id FROM a ORDER BY id')).toEqual(['8', '9']);
  await t.run('UNDO MERGE branch');
  expect(await t.lines('SELECT id, c FROM b ORDER BY id')).toEqual(['1 7', '2 9']);
});

test('a new reference to a row that a table with a new primary key no longer has is a conflict', async () => {
  await t.run(POINTING);
  await t.run('CREATE WORLD branch');
  await t.run('ALTER TABLE a ALTER id TYPE bigint; DELETE FROM a WHERE id = 8', 'branch');
  await t.run('INSERT INTO b VALUES (3, 8)');
  const error = await t.refused('SV409', 'MERGE WORLD branch');
  expect((error.data as { conflicts: { key: string; code: string }[] }).conflicts.map(({ key, code }) => `${key} ${code}`)).toEqual(['b/3 23503']);
  await t.run('UPDATE b SET c = 9 WHERE id = 3');
  await t.run('MERGE WORLD branch');
  expect(await t.lines('SELECT id, c FROM b ORDER BY id')).toEqual(['1 7', '2 9', '3 9']);
});
