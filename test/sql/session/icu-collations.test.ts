/** Collations of ICU in worlds: differences as statements, and what cannot lie by one. */
import { expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

const NO_CASE = "CREATE COLLATION no_case (provider = icu, deterministic = false, locale = 'und-u-ks-level2')";

test('a collation is made by a script of differences', async () => {
  const t = await TestDatabase.open();
  await t.run('CREATE WORLD draft');
  await t.run(`${NO_CASE}; CREATE TABLE words (a text COLLATE no_case)`, 'draft');
  const made = await t.lines('DIFF WORLD draft AS SQL');
  expect(made[0]).toBe("CREATE COLLATION no_case (provider = icu, deterministic = false, locale = 'und-u-ks-level2');");
  await t.run(made.join('\n'));
  expect(await t.lines('DIFF WORLD main TO draft AS SQL')).toEqual([]);
  await t.close();
});

test('partitions lie by bytes, and exclusion constraints ask by them: those that would have to do otherwise are refused', async () => {
  const t = await TestDatabase.open();
  await t.run(`${NO_CASE}; CREATE TABLE words (a text COLLATE no_case UNIQUE, b text COLLATE "de-x-icu" UNIQUE)`);
  await t.run('CREATE UNIQUE INDEX ON words (b COLLATE no_case); ALTER TABLE words ALTER b TYPE text COLLATE no_case');
  await t.refused('0A000', 'CREATE TABLE parted (a text COLLATE "de-x-icu") PARTITION BY RANGE (a)');
  await t.refused('0A000', 'CREATE TABLE parted (a text COLLATE no_case) PARTITION BY LIST (a)');
  await t.refused('0A000', 'CREATE TABLE apart (a text COLLATE no_case, EXCLUDE USING btree (a WITH =))');
  await t.run('CREATE INDEX ON words (a); CREATE UNIQUE INDEX ON words (a COLLATE "C")');
  await t.close();
});

test.each(['und-u-ks-level4', 'und-u-kr-grek-latn', 'fr-u-kb-true', 'de-u-co-search'])('the locale %s says what cannot be had', async (locale) => {
  const t = await TestDatabase.open();
  await t.refused('0A000', `CREATE COLLATION c (provider = icu, locale = '${locale}')`);
  await t.close();
});

test('row operations look at checks by the collation of the column', async () => {
  const t = await TestDatabase.open();
  await t.run(`CREATE TABLE words (id int PRIMARY KEY, a text COLLATE "de-x-icu" CHECK (a < 'p'))`);
  await t.db.put({ branch: 'main', table: 'words', id: '1', record: { id: 1, a: 'ö' } });
  await expect(t.db.put({ branch: 'main', table: 'words', id: '2', record: { id: 2, a: 'z' } })).rejects.toMatchObject({ code: '23514' });
  await t.close();
});
