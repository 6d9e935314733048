/**
 * Rows that are found by what is known only when a statement runs (subqueries, parameters, the clock), rows in the order of an index,
 * values asked of a few rows alone: the same as of a table without a key and an index, and by the plan that is expected.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { shownRows, TestDatabase } from '../session/open-database.ts';

/** `t` is found by keys and indexes, `bare` has the same rows. */
const TABLES = `
  CREATE TABLE bare (id int NOT NULL, a int, b text, u int, at timestamptz NOT NULL, n numeric(10,2));
  INSERT INTO bare SELECT i - 500, nullif(i * 7919 % 997, 13), 'k' || i % 40, nullif(i, i / 10 * 10), timestamptz '2024-01-01' + i * interval '1 minute', i % 90 * 0.25
    FROM generate_series(1, 4000) i;
  CREATE TABLE t (LIKE bare, PRIMARY KEY (id));
  INSERT INTO t SELECT * FROM bare;
  CREATE INDEX t_a ON t (a);
  CREATE INDEX t_ba ON t (b, a);
  CREATE UNIQUE INDEX t_u ON t (u);
  CREATE INDEX t_at ON t (at DESC);
  CREATE INDEX t_part ON t (a) WHERE b = 'k7';
  CREATE TABLE bare2 AS SELECT b AS k, id % 25 AS m, a AS v FROM bare;
  DELETE FROM bare2 x USING bare2 y WHERE x.k = y.k AND x.m = y.m AND (x.v < y.v OR x.v IS NULL);
  CREATE TABLE t2 (k text, m int, v int, PRIMARY KEY (k, m));
  INSERT INTO t2 SELECT DISTINCT ON (k, m) k, m, v FROM bare2;
  DELETE FROM bare2; INSERT INTO bare2 SELECT * FROM t2;
  CREATE INDEX t2_v ON t2 (v);
  CREATE TABLE bare3 AS SELECT i AS id, ARRAY['a' || i % 100, 'b' || i % 7] AS tags, jsonb_build_object('n', i % 200, 'k', 'x' || i % 3) AS doc,
    to_tsvector('simple', 'all word' || i % 150) AS words FROM generate_series(1, 2000) i;
  CREATE TABLE t3 AS SELECT * FROM bare3;
  ALTER TABLE t3 ADD PRIMARY KEY (id);
  CREATE INDEX t3_tags ON t3 USING gin (tags);
  CREATE INDEX t3_doc ON t3 USING gin (doc);
  CREATE INDEX t3_words ON t3 USING gin (words);
  CREATE TABLE bare4 AS SELECT i AS id,
      CASE i % 50 WHEN 0 THEN 'empty' WHEN 1 THEN NULL WHEN 2 THEN int4range(NULL, i) WHEN 3 THEN int4range(i, NULL) ELSE int4range(i - 1000, i - 1000 + i % 17) END AS r,
      numrange(i * -0.37, i * -0.37 + i % 9, '[]') AS n,
      tstzrange(timestamptz '2024-01-01' + i * interval '7 minutes', timestamptz '2024-01-01' + i * interval '7 minutes' + i % 5 * interval '1 hour') AS during,
      'Title ' || md5((i % 700)::text) || ' ΔΟΣ' || i % 11 || CASE WHEN i % 90 = 0 THEN ' 100%_\\ ſtraße' ELSE '' END AS title
    FROM generate_series(1, 2000) i;
  CREATE TABLE t4 AS SELECT * FROM bare4;
  ALTER TABLE t4 ADD PRIMARY KEY (id);
  CREATE EXTENSION pg_trgm;
  CREATE INDEX t4_r ON t4 USING gist (r);
  CREATE INDEX t4_n ON t4 USING spgist (n);
  CREATE INDEX t4_both ON t4 USING gist (during, n);
  CREATE INDEX t4_title ON t4 USING gin (title gin_trgm_ops)`;

