/**
 * Merges of definitions as one table. Each case runs twice, the second time with the sides changed over: what comes
 * out must be the same, or the same conflicts. A conflict with `resolved` is then merged with `resolve` ours and
 * theirs, and once more by picks; the queries return the result.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Conflict } from '../../../src/commands/contract.ts';
import { TestDatabase } from '../session/open-database.ts';

interface Case {
  readonly name: string;
  readonly base?: string;
  readonly one: string;
  readonly two: string;
  /** Queries over the merged world, and their lines; the order of columns is that of `one` merged into `two`'s world only where it says so. */
  readonly merged?: Readonly<Record<string, readonly string[]>>;
  /** Keys, with the SQLSTATE where there is one. */
  readonly conflicts?: readonly string[];
  /** Asked where side one stands, and where side two does. */
  readonly resolved?: { readonly query: string; readonly one: readonly string[]; readonly two: readonly string[] };
  /** Rows of side two that are conflicts of their own where side one is merged into it and its table wins. */
  readonly lost?: readonly string[];
}

const T = 'CREATE TABLE t (id int PRIMARY KEY, a int, b text); INSERT INTO t VALUES (1, 10, $$x$$), (2, 20, $$y$$)';
const FAMILY =
  'CREATE TABLE t (id int PRIMARY KEY); CREATE OPERATOR FAMILY f USING btree; CREATE OPERATOR CLASS o FOR TYPE int USING btree FAMILY f AS OPERATOR 1 <';
const NAMES = `SELECT string_agg(column_name, ',' ORDER BY column_name) FROM information_schema.columns WHERE table_name = 't'`;

