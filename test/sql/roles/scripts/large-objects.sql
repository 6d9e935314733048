CREATE ROLE lob_ann

CREATE ROLE lob_bob

CREATE ROLE lob_clerk

GRANT lob_clerk TO lob_ann

SELECT lo_from_bytea(501, 'first'), lo_from_bytea(502, 'second')

SELECT * FROM pg_largeobject_metadata ORDER BY oid

SET ROLE lob_ann

SELECT lo_get(501)

SELECT lo_put(501, 0, 'x')

SELECT lo_open(501, 262144)

SELECT lo_open(501, 131072)

SELECT lo_unlink(501)

SELECT lo_unlink(599)

SELECT loid FROM pg_largeobject

SELECT oid, lomacl FROM pg_largeobject_metadata ORDER BY oid

GRANT SELECT ON LARGE OBJECT 501 TO lob_bob

ALTER LARGE OBJECT 501 OWNER TO lob_ann

COMMENT ON LARGE OBJECT 501 IS 'mine'

SELECT lo_import('/etc/passwd')

SELECT lo_import('/etc/passwd', 510)

SELECT lo_export(501, '/tmp/never')

RESET ROLE

GRANT SELECT ON LARGE OBJECT 501, 502 TO lob_ann

GRANT SELECT ON LARGE OBJECT 501, 599 TO lob_bob

GRANT DELETE ON LARGE OBJECT 501 TO lob_ann

GRANT SELECT (a) ON LARGE OBJECT 501 TO lob_ann

GRANT UPDATE ON LARGE OBJECT 501 TO nobody_here

GRANT SELECT ON LARGE OBJECT 501 TO PUBLIC WITH GRANT OPTION

GRANT SELECT ON LARGE OBJECT 99999999999 TO PUBLIC

SELECT oid, lomacl FROM pg_largeobject_metadata ORDER BY oid

SET ROLE lob_ann

SELECT lo_get(501)

SELECT lo_put(501, 0, 'x')

SELECT lo_open(501, 131072)

GRANT SELECT ON LARGE OBJECT 501 TO lob_bob

REVOKE SELECT ON LARGE OBJECT 501 FROM lob_ann

RESET ROLE

REVOKE SELECT ON LARGE OBJECT 501 FROM lob_ann

GRANT UPDATE ON LARGE OBJECT 501 TO lob_ann

SET ROLE lob_ann

SELECT lo_put(501, 0, 'x')

SELECT lo_open(501, 131072)

RESET ROLE

SET lo_compat_privileges = on

SET ROLE lob_bob

SELECT lo_get(501)

SELECT lo_put(501, 0, 'F')

SELECT lo_get(501)

SET lo_compat_privileges = on

RESET ROLE

RESET lo_compat_privileges

GRANT ALL ON LARGE OBJECT 501 TO lob_ann WITH GRANT OPTION

SET ROLE lob_ann

GRANT SELECT ON LARGE OBJECT 501 TO lob_bob

GRANT ALL ON LARGE OBJECT 501 TO lob_bob

SELECT lo_get(501)

SELECT lo_unlink(501)

RESET ROLE

SELECT lomacl FROM pg_largeobject_metadata WHERE oid = 501

REVOKE GRANT OPTION FOR ALL ON LARGE OBJECT 501 FROM lob_ann

REVOKE GRANT OPTION FOR ALL ON LARGE OBJECT 501 FROM lob_ann CASCADE

SELECT lomacl FROM pg_largeobject_metadata WHERE oid = 501

REVOKE ALL ON LARGE OBJECT 501 FROM CURRENT_USER

SELECT lomacl FROM pg_largeobject_metadata WHERE oid = 501

ALTER LARGE OBJECT 502 OWNER TO lob_clerk

SELECT oid, lomowner::regrole, lomacl FROM pg_largeobject_metadata ORDER BY oid

SET ROLE lob_ann

SELECT lo_put(502, 0, 'S')

SELECT lo_get(502)

COMMENT ON LARGE OBJECT 502 IS 'of the clerks'

GRANT SELECT ON LARGE OBJECT 502 TO lob_bob

ALTER LARGE OBJECT 502 OWNER TO lob_bob

ALTER LARGE OBJECT 502 OWNER TO lob_ann

SELECT lo_create(503)

SELECT oid, lomowner::regrole, lomacl FROM pg_largeobject_metadata ORDER BY oid

RESET ROLE

SELECT obj_description(502, 'pg_largeobject')

DROP ROLE lob_ann

DROP ROLE lob_bob

REASSIGN OWNED BY lob_ann TO lob_bob

SELECT oid, lomowner::regrole, lomacl FROM pg_largeobject_metadata ORDER BY oid

DROP OWNED BY lob_ann

SELECT oid, lomowner::regrole, lomacl FROM pg_largeobject_metadata ORDER BY oid

DROP OWNED BY lob_bob

SELECT oid, lomowner::regrole, lomacl FROM pg_largeobject_metadata ORDER BY oid

SELECT lo_get(502)

DROP ROLE lob_ann

DROP ROLE lob_bob

DROP ROLE lob_clerk

SELECT lo_unlink(501)

ALTER DEFAULT PRIVILEGES GRANT SELECT ON LARGE OBJECTS TO PUBLIC
