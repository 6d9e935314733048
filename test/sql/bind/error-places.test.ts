/** Where errors point, or that they point nowhere, compared with Postgres. */
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { TestDatabase } from '../session/open-database.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const TABLES = [
  'CREATE TABLE t (i int, t text, d date)',
  'CREATE TABLE u (i int, k int)',
  'CREATE TABLE g (p point, x json, i int)',
  'CREATE TYPE pair AS (x int, y int)',
];

const QUERIES = [
  // Types that are not one.
  'SELECT CASE WHEN true THEN 1 ELSE now() END',
  'SELECT CASE WHEN true THEN now() WHEN false THEN 2 END',
  'SELECT coalesce(1, i + 1, true) FROM t',
  'SELECT greatest(1, d) FROM t',
  'SELECT ARRAY[1, true]',
  'SELECT ARRAY[ARRAY[1], 2]',
  'SELECT 1 UNION SELECT true',
  'SELECT i, t FROM t UNION SELECT k, i + 1 FROM u',
  'SELECT 1 UNION SELECT 1, 2',
  '(SELECT 1, 2) EXCEPT SELECT 1',
  'VALUES (1), (now())',
  'SELECT true IN (1, 2)',
  // Types without an order or an equality.
  'SELECT DISTINCT i, p FROM g',
  'SELECT DISTINCT ON (i, p) i FROM g',
  "SELECT DISTINCT json '1'",
  "SELECT json '1' UNION SELECT json '2'",
  "SELECT i FROM g ORDER BY i, (x -> 'a')",
  'SELECT i, count(*) FROM g GROUP BY i, (x::json)',
  'SELECT count(DISTINCT x) FROM g',
  "SELECT row_number() OVER (PARTITION BY i, x -> 'a') FROM g",
  "SELECT row_number() OVER (PARTITION BY point '(1,2)')",
  "SELECT 1 FROM g GROUP BY json '1'",
  "SELECT 1 FROM g ORDER BY json '1'",
  // Conditions, counts and assignments.
  'SELECT 1 FROM t WHERE i::text',
  "SELECT 1 WHERE text 'x'",
  'SELECT NOT i::text FROM t',
  'SELECT i::text AND true FROM t',
  'SELECT CASE WHEN i::text THEN 2 END FROM t',
  'SELECT sum(i) FROM t HAVING 1::int',
  "SELECT 1 LIMIT 'x'::text",
  'SELECT 1 OFFSET now()::date',
  'SELECT 1 FROM t JOIN u ON t.i::text',
  'INSERT INTO t (i) VALUES (now()::date), (1)',
  "INSERT INTO t (i) VALUES (date '2000-01-01')",
  'INSERT INTO t (i) SELECT now()::date',
  "UPDATE t SET i = i || 'x'",
  'UPDATE t SET i = now()::timestamp',
  'PREPARE gap AS SELECT $2::int',
  // Casts.
  'SELECT 1::int8::date',
  'SELECT CAST(i AS date) FROM t',
  "SELECT interval '1 day'::int",
  'SELECT row(1, 2, 3)::pair',
  "SELECT ('x' || 1)::pair::int",
  // What is grouped.
  'SELECT i + 1, count(*) FROM t GROUP BY t',
  'SELECT count(*) FROM t HAVING i > 1',
  'SELECT t, (SELECT t.i) FROM t GROUP BY t',
  'SELECT grouping(i) FROM t',
  'SELECT t, grouping(t, i) FROM t GROUP BY t',
  'SELECT percentile_cont(i) WITHIN GROUP (ORDER BY i) FROM t',
  'SELECT sum(i) FILTER (WHERE sum(i) > 1) FROM t',
  // Windows.
  'SELECT sum(i) OVER w FROM t',
  'SELECT sum(i) OVER (w) FROM t WINDOW w AS (ROWS 2 PRECEDING)',
  'SELECT sum(i) OVER (w ORDER BY t) FROM t WINDOW w AS (ORDER BY i)',
  'SELECT sum(i) OVER (RANGE 1 PRECEDING) FROM t',
  'SELECT sum(i) OVER (ORDER BY t RANGE 1 PRECEDING) FROM t',
  'SELECT sum(i) OVER (GROUPS 1 PRECEDING) FROM t',
  'SELECT rank() OVER (ORDER BY rank() OVER ()) FROM t',
  // Names of FROM.
  'SELECT 1 FROM t, t',
  'SELECT 1 FROM t a, u b JOIN t a ON true',
  'SELECT * FROM t AS x (a, b, c, d)',
  'SELECT * FROM t JOIN u USING (k)',
  'SELECT * FROM t JOIN u USING (i, i)',
  'SELECT * FROM t JOIN u USING (i) AS t',
  'SELECT * FROM t, (SELECT t.i) s',
  'SELECT * FROM t FULL JOIN LATERAL (SELECT t.i) s ON true',
  'SELECT * FROM (t JOIN u USING (i)) AS s WHERE t.i = 1',
  'SELECT s.t.i FROM t',
  'WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a',
  // WITH RECURSIVE.
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r ORDER BY 1) SELECT * FROM r',
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 5) SELECT * FROM r',
  'WITH RECURSIVE r(n) AS (SELECT n FROM r UNION ALL SELECT 1) SELECT * FROM r',
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1.5 FROM r) SELECT * FROM r',
  'WITH q(x, y, z) AS (SELECT 1, 2) SELECT * FROM q',
  // What is locked and how many.
  'SELECT count(*) FROM t FOR UPDATE',
  'SELECT DISTINCT i FROM t FOR SHARE',
  'SELECT i FROM t UNION SELECT 1 FOR UPDATE',
  'SELECT * FROM t LEFT JOIN u USING (i) FOR UPDATE OF u',
  'SELECT * FROM generate_series(1, 1) g FOR UPDATE OF g',
  'SELECT DISTINCT ON (i) t FROM t ORDER BY t',
  'SELECT 1 AS x UNION SELECT 2 ORDER BY x + 1',
  // Writes.
  'UPDATE t SET i = 1, i = 2',
  'UPDATE t SET (i, t) = (1, 2, 3)',
  'UPDATE t SET i = 1 FROM t',
  "INSERT INTO t VALUES (1, 'x') ON CONFLICT (i) DO NOTHING",
  "INSERT INTO t VALUES (1, 'x') ON CONFLICT ON CONSTRAINT nope DO NOTHING",
  // Rows and documents.
  'SELECT row() = row()',
  "SELECT ('[1,2]'::jsonb)[1:2]",
  "SELECT ('[1,2]'::jsonb)[1.5]",
  'SELECT (row(1, 2)).f3',
];

let database: TestDatabase;
let postgres: PGlite;
beforeAll(async () => {
  database = await TestDatabase.open();
  postgres = await newPostgres();
  for (const sql of TABLES) {
    await database.run(sql);
    await postgres.exec(sql);
  }
}, 60_000);
afterAll(async () => {
  await database.close();
  await postgres.close();
});

test.each(QUERIES)('%s', async (sql) => {
  const theirs = await postgres.query(sql).then(
    () => null,
    (error: Error & { position?: string }) => ({ message: error.message, position: error.position === undefined ? null : Number(error.position) }),
  );
  const ours = await database.run(sql).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
      return { message: error.message, position: error.position ?? null };
    },
  );
  expect(theirs).not.toBeNull();
  expect(ours).toEqual(theirs);
});
