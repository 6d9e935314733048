/** Sources that are not as one expects: their names, values, settings of the role, definitions that change, connections that end. */
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseMask } from '../../src/attach/masks.ts';
import { writtenNames } from '../../src/attach/written-names.ts';
import type { SvcError } from '../../src/database.ts';
import { type Attached, rowsOf, Source } from './source.ts';

async function failure(run: Promise<unknown>): Promise<SvcError> {
  return run.then(
    (reply) => {
      throw new Error(`no error, but ${JSON.stringify(reply)}`);
    },
    (error: unknown) => error as SvcError,
  );
}

describe.runIf(Source.installed)('odd sources', () => {
  let source: Source;

  beforeAll(async () => {
    source = await Source.start(['max_connections=100']);
  }, 60_000);

  afterAll(() => source?.stop());

  async function changed(attached: Attached, branch: string, script: string): Promise<void> {
    await attached.db.fork({ name: branch });
    await using session = attached.db.session({ branch });
    await session.run(script);
  }

  /** Attaches the tables, merges the changes, and expects the same rows on both sides. */
  async function merged(script: string, changes: string, tables: string[], names?: string[]) {
    const { url, sql, name } = await source.database(script);
    await sql.query('SET TimeZone = UTC');
    const attached = await source.attached(url, names === undefined ? { schema: 'public' } : { tables: names });
    await changed(attached, 'w', changes);
    await attached.db.merge({ branch: 'w' });
    for (const table of tables) {
      const query = `SELECT (t.*)::text FROM ${table} AS t ORDER BY 1`;
      const here = await attached.rows(query);
      expect(here.length, table).toBeGreaterThan(0);
      expect([...here].sort(), table).toEqual([...(await rowsOf(sql, query))].sort());
    }
    return { attached, sql, name };
  }

  test('names with dots, commas, quotes, upper case and the name of their schema', async () => {
    expect(writtenNames(' a, "b,""c"."d.e" ,F.g,')).toEqual(['a', '"b,""c"."d.e"', 'F.g']);
    await merged(
      `CREATE SCHEMA "a.b"; CREATE SCHEMA users; CREATE TABLE users.users (id int PRIMARY KEY, v text); CREATE TABLE users (id int PRIMARY KEY, k int, n int, c0 int, source text, t text, value text);
       CREATE TABLE "a.b"."c""d,e" ("i'd" int PRIMARY KEY, "ü ñ" text, "A.B" text, "select" text UNIQUE); INSERT INTO "a.b"."c""d,e" VALUES (1, 'x', 'y', 'z'); INSERT INTO users VALUES (1, 2, 3, 4, 's', 't', 'v');
       INSERT INTO users.users VALUES (1, 'q'); CREATE TABLE "Tab" (id int PRIMARY KEY, v text); INSERT INTO "Tab" VALUES (1, 'x')`,
      `UPDATE users SET n = 9, k = 8, c0 = 7, source = 'z'; UPDATE users.users SET v = 'w'; UPDATE "a.b"."c""d,e" SET "ü ñ" = 'neu', "select" = 'all'; UPDATE "Tab" SET v = 'y'; INSERT INTO users (id) VALUES (7)`,
      ['users', 'users.users', '"a.b"."c""d,e"', '"Tab"'],
      ['users', 'users.users', '"a.b"."c""d,e"', 'Tab'],
    );
    const { url } = await source.database('CREATE SCHEMA a; CREATE TABLE a.b (id int PRIMARY KEY); CREATE TABLE "a.b" (id int PRIMARY KEY)');
    expect((await failure(source.attached(url, { tables: ['a.b', '"a.b"'] }))).data!['reasons']).toEqual([
      'public."a.b": its rows would have the same keys in svc as those of a.b',
    ]);
    expect(await failure(source.attached(url, { tables: ['a.b.c'] }))).toMatchObject({ code: '22023', hint: expect.stringContaining('double quotes') });
  });

  test('a value with another image of the same text is no change', async () => {
    await merged(`CREATE TABLE t (id int PRIMARY KEY, v int[], n int); INSERT INTO t VALUES (1, '{1,NULL}', 0); UPDATE t SET v[2] = 5`, 'UPDATE t SET n = 1', [
      't',
    ]);
  });

  test('keys of types of extensions, and keys that are equal but written otherwise', async () => {
    await merged(
      `CREATE EXTENSION ltree; CREATE EXTENSION citext; CREATE TABLE t (id ltree, c citext, n numeric, d date, PRIMARY KEY (id, c, n, d), v int); INSERT INTO t VALUES ('a.b', 'Ab', 1.0, 'infinity', 1), ('c', 'x', 'NaN', '-infinity', 2)`,
      `UPDATE t SET v = 5, n = 1.00 WHERE id = 'a.b'; INSERT INTO t VALUES ('new', 'X', 1, '2020-01-01', 1); DELETE FROM t WHERE id = 'c'`,
      ['t'],
    );
  });

  test('types without a binary form are copied as texts, names of objects of Postgres are refused', async () => {
    await merged(
      `CREATE TABLE t (id int PRIMARY KEY, a pg_lsn, b txid_snapshot, c pg_snapshot, n int); INSERT INTO t VALUES (1, '16/B374D848', '10:20:10,14', '10:20:10,14', 1)`,
      'UPDATE t SET n = 2; INSERT INTO t SELECT 2, a, b, c, 1 FROM t',
      ['t'],
    );
    const { url } = await source.database('CREATE TABLE t (id int PRIMARY KEY, r regclass, l regtype[], a aclitem[])');
    expect((await failure(source.attached(url))).data!['reasons']).toEqual([
      'public.t: column r is of type regclass, which names objects or roles of Postgres',
      'public.t: column l is of type regtype[], which names objects or roles of Postgres',
      'public.t: column a is of type aclitem[], which names objects or roles of Postgres',
    ]);
  });

  test('sequences go ahead in their direction and within their bounds, also those that a default alone uses', async () => {
    const { sql } = await merged(
      `CREATE SEQUENCE few MAXVALUE 100; CREATE SEQUENCE named; CREATE SEQUENCE loose;
       CREATE TABLE down (id int GENERATED BY DEFAULT AS IDENTITY (INCREMENT BY -1) PRIMARY KEY, v text); INSERT INTO down (v) VALUES ('a');
       CREATE TABLE few_rows (id int PRIMARY KEY DEFAULT nextval('few')); ALTER SEQUENCE few OWNED BY few_rows.id; CREATE TABLE named_rows (id text PRIMARY KEY DEFAULT 'k' || nextval('named')); ALTER SEQUENCE named OWNED BY named_rows.id;
       CREATE TABLE loose_rows (id int PRIMARY KEY DEFAULT nextval('loose'))`,
      `INSERT INTO down (id) VALUES (-5), (10); INSERT INTO few_rows VALUES (50), (1000); INSERT INTO named_rows VALUES ('k1x'), ('7'); INSERT INTO loose_rows VALUES (1), (2)`,
      ['down', 'few_rows', 'named_rows', 'loose_rows'],
    );
    expect(await rowsOf(sql, 'INSERT INTO down DEFAULT VALUES RETURNING id')).toEqual(['-6']);
    expect(await rowsOf(sql, 'INSERT INTO few_rows DEFAULT VALUES RETURNING id')).toEqual(['51']);
    expect(await rowsOf(sql, 'INSERT INTO named_rows DEFAULT VALUES RETURNING id')).toEqual(['k8']);
    expect(await rowsOf(sql, 'INSERT INTO loose_rows DEFAULT VALUES RETURNING id')).toEqual(['3']);
  });

  test('a table with a rule is refused, and a rule that is made later is drift', async () => {
    const { url, sql } = await source.database('CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1)');
    const attached = await source.attached(url);
    await sql.query('CREATE RULE silent AS ON DELETE TO t DO INSTEAD NOTHING');
    await changed(attached, 'w', 'UPDATE t SET v = 2');
    expect(await failure(attached.db.merge({ branch: 'w' }))).toMatchObject({ code: '55000', message: expect.stringContaining('it has a rule now') });
    expect((await failure(source.attached(url))).data!['reasons']).toEqual([expect.stringContaining('it has a rule (silent)')]);
  });

  test('settings of the role change no value, end no copy and weaken no commit', async () => {
    const { sql, name } = await source.database(
      `CREATE TABLE a (id int PRIMARY KEY, v text[], t timestamptz, b bytea, f float8, i interval, said text, slow text); INSERT INTO a SELECT i, '{NULL,x}', now(), '\\x00ff', i / 3.0, '1 day -2 hours', '' FROM generate_series(1, 3) AS i;
       CREATE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.said := current_setting(''synchronous_commit''); RETURN NEW; END'; CREATE TRIGGER say BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION say()`,
    );
    const role = `r_${name}`;
    const settings = {
      synchronous_commit: 'off', array_nulls: 'off', search_path: 'nowhere', DateStyle: 'German', TimeZone: 'Asia/Kolkata', extra_float_digits: '-3', bytea_output: 'escape', IntervalStyle: 'iso_8601', default_transaction_read_only: 'on',
      default_transaction_isolation: 'serializable', idle_in_transaction_session_timeout: '2s', statement_timeout: '2s', quote_all_identifiers: 'on', client_encoding: 'LATIN1', standard_conforming_strings: 'off',
    }; // prettier-ignore
    await sql.query(`CREATE ROLE ${role} LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON a TO ${role}`);
    for (const [setting, value] of Object.entries(settings)) await sql.query(`ALTER ROLE ${role} SET ${setting} = '${value}'`);
    const attached = await source.attached(source.url(name, role), { tables: ['a'], masks: [parseMask(`a.slow=(pg_catalog.pg_sleep(0.8)::text)`)] });
    await changed(attached, 'w', `UPDATE a SET v = v || '{"a\\\\b", "é", NULL}', t = t + interval '1 day'`);
    expect((await attached.db.preview({ branch: 'w' })).postgres!.error).toBeNull();
    await attached.db.merge({ branch: 'w' });
    expect(await rowsOf(sql, 'SELECT DISTINCT said FROM a')).toEqual(['on']);
    await sql.query('SET TimeZone = UTC');
    const query = 'SELECT id, v::text, t::text, b::text, f::text, i::text, said FROM a ORDER BY id';
    expect(await attached.rows(query)).toEqual(await rowsOf(sql, query));
  }, 30_000);

  test('a primary key, a label or a constraint that changed in Postgres is drift', async () => {
    const { url, sql } = await source.database(
      `CREATE TYPE label AS ENUM ('a'); CREATE TABLE t (id int PRIMARY KEY, v label); CREATE TABLE u (id int PRIMARY KEY, v int NOT NULL); INSERT INTO t VALUES (1, 'a'), (2, 'a'); INSERT INTO u VALUES (1, 1)`,
    );
    const attached = await source.attached(url);
    await sql.query(`ALTER TYPE label ADD VALUE 'b'`);
    await sql.query(`UPDATE t SET v = 'b' WHERE id = 1`);
    const has = (text: string): object => ({ code: '55000', message: expect.stringContaining(text), hint: expect.stringContaining('--detach') });
    expect(await failure(attached.db.refresh_attachment({}))).toMatchObject(has('has a row that main refuses: invalid input value for enum label: "b"'));
    await sql.query(`UPDATE t SET v = 'a' WHERE id = 1; ALTER TABLE u ALTER v DROP NOT NULL; INSERT INTO u VALUES (2, NULL)`);
    expect(await failure(attached.db.refresh_attachment({}))).toMatchObject(has('null value in column "v"'));
    await sql.query(`ALTER TABLE t DROP CONSTRAINT t_pkey; INSERT INTO t VALUES (1, 'a')`);
    await changed(attached, 'w', 'DELETE FROM t WHERE id = 1');
    expect(await failure(attached.db.merge({ branch: 'w' }))).toMatchObject(has('column id is not in the primary key now'));
    expect(await rowsOf(sql, 'SELECT count(*) FROM t')).toEqual(['3']);
  });

  test('a definition that changes while a refresh waits for it empties no table', async () => {
    const { url, sql, name } = await source.database('CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1), (2, 2)');
    const attached = await source.attached(url);
    await sql.query('BEGIN; ALTER TABLE t ALTER v TYPE bigint');
    const refreshing = failure(attached.db.refresh_attachment({}));
    const watcher = await source.client(name);
    for (let tries = 0; ; tries++) {
      const [waiting] = await rowsOf(watcher, `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'svc' AND wait_event_type = 'Lock'`);
      if (waiting === '1') break;
      expect(tries).toBeLessThan(300);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await sql.query('COMMIT');
    expect(await refreshing).toMatchObject({ code: '55000', message: expect.stringContaining('column v is of type bigint now') });
    expect(await attached.rows('SELECT id FROM t ORDER BY id')).toEqual(['1', '2']);
  }, 30_000);

  test('a connection that ends within a copy is an error, and the process continues', async () => {
    const { name } = await source.database(
      `CREATE TABLE t (id int PRIMARY KEY, v text, e int); INSERT INTO t SELECT i, repeat('x', 1000), 1 FROM generate_series(1, 20000) AS i`,
    );
    let bytes = Number.POSITIVE_INFINITY;
    const sockets = new Set<Socket>();
    const proxy = createServer((client) => {
      const server = connect(source.port, '127.0.0.1');
      const end = (): void => {
        client.destroy();
        server.destroy();
      };
      for (const socket of [client, server]) {
        sockets.add(socket);
        socket.on('error', end).on('close', end);
      }
      client.pipe(server, { end: false });
      server.on('data', (chunk: Buffer) => {
        bytes -= chunk.length;
        if (bytes < 0) end();
        else if (!client.write(chunk)) {
          server.pause();
          client.once('drain', () => server.resume());
        }
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const attached = await source.attached(`postgres://tester@127.0.0.1:${(proxy.address() as { port: number }).port}/${name}`);
      bytes = 5_000_000;
      expect(await failure(attached.db.refresh_attachment({}))).toMatchObject({ code: '08006', status: 503 });
      bytes = Number.POSITIVE_INFINITY;
      const sql = await source.client(name);
      // The reader leaves within the copy: the first row is refused.
      await sql.query('ALTER TABLE t ADD CONSTRAINT few CHECK (e < 5) NOT VALID; UPDATE t SET e = 0 WHERE id = 1');
      expect((await attached.db.refresh_attachment({})).tables).toEqual([{ table: 't', inserted: 0, updated: 1, deleted: 0 }]);
    } finally {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    }
  }, 60_000);

  test('an address whose files are missing is refused in words of svc, without the password', async () => {
    const error = await failure(source.attached('postgres://u:sesame-4711@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem'));
    expect(error).toMatchObject({ code: '08001', message: expect.stringContaining('ENOENT'), hint: expect.stringContaining('sslrootcert') });
    expect(JSON.stringify([error.message, error.hint, error.stack])).not.toContain('sesame');
  });
});
