/** Values of domains, composites, ranges and the like in worlds: forks, differences, merges, undoing, documents. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE DOMAIN pos AS int DEFAULT 7 CHECK (VALUE > 0);
    CREATE TYPE pair AS (a int, b text);
    CREATE TABLE things (id int PRIMARY KEY, n pos, p pair, ps pair[], r int4range, m datemultirange, bits bit(3), net inet, cost money, path jsonpath);
    INSERT INTO things VALUES (1, 1, (1, 'x'), ARRAY[ROW(1, 'y')]::pair[], '[1,5)', '{[2026-01-01,2026-02-01)}', B'101', '10.0.0.1/8', 9.99, '$.a')`);
});
afterEach(() => t.close());

test('a fork changes them, the difference shows them, a merge brings them, and undoing takes them back', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(`UPDATE things SET n = 2, p.b = 'z', r = '[2,6)', bits = B'111', net = net + 1, cost = cost * 2; INSERT INTO things (id) VALUES (2)`, 'draft');
  const before = await t.lines('SELECT * FROM things ORDER BY id');
  expect(await t.rows('DIFF WORLD draft')).toMatchObject([
    {
      key: 'things/1',
      before: { n: 1, p: { a: 1, b: 'x' }, r: '[1,5)', bits: '101', net: '10.0.0.1/8', cost: '$9.99', path: '$."a"' },
      after: { n: 2, p: { a: 1, b: 'z' }, ps: [{ a: 1, b: 'y' }], r: '[2,6)', m: '{[2026-01-01,2026-02-01)}', bits: '111', net: '10.0.0.2/8', cost: '$19.98' },
    },
    { key: 'things/2', before: null, after: { id: 2, n: 7, p: null } },
  ]);
  expect(await t.rows('MERGE WORLD draft')).toEqual([{ merged: 2, version: null }]);
  expect(await t.lines('SELECT n, (p).b, r, net, cost FROM things ORDER BY id')).toEqual(['2 z [2,6) 10.0.0.2/8 $19.98', '7 null null null null']);
  await t.run('UNDO MERGE draft');
  expect(await t.lines('SELECT * FROM things ORDER BY id')).toEqual(before);
});

test('the statements of a difference make the types and rows again', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(
    `CREATE DOMAIN short AS varchar(5) NOT NULL DEFAULT 'd' CONSTRAINT low CHECK (VALUE = lower(VALUE)); CREATE TYPE span AS RANGE (subtype = float8);
     CREATE TYPE outer_pair AS (one pair, s short); ALTER DOMAIN pos ADD CONSTRAINT small CHECK (VALUE < 100); ALTER TYPE pair ADD ATTRIBUTE c bool;
     CREATE TABLE more (id int PRIMARY KEY, o outer_pair, s span); INSERT INTO more VALUES (1, ROW(ROW(1, 'a', true), 'b'), '[1.5,2)');
     UPDATE things SET p.c = true`,
    'draft',
  );
  const script = (await t.rows('DIFF WORLD draft AS SQL')).map(({ sql }) => sql as string);
  await t.run('CREATE WORLD copy');
  await t.run(script.join('\n'), 'copy');
  for (const query of [
    'SELECT * FROM more',
    'SELECT p FROM things',
    'SELECT domain_name, data_type, domain_default FROM information_schema.domains ORDER BY 1',
  ]) {
    expect(await t.lines(query, 'copy')).toEqual(await t.lines(query, 'draft'));
  }
  await t.refused('23514', 'UPDATE things SET n = 100', { branch: 'copy' });
});

test('the past keeps the form that types had', async () => {
  const then = t.db.stats()['log_sequence'];
  await t.run('ALTER TYPE pair DROP ATTRIBUTE a; ALTER TYPE pair ADD ATTRIBUTE c int');
  expect(await t.lines('SELECT p::text FROM things')).toEqual(['(x,)']);
  expect(await t.lines(`SELECT p::text FROM things AS OF '#${then}'`)).toEqual(['(1,x)']);
});
