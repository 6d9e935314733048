/** Ranked search in simulated worlds: their own rows are ranked, as in the worlds that are kept. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDatabase } from '../sql/session/open-database.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run(`CREATE EXTENSION vector;
    CREATE TABLE notes (id int PRIMARY KEY, words text, e vector(2));
    CREATE INDEX ON notes USING hnsw (e vector_l2_ops);
    INSERT INTO notes SELECT i, 'a lamp of type ' || i || CASE WHEN i % 3 = 0 THEN ' and a red chair' ELSE '' END, ('[' || i || ',1]')::vector FROM generate_series(1, 300) i`);
});
afterAll(() => own.close());

const SCRIPT = `INSERT INTO notes VALUES (1000 + $1, repeat('lamp ', $1 + 1), ('[' || (0.5 + $1) || ',1]')::vector);
  DELETE FROM notes WHERE id IN (SELECT id FROM bm25(notes, 'chair', 2))`;

test.each([1, 2])('bm25 scores a simulated world as it scores the world that is kept (%i threads)', async (threads) => {
  const score = "SELECT score FROM bm25(notes, 'red lamp', 1)";
  const { worlds } = await own.db.simulate({ worlds: 4, prefix: `words${threads}`, script: SCRIPT, score, threads, seed: 3 });
  expect(worlds.map(({ error }) => error)).toEqual([null, null, null, null]);
  for (const { world, score: given } of worlds) {
    expect(given).toBe((await own.rows(score, { branch: world }))[0]['score']);
    expect(await own.lines("SELECT count(*) FROM bm25(notes, 'chair')", world)).toEqual(['98']);
  }
  expect(new Set(worlds.map((each) => each.score)).size).toBeGreaterThan(1);
});

test('the nearest row of a simulated world may be one of its own', async () => {
  const score = `SELECT id FROM notes ORDER BY e <-> ('[' || (0.5 + $1) || ',1]')::vector LIMIT 1`;
  const { worlds } = await own.db.simulate({ worlds: 3, prefix: 'near', script: SCRIPT, score, threads: 1 });
  expect(worlds.map(({ index, score: id }) => [index, id]).sort()).toEqual([
    [0, 1000],
    [1, 1001],
    [2, 1002],
  ]);
});
