-- Calls of functions in SQL in every clause and statement, and bodies of every form in FROM.
CREATE FUNCTION md(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 % 2 = 0 THEN 0 ELSE 1 END'

CREATE TABLE pp (a int, b text) PARTITION BY LIST (md(a))

CREATE TABLE pp0 PARTITION OF pp FOR VALUES IN (0)

CREATE TABLE pp1 PARTITION OF pp FOR VALUES IN (1)

INSERT INTO pp SELECT g, 'x' || g FROM generate_series(1, 10) g

SELECT tableoid::regclass, a FROM pp WHERE md(a) = 1 ORDER BY a

SELECT count(*) FROM pp WHERE md(a) = 0

UPDATE pp SET a = a + 1 WHERE md(a) = 1 RETURNING a, tableoid::regclass

CREATE FUNCTION nowlit() RETURNS boolean LANGUAGE sql AS 'SELECT ''now''::timestamptz >= transaction_timestamp()'

SELECT nowlit()

CREATE TABLE j1 (a int, b int)

CREATE TABLE j2 (a int, c int)

INSERT INTO j1 SELECT g, g % 3 FROM generate_series(1,10) g

INSERT INTO j2 SELECT g, g % 4 FROM generate_series(5,15) g

CREATE FUNCTION same(int, int) RETURNS bool LANGUAGE sql AS 'SELECT $1 = $2'

CREATE FUNCTION nz(int) RETURNS int LANGUAGE sql AS 'SELECT coalesce($1, -1)'

SELECT j1.a, j2.c FROM j1 LEFT JOIN j2 ON same(j1.a, j2.a) ORDER BY 1

SELECT j1.a, j2.c FROM j1 LEFT JOIN j2 ON same(j1.a, j2.a) WHERE nz(j2.c) = -1 ORDER BY 1

SELECT j1.a, nz(j2.c) FROM j1 FULL JOIN j2 USING (a) WHERE same(nz(j2.c), 1) ORDER BY 1, 2

CREATE FUNCTION lm(int) RETURNS bigint LANGUAGE sql AS 'SELECT $1 * 2'

SELECT a FROM j1 ORDER BY a LIMIT lm(1) OFFSET lm(1)

CREATE FUNCTION top(n int) RETURNS SETOF j1 LANGUAGE sql STABLE AS 'SELECT * FROM j1 ORDER BY a DESC LIMIT n'

SELECT * FROM top(3) WHERE b = 1

SELECT sum(a) FROM top(4)

SELECT j2.a, t.a FROM j2, top(j2.c) t ORDER BY 1, 2

CREATE FUNCTION un(n int) RETURNS SETOF int LANGUAGE sql IMMUTABLE AS 'VALUES (1), (n), (n * 2)'

SELECT * FROM un(3) x WHERE x > 1

SELECT a, (SELECT max(x) FROM un(a) x) FROM j1 WHERE a < 4

CREATE FUNCTION uni(n int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM j1 WHERE a < n UNION SELECT c FROM j2 WHERE c < n EXCEPT SELECT 2'

SELECT * FROM uni(5) ORDER BY 1

SELECT * FROM uni(5) u WHERE u = 3

CREATE FUNCTION dis() RETURNS TABLE (b int, n bigint, s numeric) LANGUAGE sql STABLE AS 'SELECT b, count(*), sum(a)::numeric(10,2) FROM j1 GROUP BY b HAVING count(*) > 2'

SELECT * FROM dis() WHERE b = 1

SELECT pg_typeof(s), s FROM dis() ORDER BY 1, 2

CREATE FUNCTION rc() RETURNS SETOF int LANGUAGE sql STABLE AS 'WITH RECURSIVE w(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM w WHERE i < 4) SELECT i FROM w'

SELECT a.*, b.* FROM rc() a JOIN rc() b ON a = b ORDER BY 1

CREATE FUNCTION sf(n int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT generate_series(1, n)'

SELECT * FROM sf(3)

SELECT j1.a, x FROM j1, sf(j1.b) x WHERE j1.a < 4 ORDER BY 1, 2

SELECT sf(2), sf(3)

CREATE FUNCTION srec(n int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT 1'

CREATE OR REPLACE FUNCTION srec(n int) RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT n WHERE n > 0'

SELECT * FROM srec(2), srec(0)

SELECT * FROM srec(1) UNION ALL SELECT * FROM srec(2)

CREATE FUNCTION ov(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 1'

CREATE FUNCTION ov(text) RETURNS text LANGUAGE sql AS 'SELECT $1 || 1'

CREATE FUNCTION ov(numeric) RETURNS numeric LANGUAGE sql AS 'SELECT $1 / 3'

SELECT ov(1), ov('a'), ov(1.0), ov(1::smallint), ov('x'::varchar(1))

CREATE TYPE mood AS ENUM ('sad', 'ok')

CREATE FUNCTION md2(mood) RETURNS mood LANGUAGE sql AS 'SELECT CASE WHEN $1 = ''sad'' THEN ''ok'' ELSE $1 END'

SELECT md2('sad'), md2('ok'), md2(NULL)

CREATE FUNCTION js(jsonb, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 ->> $2'

SELECT js('{"a": 1}', 'a'), js('{"a": 1}', NULL)

CREATE FUNCTION ag(int) RETURNS bigint LANGUAGE sql AS 'SELECT sum($1)'

SELECT ag(3), ag(a) FROM j1 WHERE a < 3

CREATE FUNCTION wi(int) RETURNS bigint LANGUAGE sql AS 'SELECT row_number() OVER () + $1'

SELECT wi(3)

CREATE FUNCTION gs(int) RETURNS int LANGUAGE sql AS 'SELECT generate_series(1, $1)'

SELECT gs(3)

SELECT a, count(*) FILTER (WHERE same(b, 1)), array_agg(nz(b) ORDER BY nz(b) DESC) FROM j1 WHERE a < 4 GROUP BY GROUPING SETS ((a), ()) ORDER BY 1

SELECT nz(a), grouping(nz(a)), sum(b) FROM j1 WHERE a < 3 GROUP BY ROLLUP (nz(a)) ORDER BY 1, 2

SELECT DISTINCT ON (nz(b)) nz(b), a FROM j1 ORDER BY nz(b), a DESC

SELECT rank() OVER (PARTITION BY same(b, 1) ORDER BY nz(a)) FROM j1 ORDER BY 1

INSERT INTO j1 VALUES (nz(NULL), nz(7)) RETURNING nz(a), same(a, b)

CREATE FUNCTION nzi(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT coalesce($1, -1)'

CREATE UNIQUE INDEX ON j1 (nzi(a))

INSERT INTO j1 VALUES (1, 99) ON CONFLICT (nzi(a)) DO UPDATE SET b = nz(excluded.b) + nz(j1.b) WHERE same(j1.a, 1) RETURNING *

MERGE INTO j1 USING j2 ON same(j1.a, j2.a) WHEN MATCHED AND same(nz(j2.c), 0) THEN UPDATE SET b = nz(j2.c) + 100 WHEN NOT MATCHED THEN INSERT VALUES (nz(j2.a), 0)

SELECT * FROM j1 ORDER BY a

CREATE VIEW wv AS SELECT a, nz(b) b FROM j1 WHERE nz(a) > 0 WITH CHECK OPTION

INSERT INTO wv (a) VALUES (-5)

DELETE FROM j1 WHERE nz(a) > 11

SELECT count(*) FROM wv

CREATE FUNCTION trg() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.b := nz(NEW.b) + 1; RETURN NEW; END'

CREATE TRIGGER tg BEFORE INSERT ON j1 FOR EACH ROW WHEN (nz(NEW.a) > 0) EXECUTE FUNCTION trg()

INSERT INTO j1 VALUES (77, NULL) RETURNING *

CREATE FUNCTION loopf() RETURNS int LANGUAGE plpgsql AS 'DECLARE r record; s int := 0; BEGIN FOR r IN SELECT * FROM top(3) LOOP s := s + nz(r.a); END LOOP; IF same(s, 0) THEN RETURN -1; END IF; RETURN s; END'

SELECT loopf()

DO $$ DECLARE c int; BEGIN FOR i IN 1..3 LOOP EXECUTE format('CREATE OR REPLACE FUNCTION chg() RETURNS int LANGUAGE sql AS %L', 'SELECT ' || i); c := chg(); RAISE NOTICE '%', c; END LOOP; END $$

BEGIN

CREATE FUNCTION rb() RETURNS int LANGUAGE sql AS 'SELECT 1'

SELECT rb()

CREATE OR REPLACE FUNCTION rb() RETURNS int LANGUAGE sql AS 'SELECT 2'

SELECT rb()

SAVEPOINT s

CREATE OR REPLACE FUNCTION rb() RETURNS int LANGUAGE sql AS 'SELECT 3'

SELECT rb()

ROLLBACK TO s

SELECT rb()

ROLLBACK

SELECT rb()

DECLARE cc CURSOR WITH HOLD FOR SELECT * FROM top(2)

FETCH ALL FROM cc

CLOSE cc

CREATE TABLE asx AS SELECT nz(a) x, t.* FROM top(2) t

SELECT * FROM asx ORDER BY 1

CREATE MATERIALIZED VIEW mv AS SELECT nz(a) q FROM top(2)

SELECT * FROM mv ORDER BY 1

SELECT * FROM pg_get_function_result('nz(int)'::regprocedure), top(1)
