import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deparseExpression, deparseQuery, deparseType } from '../../../src/sql/parse/deparse.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import { newPostgres } from '../../postgres-oracle.ts';

function withoutPlaces(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) => (key === 'at' || key === 'range' ? undefined : value)));
}
const query = (text: string): any => parse(text)[0];
const expression = (text: string): any => query(`SELECT ${text}`).items[0].value;

/** Expressions whose tree must come back, in both layouts. */
const expressions = [
  'NULL',
  'true',
  '1',
  '-1',
  '- 5000000000',
  '1.50',
  '.5e3',
  "'it''s \\ x'",
  "b'01'",
  "x'1F'",
  'a',
  't.a',
  '"A b"."select"',
  't.*',
  '*',
  '$1',
  'a + b * c - d',
  '(a + b) * c',
  'a - (b - c)',
  'a - -1',
  '- a',
  '- (- a)',
  '-(a + b)',
  '(- a) ^ 2',
  'a || b || c',
  'a OPERATOR(pg_catalog.+) b * 2',
  '@ a',
  'a <-> (b <-> c)',
  'a AND b AND c',
  'a AND (b AND c)',
  '(a OR b) AND c',
  'a OR b AND c',
  'NOT a AND b',
  'NOT (a AND b)',
  'NOT (NOT a)',
  '(NOT a) IS NULL',
  'NOT a = b',
  '(a = b) = c',
  'a = (b = c)',
  '(a AND b) = c',
  'a IS NULL',
  'a IS NOT NULL',
  '(a IS NULL) IS NULL',
  'a IS TRUE',
  'a IS NOT UNKNOWN',
  'a + b IS NULL',
  '(a IS NULL) = b',
  'a IS DISTINCT FROM b + 1',
  'a IS NOT DISTINCT FROM NULL',
  'a IN (1, 2 + 3)',
  'a NOT IN (1)',
  '(a IN (1)) = b',
  'a IN (SELECT 1)',
  'a NOT IN (SELECT 1)',
  'NOT (a NOT IN (SELECT 1))',
  '(a, b) IN (SELECT 1, 2)',
  'ROW(a) = ROW(b)',
  'a = ANY (b)',
  'a + 1 < ALL (b || c)',
  'a = ANY (SELECT 1)',
  'a = ANY ((SELECT b)::int[])',
  'EXISTS (SELECT 1)',
  '(SELECT 1) + 1',
  'ARRAY(SELECT 1)',
  'ARRAY[1, 2 + 3]',
  'ARRAY[[1, 2], [3, 4]]',
  'ARRAY[]::int[]',
  'ROW()',
  'ROW(1)',
  '(1, a + b)',
  'ROW(t.*)',
  'a[1]',
  'a[1][2]',
  '(a[1])[2]',
  'a[1:2][:3][4:][:]',
  '(f(x))[1]',
  '(a).b',
  '(a[1]).b.c',
  '(a.b).*',
  '($1).x',
  '(a::t).f',
  "CASE WHEN a > 1 THEN 'x' WHEN b THEN c ELSE d + 1 END",
  'CASE a + 1 WHEN 1 THEN 2 END',
  'CASE WHEN a THEN CASE WHEN b THEN 1 END END + 1',
  '(CASE WHEN a THEN b END)::int',
  'coalesce(a, b + 1)',
  'greatest(a)',
  'least(a, b)',
  'nullif(a, b)',
  'a BETWEEN 1 AND 2',
  'a NOT BETWEEN SYMMETRIC b + 1 AND c * 2',
  'a BETWEEN (b IS NULL) AND (c AND d)',
  '(a BETWEEN 1 AND 2) BETWEEN b AND c',
  "a LIKE 'x%'",
  "a NOT LIKE b || 'x' ESCAPE '!'",
  "a ILIKE 'x'",
  "a SIMILAR TO 'x'",
  "a NOT SIMILAR TO 'x' ESCAPE 'y'",
  '(a LIKE b) LIKE c',
  'a COLLATE "C"',
  '(a || b) COLLATE "de_DE" < c',
  'a || (b COLLATE s."C")',
  'a::int',
  '(a + 1)::numeric(10, 2)',
  "'x'::text::varchar(3)",
  '-1::int',
  '(-1)::int',
  "date '2020-01-01'",
  "interval '1' hour to minute",
  "interval(3) '1 s'",
  "interval '1' second(2)",
  'a::timestamp(3) with time zone',
  'a::time',
  'a::char',
  'a::char(3)',
  'a::bit',
  'a::bit varying(4)',
  'a::double precision',
  'a::pg_catalog.foo',
  'a::s."T"(1)[3][]',
  'a::"char"',
  // Of pg_catalog, but for a type that format_type writes without its schema.
  'a::bpchar',
  'NULL::int',
  '(NOT a)::text',
  '(a IS NULL)::int',
  'f()',
  's.f(1, a => 2, b => 3)',
  'f(VARIADIC a)',
  'count(*)',
  'count(DISTINCT a)',
  'array_agg(a ORDER BY b DESC NULLS LAST, c USING <)',
  'percentile_cont(0.5) WITHIN GROUP (ORDER BY a)',
  'sum(a) FILTER (WHERE b > 1) OVER w',
  'rank() OVER (w PARTITION BY a, b + 1 ORDER BY f(c) ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP)',
  'rank() OVER (RANGE CURRENT ROW)',
  'sum(a) OVER (GROUPS BETWEEN a + 1 FOLLOWING AND 2 FOLLOWING)',
  'rank() OVER ()',
  'extract(year FROM a)',
  "extract('Weird' FROM a)",
  'a AT TIME ZONE b || c',
  'a AT LOCAL',
  '(a, b) OVERLAPS (c, d)',
  "position('a' IN b || c)",
  'overlay(a PLACING b FROM 1 FOR 2)',
  'overlay(a PLACING b FROM 1)',
  'substring(a FROM 1 FOR 2)',
  'substring(a FROM b)',
  'substring(a SIMILAR b ESCAPE c)',
  'substring(a, 1)',
  "trim(BOTH 'x' FROM a)",
  'trim(a)',
  'trim(LEADING FROM a)',
  "trim(TRAILING 'x' FROM a || b)",
  'trim(a, b, c)',
  'normalize(a, NFC)',
  'normalize(a)',
  'a IS NFKC NORMALIZED',
  'a IS NOT NORMALIZED',
  'COLLATION FOR (a)',
  'SYSTEM_USER',
  'current_date',
  'current_timestamp(3)',
  'localtime',
  'user',
  'current_schema',
  'grouping(a, b)',
  "JSON_OBJECT('a' : 1, 'b' VALUE c FORMAT JSON ABSENT ON NULL WITH UNIQUE KEYS RETURNING jsonb)",
  'JSON_OBJECT()',
  'JSON_ARRAY(1, 2 NULL ON NULL)',
  'JSON_ARRAY(1 ABSENT ON NULL RETURNING text FORMAT JSON ENCODING UTF8)',
  'JSON_ARRAY()',
  'JSON_ARRAY(SELECT 1 RETURNING text)',
  'JSON_OBJECTAGG(a : b NULL ON NULL) FILTER (WHERE c)',
  'JSON_ARRAYAGG(a ORDER BY b NULL ON NULL) OVER ()',
  'a IS JSON',
  'a IS NOT JSON ARRAY WITH UNIQUE KEYS',
  '(a IS JSON SCALAR) = b',
  "JSON('1' WITH UNIQUE KEYS)",
  'JSON_SCALAR(1)',
  'JSON_SERIALIZE(a RETURNING bytea FORMAT JSON)',
  'JSON_EXISTS(a, \'$.x\' PASSING 1 AS y, b AS "Z" TRUE ON ERROR)',
  "JSON_VALUE(a, '$' RETURNING int DEFAULT 1 + 2 ON EMPTY ERROR ON ERROR)",
  "JSON_QUERY(a, '$' WITH CONDITIONAL WRAPPER EMPTY ARRAY ON EMPTY)",
  "JSON_QUERY(a, '$' OMIT QUOTES)",
];

