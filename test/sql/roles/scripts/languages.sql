-- Languages that only superusers write functions in, and what others may do with them.

CREATE ROLE l_ann

CREATE ROLE l_root SUPERUSER

GRANT CREATE ON SCHEMA public TO l_ann

CREATE FUNCTION my_add(int, int) RETURNS int LANGUAGE internal STRICT AS 'int4pl'

SET ROLE l_ann

CREATE FUNCTION own_add(int, int) RETURNS int LANGUAGE internal AS 'int4pl'

CREATE FUNCTION own_add(int, int) RETURNS int LANGUAGE internal AS 'nosuch'

CREATE FUNCTION own_add(int, int) RETURNS int LANGUAGE c AS 'int4pl'

CREATE OR REPLACE FUNCTION my_add(int, int) RETURNS int LANGUAGE internal STRICT AS 'int4pl'

SELECT my_add(1, 2)

CREATE AGGREGATE total(int) (SFUNC = my_add, STYPE = int)

SELECT total(x) FROM generate_series(1, 3) x

ALTER FUNCTION my_add(int, int) STABLE

RESET ROLE

REVOKE EXECUTE ON FUNCTION my_add(int, int) FROM PUBLIC

ALTER FUNCTION my_add(int, int) OWNER TO l_root

SET ROLE l_ann

SELECT my_add(1, 2)

RESET ROLE

SET ROLE l_root

CREATE FUNCTION own_add(int, int) RETURNS int LANGUAGE internal AS 'int4pl'

RESET ROLE

GRANT USAGE ON LANGUAGE internal TO l_ann

SELECT has_language_privilege('l_ann', 'internal', 'USAGE')
