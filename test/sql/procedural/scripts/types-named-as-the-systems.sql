-- Types of worlds with names of the system's.
CREATE SCHEMA s1

CREATE SCHEMA s2

SET search_path = public

CREATE TYPE s1.text AS ENUM ('own')

CREATE TYPE s2.text AS (a int)

CREATE TYPE s1.int4 AS ENUM ('i')

CREATE FUNCTION s1.conv(s1.text) RETURNS int LANGUAGE sql AS 'SELECT 42'

CREATE CAST (s1.text AS int) WITH FUNCTION s1.conv(s1.text)

SELECT 'own'::s1.text::int

CREATE FUNCTION s1.conv(s1.int4) RETURNS text LANGUAGE sql AS $$SELECT 'x'$$

CREATE CAST (s1.int4 AS text) WITH FUNCTION s1.conv(s1.int4) AS IMPLICIT

SELECT upper('i'::s1.int4), length('i'::s1.int4), 'i'::s1.int4 || 'q'

SELECT 'own'::s1.text = 'own', 'own'::s1.text < 'own', 'i'::s1.int4 + 1

SELECT 1 + 'i'::s1.int4

SELECT coalesce('own'::s1.text, 'x'::text)

SELECT 'own'::s1.text UNION SELECT 'x'::text

SELECT CASE WHEN true THEN 'i'::s1.int4 ELSE 5 END

CREATE TABLE s1.tt (a s1.text, b text, c s1.int4, d int4, e s1.text[])

INSERT INTO s1.tt VALUES ('own','t','i',4,'{own}')

SELECT a = b::s1.text FROM s1.tt WHERE false

SELECT * FROM s1.tt WHERE a = 'own' AND 'own' = ANY(e)

SELECT * FROM s1.tt WHERE a = b

SELECT * FROM s1.tt WHERE c = d

SELECT max(a), min(c), array_agg(a), count(DISTINCT c) FROM s1.tt

SELECT a, count(*) FROM s1.tt GROUP BY a ORDER BY a

SELECT string_agg(a, ',') FROM s1.tt

SELECT sum(c) FROM s1.tt

CREATE INDEX ON s1.tt(a)

CREATE INDEX ON s1.tt(c, d)

SELECT b FROM s1.tt WHERE a = 'own'

SELECT format('%s %s', a, c), concat(a, c), to_json(a), to_jsonb(t), a::varchar FROM s1.tt t

SELECT a || 'x' FROM s1.tt

SELECT a LIKE 'o%' FROM s1.tt

CREATE FUNCTION s1.poly(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1'

SELECT s1.poly('own'::s1.text), pg_typeof(s1.poly('i'::s1.int4)), pg_typeof(s1.poly(5))

CREATE FUNCTION s1.enumy(anyenum) RETURNS text LANGUAGE sql AS 'SELECT $1::text'

SELECT s1.enumy('own'::s1.text), s1.enumy('i'::s1.int4)

SELECT s1.enumy('x'::text)

DO $$ DECLARE v s1.text := 'own'; w text := 'plain'; x s1.int4; BEGIN w := v; RAISE NOTICE '% %', v, w; x := 'i'; RAISE NOTICE '% %', x, pg_typeof(x); v := w; EXCEPTION WHEN OTHERS THEN RAISE NOTICE '% %', SQLSTATE, SQLERRM; END $$

PREPARE p(s1.text, text) AS SELECT $1, $2, pg_typeof($1), pg_typeof($2)

EXECUTE p('own', 'zz')

EXECUTE p('zz', 'own')

CREATE DOMAIN s2.d AS s1.text CHECK (VALUE = 'own')

SELECT 'own'::s2.d, pg_typeof('own'::s2.d), 'x'::s2.d

CREATE VIEW s1.v AS SELECT a, a::text AS b, 'own'::s1.text AS c FROM s1.tt

SELECT * FROM s1.v WHERE c = a

ALTER TABLE s1.tt ALTER a TYPE text USING a::text, ALTER b TYPE s1.text USING 'own'

SELECT * FROM s1.tt

SELECT pg_typeof(a), pg_typeof(b) FROM s1.tt
