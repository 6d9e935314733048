-- What information_schema shows to whom.

CREATE ROLE i_ann; CREATE ROLE i_own; CREATE ROLE i_group; GRANT i_group TO i_ann; CREATE SCHEMA i; GRANT CREATE, USAGE ON SCHEMA i TO i_own

CREATE TABLE i.closed (a int PRIMARY KEY, b text NOT NULL CHECK (b <> ''), c int UNIQUE); CREATE TABLE i.opened (a int PRIMARY KEY REFERENCES i.closed, b text DEFAULT 'x'); CREATE TABLE i.part (a int PRIMARY KEY, b text, c int); CREATE VIEW i.v AS SELECT a FROM i.closed; CREATE VIEW i.w AS SELECT a FROM i.opened; CREATE SEQUENCE i.q; CREATE SEQUENCE i.r; CREATE TYPE i.mood AS ENUM ('a'); CREATE TABLE i.grouped (a int, m i.mood, l int[]); CREATE FUNCTION i.f(int) RETURNS int LANGUAGE sql AS 'SELECT $1'; CREATE FUNCTION i.g() RETURNS int LANGUAGE sql AS 'SELECT 1'; REVOKE EXECUTE ON FUNCTION i.g() FROM PUBLIC

GRANT SELECT ON i.opened, i.w TO i_ann; GRANT UPDATE (b) ON i.part TO i_ann; GRANT INSERT ON i.grouped TO i_group; GRANT USAGE ON SEQUENCE i.q TO i_ann; GRANT USAGE ON SCHEMA i TO i_ann

SET ROLE i_own

CREATE TABLE i.own (a int PRIMARY KEY, b text NOT NULL CHECK (length(b) > 1)); CREATE VIEW i.own_view AS SELECT a FROM i.own

RESET ROLE

SELECT table_name FROM information_schema.tables WHERE table_schema = 'i' ORDER BY 1

SET ROLE i_ann

SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'i' ORDER BY 1

SELECT table_name, column_name, column_default FROM information_schema.columns WHERE table_schema = 'i' ORDER BY 1, 2

SELECT table_name, view_definition IS NULL FROM information_schema.views WHERE table_schema = 'i' ORDER BY 1

SELECT schema_name FROM information_schema.schemata WHERE schema_name IN ('i', 'public', 'pg_catalog', 'information_schema') ORDER BY 1

SELECT sequence_name FROM information_schema.sequences WHERE sequence_schema = 'i' ORDER BY 1

SELECT table_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = 'i' ORDER BY 1, 2

SELECT count(*) FROM information_schema.check_constraints WHERE constraint_schema = 'i'

SELECT table_name, column_name FROM information_schema.key_column_usage WHERE table_schema = 'i' ORDER BY 1, 2

SELECT constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = 'i' ORDER BY 1

SELECT table_name, column_name FROM information_schema.constraint_column_usage WHERE table_schema = 'i' ORDER BY 1, 2

SELECT table_name FROM information_schema.constraint_table_usage WHERE table_schema = 'i' ORDER BY 1

SELECT udt_name, table_name FROM information_schema.column_udt_usage WHERE table_schema = 'i' ORDER BY 1, 2

SELECT object_name FROM information_schema.element_types WHERE object_schema = 'i' ORDER BY 1

SELECT view_name, table_name FROM information_schema.view_table_usage WHERE view_schema = 'i' ORDER BY 1, 2

SELECT table_name FROM information_schema.tables WHERE table_name IN ('pg_authid', 'pg_shadow', 'pg_class', 'pg_roles') ORDER BY 1

SELECT rolname FROM pg_roles WHERE rolname LIKE 'i\_%' ORDER BY 1

SELECT rolpassword FROM pg_authid

SELECT passwd FROM pg_shadow

SELECT rolpassword FROM pg_roles WHERE rolname = 'i_ann'

SET ROLE i_own

SELECT table_name FROM information_schema.tables WHERE table_schema = 'i' ORDER BY 1

SELECT table_name, view_definition IS NULL FROM information_schema.views WHERE table_schema = 'i' ORDER BY 1

SELECT table_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = 'i' ORDER BY 1, 2

SELECT count(*) FROM information_schema.check_constraints WHERE constraint_schema = 'i'

SELECT table_name, column_name FROM information_schema.constraint_column_usage WHERE table_schema = 'i' ORDER BY 1, 2

SELECT view_name, table_name FROM information_schema.view_table_usage WHERE view_schema = 'i' ORDER BY 1, 2

RESET ROLE

REVOKE i_group FROM i_ann

SET ROLE i_ann

SELECT table_name FROM information_schema.tables WHERE table_schema = 'i' ORDER BY 1

RESET ROLE

GRANT SELECT ON i.closed TO i_ann

SET ROLE i_ann

SELECT table_name FROM information_schema.tables WHERE table_schema = 'i' ORDER BY 1

RESET ROLE
