/** `bm25(t, text [, limit])` in FROM: joins and filters, forks, the past, transactions, views, functions. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { type Database, open } from '../../src/database.ts';

let db: Database;
let folder: string;

async function rows(sql: string, branch = 'main'): Promise<unknown[]> {
  const { results } = await db.sql({ branch, sql });
  return results.at(-1)!.rows;
}

async function refused(sql: string, code: string, message?: RegExp): Promise<void> {
  const error = await db.sql({ sql }).then(
    () => null,
    (caught: unknown) => caught as SvcError,
  );
  expect(error?.code).toBe(code);
  if (message !== undefined) expect(error!.message).toMatch(message);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-bm25-'));
  db = await open(folder);
  await db.sql({
    sql: `CREATE TABLE items (id int PRIMARY KEY, name text, about text, price int);
      INSERT INTO items VALUES (1, 'red lamp', 'a lamp for a desk', 10), (2, 'blue lamp', 'red shade', 20), (3, 'chair', 'red wood', 30),
        (4, 'table', 'oak', 40), (5, 'Stuhl', 'zwei rote Stühle', 50);
      CREATE TABLE stock (item int, pieces int);
      INSERT INTO stock VALUES (1, 7), (3, 0), (4, 2)`,
  });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

test('rows of the table come with a score, the best first, as find ranks them', async () => {
  const found = await db.find({ table: 'items', text: 'red lamp' });
  expect(found.total).toBe(3);
  const ranked = await rows("SELECT id, score FROM bm25(items, 'red lamp')");
  expect(ranked).toEqual(found.hits.map(({ id, score }) => ({ id: Number(id), score })));
  expect(await rows("SELECT * FROM bm25(items, 'oak')")).toEqual([{ id: 4, name: 'table', about: 'oak', price: 40, score: expect.any(Number) as number }]);
  expect(await rows("SELECT id FROM bm25(public.items, 'red lamp', 1)")).toEqual([{ id: 1 }]);
  expect(await rows("SELECT id FROM bm25(items, 'red lamp', 0)")).toEqual([]);
  expect(await rows('SELECT id FROM bm25(items, NULL)')).toEqual([]);
  expect(await rows("SELECT id FROM bm25(items, 'lam*') ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
});

test('it joins, filters, groups and takes arguments of what stands to its left', async () => {
  const joined = "SELECT i.id, s.pieces FROM bm25(items, 'red lamp') i LEFT JOIN stock s ON s.item = i.id WHERE i.price < 30 ORDER BY i.score DESC";
  expect(await rows(joined)).toEqual([
    { id: 1, pieces: 7 },
    { id: 2, pieces: null },
  ]);
  expect(await rows("SELECT count(*) AS n, max(price) AS most FROM bm25(items, 'red')")).toEqual([{ n: 3, most: 30 }]);
  expect(await rows("SELECT q, i.id FROM (VALUES ('oak'), ('chair')) w (q), bm25(items, w.q) i ORDER BY i.id")).toEqual([
    { q: 'chair', id: 3 },
    { q: 'oak', id: 4 },
  ]);
  expect(await rows("SELECT a, score > 0 AS ranked FROM bm25(items, 'oak') AS i (a)")).toEqual([{ a: 4, ranked: true }]);
  expect(await rows("SELECT t.id FROM stock s JOIN LATERAL bm25(items, 'oak', 1) t ON t.id = s.item")).toEqual([{ id: 4 }]);
  const [{ rows: given }] = (await db.sql({ sql: 'SELECT id FROM bm25(items, $1, $2)', params: ['red lamp', 2] })).results;
  expect(given).toHaveLength(2);
});

test('rows are changed by what a search finds', async () => {
  await db.fork({ name: 'cheaper' });
  await db.sql({ branch: 'cheaper', sql: "UPDATE items SET price = items.price - 1 FROM bm25(items, 'lamp') f WHERE items.id = f.id" });
  expect(await rows('SELECT id, price FROM items WHERE price % 10 > 0 ORDER BY id', 'cheaper')).toEqual([
    { id: 1, price: 9 },
    { id: 2, price: 19 },
  ]);
});

test('forks, other worlds, the past and uncommitted rows are searched as they are', async () => {
  await db.fork({ name: 'green' });
  const before = (await rows('SELECT now()::text AS now')) as { now: string }[];
  await db.sql({ branch: 'green', sql: "INSERT INTO items VALUES (6, 'green lamp', NULL, 1)" });
  const ids = "SELECT id FROM bm25(items, 'lamp') ORDER BY id";
  expect(await rows(ids, 'green')).toEqual([{ id: 1 }, { id: 2 }, { id: 6 }]);
  expect(await rows(ids)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await rows("SELECT id FROM bm25(items AS OF WORLD 'green', 'lamp') ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }, { id: 6 }]);
  expect(await rows(`SELECT id FROM bm25(items AS OF '${before[0].now}', 'lamp') i ORDER BY id`, 'green')).toEqual([{ id: 1 }, { id: 2 }]);
  const session = db.session();
  const inside = async (sql: string): Promise<unknown> => (await session.run(sql)).at(-1)!.rows;
  const scores = "SELECT id, score FROM bm25(items, 'lamp') ORDER BY id";
  const main = await inside(scores);
  expect(await inside(`BEGIN; INSERT INTO items VALUES (7, 'lamp of brass', 'x', 1); DELETE FROM items WHERE id = 1; ${ids}`)).toEqual([[2], [7]]);
  expect(await inside(`UPDATE items SET name = 'lamp' WHERE id = 4; ${ids}`)).toEqual([[2], [4], [7]]);
  expect(await rows(ids)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await inside(`SAVEPOINT s; DELETE FROM items WHERE id = 4; ${ids}`)).toEqual([[2], [7]]);
  expect(await inside(`ROLLBACK TO s; ${ids}`)).toEqual([[2], [4], [7]]);
  expect(await inside(`ROLLBACK; ${scores}`)).toEqual(main);
  session.close();
});

test('views, functions and WITH contain searches', async () => {
  await db.sql({
    sql: `CREATE VIEW lamps AS SELECT i.id, i.name, i.score FROM bm25(items, 'lamp') i WHERE i.price < 100;
      CREATE FUNCTION best(q text) RETURNS int LANGUAGE sql STABLE AS $$ SELECT id FROM bm25(items, q, 1) $$;
      CREATE FUNCTION best_of(q text) RETURNS int LANGUAGE plpgsql AS $$ DECLARE found int; BEGIN SELECT id INTO found FROM bm25(items, q, 1); RETURN found; END $$`,
  });
  expect(await rows('SELECT id FROM lamps ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await rows("SELECT pg_get_viewdef('lamps'::regclass) AS sql")).toEqual([
    { sql: " SELECT i.id,\n    i.name,\n    i.score\n   FROM bm25(items, 'lamp') i\n  WHERE (i.price < 100);" },
  ]);
  expect(await rows("SELECT best('oak') AS a, best_of('chair') AS b")).toEqual([{ a: 4, b: 3 }]);
  expect(await rows("WITH f AS (SELECT id FROM bm25(items, 'red')) SELECT count(*) AS n FROM f")).toEqual([{ n: 3 }]);
  await db.fork({ name: 'renamed' });
  await db.sql({ branch: 'renamed', sql: 'ALTER TABLE items RENAME COLUMN name TO title; ALTER TABLE items RENAME TO things' });
  expect(await rows('SELECT id, name FROM lamps ORDER BY id', 'renamed')).toEqual([
    { id: 1, name: 'red lamp' },
    { id: 2, name: 'blue lamp' },
  ]);
  await refused('DROP TABLE items', '2BP01');
});

test('EXPLAIN shows the search', async () => {
  const plan = (await rows("EXPLAIN (COSTS OFF) SELECT id FROM bm25(items, 'red lamp') WHERE price < 20")) as Record<string, string>[];
  const text = plan.map((row) => Object.values(row)[0]).join('\n');
  expect(text).toContain('Ranked Scan by words on items');
  expect(text).toContain("Search Text: 'red lamp'::text");
  expect(text).toContain('Searched Columns: name, about');
});

test.each([
  ["SELECT * FROM bm25(nowhere, 'x')", '42P01', /relation "nowhere" does not exist/],
  ["SELECT * FROM bm25(stock, 'x')", '42P10', /has no column of text/],
  ["SELECT * FROM bm25(pg_class, 'x')", '42809', /"pg_class" is not a table/],
  ['SELECT * FROM bm25(items, 1)', '42804', /must be text, not integer/],
  ["SELECT * FROM bm25(items, 'x', 'y'::text)", '42804', /limit of bm25 must be bigint, not text/],
  ["SELECT * FROM bm25(items, 'x', -1)", '2201W', /must not be negative/],
  ["SELECT * FROM bm25('items', 'x')", '42883', /bm25/],
])('%s is refused', refused);
