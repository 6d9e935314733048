/** Values read as of another world or moment, whose types have other labels or rules, put where the types of here count. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TYPE e AS ENUM ('a', 'b'); CREATE DOMAIN d AS int; CREATE DOMAIN n AS int; CREATE TYPE p AS (f e); CREATE TYPE r AS RANGE (SUBTYPE = e);
    CREATE TABLE t (id int PRIMARY KEY, v e, vs e[], pv p, rv r, w d, x n); INSERT INTO t (id) VALUES (0); CREATE WORLD o`);
  await t.run(
    `ALTER TYPE e ADD VALUE 'c'; ALTER TYPE e RENAME VALUE 'b' TO 'bb'; CREATE TYPE alone AS ENUM ('z'); CREATE TABLE z (id int, v alone); INSERT INTO z VALUES (1, 'z')`,
    'o',
  );
  await t.run(
    `INSERT INTO t VALUES (1, 'a', '{a}', '(a)', '[a,a]', 1, 1), (2, 'c', '{a,c}', '(c)', '[a,c]', -1, NULL), (3, 'bb', '{bb}', '(bb)', '[bb,bb]', 0, NULL)`,
    'o',
  );
  await t.run('ALTER DOMAIN d ADD CONSTRAINT pos CHECK (VALUE > 0)');
  await t.run('DELETE FROM t; ALTER DOMAIN n SET NOT NULL; INSERT INTO t (id, x) VALUES (0, 0)');
});
afterAll(() => t.close());

describe.each([
  ['v', '22P02'],
  ['vs', '22P02'],
  ['pv', '22P02'],
  ['rv', '22P02'],
  ['w', '23514'],
  ['x', '23502'],
])('column %s', (column, code) => {
  const rest = column === 'x' ? '' : ', x';
  const one = column === 'x' ? '' : ', 1';
  test.each([
    ['INSERT … SELECT', `INSERT INTO t (id, ${column}${rest}) SELECT id + 10, ${column}${one} FROM t AS OF WORLD 'o' WHERE id = 2`],
    ['INSERT … VALUES', `INSERT INTO t (id, ${column}${rest}) VALUES (12, (SELECT ${column} FROM t AS OF WORLD 'o' WHERE id = 2)${one})`],
    ['UPDATE', `UPDATE t SET ${column} = (SELECT ${column} FROM t AS OF WORLD 'o' WHERE id = 2)`],
    ['UPDATE … FROM', `UPDATE t SET ${column} = s.${column} FROM t AS OF WORLD 'o' s WHERE s.id = 2`],
    [
      'ON CONFLICT',
      `INSERT INTO t AS h (id, x) VALUES (0, 1) ON CONFLICT (id) DO UPDATE SET ${column} = (SELECT ${column} FROM t AS OF WORLD 'o' WHERE id = 2)`,
    ],
    ['MERGE', `MERGE INTO t USING t AS OF WORLD 'o' s ON s.id = 2 WHEN MATCHED THEN UPDATE SET ${column} = s.${column}`],
    ['CREATE TABLE AS', `CREATE TABLE made AS SELECT ${column} FROM t AS OF WORLD 'o'`],
  ])('%s', async (_how, sql) => {
    await t.refused(code, sql);
    expect(await t.lines('SELECT count(*) FROM t')).toEqual(['1']);
  });

  test('what fits is taken', async () => {
    await t.run(`CREATE TABLE made AS SELECT ${column} FROM t AS OF WORLD 'o' WHERE id = 1`);
    expect(await t.lines(`SELECT ${column}::text FROM made`)).toEqual(await t.lines(`SELECT ${column}::text FROM t AS OF WORLD 'o' WHERE id = 1`));
    await t.run(
      `INSERT INTO t (id, ${column}${rest}) SELECT id + 10, ${column}${one} FROM t AS OF WORLD 'o' WHERE id = 1; DELETE FROM t WHERE id > 0; DROP TABLE made`,
    );
  });
});

test('a query shows what the other world has', async () => {
  expect(await t.lines(`SELECT v, vs::text, pv::text, rv::text, w FROM t AS OF WORLD 'o' ORDER BY id`)).toEqual([
    'null null null null null',
    'a {a} (a) [a,a] 1',
    'c {a,c} (c) [a,c] -1',
    'bb {bb} (bb) [bb,bb] 0',
  ]);
});

test('a type that is not known here', async () => {
  expect(await t.lines(`SELECT * FROM z AS OF WORLD 'o'`)).toEqual(['1 z']);
  await t.refused('42704', `CREATE TABLE made AS SELECT * FROM z AS OF WORLD 'o'`);
  await t.refused('42704', `CREATE MATERIALIZED VIEW made AS SELECT * FROM z AS OF WORLD 'o'`);
  await t.refused('42704', `CREATE VIEW made AS SELECT * FROM z AS OF WORLD 'o'`);
  await t.refused('42704', `SELECT * INTO made FROM z AS OF WORLD 'o'`);
  await t.refused('42804', `INSERT INTO t (id, v, x) SELECT 1, v, 1 FROM z AS OF WORLD 'o'`);
});
