-- Rights, policies and barriers where bodies of functions stand in place of calls.
CREATE ROLE i_ann

CREATE ROLE i_bob

CREATE TABLE sec (id int primary key, own text, v int)

INSERT INTO sec SELECT g, CASE WHEN g % 2 = 0 THEN 'i_ann' ELSE 'i_bob' END, g * 10 FROM generate_series(1, 6) g

GRANT SELECT ON sec TO i_ann, i_bob

CREATE FUNCTION inc(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 1'

CREATE FUNCTION outerf(int) RETURNS int LANGUAGE sql AS 'SELECT inc($1) * 2'

CREATE FUNCTION lst() RETURNS SETOF sec LANGUAGE sql STABLE AS 'SELECT * FROM sec'

REVOKE EXECUTE ON FUNCTION inc(int) FROM PUBLIC

REVOKE EXECUTE ON FUNCTION lst() FROM PUBLIC

GRANT EXECUTE ON FUNCTION lst() TO i_ann

SET ROLE i_ann

SELECT inc(1)

SELECT outerf(1)

SELECT outerf(id) FROM sec

SELECT * FROM lst() ORDER BY id

PREPARE p AS SELECT count(*) FROM lst()

EXECUTE p

RESET ROLE

REVOKE EXECUTE ON FUNCTION lst() FROM i_ann

SET ROLE i_ann

EXECUTE p

RESET ROLE

GRANT EXECUTE ON FUNCTION lst() TO PUBLIC

GRANT EXECUTE ON FUNCTION inc(int) TO i_ann

SET ROLE i_ann

EXECUTE p

SELECT outerf(1)

SET ROLE i_bob

SELECT outerf(1)

RESET ROLE

REVOKE SELECT ON sec FROM i_ann

SET ROLE i_ann

EXECUTE p

SELECT * FROM lst()

RESET ROLE

GRANT SELECT ON sec TO i_ann

ALTER TABLE sec ENABLE ROW LEVEL SECURITY

CREATE FUNCTION mine(text) RETURNS bool LANGUAGE sql STABLE AS 'SELECT $1 = current_user'

CREATE POLICY po ON sec USING (mine(own))

SET ROLE i_ann

SELECT * FROM lst() ORDER BY id

EXECUTE p

SELECT id FROM sec ORDER BY id

SET ROLE i_bob

SELECT * FROM lst() ORDER BY id

SELECT id FROM sec ORDER BY id

RESET ROLE

SELECT count(*) FROM lst()

-- a leaking condition sees none of what the policy holds back
CREATE FUNCTION leak(int) RETURNS bool LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RAISE NOTICE ''saw %'', $1; RETURN true; END'

CREATE FUNCTION leaks(int) RETURNS bool LANGUAGE sql AS 'SELECT leak($1)'

SET ROLE i_ann

SELECT id FROM lst() WHERE leaks(v) ORDER BY id

SELECT id FROM sec WHERE leaks(v) AND 1 / (v - 10) < 5 ORDER BY id

RESET ROLE

CREATE VIEW vs WITH (security_barrier) AS SELECT * FROM lst() WHERE v > 20

GRANT SELECT ON vs TO i_ann

SET ROLE i_ann

SELECT id FROM vs WHERE leaks(v) ORDER BY id

RESET ROLE

CREATE VIEW vv AS SELECT * FROM lst()

GRANT SELECT ON vv TO i_bob

SET ROLE i_bob

SELECT id FROM vv ORDER BY id

RESET ROLE

REVOKE SELECT ON sec FROM i_bob

SET ROLE i_bob

SELECT id FROM vv

RESET ROLE

GRANT SELECT ON sec TO i_bob

CREATE FUNCTION dlst() RETURNS SETOF sec LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT * FROM sec'

SET ROLE i_bob

SELECT count(*) FROM dlst()

RESET ROLE

CREATE FUNCTION dout() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT current_user || count(*) FROM lst()'

SET ROLE i_bob

SELECT replace(dout(), (SELECT rolname FROM pg_roles WHERE oid = (SELECT relowner FROM pg_class WHERE relname = 'sec')), 'owner')

RESET ROLE

-- schema usage
CREATE SCHEMA hid

CREATE TABLE hid.h (a int)

INSERT INTO hid.h VALUES (1)

GRANT SELECT ON hid.h TO i_ann

CREATE FUNCTION hf() RETURNS SETOF int LANGUAGE sql STABLE AS 'SELECT a FROM hid.h'

SET ROLE i_ann

SELECT * FROM hf()

RESET ROLE

GRANT USAGE ON SCHEMA hid TO i_ann

SET ROLE i_ann

SELECT * FROM hf()

RESET ROLE

-- prepared statement, role changes
PREPARE pr AS SELECT id FROM lst() ORDER BY id

EXECUTE pr

SET ROLE i_ann

EXECUTE pr

SET ROLE i_bob

EXECUTE pr

RESET ROLE

EXECUTE pr

