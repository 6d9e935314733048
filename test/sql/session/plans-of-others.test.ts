/** Plans are shared by sessions and worlds; what a session or a world has of its own is not. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OWNER, type Principal } from '../../../src/session/principal.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { TestDatabase } from './open-database.ts';
import { AGENT } from './test-agent.ts';

let t: TestDatabase;
const sessions: SqlSession[] = [];
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.close();
  await t.close();
});

function session(branch = 'main', principal: Principal = OWNER): SqlSession {
  const made = t.db.session({ branch, principal });
  sessions.push(made);
  return made;
}

/** The rows, as texts. */
async function asked(one: SqlSession, sql: string): Promise<string[]> {
  const { columns, rows } = (await one.run(sql)).at(-1)!;
  return rows.map((row) => row.map((value, i) => (value === null ? 'null' : columns![i].type.format(value, one.env))).join(' '));
}

test.each([
  ['prepared statements', 'PREPARE own AS SELECT 1', 'SELECT name FROM pg_prepared_statements', ['own'], []],
  ['settings', "SET work_mem = '7MB'", "SELECT setting FROM pg_settings WHERE name = 'work_mem'", ['7168'], ['4096']],
  ['cursors', 'BEGIN; DECLARE own CURSOR FOR SELECT 1', 'SELECT name FROM pg_cursors', ['own'], []],
])('%s', async (_what, make, query, first, second) => {
  const [a, b] = [session(), session()];
  await a.run(make);
  for (let round = 0; round < 2; round++) {
    expect(await asked(a, query)).toEqual(first);
    expect(await asked(b, query)).toEqual(second);
  }
});

test('joined relations, in functions and views too', async () => {
  await t.run(`
    CREATE VIEW mine AS SELECT s.name FROM pg_prepared_statements s JOIN pg_settings g ON g.name = 'work_mem' AND g.setting = '7168';
    CREATE FUNCTION own_names() RETURNS SETOF text LANGUAGE plpgsql AS 'BEGIN RETURN QUERY SELECT name FROM pg_prepared_statements; END'`);
  const [a, b] = [session(), session()];
  await a.run("PREPARE one AS SELECT 1; SET work_mem = '7MB'");
  await b.run('PREPARE two AS SELECT 1');
  for (let round = 0; round < 2; round++) {
    expect([await asked(a, 'SELECT * FROM mine'), await asked(b, 'SELECT * FROM mine')]).toEqual([['one'], []]);
    expect([await asked(a, 'SELECT own_names()'), await asked(b, 'SELECT own_names()')]).toEqual([['one'], ['two']]);
  }
});

test('a sequence is read in the world, and in the transaction, that asks', async () => {
  await t.run("CREATE SEQUENCE s; SELECT nextval('s'); CREATE WORLD draft");
  await t.run("SELECT setval('s', 40)", 'draft');
  const [main, draft, other] = [session(), session('draft'), session()];
  const query = 'SELECT last_value FROM s';
  await main.run('BEGIN; ALTER SEQUENCE s RESTART 7');
  for (let round = 0; round < 2; round++) {
    expect(await asked(main, query)).toEqual(['7']);
    expect(await asked(draft, query)).toEqual(['40']);
    expect(await asked(other, query)).toEqual(['1']);
  }
});

test('how many rows there are now, in the world that asks', async () => {
  await t.run('CREATE TABLE counted (a int PRIMARY KEY); INSERT INTO counted SELECT generate_series(1, 250); CREATE WORLD draft');
  const queries = [
    "SELECT reltuples, relpages FROM pg_class WHERE relname = 'counted'",
    "SELECT reltuples, relpages FROM pg_class WHERE oid = 'counted'::regclass",
  ];
  const [main, draft] = [session(), session('draft')];
  for (const query of queries) expect([await asked(main, query), await asked(draft, query)]).toEqual([['250 3'], ['250 3']]);
  await t.run('DELETE FROM counted WHERE a > 40', 'draft');
  await main.run('BEGIN; INSERT INTO counted VALUES (0)');
  for (const query of queries)
    expect([await asked(main, query), await asked(draft, query), await asked(session(), query)]).toEqual([['251 3'], ['40 1'], ['250 3']]);
  expect(
    await asked(main, "SELECT sum(reltuples) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public' AND relkind = 'r'"),
  ).toEqual(['251']);
});

