/** Rows lie under their primary key: what DEFERRABLE asks of one is not done, and said. */
import { expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

test.each([
  ['CREATE TABLE p (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)', true],
  ['CREATE TABLE p (id int, PRIMARY KEY (id) DEFERRABLE)', true],
  ['CREATE TABLE p (id int); ALTER TABLE p ADD PRIMARY KEY (id) DEFERRABLE', true],
  ['CREATE TABLE p (id int PRIMARY KEY, n int UNIQUE DEFERRABLE)', false],
  ['CREATE TABLE p (id int PRIMARY KEY NOT DEFERRABLE)', false],
])('%s', async (sql, warns) => {
  const t = await TestDatabase.open();
  const session = t.db.session();
  const results = await session.run(sql);
  const told = results.flatMap(({ notices }) => notices).filter(({ severity }) => severity === 'WARNING');
  expect([...new Set(told.map(({ message }) => message))]).toEqual(warns ? ['primary key of table "p" is checked row by row: DEFERRABLE is passed over'] : []);
  await session.run('INSERT INTO p (id) VALUES (1), (2)');
  await expect(session.run('BEGIN; INSERT INTO p (id) VALUES (1)')).rejects.toMatchObject({ code: '23505' });
  session.close();
  await t.close();
});
