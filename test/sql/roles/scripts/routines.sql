CREATE ROLE f_ann; CREATE ROLE f_bob; CREATE ROLE f_team; GRANT f_team TO f_bob

CREATE TABLE secret (a int PRIMARY KEY, b text); INSERT INTO secret VALUES (1, 'x'), (2, 'y')

CREATE FUNCTION plain(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 1'

CREATE FUNCTION reads() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM secret'

CREATE FUNCTION definer() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM secret'

CREATE FUNCTION who() RETURNS text LANGUAGE sql AS 'SELECT current_user::text'

CREATE FUNCTION who_definer() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT current_user::text'

CREATE FUNCTION fills(int) RETURNS void LANGUAGE sql SECURITY DEFINER AS 'INSERT INTO secret VALUES ($1, $1::text)'

CREATE FUNCTION rows_of() RETURNS SETOF secret LANGUAGE sql AS 'SELECT * FROM secret'

CREATE FUNCTION rows_definer() RETURNS SETOF secret LANGUAGE sql SECURITY DEFINER SET search_path = public AS 'SELECT * FROM secret'

CREATE PROCEDURE adds(int) LANGUAGE sql AS 'INSERT INTO secret VALUES ($1, $1::text)'

CREATE PROCEDURE adds_definer(int) LANGUAGE sql SECURITY DEFINER AS 'INSERT INTO secret VALUES ($1, $1::text)'

SELECT proname, proacl, prosecdef, proconfig FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1

SET ROLE f_ann

SELECT plain(1), who(), who_definer() <> current_user::text

SELECT reads()

SELECT definer()

SELECT count(*) FROM rows_of()

SELECT count(*) FROM rows_definer()

CALL adds(3)

CALL adds_definer(4)

SELECT fills(5)

SELECT definer()

RESET ROLE

REVOKE EXECUTE ON FUNCTION plain(int) FROM PUBLIC

REVOKE ALL ON FUNCTION definer() FROM PUBLIC

REVOKE EXECUTE ON PROCEDURE adds_definer(int) FROM PUBLIC

REVOKE EXECUTE ON FUNCTION rows_definer() FROM PUBLIC

REVOKE EXECUTE ON FUNCTION pg_catalog.md5(text) FROM PUBLIC

SELECT proname, proacl FROM pg_proc WHERE proacl IS NOT NULL AND (pronamespace = 'public'::regnamespace OR proname = 'md5') ORDER BY 1, 2

CREATE VIEW v AS SELECT plain(a) AS n FROM secret

GRANT SELECT ON v TO f_ann

CREATE TABLE d (a int DEFAULT plain(1), b int CHECK (b IS NULL OR plain(b) > 1))

GRANT ALL ON d TO f_ann

SET ROLE f_ann

SELECT plain(1)

EXPLAIN (COSTS OFF) SELECT plain(1)

SELECT a FROM secret WHERE plain(a) = 1

PREPARE p AS SELECT plain($1)

EXECUTE p (1)

EXECUTE p (plain(1))

DEALLOCATE p

SELECT definer()

SELECT * FROM rows_definer()

CALL adds_definer(6)

CALL adds(plain(1))

SELECT * FROM v

SELECT md5('a')

INSERT INTO d (b) VALUES (1)

INSERT INTO d (a) VALUES (1)

INSERT INTO d VALUES (1, 2)

DROP FUNCTION plain(int)

ALTER FUNCTION plain(int) RENAME TO other

ALTER FUNCTION plain(int) SECURITY DEFINER

ALTER FUNCTION plain(int) OWNER TO f_ann

ALTER PROCEDURE adds(int) SECURITY DEFINER

CREATE OR REPLACE FUNCTION plain(int) RETURNS int LANGUAGE sql AS 'SELECT 2'

COMMENT ON FUNCTION plain(int) IS 'mine'

CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'

GRANT EXECUTE ON FUNCTION plain(int) TO f_bob

SELECT has_function_privilege('plain(int)', 'EXECUTE'), has_function_privilege('reads()', 'execute'), has_function_privilege('f_bob', 'plain(int)', 'EXECUTE')

RESET ROLE

GRANT EXECUTE ON FUNCTION plain(int) TO f_ann WITH GRANT OPTION

GRANT EXECUTE ON FUNCTION plain TO nobody

GRANT EXECUTE ON FUNCTION nosuch(int) TO f_ann

GRANT EXECUTE ON FUNCTION nosuch TO f_ann

GRANT EXECUTE ON PROCEDURE plain(int) TO f_ann

GRANT EXECUTE ON FUNCTION adds(int) TO f_ann

GRANT SELECT ON FUNCTION plain(int) TO f_ann

GRANT EXECUTE ON FUNCTION pg_catalog.md5(text) TO f_team

SET ROLE f_ann

SELECT plain(1)

SELECT * FROM v

GRANT EXECUTE ON FUNCTION plain(int) TO f_bob

GRANT EXECUTE ON FUNCTION reads() TO f_bob

SET ROLE f_bob

SELECT plain(2), md5('a')

RESET ROLE

SELECT proname, proacl FROM pg_proc WHERE proacl IS NOT NULL AND pronamespace = 'public'::regnamespace ORDER BY 1, 2

REVOKE EXECUTE ON FUNCTION plain(int) FROM f_ann

REVOKE EXECUTE ON FUNCTION plain(int) FROM f_ann CASCADE

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO f_team

SELECT proname, proacl FROM pg_proc WHERE proacl IS NOT NULL AND pronamespace = 'public'::regnamespace ORDER BY 1, 2

GRANT EXECUTE ON ALL PROCEDURES IN SCHEMA public TO f_team

REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA public FROM f_team, PUBLIC

SELECT proname, proacl FROM pg_proc WHERE proacl IS NOT NULL AND pronamespace = 'public'::regnamespace ORDER BY 1, 2

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC

CREATE FUNCTION closed() RETURNS int LANGUAGE sql AS 'SELECT 1'

SET ROLE f_ann

SELECT closed()

RESET ROLE

ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON ROUTINES TO PUBLIC

CREATE FUNCTION opened() RETURNS int LANGUAGE sql AS 'SELECT 1'

SELECT proname, proacl FROM pg_proc WHERE proname IN ('closed', 'opened') ORDER BY 1

GRANT CREATE ON SCHEMA public TO f_ann

SET ROLE f_ann

CREATE FUNCTION anns() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*)::int FROM secret'

