/** What the binder makes of queries: names and types of their columns, and codes of errors, as the real Postgres has them. */
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { Binder, type Names } from '../../../src/sql/bind/binder.ts';
import { bindQuery } from '../../../src/sql/bind/query.ts';
import { bindWrite } from '../../../src/sql/bind/write.ts';
import { arbiterOf } from '../../../src/sql/exec/modify.ts';
import { LIBRARY } from '../../../src/sql/library/library.ts';
import { parse } from '../../../src/sql/parse/parse.ts';
import { parseExpressionText } from '../../../src/sql/session/names.ts';
import type { SqlColumn, SqlTable } from '../../../src/sql/schema/table.ts';
import { TEST_ENVIRONMENT } from './environment.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const SCHEMA: Record<string, Record<string, string>> = {
  t: { a: 'int4', b: 'text', c: 'numeric', d: 'date', e: 'float8', f: 'int8', g: 'bool', h: 'timestamptz' },
  u: { a: 'int4', x: 'text', n: 'int2', v: 'varchar', j: 'jsonb', r: '_int4' },
};

function table(name: string, number: number): SqlTable {
  const columns = Object.entries(SCHEMA[name]).map(([column, type], i): SqlColumn => ({
    number: number + i + 1,
    attnum: i + 1,
    name: column,
    type: LIBRARY.type(type),
    typmod: -1,
    storage: { kind: 7, form: 'direct', scale: 0, encode: (value) => value as string, decode: (value) => value as string },
    notNull: i === 0,
    default: null,
    identity: null,
    generated: null,
    missing: null,
  }));
  return {
    number,
    schema: 'public',
    name,
    document: false,
    columns,
    key: { numeric: true, columns: [0] },
    primaryKey: `${name}_pkey`,
    indexes: [],
    checks: [],
    foreignKeys: [],
    materialized: null,
    inheritance: null,
  };
}

const TABLES = new Map(Object.keys(SCHEMA).map((name, i) => [name, table(name, 20000 + i * 100)]));
const NAMES: Names = {
  relation: (schema, name) => {
    const found = schema === null || schema === 'public' ? TABLES.get(name) : undefined;
    return found === undefined ? null : { kind: 'table', table: found };
  },
  hasSchema: (name) => name === 'public' || name === 'pg_catalog',
  userType: () => null,
  typeByOid: () => undefined,
  at: () => NAMES,
  defaultText: () => null,
  parseExpression: parseExpressionText,
};

function columnsOf(sql: string): string {
  try {
    const [statement] = parse(sql);
    const binder = new Binder(NAMES, LIBRARY, TEST_ENVIRONMENT, { types: [], fixed: false });
    const plan =
      statement.type === 'insert' || statement.type === 'update' || statement.type === 'delete'
        ? bindWrite(binder, statement, null)
        : bindQuery(binder, statement as Parameters<typeof bindQuery>[1], null, {}).plan;
    // Found when a plan is opened.
    if (plan.op === 'insert' && plan.conflict !== null) arbiterOf(plan.conflict);
    return plan.columns.map(({ name, type }) => `${name} ${type.title}`).join(', ');
  } catch (error) {
    if (error instanceof SvcError) return error.code === '0A000' ? `0A000 ${error.message}` : error.code;
    throw error;
  }
}

let pg: PGlite;
const titles = new Map<number, string>();
beforeAll(async () => {
  pg = await newPostgres();
  for (const [name, columns] of Object.entries(SCHEMA)) {
    const list = Object.entries(columns).map(
      ([column, type], i) => `${column} ${type.startsWith('_') ? `${type.slice(1)}[]` : type}${i === 0 ? ' PRIMARY KEY' : ''}`,
    );
    await pg.exec(`CREATE TABLE ${name} (${list.join(', ')})`);
  }
  const { rows } = await pg.query<{ oid: number; title: string }>('SELECT oid::int4, format_type(oid, -1) AS title FROM pg_type');
  for (const { oid, title } of rows) titles.set(oid, title);
}, 60_000);
afterAll(() => pg.close());

