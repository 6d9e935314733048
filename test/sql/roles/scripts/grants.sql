-- GRANT and REVOKE on every kind of object, default privileges, roles, and functions that tell of privileges.

CREATE ROLE g_ann

CREATE ROLE g_ben

CREATE ROLE g_cid

CREATE TYPE mood AS ENUM ('a')

CREATE DOMAIN posint AS int CHECK (VALUE > 0)

CREATE TYPE pair AS (a int, b int)

GRANT USAGE ON TYPE mood TO g_ann

GRANT USAGE ON DOMAIN posint TO g_ann WITH GRANT OPTION

GRANT USAGE ON DOMAIN mood TO g_ann

GRANT ALL ON TYPE pair TO g_ann

GRANT SELECT ON TYPE pair TO g_ann

REVOKE USAGE ON TYPE mood FROM PUBLIC

SELECT typname, typacl FROM pg_type WHERE typname IN ('mood', 'posint', 'pair') ORDER BY 1

GRANT USAGE ON LANGUAGE nothing TO g_ann

GRANT USAGE ON LANGUAGE c TO g_ann

GRANT CREATE ON TABLESPACE nowhere TO g_ann

GRANT USAGE ON FOREIGN DATA WRAPPER w TO g_ann

GRANT USAGE ON FOREIGN SERVER s TO g_ann

GRANT SELECT ON LARGE OBJECT 1 TO g_ann

GRANT CONNECT, TEMP ON DATABASE nothing TO g_ann

CREATE TABLE t (a int, b int)

CREATE SEQUENCE s

GRANT SELECT ON t TO g_ann WITH GRANT OPTION

SET ROLE g_ann

GRANT SELECT ON t TO g_ben WITH GRANT OPTION

GRANT SELECT ON t TO g_ben GRANTED BY g_ann

GRANT SELECT ON t TO g_ben GRANTED BY g_ben

GRANT SELECT ON t TO g_ben GRANTED BY CURRENT_USER

GRANT INSERT ON t TO g_ben

GRANT SELECT, INSERT ON t TO g_ben

GRANT ALL ON t TO g_ben

RESET ROLE

SET ROLE g_ben

GRANT SELECT ON t TO g_cid

RESET ROLE

SELECT relacl FROM pg_class WHERE relname = 't'

REVOKE SELECT ON t FROM g_ann

REVOKE GRANT OPTION FOR SELECT ON t FROM g_ann

REVOKE GRANT OPTION FOR SELECT ON t FROM g_ann CASCADE

SELECT relacl FROM pg_class WHERE relname = 't'

REVOKE SELECT ON t FROM g_ann CASCADE

GRANT SELECT (a), UPDATE (a, b) ON t TO g_ann

GRANT SELECT (nothing) ON t TO g_ann

GRANT DELETE (a) ON t TO g_ann

GRANT USAGE ON t TO g_ann

GRANT SELECT ON SEQUENCE t TO g_ann

GRANT USAGE ON SEQUENCE s TO g_ann

GRANT USAGE ON s TO g_ann

GRANT INSERT ON s TO g_ann

GRANT EXECUTE ON FUNCTION f(int) TO g_ann

GRANT EXECUTE ON FUNCTION f TO g_ann

GRANT EXECUTE ON FUNCTION g(int) TO g_ann

GRANT EXECUTE ON PROCEDURE pr() TO g_ann

GRANT EXECUTE ON ROUTINE pr() TO g_ann

GRANT EXECUTE ON FUNCTION pr() TO g_ann

GRANT SELECT ON FUNCTION f(int) TO g_ann

GRANT ALL ON ALL TABLES IN SCHEMA public TO g_ben

GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO g_ben

GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO g_ben

GRANT EXECUTE ON ALL PROCEDURES IN SCHEMA public TO g_ben

GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO g_ben

GRANT ALL ON ALL TABLES IN SCHEMA nowhere TO g_ben

SELECT proname, proacl FROM pg_proc WHERE proname IN ('f', 'pr') ORDER BY 1

GRANT nothing ON t TO g_ann

GRANT SELECT ON nothing TO g_ann

GRANT SELECT ON t TO nobody

GRANT SELECT ON t TO PUBLIC WITH GRANT OPTION

GRANT g_ann TO g_ben

GRANT g_ann TO g_ben GRANTED BY g_cid

REVOKE ADMIN OPTION FOR g_ann FROM g_ben

REVOKE g_ann FROM g_ben

REVOKE g_ann FROM g_ben

GRANT g_ann TO g_ann

ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO g_ann

ALTER DEFAULT PRIVILEGES FOR ROLE g_ann IN SCHEMA public GRANT EXECUTE ON FUNCTIONS TO g_ben

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON ROUTINES FROM PUBLIC

ALTER DEFAULT PRIVILEGES GRANT USAGE ON TYPES TO g_ann WITH GRANT OPTION

ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO g_ann

ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SCHEMAS TO g_ann

ALTER DEFAULT PRIVILEGES GRANT INSERT ON SEQUENCES TO g_ann

ALTER DEFAULT PRIVILEGES IN SCHEMA nowhere GRANT SELECT ON TABLES TO g_ann

ALTER DEFAULT PRIVILEGES FOR ROLE nobody GRANT SELECT ON TABLES TO g_ann

SELECT pg_get_userbyid(defaclrole), defaclnamespace::regnamespace, defaclobjtype, defaclacl FROM pg_default_acl ORDER BY 2, 3

CREATE TABLE after_defaults (a int)