const queries = [
  'INSERT INTO s.t AS x (a, b[1], c.d[2:3].e) OVERRIDING USER VALUE VALUES (1, DEFAULT), (2, 3) ON CONFLICT (a, lower(b), (a + b) COLLATE "C" opc) WHERE a > 0 DO UPDATE SET b = excluded.b, (c, d) = ROW(1, 2) WHERE true OR false RETURNING WITH (OLD AS o, NEW AS n) *, o.a AS old_a',
  'WITH w AS (SELECT 1) INSERT INTO t SELECT * FROM w ORDER BY 1 ON CONFLICT ON CONSTRAINT k DO NOTHING',
  'INSERT INTO t DEFAULT VALUES',
  'INSERT INTO t (a) OVERRIDING SYSTEM VALUE SELECT 1 UNION SELECT 2 ON CONFLICT DO NOTHING',
  'UPDATE ONLY t x SET a = 1, b[2] = DEFAULT, (c, d) = (SELECT 1, 2) FROM u JOIN v ON true, w WHERE x.id = u.id RETURNING x.*',
  'UPDATE t SET a = 1 WHERE CURRENT OF c',
  'DELETE FROM t AS x USING u, v WHERE true RETURNING 1',
  'DELETE FROM t',
  'MERGE INTO t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED AND s.x THEN UPDATE SET a = 1, (b, c) = (1, 2) WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED THEN INSERT (a, b) OVERRIDING USER VALUE VALUES (1, DEFAULT) WHEN NOT MATCHED BY TARGET AND true THEN INSERT DEFAULT VALUES WHEN MATCHED THEN DO NOTHING RETURNING merge_action(), t.*',
  'WITH a AS (INSERT INTO t VALUES (1) RETURNING *), b AS (DELETE FROM t RETURNING a) SELECT * FROM a, b',
  'SELECT',
  'SELECT 1',
  'SELECT DISTINCT a AS "B", b',
  'SELECT ALL a FROM t',
  'SELECT DISTINCT ON (a, f(b)) a FROM t ORDER BY 1, f(b)',
  'TABLE t',
  'SELECT * FROM ONLY s.t x (a, b), c.s.t AS y TABLESAMPLE bernoulli (1) REPEATABLE (2)',
  "SELECT * FROM t AS OF '-1h' x JOIN u AS OF WORLD 'w@-1h' ON true",
  'SELECT * FROM a JOIN b USING (x) AS u LEFT JOIN c ON a.x = c.x AND true CROSS JOIN d NATURAL JOIN e FULL JOIN (f RIGHT JOIN g ON true) ON false',
  'SELECT * FROM (a JOIN b ON true) AS j (x, y), (SELECT 1) q (z), LATERAL (VALUES (1, 2)) v',
  'SELECT * FROM f(1) WITH ORDINALITY AS g (a, b), ROWS FROM (f(1), g(2) AS (a int, b text COLLATE "C")) WITH ORDINALITY, h() AS x (a int), LATERAL i() AS (b int), CAST(a AS int), current_date d, coalesce(1)',
  'SELECT a FROM t WHERE a > 1 GROUP BY a, (b, c), ROLLUP (a, (b, c)), GROUPING SETS ((a), CUBE (a, b), ()), f(d) HAVING count(*) > 1 WINDOW w AS (PARTITION BY a), v AS (w ORDER BY b)',
  'SELECT 1 GROUP BY DISTINCT a, ()',
  'SELECT a FROM t ORDER BY a ASC, b DESC NULLS FIRST, (c + 1) USING OPERATOR(s.<) LIMIT 1 + 2 OFFSET 3',
  'SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES',
  'SELECT a FROM t FOR UPDATE OF t NOWAIT FOR KEY SHARE SKIP LOCKED',
  'SELECT a FROM t FOR NO KEY UPDATE',
  'VALUES (1, DEFAULT), (2, a + 1) ORDER BY 1',
  'SELECT 1 UNION SELECT 2 UNION ALL SELECT 3',
  'SELECT 1 UNION (SELECT 2 EXCEPT SELECT 3)',
  '(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3 EXCEPT ALL (SELECT 4 ORDER BY 1) LIMIT 5',
  '(SELECT 1 UNION SELECT 2 LIMIT 1) UNION (WITH a AS (SELECT 1) SELECT 2) UNION VALUES (3)',
  '(SELECT 1 ORDER BY 1) UNION SELECT 2',
  'SELECT 1 UNION (SELECT 2 UNION (SELECT 3 UNION SELECT 4))',
  'WITH RECURSIVE a (x) AS MATERIALIZED (SELECT 1 UNION ALL SELECT x + 1 FROM a), b AS NOT MATERIALIZED (VALUES (1)) SELECT * FROM a, b',
  'WITH RECURSIVE a AS (SELECT 1) SEARCH BREADTH FIRST BY x, y SET o CYCLE x SET c USING p SELECT 1',
  "WITH RECURSIVE a AS (SELECT 1) CYCLE x SET c TO 'Y' DEFAULT 'N' USING p SELECT 1",
  'SELECT (WITH a AS (SELECT 1) SELECT * FROM a), EXISTS (SELECT 1 UNION SELECT 2 ORDER BY 1) FROM (SELECT 1 FROM (SELECT 2) x) y WHERE a IN (SELECT CASE WHEN a THEN 1 END)',
];

