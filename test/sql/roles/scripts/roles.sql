CREATE ROLE r_ann LOGIN PASSWORD 'secret'

CREATE USER r_bob

CREATE GROUP r_team

CREATE ROLE r_ann

CREATE ROLE pg_mine

CREATE ROLE r_x LOGIN NOLOGIN

CREATE ROLE r_x CONNECTION LIMIT -2

CREATE ROLE r_x PASSWORD ''

CREATE ROLE r_boss CREATEROLE CREATEDB CONNECTION LIMIT 3 VALID UNTIL '2030-01-01 00:00:00+00'

SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit, rolvaliduntil, rolpassword FROM pg_roles WHERE rolname LIKE 'r\_%' ORDER BY 1

SELECT rolname, rolpassword IS NULL, left(rolpassword, 19) FROM pg_authid WHERE rolname LIKE 'r\_%' ORDER BY 1

SELECT usename, usesuper, passwd FROM pg_user WHERE usename LIKE 'r\_%' ORDER BY 1

GRANT r_team TO r_ann, r_bob

GRANT r_team TO r_ann

GRANT r_ann TO r_team

GRANT r_team TO r_boss WITH ADMIN OPTION

GRANT r_team TO r_team

GRANT r_none TO r_ann

SELECT r.rolname, m.rolname, g.rolname, admin_option FROM pg_auth_members a JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.grantor WHERE r.rolname LIKE 'r\_%' ORDER BY 1, 2

SELECT groname, array_length(grolist, 1) FROM pg_group WHERE groname = 'r_team'

REVOKE ADMIN OPTION FOR r_team FROM r_boss

REVOKE r_team FROM r_boss

REVOKE r_team FROM r_boss

ALTER ROLE r_bob PASSWORD 'md5aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'

SELECT rolpassword FROM pg_authid WHERE rolname = 'r_bob'

ALTER ROLE r_bob RENAME TO r_bert

SELECT rolpassword FROM pg_authid WHERE rolname = 'r_bert'

ALTER ROLE r_bert RENAME TO r_ann

ALTER ROLE r_nobody NOLOGIN

ALTER GROUP r_team ADD USER r_boss

ALTER GROUP r_team DROP USER r_boss, r_x

ALTER ROLE r_ann SET search_path TO a, b

ALTER ROLE r_ann SET timezone TO 'nowhere/else'

SELECT rolconfig FROM pg_roles WHERE rolname = 'r_ann'

ALTER ROLE r_ann RESET ALL

SELECT rolconfig FROM pg_roles WHERE rolname = 'r_ann'

SELECT current_user, session_user

SET ROLE r_none

SET ROLE r_ann

SELECT current_user, session_user, current_setting('role')

SHOW role

SHOW is_superuser

CREATE ROLE r_more

ALTER ROLE r_bert LOGIN

ALTER ROLE r_ann PASSWORD 'other'

DROP ROLE r_bert

GRANT r_team TO r_bert

SET ROLE r_team

SET ROLE r_boss

SET ROLE none

SET ROLE r_boss

CREATE ROLE r_sub ROLE r_ann ADMIN r_bert

CREATE ROLE r_super SUPERUSER

ALTER ROLE r_boss SUPERUSER

CREATE ROLE r_repl REPLICATION

DROP ROLE r_boss

DROP ROLE r_sub, r_nobody

DROP ROLE IF EXISTS r_sub, r_nobody

RESET ROLE

SELECT current_user

SET SESSION AUTHORIZATION r_ann

SELECT current_user, session_user

SET SESSION AUTHORIZATION r_bert

SELECT current_user, session_user

SET ROLE r_boss

RESET SESSION AUTHORIZATION

SELECT current_user, session_user

SELECT pg_has_role('r_ann', 'r_team', 'USAGE'), pg_has_role('r_ann', 'r_team', 'MEMBER'), pg_has_role('r_ann', 'r_boss', 'USAGE'), pg_has_role('r_ann', 'r_team', 'MEMBER WITH ADMIN OPTION'), pg_has_role('r_boss', 'MEMBER')

SELECT pg_has_role('r_nix', 'r_team', 'USAGE')

SELECT pg_has_role('r_ann', 'r_team', 'SPOIL')

BEGIN

CREATE ROLE r_temp

SAVEPOINT s

CREATE ROLE r_temp2

ROLLBACK TO s

CREATE ROLE r_temp2

SELECT count(*) FROM pg_roles WHERE rolname LIKE 'r\_temp%'

ROLLBACK

SELECT count(*) FROM pg_roles WHERE rolname LIKE 'r\_temp%'

BEGIN; SET LOCAL ROLE r_ann; SELECT current_user; COMMIT

SELECT current_user

BEGIN; SET ROLE r_ann; ROLLBACK

SELECT current_user

SELECT set_config('role', 'r_ann', false)

SELECT current_user

SELECT set_config('role', 'r_none', false)

RESET ROLE

DROP ROLE r_ann, r_bert, r_team, r_boss, r_x, svc_none

DROP ROLE r_ann, r_bert, r_team, r_boss, r_x

DROP USER current_user