CREATE TYPE after_type AS ENUM ('x')

CREATE SCHEMA after_schema

SELECT relacl FROM pg_class WHERE relname = 'after_defaults'

SELECT typacl FROM pg_type WHERE typname = 'after_type'

SELECT nspacl FROM pg_namespace WHERE nspname = 'after_schema'

SELECT proacl FROM pg_proc WHERE proname = 'after_f'

ALTER ROLE g_ann SET nothing = 1

ALTER ROLE g_ann SET statement_timeout = 'x'

ALTER ROLE g_ann SET work_mem = '8MB'

ALTER ROLE g_ann RESET work_mem

CREATE ROLE g_dan SUPERUSER NOSUPERUSER

CREATE ROLE g_dan LOGIN PASSWORD 'x' VALID UNTIL 'infinity' CONNECTION LIMIT 5 REPLICATION BYPASSRLS CREATEDB CREATEROLE NOINHERIT IN ROLE g_ann ROLE g_ben ADMIN g_cid

SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit, rolvaliduntil FROM pg_roles WHERE rolname LIKE 'g\_%' ORDER BY 1

SELECT roleid::regrole, member::regrole, grantor::regrole, admin_option FROM pg_auth_members WHERE roleid > 16383 ORDER BY 1, 2

CREATE ROLE pg_mine

CREATE ROLE public

CREATE ROLE none

CREATE ROLE g_ann

DROP ROLE g_nobody

DROP ROLE IF EXISTS g_nobody

DROP ROLE CURRENT_USER

ALTER ROLE g_dan RENAME TO g_eve

DROP ROLE g_eve

SELECT * FROM aclexplode((SELECT relacl FROM pg_class WHERE relname = 't')) WHERE privilege_type = 'SELECT' AND grantee = 0

SELECT acldefault('r', 10), acldefault('c', 10), acldefault('f', 10), acldefault('T', 10), acldefault('n', 10), acldefault('d', 10), acldefault('s', 10), acldefault('l', 10), acldefault('L', 10), acldefault('t', 10), acldefault('F', 10), acldefault('S', 10), acldefault('p', 10)

SELECT acldefault('x', 10)

SELECT makeaclitem(0, 10, 'SELECT', false), makeaclitem(10, 10, 'INSERT', true)

SELECT makeaclitem(0, 10, 'NOTHING', false)

SELECT makeaclitem(0, 10, 'SELECT', true)

SELECT aclcontains(acldefault('r', 10), makeaclitem(10, 10, 'SELECT', false)), aclcontains(acldefault('f', 10), makeaclitem(10, 10, 'SELECT', false))

SELECT has_table_privilege('g_ben', 't', 'SELECT'), has_table_privilege('g_ann', 't', 'SELECT'), has_table_privilege('t', 'SELECT, INSERT WITH GRANT OPTION')

SELECT has_table_privilege('nobody', 't', 'SELECT')

SELECT has_table_privilege('g_ben', 'nothing', 'SELECT')

SELECT has_table_privilege('g_ben', 't', 'NOTHING')

SELECT has_table_privilege('g_ben', 999999::oid, 'SELECT')

SELECT has_any_column_privilege('g_ann', 't', 'UPDATE'), has_column_privilege('g_ann', 't', 'a', 'SELECT'), has_column_privilege('g_ann', 't', 2::int2, 'SELECT')

SELECT has_column_privilege('g_ann', 't', 'nothing', 'SELECT')

SELECT has_column_privilege('g_ann', 't', 99::int2, 'SELECT')

SELECT has_sequence_privilege('g_ann', 's', 'USAGE'), has_sequence_privilege('g_ann', 's', 'UPDATE')

SELECT has_sequence_privilege('g_ann', 't', 'USAGE')

SELECT has_function_privilege('g_ann', 'f(int)', 'EXECUTE'), has_function_privilege('g_ann', 'lower(text)', 'EXECUTE')

SELECT has_function_privilege('g_ann', 'nothing(int)', 'EXECUTE')

SELECT has_type_privilege('g_ben', 'mood', 'USAGE'), has_type_privilege('g_ann', 'mood', 'USAGE'), has_type_privilege('g_ann', 'int4', 'USAGE')

SELECT has_type_privilege('g_ann', 'nothing', 'USAGE')

SELECT has_schema_privilege('g_ann', 'public', 'CREATE'), has_schema_privilege('g_ann', 'public', 'USAGE'), has_schema_privilege('g_ann', 'pg_catalog', 'USAGE')

SELECT has_schema_privilege('g_ann', 'nothing', 'USAGE')

SELECT has_language_privilege('g_ann', 'sql', 'USAGE'), has_language_privilege('sql', 'USAGE')

SELECT has_language_privilege('g_ann', 'nothing', 'USAGE')

SELECT has_tablespace_privilege('g_ann', 'nothing', 'CREATE')

SELECT has_database_privilege('g_ann', current_database(), 'CONNECT'), has_database_privilege('g_ann', current_database(), 'CREATE'), has_database_privilege('g_ann', current_database(), 'TEMP')

SELECT has_foreign_data_wrapper_privilege('g_ann', 'nothing', 'USAGE')

SELECT has_server_privilege('g_ann', 'nothing', 'USAGE')

SELECT pg_has_role('g_ann', 'g_ben', 'MEMBER'), pg_has_role('g_ann', 'g_ann', 'USAGE')

SELECT pg_has_role('g_ann', 'g_ben', 'NOTHING')

REASSIGN OWNED BY g_ann TO g_ben