SELECT anns()

CREATE FUNCTION sets_role() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$SELECT set_config('role', 'f_ann', false)$$

SELECT sets_role()

RESET ROLE

SELECT anns()

SELECT sets_role()

DROP ROLE f_ann

ALTER FUNCTION anns() OWNER TO f_bob

SELECT proname, proowner::regrole, proacl FROM pg_proc WHERE proname = 'anns'

ALTER FUNCTION anns() SECURITY INVOKER SET work_mem = '8MB' SET search_path TO public, pg_temp

SELECT prosecdef, proconfig FROM pg_proc WHERE proname = 'anns'

ALTER FUNCTION anns() RESET work_mem

ALTER FUNCTION anns() RESET ALL

SELECT prosecdef, proconfig FROM pg_proc WHERE proname = 'anns'

DROP FUNCTION sets_role()

REASSIGN OWNED BY f_bob TO f_ann

SELECT proname, proowner::regrole FROM pg_proc WHERE proname = 'anns'

DROP OWNED BY f_ann

SELECT proname FROM pg_proc WHERE proname = 'anns'

CREATE FUNCTION path() RETURNS text LANGUAGE sql SET search_path = pg_catalog AS $$SELECT current_setting('search_path')$$

SET search_path = public

SELECT path(), current_setting('search_path')

GRANT EXECUTE ON FUNCTION pg_catalog.md5(text) TO PUBLIC

REVOKE ALL ON SCHEMA public FROM f_team