async function expected(sql: string): Promise<string> {
  try {
    const { fields } = await pg.query(sql);
    return fields.map(({ name, dataTypeID }) => `${name} ${titles.get(dataTypeID)}`).join(', ');
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const QUERIES = `
SELECT 1
SELECT 1, 2.5, 'x', null, true, 10000000000, 1e10
SELECT 1 + 1, 1 + 2.5, 2::int8 * 3, 1::int2 + 1::int2, 5 / 2, 5 / 2.0, 7 % 3, 2 ^ 3
SELECT a, b AS bee, t.c, e::int4, d::text, b || 'x', a || b FROM t
SELECT * FROM t
SELECT t.* FROM t, u WHERE t.a = u.a
SELECT a FROM t, u
SELECT nope FROM t
SELECT t.nope FROM t
SELECT nope.a FROM t
SELECT * FROM nope
SELECT count(*), sum(a), sum(f), avg(a), avg(e), min(b), max(d), sum(c), sum(e) FROM t
SELECT b, count(*) FROM t GROUP BY b
SELECT b, a FROM t GROUP BY b
SELECT a, b, c FROM t GROUP BY a
SELECT a + 1, count(*) FROM t GROUP BY a + 1
SELECT a + 2, count(*) FROM t GROUP BY a + 1
SELECT b FROM t GROUP BY 1 HAVING count(*) > 1
SELECT b AS k FROM t GROUP BY k ORDER BY k
SELECT sum(count(*)) FROM t
SELECT a FROM t WHERE count(*) > 1
SELECT a FROM t WHERE b
SELECT a FROM t WHERE b = 1
SELECT a FROM t WHERE b = '1' AND a = '1'
SELECT a FROM t WHERE a = 'x'
SELECT upper(b), length(b), substr(b, 1, 2), coalesce(b, 'x'), nullif(a, 1), greatest(a, 2.5) FROM t
SELECT lower(1)
SELECT nofunction(1)
SELECT CASE WHEN a > 1 THEN 1 ELSE 2.5 END, CASE a WHEN 1 THEN 'one' END FROM t
SELECT CASE WHEN a > 1 THEN 'x' ELSE 2 END FROM t
SELECT a IN (1, 2, 3), b IN ('x', 'y'), a NOT IN (1, 2.5), (a, b) IN ((1, 'x')) FROM t
SELECT a BETWEEN 1 AND 2, b LIKE 'x%', b ILIKE 'x', b SIMILAR TO 'x', a IS NULL, g IS TRUE, a IS DISTINCT FROM 1 FROM t
SELECT EXISTS (SELECT 1), (SELECT max(a) FROM t), ARRAY(SELECT a FROM t), a = ANY (SELECT a FROM u) FROM t
SELECT (SELECT a, b FROM t)
SELECT ARRAY[1, 2], ARRAY[1, 2.5], ARRAY['a'], ARRAY[[1,2],[3,4]], (ARRAY[1,2])[1], ARRAY[1,2] || 3
SELECT ARRAY[]
SELECT ARRAY[]::int[]
SELECT x.y FROM (SELECT 1 AS y) x
SELECT * FROM (VALUES (1, 'a'), (2, null)) v (n, s)
VALUES (1, 'x'), (2.5, 'y')
SELECT * FROM t JOIN u USING (a)
SELECT * FROM t NATURAL JOIN u
SELECT a FROM t JOIN u USING (a)
SELECT * FROM t LEFT JOIN u ON t.a = u.a AND u.x = t.b
SELECT * FROM t FULL JOIN u USING (a)
SELECT t.a, s.m FROM t, LATERAL (SELECT max(a) AS m FROM u WHERE u.x = t.b) s
SELECT t.a, s.m FROM t, (SELECT max(a) AS m FROM u WHERE u.x = t.b) s
SELECT a FROM t UNION SELECT f FROM t
SELECT a FROM t UNION ALL SELECT b FROM t
SELECT 1 UNION SELECT null
SELECT null UNION SELECT null
SELECT a FROM t UNION SELECT a, b FROM t
SELECT a FROM t ORDER BY b
SELECT DISTINCT a FROM t ORDER BY b
SELECT DISTINCT ON (b) a, b FROM t ORDER BY b, a
SELECT a FROM t ORDER BY 2
SELECT a AS z FROM t ORDER BY z
SELECT a FROM t LIMIT 1 OFFSET 'x'
SELECT a FROM t LIMIT a
WITH w AS (SELECT a FROM t) SELECT * FROM w
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1.5 FROM r) SELECT * FROM r
SELECT row_number() OVER (), rank() OVER (ORDER BY a), sum(a) OVER (PARTITION BY b ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), lag(b) OVER w FROM t WINDOW w AS (ORDER BY a)
SELECT rank() FROM t
SELECT a FROM t WHERE row_number() OVER () = 1
SELECT generate_series(1, 3), a FROM t
SELECT * FROM generate_series(1, 3) AS g(n)
SELECT g FROM generate_series(1, 3) g
SELECT * FROM generate_series(1, 3) WITH ORDINALITY
SELECT now(), current_date, current_timestamp, localtime, d + 1, d - d, h - h, h + '1 day', h::date, extract(year FROM d), date_trunc('day', h) FROM t
SELECT '2020-01-01'::date, date '2020-01-01', interval '1 day', '1'::int
SELECT 'x'::int
SELECT 1::date
SELECT true + 1
SELECT -a, +a, @ a, ~ a, |/ e FROM t
SELECT j->'x', j->>'x', j#>'{a,b}', j ? 'x', j @> '{}' FROM u
SELECT n + 1, n * n, n / 2::int8, v || x, v = x, v = 'x' FROM u
SELECT string_agg(b, ','), array_agg(a), bool_and(g), count(DISTINCT b), sum(a) FILTER (WHERE g) FROM t
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a), mode() WITHIN GROUP (ORDER BY b) FROM t
SELECT a, grouping(a) FROM t GROUP BY ROLLUP (a)
SELECT a, b, count(*) FROM t GROUP BY GROUPING SETS ((a), (b), ())
SELECT a, b, c FROM t GROUP BY CUBE (a, b), c
SELECT (t).a, (t.*) IS NULL FROM t
SELECT ROW(1, 'x'), (1, 2) = (1, 2), (1, 2) < (1, 3)
SELECT r[1], r[1:2], array_length(r, 1), unnest(r) FROM u
SELECT max(a) FROM t ORDER BY max(b)
SELECT concat(1, 'x', true), format('%s', 1), concat_ws(',', 1, 2)
SELECT text 'x', int4 '1', float8 '1.5'
SELECT int4(2.5), text(1), date('2020-01-01')
SELECT round(2.5), round(2.567, 2), round(e), floor(c), abs(-1), power(2, 3), sqrt(4), mod(7, 3) FROM t
SELECT 1 WHERE 1 = '1'
SELECT '1' = '1', '1' || '2', 'a' < 'b'
INSERT INTO t (a, b) VALUES (1, 'x') RETURNING a, b AS c, *
INSERT INTO t VALUES (1, 2, 3, 'x')
INSERT INTO t (a) VALUES (1, 2)
INSERT INTO t (a, b) VALUES (1)
INSERT INTO t (nope) VALUES (1)
INSERT INTO t (a, a) VALUES (1, 2)
INSERT INTO t (a, b) SELECT n, x FROM u
INSERT INTO t (a) SELECT x FROM u
INSERT INTO t (a) VALUES ('x')
INSERT INTO t (a, b) VALUES (100, 'x') ON CONFLICT (a) DO UPDATE SET b = excluded.b RETURNING b
INSERT INTO t (a, b) VALUES (100, 'x') ON CONFLICT (b) DO NOTHING
UPDATE t SET b = 'x' WHERE a = 1 RETURNING *
UPDATE t SET b = u.x FROM u WHERE u.a = t.a
UPDATE t SET a = 'x'
UPDATE t SET nope = 1
UPDATE t SET (b, c) = (SELECT x, n FROM u WHERE u.a = t.a)
UPDATE t SET b = 1, b = 2
DELETE FROM t USING u WHERE t.a = u.a RETURNING u.x
DELETE FROM t WHERE nope = 1
SELECT a FROM t WHERE a = ANY('{1,2}') OR b = ANY(ARRAY['x'])
SELECT a FROM t a, t b
SELECT t.a FROM t, t
SELECT position('a' IN b), substring(b FROM 2 FOR 1), trim(both 'x' FROM b), overlay(b PLACING 'x' FROM 1), b COLLATE "C" FROM t
SELECT timestamptz '2020-01-01 00:00+00' AT TIME ZONE 'UTC'
SELECT sum(b) FROM t
SELECT max(j) FROM u
SELECT DISTINCT j::json FROM u
SELECT to_char(c, '999'), to_char(h, 'YYYY'), to_number('1', '9') FROM t
SELECT (a + c) * e, a::numeric / f, f / a, sum(f) / count(*) FROM t GROUP BY a, c, e, f
`
  .trim()
  .split('\n');

describe('columns and errors', () => {
  test.each(QUERIES)('%s', async (sql) => {
    expect(columnsOf(sql)).toBe(await expected(sql));
  });
});
