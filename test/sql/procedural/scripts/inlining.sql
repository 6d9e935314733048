-- Functions in SQL whose bodies stand in place of calls, and those whose calls stay.
CREATE TABLE n (a int primary key, b text, c numeric(6,2))

INSERT INTO n SELECT g, 'b' || g, g / 3.0 FROM generate_series(1, 20) g

CREATE SEQUENCE sq

-- volatile argument used twice, once, never
CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + $1'

CREATE FUNCTION once(int) RETURNS int LANGUAGE sql AS 'SELECT $1 * 10'

CREATE FUNCTION never(int) RETURNS int LANGUAGE sql AS 'SELECT 7'

CREATE FUNCTION snever(int) RETURNS int LANGUAGE sql STRICT AS 'SELECT 7'

SELECT twice(nextval('sq')::int), once(nextval('sq')::int), never(nextval('sq')::int), nextval('sq')

SELECT snever(NULL), snever(1)

-- strict
CREATE FUNCTION sc(int, int) RETURNS int LANGUAGE sql STRICT AS 'SELECT coalesce($1, 0) + coalesce($2, 0)'

CREATE FUNCTION sp(int, int) RETURNS int LANGUAGE sql STRICT AS 'SELECT $1 + $2'

SELECT sc(1, NULL), sc(1, 2), sp(1, NULL), sp(1, 2), sp(a, NULL) FROM n WHERE a < 3

-- errors
CREATE FUNCTION dv(int, int) RETURNS int LANGUAGE sql AS 'SELECT $1 / $2'

SELECT dv(a, 0) FROM n

SELECT dv(a, a - 3) FROM n

SELECT CASE WHEN a > 100 THEN dv(a, a - a) ELSE 0 END FROM n WHERE a < 3