interface Case {
  readonly sql: string;
  readonly expect?: readonly string[];
  readonly not?: readonly string[];
}

const CASES: Record<string, readonly Case[]> = {
  'what subqueries give': [
    { sql: 'SELECT * FROM t WHERE id = (SELECT max(id) - 5 FROM t)', expect: ['Index Scan using t_pkey', 'Index Cond: (id = $0)'] },
    { sql: 'SELECT * FROM t WHERE id = (SELECT NULL::int)', expect: ['Index Scan using t_pkey'] },
    { sql: 'SELECT * FROM t WHERE id = (SELECT id FROM t WHERE a = -1)' },
    { sql: 'SELECT id FROM t WHERE a = (SELECT a FROM t WHERE id = 77)', expect: ['Index Only Scan using t_a'] },
    { sql: 'SELECT id FROM t WHERE id > (SELECT max(id) - 10 FROM t) AND a > 3', expect: ['Index Scan using t_pkey'] },
    { sql: 'SELECT id FROM t WHERE (SELECT max(id) - 10 FROM t) <= id', expect: ['Index Scan using t_pkey'] },
    { sql: "SELECT id FROM t WHERE at > (SELECT max(at) - interval '9 minutes' FROM t)", expect: ['Index If Few: t_at'] },
    { sql: 'SELECT count(*) FROM t WHERE at > (SELECT min(at) FROM t)' },
    { sql: 'SELECT id FROM t WHERE id = ANY (ARRAY(SELECT a FROM t WHERE id < -480 OR a IS NULL))', expect: ['Index Scan using t_pkey'] },
    { sql: 'SELECT count(*), max(n) FROM t WHERE id = ANY (ARRAY(SELECT id FROM t))' },
    { sql: 'SELECT x.id, (SELECT y.b FROM t y WHERE y.id = (SELECT max(z.id) FROM t z WHERE z.a = x.a)) FROM t x WHERE x.id BETWEEN 5 AND 15' },
    { sql: 'SELECT k, m FROM t2 WHERE k = (SELECT min(b) FROM t) AND m > (SELECT 3)' },
    { sql: 'SELECT id FROM t WHERE id = (SELECT 5) OR a = (SELECT 7)' },
  ],
  'what is locked': [
    {
      sql: "SELECT id FROM t WHERE id IN (SELECT id FROM t WHERE b = 'k3' ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED)",
      expect: ['Index Cond: (id = ANY ($0))'],
    },
    {
      sql: "SELECT id FROM t WHERE id = (SELECT id FROM t WHERE b = 'k3' AND a IS NOT NULL ORDER BY a, id LIMIT 1 FOR UPDATE)",
      expect: ['Index Only Scan using t_ba'],
    },
    { sql: 'SELECT id FROM t WHERE a IN (SELECT a FROM t WHERE id < -490 FOR UPDATE)' },
    { sql: 'SELECT id FROM t WHERE a NOT IN (SELECT a FROM t WHERE id < 3000 AND a IS NOT NULL FOR UPDATE)' },
    { sql: "SELECT id, a FROM t WHERE b = 'k7' ORDER BY a, id LIMIT 3 FOR UPDATE SKIP LOCKED", not: ['Sort'] },
    { sql: 'SELECT id FROM t ORDER BY at DESC LIMIT 4 FOR UPDATE', not: ['Sort'] },
    { sql: 'SELECT id FROM t ORDER BY n, id LIMIT 4 FOR UPDATE', expect: ['Sort'] },
  ],
  'few values lead': [
    { sql: 'SELECT id, b FROM t WHERE id IN (SELECT a FROM t WHERE id > 3480)', expect: ['HashAggregate', 'Index Scan using t_pkey'] },
    { sql: 'SELECT id, b FROM t WHERE id IN (SELECT a % 5 FROM t WHERE id > 3480)' },
    { sql: 'SELECT count(*) FROM t WHERE id IN (SELECT a FROM t)' },
    { sql: 'SELECT x.id FROM t x WHERE EXISTS (SELECT 1 FROM t y WHERE y.a = x.a AND y.id > 3490)' },
    { sql: 'SELECT x.id FROM t x WHERE EXISTS (SELECT 1 FROM t y WHERE y.a = x.a AND y.id > 3490 AND y.id <> x.id)' },
    { sql: 'SELECT * FROM t2 WHERE (k, m) IN (SELECT b, id % 25 FROM t WHERE id > 3490)', expect: ['HashAggregate', 'Index Scan using t2_pkey'] },
    { sql: 'SELECT x.id, y.k FROM t x JOIN t2 y ON y.v = x.a WHERE x.id IN (SELECT a FROM t WHERE id > 3495)' },
    { sql: 'SELECT x.id, y.k FROM t x LEFT JOIN t2 y ON y.v = x.a WHERE x.id IN (SELECT a FROM t WHERE id > 3495)' },
    { sql: 'SELECT x.id, y.k FROM t x LEFT JOIN t2 y ON y.v = x.a WHERE y.m IN (SELECT id % 3 FROM t WHERE id > 3495)' },
    { sql: 'SELECT id FROM t WHERE id NOT IN (SELECT a FROM t WHERE a IS NOT NULL) AND id < 20' },
    { sql: 'SELECT id FROM t WHERE id IN (SELECT a FROM t WHERE id > 3480) AND a IN (SELECT a FROM t WHERE id > 10)' },
    { sql: 'SELECT id FROM t WHERE id::bigint IN (SELECT a FROM t WHERE id > 3480)' },
  ],
  'the order of an index': [
    ...['<', '<=', '>', '>='].flatMap((op) =>
      ['', ' DESC'].map((way) => ({ sql: `SELECT id, a FROM t WHERE (a, id) ${op} (500, 100) ORDER BY a${way}, id${way} LIMIT 9`, not: ['Sort'] })),
    ),
    { sql: "SELECT id FROM t WHERE (at, id) < ('2024-01-02', 300) ORDER BY at DESC, id DESC LIMIT 9" },
    { sql: "SELECT id FROM t WHERE ('2024-01-02', 300) > (at, id) ORDER BY at DESC, id LIMIT 9", not: ['Sort'] },
    { sql: 'SELECT id FROM t WHERE (a, b) > (500, NULL) ORDER BY a, id LIMIT 9' },
    { sql: 'SELECT count(*) FROM t WHERE (a, id) > (500, 100) AND (a, id) <= (510, 100)' },
    { sql: 'SELECT id, a FROM t ORDER BY a, id DESC LIMIT 9', expect: ['Sort'] },
    { sql: 'SELECT id, a FROM t WHERE a < 30 ORDER BY a, id LIMIT 9 OFFSET 20', not: ['Sort'] },
    { sql: 'SELECT id, u FROM t ORDER BY u DESC, b, id LIMIT 30' },
    { sql: 'SELECT id, u FROM t ORDER BY u DESC, id DESC LIMIT 30', not: ['Sort'] },
    { sql: 'SELECT id, u FROM t WHERE u IS NULL ORDER BY u, a, id LIMIT 9' },
    { sql: "SELECT id FROM t WHERE b = 'k39' ORDER BY id LIMIT 1" },
    { sql: 'SELECT k, m, v FROM t2 WHERE v > 10 ORDER BY v, k, m LIMIT 5', not: ['Sort'] },
    { sql: 'SELECT k, m, v FROM t2 WHERE v > 10 ORDER BY v, m, k LIMIT 5', expect: ['Sort'] },
    { sql: "SELECT id FROM t WHERE b = 'k7' AND a > (SELECT 50) ORDER BY id LIMIT 5" },
  ],
  'values of few rows': [
    { sql: 'SELECT id, (SELECT count(*) FROM t y WHERE y.a = x.a) FROM t x ORDER BY id DESC LIMIT 7', not: ['Join', 'HashAggregate'] },
    { sql: 'SELECT id + 1 AS p, (SELECT sum(n) FROM t y WHERE y.a = x.a) * 2, b FROM t x ORDER BY at, p LIMIT 7 OFFSET 3', not: ['Join', 'HashAggregate'] },
    { sql: 'SELECT b, (SELECT count(*) FROM t y WHERE y.a = x.a) AS c FROM t x ORDER BY c DESC, id LIMIT 7' },
    { sql: 'SELECT id, (SELECT count(*) FROM t y WHERE y.a = x.a) AS c, (SELECT max(v) FROM t2 WHERE k = x.b) FROM t x ORDER BY c DESC, id LIMIT 7' },
    { sql: 'SELECT DISTINCT (SELECT count(*) FROM t y WHERE y.a = x.a) AS c FROM t x ORDER BY c LIMIT 3' },
    { sql: 'SELECT * FROM (SELECT id, a, (SELECT count(*) FROM t y WHERE y.a = x.a) AS c FROM t x ORDER BY id LIMIT 9) s WHERE c > 4 ORDER BY id' },
    { sql: 'SELECT id, (SELECT count(*) FROM t y WHERE y.a = x.a) FROM t x WHERE b < (SELECT max(k) FROM t2) ORDER BY a, id FETCH FIRST 3 ROWS WITH TIES' },
    { sql: 'SELECT x.a, count(*), (SELECT max(id) FROM t y WHERE y.a = x.a) AS m FROM t x GROUP BY x.a ORDER BY x.a LIMIT 5' },
    { sql: 'SELECT id, EXISTS (SELECT 1 FROM t2 WHERE v = x.a) FROM t x ORDER BY id LIMIT 0' },
  ],
};