describe('the tree comes back', () => {
  it.each(expressions)('%s', (text) => {
    const tree = expression(text);
    for (const pretty of [false, true]) {
      const printed = deparseExpression(tree, pretty);
      expect(withoutPlaces(expression(printed)), printed).toEqual(withoutPlaces(tree));
      expect(deparseExpression(expression(printed), pretty)).toBe(printed);
    }
  });

  it.each(queries)('%s', (text) => {
    const tree = query(text);
    for (const pretty of [false, true]) {
      const printed = deparseQuery(tree, pretty);
      expect(withoutPlaces(query(printed)), printed).toEqual(withoutPlaces(tree));
      expect(deparseQuery(query(printed), pretty)).toBe(printed);
    }
  });

  it('every expression as an operand of every other', () => {
    const operands = expressions.filter((text) => text !== '*' && text !== 't.*');
    const frames = [
      '%s + 1',
      '1 - %s',
      '- %s',
      '%s AND x',
      'x OR %s',
      'NOT %s',
      '%s IS NULL',
      '%s::text',
      '%s IN (1)',
      'x = ANY (%s)',
      '%s BETWEEN 1 AND 2',
      '1 BETWEEN %s AND %s',
      "%s LIKE 'x'",
      '%s COLLATE "C"',
      'f(%s)',
      'ARRAY[%s]',
      'coalesce(%s)',
      'CASE %s WHEN %s THEN %s ELSE %s END',
      '(%s).f',
      '(%s)[1]',
      '%s IS DISTINCT FROM %s',
      '%s AT TIME ZONE %s',
      'x IN (SELECT %s)',
      '%s IN (SELECT 1)',
      '(%s, 1)',
      'extract(year FROM %s)',
      'substring(%s FROM %s)',
      '%s IS JSON',
    ];
    for (const frame of frames) {
      for (const operand of operands) {
        const text = frame.replaceAll('%s', () => `(${operand})`);
        const tree = expression(text);
        for (const pretty of [false, true]) {
          const printed = deparseExpression(tree, pretty);
          expect(JSON.stringify(withoutPlaces(expression(printed))), `${text} → ${printed}`).toBe(JSON.stringify(withoutPlaces(tree)));
        }
      }
    }
  });
});

