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

test('a search for stop words alone, or for nothing, raises one notice per call', async () => {
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

test('notices of literals and types are sent once, with their position', async () => {
  const t = await TestDatabase.open();
  const session = t.db.session();
  const replies = async (text: string): Promise<unknown[]> => {
    const results = await session.run(text);
    return results.flatMap(({ notices }) => notices.map(({ severity, code, message, position }) => [severity, code, message, position]));
  };
  expect(await replies("SELECT time(7) '10:00', ''::tsquery")).toEqual([
    ['WARNING', '22023', 'TIME(7) precision reduced to maximum allowed, 6', 8],
    ['NOTICE', '00000', 'text-search query doesn\'t contain lexemes: ""', 25],
  ]);
  // Each time anew, and not of texts that differ in their literals alone.
  for (const word of ['a', '', '', 'b', '', 'c']) expect(await replies(`SELECT '${word}'::tsquery`)).toHaveLength(word === '' ? 1 : 0);
  expect(await replies('CREATE TABLE precise (a timestamp(9) with time zone, b interval(8), c interval hour)')).toEqual([
    ['WARNING', '22023', 'TIMESTAMP(9) WITH TIME ZONE precision reduced to maximum allowed, 6', 25],
    ['WARNING', '22023', 'INTERVAL(8) precision reduced to maximum allowed, 6', 56],
  ]);
  session.close();
  await t.close();
});
