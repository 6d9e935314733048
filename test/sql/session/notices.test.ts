/** Messages belong to the statement that raised them. */
import { expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

const raise = (what: string): string => `DO $$ BEGIN RAISE NOTICE '${what}'; END $$`;

test('of several statements in one text, each result has its own messages', async () => {
  const t = await TestDatabase.open();
  const session = t.db.session();
  const results = await session.run(`SELECT 1; ${raise('one')}; SELECT 2; DROP TABLE IF EXISTS two; ${raise('three')}`);
  const later = await session.run(raise('four'));
  expect([...results, ...later].map(({ notices }) => notices.map(({ message }) => message))).toEqual([
    [],
    ['one'],
    [],
    ['table "two" does not exist, skipping'],
    ['three'],
    ['four'],
  ]);
  session.close();
  await t.close();
});

test('a search for stop words alone, or for nothing, is told once for each call', async () => {
  const t = await TestDatabase.open();
  const session = t.db.session();
  const results = await session.run(
    `SELECT to_tsquery('english', 'the & a');
     SELECT plainto_tsquery('english', word) FROM (VALUES ('the'), ('cat'), ('')) AS words (word);
     SELECT 'cats' @@ 'the'`,
  );
  const stopped = "text-search query contains only stop words or doesn't contain lexemes, ignored";
  expect(results.map(({ notices }) => notices.map(({ message }) => message))).toEqual([
    [stopped],
    [stopped, 'text-search query doesn\'t contain lexemes: ""'],
    [stopped],
  ]);
  session.close();
  await t.close();
});