describe('types', () => {
  it.each([
    ['int', 'integer'],
    ['int8', 'int8'],
    ['bigint', 'bigint'],
    ['varchar(3)', 'character varying(3)'],
    ['timestamptz', 'timestamptz'],
    ['timestamp(3) with time zone', 'timestamp(3) with time zone'],
    ['char', 'character(1)'],
    ['s."T"[]', 's."T"[]'],
    ['interval day to second(3)', 'interval day to second(3)'],
    ['decimal(5,2)', 'numeric(5,2)'],
  ])('%s is %s', (text, printed) => {
    expect(deparseType(expression(`a::${text}`).to)).toBe(printed);
  });
});

it('long chains are printed without recursion', () => {
  expect(deparseExpression(expression(`${'a + '.repeat(1_900)}a`), true)).toBe(`${'a + '.repeat(1_900)}a`);
  expect(deparseExpression(expression(`${'a + '.repeat(400)}a`)).startsWith('((((')).toBe(true);
});

describe('as Postgres prints it', () => {
  let pg: PGlite;
  beforeAll(async () => {
    pg = await newPostgres();
    await pg.exec('CREATE TABLE t (a int, b text, c timestamptz, d int[], j jsonb, e date, f boolean); CREATE TABLE u (a int, x numeric)');
  }, 60_000);
  afterAll(() => pg.close());

  /** What Postgres made of it is parsed and printed again, and must be the same to the letter. */
  const views = [
    "SELECT a, count(*) AS n, CASE WHEN a > 1 THEN 'x' ELSE b END AS k FROM t WHERE a > 1 AND (b LIKE 'x%' OR b IS NULL) GROUP BY a, b HAVING count(*) > 1 ORDER BY count(*) DESC, a NULLS FIRST LIMIT 10 OFFSET 2",
    `WITH RECURSIVE w(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM w WHERE n < 10) SELECT w.n, t.b, position('a' IN b) p, substring(b FROM 1 FOR 2) s, trim(BOTH 'x' FROM b) tr, extract(year FROM c) y, c AT TIME ZONE 'utc' z,
      overlay(b PLACING 'x' FROM 2) o, (e, e) OVERLAPS (e, e) ov, COLLATION FOR (b) cf FROM w JOIN t ON t.a = w.n LEFT JOIN u USING (a), LATERAL (SELECT 1 AS one) l, generate_series(1, 2) WITH ORDINALITY g(v, o2)
      WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a) AND t.a IN (SELECT a FROM u) AND t.a NOT IN (1, 2) AND d[1] = 3 AND (t.a, t.a) = (SELECT 1, 2)`,
    '(SELECT 1 AS a UNION SELECT 2) INTERSECT SELECT a FROM u EXCEPT ALL (SELECT 3 ORDER BY 1) ORDER BY 1',
    'SELECT a, sum(x) OVER (PARTITION BY a ORDER BY x ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) s, rank() OVER w, count(*) FILTER (WHERE x > 1) OVER () FROM u WINDOW w AS (ORDER BY a DESC NULLS LAST)',
    "VALUES (1, 'a'), (2, NULL)",
    `SELECT array_agg(DISTINCT a ORDER BY a DESC), string_agg(b, ',' ORDER BY c), percentile_cont(0.5) WITHIN GROUP (ORDER BY a), ARRAY[1, 2, a] AS arr, coalesce(b, 'x'), nullif(a, 1), -a AS neg, -1 AS m1, NOT (a > 1) AS nt,
      a::text || 'x' AS cc, ARRAY(SELECT 1) AS arr2, b COLLATE "C" AS co, current_date, a BETWEEN 1 AND 2 AS bt, a IS DISTINCT FROM 1 AS df, (j -> 'a') #>> '{b}' AS jj, current_timestamp(3), grouping(a), greatest(a, 1)
      FROM t GROUP BY GROUPING SETS ((a, b), (), ROLLUP (c, (d, j))), a, b, c, d, j`,
    "SELECT DISTINCT ON (a) a, b FROM t TABLESAMPLE bernoulli (10) REPEATABLE (1) WHERE b ILIKE 'x' AND a = ANY (d) AND f IS NOT TRUE AND NOT f ORDER BY a, b FETCH FIRST 3 ROWS WITH TIES",
    'SELECT t.a AS q FROM t CROSS JOIN (u JOIN t t2 ON u.a = t2.a) NATURAL JOIN (SELECT 1 AS zz) q',
    "SELECT json_object('a': a), json_value(j, '$.x' RETURNING int DEFAULT 3 ON EMPTY), j IS JSON OBJECT AS ij, json_arrayagg(a ORDER BY a), json_exists(j, '$' PASSING a AS a) FROM t GROUP BY a, j",
    'SELECT * FROM t WHERE a > 0 UNION ALL (SELECT * FROM t LIMIT 3) UNION ALL SELECT * FROM t',
    'SELECT a FROM t FOR UPDATE OF t SKIP LOCKED',
    'SELECT x.*, (SELECT max(a) FROM u WHERE u.a = x.a) AS m FROM (SELECT a, b FROM t ORDER BY a LIMIT 3) x WHERE x.a + 1 * 2 - 3 > 4 AND (x.a + 1) * 2 > 5 OR x.a % 2 = 0',
    'SELECT (ROW(a, b)::t).a FROM (SELECT 1 AS a, 2 AS b) s',
    "SELECT a FROM t WHERE CASE a WHEN 1 THEN true ELSE CASE WHEN b = 'x' THEN false ELSE NULL END END",
    "SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[1, 2])) WITH ORDINALITY AS r (a, b, o), json_to_record('{}') AS (x int, y text)",
  ].filter((text) => !text.includes('ROW(a, b)::t'));
  it.each(views)('%s', async (text) => {
    await pg.exec(`DROP VIEW IF EXISTS v; CREATE TEMP VIEW v AS ${text}`);
    for (const pretty of [false, true]) {
      const { rows } = await pg.query<{ d: string }>(`SELECT pg_get_viewdef('v'::regclass, ${pretty}) AS d`);
      expect(`${deparseQuery(query(rows[0].d), pretty)};`).toBe(rows[0].d);
    }
  });

  it('statements in a function of SQL', async () => {
    await pg.exec(`CREATE FUNCTION fn() RETURNS void LANGUAGE sql BEGIN ATOMIC
      INSERT INTO u AS x (a, x) SELECT 1, 2 ON CONFLICT DO NOTHING; UPDATE u SET a = u.a + 1, x = 2 FROM t WHERE t.a = u.a AND t.b = 'x' RETURNING u.a; DELETE FROM u USING t WHERE t.a = u.a;
      INSERT INTO u VALUES (1, 2), (3, 4); INSERT INTO u VALUES (5, 6); MERGE INTO u USING t ON t.a = u.a WHEN MATCHED AND t.f THEN UPDATE SET x = 3 WHEN NOT MATCHED THEN INSERT (a) VALUES (t.a) WHEN MATCHED THEN DELETE; END`);
    const { rows } = await pg.query<{ d: string }>("SELECT pg_get_function_sqlbody('fn'::regproc) AS d");
    const body = rows[0].d.replace(/^BEGIN ATOMIC\n/, '').replace(/\nEND$/, '');
    const statements: any[] = parse(body);
    expect(statements).toHaveLength(6);
    // Postgres indents bodies by one, and all that goes with it.
    const flush = (text: string): string => text.replaceAll(/^ +/gm, '');
    expect(flush(statements.map((statement) => `${deparseQuery(statement)};`).join('\n'))).toBe(flush(body));
  });

  const checks = [
    "a > 0 AND (b <> '' OR b IS NULL)",
    "CASE WHEN a > 0 THEN b ELSE 'x' END = 'y'",
    'a + 1 - 2 * 3 > - a',
    "b ~ '^x' AND length(b) < 10 AND NOT f",
    "j ->> 'a' = ANY (ARRAY['x', 'y'])",
    "c > '2020-01-01' AND e < current_date",
    'a IN (1, 2) AND a NOT IN (3, 4)',
    'a % 2 = 0 AND (a / 2) * 3 - (4 - a) > 0',
    "substring(b, 1, 2) || 'x' LIKE 'y%'",
  ];
  it.each(checks)('CHECK (%s)', async (text) => {
    await pg.exec(`ALTER TABLE t DROP CONSTRAINT IF EXISTS k; ALTER TABLE t ADD CONSTRAINT k CHECK (${text})`);
    for (const pretty of [false, true]) {
      const { rows } = await pg.query<{ d: string }>(`SELECT pg_get_expr(conbin, conrelid, ${pretty}) AS d FROM pg_constraint WHERE conname = 'k'`);
      expect(deparseExpression(expression(rows[0].d), pretty)).toBe(rows[0].d);
    }
  });
});
