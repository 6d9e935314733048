/** A dump of one folder restored into another is the same database: the dumps of both are the same text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseExactJson } from '../../src/base/exact-json.ts';
import type { Json } from '../../src/base/json.ts';
import { postgresInstalled } from '../postgres-bin.ts';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { type Served, serve } from '../wire/open-server.ts';
import { program, type Ran, run } from './client-programs.ts';

const pgDump = program('pg_dump');
const pgRestore = program('pg_restore');
const pgDumpAll = program('pg_dumpall');
const psql = program('psql');

const SCHEMA = String.raw`
CREATE SCHEMA shop;
CREATE DOMAIN shop.percent AS numeric(5,2) DEFAULT 50 NOT NULL CONSTRAINT percent_range CHECK (VALUE >= 0 AND VALUE <= 100);
CREATE TYPE shop.address AS (street text, zip varchar(10), at inet);
CREATE TYPE span AS RANGE (subtype = float8);
CREATE TABLE kinds (
  id int PRIMARY KEY, rate shop.percent, home shop.address, homes shop.address[], during tstzrange, spans int4multirange, mine span, bits bit(3), more varbit(5),
  net cidr, mac macaddr, cost money, path jsonpath
);
INSERT INTO kinds VALUES (1, 12.5, ROW('a "b"', '1', '10.0.0.1'), ARRAY[ROW('c', NULL, '::1')]::shop.address[], '[2026-01-01 00:00+00,)', '{[1,3),[5,7)}', '[1.5,2)',
  B'101', B'1', '10.0.0.0/8', '08:00:2b:01:02:03', 9.99, 'strict $."a"');
CREATE TYPE shop.mood AS ENUM ('sad', 'ok', 'it''s fine');
CREATE TABLE shop.users (
  id serial PRIMARY KEY, name text NOT NULL, email varchar(80) UNIQUE, mood shop.mood DEFAULT 'ok', moods shop.mood[] DEFAULT '{sad}', born date,
  meta jsonb DEFAULT '{}', tags text[], score numeric(10,2) CHECK (score >= 0), seen timestamptz(3), raw bytea, flag bool, real8 float8, day interval
);
CREATE TABLE items (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5) PRIMARY KEY,
  owner int NOT NULL REFERENCES shop.users (id) ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
  parent bigint REFERENCES items,
  title text NOT NULL COLLATE "C", price numeric(8,2) DEFAULT 0, total numeric GENERATED ALWAYS AS (price * 2) STORED, active bool DEFAULT true,
  "Odd name" char(3) DEFAULT 'a''b', UNIQUE (owner, title), CONSTRAINT price_ok CHECK (price >= 0 AND price < 100000 AND title <> '')
);
CREATE TABLE keyless (a int, b text DEFAULT nextval('shop.users_id_seq')::text);
CREATE UNIQUE INDEX items_title ON items (lower(title), (price + 1) DESC NULLS LAST) INCLUDE (active) WHERE active AND price > 1.5;
CREATE VIEW shop.active AS SELECT i.id, i.title, u.name AS "owner name", u.mood = 'ok'::shop.mood AS ok FROM items i JOIN shop.users u ON u.id = i.owner WHERE i.active;
CREATE VIEW counted (owner, n) AS WITH mine AS (SELECT * FROM items WHERE price > 0) SELECT owner, count(*) FROM mine GROUP BY owner;
CREATE VIEW nested AS SELECT * FROM shop.active WHERE id IN (SELECT id FROM items);
CREATE SEQUENCE seq AS smallint INCREMENT -5 MINVALUE -100 MAXVALUE 100 START 50 CYCLE CACHE 2;
COMMENT ON TABLE items IS 'things to sell';
COMMENT ON COLUMN items.title IS 'what it''s called';
INSERT INTO shop.users (name, email, born, tags, score, moods, seen, raw, flag, real8, day) VALUES
  ('Ann', 'ann@x.org', '1980-02-03', '{a,"b c",NULL,"NULL"}', 1.5, '{ok,"it''s fine"}', '2020-01-02 03:04:05.678+00', '\x00ff5c', true, 0.1, '1 mon 2 days 03:04:05.6'),
  ('Bob', NULL, 'infinity', '{{a,b},{c,d}}', 'NaN', NULL, '-infinity', '', false, '-Infinity', NULL);
INSERT INTO items (owner, title, price) VALUES (1, 'lamp', 10), (1, E'ch\tair\n\\x \\.', 22.5), (2, 'naïve ☺', 0);
UPDATE items SET parent = 10 WHERE id > 10;
INSERT INTO keyless SELECT g FROM generate_series(1, 1000) g;
SELECT nextval('seq'), nextval('seq');
CREATE TABLE base (a int PRIMARY KEY, b text DEFAULT 'x' NOT NULL, CONSTRAINT low CHECK (a > 0), CONSTRAINT alone CHECK (a < 1000) NO INHERIT);
CREATE TABLE derived (c int) INHERITS (base);
CREATE TABLE parts (id int NOT NULL, at date NOT NULL, v text DEFAULT 'q', PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE parts_old PARTITION OF parts FOR VALUES FROM (MINVALUE) TO ('2020-01-01');
CREATE TABLE parts_2020 PARTITION OF parts (v DEFAULT 'two', CONSTRAINT mine CHECK (id > 0)) FOR VALUES FROM ('2020-01-01') TO ('2021-01-01') PARTITION BY LIST (id);
CREATE TABLE parts_2020_a PARTITION OF parts_2020 FOR VALUES IN (1, 2);
CREATE TABLE parts_2020_rest PARTITION OF parts_2020 DEFAULT;
CREATE INDEX parts_v ON parts (v);
CREATE INDEX parts_at ON ONLY parts (at);
ALTER TABLE parts ADD CONSTRAINT parts_user FOREIGN KEY (id) REFERENCES shop.users ON DELETE CASCADE;
INSERT INTO base VALUES (1); INSERT INTO derived VALUES (2, 'd', 3);
INSERT INTO parts VALUES (1, '2019-05-05', 'r'), (1, '2020-05-05', 's'), (2, '2020-06-06', NULL);
CREATE TABLE hashed (a int, b text) PARTITION BY HASH (a, lower(b));
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (modulus 2, remainder 1);
INSERT INTO hashed SELECT g, 'X' || g FROM generate_series(1, 20) g;
CREATE TABLE points (id int, at date, FOREIGN KEY (id, at) REFERENCES parts);
INSERT INTO points VALUES (1, '2020-05-05');
CREATE TABLE journal (what text, id int, at date DEFAULT '2020-01-01');
CREATE RULE written AS ON INSERT TO keyless DO ALSO (INSERT INTO journal SELECT 'new', NEW.a WHERE NEW.a > 5000; NOTIFY written, 'it''s');
CREATE RULE "Odd rule" AS ON DELETE TO shop.active DO INSTEAD UPDATE items SET active = false WHERE items.id = OLD.id RETURNING items.id, items.title, 'x'::text, true;
ALTER TABLE keyless DISABLE RULE written;
COMMENT ON RULE written ON keyless IS 'kept';
CREATE TEXT SEARCH DICTIONARY shop.plain (TEMPLATE = simple, STOPWORDS = english, ACCEPT = false);
CREATE TEXT SEARCH DICTIONARY stems (TEMPLATE = snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION shop.words (COPY = english);
ALTER TEXT SEARCH CONFIGURATION shop.words ALTER MAPPING FOR asciiword, word WITH shop.plain, stems;
COMMENT ON TEXT SEARCH CONFIGURATION shop.words IS 'of goods';
CREATE INDEX items_words ON items USING gin (to_tsvector('shop.words'::regconfig, title));
CREATE PUBLICATION everything FOR ALL TABLES WITH (publish = 'insert, delete');
CREATE PUBLICATION choice FOR TABLE items (id, title) WHERE (price > 1 AND title <> 'x'), ONLY base, parts WHERE (v IS NOT NULL) WITH (publish_via_partition_root);
CREATE PUBLICATION "of Shop" FOR TABLES IN SCHEMA shop, TABLE keyless;
COMMENT ON PUBLICATION choice IS 'not all';
CREATE TABLE lists (v text) PARTITION BY LIST (v);
CREATE EXTENSION file_fdw;
CREATE FUNCTION shop.any_option(text[], oid) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE FOREIGN DATA WRAPPER "Far away" VALIDATOR shop.any_option OPTIONS (debug 'it''s');
CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
CREATE SERVER "Server" TYPE 'old' VERSION '1.2' FOREIGN DATA WRAPPER "Far away" OPTIONS (host 'h', "Port" '1');
GRANT USAGE ON FOREIGN SERVER "Server" TO PUBLIC;
GRANT USAGE ON FOREIGN DATA WRAPPER "Far away" TO PUBLIC;
CREATE USER MAPPING FOR PUBLIC SERVER "Server" OPTIONS (name 'n', password 'p');
CREATE USER MAPPING FOR CURRENT_USER SERVER files;
CREATE FOREIGN TABLE shop.elsewhere (id int OPTIONS (key 'true') NOT NULL, price numeric(5,2) DEFAULT 1 CHECK (price > 0), "Note" text COLLATE "C") SERVER "Server" OPTIONS (path '/x');
CREATE FOREIGN TABLE passwords (line text OPTIONS (force_null 'true')) SERVER files OPTIONS (filename '/etc/motd', format 'csv', header 'true', delimiter ':');
CREATE FOREIGN TABLE hashed_far PARTITION OF lists FOR VALUES IN ('far') SERVER "Server";
CREATE FOREIGN TABLE derived_far (d date OPTIONS (x 'y')) INHERITS (base) SERVER "Server";
COMMENT ON FOREIGN TABLE shop.elsewhere IS 'not here';
COMMENT ON COLUMN shop.elsewhere.id IS 'its key';
COMMENT ON SERVER files IS 'of the machine';
COMMENT ON FOREIGN DATA WRAPPER "Far away" IS 'nobody reads it';
CREATE VIEW over_there AS SELECT line FROM passwords;
CREATE TYPE pair AS (a int, b text);
CREATE TABLE pairs OF pair (a PRIMARY KEY, b DEFAULT 'z');
CREATE TABLE booked (room int4range, during tsrange, CONSTRAINT alone_in EXCLUDE USING gist (room WITH =, during WITH &&) WHERE (room IS NOT NULL) DEFERRABLE);
`;

describe.skipIf(pgDump === null || psql === null || pgRestore === null || pgDumpAll === null)('pg_dump', () => {
  const servers: Served[] = [];
  let folder: string;
  let plain: string;
  const open = async (): Promise<Served> => {
    const served = await serve();
    servers.push(served);
    return served;
  };
  const at = ({ port }: Served): string[] => ['-h', '127.0.0.1', '-p', String(port), '-U', 'me'];
  const well = ({ code, err, out }: Ran): string => {
    expect(err.replaceAll(/^.*WARNING: {2}wal_level is insufficient.*\n(?:.*\n)??.*HINT: {2}Set wal_level.*\n/gm, '')).toBe('');
    expect(code).toBe(0);
    return out;
  };
  /** Without the keys that each dump generates. */
  const dump = async (from: Served, ...args: string[]): Promise<string> =>
    well(await run(pgDump!, [...at(from), ...args, 'main'])).replaceAll(/^\\(?:un)?restrict .*$/gm, '');
  const load = async (into: Served, text: string): Promise<string> =>
    well(await run(psql!, [...at(into), '-X', '-q', '-d', 'main', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'], text));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-dump-'));
    const source = await open();
    await load(source, SCHEMA);
    plain = await dump(source);
  });
  afterAll(async () => {
    for (const each of servers) await each.close();
    rmSync(folder, { recursive: true });
  });

  test('by several connections, into a database of its own', async () => {
    const source = await open();
    await load(source, SCHEMA);
    const parallel = join(folder, 'parallel');
    well(await run(pgDump!, [...at(source), '-j', '2', '-Fd', '-f', parallel, 'main']));
    await load(source, 'CREATE DATABASE restored');
    well(await run(pgRestore!, [...at(source), '-j', '2', '-d', 'restored', parallel]));
    const again = well(await run(pgDump!, [...at(source), 'restored'])).replaceAll(/^\\(?:un)?restrict .*$/gm, '');
    expect(again).toBe(plain);
  });

  test('with the database itself, created again, and its settings', async () => {
    const source = await open();
    await load(source, `${SCHEMA} CREATE DATABASE made; CREATE DATABASE other;`);
    const whole = join(folder, 'whole');
    well(
      await run(psql!, [
        ...at(source),
        '-X',
        '-q',
        '-d',
        'made',
        '-c',
        'CREATE TABLE kept (a int); INSERT INTO kept VALUES (7)',
        '-c',
        `ALTER DATABASE made SET work_mem = '8MB'`,
      ]),
    );
    well(await run(pgDump!, [...at(source), '-C', '-Fc', '-f', whole, 'made']));
    await load(source, 'DROP DATABASE made');
    well(await run(pgRestore!, [...at(source), '-C', '-d', 'other', whole]));
    const read = ['-X', '-A', '-t', '-d', 'made', '-c', 'TABLE kept', '-c', 'SHOW work_mem'];
    expect(well(await run(psql!, [...at(source), ...read]))).toBe('7\n8MB\n');
  });

  test('with large objects', async () => {
    const source = await open();
    await load(
      source,
      `${SCHEMA} SELECT lo_from_bytea(70001, convert_to(repeat('large ', 5000), 'UTF8')); COMMENT ON LARGE OBJECT 70001 IS 'much'; CREATE DATABASE apart;`,
    );
    const whole = join(folder, 'blobs');
    well(await run(pgDump!, [...at(source), '-Fc', '-f', whole, 'main']));
    well(await run(pgRestore!, [...at(source), '-d', 'apart', whole]));
    const read = ['-X', '-A', '-t', '-d', 'apart', '-c', "SELECT length(lo_get(70001)), obj_description(70001, 'pg_largeobject')"];
    expect(well(await run(psql!, [...at(source), ...read]))).toBe('30000|much\n');
    expect(well(await run(pgDump!, [...at(source), 'apart'])).replaceAll(/^\\(?:un)?restrict .*$/gm, '')).toBe(await dump(source));
  });

  test('has everything', () => {
    for (const part of [
      `mood shop.mood DEFAULT 'ok'::shop.mood`,
      `CREATE TYPE shop.mood AS ENUM`,
      'CREATE VIEW shop.active AS',
      'FROM (public.items i',
      `nextval('shop.users_id_seq'::regclass)`,
      'ADD GENERATED ALWAYS AS IDENTITY',
      'ON UPDATE SET NULL ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED',
      String.raw`ch\tair\n\\x \\.`,
      `COMMENT ON COLUMN public.items.title IS 'what it''s called'`,
      `SELECT pg_catalog.setval('public.seq'`,
    ]) {
      expect(plain).toContain(part);
    }
  });

  test('is restored by psql', async () => {
    const copy = await open();
    await load(copy, plain);
    expect(await dump(copy)).toBe(plain);
  });

  test('as INSERTs, for one schema or table', async () => {
    const inserts = await dump(servers[0], '--column-inserts');
    const copy = await open();
    await load(copy, inserts);
    expect(await dump(copy)).toBe(plain);
    expect(await dump(servers[0], '-n', 'shop', '--schema-only')).not.toContain('CREATE TABLE public.items');
    expect(await dump(servers[0], '-t', 'shop.users', '--data-only')).toContain('COPY shop.users');
  });

  test('is restored by pg_restore, over what is there too', async () => {
    const file = join(folder, 'custom');
    await dump(servers[0], '-Fc', '-f', file);
    const copy = await open();
    for (const more of [[], ['--clean', '--if-exists', '--single-transaction']]) {
      well(await run(pgRestore!, [...at(copy), '-d', 'main', ...more, file]));
      expect(await dump(copy)).toBe(plain);
    }
  });

  test('in a directory', async () => {
    const file = join(folder, 'jobs');
    await dump(servers[0], '-Fd', '-f', file);
    const copy = await open();
    well(await run(pgRestore!, [...at(copy), '-d', 'main', file]));
    expect(await dump(copy)).toBe(plain);
  });

  test.skipIf(!postgresInstalled)('of tables that take documents, into Postgres and back', async () => {
    const source = await open();
    const { database } = source;
    await database.put({
      table: 'docs',
      id: 'a',
      record: { n: 1, s: 'x', ok: true, list: [1, { b: null }], large: parseExactJson('9007199254740993.50') as Json },
    });
    await database.put({ table: 'docs', id: 'b', record: { n: 2.5, s: 'y' } });
    await database.put({ table: 'bare', id: 'only', record: { v: 'w' } });
    await load(
      source,
      `CREATE INDEX by_n ON docs (n); ALTER TABLE docs ADD CHECK (n > 0); ALTER TABLE docs ADD UNIQUE (s), ADD boss text REFERENCES docs; UPDATE docs SET boss = 'a' WHERE id = 'b';
       CREATE TABLE notes (slug text PRIMARY KEY, title varchar(9) NOT NULL) WITH (documents = on, fillfactor = 70); INSERT INTO notes VALUES ('n', 't'); CREATE TABLE refs (doc text REFERENCES docs ON DELETE CASCADE);`,
    );
    await database.put({ table: 'notes', id: 'm', record: { title: 'u', stars: 4 } });
    const text = await dump(source, '--no-owner');
    expect(text).not.toContain('documents');
    expect(text).toContain("WITH (fillfactor='70')");
    const postgres = await PostgresServer.start([], 'me');
    try {
      const there = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'me'];
      const psqlThere = async (...args: string[]): Promise<string> =>
        well(await run(psql!, [...there, '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', ...args]));
      await psqlThere('-d', 'postgres', '-c', 'CREATE DATABASE main');
      well(await run(psql!, [...there, '-X', '-q', '-d', 'main', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'], text));
      for (const query of [
        'TABLE docs ORDER BY id',
        'TABLE notes ORDER BY slug',
        'TABLE bare',
        String.raw`SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`,
      ]) {
        expect(await psqlThere('-d', 'main', '-c', query)).toBe(well(await run(psql!, [...at(source), '-X', '-q', '-A', '-t', '-d', 'main', '-c', query])));
      }
      const back = await open();
      await load(back, well(await run(pgDump!, [...there, '--no-owner', 'main'])));
      expect(await dump(back, '--no-owner')).toBe(text);
      await load(back, 'ALTER TABLE docs SET (documents = on)');
      await back.database.put({ table: 'docs', id: 'c', record: { n: 3, fresh: true } });
    } finally {
      await postgres.stop();
    }
  });

  test('of roles and all worlds', async () => {
    const out = well(await run(pgDumpAll!, [...at(servers[0]), '-l', 'main']));
    expect(out).toContain('CREATE ROLE');
    expect(out).toContain('-- Database "main" dump');
  });
});
