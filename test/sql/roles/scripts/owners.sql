CREATE ROLE o_ann; CREATE ROLE o_bob; CREATE ROLE o_team; GRANT o_team TO o_ann; CREATE ROLE o_noinherit NOINHERIT IN ROLE o_team

SELECT nspname, nspowner::regrole, nspacl FROM pg_namespace WHERE nspname IN ('public', 'pg_catalog', 'information_schema') ORDER BY 1

CREATE SCHEMA s AUTHORIZATION o_ann

SELECT nspowner::regrole, nspacl FROM pg_namespace WHERE nspname = 's'

SET ROLE o_bob

CREATE TABLE s.t (a int)

SELECT * FROM s.nothing

SET ROLE o_ann

CREATE TABLE s.t (a serial PRIMARY KEY, b text, e int GENERATED ALWAYS AS IDENTITY)

INSERT INTO s.t (b) VALUES ('one') RETURNING a, e

CREATE VIEW s.v AS SELECT * FROM s.t

CREATE SEQUENCE s.q

CREATE TYPE s.mood AS ENUM ('sad', 'ok')

SELECT relname, relkind, relowner::regrole, relacl FROM pg_class WHERE relnamespace = 's'::regnamespace ORDER BY 1

SELECT typname, typowner::regrole FROM pg_type WHERE typname = 'mood'

SELECT schemaname, tablename, tableowner FROM pg_tables WHERE schemaname = 's'

GRANT USAGE ON SCHEMA s TO o_bob

GRANT SELECT, INSERT ON s.t TO o_bob

SELECT nspacl FROM pg_namespace WHERE nspname = 's'

SET ROLE o_bob

SELECT * FROM s.t

SELECT * FROM s.v

INSERT INTO s.t (b) VALUES ('two')

SELECT nextval('s.q')

CREATE TABLE s.mine (a int)

DROP TABLE s.t

DROP VIEW s.v

DROP SEQUENCE s.q

DROP TYPE s.mood

DROP SCHEMA s

ALTER TABLE s.t RENAME TO t2

ALTER TABLE s.t RENAME COLUMN b TO bb

ALTER TABLE s.t SET SCHEMA public

ALTER TABLE s.t OWNER TO o_bob

ALTER SEQUENCE s.q RESTART

ALTER TYPE s.mood ADD VALUE 'glad'

CREATE OR REPLACE VIEW s.v AS SELECT 1 AS a

COMMENT ON COLUMN s.t.a IS 'x'

TRUNCATE s.t

RESET ROLE

GRANT USAGE ON SEQUENCE s.q TO o_bob; GRANT SELECT ON SEQUENCE s.t_a_seq TO o_bob

SET ROLE o_bob

SELECT nextval('s.q')

SELECT currval('s.q')

SELECT setval('s.q', 7)

SELECT last_value FROM s.q

INSERT INTO s.t (b) VALUES ('two')

INSERT INTO s.t (a, b) VALUES (2, 'two') RETURNING e

SELECT has_sequence_privilege('s.q', 'USAGE'), has_sequence_privilege('s.q', 'UPDATE'), has_schema_privilege('s', 'USAGE'), has_schema_privilege('s', 'CREATE'), has_schema_privilege('public', 'CREATE'), has_database_privilege(current_database(), 'CONNECT'), has_database_privilege(current_database(), 'CREATE'), has_type_privilege('s.mood', 'USAGE'), has_function_privilege('abs(int)', 'EXECUTE')

SET ROLE o_ann

ALTER TABLE s.t OWNER TO o_bob

ALTER TABLE s.t OWNER TO o_team

RESET ROLE

GRANT CREATE ON SCHEMA s TO o_team

SET ROLE o_ann

ALTER TABLE s.t OWNER TO o_team

SELECT relname, relowner::regrole, relacl FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind IN ('r', 'S') ORDER BY 1

SELECT b FROM s.t ORDER BY a

ALTER TABLE s.t ADD COLUMN f int

SET ROLE o_noinherit

SELECT b FROM s.t

RESET ROLE

SET SESSION AUTHORIZATION o_noinherit

SET ROLE o_team

SELECT b FROM s.t

GRANT USAGE ON SCHEMA s TO o_team

RESET SESSION AUTHORIZATION

GRANT USAGE ON SCHEMA s TO o_team

REVOKE SELECT ON s.t FROM o_team

SET ROLE o_team

SELECT b FROM s.t

GRANT SELECT ON s.t TO o_team

SELECT count(*) FROM s.t

SELECT count(*) FROM s.v

RESET ROLE

ALTER DEFAULT PRIVILEGES FOR ROLE o_ann IN SCHEMA s GRANT SELECT ON TABLES TO o_bob

ALTER DEFAULT PRIVILEGES FOR ROLE o_ann GRANT ALL ON SEQUENCES TO o_bob WITH GRANT OPTION

ALTER DEFAULT PRIVILEGES FOR ROLE o_ann IN SCHEMA s GRANT USAGE ON SCHEMAS TO o_bob

SELECT defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype, defaclacl FROM pg_default_acl ORDER BY 1, 3

SET ROLE o_ann

CREATE TABLE s.later (a serial)

ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM o_ann

CREATE TABLE s.last (a int)

ALTER DEFAULT PRIVILEGES FOR ROLE o_bob GRANT SELECT ON TABLES TO PUBLIC

RESET ROLE

SELECT relname, relowner::regrole, relacl FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind IN ('r', 'S') ORDER BY 1

CREATE TABLE p (a int PRIMARY KEY)

SET ROLE o_ann

CREATE TABLE s.ref (a int REFERENCES p)

RESET ROLE

GRANT REFERENCES ON p TO o_ann

SET ROLE o_ann

CREATE TABLE s.ref (a int REFERENCES p)

RESET ROLE

DROP ROLE o_team

REASSIGN OWNED BY o_ann TO o_bob

SELECT relname, relowner::regrole FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind IN ('r', 'S', 'v') ORDER BY 1

SELECT nspname, nspowner::regrole, nspacl FROM pg_namespace WHERE nspname = 's'

DROP OWNED BY o_team CASCADE

DROP OWNED BY o_ann CASCADE

DROP OWNED BY o_bob CASCADE

SELECT count(*) FROM pg_class WHERE relname IN ('t', 'v', 'later', 'last', 'ref')

SELECT count(*) FROM pg_default_acl

DROP ROLE o_ann, o_bob, o_team, o_noinherit
