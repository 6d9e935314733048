/** Text search beside real Postgres: parser, dictionaries, vectors, queries, ranks, headlines. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Oracle } from '../numbers/oracle.ts';
import { answerOf, TestDatabase } from '../session/open-database.ts';
import { SEARCH_EXPRESSIONS } from './search-expressions.ts';

let t: TestDatabase;
let oracle: Oracle;
beforeAll(async () => {
  [t, oracle] = await Promise.all([TestDatabase.open(), Oracle.start()]);
  await oracle.run(`set default_text_search_config = 'pg_catalog.english'`);
}, 60_000);
afterAll(() => Promise.all([t.close(), oracle.close()]));

test('expressions', { timeout: 60_000 }, async () => {
  const expected = await oracle.evaluate(SEARCH_EXPRESSIONS);
  for (let i = 0; i < SEARCH_EXPRESSIONS.length; i++) {
    expect.soft(await answerOf(t, SEARCH_EXPRESSIONS[i]), SEARCH_EXPRESSIONS[i]).toBe(expected[i]);
  }
});
