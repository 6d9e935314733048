/** Publications in worlds: forks, differences, merges, undoing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

const PUBLISHED = 'SELECT pubname, tablename, attnames::text, rowfilter FROM pg_publication_tables ORDER BY 1, 2';
const PUBLICATIONS = 'SELECT pubname, puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot FROM pg_publication ORDER BY 1';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE SCHEMA shop;
    CREATE TABLE shop.goods (id int PRIMARY KEY, price int, name text);
    CREATE TABLE journal (what text);
    CREATE PUBLICATION sales FOR TABLE shop.goods (id, price) WHERE (price > 0);
    CREATE TABLE "a (b)" (id int);
    CREATE TABLE short (id int);
    CREATE PUBLICATION emptied FOR TABLE short, "a (b)" WHERE (id > 0);
    CREATE PUBLICATION old FOR TABLE journal`);
});
afterEach(() => t.close());

const CHANGES = `
  ALTER PUBLICATION sales SET TABLE shop.goods (id, name) WHERE (name <> 'x'), journal;
  ALTER PUBLICATION sales SET (publish = 'insert, delete', publish_via_partition_root);
  DROP PUBLICATION old;
  ALTER PUBLICATION emptied DROP TABLE "a (b)";
  DROP TABLE short;
  CREATE PUBLICATION "All" FOR ALL TABLES;
  CREATE PUBLICATION whole FOR TABLES IN SCHEMA shop`;

test('a fork changes them, the parent has them as they were, a merge brings them, and undoing takes them back', async () => {
  const before = [await t.lines(PUBLISHED), await t.lines(PUBLICATIONS)];
  await t.run('CREATE WORLD draft');
  await t.run(CHANGES, 'draft');
  const after = [await t.lines(PUBLISHED, 'draft'), await t.lines(PUBLICATIONS, 'draft')];
  expect(after[1]).toEqual([
    'All true true true true true false',
    'emptied false true true true true false',
    'sales false true false true false true',
    'whole false true true true true false',
  ]);
  expect(after[0]).toContain("sales goods {id,name} (name <> 'x'::text)");
  expect([await t.lines(PUBLISHED), await t.lines(PUBLICATIONS)]).toEqual(before);
  await t.run('MERGE WORLD draft');
  expect([await t.lines(PUBLISHED), await t.lines(PUBLICATIONS)]).toEqual(after);
  await t.run('UNDO MERGE draft');
  expect([await t.lines(PUBLISHED), await t.lines(PUBLICATIONS)]).toEqual(before);
});

test('the statements of a difference make them again', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(CHANGES, 'draft');
  const script = (await t.rows('DIFF WORLD draft AS SQL')).map(({ sql }) => sql as string);
  await t.run('CREATE WORLD copy');
  await t.run(script.join('\n'), 'copy');
  expect(await t.lines(PUBLISHED, 'copy')).toEqual(await t.lines(PUBLISHED, 'draft'));
  expect(await t.lines(PUBLICATIONS, 'copy')).toEqual(await t.lines(PUBLICATIONS, 'draft'));
});
