CREATE ROLE t_ann; CREATE ROLE t_bob; CREATE ROLE t_all; GRANT t_all TO t_bob

CREATE TABLE t (a int PRIMARY KEY, b text, c int); INSERT INTO t VALUES (1, 'x', 10), (2, 'y', 20)

CREATE TABLE u (a int, d text)

CREATE VIEW v AS SELECT a, b FROM t

SELECT relname, relacl FROM pg_class WHERE relname IN ('t', 'u', 'v') ORDER BY 1

SET ROLE t_ann

SELECT * FROM t

SELECT count(*) FROM t

INSERT INTO t VALUES (3, 'z', 30)

UPDATE t SET b = 'q'

DELETE FROM t

TRUNCATE t

SELECT * FROM v

DROP TABLE t

ALTER TABLE t ADD COLUMN e int

CREATE INDEX ON t (c)

COMMENT ON TABLE t IS 'mine'

CREATE TABLE mine (a int)

CREATE SCHEMA mine

GRANT SELECT ON t TO t_bob

RESET ROLE

GRANT SELECT ON t TO t_ann

GRANT SELECT (a), UPDATE (b), INSERT (a, b) ON t TO t_all

SELECT relacl FROM pg_class WHERE relname = 't'

SELECT attname, attacl FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum

SET ROLE t_ann

SELECT * FROM t ORDER BY a

SELECT t.a, u.d FROM t JOIN u USING (a)

SELECT a FROM t WHERE a IN (SELECT a FROM u)

WITH x AS (SELECT * FROM u) SELECT * FROM t, x

GRANT SELECT ON t TO t_bob

UPDATE t SET b = 'q' WHERE a = 1

INSERT INTO u SELECT a, b FROM t

SET ROLE t_bob

SELECT a FROM t ORDER BY a

SELECT a, b FROM t

SELECT * FROM t

SELECT t FROM t

SELECT count(*) FROM t

SELECT a FROM t WHERE b = 'x'

SELECT a FROM t ORDER BY c

UPDATE t SET b = 'z' WHERE a = 1

UPDATE t SET b = b || 'z' WHERE a = 1

UPDATE t SET c = 1 WHERE a = 1

UPDATE t SET b = 'zz' WHERE a = 1 RETURNING a

UPDATE t SET b = 'zz' RETURNING *

INSERT INTO t (a, b) VALUES (5, 'five') RETURNING a

INSERT INTO t (a, b) VALUES (6, 'six') RETURNING b

INSERT INTO t VALUES (7, 'seven')

INSERT INTO t VALUES (8, 'eight', 8)

INSERT INTO t (a, b) VALUES (5, 'again') ON CONFLICT DO NOTHING

INSERT INTO t (a, b) VALUES (5, 'again') ON CONFLICT (a) DO UPDATE SET b = excluded.b

INSERT INTO t (a, b) VALUES (5, 'again') ON CONFLICT (a) DO UPDATE SET b = t.b

INSERT INTO t (a, b) VALUES (5, 'again') ON CONFLICT (a) DO UPDATE SET c = 4

DELETE FROM t WHERE a = 5

SELECT a FROM t WHERE a = 1 FOR UPDATE

SET ROLE t_ann

SELECT a FROM t WHERE a = 1 FOR UPDATE

SELECT a FROM t WHERE a = 1 FOR SHARE

RESET ROLE

GRANT DELETE ON t TO t_bob

SET ROLE t_bob

DELETE FROM t WHERE a = 5

DELETE FROM t WHERE c = 5

DELETE FROM t USING u WHERE t.a = u.a

RESET ROLE

GRANT SELECT ON v TO t_bob

SET ROLE t_bob

SELECT * FROM v ORDER BY a

INSERT INTO v VALUES (9, 'nine')

RESET ROLE

GRANT ALL ON v TO t_bob

SET ROLE t_bob

INSERT INTO v VALUES (9, 'nine')

