-- Who makes and changes conversions.

CREATE ROLE cv_ann

CREATE ROLE cv_ben

CREATE CONVERSION c2 FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8

SET ROLE cv_ann

CREATE CONVERSION own FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8

DROP CONVERSION c2

ALTER CONVERSION c2 RENAME TO c22

ALTER CONVERSION c2 OWNER TO cv_ann

COMMENT ON CONVERSION c2 IS 'x'

COMMENT ON CONVERSION iso_8859_1_to_utf8 IS 'x'

RESET ROLE

GRANT CREATE ON SCHEMA public TO cv_ann

CREATE SCHEMA more

SET ROLE cv_ann

CREATE CONVERSION own FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8

ALTER CONVERSION own SET SCHEMA more

ALTER CONVERSION own OWNER TO cv_ben

ALTER CONVERSION own RENAME TO mine

COMMENT ON CONVERSION mine IS 'x'

RESET ROLE

ALTER CONVERSION mine OWNER TO cv_ben

SELECT conname, conowner::regrole FROM pg_conversion WHERE connamespace = 'public'::regnamespace ORDER BY 1

DROP ROLE cv_ben

REASSIGN OWNED BY cv_ben TO cv_ann

DROP ROLE cv_ben

DROP OWNED BY cv_ann

SELECT conname FROM pg_conversion WHERE connamespace = 'public'::regnamespace

DROP ROLE cv_ann