/** Over t3 and t4, and joins. */
const MORE: Record<string, readonly Case[]> = {
  ranges: [
    ...[
      'r @> 500',
      '500 <@ r',
      'r && int4range(500, 503)',
      'int4range(500, 503) && r',
      'r @> int4range(-700, -699)',
      'int4range(-700, -699) <@ r',
      'r <@ int4range(-800, -790)',
      "r <@ 'empty'::int4range",
      "r @> 'empty'::int4range",
      "r && 'empty'::int4range",
      "r && 'empty'::int4range OR r @> 3",
      'r && int4range(NULL, -990)',
      'r && int4range(1990, NULL)',
      'r @> int4range(NULL, 3)',
      'r && int4range(NULL, NULL)',
      'r <@ int4range(NULL, -985)',
      'r @> 2147483647',
    ].map((condition) => ({ sql: `SELECT id FROM t4 WHERE ${condition}` })),
    ...['n @> -3.7', 'n @> 0::numeric', 'n && numrange(-100.5, -100.4)', "n @> 'NaN'::numeric", 'n <@ numrange(-20, -10)', 'n && numrange(-1e300, -738)'].map(
      (sql) => ({
        sql: `SELECT id FROM t4 WHERE ${sql}`,
        not: ['Seq Scan'],
      }),
    ),
    { sql: "SELECT id FROM t4 WHERE during @> timestamptz '2024-01-03 12:00'" },
    { sql: "SELECT id FROM t4 WHERE during && tstzrange('2024-01-03', '2024-01-03 01:00') AND n @> -40.0" },
    { sql: "SELECT id FROM t4 WHERE during && tstzrange('2024-01-09', 'infinity')" },
    { sql: 'SELECT x.id, y.id FROM t4 x JOIN t4 y ON x.r && y.r AND y.id = 77' },
  ],
  trigrams: [
    { sql: "SELECT id FROM t4 WHERE title = 'Title c4ca4238a0b923820dcc509a6f75849b ΔΟΣ2'", expect: ['Bitmap'] },
    { sql: "SELECT id FROM t4 WHERE '--' = title" },
    { sql: "SELECT id FROM t4 WHERE title LIKE '%c4ca42%'", expect: ['Bitmap', "Index Cond: (title ~~ '%c4ca42%'"] },
    { sql: "SELECT id FROM t4 WHERE title ILIKE '%C4CA4238A0B923820DCC509A6F75849B%'", expect: ['Bitmap'] },
    ...[
      "'Title c4ca%'",
      "'%ΔΟΣ1'",
      "'%ΔΟΣ1%'",
      "'%δος7'",
      "'%100\\%\\_\\\\%'",
      "'%ſtra%'",
      "'%stra%'",
      "'%b9_382%'",
      "'%'",
      "''",
      "'%c4%'",
      "'%c4ca%0b92%'",
      "'Title'",
    ].flatMap((pattern) => ['LIKE', 'ILIKE', 'NOT LIKE'].map((op) => ({ sql: `SELECT id FROM t4 WHERE title ${op} ${pattern}` }))),
  ],
  'groups of few rows': [
    { sql: 'SELECT x.id, g.n FROM t x LEFT JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) g ON g.a = x.id WHERE x.id IN (3, 7, 9999)', not: ['Seq Scan'] },
    { sql: 'SELECT x.id, g.n FROM t x JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) g ON g.a = x.id AND g.n > 4 WHERE x.u = 7', not: ['Seq Scan'] },
    { sql: 'SELECT x.id, g.n FROM (SELECT a, b, count(*) AS n FROM t GROUP BY b, a) g RIGHT JOIN t x ON g.a = x.a AND g.b = x.b WHERE x.id BETWEEN 5 AND 9' },
    { sql: 'SELECT x.id, g.n FROM t x LEFT JOIN (SELECT a + 1 AS a, count(*) AS n FROM t GROUP BY 1) g ON g.a = x.id WHERE x.id IN (3, 7)' },
    { sql: 'SELECT x.id, g.n FROM t x LEFT JOIN (SELECT a, count(*) AS n, random() < 2 AS r FROM t GROUP BY a) g ON g.a = x.id WHERE x.id IN (3, 7)' },
    {
      sql: 'SELECT x.id, g.n, h.m FROM t x LEFT JOIN (SELECT a, count(*) AS n FROM t GROUP BY a HAVING count(*) > 4) g ON g.a = x.id LEFT JOIN (SELECT v, max(m) AS m FROM t2 GROUP BY v) h ON h.v = g.n WHERE x.id < -490',
    },
    { sql: 'SELECT count(*) FROM t x JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) g ON g.a = x.id' },
  ],
  'functions of one row': [
    { sql: "SELECT id, ts_rank(words, q) FROM t3, to_tsquery('simple', 'word7') q WHERE words @@ q ORDER BY 1", expect: ['Bitmap'] },
    { sql: "SELECT id FROM lower('B3') p JOIN t3 ON tags @> ARRAY[p] ORDER BY id" },
    { sql: "SELECT id, p, q FROM t3, upper('a') p, upper(p) q WHERE id < 4 ORDER BY id" },
    { sql: "SELECT id, p FROM t3 LEFT JOIN upper('a') p ON id < 4 WHERE id < 7 ORDER BY id" },
    { sql: "SELECT id, p, n FROM t3, upper('a') WITH ORDINALITY u(p, n) WHERE id < 4 ORDER BY id" },
    { sql: 'SELECT count(DISTINCT r), count(*) FROM t3, random() r' },
    { sql: "SELECT id, d FROM t3, jsonb_build_object('n', 7) d WHERE doc @> d ORDER BY id" },
    { sql: 'SELECT id, (d).n FROM t3, jsonb_to_record(\'{"n": 7}\') AS d(n int) WHERE id = d.n' },
  ],
  'the first of unions': [
    {
      sql: 'SELECT id FROM (SELECT id FROM t UNION ALL SELECT v FROM t2 UNION ALL SELECT id FROM t3) u ORDER BY id DESC LIMIT 5',
      expect: ['Index Scan Backward'],
    },
    { sql: 'SELECT k FROM (SELECT id + 1 AS k, b FROM t UNION ALL SELECT v, k FROM t2) u ORDER BY k, b LIMIT 5 OFFSET 3' },
    { sql: 'SELECT id * 2 AS d FROM (SELECT id FROM t UNION ALL SELECT v FROM t2) u ORDER BY d DESC NULLS LAST LIMIT 4' },
    { sql: 'SELECT id FROM (SELECT id FROM t UNION SELECT v FROM t2) u ORDER BY id LIMIT 5' },
    { sql: '(SELECT id FROM t ORDER BY a LIMIT 3) UNION ALL (SELECT v FROM t2 ORDER BY k, m LIMIT 3) ORDER BY 1 LIMIT 4' },
    { sql: 'SELECT id FROM (SELECT id FROM t UNION ALL SELECT v FROM t2) u ORDER BY id FETCH FIRST 2 ROWS WITH TIES' },
  ],
  'keys that are known': [
    { sql: 'SELECT x.id, s.n FROM t x LEFT JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) s ON s.a = x.id WHERE x.id = 7', expect: ['t_a'] },
    { sql: 'SELECT x.id, s.n FROM t x JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) s ON s.a = x.id WHERE x.id = 7', expect: ['t_a'] },
    { sql: 'SELECT x.id, s.n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) s RIGHT JOIN t x ON s.a = x.id WHERE x.id IN (7, 13)' },
    { sql: 'SELECT x.id, s.n FROM t x LEFT JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) s ON s.a = x.id WHERE x.id = 7 AND s.n IS NULL' },
    { sql: 'SELECT x.id, u.w FROM t x JOIN (SELECT id AS w FROM t3 UNION ALL SELECT v FROM t2) u ON u.w = x.id WHERE x.id = 9', expect: ['Index'] },
    { sql: 'SELECT x.id FROM t x WHERE x.id = 9 AND x.id IN (SELECT a FROM t GROUP BY a HAVING count(*) > 3)' },
    { sql: 'SELECT x.id, s.n FROM t x FULL JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) s ON s.a = x.id WHERE x.id = 7' },
    { sql: 'SELECT x.u, s.n FROM t x LEFT JOIN (SELECT a::bigint AS a, count(*) AS n FROM t GROUP BY 1) s ON s.a = x.id WHERE x.id = 7' },
  ],
};

