/** Where bodies of functions in SQL stand in place of their calls, read off plans; and that nothing else changes by it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../../../src/session/principal.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TABLE item (id int PRIMARY KEY, kind int, name text);
    INSERT INTO item SELECT g, g % 50, 'name ' || g FROM generate_series(1, 5000) g;
    CREATE FUNCTION inc(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1';
    CREATE FUNCTION atomic(a int) RETURNS int LANGUAGE sql RETURN a + 1;
    CREATE FUNCTION nested(a int) RETURNS int LANGUAGE sql AS 'SELECT inc(inc($1))';
    CREATE FUNCTION twice(a int) RETURNS int LANGUAGE sql AS 'SELECT a + a';
    CREATE FUNCTION drawn() RETURNS int LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN 1; END';
    CREATE FUNCTION strict_sum(a int, b int) RETURNS int LANGUAGE sql STRICT AS 'SELECT a + b';
    CREATE FUNCTION strict_first(a int, b int) RETURNS int LANGUAGE sql STRICT AS 'SELECT a';
    CREATE FUNCTION strict_either(a int, b int) RETURNS int LANGUAGE sql STRICT AS 'SELECT coalesce(a, b)';
    CREATE FUNCTION as_owner(a int) RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT a + 1';
    CREATE FUNCTION with_setting(a int) RETURNS int LANGUAGE sql SET work_mem = '5MB' AS 'SELECT a + 1';
    CREATE FUNCTION too_fixed(a int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + length(current_user)';
    CREATE FUNCTION too_steady(a int) RETURNS int LANGUAGE sql STABLE AS 'SELECT a + drawn()';
    CREATE FUNCTION of_rows(a int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM item WHERE id < a';
    CREATE FUNCTION with_query(a int) RETURNS int LANGUAGE sql AS 'SELECT a + (SELECT max(kind) FROM item)';
    CREATE FUNCTION two(a int) RETURNS int LANGUAGE sql AS 'SELECT 1; SELECT a';
    CREATE FUNCTION self(a int) RETURNS int LANGUAGE sql AS 'SELECT a';
    CREATE OR REPLACE FUNCTION self(a int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN a < 1 THEN 0 ELSE self(a - 1) + 1 END';
    CREATE FUNCTION bucket(a int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN a % 7 = 0 THEN 'x' || a ELSE coalesce(nullif('y' || a, ''), '') END $$;
    CREATE INDEX item_bucket ON item (bucket(id));
    CREATE FUNCTION below(k int) RETURNS SETOF item LANGUAGE sql STABLE AS 'SELECT * FROM item WHERE id < k';
    CREATE FUNCTION named(k int) RETURNS TABLE (number bigint, title text) LANGUAGE sql STABLE AS 'SELECT id, name FROM item WHERE id = k';
    CREATE FUNCTION below_volatile(k int) RETURNS SETOF item LANGUAGE sql AS 'SELECT * FROM item WHERE id < k';
    CREATE FUNCTION below_strict(k int) RETURNS SETOF item LANGUAGE sql STABLE STRICT AS 'SELECT * FROM item WHERE id < k';
    CREATE FUNCTION below_as_owner(k int) RETURNS SETOF item LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT * FROM item WHERE id < k';
    CREATE FUNCTION below_setting(k int) RETURNS SETOF item LANGUAGE sql STABLE SET work_mem = '5MB' AS 'SELECT * FROM item WHERE id < k';
    CREATE FUNCTION whole_rows(k int) RETURNS SETOF item LANGUAGE sql STABLE AS 'SELECT item FROM item WHERE id < k';
    CREATE FUNCTION below_locked(k int) RETURNS SETOF item LANGUAGE sql STABLE AS 'SELECT * FROM item WHERE id < k FOR UPDATE';
    CREATE VIEW shown AS SELECT inc(id) AS next, kind FROM below(100);
  `);
});
afterAll(() => t.close());

async function plan(sql: string): Promise<string> {
  return (await t.lines(`EXPLAIN VERBOSE ${sql}`)).join('\n');
}

describe('a call of a value', () => {
  test.each([
    ['inc(id)', 'inc'],
    ['atomic(id)', 'atomic'],
    ['nested(id)', 'inc'],
    ['twice(id + 1)', 'twice'],
    ['twice(length(repeat(upper(lower(upper(lower(upper(lower(upper(lower(name)))))))), 2)))', 'twice'],
    ['inc((SELECT max(kind) FROM item))', 'inc'],
    ['strict_sum(id, kind)', 'strict_sum'],
    ['inc(drawn())', 'inc'],
  ])('%s gives way', async (call, name) => {
    expect(await plan(`SELECT id FROM item WHERE ${call} = 5`)).not.toMatch(new RegExp(`\\b${name}\\(`));
  });

  test.each([
    ['twice(drawn())', 'twice'],
    ['twice((SELECT max(kind) FROM item))', 'twice'],
    ['strict_first(id, kind)', 'strict_first'],
    ['strict_either(id, kind)', 'strict_either'],
    ['as_owner(id)', 'as_owner'],
    ['with_setting(id)', 'with_setting'],
    ['too_fixed(id)', 'too_fixed'],
    ['too_steady(id)', 'too_steady'],
    ['of_rows(id)', 'of_rows'],
    ['with_query(id)', 'with_query'],
    ['two(id)', 'two'],
    ['self(id)', 'self'],
  ])('%s stays', async (call, name) => {
    expect(await plan(`SELECT id FROM item WHERE ${call} = 5`)).toMatch(new RegExp(`\\b${name}\\(`));
  });

  test('an index over a function is found by it', async () => {
    expect(await plan("SELECT id FROM item WHERE bucket(id) = 'x21'")).toContain('item_bucket');
    expect(await t.lines("SELECT id FROM item WHERE bucket(id) = 'x21'")).toEqual(['21']);
  });

  test('calls that would expand too much are not inlined', async () => {
    await t.run("CREATE FUNCTION grow0(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1'");
    for (let i = 1; i <= 14; i++)
      await t.run(`CREATE FUNCTION grow${i}(a int) RETURNS int LANGUAGE sql AS 'SELECT (grow${i - 1}(a) % 1000) + (grow${i - 1}(a + 1) % 1000)'`);
    expect(await t.lines('SELECT grow3(1), grow14(1) > 0')).toEqual(['28 true']);
  });
});

describe('rows of a function', () => {
  test.each([
    ['below(100) b WHERE b.id = 7', ['Index Scan using item_pkey', 'Index Cond: (id = 7)']],
    ['named(7)', ['Index Scan using item_pkey']],
    ['item i, named(i.kind) n WHERE i.id = 7', ['item_pkey']],
    ['item i LEFT JOIN named(i.kind) n ON true WHERE i.id = 7', ['item_pkey']],
  ])('%s are those of its query', async (from, shown) => {
    const text = await plan(`SELECT * FROM ${from}`);
    expect(text).not.toContain('Function Scan');
    for (const each of shown) expect(text).toContain(each);
  });

  test.each([
    'below_volatile(100)',
    'below_strict(100)',
    'below_as_owner(100)',
    'below_setting(100)',
    'whole_rows(100)',
    'below_locked(100)',
    'below(100) WITH ORDINALITY',
    'below((SELECT 100))',
    'below(drawn())',
    'ROWS FROM (below(100), below(90))',
  ])('%s stay a call', async (from) => {
    expect(await plan(`SELECT * FROM ${from}`)).toContain('Function Scan');
  });

  test('as many as by calls', async () => {
    const [one, other] = ['below', 'below_volatile'].map(
      (name) => `SELECT count(*), sum(b.id), min(b.name) FROM item i, ${name}(i.kind) b WHERE i.id < 60 AND b.kind > 3`,
    );
    expect(await t.lines(one)).toEqual(await t.lines(other));
    expect(await t.lines('SELECT (SELECT count(*) FROM below(i.kind)) FROM item i WHERE id IN (3, 9)')).toEqual(['2', '8']);
  });
});

test('a view follows what its functions become', async () => {
  expect(await plan('SELECT next FROM shown WHERE kind = 3')).not.toMatch(/Function Scan|inc\(/);
  expect(await t.lines('SELECT next FROM shown WHERE kind = 3 ORDER BY 1')).toEqual(['4', '54']);
  const lines = await t.lines(
    "CREATE OR REPLACE FUNCTION inc(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1000'; SELECT next FROM shown WHERE kind = 3 ORDER BY 1",
  );
  expect(lines).toEqual(['1003', '1053']);
  await t.run("CREATE OR REPLACE FUNCTION inc(a int) RETURNS int LANGUAGE sql AS 'SELECT a + 1'");
  expect(await t.lines('SELECT next FROM shown WHERE kind = 3 ORDER BY 1')).toEqual(['4', '54']);
});

test('each world has its own function, also with shared plans', async () => {
  await t.run(
    "CREATE FUNCTION fixed(a int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + 1'; CREATE TABLE kept (a int CHECK (fixed(a) < 100), b int GENERATED ALWAYS AS (fixed(a)) STORED)",
  );
  await t.run('INSERT INTO kept VALUES (1); CREATE WORLD draft');
  await t.run("CREATE OR REPLACE FUNCTION fixed(a int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a + 50'", 'draft');
  for (let round = 0; round < 2; round++) {
    expect(await t.lines('SELECT fixed(id) FROM item WHERE id = 3')).toEqual(['4']);
    expect(await t.lines('SELECT fixed(id) FROM item WHERE id = 3', 'draft')).toEqual(['53']);
    expect(await t.lines('INSERT INTO kept VALUES (2) RETURNING b')).toEqual(['3']);
    expect(await t.lines('INSERT INTO kept VALUES (2) RETURNING b', 'draft')).toEqual(['52']);
  }
  await expect(t.run('INSERT INTO kept VALUES (60)', 'draft')).rejects.toMatchObject({ code: '23514' });
  await t.run('INSERT INTO kept VALUES (60)');
});

test('texts that differ in literals', async () => {
  const session = t.db.session({ branch: 'main', principal: OWNER });
  const asked = async (sql: string): Promise<unknown[][]> => (await session.run(sql)).at(-1)!.rows.map((row) => [...row]);
  for (let id = 1; id < 8; id++) {
    expect(await asked(`SELECT title, inc(${id}) FROM named(${id})`)).toEqual([[`name ${id}`, id + 1]]);
    expect(await asked(`SELECT twice(id + ${id}) FROM item WHERE id = ${id}`)).toEqual([[id * 4]]);
  }
  session.close();
});

test('a table that is altered, and a temporary one of its name', async () => {
  const session = t.db.session({ branch: 'main', principal: OWNER });
  const asked = async (sql: string): Promise<unknown[][]> => (await session.run(sql)).at(-1)!.rows.map((row) => [...row]);
  await session.run(
    "CREATE TABLE moving (a int); INSERT INTO moving VALUES (1); CREATE FUNCTION moved() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM moving'",
  );
  await session.run('PREPARE m AS SELECT * FROM moved()');
  expect(await asked('EXECUTE m')).toEqual([[1]]);
  await session.run('CREATE TEMP TABLE moving (a int); INSERT INTO moving VALUES (2)');
  expect(await asked('EXECUTE m')).toEqual([[2]]);
  await session.run('DROP TABLE pg_temp.moving; ALTER TABLE moving RENAME TO elsewhere');
  await expect(session.run('EXECUTE m')).rejects.toMatchObject({ code: '42P01' });
  await session.run('ALTER TABLE elsewhere RENAME TO moving');
  expect(await asked('EXECUTE m')).toEqual([[1]]);
  session.close();
});

test('a view does not depend on what a body reads', async () => {
  await t.run(`
    CREATE TABLE behind (a int); CREATE FUNCTION front() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM behind';
    CREATE VIEW before AS SELECT * FROM front(); CREATE FUNCTION further() RETURNS SETOF int LANGUAGE sql STABLE BEGIN ATOMIC SELECT * FROM front(); END;
    DROP TABLE behind`);
  await expect(t.run('DROP FUNCTION front()')).rejects.toMatchObject({ code: '2BP01' });
});

test('who does not see a column sees its mask in rows of a function, too', async () => {
  await t.run("CREATE TABLE hidden (id int PRIMARY KEY, name text); INSERT INTO hidden VALUES (1, 'secret')");
  await t.run(
    "CREATE FUNCTION unhidden() RETURNS SETOF hidden LANGUAGE sql STABLE AS 'SELECT * FROM hidden'; SECURITY LABEL FOR anon ON COLUMN hidden.name IS 'MASKED WITH VALUE ''veiled'''",
  );
  await t.db.create_agent({ name: 'reader', can: ['read'] });
  const session = t.db.session({ branch: 'main', principal: t.db.directory.byName('reader')! });
  for (const sql of ['SELECT name FROM unhidden()', "SELECT name FROM unhidden() WHERE name = 'veiled'"])
    expect((await session.run(sql)).at(-1)!.rows.map((row) => [...row])).toEqual([['veiled']]);
  expect((await session.run("SELECT name FROM unhidden() WHERE name = 'secret'")).at(-1)!.rows.length).toBe(0);
  session.close();
  expect(await t.lines('SELECT name FROM unhidden()')).toEqual(['secret']);
});

test.each(['below', 'below_volatile'])('what %s reads is noted as read', async (name) => {
  const session = t.db.session({ branch: 'main', principal: OWNER });
  await session.run(`BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT sum(kind) FROM ${name}(10); INSERT INTO item VALUES (100001, 1, 'x')`);
  await t.run('UPDATE item SET kind = kind + 1 WHERE id = 3');
  await expect(session.run('COMMIT')).rejects.toMatchObject({ code: '40001' });
  session.close();
});