-- recursion
CREATE FUNCTION fact(int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN $1 <= 1 THEN 1 ELSE 1 END'

CREATE OR REPLACE FUNCTION fact(int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN $1 <= 1 THEN 1 ELSE $1 * fact($1 - 1) END'

SELECT fact(10), sum(fact(a)) FROM n WHERE a < 6

CREATE FUNCTION down(k int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT k'

SELECT * FROM down(3)

-- redefinition
CREATE FUNCTION rd(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 1'

PREPARE q AS SELECT rd($1)

PREPARE r AS SELECT rd(a) FROM n WHERE a = $1

EXECUTE q(1)

EXECUTE q(1)

EXECUTE r(2)

CREATE OR REPLACE FUNCTION rd(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 100'

EXECUTE q(1)

EXECUTE r(2)

DROP FUNCTION rd(int)

EXECUTE q(1)

-- search_path
CREATE SCHEMA s1

CREATE SCHEMA s2

CREATE FUNCTION s1.w() RETURNS text LANGUAGE sql AS 'SELECT ''s1''::text'

CREATE FUNCTION s2.w() RETURNS text LANGUAGE sql AS 'SELECT ''s2''::text'

SET search_path = s1, public

CREATE FUNCTION public.who() RETURNS text LANGUAGE sql AS 'SELECT w()'

SET search_path = s2, public

CREATE VIEW public.vw AS SELECT who() x

SET search_path = s1, public

SELECT * FROM vw

RESET search_path

SELECT who()

-- temp tables hide
CREATE TABLE tt (x text)

INSERT INTO tt VALUES ('permanent')

CREATE FUNCTION rt() RETURNS SETOF text LANGUAGE sql STABLE AS 'SELECT x FROM tt'

SELECT * FROM rt()

CREATE TEMP TABLE tt (x text)

INSERT INTO tt VALUES ('temporary')

SELECT * FROM rt()

DROP TABLE pg_temp.tt

SELECT * FROM rt()

-- rows
CREATE FUNCTION rows1() RETURNS TABLE (p int, q text) LANGUAGE sql STABLE AS 'SELECT a, b FROM n ORDER BY a DESC LIMIT 3'

SELECT * FROM rows1()

SELECT q, p FROM rows1() WHERE p = 19

SELECT * FROM rows1() WITH ORDINALITY

SELECT rows1()

SELECT r FROM rows1() r

SELECT r.* , r FROM rows1() AS r(x, y)

CREATE FUNCTION rows2(lim int) RETURNS SETOF n LANGUAGE sql STABLE AS 'SELECT * FROM n WHERE a < lim'

SELECT * FROM rows2(3)

SELECT x FROM rows2(3) x

SELECT (rows2(3)).b

CREATE FUNCTION rows3() RETURNS SETOF n LANGUAGE sql STABLE AS 'SELECT n FROM n WHERE a < 3'

SELECT * FROM rows3()

CREATE FUNCTION rows4() RETURNS SETOF bigint LANGUAGE sql STABLE AS 'SELECT a FROM n WHERE a < 3'

SELECT pg_typeof(x), x FROM rows4() x

CREATE FUNCTION rows5() RETURNS SETOF record LANGUAGE sql STABLE AS 'SELECT a, b FROM n WHERE a < 3'

SELECT * FROM rows5() AS (x int, y text)

SELECT * FROM rows5() AS (x bigint, y text)

CREATE FUNCTION rows6(OUT o1 int, OUT o2 text) RETURNS SETOF record LANGUAGE sql STABLE AS 'SELECT a, b FROM n WHERE a < 3'

SELECT * FROM rows6()

CREATE FUNCTION rows7(int) RETURNS SETOF int LANGUAGE sql STABLE STRICT AS 'SELECT coalesce($1, 9)'

SELECT * FROM rows7(NULL)

SELECT * FROM rows7(1)

CREATE FUNCTION rows8(int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT coalesce($1, 9)'

SELECT * FROM rows8(NULL)

CREATE FUNCTION rows9(int) RETURNS SETOF int LANGUAGE sql STABLE AS 'WITH w AS (SELECT a FROM n WHERE a <= $1) SELECT a FROM w UNION ALL SELECT (SELECT count(*)::int FROM w) ORDER BY 1'

SELECT * FROM rows9(2)

SELECT n.a, x FROM n, rows9(n.a) x WHERE n.a < 3 ORDER BY 1, 2

SELECT * FROM rows9(1) a, rows9(2) b

SELECT n.a, x FROM n LEFT JOIN LATERAL rows9(n.a) x ON x > 1 WHERE n.a < 3 ORDER BY 1, 2

SELECT (SELECT sum(x) FROM rows9(n.a) x) FROM n WHERE a < 4

SELECT a FROM n WHERE EXISTS (SELECT FROM rows2(n.a) r WHERE r.a = 2) ORDER BY 1 LIMIT 3

-- window frame offset
CREATE FUNCTION wf(k int) RETURNS TABLE (x int, s bigint) LANGUAGE sql STABLE AS 'SELECT a, sum(a) OVER (ORDER BY a ROWS BETWEEN k PRECEDING AND CURRENT ROW) FROM n WHERE a < 5'

SELECT * FROM wf(1)

-- polymorphic, variadic, defaults, named
CREATE FUNCTION pm(anyelement, anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT CASE WHEN $1 < $2 THEN $1 ELSE $2 END'

SELECT pm(1, 2), pm('b'::text, 'a'), pm(1.5, 2)

CREATE FUNCTION va(VARIADIC int[]) RETURNS int LANGUAGE sql AS 'SELECT $1[1] + array_length($1, 1)'

SELECT va(5, 6, 7), va(VARIADIC ARRAY[1,2])

CREATE FUNCTION df(a int, b int DEFAULT 10, c int DEFAULT 100) RETURNS int LANGUAGE sql AS 'SELECT a + b * 2 + c * 3'

SELECT df(1), df(1, 2), df(1, c => 1), df(c => 3, a => 1)

CREATE FUNCTION bp(VARIADIC anyarray) RETURNS anyelement LANGUAGE sql AS 'SELECT $1[1]'

SELECT bp(1, 2), bp('x'::text)

-- definer, set
CREATE FUNCTION sd() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT current_user::text <> '''' '

CREATE FUNCTION st2() RETURNS text LANGUAGE sql SET work_mem = '5MB' AS 'SELECT current_setting(''work_mem'')'

SELECT st2(), current_setting('work_mem') = '5MB'

-- volatility pretence
CREATE FUNCTION pi1() RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT random()'

CREATE FUNCTION pi2() RETURNS timestamptz LANGUAGE sql IMMUTABLE AS 'SELECT now()'

SELECT count(DISTINCT pi1()) > 0 FROM n

SELECT pi2() = now()

-- composites
CREATE TYPE pt AS (x int, y int)

CREATE FUNCTION px(pt) RETURNS int LANGUAGE sql AS 'SELECT $1.x + ($1).y'

SELECT px(ROW(1, 2)::pt), px(NULL), px((3, 4))

SELECT n.a, nb(n) FROM n LIMIT 0

CREATE FUNCTION nb(n) RETURNS text LANGUAGE sql AS 'SELECT $1.b || $1.a'

SELECT nb(n), n.nb FROM n WHERE a = 3

CREATE FUNCTION mk(int) RETURNS pt LANGUAGE sql AS 'SELECT ROW($1, $1)::pt'

SELECT mk(3), (mk(4)).y

SELECT * FROM mk(5)

CREATE FUNCTION mk2(int) RETURNS pt LANGUAGE sql AS 'SELECT $1, $1 * 2'

SELECT mk2(3), (mk2(4)).y

SELECT * FROM mk2(5)

-- domains and typmods
CREATE DOMAIN pos AS int CHECK (VALUE > 0)

CREATE FUNCTION dm(pos) RETURNS pos LANGUAGE sql AS 'SELECT $1 - 1'

SELECT dm(2)

SELECT dm(1)

SELECT dm(0)

SELECT dm(a) FROM n WHERE a > 1 ORDER BY a LIMIT 2

CREATE FUNCTION tm(varchar) RETURNS varchar(2) LANGUAGE sql AS 'SELECT $1'

SELECT tm('abcdef'), pg_typeof(tm('x'))

CREATE FUNCTION nm(numeric) RETURNS numeric LANGUAGE sql AS 'SELECT $1::numeric(6,1)'

SELECT nm(c), nm(1.25) FROM n WHERE a < 4

CREATE FUNCTION ch(char) RETURNS text LANGUAGE sql AS 'SELECT ''['' || $1 || '']'''

SELECT ch('a'::char(5))

-- void
CREATE FUNCTION vo() RETURNS void LANGUAGE sql AS 'SELECT 1'

CREATE FUNCTION vp() RETURNS void LANGUAGE plpgsql AS 'BEGIN END'

CREATE FUNCTION vo2() RETURNS void LANGUAGE sql AS 'SELECT vp()'

SELECT vo(), vo2()

-- expensive arguments
SELECT twice(length(repeat(md5(md5(md5(md5(upper(lower(b || 'x') || 'y'))))), a)) + (a * a * a * a * a * a % 7)) FROM n WHERE a < 4

SELECT twice((SELECT max(a) FROM n)), once((SELECT max(a) FROM n)), once((SELECT n2.a FROM n n2 WHERE n2.a = n.a)) FROM n WHERE a < 3

-- group by, order by, having, distinct, window, returning
SELECT once(a % 3), count(*) FROM n GROUP BY once(a % 3) HAVING once(a % 3) > 0 ORDER BY once(a % 3) DESC

SELECT DISTINCT once(a % 2) FROM n ORDER BY 1

SELECT once(a), sum(once(a)) OVER (ORDER BY once(a)) FROM n WHERE once(a) BETWEEN 20 AND 40 ORDER BY once(a)

INSERT INTO n VALUES (once(100), 'z') RETURNING once(a), twice(a)

UPDATE n SET a = once(a) WHERE once(a) = 10000 RETURNING a

DELETE FROM n WHERE twice(a) = 20000 RETURNING once(a)

-- index expression and partial
CREATE FUNCTION ix(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 % 7'

CREATE INDEX ON n (ix(a))

SELECT a FROM n WHERE ix(a) = 3 ORDER BY a

CREATE FUNCTION ix2(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT coalesce(upper($1), ''?'')'

CREATE INDEX ON n (ix2(b))

SELECT a FROM n WHERE ix2(b) = 'B5'

-- generated, check, default
CREATE FUNCTION gn(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 3'

CREATE TABLE gt (a int CHECK (gn(a) < 100), b int GENERATED ALWAYS AS (gn(a)) STORED, c int DEFAULT gn(5))

INSERT INTO gt (a) VALUES (1), (2) RETURNING *

INSERT INTO gt (a) VALUES (50)

CREATE OR REPLACE FUNCTION gn(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 4'

INSERT INTO gt (a) VALUES (3) RETURNING *

INSERT INTO gt (a) VALUES (26)

-- errors in body when relation is gone
CREATE TABLE gone (a int)

CREATE FUNCTION gf() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM gone'

DROP TABLE gone

-- stable function sees snapshot of the statement
CREATE FUNCTION cnt() RETURNS SETOF bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM n'

WITH i AS (INSERT INTO n VALUES (500) RETURNING a) SELECT c, i.a FROM i, cnt() c

SELECT * FROM cnt()

-- operators
CREATE FUNCTION addx(int, int) RETURNS int LANGUAGE sql AS 'SELECT $1 * 1000 + $2'

CREATE OPERATOR +++ (LEFTARG = int, RIGHTARG = int, FUNCTION = addx)

SELECT a +++ 1 FROM n WHERE a < 3

-- pl context
CREATE FUNCTION boom(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''boom %'', $1; END'

CREATE FUNCTION callboom(int) RETURNS int LANGUAGE sql AS 'SELECT boom($1)'

SELECT callboom(3)

CREATE FUNCTION plcall() RETURNS int LANGUAGE plpgsql AS 'DECLARE x int := 5; BEGIN x := once(x) + twice(x); RETURN dv(x, 0); END'

SELECT plcall()

CREATE FUNCTION ctx() RETURNS text LANGUAGE plpgsql AS 'DECLARE s text; BEGIN GET DIAGNOSTICS s = PG_CONTEXT; RETURN s; END'

CREATE FUNCTION ctx2() RETURNS text LANGUAGE sql AS 'SELECT ctx()'

SELECT ctx2()

-- null args, booleans, in
CREATE FUNCTION bt(int, int, int) RETURNS bool LANGUAGE sql AS 'SELECT $1 BETWEEN $2 AND $3 OR $1 IN ($2, $3)'

SELECT a, bt(a, 2, 4), bt(a, NULL, 3) FROM n WHERE a < 6 ORDER BY a

SELECT bt(a, 1, 2) FROM n WHERE bt(a, 2, 3)

CREATE FUNCTION ca(int) RETURNS text LANGUAGE sql AS 'SELECT CASE $1 WHEN 1 THEN ''one'' WHEN 2 THEN ''two'' ELSE $1::text END'

SELECT ca(a), ca(once(a)) FROM n WHERE a < 4

CREATE FUNCTION rec2(int) RETURNS int LANGUAGE sql AS 'SELECT $1'

CREATE FUNCTION rec1(int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN $1 > 0 THEN rec2($1 - 1) ELSE 0 END'

CREATE OR REPLACE FUNCTION rec2(int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN $1 > 0 THEN rec1($1 - 1) + 1 ELSE 0 END'

SELECT rec1(10), rec2(9)
