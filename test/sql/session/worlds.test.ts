/** World statements in SQL, AS OF, and definitions that are versioned with their world. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE TABLE items (id int PRIMARY KEY, name text, price numeric(8,2)); INSERT INTO items VALUES (1, 'tea', 1), (2, 'rum', 2), (3, 'ale', 3)`);
});
afterEach(() => t.close());

const head = (): number => t.db.stats()['log_sequence'];

test('fork, change, diff, dry run, merge, undo', async () => {
  expect(await t.rows(`CREATE WORLD draft META '{"why": "prices"}'`)).toMatchObject([{ name: 'draft', parent: 'main', depth: 1, meta: { why: 'prices' } }]);
  await t.run(`UPDATE items SET price = 9 WHERE id = 1; DELETE FROM items WHERE id = 2; INSERT INTO items VALUES (4, 'gin', 4)`, 'draft');
  expect(await t.rows('DIFF WORLD draft')).toEqual([
    {
      key: 'items/1',
      change: 'update',
      before: { id: 1, name: 'tea', price: '1.00' },
      after: { id: 1, name: 'tea', price: '9.00' },
      columns: ['price'],
    },
    { key: 'items/2', change: 'delete', before: { id: 2, name: 'rum', price: '2.00' }, after: null, columns: ['id', 'name', 'price'] },
    { key: 'items/4', change: 'insert', before: null, after: { id: 4, name: 'gin', price: '4.00' }, columns: ['id', 'name', 'price'] },
  ]);
  expect(await t.lines('DIFF WORLD draft COUNT')).toEqual(['items 3']);
  expect(await t.lines('DIFF WORLD draft AS SQL')).toEqual([
    `UPDATE items SET price = '9.00' WHERE id = 1;`,
    'DELETE FROM items WHERE id = 2;',
    `INSERT INTO items (id, name, price) VALUES (4, 'gin', '4.00');`,
  ]);
  expect((await t.rows('DIFF WORLD draft LIMIT 1')).map(({ key }) => key)).toEqual(['items/1']);
  expect((await t.rows(`DIFF WORLD draft AFTER 'items/2' LIMIT 5`)).map(({ key }) => key)).toEqual(['items/4']);
  expect(await t.rows('DIFF WORLD draft TABLES (other)')).toEqual([]);
  expect((await t.rows('DIFF WORLD draft TO main')).map(({ change }) => change)).toEqual(['update', 'insert', 'delete']);
  expect((await t.rows('MERGE WORLD draft DRY RUN')).map((row) => `${row['key'] as string} ${row['outcome'] as string} ${row['delete'] as boolean}`)).toEqual([
    'items/2 delete true',
    'items/1 update false',
    'items/4 insert false',
  ]);
  expect(await t.rows('MERGE WORLD draft')).toEqual([{ merged: 3, version: null }]);
  expect(await t.lines('SELECT id, price FROM items ORDER BY id')).toEqual(['1 9.00', '3 3.00', '4 4.00']);
  await t.refused('3D000', 'SELECT 1', { branch: 'draft' });
  expect(await t.rows('UNDO MERGE draft')).toMatchObject([{ parent: 'main', undone: 3, skipped: 0 }]);
  expect(await t.lines('SELECT id, price FROM items ORDER BY id')).toEqual(['1 1.00', '2 2.00', '3 3.00']);
  expect((await t.rows('SHOW HISTORY')).map(({ event, rows }) => [event, rows])).toEqual([
    ['undo merge', 3],
    ['merge', 3],
    ['write', 3],
    ['create', 0],
  ]);
  expect(await t.rows('SHOW HISTORY FOR WORLD draft LIMIT 1')).toHaveLength(1);
});

// contract: diff.3
test('statements applied to the parent give the fork', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(
    `UPDATE items SET name = 'it''s', price = NULL WHERE id = 1; ALTER TABLE items ADD COLUMN at timestamptz DEFAULT '2026-01-01Z'; CREATE INDEX by_name ON items (lower(name));
     CREATE TABLE parts (item int REFERENCES items, n serial, data bytea, PRIMARY KEY (item, n)); INSERT INTO parts (item, data) VALUES (1, '\\x00ff'), (3, NULL);
     CREATE VIEW cheap AS SELECT name FROM items WHERE price < 3;
     CREATE TYPE "order" AS ENUM ('a'); CREATE TABLE "user" ("select" "order" PRIMARY KEY, "a$b" int); INSERT INTO "user" VALUES ('a', 1)`,
    'draft',
  );
  const script = (await t.rows('DIFF WORLD draft AS SQL')).map(({ sql }) => sql as string);
  await t.run('CREATE WORLD copy');
  await t.run(script.join('\n'), 'copy');
  for (const query of [
    'SELECT * FROM items ORDER BY id',
    'SELECT * FROM parts ORDER BY item, n',
    'SELECT * FROM cheap ORDER BY 1',
    'SELECT * FROM "user"',
    'SELECT last_value, is_called FROM parts_n_seq',
    `SELECT indexdef FROM pg_indexes ORDER BY 1`,
  ]) {
    expect(await t.lines(query, 'copy')).toEqual(await t.lines(query, 'draft'));
  }
});

test('USE WORLD moves the session, within one call too', async () => {
  const { results } = await t.db.sql({ sql: `CREATE WORLD w; USE WORLD w; DELETE FROM items; SHOW WORLD` });
  expect(results.at(-1)?.rows).toMatchObject([{ name: 'w', version: 1 }]);
  expect(await t.lines('SELECT count(*) FROM items')).toEqual(['3']);
  const session = t.db.session({ branch: 'w' });
  expect((await session.run('SELECT current_database()'))[0].rows).toEqual([['w']]);
  await session.run('USE WORLD main');
  expect((await session.run('SELECT count(*) FROM items'))[0].rows).toEqual([[3]]);
  await refused('3D000', session.run('USE WORLD nowhere'));
  expect((await session.run('SELECT current_database()'))[0].rows).toEqual([['main']]);
  await session.run(`USE WORLD "main@#${head()}"`);
  await refused('25006', session.run('DELETE FROM items'));
  session.close();
  expect((await t.rows('SHOW WORLDS')).map(({ name }) => name)).toEqual(['main', 'w']);
});

test('worlds are altered, rebased, restored and dropped', async () => {
  await t.run(`CREATE WORLD w FROM main; CREATE WORLD x FROM w`);
  expect((await t.rows(`ALTER WORLD w SET META '{"a": 1, "b": null}'`))[0]['meta']).toEqual({ a: 1 });
  await t.refused('22P02', `ALTER WORLD w SET META 'no'`);
  await t.refused('2BP01', 'DROP WORLD w');
  await t.refused('2BP01', 'MERGE WORLD w');
  await t.run(`UPDATE items SET price = 5 WHERE id = 1`, 'w');
  await t.run(`UPDATE items SET price = 6 WHERE id = 2`);
  expect(await t.rows('REBASE WORLD w')).toEqual([{ rebased: 1, version: 2 }]);
  expect(await t.lines('SELECT price FROM items ORDER BY id', 'w')).toEqual(['5.00', '6.00', '3.00']);
  await t.run('CHECKPOINT good ON WORLD w');
  await t.refused('42710', 'CHECKPOINT good ON WORLD w');
  const sequence = head();
  await t.run('DELETE FROM items; CREATE TABLE more (a int)', 'w');
  expect(await t.rows('RESTORE WORLD w TO CHECKPOINT good')).toEqual([{ restored: 3 }]);
  expect(await t.lines('SELECT price FROM items ORDER BY id', 'w')).toEqual(['5.00', '6.00', '3.00']);
  await t.refused('42P01', 'SELECT * FROM more', { branch: 'w' });
  await t.run('DELETE FROM items', 'w');
  expect(await t.rows(`RESTORE WORLD w TO '#${sequence}'`)).toEqual([{ restored: 3 }]);
  await t.refused('42704', 'RESTORE WORLD w TO CHECKPOINT nope');
  await t.run('DROP WORLD w CASCADE');
  expect((await t.rows('SHOW WORLDS')).map(({ name }) => name)).toEqual(['main']);
  await t.refused('22023', 'DROP WORLD main');
});

test('world statements stand outside transaction blocks, and not between changes of a list', async () => {
  for (const statement of ['CREATE WORLD w', 'MERGE WORLD w', 'DROP WORLD w', 'USE WORLD main', 'CHECKPOINT c'])
    await t.refused('25001', `BEGIN; ${statement}`);
  await t.refused('25001', `INSERT INTO items VALUES (7, 'x', 7); CREATE WORLD w; DELETE FROM items WHERE id = 7`);
  expect(await t.lines('SELECT count(*) FROM items')).toEqual(['3']);
  await t.run(`INSERT INTO items VALUES (7, 'x', 7); CREATE WORLD w`);
  await t.run('DELETE FROM items WHERE id = 7');
  expect(await t.lines('SELECT count(*) FROM items', 'w')).toEqual(['4']);
  expect(await t.lines('SELECT count(*) FROM items')).toEqual(['3']);
});

describe('AS OF', () => {
  test('a table by sequence, by time and by world', async () => {
    const sequence = head();
    const at = (await t.rows('SELECT clock_timestamp() AS at'))[0]['at'] as string;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await t.run('CREATE WORLD w; UPDATE items SET price = price * 10');
    await t.run('DELETE FROM items WHERE id > 1', 'w');
    expect(await t.lines(`SELECT price FROM items AS OF '#${sequence}' ORDER BY id`)).toEqual(['1.00', '2.00', '3.00']);
    expect(await t.lines(`SELECT price FROM items AS OF '${at}' ORDER BY id`)).toEqual(['1.00', '2.00', '3.00']);
    expect(await t.lines(`SELECT count(*) FROM items AS OF WORLD 'w'`)).toEqual(['1']);
    expect(await t.lines(`SELECT count(*) FROM items AS OF WORLD 'main@#${sequence}'`, 'w')).toEqual(['3']);
    // One statement, three moments.
    expect(
      await t.lines(
        `SELECT now.id, was.price AS was, now.price, w.id AS there FROM items now JOIN items AS OF '#${sequence}' was ON was.id = now.id LEFT JOIN items AS OF WORLD 'w' AS w ON w.id = now.id ORDER BY 1`,
      ),
    ).toEqual(['1 1.00 10.00 1', '2 2.00 20.00 null', '3 3.00 30.00 null']);
    expect(await t.lines(`SELECT id FROM items EXCEPT SELECT id FROM items AS OF WORLD 'w' ORDER BY 1`)).toEqual(['2', '3']);
    await t.run(`INSERT INTO items SELECT id + 10, name, price FROM items AS OF '#${sequence}'`);
    expect(await t.lines('SELECT sum(price) FROM items')).toEqual(['66.00']);
  });

  test('the table as it was, with the columns that it had', async () => {
    const sequence = head();
    await t.run('ALTER TABLE items RENAME COLUMN price TO cost; ALTER TABLE items ADD COLUMN stock int; DROP INDEX IF EXISTS nothing');
    const { results } = await t.db.sql({ sql: `SELECT * FROM items AS OF '#${sequence}' ORDER BY id LIMIT 1` });
    expect(results[0].columns).toEqual(['id', 'name', 'price']);
    await t.run('DROP TABLE items');
    await t.refused('42P01', 'SELECT * FROM items');
    expect(await t.lines(`SELECT count(*) FROM items AS OF '#${sequence}'`)).toEqual(['3']);
    await t.run(`CREATE TABLE items AS SELECT * FROM items AS OF '#${sequence}'`);
    expect(await t.lines('SELECT count(*) FROM items')).toEqual(['3']);
  });

  test('moments that are not there are refused', async () => {
    await t.refused('22007', `SELECT * FROM items AS OF 'yesterday-ish'`);
    await t.refused('3D000', `SELECT * FROM items AS OF WORLD 'nowhere'`);
    await t.refused('22023', `SELECT * FROM items AS OF '-100d'`);
    await t.refused('25006', `UPDATE items AS OF '-1s' SET price = 1`);
  });
});

describe('definitions are versioned with their world', () => {
  test('made in a fork, seen there, merged and undone', async () => {
    await t.run('CREATE WORLD w');
    await t.run(
      `ALTER TABLE items ADD COLUMN stock int NOT NULL DEFAULT 7; CREATE UNIQUE INDEX by_name ON items (name); CREATE TABLE extra (a int PRIMARY KEY); INSERT INTO extra VALUES (1)`,
      'w',
    );
    await t.refused('42703', 'SELECT stock FROM items');
    await t.run(`INSERT INTO items VALUES (4, 'new', 4)`);
    // The new table's row, and four that the default gives a value.
    expect(await t.rows('MERGE WORLD w')).toEqual([{ merged: 5, version: null }]);
    expect(await t.lines('SELECT id, stock FROM items ORDER BY id')).toEqual(['1 7', '2 7', '3 7', '4 7']);
    await t.refused('23505', `INSERT INTO items VALUES (5, 'new', 5)`);
    expect(await t.rows('UNDO MERGE w')).toMatchObject([{ undone: 5 }]);
    await t.refused('42703', 'SELECT stock FROM items');
    await t.refused('42P01', 'SELECT * FROM extra');
    await t.run(`INSERT INTO items VALUES (5, 'new', 5)`);
  });

  test('both sides may add a column; each keeps its place and values', async () => {
    await t.run('CREATE WORLD w');
    await t.run(`ALTER TABLE items ADD COLUMN mine int DEFAULT 1; UPDATE items SET mine = 11 WHERE id = 1`, 'w');
    await t.run(`ALTER TABLE items ADD COLUMN yours text DEFAULT 'y'; UPDATE items SET yours = 'z' WHERE id = 2`);
    await t.run('MERGE WORLD w');
    expect(await t.lines('SELECT id, mine, yours FROM items ORDER BY id')).toEqual(['1 11 y', '2 1 z', '3 1 y']);
    const attributes = await t.rows(`SELECT attnum FROM pg_attribute WHERE attrelid = 'items'::regclass AND attnum > 0`);
    expect(new Set(attributes.map(({ attnum }) => attnum)).size).toBe(5);
    await t.run('ALTER TABLE items ADD COLUMN third int DEFAULT 3; ALTER TABLE items DROP COLUMN mine');
    expect(await t.lines('SELECT id, yours, third FROM items ORDER BY id')).toEqual(['1 y 3', '2 z 3', '3 y 3']);
  });

  test.each<[string, string, string]>([
    ['a column of one name and two types', 'ALTER TABLE items ADD COLUMN w int', 'ALTER TABLE items ADD COLUMN w text'],
    ['a column renamed to two names', 'ALTER TABLE items RENAME name TO a', 'ALTER TABLE items RENAME name TO b'],
    ['two views of one name', 'CREATE VIEW v AS SELECT 1 AS a', 'CREATE VIEW v AS SELECT 2 AS a'],
    ['two sequences of one name', 'CREATE SEQUENCE s', 'CREATE SEQUENCE s START 5'],
    ['two enums of one name', `CREATE TYPE e AS ENUM ('a')`, `CREATE TYPE e AS ENUM ('b')`],
    ['an index and a table of one name', 'CREATE INDEX x ON items (name)', 'CREATE TABLE x (a int)'],
    ['a table dropped and written', 'DROP TABLE items', 'DELETE FROM items WHERE id = 1'],
    ['a table altered and dropped', 'ALTER TABLE items ADD COLUMN w int', 'DROP TABLE items'],
    ['a type changed and a row written', 'ALTER TABLE items ALTER price TYPE text', 'UPDATE items SET price = 0'],
    ['two tables of one name with other keys', 'CREATE TABLE x (a int PRIMARY KEY)', 'CREATE TABLE x (a int)'],
  ])('%s conflict', async (_what, inFork, inMain) => {
    await t.run('CREATE WORLD w');
    await t.run(inFork, 'w');
    await t.run(inMain);
    const error = await t.refused('SV409', 'MERGE WORLD w');
    const { conflicts } = error.data as { conflicts: { key: string; explanation: string }[] };
    expect(conflicts[0].explanation).toMatch(/\S/);
    expect((await t.rows('MERGE WORLD w DRY RUN')).filter(({ outcome }) => outcome === 'conflict').map(({ key }) => key)).toEqual(
      conflicts.map(({ key }) => key),
    );
    expect((await t.rows('SHOW WORLDS')).map(({ name }) => name)).toEqual(['main', 'w']);
    expect((await t.db.verify()).pages).toBeGreaterThanOrEqual(0);
  });

  test.each<[string, string, string, string]>([
    ['unique', 'CREATE UNIQUE INDEX u ON items (name)', `INSERT INTO items VALUES (8, 'gin', 1)`, '23505'],
    ['check', 'ALTER TABLE items ADD CONSTRAINT dear CHECK (price > 0)', `INSERT INTO items VALUES (8, 'x', -1)`, '23514'],
    ['not null', 'ALTER TABLE items ALTER price SET NOT NULL', `INSERT INTO items VALUES (8, 'x', NULL)`, '23502'],
    [
      'foreign key',
      'CREATE TABLE child (id int PRIMARY KEY, item int REFERENCES items); INSERT INTO child VALUES (1, 3)',
      'DELETE FROM items WHERE id = 3',
      '23503',
    ],
  ])('%s constraints are checked again by the merge', async (_what, inFork, inMain, code) => {
    await t.run('CREATE WORLD w');
    await t.run(`INSERT INTO items VALUES (9, 'gin', 1); ${inFork}`, 'w');
    await t.run(inMain);
    const error = await t.refused('SV409', 'MERGE WORLD w');
    expect((error.data as { conflicts: { code?: string }[] }).conflicts.map((conflict) => conflict.code)).toEqual([code]);
  });

  test('the error names what is in conflict, and how to resolve it in SQL', async () => {
    await t.run('CREATE WORLD "W-1"');
    await t.run(`UPDATE items SET price = 9 WHERE id = 1; ALTER TABLE items ADD COLUMN w int`, 'W-1');
    await t.run(`UPDATE items SET price = 5 WHERE id = 1`);
    for (const statement of ['MERGE WORLD "W-1"', 'REBASE WORLD "W-1"']) {
      const { detail, hint } = await t.refused('SV409', statement);
      expect(detail).toContain('Both sides changed items/1');
      expect(hint).toContain('RESOLVE OURS');
    }
    expect((await t.refused('SV409', 'MERGE WORLD "W-1"')).hint).toContain('MERGE WORLD "W-1" DRY RUN');
    await t.run('CREATE WORLD w');
    await t.run(`UPDATE items SET price = price + 1`, 'w');
    await t.run(`INSERT INTO items SELECT i, 'x', 1 FROM generate_series(100, 130) i; CREATE WORLD many`);
    await t.run('UPDATE items SET price = 2 WHERE id >= 100', 'many');
    await t.run('UPDATE items SET price = 3 WHERE id >= 100');
    expect((await t.refused('SV409', 'MERGE WORLD many')).detail).toMatch(/\n… and 21 more$/);
  });

  test('rows in conflict are resolved by side, by column and by row', async () => {
    for (const [settle, expected] of [
      ['RESOLVE OURS', '1 main 5.00'],
      ['RESOLVE THEIRS', '1 fork 9.00'],
      [`ROWS '{"items/1": {"id": 1, "name": "both", "price": "7"}}'`, '1 both 7.00'],
      [`ROWS '{"items/1": null}'`, undefined],
    ] as const) {
      await t.run(`UPDATE items SET name = 'tea', price = 1 WHERE id = 1; CREATE WORLD w`);
      await t.run(`UPDATE items SET name = 'fork', price = 9 WHERE id = 1`, 'w');
      await t.run(`UPDATE items SET name = 'main', price = 5 WHERE id = 1`);
      await t.refused('SV409', 'MERGE WORLD w');
      await t.run(`MERGE WORLD w ${settle}`);
      expect((await t.lines('SELECT * FROM items WHERE id = 1'))[0]).toBe(expected);
    }
    await t.run('CREATE WORLD w');
    await t.run(`UPDATE items SET name = 'fork' WHERE id = 2`, 'w');
    await t.run(`UPDATE items SET price = 5 WHERE id = 2`);
    await t.refused('SV409', 'MERGE WORLD w');
    await t.run('MERGE WORLD w BY COLUMNS');
    expect(await t.lines('SELECT * FROM items WHERE id = 2')).toEqual(['2 fork 5.00']);
  });

  test('part of a world is merged, and the rest later', async () => {
    await t.run('CREATE TABLE other (id int PRIMARY KEY); CREATE WORLD w');
    await t.run('INSERT INTO other VALUES (1); DELETE FROM items', 'w');
    expect(await t.rows('MERGE WORLD w ONLY TABLES (other)')).toEqual([{ merged: 1, version: 2 }]);
    expect(await t.rows(`MERGE WORLD w ONLY KEYS ('items/2') VERSION 2`)).toEqual([{ merged: 1, version: 3 }]);
    await t.refused('40001', 'MERGE WORLD w VERSION 2');
    expect(await t.lines('SELECT id FROM items ORDER BY id')).toEqual(['1', '3']);
    await t.run('MERGE WORLD w VERSION 3');
    expect(await t.lines('SELECT count(*) FROM items')).toEqual(['0']);
  });
});
