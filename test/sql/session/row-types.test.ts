/**
 * Rows of tables, views and system relations as types of what stands in other definitions: a world that is read anew, at
 * another moment or by another process, knows them all, in whatever order they were made.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

async function reopened(): Promise<void> {
  await t.reopen({ withoutCache: true });
}

test('a function over the rows of a view', async () => {
  await t.run(`
    CREATE VIEW v AS SELECT 1 AS a, 'x'::text AS b;
    CREATE FUNCTION all_of_v() RETURNS SETOF v LANGUAGE sql AS 'SELECT * FROM v';
    CREATE FUNCTION one_of_v(r v, more v[]) RETURNS int LANGUAGE sql AS 'SELECT r.a + cardinality(more)';
    CREATE VIEW over AS SELECT one_of_v(v, ARRAY[v, v]), v AS whole FROM v;
  `);
  for (const again of [async () => {}, reopened]) {
    await again();
    expect(await t.lines('SELECT * FROM all_of_v()')).toEqual(['1 x']);
    expect(await t.lines('SELECT one_of_v, (whole).b FROM over')).toEqual(['3 x']);
  }
});

test('a view over the rows of another that is made later', async () => {
  await t.run(`
    CREATE VIEW first AS SELECT 1 AS a;
    CREATE TABLE t (id int PRIMARY KEY, r first);
    INSERT INTO t VALUES (1, ROW(5));
    CREATE VIEW second AS SELECT r, ROW(7)::first AS made FROM t;
    CREATE TYPE pair AS (x first, y t);
    CREATE FUNCTION of_both(b pair) RETURNS int LANGUAGE sql AS 'SELECT (b.x).a + ((b.y).r).a';
    DROP VIEW IF EXISTS nothing;
    CREATE OR REPLACE VIEW second AS SELECT r, ROW(8)::first AS made FROM t;
  `);
  for (const again of [async () => {}, reopened]) {
    await again();
    expect(await t.lines('SELECT (r).a, (made).a AS b FROM second')).toEqual(['5 8']);
    expect(await t.lines('SELECT of_both(ROW(made, t)::pair) FROM t, second')).toEqual(['13']);
  }
});

test('columns that are added and renamed are those of functions, views and types over the rows', async () => {
  await t.run(`
    CREATE TABLE t (a int PRIMARY KEY);
    INSERT INTO t VALUES (1);
    CREATE FUNCTION all_of_t() RETURNS SETOF t LANGUAGE sql AS 'SELECT * FROM t';
    CREATE FUNCTION same(x t) RETURNS t LANGUAGE plpgsql AS 'BEGIN RETURN x; END';
    CREATE TYPE holds AS (x t);
    CREATE VIEW v AS SELECT t AS whole FROM t;
    CREATE WORLD before;
  `);
  await t.run('ALTER TABLE t ADD b int DEFAULT 7; ALTER TABLE t RENAME a TO c');
  for (const again of [async () => {}, reopened]) {
    await again();
    expect(await t.lines('SELECT c, b FROM all_of_t()')).toEqual(['1 7']);
    expect(await t.lines('SELECT (same(t)).c, ((ROW(t)::holds).x).b, (whole).c + 10 AS c10 FROM t, v')).toEqual(['1 7 11']);
    expect(await t.lines('SELECT (same(t)).a, (whole).a + 10 AS a10 FROM t, v', 'before')).toEqual(['1 11']);
  }
});

test('rows of system relations', async () => {
  await t.run(`
    CREATE FUNCTION one_role() RETURNS SETOF pg_roles LANGUAGE sql AS 'SELECT * FROM pg_roles WHERE rolname = ''pg_monitor''';
    CREATE FUNCTION kind_of(c pg_class) RETURNS "char" LANGUAGE sql AS 'SELECT c.relkind';
    CREATE TABLE keeps (id int PRIMARY KEY, c pg_namespace);
    INSERT INTO keeps SELECT 1, n FROM pg_namespace n WHERE nspname = 'pg_catalog';
  `);
  for (const again of [async () => {}, reopened]) {
    await again();
    expect(await t.lines('SELECT rolname FROM one_role()')).toEqual(['pg_monitor']);
    expect(await t.lines("SELECT kind_of(c) FROM pg_class c WHERE relname = 'keeps'")).toEqual(['r']);
    expect(await t.lines('SELECT (c).nspname FROM keeps')).toEqual(['pg_catalog']);
  }
});