let db: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  db = await TestDatabase.open();
  session = db.db.session();
  await session.run(TABLES);
}, 60_000);
afterAll(async () => {
  session.close();
  await db.close();
});

const rowsOf = (sql: string): Promise<string[]> => shownRows(session, sql);

const overBare = (sql: string): string => sql.replace(/\bt([234]?)\b/g, 'bare$1');

async function alike(sql: string): Promise<void> {
  const [own, other] = [await rowsOf(sql), await rowsOf(overBare(sql))];
  expect(/ORDER BY [^)]*$/.test(sql) ? own : own.sort()).toEqual(/ORDER BY [^)]*$/.test(sql) ? other : other.sort());
}

describe.each(Object.entries({ ...CASES, ...MORE }))('%s', (_name, cases) => {
  test.each(cases.map((each) => [each.sql, each] as const))('%s', async (sql, each) => {
    const plan = (await rowsOf(`EXPLAIN (COSTS OFF) ${sql}`)).join('\n');
    for (const text of each.expect ?? []) expect(plan).toContain(text);
    for (const text of each.not ?? []) expect(plan).not.toContain(text);
    await alike(sql);
  });
});

describe('parameters', () => {
  const STATEMENTS: readonly (readonly [sql: string, plan: string, ...values: readonly string[]])[] = [
    ['SELECT id FROM t WHERE at > $1::timestamptz ORDER BY id', 'Index', "'2024-01-03 18:00'", "'2020-01-01'", "'2030-01-01'", 'NULL'],
    ['SELECT count(*), sum(n), min(b) FROM t WHERE at > $1::timestamptz', 'Index If Few: t_at', "'2024-01-03 18:00'", "'2020-01-01'", 'NULL'],
    ['SELECT id FROM t WHERE a BETWEEN $1::int AND $2::int', 'Index', '5, 8', '0, 900', '8, 5', 'NULL, 7'],
    ['SELECT id FROM t WHERE b = $1::text AND n > 3', 'Index', "'k3'", "'none'", 'NULL'],
    ['SELECT x.id, y.k FROM t x JOIN t2 y ON y.v = x.a WHERE x.at > $1::timestamptz', '', "'2024-01-03 18:00'", "'2020-01-01'"],
    ['SELECT id, at FROM t ORDER BY at DESC, id LIMIT $1::bigint', 'Index Only Scan using t_at', '3', '0', '5000', 'NULL'],
    ['SELECT id FROM t WHERE at < $1::timestamptz ORDER BY at DESC, id LIMIT $2::bigint', 'Index Only Scan using t_at', "'2024-01-02', 3", "'2020-01-01', 3"],
    ['SELECT id FROM t WHERE (at, id) < ($1::timestamptz, $2::int) ORDER BY at DESC, id DESC LIMIT 4', '', "'2024-01-02', 500"],
    ['SELECT id, (SELECT count(*) FROM t y WHERE y.a = x.a) FROM t x ORDER BY id LIMIT $1::bigint', '', '4', '4000'],
    ['SELECT id FROM t3 WHERE tags @> $1::text[]', 'Bitmap', "'{a7}'", "'{b3}'", "'{}'", "'{none}'", 'NULL'],
    ['SELECT id FROM t3 WHERE tags && $1::text[]', 'Bitmap', "'{a7,a8}'", "'{b1,b2,b3,b4,b5,b6,b0}'", "'{}'", 'NULL'],
    ['SELECT id FROM t3 WHERE doc @> $1::jsonb', 'Bitmap', `'{"n": 7}'`, `'{"k": "x1"}'`, "'{}'", 'NULL'],
    ["SELECT id FROM t3 WHERE words @@ to_tsquery('simple', $1::text)", 'Bitmap', "'word7'", "'all'", "'!word7'", "'none'", 'NULL'],
    [
      'SELECT id FROM t WHERE ($1::int IS NULL OR a = $1) AND ($2::text IS NULL OR b = $2)',
      'Index If Few: t_a (a = $1) unless ($1 IS NULL)',
      '7, NULL',
      'NULL, NULL',
      "NULL, 'k3'",
      "7, 'k3'",
    ],
    ['SELECT id FROM t WHERE ($1::int IS NULL OR id = $1) AND n > 1', 'Index If Few: t_pkey', '7', 'NULL'],
    ['SELECT x.id, y.k FROM t x LEFT JOIN t2 y ON y.v = x.a AND y.m > 3 WHERE x.id BETWEEN $1::int AND $2::int', '', '5, 15', '-500, 4000', '9, 3'],
    ['SELECT id FROM t4 WHERE r && int4range($1::int, $2::int)', 'Bitmap', '500, 502', '-2000, 5000', '7, 7', 'NULL, -995'],
    ['SELECT id FROM t4 WHERE r @> $1::int', 'Bitmap', '500', '-5000', 'NULL'],
    ['SELECT id FROM t4 WHERE title LIKE $1::text', 'Bitmap', "'%c4ca42%'", "'%'", "'%a%'", 'NULL'],
    ['SELECT x.id, s.n FROM t x LEFT JOIN (SELECT a, count(*) AS n FROM t GROUP BY a) s ON s.a = x.id WHERE x.id = $1::int', 't_a', '7', '-9999', 'NULL'],
  ];
  test.each(STATEMENTS)('%s', async (sql, plan, ...values) => {
    await session.run(`PREPARE own AS ${sql}; PREPARE other AS ${overBare(sql)}`);
    try {
      expect((await rowsOf(`EXPLAIN (COSTS OFF) EXECUTE own(${values[0]})`)).join('\n')).toContain(plan);
      for (const each of values) expect((await rowsOf(`EXECUTE own(${each})`)).sort(), each).toEqual((await rowsOf(`EXECUTE other(${each})`)).sort());
    } finally {
      await session.run('DEALLOCATE ALL');
    }
  });

  test('what a setting is may change within a statement, what a function makes of a parameter may not', async () => {
    expect(await rowsOf("SELECT set_config('a.b', g::text, false), current_setting('a.b') FROM generate_series(1, 3) g")).toEqual(['1|1', '2|2', '3|3']);
    await session.run('PREPARE own AS SELECT count(*) FROM t WHERE b = lower($1::text) OR to_tsquery($1::text) IS NULL');
    expect(await rowsOf("EXECUTE own('K3')")).toEqual(await rowsOf("SELECT count(*) FROM t WHERE b = 'k3'"));
    await session.run('DEALLOCATE own');
  });

  test('the clock', async () => {
    await alike("SELECT count(*) FROM t WHERE at > now() - interval '1 day'");
    await alike("SELECT count(*) FROM t WHERE at < now() - interval '1 day'");
  });
});

