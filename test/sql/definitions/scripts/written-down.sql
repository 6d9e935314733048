-- What definitions only write down: estimators, PARALLEL, collations of attributes, differences of ranges.
CREATE FUNCTION opf(int,int) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT $1 = $2'

CREATE OPERATOR === (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, RESTRICT=eqsel, JOIN=eqjoinsel, HASHES, MERGES, COMMUTATOR = ===)

SELECT oprname, oprrest, oprjoin, oprcanhash, oprcanmerge FROM pg_operator WHERE oprname='==='

CREATE AGGREGATE agg1(int) (SFUNC=int4pl, STYPE=int, PARALLEL=SAFE, INITCOND='0')

SELECT proparallel FROM pg_proc WHERE proname='agg1'

CREATE TYPE cc AS (a text COLLATE "C", b int)

SELECT attname, attcollation::regcollation FROM pg_attribute WHERE attrelid='cc'::regclass

CREATE FUNCTION fdiff(float8,float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT $1-$2'

CREATE TYPE frx AS RANGE (subtype=float8, subtype_diff=fdiff)

SELECT rngsubdiff FROM pg_range WHERE rngtypid='frx'::regtype

ALTER OPERATOR === (int,int) SET (RESTRICT=NONE, JOIN=neqjoinsel)

SELECT oprrest, oprjoin FROM pg_operator WHERE oprname='==='

CREATE OPERATOR ##= (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, RESTRICT=nosuch)

CREATE OPERATOR ##= (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, RESTRICT=int4eq)

CREATE OPERATOR ##= (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, RESTRICT=eqjoinsel)

CREATE OPERATOR ##= (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, JOIN=eqsel)

CREATE OPERATOR ##= (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, RESTRICT)

CREATE OPERATOR ##= (LEFTARG=int, RIGHTARG=int, FUNCTION=opf, RESTRICT=5)

CREATE OPERATOR ##+ (LEFTARG=int, RIGHTARG=int, FUNCTION=int4pl, RESTRICT=eqsel)

CREATE OPERATOR ##! (RIGHTARG=int, FUNCTION=int4um, JOIN=eqjoinsel)

ALTER TYPE cc ADD ATTRIBUTE d text COLLATE "POSIX"

ALTER TYPE cc ALTER ATTRIBUTE a TYPE varchar(5) COLLATE "POSIX"

ALTER TYPE cc DROP ATTRIBUTE b, ADD ATTRIBUTE e text, ADD ATTRIBUTE f int COLLATE "C"

ALTER TYPE cc DROP ATTRIBUTE b, ADD ATTRIBUTE e text

SELECT attname, attcollation::regcollation FROM pg_attribute WHERE attrelid='cc'::regclass AND NOT attisdropped

ALTER TYPE cc ALTER ATTRIBUTE a TYPE text

CREATE AGGREGATE agg2(int) (SFUNC=int4pl, STYPE=int, PARALLEL=restricted, INITCOND='0')

CREATE AGGREGATE agg3(int) (SFUNC=int4pl, STYPE=int, PARALLEL=sometimes, INITCOND='0')

SELECT proname, proparallel FROM pg_proc WHERE proname like 'agg_' ORDER BY 1

CREATE OPERATOR ##- (LEFTARG = int, RIGHTARG = int, FUNCTION = opf, RESTRICT = none)

CREATE OPERATOR ##- (LEFTARG = int, RIGHTARG = int, FUNCTION = opf, RESTRICT = eqsel, JOIN = eqjoinsel)

ALTER OPERATOR ##- (int, int) SET (RESTRICT = NONE, JOIN = NONE)

SELECT oprrest, oprjoin FROM pg_operator WHERE oprname = '##-'