const CASES: readonly Case[] = [
  // --- made by both
  {
    name: 'equal tables made apart are one',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id int PRIMARY KEY, a int NOT NULL); INSERT INTO t VALUES (2, 2)',
    merged: { 'SELECT * FROM t ORDER BY id': ['1 1', '2 2'] },
  },
  {
    name: 'equal tables made apart, one row of both',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 2)',
    conflicts: ['t/1'],
    resolved: { query: 'SELECT * FROM t', one: ['1 1'], two: ['1 2'] },
  },
  {
    name: 'tables of one name with other columns',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id int PRIMARY KEY, b text); INSERT INTO t VALUES (2, $$two$$)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: 'SELECT * FROM t', one: ['1 1'], two: ['2 two'] },
  },
  {
    name: 'a dictionary of one side and a configuration of the other',
    one: `CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple, STOPWORDS = english)`,
    two: `CREATE TEXT SEARCH CONFIGURATION c (COPY = english)`,
    merged: { [`SELECT dictname, (SELECT cfgname FROM pg_ts_config WHERE oid > 16000) FROM pg_ts_dict WHERE oid > 16000`]: ['d c'] },
  },
  {
    name: 'configurations of one name with other mappings',
    base: `CREATE TEXT SEARCH CONFIGURATION c (COPY = english)`,
    one: `ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR asciiword WITH simple`,
    two: `ALTER TEXT SEARCH CONFIGURATION c DROP MAPPING FOR asciiword`,
    conflicts: ['_svc_schema/text%20search%20configuration:c'],
    resolved: { query: `SELECT to_tsvector('c', 'stars')`, one: [`'stars':1`], two: [''] },
  },
  {
    name: 'a dictionary dropped here and mapped to there',
    base: `CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = simple); CREATE TEXT SEARCH CONFIGURATION c (COPY = english)`,
    one: `DROP TEXT SEARCH DICTIONARY d`,
    two: `ALTER TEXT SEARCH CONFIGURATION c ALTER MAPPING FOR asciiword WITH d`,
    conflicts: ['_svc_schema/text%20search%20configuration:c'],
  },
  {
    name: 'tables that both sides added to one publication',
    base: `${T}; CREATE TABLE u (a int); CREATE TABLE v (a int); CREATE PUBLICATION p FOR TABLE t`,
    one: `ALTER PUBLICATION p ADD TABLE u; ALTER PUBLICATION p SET (publish = 'insert, update, delete')`,
    two: `ALTER PUBLICATION p ADD TABLE v WHERE (a > 1); ALTER PUBLICATION p SET (publish_via_partition_root); ALTER TABLE t RENAME b TO c`,
    merged: {
      'SELECT tablename, attnames::text, rowfilter FROM pg_publication_tables ORDER BY 1': ['t {id,a,c} null', 'u {a} null', 'v {a} (a > 1)'],
      'SELECT pubtruncate, pubviaroot FROM pg_publication': ['false true'],
    },
  },
  {
    name: 'publications of one name that publish other changes',
    one: `CREATE PUBLICATION p`,
    two: `CREATE PUBLICATION p WITH (publish = 'insert')`,
    conflicts: ['_svc_schema/publication:p'],
    resolved: { query: 'SELECT pubinsert, pubdelete FROM pg_publication', one: ['true true'], two: ['true false'] },
  },
  {
    name: 'a publication dropped here, one of its tables there',
    base: `${T}; CREATE TABLE u (a int); CREATE PUBLICATION p FOR TABLE t, u; CREATE PUBLICATION q FOR TABLE t, u`,
    one: `DROP PUBLICATION p`,
    two: `DROP TABLE u; ALTER TABLE t RENAME a TO n`,
    merged: { 'SELECT pubname, tablename, attnames::text FROM pg_publication_tables': ['q t {id,n,b}'] },
  },
  {
    name: 'a condition of a publication over a column that is renamed there',
    base: `${T}; CREATE PUBLICATION p`,
    one: `ALTER PUBLICATION p ADD TABLE t (id, a) WHERE (a > 1)`,
    two: `ALTER TABLE t RENAME a TO n`,
    merged: { 'SELECT attnames::text, rowfilter FROM pg_publication_tables': ['{id,n} (n > 1)'] },
  },
  {
    name: 'a column published here and dropped there',
    base: `${T}; CREATE PUBLICATION p`,
    one: `ALTER PUBLICATION p ADD TABLE t (id, a)`,
    two: `ALTER TABLE t DROP a`,
    conflicts: ['_svc_schema/publication%20table:p.t'],
  },
  {
    name: 'one subscription with other publications',
    base: `CREATE SUBSCRIPTION s CONNECTION 'dbname=x' PUBLICATION p WITH (connect = false)`,
    one: `ALTER SUBSCRIPTION s ADD PUBLICATION q WITH (refresh = false)`,
    two: `ALTER SUBSCRIPTION s ADD PUBLICATION r WITH (refresh = false)`,
    conflicts: ['_svc_schema/subscription:s'],
    resolved: { query: 'SELECT subpublications::text FROM pg_subscription', one: ['{p,q}'], two: ['{p,r}'] },
  },
  {
    name: 'members that both sides added to one operator family',
    base: FAMILY,
    one: `ALTER OPERATOR FAMILY f USING btree ADD OPERATOR 1 < (int, bigint)`,
    two: `ALTER OPERATOR FAMILY f USING btree ADD OPERATOR 2 <= (int, bigint); ALTER OPERATOR FAMILY f USING btree RENAME TO g; CREATE INDEX i ON t (id o)`,
    merged: {
      "SELECT pg_describe_object('pg_amop'::regclass, oid, 0) FROM pg_amop WHERE oid > 16383 ORDER BY 1": [
        'operator 1 (integer, bigint) of operator family g for access method btree: <(integer,bigint)',
        'operator 1 (integer, integer) of operator family g for access method btree: <(integer,integer)',
        'operator 2 (integer, bigint) of operator family g for access method btree: <=(integer,bigint)',
      ],
      "SELECT pg_get_indexdef('i'::regclass)": ['CREATE INDEX i ON public.t USING btree (id o)'],
    },
  },
  {
    name: 'one place of an operator family with two operators',
    base: `${FAMILY}; CREATE OPERATOR <# (LEFTARG = int, RIGHTARG = bigint, FUNCTION = int48lt)`,
    one: `ALTER OPERATOR FAMILY f USING btree ADD OPERATOR 1 < (int, bigint)`,
    two: `ALTER OPERATOR FAMILY f USING btree ADD OPERATOR 1 <# (int, bigint)`,
    conflicts: ['_svc_schema/family%20operator:f%20using%20btree.1(integer%2Cbigint)'],
    resolved: {
      query: 'SELECT oprname FROM pg_amop JOIN pg_operator p ON p.oid = amopopr WHERE amoprighttype = 20 AND pg_amop.oid > 16383',
      one: ['<'],
      two: ['<#'],
    },
  },
  {
    name: 'an operator class dropped here, an index over it made there',
    base: FAMILY,
    one: 'DROP OPERATOR CLASS o USING btree',
    two: 'CREATE INDEX i ON t (id o)',
    conflicts: ['_svc_schema/index:i'],
  },
  {
    name: 'an operator family dropped here, a class of it made there',
    base: FAMILY,
    one: 'DROP OPERATOR FAMILY f USING btree',
    two: 'CREATE OPERATOR CLASS o2 FOR TYPE bigint USING btree FAMILY f AS OPERATOR 1 <',
    conflicts: ['_svc_schema/operator%20class:o2%20using%20btree'],
  },
  {
    name: 'a server dropped here, a mapping and a table of it added there',
    base: `CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w`,
    one: `DROP SERVER s`,
    two: `CREATE USER MAPPING FOR PUBLIC SERVER s; CREATE FOREIGN TABLE f (a int) SERVER s`,
    conflicts: ['_svc_schema/table:f', '_svc_schema/user%20mapping:s.0'],
  },
  {
    name: 'options of a foreign table here, a column there, another server beside them',
    base: `CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE f (a int) SERVER s OPTIONS (x '1')`,
    one: `ALTER FOREIGN TABLE f OPTIONS (SET x '2'); CREATE SERVER s2 FOREIGN DATA WRAPPER w`,
    two: `ALTER FOREIGN TABLE f ADD b text OPTIONS (y 'z'); ALTER SERVER s VERSION '1'; CREATE USER MAPPING FOR PUBLIC SERVER s`,
    merged: {
      'SELECT ftoptions::text FROM pg_foreign_table': ['{x=2}'],
      "SELECT attname, attfdwoptions::text FROM pg_attribute WHERE attrelid = 'f'::regclass AND attnum > 0 ORDER BY 1": ['a null', 'b {y=z}'],
      'SELECT srvname, srvversion FROM pg_foreign_server ORDER BY 1': ['s 1', 's2 null'],
    },
  },
  {
    name: 'servers of one name with other options',
    base: `CREATE FOREIGN DATA WRAPPER w`,
    one: `CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS (a '1')`,
    two: `CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS (a '2')`,
    conflicts: ['_svc_schema/server:s'],
    resolved: { query: 'SELECT srvoptions::text FROM pg_foreign_server', one: ['{a=1}'], two: ['{a=2}'] },
  },
  {
    name: 'tables of one name with other types',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id int PRIMARY KEY, a text); INSERT INTO t VALUES (2, $$two$$)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: 'SELECT * FROM t', one: ['1 1'], two: ['2 two'] },
  },
  {
    name: 'tables of one name with other keys',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id text PRIMARY KEY, a int); INSERT INTO t VALUES ($$k$$, 2)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: 'SELECT * FROM t', one: ['1 1'], two: ['k 2'] },
  },
  {
    name: 'tables of one name with other constraints',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int CHECK (a > 0)); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id int PRIMARY KEY, a int UNIQUE); INSERT INTO t VALUES (2, 2)',
    conflicts: ['_svc_schema/table:t'],
    resolved: {
      query: `SELECT conname, (SELECT id FROM t) FROM pg_constraint WHERE conrelid = 't'::regclass AND contype <> 'p'`,
      one: ['t_a_check 1'],
      two: ['t_a_key 2'],
    },
  },
  {
    name: 'tables of one name, one with an index more',
    one: 'CREATE TABLE t (id int PRIMARY KEY, a int); CREATE INDEX t_a ON t (a); INSERT INTO t VALUES (1, 1)',
    two: 'CREATE TABLE t (id int PRIMARY KEY, a int); INSERT INTO t VALUES (2, 2)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: `SELECT (SELECT count(*) FROM pg_indexes WHERE tablename = 't') AS i, (SELECT id FROM t)`, one: ['2 1'], two: ['1 2'] },
  },
  {
    name: 'a table and a view of one name',
    one: 'CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (7)',
    two: 'CREATE VIEW t AS SELECT 8 AS id',
    conflicts: ['_svc_schema/*:t'],
    resolved: { query: 'SELECT * FROM t', one: ['7'], two: ['8'] },
  },
  {
    name: 'equal views made apart are one',
    one: 'CREATE VIEW v AS SELECT 1 AS x',
    two: 'CREATE VIEW v AS SELECT 1 AS x',
    merged: { 'SELECT * FROM v': ['1'] },
  },
  {
    name: 'views of one name that differ',
    one: 'CREATE VIEW v AS SELECT 1 AS x',
    two: 'CREATE VIEW v AS SELECT 2 AS x',
    conflicts: ['_svc_schema/view:v'],
    resolved: { query: 'SELECT * FROM v', one: ['1'], two: ['2'] },
  },
  {
    name: 'equal indexes made apart are one',
    base: T,
    one: 'CREATE INDEX i ON t (a)',
    two: 'CREATE INDEX i ON t (a)',
    merged: { "SELECT count(*) FROM pg_indexes WHERE indexname = 'i'": ['1'] },
  },
  {
    name: 'indexes of one name that differ',
    base: T,
    one: 'CREATE INDEX i ON t (a)',
    two: 'CREATE INDEX i ON t (b)',
    conflicts: ['_svc_schema/index:i'],
    resolved: {
      query: `SELECT attname FROM pg_attribute WHERE attrelid = 'i'::regclass`,
      one: ['a'],
      two: ['b'],
    },
  },
  {
    name: 'indexes of one name on two tables',
    base: `${T}; CREATE TABLE u (id int PRIMARY KEY, c int)`,
    one: 'CREATE INDEX i ON t (a)',
    two: 'CREATE INDEX i ON u (c)',
    conflicts: ['_svc_schema/index:i'],
    resolved: { query: `SELECT tablename FROM pg_indexes WHERE indexname = 'i'`, one: ['t'], two: ['u'] },
  },
  {
    name: 'sequences of one name that differ',
    one: 'CREATE SEQUENCE s INCREMENT 5',
    two: 'CREATE SEQUENCE s INCREMENT 7',
    conflicts: ['_svc_schema/sequence:s'],
    resolved: { query: `SELECT seqincrement FROM pg_sequence WHERE seqrelid = 's'::regclass`, one: ['5'], two: ['7'] },
  },
  {
    name: 'a domain made on one side, with rows',
    one: `CREATE DOMAIN pos AS int CHECK (VALUE > 0); CREATE TABLE t (id int PRIMARY KEY, a pos); INSERT INTO t VALUES (1, 5)`,
    two: `CREATE TABLE u (id int PRIMARY KEY)`,
    merged: { 'SELECT a, a + 1 FROM t': ['5 6'], 'SELECT domain_name FROM information_schema.domains': ['pos'] },
  },
  {
    name: 'different rules of one domain join',
    base: `CREATE DOMAIN pos AS int`,
    one: `ALTER DOMAIN pos SET NOT NULL`,
    two: `ALTER DOMAIN pos SET DEFAULT 3`,
    merged: { [`SELECT typnotnull, typdefault FROM pg_type WHERE typname = 'pos'`]: ['true 3'] },
  },
  {
    name: 'an attribute more on one side, rows of the old form on the other',
    base: `CREATE TYPE pair AS (a int, b text); CREATE TABLE t (id int PRIMARY KEY, p pair); INSERT INTO t VALUES (1, (1, 'x'))`,
    one: `ALTER TYPE pair ADD ATTRIBUTE c bool; UPDATE t SET p.c = true`,
    two: `INSERT INTO t VALUES (2, (2, 'y'))`,
    merged: { 'SELECT p::text FROM t ORDER BY id': ['(1,x,t)', '(2,y,)'] },
  },
  {
    name: 'an attribute less on one side, rows with it on the other',
    base: `CREATE TYPE pair AS (a int, b text); CREATE TABLE t (id int PRIMARY KEY, p pair)`,
    one: `ALTER TYPE pair DROP ATTRIBUTE a`,
    two: `INSERT INTO t VALUES (2, (2, 'y'))`,
    merged: { 'SELECT p::text FROM t ORDER BY id': ['(y)'] },
  },
  {
    name: 'enum types of one name that differ',
    one: `CREATE TYPE mood AS ENUM ('sad', 'ok')`,
    two: `CREATE TYPE mood AS ENUM ('ok', 'happy')`,
    conflicts: ['_svc_schema/type:mood'],
    resolved: { query: `SELECT enum_range(NULL::mood)`, one: ['["sad","ok"]'], two: ['["ok","happy"]'] },
  },
  {
    name: 'schemas of one name are one',
    one: 'CREATE SCHEMA s; CREATE TABLE s.x (id int)',
    two: 'CREATE SCHEMA s; CREATE TABLE s.y (id int)',
    merged: { "SELECT table_name FROM information_schema.tables WHERE table_schema = 's' ORDER BY 1": ['x', 'y'] },
  },
  {
    name: 'functions of one name that differ',
    one: 'CREATE FUNCTION f(a int, b text) RETURNS int LANGUAGE sql RETURN a + 1',
    two: 'CREATE FUNCTION f(a int, b text) RETURNS int LANGUAGE sql RETURN a + 2',
    conflicts: ['_svc_schema/function:f(integer%2Ctext)'],
    resolved: { query: `SELECT f(0, '')`, one: ['1'], two: ['2'] },
  },
  {
    name: 'functions of one name and other arguments are two',
    one: 'CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql RETURN a + 1',
    two: 'CREATE FUNCTION f(a text) RETURNS text LANGUAGE sql RETURN a',
    merged: { "SELECT f(1), f('x'::text) AS t": ['2 x'] },
  },
  {
    name: 'a materialized view that both refreshed',
    base: `${T}; CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM t`,
    one: 'INSERT INTO t VALUES (3, 30, $$z$$); REFRESH MATERIALIZED VIEW m',
    two: 'DELETE FROM t; REFRESH MATERIALIZED VIEW m',
    merged: { 'SELECT count(*) FROM m': ['1'], 'REFRESH MATERIALIZED VIEW m; SELECT n FROM m': ['1'] },
  },
  // --- tables and columns of both
  {
    name: 'columns that both add',
    base: T,
    one: 'ALTER TABLE t ADD COLUMN c int DEFAULT 1',
    two: 'ALTER TABLE t ADD COLUMN d int DEFAULT 2',
    merged: { 'SELECT id, a, b, c, d FROM t ORDER BY id': ['1 10 x 1 2', '2 20 y 1 2'] },
  },
  {
    name: 'a column with a default, and rows of a table that had none',
    base: 'CREATE TABLE t (id int PRIMARY KEY)',
    one: 'ALTER TABLE t ADD COLUMN c int DEFAULT 7',
    two: 'INSERT INTO t VALUES (1), (2)',
    merged: { 'SELECT id, c FROM t ORDER BY id': ['1 7', '2 7'] },
  },
  {
    name: 'a column whose default gives each row its own, and new rows',
    base: 'CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)',
    one: 'ALTER TABLE t ADD COLUMN c float DEFAULT random() + 1',
    two: 'INSERT INTO t VALUES (2), (3)',
    merged: { 'SELECT count(*), count(DISTINCT c) AS own, min(c) >= 1 AS given FROM t': ['3 3 true'] },
  },
  {
    name: 'such a column, and rows of a table that had none',
    base: 'CREATE TABLE t (id int PRIMARY KEY)',
    one: 'ALTER TABLE t ADD COLUMN c float DEFAULT random() + 1',
    two: 'INSERT INTO t VALUES (2), (3)',
    merged: { 'SELECT count(*), count(DISTINCT c) AS own, min(c) >= 1 AS given FROM t': ['2 2 true'] },
  },
  {
    name: 'one column that both add alike',
    base: T,
    one: 'ALTER TABLE t ADD COLUMN c int; UPDATE t SET c = 1 WHERE id = 1',
    two: 'ALTER TABLE t ADD COLUMN c int; UPDATE t SET c = 2 WHERE id = 2',
    merged: { 'SELECT id, c FROM t ORDER BY id': ['1 1', '2 2'] },
  },
  {
    name: 'one column that both add with other types',
    base: T,
    one: 'ALTER TABLE t ADD COLUMN c int; UPDATE t SET c = 1 WHERE id = 1',
    two: 'ALTER TABLE t ADD COLUMN c text; UPDATE t SET c = $$two$$ WHERE id = 2',
    conflicts: ['_svc_schema/column:t.c'],
    resolved: { query: 'SELECT id, c FROM t ORDER BY id', one: ['1 1', '2 null'], two: ['1 null', '2 two'] },
  },
  {
    name: 'one column that both add with other defaults',
    base: T,
    one: 'ALTER TABLE t ADD COLUMN c int DEFAULT 1',
    two: 'ALTER TABLE t ADD COLUMN c int DEFAULT 2',
    conflicts: ['_svc_schema/column:t.c'],
    resolved: { query: 'INSERT INTO t (id) VALUES (9) RETURNING c', one: ['1'], two: ['2'] },
  },
  {
    name: 'a column dropped and written',
    base: T,
    one: 'ALTER TABLE t DROP COLUMN a',
    two: 'UPDATE t SET a = 11 WHERE id = 1',
    conflicts: ['_svc_schema/column:t.a'],
    resolved: { query: NAMES, one: ['b,id'], two: ['a,b,id'] },
  },
  {
    name: 'a column with an index dropped and written',
    base: `${T}; CREATE INDEX t_a ON t (a)`,
    one: 'ALTER TABLE t DROP COLUMN a',
    two: 'INSERT INTO t VALUES (3, 30, $$z$$)',
    conflicts: ['_svc_schema/column:t.a'],
    resolved: {
      query: `SELECT (${NAMES}), (SELECT count(*) FROM pg_indexes WHERE indexname = 't_a') AS i, (SELECT count(*) FROM t) AS n`,
      one: ['b,id 0 3'],
      two: ['a,b,id 1 3'],
    },
  },
  {
    name: 'a column dropped, other columns written',
    base: T,
    one: 'ALTER TABLE t DROP COLUMN a',
    two: 'UPDATE t SET b = $$z$$ WHERE id = 1',
    merged: { 'SELECT * FROM t ORDER BY id': ['1 z', '2 y'] },
  },
  {
    name: 'a column dropped by both',
    base: T,
    one: 'ALTER TABLE t DROP COLUMN a',
    two: 'ALTER TABLE t DROP COLUMN a',
    merged: { 'SELECT * FROM t ORDER BY id': ['1 x', '2 y'] },
  },
  {
    name: 'a column renamed by both',
    base: T,
    one: 'ALTER TABLE t RENAME a TO one',
    two: 'ALTER TABLE t RENAME a TO two',
    conflicts: ['_svc_schema/column:t.a'],
    resolved: { query: NAMES, one: ['b,id,one'], two: ['b,id,two'] },
  },
  {
    name: 'two columns renamed to one name',
    base: T,
    one: 'ALTER TABLE t RENAME a TO c',
    two: 'ALTER TABLE t RENAME b TO c',
    conflicts: ['_svc_schema/column:t.c'],
  },
  {
    name: 'a column renamed, and its rows written',
    base: T,
    one: 'ALTER TABLE t RENAME a TO c',
    two: 'UPDATE t SET a = 11 WHERE id = 1',
    merged: { 'SELECT id, c FROM t ORDER BY id': ['1 11', '2 20'] },
  },
  {
    name: 'a column renamed, and a check, an index and a generated column made over it',
    base: T,
    one: 'ALTER TABLE t RENAME a TO c',
    two: 'ALTER TABLE t ADD CONSTRAINT pos CHECK (a > 0); CREATE INDEX t_ab ON t ((a + 1)); ALTER TABLE t ADD COLUMN g int GENERATED ALWAYS AS (a * 2) STORED',
    merged: { 'SELECT id, c, g FROM t ORDER BY id': ['1 10 20', '2 20 40'], 'INSERT INTO t (id, c) VALUES (3, 30) RETURNING g': ['60'] },
  },
  {
    name: 'a table renamed by both',
    base: T,
    one: 'ALTER TABLE t RENAME TO one',
    two: 'ALTER TABLE t RENAME TO two',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`, one: ['one'], two: ['two'] },
  },
  {
    name: 'a table renamed, and its rows written',
    base: T,
    one: 'ALTER TABLE t RENAME TO u',
    two: 'INSERT INTO t VALUES (3, 30, $$z$$)',
    merged: { 'SELECT count(*) FROM u': ['3'] },
  },
  {
    name: 'a type changed, and rows written',
    base: T,
    one: 'ALTER TABLE t ALTER a TYPE text USING a::text',
    two: 'INSERT INTO t VALUES (3, 30, $$z$$)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: 'SELECT pg_typeof(a), count(*) FROM t GROUP BY 1', one: ['text 2'], two: ['integer 3'] },
    lost: ['t/3'],
  },
  {
    name: 'a type changed, and no rows written',
    base: T,
    one: 'ALTER TABLE t ALTER a TYPE text USING a::text; UPDATE t SET a = $$ten$$ WHERE id = 1',
    two: 'ALTER TABLE t ALTER b SET DEFAULT $$q$$',
    merged: { 'SELECT a FROM t ORDER BY id': ['ten', '20'] },
  },
  {
    name: 'a type changed by both to different ones',
    base: T,
    one: 'ALTER TABLE t ALTER a TYPE text USING a::text',
    two: 'ALTER TABLE t ALTER a TYPE numeric',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: 'SELECT pg_typeof(a) FROM t LIMIT 1', one: ['text'], two: ['numeric'] },
  },
  {
    name: 'a type changed by both alike',
    base: T,
    one: 'ALTER TABLE t ALTER a TYPE bigint',
    two: 'ALTER TABLE t ALTER a TYPE bigint',
    merged: { 'SELECT pg_typeof(a), a FROM t ORDER BY a': ['bigint 10', 'bigint 20'] },
  },
  {
    name: 'another primary key, and rows written',
    base: T,
    one: 'ALTER TABLE t DROP CONSTRAINT t_pkey; ALTER TABLE t ADD PRIMARY KEY (b)',
    two: 'INSERT INTO t VALUES (3, 30, $$z$$)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: `SELECT count(*) FROM t`, one: ['2'], two: ['3'] },
    lost: ['t/3'],
  },
  {
    name: 'a table dropped, and rows written',
    base: T,
    one: 'DROP TABLE t',
    two: 'INSERT INTO t VALUES (3, 30, $$z$$)',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: `SELECT count(*) FROM pg_class WHERE relname = 't'`, one: ['0'], two: ['1'] },
  },
  {
    name: 'a table dropped, and a view made over it',
    base: T,
    one: 'DROP TABLE t',
    two: 'CREATE VIEW v AS SELECT a FROM t',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: `SELECT count(*) FROM pg_class WHERE relname IN ('t', 'v')`, one: ['0'], two: ['2'] },
  },
  {
    name: 'a table dropped, and a foreign key made to it',
    base: `${T}; CREATE TABLE u (id int PRIMARY KEY, t int)`,
    one: 'DROP TABLE t',
    two: 'ALTER TABLE u ADD FOREIGN KEY (t) REFERENCES t',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: `SELECT count(*) FROM pg_constraint WHERE contype = 'f'`, one: ['0'], two: ['1'] },
  },
  {
    name: 'a column dropped, and a view made over it',
    base: T,
    one: 'ALTER TABLE t DROP COLUMN a',
    two: 'CREATE VIEW v AS SELECT a FROM t',
    conflicts: ['_svc_schema/view:v'],
    resolved: { query: `SELECT (${NAMES}), (SELECT count(*) FROM pg_class WHERE relname = 'v')`, one: ['b,id 0'], two: ['a,b,id 1'] },
  },
  {
    name: 'a column dropped, and an index made over it',
    base: T,
    one: 'ALTER TABLE t DROP COLUMN a',
    two: 'CREATE INDEX i ON t (a)',
    conflicts: ['_svc_schema/index:i'],
    resolved: { query: NAMES, one: ['b,id'], two: ['a,b,id'] },
  },
  {
    name: 'a schema renamed, and a table, a view and a function made in it',
    base: 'CREATE SCHEMA a; CREATE TABLE a.t (id int PRIMARY KEY); INSERT INTO a.t VALUES (1)',
    one: 'ALTER SCHEMA a RENAME TO b',
    two: `CREATE TABLE a.u (id int PRIMARY KEY REFERENCES a.t, n serial); INSERT INTO a.u VALUES (1);
      CREATE VIEW a.v AS SELECT count(*) AS n FROM a.u; CREATE FUNCTION a.f() RETURNS bigint BEGIN ATOMIC SELECT n FROM a.v; END`,
    merged: { 'SELECT id, n, b.f() FROM b.u': ['1 1 1'], [`SELECT relname FROM pg_class c WHERE relnamespace <> 'b'::regnamespace AND oid > 16000`]: [] },
  },
  {
    name: 'schemas that swap names, and tables made in both',
    base: 'CREATE SCHEMA a; CREATE SCHEMA b',
    one: 'ALTER SCHEMA a RENAME TO c; ALTER SCHEMA b RENAME TO a; ALTER SCHEMA c RENAME TO b',
    two: 'CREATE TABLE a.ofa (id int); CREATE TABLE b.ofb (id int)',
    merged: { [`SELECT relnamespace::regnamespace, relname FROM pg_class WHERE relname LIKE 'of%' ORDER BY 2`]: ['b ofa', 'a ofb'] },
  },
  {
    name: 'a schema renamed, and a table in it keyed anew',
    base: 'CREATE SCHEMA a; CREATE TABLE a.t (id int PRIMARY KEY, x int); INSERT INTO a.t VALUES (1, 2)',
    one: 'ALTER SCHEMA a RENAME TO b',
    two: 'ALTER TABLE a.t DROP CONSTRAINT t_pkey',
    merged: { 'SELECT * FROM b.t': ['1 2'], [`SELECT count(*) FROM pg_constraint WHERE conrelid = 'b.t'::regclass`]: ['0'] },
  },
  {
    name: 'a table keyed anew, and the same table renamed and given columns, an index, a check and a comment',
    base: T,
    one: 'ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (a)',
    two: `ALTER TABLE t RENAME TO u; ALTER TABLE u ADD c int DEFAULT 7, ADD CONSTRAINT low CHECK (a < 100); CREATE INDEX by_c ON u (c);
      CREATE VIEW v AS SELECT c FROM u; COMMENT ON COLUMN u.a IS 'said'; ALTER TABLE u ALTER b SET DEFAULT 'z'`,
    merged: {
      'SELECT * FROM u ORDER BY id': ['1 10 x 7', '2 20 y 7'],
      'SELECT count(*) FROM u WHERE c = 7': ['2'],
      'SELECT c FROM v': ['7', '7'],
      [`SELECT conname FROM pg_constraint WHERE conrelid = 'u'::regclass ORDER BY 1`]: ['low', 't_pkey'],
      [`SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'p' AND conrelid = 'u'::regclass`]: ['PRIMARY KEY (a)'],
      [`SELECT col_description('u'::regclass, 2)`]: ['said'],
    },
  },
  {
    name: 'a table keyed anew with new rows, and a check that they break',
    base: T,
    one: 'ALTER TABLE t DROP CONSTRAINT t_pkey; INSERT INTO t VALUES (3, -1, $$z$$)',
    two: 'ALTER TABLE t ADD CONSTRAINT pos CHECK (a > 0)',
    conflicts: ['t/* 23514'],
  },
  {
    name: 'a table keyed by a column that the other side drops',
    base: T,
    one: 'ALTER TABLE t DROP CONSTRAINT t_pkey, ADD PRIMARY KEY (a)',
    two: 'ALTER TABLE t DROP a',
    conflicts: ['_svc_schema/table:t'],
    resolved: { query: NAMES, one: ['a,b,id'], two: ['b,id'] },
  },
  {
    name: 'a column dropped, and a trigger whose condition reads it',
    base: T,
    one: 'ALTER TABLE t DROP b',
    two: 'CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW WHEN (new.b IS NULL) EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    conflicts: ['_svc_schema/trigger:t.g'],
    resolved: { query: NAMES, one: ['a,id'], two: ['a,b,id'] },
  },
  {
    name: 'a schema dropped, and a table made in it',
    base: 'CREATE SCHEMA s',
    one: 'DROP SCHEMA s',
    two: 'CREATE TABLE s.x (id int)',
    conflicts: ['_svc_schema/table:s.x'],
    resolved: { query: `SELECT count(*) FROM pg_class WHERE relname = 'x'`, one: ['0'], two: ['1'] },
  },
  {
    name: 'a type dropped, and a column made of it',
    base: `${T}; CREATE TYPE mood AS ENUM ('sad')`,
    one: 'DROP TYPE mood',
    two: 'ALTER TABLE t ADD COLUMN m mood',
    conflicts: ['_svc_schema/column:t.m'],
    resolved: { query: NAMES, one: ['a,b,id'], two: ['a,b,id,m'] },
  },
  {
    name: 'a view changed by both',
    base: 'CREATE VIEW v AS SELECT 1 AS x',
    one: 'CREATE OR REPLACE VIEW v AS SELECT 2 AS x',
    two: 'CREATE OR REPLACE VIEW v AS SELECT 3 AS x',
    conflicts: ['_svc_schema/view:v'],
    resolved: { query: 'SELECT * FROM v', one: ['2'], two: ['3'] },
  },
  {
    name: 'labels that both add at different places',
    base: `CREATE TYPE mood AS ENUM ('sad', 'ok')`,
    one: `ALTER TYPE mood ADD VALUE 'awful' BEFORE 'sad'`,
    two: `ALTER TYPE mood ADD VALUE 'happy'`,
    merged: { 'SELECT enum_range(NULL::mood)': ['["awful","sad","ok","happy"]'] },
  },
  {
    name: 'labels that both add at one place',
    base: `CREATE TYPE mood AS ENUM ('sad', 'ok')`,
    one: `ALTER TYPE mood ADD VALUE 'glad'`,
    two: `ALTER TYPE mood ADD VALUE 'happy'`,
    conflicts: ['_svc_schema/type:mood'],
    resolved: { query: 'SELECT enum_range(NULL::mood)', one: ['["sad","ok","glad"]'], two: ['["sad","ok","happy"]'] },
  },
  {
    name: 'comments of both',
    base: T,
    one: `COMMENT ON TABLE t IS 'one'`,
    two: `COMMENT ON TABLE t IS 'two'`,
    conflicts: ['_svc_schema/comment:table:t'],
    resolved: { query: `SELECT obj_description('t'::regclass)`, one: ['one'], two: ['two'] },
  },
  // --- constraints of one side, rows of the other
  {
    name: 'NOT NULL added, and a null written',
    base: T,
    one: 'ALTER TABLE t ALTER a SET NOT NULL',
    two: 'INSERT INTO t (id) VALUES (3)',
    conflicts: ['t/3 23502'],
  },
  {
    name: 'CHECK added, and a row written that breaks it',
    base: T,
    one: 'ALTER TABLE t ADD CHECK (a < 100)',
    two: 'INSERT INTO t VALUES (3, 300, NULL)',
    conflicts: ['t/3 23514'],
  },
  {
    name: 'UNIQUE added, and a row written twice',
    base: T,
    one: 'ALTER TABLE t ADD UNIQUE (a)',
    two: 'INSERT INTO t VALUES (3, 10, NULL)',
    conflicts: ['t/* 23505'],
  },
  {
    name: 'a foreign key added, and a row written that points nowhere',
    base: `${T}; CREATE TABLE u (id int PRIMARY KEY, t int)`,
    one: 'ALTER TABLE u ADD FOREIGN KEY (t) REFERENCES t',
    two: 'INSERT INTO u VALUES (1, 99)',
    conflicts: ['*/* 23503'],
  },
  {
    name: 'a foreign key added, and a row that it needs deleted',
    base: `${T}; CREATE TABLE u (id int PRIMARY KEY, t int); INSERT INTO u VALUES (1, 2)`,
    one: 'ALTER TABLE u ADD FOREIGN KEY (t) REFERENCES t',
    two: 'DELETE FROM t WHERE id = 2',
    conflicts: ['*/* 23503'],
  },
  {
    name: 'a unique value that both write',
    base: `${T}; ALTER TABLE t ADD UNIQUE (a)`,
    one: 'INSERT INTO t VALUES (3, 99, NULL)',
    two: 'INSERT INTO t VALUES (4, 99, NULL)',
    conflicts: ['t/* 23505'],
  },
  {
    name: 'a row that one side points at and the other deletes',
    base: `${T}; CREATE TABLE u (id int PRIMARY KEY, t int REFERENCES t)`,
    one: 'INSERT INTO u VALUES (1, 2)',
    two: 'DELETE FROM t WHERE id = 2',
    conflicts: ['*/* 23503'],
  },
  {
    name: 'rows that keep what the other side asks',
    base: T,
    one: 'ALTER TABLE t ADD CHECK (a < 100); ALTER TABLE t ADD UNIQUE (a); ALTER TABLE t ALTER b SET NOT NULL',
    two: 'INSERT INTO t VALUES (3, 30, $$z$$)',
    merged: { 'SELECT count(*) FROM t': ['3'] },
  },
  // --- sequences of columns
  {
    name: 'a serial column made here in a table that was moved there',
    base: `${T}; CREATE SCHEMA side`,
    one: 'ALTER TABLE t ADD COLUMN n serial; INSERT INTO t (id) VALUES (3)',
    two: 'ALTER TABLE t SET SCHEMA side',
    merged: {
      'SELECT id, n FROM side.t ORDER BY id': ['1 1', '2 2', '3 3'],
      'INSERT INTO side.t (id) VALUES (4) RETURNING n': ['4'],
      [`SELECT relnamespace::regnamespace FROM pg_class WHERE relname = 't_n_seq'`]: ['side'],
      [`SELECT pg_get_serial_sequence('side.t', 'n')`]: ['side.t_n_seq'],
    },
  },
  {
    name: 'a serial column made here in a table that was given away there',
    base: T,
    one: 'ALTER TABLE t ADD COLUMN n serial',
    two: 'ALTER TABLE t OWNER TO keeper',
    merged: { [`SELECT relname, relowner::regrole FROM pg_class WHERE relname IN ('t', 't_n_seq') ORDER BY 1`]: ['t keeper', 't_n_seq keeper'] },
  },
  {
    name: 'a default that calls a sequence here, which is renamed there',
    base: `${T}; CREATE SEQUENCE tickets`,
    one: `ALTER TABLE t ALTER a SET DEFAULT nextval('tickets'), ALTER b SET DEFAULT 'no ' || nextval('public.tickets')`,
    two: 'ALTER SEQUENCE tickets RENAME TO passes',
    merged: { 'INSERT INTO t (id) VALUES (3) RETURNING a, b': ['1 no 2'] },
  },
  // --- the schema public
  {
    name: 'the schema public dropped here and a table made in it there',
    one: 'DROP SCHEMA public',
    two: 'CREATE TABLE t (id int PRIMARY KEY)',
    conflicts: ['_svc_schema/table:t'],
  },
  {
    name: 'the schema public made anew by both',
    base: T,
    one: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE u (a int)',
    two: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE v (a int)',
    merged: { [`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`]: ['u', 'v'] },
  },
];

let t: TestDatabase;
let n = 0;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE ROLE keeper');
});
afterAll(() => t.close());

interface Sides {
  readonly parent: string;
  readonly branch: string;
}

/** Two worlds as the case has them: `parent` did what is said first. */
async function worlds({ base }: Case, ours: string, theirs: string): Promise<Sides> {
  const parent = `p${++n}`;
  const branch = `b${n}`;
  await t.run(`CREATE WORLD ${parent} FROM main`);
  if (base !== undefined) await t.run(base, parent);
  await t.run(`CREATE WORLD ${branch} FROM ${parent}`);
  await t.run(ours, parent);
  await t.run(theirs, branch);
  return { parent, branch };
}

async function conflictsOf({ branch }: Sides): Promise<Conflict[]> {
  const error = await t.db.commands.merge({ branch }).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SvcError)) throw error ?? new Error('it should be in conflict');
  expect(error.status).toBe(409);
  const conflicts = error.data!['conflicts'] as Conflict[];
  expect((await t.db.commands.preview({ branch })).conflicts).toEqual(conflicts);
  return conflicts;
}

const named = ({ key, code }: Conflict): string => (code === undefined ? key : `${key} ${code}`);
const matches = (wanted: string, found: string): boolean => new RegExp(`^${wanted.replace(/[.$()|+?]/g, '\\$&').replaceAll('*', '[^ ]*')}$`).test(found);

describe.each(CASES)('$name', (each) => {
  for (const flipped of [false, true]) {
    const [ours, theirs] = flipped ? [each.two, each.one] : [each.one, each.two];
    test(flipped ? 'sides changed over' : 'as written', async () => {
      const sides = await worlds(each, ours, theirs);
      if (each.merged !== undefined) {
        expect((await t.db.commands.preview({ branch: sides.branch })).conflicts).toEqual([]);
        await t.db.commands.merge({ branch: sides.branch });
        for (const [query, lines] of Object.entries(each.merged)) expect(await t.lines(query, sides.parent), query).toEqual(lines);
        return;
      }
      const found = await conflictsOf(sides);
      expect(found.map(named).filter((key) => !each.conflicts!.some((wanted) => matches(wanted, key)))).toEqual([]);
      expect(each.conflicts!.filter((wanted) => !found.some((one) => matches(wanted, named(one))))).toEqual([]);
      for (const { explanation } of found) {
        if (found[0].code !== undefined) break;
        expect(explanation).toContain(`"${sides.parent}"`);
        expect(explanation).toContain(`"${sides.branch}"`);
      }
      if (each.resolved === undefined) return;
      const { query, one, two } = each.resolved;
      for (const winner of ['ours', 'theirs'] as const) {
        const expected = (winner === 'ours') === flipped ? two : one;
        const again = await worlds(each, ours, theirs);
        // Rows that the branch never saw go only where that is said of each.
        const going = Object.fromEntries(flipped && winner === 'theirs' ? (each.lost ?? []).map((key) => [key, winner]) : []);
        if (Object.keys(going).length > 0) {
          const conflicts = Object.keys(going).map((key) => ({ key, base: null, theirs: null }));
          await expect(t.db.commands.merge({ branch: again.branch, resolve: winner })).rejects.toMatchObject({ code: 'SV409', data: { conflicts } });
        }
        await t.db.commands.merge({ branch: again.branch, resolve: winner, ...(Object.keys(going).length === 0 ? {} : { picks: going }) });
        expect(await t.lines(query, again.parent), `resolve ${winner}`).toEqual(expected);
        const picked = await worlds(each, ours, theirs);
        const picks = { ...Object.fromEntries((await conflictsOf(picked)).map(({ key }) => [key, winner])), ...going };
        await t.run(`MERGE WORLD ${picked.branch} ROWS '${JSON.stringify(picks)}'`);
        expect(await t.lines(query, picked.parent), `picked ${winner}`).toEqual(expected);
      }
    });
  }
});
