-- Policies as definitions, and whom they hold for.

CREATE ROLE p_ann

CREATE ROLE p_ben

CREATE ROLE p_team

CREATE ROLE p_free BYPASSRLS

GRANT p_team TO p_ben

CREATE TABLE docs (id int PRIMARY KEY, owner text, level int, body text)

INSERT INTO docs VALUES (1, 'p_ann', 1, 'one'), (2, 'p_ben', 2, 'two'), (3, 'p_ann', 3, 'three'), (4, 'p_free', 4, 'four')

GRANT ALL ON docs TO p_ann, p_ben, p_free

CREATE VIEW docs_view AS SELECT * FROM docs

CREATE SEQUENCE docs_seq

CREATE POLICY p ON docs_view USING (true)

CREATE POLICY p ON docs_seq USING (true)

CREATE POLICY p ON nowhere USING (true)

CREATE POLICY p ON pg_class USING (true)

CREATE POLICY p ON docs FOR SELECT USING (true) WITH CHECK (true)

CREATE POLICY p ON docs FOR DELETE WITH CHECK (true)

CREATE POLICY p ON docs FOR INSERT USING (true)

CREATE POLICY p ON docs USING (level)

CREATE POLICY p ON docs USING (count(*) > 0)

CREATE POLICY p ON docs USING (nothing = 1)

CREATE POLICY p ON docs TO nobody USING (true)

CREATE POLICY p ON docs TO p_ann, PUBLIC USING (true)

DROP POLICY p ON docs

CREATE POLICY own ON docs USING (owner = current_user)

CREATE POLICY own ON docs USING (true)

CREATE POLICY low ON docs FOR SELECT TO p_team USING (level < 4)

CREATE POLICY most ON docs AS RESTRICTIVE FOR UPDATE TO PUBLIC USING (level < 3) WITH CHECK (level < 10)

ALTER POLICY low ON docs USING (level < 3)

ALTER POLICY low ON docs WITH CHECK (true)

ALTER POLICY own ON docs TO p_ann, p_ben

ALTER POLICY gone ON docs USING (true)

ALTER POLICY own ON docs RENAME TO low

ALTER POLICY gone ON docs RENAME TO other

ALTER POLICY own ON docs RENAME TO mine

COMMENT ON POLICY mine ON docs IS 'rows of their owners'

COMMENT ON POLICY gone ON docs IS 'nothing'

SELECT polname, polcmd, polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), obj_description(oid, 'pg_policy') FROM pg_policy ORDER BY polname

SELECT * FROM pg_policies ORDER BY policyname

SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relname = 'docs'

SELECT pg_describe_object('pg_policy'::regclass, oid, 0) FROM pg_policy ORDER BY 1

SET ROLE p_ann

SELECT id FROM docs ORDER BY id

ALTER TABLE docs ENABLE ROW LEVEL SECURITY

CREATE POLICY p ON docs USING (true)

DROP POLICY mine ON docs

RESET ROLE

ALTER TABLE docs ENABLE ROW LEVEL SECURITY

SELECT relrowsecurity, relforcerowsecurity, row_security_active('docs') FROM pg_class WHERE relname = 'docs'

SELECT rowsecurity FROM pg_tables WHERE tablename = 'docs'

SET ROLE p_ann

SELECT row_security_active('docs'), row_security_active('docs'::regclass::oid)

SELECT id FROM docs ORDER BY id

SELECT count(*), max(level), min(id) FROM docs

UPDATE docs SET body = 'x'

UPDATE docs SET level = 20 WHERE id = 1

UPDATE docs SET level = 9 WHERE id = 1

UPDATE docs SET level = 2 WHERE id = 1

DELETE FROM docs WHERE id = 2

SELECT * FROM docs ORDER BY id

SET ROLE p_ben

SELECT id FROM docs ORDER BY id

UPDATE docs SET body = 'y' WHERE id = 1

SET ROLE p_free

SELECT id FROM docs ORDER BY id

SELECT row_security_active('docs')

RESET ROLE

SET row_security = off

SELECT count(*) FROM docs

SET ROLE p_ann

SELECT count(*) FROM docs

UPDATE docs SET body = 'z'

INSERT INTO docs VALUES (9, 'p_ann', 1, 'nine')

SET ROLE p_free

SELECT count(*) FROM docs

RESET ROLE

RESET row_security

ALTER TABLE docs OWNER TO p_ann

SET ROLE p_ann

SELECT id FROM docs ORDER BY id

ALTER TABLE docs FORCE ROW LEVEL SECURITY

SELECT id FROM docs ORDER BY id

SET row_security = off

SELECT id FROM docs ORDER BY id

RESET row_security

ALTER TABLE docs NO FORCE ROW LEVEL SECURITY

SELECT id FROM docs ORDER BY id

TRUNCATE docs

RESET ROLE

INSERT INTO docs VALUES (1, 'p_ann', 1, 'one'), (2, 'p_ben', 2, 'two')

DROP ROLE p_team

ALTER TABLE docs DROP COLUMN level

ALTER TABLE docs ALTER COLUMN level TYPE bigint

ALTER TABLE docs RENAME COLUMN level TO rank

SELECT policyname, qual, with_check FROM pg_policies ORDER BY policyname

ALTER TABLE docs RENAME TO papers

SELECT tablename, policyname, qual FROM pg_policies ORDER BY policyname

SET ROLE p_ben

SELECT id FROM papers ORDER BY id

RESET ROLE

ALTER TABLE papers DROP COLUMN rank CASCADE

SELECT tablename, policyname, qual FROM pg_policies ORDER BY policyname

DROP OWNED BY p_team

DROP POLICY IF EXISTS gone ON papers

DROP POLICY IF EXISTS gone ON nowhere

DROP POLICY gone ON papers

DROP POLICY gone ON nowhere

DROP POLICY mine ON papers

SET ROLE p_ben

SELECT id FROM papers

INSERT INTO papers VALUES (7, 'p_ben', 'seven')

RESET ROLE

ALTER TABLE papers DISABLE ROW LEVEL SECURITY

SET ROLE p_ben

SELECT id FROM papers ORDER BY id

RESET ROLE

DROP TABLE papers CASCADE

SELECT count(*) FROM pg_policy
