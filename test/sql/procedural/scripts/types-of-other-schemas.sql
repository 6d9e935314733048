-- Types of one name in two schemas, neither on the search path: which function, operator, cast or aggregate a call means, and how errors name them.
CREATE SCHEMA s1

CREATE SCHEMA s2

CREATE TYPE s1.e AS ENUM ('a','b')

CREATE TYPE s2.e AS ENUM ('b','c')

CREATE FUNCTION s1.f(s1.e) RETURNS text LANGUAGE sql AS $$SELECT 's1 '||$1::text$$

CREATE FUNCTION s1.f(s2.e) RETURNS text LANGUAGE sql AS $$SELECT 's2 '||$1::text$$

SELECT s1.f('a'::s1.e), s1.f('c'::s2.e)

SELECT s1.f('b'::s1.e), s1.f('b'::s2.e)

CREATE FUNCTION s1.g(s1.e) RETURNS text LANGUAGE sql AS $$SELECT 'g '||$1::text$$

SELECT s1.g('a')

SELECT s1.g('b'::s2.e)

SELECT s1.g('zz')

CREATE TYPE s1.c AS (a int, b text)

CREATE FUNCTION s1.h(s1.c) RETURNS text LANGUAGE sql AS $$SELECT $1.b$$

SELECT s1.h(ROW(1,'x'))

SELECT s1.h('(1,y)')

SELECT s1.h(q) FROM (SELECT 1,'z'::text) q

CREATE DOMAIN s1.d AS int CHECK (VALUE > 0)

CREATE DOMAIN s2.d AS text

CREATE FUNCTION s1.k(s1.d) RETURNS text LANGUAGE sql AS $$SELECT 'k '||$1$$

SELECT s1.k(5)

SELECT s1.k(-5)

SELECT s1.k('7')

CREATE FUNCTION s1.k(s2.d) RETURNS text LANGUAGE sql AS $$SELECT 'k2 '||$1$$

SELECT s1.k(5::s1.d), s1.k('x'::s2.d)

CREATE FUNCTION s1.arr(s1.e[]) RETURNS int LANGUAGE sql AS 'SELECT cardinality($1)'

SELECT s1.arr('{a,b}'), s1.arr(ARRAY['a'::s1.e]), s1.arr(ARRAY['a','b']::s1.e[])

CREATE FUNCTION s1.va(VARIADIC s1.e[]) RETURNS int LANGUAGE sql AS 'SELECT cardinality($1)'

SELECT s1.va('a','b'), s1.va(VARIADIC ARRAY['a']::s1.e[])

CREATE FUNCTION s1.ret() RETURNS s1.e LANGUAGE sql AS $$SELECT 'a'::s1.e$$

CREATE FUNCTION s1.rets() RETURNS SETOF s1.c LANGUAGE sql AS $$SELECT 1,'x'::text$$

CREATE FUNCTION s1.rett() RETURNS TABLE(x s1.e, y s2.e) LANGUAGE sql AS $$SELECT 'a'::s1.e,'c'::s2.e$$

SELECT s1.ret(), pg_typeof(s1.ret())

SELECT * FROM s1.rets()

SELECT (s1.rets()).b

SELECT x,y,pg_typeof(y) FROM s1.rett()

CREATE FUNCTION s1.op(s1.e, s2.e) RETURNS bool LANGUAGE sql AS 'SELECT true'

CREATE OPERATOR s1.=== (LEFTARG=s1.e, RIGHTARG=s2.e, FUNCTION=s1.op)

SELECT 'a'::s1.e OPERATOR(s1.===) 'c'::s2.e

SELECT 'a' OPERATOR(s1.===) 'c'::s2.e

SELECT 'a'::s1.e OPERATOR(s1.===) 'c'::s1.e

CREATE FUNCTION s1.tc(s1.e) RETURNS int LANGUAGE sql AS 'SELECT 42'

CREATE CAST (s1.e AS int) WITH FUNCTION s1.tc(s1.e)

SELECT 'a'::s1.e::int

SELECT 'b'::s2.e::int

CREATE AGGREGATE s1.ag(s1.e) (SFUNC=s1.st, STYPE=int)

CREATE FUNCTION s1.st(int, s1.e) RETURNS int LANGUAGE sql AS 'SELECT coalesce($1,0)+1'

CREATE AGGREGATE s1.ag(s1.e) (SFUNC=s1.st, STYPE=int)

SELECT s1.ag(x) FROM (VALUES ('a'::s1.e),('b')) v(x)

SELECT s1.ag(x) FROM (VALUES ('b'::s2.e),('b')) v(x)

CREATE TABLE s1.t(a int, e s1.e)

CREATE TABLE s2.t(z text)

CREATE FUNCTION s1.row(s1.t) RETURNS int LANGUAGE sql AS 'SELECT $1.a'

SELECT s1.row(t) FROM (VALUES (1)) v, LATERAL (SELECT 7, 'a'::s1.e) t

INSERT INTO s1.t VALUES (3,'b')

SELECT s1.row(t), t.row FROM s1.t

SELECT s1.row(t) FROM s2.t

INSERT INTO s2.t VALUES ('q')

SELECT s1.row(t) FROM s2.t

CREATE PROCEDURE s1.p(s1.e) LANGUAGE plpgsql AS $$BEGIN RAISE NOTICE '%', $1; END$$

CALL s1.p('a')

CALL s1.p('c'::s2.e)

DO $$DECLARE v s1.e := 'a'; w s2.e := 'c'; BEGIN RAISE NOTICE '% %', s1.f(v), s1.f(w); END$$

CREATE FUNCTION s1.dflt(x s1.e DEFAULT 'b', y s2.e DEFAULT 'c') RETURNS text LANGUAGE sql AS 'SELECT $1::text||$2::text'

SELECT s1.dflt(), s1.dflt('a'), s1.dflt(y=>'b')

CREATE TYPE s1.text AS ENUM ('own')

CREATE FUNCTION s1.own(s1.text) RETURNS text LANGUAGE sql AS $$SELECT 'own'$$

SELECT s1.own('own'::s1.text), s1.own('own')

SELECT s1.own('x'::text)

SELECT upper('own'::s1.text)

SELECT 'own'::s1.text || 'x'

SELECT 'own'::s1.text = 'own'::text

SELECT has_column_privilege('s1.c'::regclass, 'a', 'SELECT'), has_column_privilege('s1.c'::regclass, 'nope', 'SELECT')