UPDATE v SET b = 'neun' WHERE a = 9

DELETE FROM v WHERE a = 9

RESET ROLE

GRANT UPDATE, SELECT ON t TO t_bob WITH GRANT OPTION

SET ROLE t_bob

GRANT SELECT ON t TO t_all WITH GRANT OPTION

GRANT SELECT, INSERT ON t TO t_ann

GRANT INSERT ON t TO t_ann

GRANT ALL ON t TO t_ann

SET ROLE t_all

GRANT SELECT ON t TO t_bob

RESET ROLE

SELECT relacl FROM pg_class WHERE relname = 't'

REVOKE SELECT ON t FROM t_bob

REVOKE GRANT OPTION FOR SELECT ON t FROM t_bob

REVOKE SELECT ON t FROM t_bob CASCADE

SELECT relacl FROM pg_class WHERE relname = 't'

SELECT attname, attacl FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum

REVOKE ALL ON t FROM t_bob, t_ann, t_all CASCADE

SELECT relacl FROM pg_class WHERE relname = 't'

SELECT attname, attacl FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 ORDER BY attnum

GRANT SELECT ON t TO PUBLIC WITH GRANT OPTION

GRANT SELECT ON t TO PUBLIC

SET ROLE t_ann

SELECT count(*) FROM t

REVOKE SELECT ON t FROM PUBLIC

RESET ROLE

GRANT USAGE ON t TO t_ann

GRANT NONSENSE ON t TO t_ann

GRANT DELETE (a) ON t TO t_ann

GRANT SELECT (nope) ON t TO t_ann

GRANT SELECT ON nope TO t_ann

GRANT SELECT ON t TO t_nobody

GRANT SELECT ON t TO CURRENT_USER

GRANT ALL ON ALL TABLES IN SCHEMA public TO t_ann

SELECT relname, relacl FROM pg_class WHERE relname IN ('t', 'u', 'v') ORDER BY 1

SELECT has_table_privilege('t_ann', 't', 'SELECT'), has_table_privilege('t_bob', 't', 'SELECT'), has_table_privilege('t_bob', 't', 'INSERT, SELECT'), has_table_privilege('t_ann', 't', 'SELECT WITH GRANT OPTION'), has_table_privilege('t', 'DELETE'), has_table_privilege('public', 't', 'SELECT'), has_table_privilege('t_ann', 999999, 'SELECT')

SELECT has_column_privilege('t_bob', 't', 'a', 'UPDATE'), has_column_privilege('t_ann', 't', 'b', 'UPDATE'), has_any_column_privilege('t_ann', 't', 'INSERT'), has_any_column_privilege('t_bob', 't', 'INSERT')

SELECT has_table_privilege('t_nix', 't', 'SELECT')

SELECT has_table_privilege('t_ann', 'nope', 'SELECT')

SELECT has_table_privilege('t_ann', 't', 'SEE')

SELECT grantor, grantee, table_name, privilege_type, is_grantable, with_hierarchy FROM information_schema.table_privileges WHERE table_schema = 'public' ORDER BY 1, 2, 3, 4

SELECT grantee, table_name, column_name, privilege_type FROM information_schema.column_privileges WHERE table_name = 'u' ORDER BY 1, 2, 3, 4

SET ROLE t_ann

SELECT grantor, grantee, table_name, privilege_type FROM information_schema.role_table_grants WHERE table_schema = 'public' ORDER BY 1, 2, 3, 4

SELECT role_name FROM information_schema.enabled_roles ORDER BY 1

LOCK TABLE t IN ACCESS SHARE MODE

RESET ROLE

DROP ROLE t_ann

DROP OWNED BY t_ann

DROP ROLE t_ann

SELECT relname, relacl FROM pg_class WHERE relname IN ('t', 'u', 'v') ORDER BY 1

DROP VIEW v; DROP TABLE t, u; DROP ROLE t_bob, t_all
