/** What hangs on a function, an operator or a type through its texts: named as Postgres names it, and gone with CASCADE. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

const details = async (sql: string): Promise<string[]> => ((await refused('2BP01', t.db.sql({ sql }))).detail ?? '').split('\n');

test('a function stays as long as a text calls it', async () => {
  await t.run(`
    CREATE FUNCTION f(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
    CREATE FUNCTION f(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';
    CREATE TABLE t (a int DEFAULT f(1), b int CHECK (f(b) > 0), c int GENERATED ALWAYS AS (f(a)) STORED, CONSTRAINT tc CHECK (f(a) + f(b) > 0));
    CREATE INDEX ti ON t (f(a)); CREATE INDEX tw ON t (a) WHERE f(b) > 1;
    CREATE DOMAIN dm AS int DEFAULT f(3) CHECK (f(VALUE) > 0);
    CREATE DOMAIN dn AS int CONSTRAINT alone CHECK (f(VALUE) > 0);
    CREATE VIEW v AS SELECT f(a) FROM t;
    CREATE VIEW v2 AS SELECT 1 AS x; ALTER VIEW v2 ALTER COLUMN x SET DEFAULT f(9);
    CREATE TABLE p (a int) PARTITION BY RANGE (f(a));
    CREATE POLICY po ON t USING (f(a) > 0);
    CREATE STATISTICS st ON (f(a)), b FROM t;
    CREATE FUNCTION tg() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW WHEN (f(NEW.a) > 0) EXECUTE FUNCTION tg();
    CREATE FUNCTION g(x int DEFAULT f(2)) RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE FUNCTION h() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT f(1); END;
    CREATE RULE ru AS ON INSERT TO t WHERE f(NEW.a) > 3 DO ALSO SELECT f(NEW.b);
    CREATE AGGREGATE ag(int) (SFUNC = int4pl, STYPE = int, FINALFUNC = f);
    CREATE TABLE u (x text DEFAULT f('x'), y int DEFAULT 3)`);
  const dependents = [
    'default value for column a of table t',
    'column c of table t',
    'constraint t_b_check on table t',
    'constraint tc on table t',
    'index ti',
    'index tw',
    'type dm',
    'constraint alone',
    'view v',
    'default value for column x of view v2',
    'table p',
    'policy po on table t',
    'statistics object st',
    'trigger tr on table t',
    'function g(integer)',
    'function h()',
    'rule ru on table t',
    'function ag(integer)',
  ];
  expect(await details('DROP FUNCTION f(int)')).toEqual(dependents.map((each) => `${each} depends on function f(integer)`));
  expect(await details('DROP FUNCTION f(text)')).toEqual(['default value for column x of table u depends on function f(text)']);
  await t.run('DROP FUNCTION f(int) CASCADE');
  expect(
    await t.lines("SELECT attname, atthasdef FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"),
  ).toEqual(['a false', 'b false']);
  expect(await t.lines("SELECT conname FROM pg_constraint WHERE conrelid = 't'::regclass OR contypid <> 0")).toEqual([]);
  expect(await t.lines("SELECT indexname FROM pg_indexes WHERE tablename = 't'")).toEqual([]);
  await t.run('INSERT INTO t VALUES (1, -1); INSERT INTO u DEFAULT VALUES');
  expect(await t.lines('SELECT typname FROM pg_type WHERE typname IN ($$dm$$, $$dn$$)')).toEqual(['dn']);
  expect(await t.lines('SELECT (-5)::dn')).toEqual(['-5']);
});

test('an operator stays as long as a text uses it, and its function as long as it does', async () => {
  await t.run(`
    CREATE FUNCTION eq(point, point) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true';
    CREATE OPERATOR === (LEFTARG = point, RIGHTARG = point, FUNCTION = eq);
    CREATE TABLE o (c point CHECK (c === '(0,0)'), d point);
    CREATE VIEW vo AS SELECT c === d AS x FROM o`);
  expect(await details('DROP OPERATOR === (point, point)')).toEqual([
    'constraint o_c_check on table o depends on operator ===(point,point)',
    'view vo depends on operator ===(point,point)',
  ]);
  expect(await details('DROP FUNCTION eq(point, point)')).toEqual([
    'operator ===(point,point) depends on function eq(point,point)',
    'constraint o_c_check on table o depends on operator ===(point,point)',
    'view vo depends on operator ===(point,point)',
  ]);
  await t.run("DROP FUNCTION eq(point, point) CASCADE; INSERT INTO o VALUES ('(1,1)')");
  expect(await t.lines("SELECT viewname FROM pg_views WHERE schemaname = 'public'")).toEqual([]);
});

test('a function behind a cast stays as long as a text is cast', async () => {
  await t.run(`
    CREATE TYPE ct AS (a int);
    CREATE FUNCTION ctf(ct) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
    CREATE CAST (ct AS int) WITH FUNCTION ctf(ct) AS IMPLICIT;
    CREATE TABLE cc (a ct, b int DEFAULT row(1)::ct, CHECK (a::int > 0))`);
  expect(await details('DROP FUNCTION ctf(ct)')).toEqual([
    'cast from ct to integer depends on function ctf(ct)',
    'default value for column b of table cc depends on function ctf(ct)',
    'constraint cc_a_check on table cc depends on function ctf(ct)',
  ]);
});

test('a type stays as long as a text casts to it, and leaves composite types without its attributes', async () => {
  await t.run(`
    CREATE TYPE mood AS ENUM ('a', 'b');
    CREATE TYPE comp AS (x int, m mood);
    CREATE TABLE tt (m mood, c comp, d mood DEFAULT 'a', e text DEFAULT 'a'::mood::text, f int CHECK (f::text::mood = 'a'));
    INSERT INTO tt VALUES ('b', ROW(7, 'a'));
    CREATE FUNCTION fm(mood) RETURNS mood LANGUAGE sql AS 'SELECT $1';
    CREATE TABLE w (x int);
    CREATE VIEW vm AS SELECT 'a'::mood AS m FROM w;
    CREATE VIEW vn AS SELECT 1 AS one WHERE 'a'::text::mood = 'b';
    CREATE DOMAIN dmm AS mood`);
  expect(await details('DROP TYPE mood')).toEqual(
    [
      'column m of composite type comp',
      'column d of table tt',
      'column m of table tt',
      'default value for column e of table tt',
      'constraint tt_f_check on table tt',
      'function fm(mood)',
      'view vm',
      'view vn',
      'type dmm',
    ].map((each) => `${each} depends on type mood`),
  );
  await t.run('DROP TYPE mood CASCADE');
  expect(await t.lines('SELECT c::text, (c).x, e FROM tt')).toEqual(['(7) 7 a']);
});

test('a range type stands on the function of its SUBTYPE_DIFF', async () => {
  await t.run(`
    CREATE FUNCTION apart(int, int) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT ($1 - $2)::float8';
    CREATE TYPE span AS RANGE (subtype = int, subtype_diff = apart);
    CREATE TABLE t (s span)`);
  expect(await details('DROP FUNCTION apart(int, int)')).toEqual([
    'type span depends on function apart(integer,integer)',
    'column s of table t depends on type span',
  ]);
  await t.run('DROP FUNCTION apart(int, int) CASCADE');
  expect(await t.lines("SELECT typname FROM pg_type WHERE typname = 'span'")).toEqual([]);
});
