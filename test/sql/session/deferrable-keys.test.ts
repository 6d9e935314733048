/** Primary keys that are deferrable, in worlds: rows lie under hidden numbers, and the key is an index. */
import { expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

test('row operations refuse the table: an id would mean another row', async () => {
  const t = await TestDatabase.open();
  await t.run("CREATE TABLE p (id int PRIMARY KEY DEFERRABLE, n text); INSERT INTO p VALUES (1, 'a'), (2, 'b'); UPDATE p SET id = id + 1");
  await refused('0A000', t.db.put({ branch: 'main', table: 'p', id: '2', record: { id: 2, n: 'x' } }));
  await refused('0A000', t.db.delete({ branch: 'main', table: 'p', id: '2' }));
  expect(await t.lines('SELECT * FROM p ORDER BY id')).toEqual(['2 a', '3 b']);
  await t.close();
});

test('the key is created by a script of differences, and reverted by one', async () => {
  const t = await TestDatabase.open();
  await t.run('CREATE TABLE p (id int, n text)');
  await t.run('CREATE WORLD draft');
  await t.run('ALTER TABLE p ADD PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED', 'draft');
  const made = await t.lines('DIFF WORLD draft AS SQL');
  expect(made).toContain('ALTER TABLE p ADD CONSTRAINT p_pkey PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED;');
  await t.run('CREATE WORLD copy');
  await t.run(made.join('\n'), 'copy');
  expect(await t.lines('DIFF WORLD copy TO draft AS SQL')).toEqual([]);
  await t.run((await t.lines('DIFF WORLD draft TO main AS SQL')).join('\n'), 'draft');
  expect(await t.lines('DIFF WORLD draft TO main AS SQL')).toEqual([]);
  await t.close();
});

test('rows merge below it, and one key in both worlds is a conflict', async () => {
  const t = await TestDatabase.open();
  await t.run("CREATE TABLE p (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, n text); INSERT INTO p VALUES (1, 'a')");
  await t.run('CREATE WORLD draft');
  await t.run("INSERT INTO p VALUES (2, 'draft')", 'draft');
  await t.run("INSERT INTO p VALUES (3, 'main')");
  await t.run('MERGE WORLD draft');
  expect(await t.lines('SELECT * FROM p ORDER BY id')).toEqual(['1 a', '2 draft', '3 main']);
  await t.run('CREATE WORLD other');
  await t.run("INSERT INTO p VALUES (4, 'other')", 'other');
  await t.run("INSERT INTO p VALUES (4, 'main')");
  await t.refused('SV409', 'MERGE WORLD other');
  await t.close();
});

test.each([
  ['ALTER TABLE p ADD CONSTRAINT mine PRIMARY KEY (id)', 'ALTER TABLE p ADD CONSTRAINT yours PRIMARY KEY (n) DEFERRABLE'],
  ['ALTER TABLE p ADD CONSTRAINT mine PRIMARY KEY (n) DEFERRABLE', 'ALTER TABLE p ADD CONSTRAINT yours PRIMARY KEY (id)'],
  ['ALTER TABLE p ADD CONSTRAINT mine PRIMARY KEY (n) DEFERRABLE', 'ALTER TABLE p ADD CONSTRAINT yours PRIMARY KEY (id) DEFERRABLE'],
])('two keys are a conflict: %s, %s', async (mine, yours) => {
  const t = await TestDatabase.open();
  await t.run('CREATE TABLE p (id int NOT NULL, n int NOT NULL); INSERT INTO p VALUES (1, 2)');
  await t.run('CREATE WORLD draft');
  await t.run(mine);
  await t.run(yours, 'draft');
  await t.refused('SV409', 'MERGE WORLD draft');
  await t.run('MERGE WORLD draft RESOLVE theirs');
  const keys = await t.lines("SELECT conname FROM pg_constraint WHERE conrelid = 'p'::regclass AND contype = 'p'");
  expect(keys).toEqual(['yours']);
  await t.run('INSERT INTO p VALUES (2, 3)');
  expect(await t.lines('SELECT * FROM p ORDER BY id')).toEqual(['1 2', '2 3']);
  await t.close();
});
