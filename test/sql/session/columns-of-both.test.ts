/** Both sides add a column, which then have one attnum: what is said of each stays with it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE ROLE reader; CREATE TABLE items (id int PRIMARY KEY, n int); INSERT INTO items VALUES (1, 1), (2, 2), (3, 3)`);
  await t.run('CREATE WORLD w');
  await t.run(`ALTER TABLE items ADD COLUMN mine int DEFAULT 5; COMMENT ON COLUMN items.mine IS 'of main'; COMMENT ON COLUMN items.n IS 'a number'`);
  await t.run(
    `ALTER TABLE items ADD COLUMN yours text DEFAULT 'y'; COMMENT ON COLUMN items.yours IS 'of the branch';
     GRANT SELECT (yours) ON items TO reader; SECURITY LABEL FOR anon ON COLUMN items.yours IS 'MASKED WITH VALUE ''-''';
     ALTER TABLE items ALTER COLUMN yours SET STATISTICS 77; UPDATE items SET n = 9 WHERE id = 2`,
    'w',
  );
});
afterEach(() => t.close());

/** Comment, privileges, statistics and mask of each column. */
const said = (world = 'main'): Promise<string[]> =>
  t.lines(
    `SELECT attname, attnum, coalesce(col_description(attrelid, attnum), '-') AS comment, coalesce(attacl::text, '-') AS acl, attstattarget, coalesce(label, '-') AS mask
       FROM pg_attribute LEFT JOIN pg_seclabels ON objoid = attrelid AND objsubid = attnum
      WHERE attrelid = 'items'::regclass AND attnum > 0 ORDER BY attnum`,
    world,
  );

const BEFORE = ['id 1 - - -1 -', 'n 2 a number - -1 -', 'mine 3 of main - -1 -'];
const MERGED = [...BEFORE, `yours 4 of the branch {reader=r/svc} 77 MASKED WITH VALUE '-'`];

test('a merge brings what is said of a column to where that comes to stand, its undoing takes it back', async () => {
  await t.run('MERGE WORLD w');
  expect(await said()).toEqual(MERGED);
  await t.run('UNDO MERGE w');
  expect(await said()).toEqual(BEFORE);
});

test('so do merges of a branch that is kept', async () => {
  await t.run('CREATE TABLE other (id int)', 'w');
  await t.run('MERGE WORLD w ONLY TABLES (items)');
  expect(await said()).toEqual(MERGED);
  await t.run(`COMMENT ON COLUMN items.yours IS 'said anew'; REVOKE SELECT (yours) ON items FROM reader; COMMENT ON COLUMN items.id IS 'key'`, 'w');
  await t.run('MERGE WORLD w');
  expect(await said()).toEqual(['id 1 key - -1 -', ...BEFORE.slice(1), `yours 4 said anew - 77 MASKED WITH VALUE '-'`]);
});

test('a branch put upon its parent again keeps what was said there', async () => {
  await t.run('REBASE WORLD w');
  expect(await said('w')).toEqual(MERGED);
});

test('two comments on one column conflict', async () => {
  await t.run(`COMMENT ON COLUMN items.n IS 'another'`, 'w');
  await t.refused('SV409', 'MERGE WORLD w');
  await t.run('MERGE WORLD w RESOLVE THEIRS');
  expect(await said()).toEqual(MERGED.map((line) => line.replace('a number', 'another')));
});

test('a difference as statements drops the one column and adds the other', async () => {
  const lines = await t.lines('DIFF WORLD main TO w AS SQL');
  expect(lines.filter((line) => line.startsWith('ALTER TABLE') || line.startsWith('UPDATE'))).toEqual([
    'ALTER TABLE items DROP COLUMN mine;',
    `ALTER TABLE items ADD COLUMN yours text DEFAULT 'y';`,
    `ALTER TABLE items ALTER COLUMN yours SET DEFAULT 'y'::text;`,
    'UPDATE items SET n = 9 WHERE id = 2;',
    'ALTER TABLE items ALTER COLUMN yours SET STATISTICS 77;',
  ]);
  expect(lines.filter((line) => !line.startsWith('ALTER TABLE') && !line.startsWith('UPDATE')).sort()).toEqual([
    'COMMENT ON COLUMN items.mine IS NULL;',
    'COMMENT ON COLUMN items.n IS NULL;',
    `COMMENT ON COLUMN items.yours IS 'of the branch';`,
    'GRANT SELECT (yours) ON TABLE items TO reader;',
    `SECURITY LABEL FOR anon ON COLUMN items.yours IS 'MASKED WITH VALUE ''-''';`,
  ]);
});

test('a column that only got another type is the same column still', async () => {
  await t.run('CREATE WORLD v');
  await t.run('ALTER TABLE items ALTER COLUMN n TYPE text; ALTER TABLE items RENAME COLUMN n TO label', 'v');
  for (const [from, to] of [
    ['main', 'v'],
    ['v', 'main'],
  ]) {
    const lines = await t.lines(`DIFF WORLD ${from} TO ${to} AS SQL`);
    expect(lines.filter((line) => /DROP COLUMN|ADD COLUMN/.test(line))).toEqual([]);
    expect(lines.some((line) => line.includes('RENAME COLUMN'))).toBe(true);
  }
});
