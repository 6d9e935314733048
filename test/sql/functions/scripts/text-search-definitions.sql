CREATE TEXT SEARCH DICTIONARY d (template = snowball)

CREATE TEXT SEARCH DICTIONARY d (template = snowball, language = klingon)

CREATE TEXT SEARCH DICTIONARY d (template = synonym)

CREATE TEXT SEARCH DICTIONARY d (template = thesaurus)

CREATE TEXT SEARCH DICTIONARY d (template = ispell)

CREATE TEXT SEARCH DICTIONARY d (template = simple, foo = 1)

CREATE TEXT SEARCH DICTIONARY d (template = snowball, foo = 1)

CREATE TEXT SEARCH DICTIONARY d (template = simple, accept = false, accept = true)

CREATE TEXT SEARCH DICTIONARY d (template = simple, accept = perhaps)

CREATE TEXT SEARCH DICTIONARY d (template = nothing)

CREATE TEXT SEARCH DICTIONARY d (stopwords = english)

CREATE TEXT SEARCH DICTIONARY noschema.d (template = simple)

CREATE TEXT SEARCH DICTIONARY d (template = simple, stopwords = english, accept = false)

CREATE TEXT SEARCH DICTIONARY stems (template = pg_catalog.snowball, language = 'english')

SELECT dictname, dicttemplate, dictinitoption, dictnamespace::regnamespace FROM pg_ts_dict WHERE oid > 16000 ORDER BY 1

SELECT ts_lexize('d', 'the'), ts_lexize('d', 'Stars'), ts_lexize('stems', 'the'), ts_lexize('stems', 'Stars')

ALTER TEXT SEARCH DICTIONARY d (accept = true)

SELECT dictinitoption, ts_lexize('d', 'Stars') FROM pg_ts_dict WHERE dictname = 'd'

ALTER TEXT SEARCH DICTIONARY d (template = simple)

ALTER TEXT SEARCH DICTIONARY nod (accept = true)

ALTER TEXT SEARCH DICTIONARY d (accept = false)

CREATE TEXT SEARCH CONFIGURATION c (parser = nothing)

CREATE TEXT SEARCH CONFIGURATION c (foo = x)

CREATE TEXT SEARCH CONFIGURATION c (parser = default, copy = simple)

CREATE TEXT SEARCH CONFIGURATION c (copy = nothing)

CREATE TEXT SEARCH CONFIGURATION c (copy = english)

CREATE TEXT SEARCH CONFIGURATION empty (parser = pg_catalog.default)

SELECT to_tsvector('empty', 'some words'), to_tsvector('c', 'The stars are many')

SELECT to_tsvector('nocfg', 'x')

ALTER TEXT SEARCH CONFIGURATION c ADD MAPPING FOR blank WITH nod

ALTER TEXT SEARCH CONFIGURATION c ADD MAPPING FOR noword WITH simple

ALTER TEXT SEARCH CONFIGURATION c ADD MAPPING FOR blank, tag WITH d, simple

ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR asciiword WITH d, english_stem

SELECT * FROM ts_debug('c', 'the Stars 12')

SELECT to_tsvector('c', 'The stars are many'), plainto_tsquery('c', 'the stars'), ts_headline('c', 'The stars are many', 'star')

ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR asciiword WITH d

SELECT to_tsvector('c', 'The stars 12 are many 13')

ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING REPLACE english_stem WITH simple

ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR word REPLACE simple WITH english_stem

ALTER TEXT SEARCH CONFIGURATION c DROP MAPPING FOR blank

ALTER TEXT SEARCH CONFIGURATION c DROP MAPPING FOR blank

ALTER TEXT SEARCH CONFIGURATION c DROP MAPPING IF EXISTS FOR blank

SELECT maptokentype, mapseqno, mapdict::regdictionary FROM pg_ts_config_map WHERE mapcfg = 'c'::regconfig ORDER BY 1, 2

DROP TEXT SEARCH DICTIONARY d

DROP TEXT SEARCH CONFIGURATION noc

DROP TEXT SEARCH CONFIGURATION IF EXISTS noc

DROP TEXT SEARCH DICTIONARY nod

ALTER TEXT SEARCH CONFIGURATION c RENAME TO empty

ALTER TEXT SEARCH CONFIGURATION c RENAME TO c2

ALTER TEXT SEARCH CONFIGURATION c2 SET SCHEMA nosch

COMMENT ON TEXT SEARCH CONFIGURATION c2 IS 'mine'

SELECT obj_description('c2'::regconfig, 'pg_ts_config'), 'c2'::regconfig::text, 'public.c2'::regconfig, 'c2'::regconfig::oid > 16000

SELECT pg_describe_object('pg_ts_config'::regclass, 'c2'::regconfig::oid, 0), pg_describe_object('pg_ts_dict'::regclass, 'd'::regdictionary::oid, 0)

SELECT type, schema, name, identity FROM pg_identify_object('pg_ts_dict'::regclass, 'd'::regdictionary::oid, 0)

SET default_text_search_config = 'public.c2'

SELECT get_current_ts_config(), to_tsvector('stars the')

SET default_text_search_config = 'nosuch'

SET default_text_search_config = 'public.nosuch'

CREATE SCHEMA far

ALTER TEXT SEARCH CONFIGURATION c2 SET SCHEMA far

SELECT cfgname, cfgnamespace::regnamespace, pg_ts_config_is_visible(oid) FROM pg_ts_config WHERE oid > 16000 ORDER BY 1

SELECT cfgname, oid::regconfig FROM pg_ts_config WHERE oid > 16000 ORDER BY 1

CREATE TABLE docs (body text)

INSERT INTO docs VALUES ('The stars are many'), ('one star')

CREATE INDEX docs_words ON docs USING gin (to_tsvector('far.c2'::regconfig, body))

INSERT INTO docs VALUES ('Stars')

SELECT body FROM docs WHERE to_tsvector('far.c2'::regconfig, body) @@ to_tsquery('simple', 'stars') ORDER BY 1

RESET default_text_search_config

DROP TABLE docs

DROP TEXT SEARCH DICTIONARY d CASCADE

SELECT count(*) FROM pg_ts_config WHERE oid > 16000

DROP SCHEMA far CASCADE

SELECT tmplname, tmplinit, tmpllexize FROM pg_ts_template ORDER BY 1