describe('changes', () => {
  test.each([
    "UPDATE t SET n = n + 1 WHERE id = (SELECT id FROM t WHERE b = 'k3' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, n",
    "UPDATE t SET b = 'x' WHERE id IN (SELECT id FROM t WHERE b = 'k4' ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED) RETURNING id",
    'UPDATE t SET a = a + 1 WHERE a > (SELECT max(a) - 3 FROM t) RETURNING id, a',
    "UPDATE t SET at = at + interval '1 day' WHERE at > (SELECT max(at) - interval '3 minutes' FROM t) RETURNING id",
    'DELETE FROM t WHERE id IN (SELECT a FROM t WHERE id > 3490) RETURNING id',
    'DELETE FROM t WHERE id = ANY (ARRAY(SELECT a FROM t WHERE id > 3480)) RETURNING id',
    'DELETE FROM t WHERE a = (SELECT max(a) FROM t) RETURNING id',
    'UPDATE t4 SET r = int4range(upper(r), upper(r) + 5) WHERE r @> 500 RETURNING id, r',
    "UPDATE t4 SET r = 'empty' WHERE r && int4range(600, 610) RETURNING id",
    "DELETE FROM t4 WHERE title LIKE '%c4ca42%' RETURNING id",
  ])('%s', async (sql) => {
    await alike(sql);
    await alike('SELECT * FROM t ORDER BY id');
    await alike("SELECT id FROM t4 WHERE r && int4range(495, 620) OR r <@ int4range(1, 9) OR title LIKE '%c4ca42%'");
  });

  test('a list that changes each time is made once, whether rows are found by it or asked for it', async () => {
    await session.run('CREATE SEQUENCE drawn');
    for (const [name, column] of [
      ['t', 'a'],
      ['t', 'b'],
      ['t', 'id'],
      ['bare', 'b'],
    ]) {
      await session.run(`SELECT setval('drawn', 1, false)`);
      await session.run(`SELECT count(*) FROM ${name} WHERE ${column}::text IN (SELECT 'k' || nextval('drawn') FROM generate_series(1, 30))`);
      await session.run(
        `SELECT count(*) FROM t WHERE ${column === 'b' ? "b IN (SELECT 'k' ||" : `${column} IN (SELECT`} nextval('drawn')${column === 'b' ? '' : '::int'} FROM generate_series(1, 30))`,
      );
      expect(await rowsOf('SELECT last_value FROM drawn'), `${name}.${column}`).toEqual(['60']);
    }
  });

  test('more than one row is refused alike', async () => {
    for (const table of ['t', 'bare']) {
      await expect(session.run(`SELECT * FROM t WHERE id = (SELECT id FROM ${table})`)).rejects.toMatchObject({ code: '21000' });
    }
  });
});