test('names of the database and of the caller', async () => {
  await t.run('CREATE TABLE t (a int); CREATE WORLD draft');
  const query = "SELECT table_catalog FROM information_schema.tables WHERE table_name = 't'";
  const [main, draft] = [session(), session('draft')];
  for (let round = 0; round < 2; round++) expect([await asked(main, query), await asked(draft, query)]).toEqual([['main'], ['draft']]);
});

test('an agent reads his own', async () => {
  const [owner, agent] = [session(), session('main', AGENT)];
  await owner.run("PREPARE secret AS SELECT 'moon'");
  const query = 'SELECT statement FROM pg_prepared_statements';
  expect((await asked(owner, query)).length).toBe(1);
  expect(await asked(agent, query)).toEqual([]);
});

test('AS OF reads the catalogs of the state that it names', async () => {
  await t.run('CREATE TABLE one (a int); CREATE WORLD draft');
  await t.run('CREATE TABLE two (a int)', 'draft');
  const query = "SELECT count(*) FROM information_schema.tables AS OF WORLD 'draft' WHERE table_schema = 'public'";
  const [a, b] = [session(), session()];
  for (const each of [a, b, a]) expect(await asked(each, query)).toEqual(['2']);
});

test.each([
  ['xmloption', 'document', 'content', "SELECT xml '<a/>b'", '2200M', ['<a/>b']],
  ['plpgsql.variable_conflict', 'use_variable', 'use_column', 'SELECT conflicting()', ['5'], ['1']],
  ['timezone', 'UTC', 'Asia/Tokyo', "SELECT '2024-01-01 00:00+00'::timestamptz::text", ['2024-01-01 00:00:00+00'], ['2024-01-01 09:00:00+09']],
  ['datestyle', 'ISO, MDY', 'ISO, DMY', "SELECT '01/02/2024'::date::text", ['2024-01-02'], ['2024-02-01']],
  ['search_path', 'one', 'two', 'SELECT a FROM t', ['1'], ['2']],
  ['search_path', 'one', 'two', "SELECT 't'::regclass = 'one.t'::regclass", ['t'], ['f']],
  ['default_text_search_config', 'english', 'simple', "SELECT to_tsvector('running')::text", ["'run':1"], ["'running':1"]],
  ['app.person', 'ann', 'bob', 'SELECT count(*) FROM hers', ['1'], ['2']],
])('with another %s: %s and %s', async (name, first, second, query, ofFirst, ofSecond) => {
  await t.run(`
    CREATE SCHEMA one; CREATE SCHEMA two; CREATE TABLE one.t (a int); CREATE TABLE two.t (a int); INSERT INTO one.t VALUES (1); INSERT INTO two.t VALUES (2);
    CREATE TABLE known (u text); INSERT INTO known VALUES ('ann'), ('bob'), ('bob'); CREATE VIEW hers AS SELECT * FROM known WHERE u = current_setting('app.person');
    CREATE FUNCTION conflicting() RETURNS int LANGUAGE plpgsql AS 'DECLARE a int := 5; BEGIN RETURN (SELECT max(a) FROM one.t); END'`);
  const [a, b] = [session(), session()];
  await a.run(`SET ${name} = ${name === 'datestyle' ? first : `'${first}'`}`);
  await b.run(`SET ${name} = ${name === 'datestyle' ? second : `'${second}'`}`);
  const answer = (one: SqlSession): Promise<unknown> => asked(one, query).catch((error: unknown) => (error as { code: string }).code);
  for (const [one, expected] of [
    [b, ofSecond],
    [a, ofFirst],
    [b, ofSecond],
  ] as const) {
    expect(await answer(one)).toEqual(expected);
  }
});
