/** Merges into main of an attached folder change Postgres in one checked transaction, and their undo takes that back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SvcError } from '../../src/database.ts';
import { FILMS } from './schemas.ts';
import { type Attached, rowsOf, Source } from './source.ts';

const SHOP = `
CREATE TABLE users (id serial PRIMARY KEY, name text NOT NULL, email text UNIQUE, note text);
CREATE TABLE orders (id int PRIMARY KEY, user_id int NOT NULL REFERENCES users, total numeric(10,2) CHECK (total >= 0), doc json, at point);
INSERT INTO users (name, email) VALUES ('ann', 'ann@x'), ('bob', 'bob@x'), ('cy', 'cy@x');
INSERT INTO orders VALUES (1, 1, 10.00, '{"a": 1}', '(1,2)'), (2, 2, 20.00, NULL, NULL);
`;

async function failure(run: Promise<unknown>): Promise<SvcError> {
  return run.then(
    (reply) => {
      throw new Error(`no error, but ${JSON.stringify(reply)}`);
    },
    (error: unknown) => error as SvcError,
  );
}

describe.runIf(Source.installed)('write-back', () => {
  let source: Source;

  beforeAll(async () => {
    source = await Source.start(['max_connections=60']);
  }, 60_000);

  afterAll(() => source?.stop());

  async function shop(script = SHOP): Promise<{ attached: Attached; sql: Awaited<ReturnType<Source['database']>>['sql']; name: string }> {
    const { url, sql, name } = await source.database(script);
    await sql.query('SET TimeZone = UTC');
    return { attached: await source.attached(url), sql, name };
  }

  async function changed(attached: Attached, branch: string, script: string): Promise<void> {
    await attached.db.fork({ name: branch });
    await using session = attached.db.session({ branch });
    await session.run(script);
  }

  async function expectSame(attached: Attached, sql: Awaited<ReturnType<typeof shop>>['sql'], tables = ['users', 'orders']): Promise<void> {
    for (const table of tables) {
      const query = `SELECT (t.*)::text FROM ${table} AS t ORDER BY 1`;
      expect(await attached.rows(query), table).toEqual(await rowsOf(sql, query));
    }
  }

  // contract: command.6
  test('a merge into main inserts, updates and deletes in Postgres, in any order of foreign keys', async () => {
    const { attached, sql } = await shop();
    await changed(
      attached,
      'w',
      `INSERT INTO users (id, name, email) VALUES (10, 'dee', 'ann@y'); UPDATE orders SET user_id = 10, doc = '{"a" : 2}', at = '(3,4)' WHERE id = 1; DELETE FROM users WHERE id = 1;
       INSERT INTO users (id, name, email) VALUES (11, 'eve', 'ann@x'); INSERT INTO orders VALUES (3, 11, 5, NULL, NULL); DELETE FROM orders WHERE id = 2; UPDATE users SET note = 'é''"\\,{}' WHERE id = 2`,
    );
    expect(await attached.db.merge({ branch: 'w' })).toEqual({ merged: 7 });
    await expectSame(attached, sql);
    expect(await rowsOf(sql, 'SELECT id FROM users ORDER BY id')).toEqual(['2', '3', '10', '11']);
    // The source's own next row does not meet a key that the merge inserted.
    expect(await rowsOf(sql, `INSERT INTO users (name) VALUES ('next') RETURNING id`)).toEqual(['12']);
  });

  test('rows of every type are written as they are', async () => {
    const { attached, sql } = await shop(FILMS);
    const tables = ['film', 'film_actor', 'language', 'staff', 'store'];
    await changed(
      attached,
      'w',
      `UPDATE film SET title = title || '!', special_features = special_features || '{a,"b,c"}'::text[], raw = '{"k":  2}', at = '(0,0)', info = jsonb_build_object('x', 1.50), cover = '\\xdead', took = '3 mons',
          span = '(1,9]', release_year = 1999, ratings = '{R}', rating = 'R', alone = 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' WHERE film_id = 100;
       UPDATE language SET name = 'Deutsch' WHERE language_id = 2; INSERT INTO staff (store_id, name) VALUES (1, 'New'); UPDATE store SET manager_id = 3 WHERE store_id = 1;
       INSERT INTO film (title, language_id) VALUES ('MADE HERE', 1); DELETE FROM film_actor WHERE actor = 'Ed/50%'`,
    );
    await attached.db.merge({ branch: 'w' });
    await expectSame(attached, sql, tables);
    await attached.db.undo_merge({ branch: 'w' });
    await expectSame(attached, sql, tables);
    expect(await rowsOf(sql, 'SELECT title FROM film ORDER BY 1')).toEqual(['ACADEMY DINOSAUR', 'ACE GOLDFINGER']);
  });

  test('a dry run of an undo says what Postgres would do, also as a statement, and changes nothing there', async () => {
    const { attached, sql } = await shop(SHOP);
    await changed(attached, 'w', `UPDATE users SET name = 'beth' WHERE id = 2; DELETE FROM orders WHERE id = 1`);
    await attached.db.merge({ branch: 'w' });
    const { undone, postgres } = await attached.db.undo_merge({ branch: 'w', dry_run: true });
    expect(undone).toBe(2);
    expect(postgres).toMatchObject({
      error: null,
      summary: [
        { table: 'orders', deleted: 0, updated: 0, inserted: 1 },
        { table: 'users', deleted: 0, updated: 1, inserted: 0 },
      ],
      rows: [],
    });
    expect(await rowsOf(sql, 'SELECT name FROM users WHERE id = 2')).toEqual(['beth']);
    const { results } = await attached.db.sql({ sql: 'UNDO MERGE w DRY RUN' });
    expect(results[0]!.rows.map((row) => (row['postgres'] as { error: null }).error)).toEqual([null, null]);
    // A constraint that came meanwhile refuses what would go back.
    await sql.query(`ALTER TABLE users ADD CHECK (name <> 'bob')`);
    expect((await attached.db.undo_merge({ branch: 'w', dry_run: true })).postgres!.error).not.toBeNull();
    await sql.query('ALTER TABLE users DROP CONSTRAINT users_name_check');
    await attached.db.undo_merge({ branch: 'w' });
    expect(await rowsOf(sql, 'SELECT name FROM users WHERE id = 2')).toEqual(['bob']);
    expect(await attached.db.get({ table: 'orders', id: '1' })).toBeTruthy();
  });

  // contract: merge.15
  test('a dry run says what Postgres would do, and changes nothing there', async () => {
    const { attached, sql } = await shop(`${SHOP}
      CREATE FUNCTION upper_name() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name := upper(NEW.name); RETURN NEW; END';
      CREATE TRIGGER shout BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION upper_name()`);
    await changed(attached, 'w', `UPDATE users SET name = 'beth' WHERE id = 2; DELETE FROM orders WHERE id = 1`);
    const { postgres } = await attached.db.preview({ branch: 'w' });
    expect(postgres).toEqual({
      source: expect.stringMatching(/^127\.0\.0\.1:\d+\/d\d+$/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      error: null,
      triggers: [{ table: 'users', name: 'shout', event: 'update' }],
      summary: [
        { table: 'orders', deleted: 1, updated: 0, inserted: 0 },
        { table: 'users', deleted: 0, updated: 1, inserted: 0 },
      ],
      rows: [{ key: 'users/2', changed: false, postgres: { id: 2, name: 'BETH', email: 'bob@x', note: null } }],
    });
    expect(await rowsOf(sql, 'SELECT name FROM users WHERE id = 2')).toEqual(['bob']);
    await sql.query(`UPDATE users SET note = 'moved' WHERE id = 2`);
    expect((await attached.db.preview({ branch: 'w' })).postgres!.rows).toEqual([
      { key: 'users/2', changed: true, postgres: { id: 2, name: 'BOB', email: 'bob@x', note: 'moved' } },
    ]);
    // What the trigger makes is taken over.
    await attached.db.merge({ branch: 'w', columns: true, resolve: 'theirs' });
    expect(await attached.rows('SELECT name, note FROM users WHERE id = 2')).toEqual(['BETH|moved']);
    await expectSame(attached, sql);
  });

  test('a row that changed in Postgres is a conflict with its row as ours, which picks decide', async () => {
    const { attached, sql } = await shop();
    await changed(
      attached,
      'w',
      `UPDATE users SET name = 'beth' WHERE id = 2; UPDATE users SET name = 'ci' WHERE id = 3; INSERT INTO users (id, name) VALUES (9, 'mine')`,
    );
    await sql.query(`UPDATE users SET name = 'robert' WHERE id = 2; DELETE FROM users WHERE id = 3; INSERT INTO users (id, name) VALUES (9, 'theirs')`);
    const { code, status, conflicts } = await failure(attached.db.merge({ branch: 'w' }));
    expect({ code, status }).toEqual({ code: 'SV409', status: 409 });
    expect(conflicts!.map(({ key, ours, theirs }) => [key, ours?.['name'], theirs?.['name']])).toEqual([
      ['users/2', 'robert', 'beth'],
      ['users/3', undefined, 'ci'],
      ['users/9', 'theirs', 'mine'],
    ]);
    expect(await rowsOf(sql, 'SELECT id, name FROM users ORDER BY id')).toEqual(['1|ann', '2|robert', '9|theirs']);
    await attached.db.merge({ branch: 'w', picks: { 'users/2': 'theirs', 'users/3': 'ours', 'users/9': { id: 9, name: 'both', email: null, note: null } } });
    expect(await rowsOf(sql, 'SELECT id, name FROM users ORDER BY id')).toEqual(['1|ann', '2|beth', '9|both']);
    await expectSame(attached, sql);
  });

  test('Postgres refuses what breaks a constraint of its own, and nothing is merged', async () => {
    const { attached, sql } = await shop(`${SHOP} CREATE TABLE notes (id int PRIMARY KEY REFERENCES users)`);
    await attached.db.postgres.detach(['notes'], { kind: 'owner' });
    await sql.query('INSERT INTO notes VALUES (3)');
    await changed(attached, 'w', 'DELETE FROM users WHERE id = 3');
    const error = await failure(attached.db.merge({ branch: 'w' }));
    expect([error.code, error.message]).toEqual(['23503', expect.stringContaining('notes_id_fkey')]);
    expect((await attached.db.preview({ branch: 'w' })).postgres!.error).toEqual({ code: '23503', message: expect.stringContaining('notes_id_fkey') });
    await expectSame(attached, sql);
    expect((await attached.db.attachment({})).pending).toBeNull();
  });

  test('main changes by merges alone, and definitions of attached tables do not', async () => {
    const { attached } = await shop();
    const codes: string[] = [];
    for (const sql of [
      'UPDATE users SET note = 1',
      'DELETE FROM orders',
      'TRUNCATE orders',
      'DROP TABLE orders',
      'ALTER TABLE users ADD COLUMN x int',
      'ALTER TABLE users DROP CONSTRAINT users_email_key',
    ]) {
      await using session = attached.db.session();
      codes.push((await failure(session.run(sql))).code);
    }
    codes.push((await failure(attached.db.put({ table: 'users', id: '1', record: { id: 1, name: 'x' } }))).code);
    codes.push((await failure(attached.db.delete({ table: 'orders', id: '1' }))).code);
    expect(codes).toEqual(Array.from({ length: 8 }, () => '42501'));
    // Other tables are free.
    await attached.db.put({ table: 'free', id: 'a', record: { v: 1 } });
    await changed(attached, 'w', 'ALTER TABLE users ADD COLUMN x int');
    expect((await failure(attached.db.merge({ branch: 'w' }))).code).toBe('0A000');
    await attached.db.checkpoint({ name: 'before' });
  });

  // contract: fixed.14
  test('a merge of more than 10,000 rows is refused without a connection, 10,000 are written', async () => {
    const { attached, sql } = await shop(
      `CREATE TABLE many (id int PRIMARY KEY, v text); INSERT INTO many SELECT i, 'v' || i FROM generate_series(1, 10001) AS i`,
    );
    await changed(attached, 'w', `UPDATE many SET v = v || 'x'`);
    attached.url = 'unused';
    expect((await failure(attached.db.merge({ branch: 'w' }))).code).toBe('54000');
    await using session = attached.db.session({ branch: 'w' });
    await session.run(`UPDATE many SET v = 'v10001' WHERE id = 10001`);
    const begun = performance.now();
    expect(await attached.db.merge({ branch: 'w' })).toEqual({ merged: 10_000 });
    console.log(`10,000 rows written back in ${Math.round(performance.now() - begun)} ms`);
    await expectSame(attached, sql, ['many']);
  });

  test('a role with SELECT, INSERT, UPDATE and DELETE suffices; one that only reads is refused', async () => {
    const { attached, sql, name } = await shop();
    await sql.query(
      `CREATE ROLE writer_${name} LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON users, orders TO writer_${name}; CREATE ROLE reader_${name} LOGIN; GRANT SELECT ON users, orders TO reader_${name}`,
    );
    await changed(attached, 'w', `UPDATE users SET note = 'n'; INSERT INTO orders VALUES (7, 1, 1, NULL, NULL); DELETE FROM orders WHERE id = 1`);
    await attached.close();
    attached.url = source.url(name, `reader_${name}`);
    await attached.open();
    const refused = await failure(attached.db.merge({ branch: 'w' }));
    expect([refused.code, refused.hint]).toEqual(['42501', expect.stringContaining('GRANT SELECT, INSERT, UPDATE, DELETE')]);
    await attached.close();
    attached.url = source.url(name, `writer_${name}`);
    await attached.open();
    await attached.db.merge({ branch: 'w' });
    await expectSame(attached, sql);
  });

  test('drift, another server, an outage and a lock are errors of their own, and nothing changes', async () => {
    const { attached, sql, name } = await shop();
    await changed(attached, 'w', `UPDATE users SET note = 'n' WHERE id = 1`);
    const merge = (): Promise<SvcError> => failure(attached.db.merge({ branch: 'w' }));
    const locker = await source.client(name);
    await locker.query('BEGIN; UPDATE users SET note = note WHERE id = 1');
    expect((await merge()).code).toBe('55P03');
    await locker.query('ROLLBACK');
    await sql.query('ALTER TABLE users ADD COLUMN fresh int');
    expect(await merge()).toMatchObject({ code: '55000', message: expect.stringContaining('column fresh is new') });
    await sql.query('ALTER TABLE users DROP COLUMN fresh');
    await attached.close();
    attached.url = 'postgres://tester@127.0.0.1:1/none';
    await attached.open();
    expect(await merge()).toMatchObject({ code: '08006', status: 503 });
    await attached.close();
    attached.url = source.url('postgres');
    await attached.open();
    expect(await merge()).toMatchObject({ code: '55000', message: expect.stringContaining('is not the server that was attached') });
    expect(await rowsOf(sql, 'SELECT note FROM users WHERE id = 1')).toEqual(['null']);
    await attached.close();
    attached.url = source.url(name);
    await attached.open();
    await attached.db.merge({ branch: 'w' });
    await expectSame(attached, sql);
  });

  test('concurrent writers of Postgres lose no change', async () => {
    const { attached, sql, name } = await shop(
      `CREATE TABLE counts (id int PRIMARY KEY, n int NOT NULL, m int NOT NULL); INSERT INTO counts SELECT i, 0, 0 FROM generate_series(1, 20) AS i`,
    );
    let stop = false;
    let done = 0;
    const writer = (async () => {
      const client = await source.client(name);
      while (!stop) {
        await client.query('UPDATE counts SET n = n + 1 WHERE id = $1', [1 + (done % 20)]);
        done++;
      }
    })();
    for (let i = 0; i < 15; i++) {
      await changed(attached, `w${i}`, 'UPDATE counts SET m = m + 1');
      // Both sides change other columns.
      await attached.db.merge({ branch: `w${i}`, columns: true });
    }
    stop = true;
    await writer;
    expect(await rowsOf(sql, 'SELECT sum(n), min(m), max(m) FROM counts')).toEqual([`${done}|15|15`]);
    await attached.db.refresh_attachment({});
    await expectSame(attached, sql, ['counts']);
  });

  test.each([
    ['reads', 'GRANT SELECT, INSERT, UPDATE, DELETE ON users, orders TO clerk; GRANT SELECT, UPDATE ON SEQUENCE users_id_seq TO clerk', []],
    [
      'may not read',
      'GRANT SELECT, INSERT, UPDATE, DELETE ON users, orders TO clerk',
      [expect.stringContaining('sequence public.users_id_seq: the role may not move it')],
    ],
  ])('after a refresh a fork gives no key that Postgres gave since, of a sequence that the role %s', async (_what, grants, notices) => {
    const { url, sql, name } = await source.database(
      `${SHOP}; CREATE SEQUENCE down_seq INCREMENT -1; ALTER TABLE orders ALTER id SET DEFAULT nextval('down_seq')`,
    );
    await sql.query(`DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN PASSWORD 'clerk'; ${grants}; GRANT CONNECT ON DATABASE "${name}" TO clerk`);
    const own = new URL(url);
    [own.username, own.password] = ['clerk', 'clerk'];
    const attached = await source.attached(own.href);
    expect(attached.notices.filter((notice) => notice.includes('users_id_seq'))).toEqual(notices);
    await sql.query(`INSERT INTO users (name) SELECT 'later' FROM generate_series(1, 5); INSERT INTO orders (user_id) SELECT 1 FROM generate_series(1, 3)`);
    await attached.db.refresh_attachment({});
    await changed(attached, 'w', `INSERT INTO users (name) VALUES ('from a fork')`);
    expect(await attached.db.merge({ branch: 'w' })).toEqual({ merged: 1 });
    expect(await rowsOf(sql, `SELECT id FROM users WHERE name = 'from a fork'`)).toEqual(['9']);
    // Again nothing moves, and no sequence goes back.
    await changed(attached, 'x', `INSERT INTO users (name) VALUES ('once more')`);
    await attached.db.refresh_attachment({});
    await attached.db.merge({ branch: 'x' });
    expect(await rowsOf(sql, `SELECT id FROM users WHERE name = 'once more'`)).toEqual(['10']);
    await attached.close();
    await sql.query(`DROP OWNED BY clerk; DROP ROLE clerk`);
  });

  test.each([
    ['down', 'INCREMENT -1', '-4'],
    ['up', 'INCREMENT 1', '4'],
  ])('a sequence that goes %s and that the role may not read continues behind the keys of its column', async (_way, increments, next) => {
    const { url, sql, name } = await source.database(
      `CREATE SEQUENCE own_seq ${increments}; CREATE TABLE kept (id int PRIMARY KEY DEFAULT nextval('own_seq'), v text); ALTER SEQUENCE own_seq OWNED BY kept.id;
       INSERT INTO kept (v) VALUES ('a'), ('b'), ('c'); CREATE SEQUENCE far_seq ${increments}; CREATE TABLE far (id int PRIMARY KEY DEFAULT nextval('far_seq')); ALTER SEQUENCE far_seq OWNED BY far.id;
       INSERT INTO far VALUES (-7), (0)`,
    );
    await sql.query(
      `DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN PASSWORD 'clerk'; GRANT SELECT, INSERT, UPDATE, DELETE ON kept, far TO clerk; GRANT CONNECT ON DATABASE "${name}" TO clerk`,
    );
    const own = new URL(url);
    [own.username, own.password] = ['clerk', 'clerk'];
    const attached = await source.attached(own.href);
    await changed(attached, 'w', `INSERT INTO kept (v) VALUES ('from a fork')`);
    expect(await attached.rows(`SELECT id FROM kept WHERE v = 'from a fork'`, 'w')).toEqual([next]);
    await attached.close();
    await sql.query(`DROP OWNED BY clerk; DROP ROLE clerk`);
  });

  test('a refresh takes changed rows into main, and open worlds meet them when they rebase', async () => {
    const { attached, sql } = await shop();
    await changed(attached, 'w', `UPDATE users SET name = 'beth' WHERE id = 2; UPDATE users SET name = 'anna' WHERE id = 1`);
    await sql.query(
      `UPDATE users SET name = 'robert' WHERE id = 2; INSERT INTO users VALUES (50, 'new', 'ann@x2', NULL); DELETE FROM orders WHERE id = 2; UPDATE users SET email = CASE id WHEN 1 THEN 't' ELSE email END`,
    );
    expect(await attached.db.refresh_attachment({})).toEqual({
      ok: true,
      tables: [
        { table: 'orders', inserted: 0, updated: 0, deleted: 1 },
        { table: 'users', inserted: 1, updated: 2, deleted: 0 },
      ],
    });
    await expectSame(attached, sql);
    const { conflicts } = await failure(attached.db.rebase({ branch: 'w' }));
    expect(conflicts!.map(({ key }) => key)).toEqual(['users/1', 'users/2']);
    await attached.db.rebase({ branch: 'w', columns: true, picks: { 'users/2': 'theirs' } });
    expect((await attached.db.refresh_attachment({})).tables.every(({ inserted, updated, deleted }) => inserted + updated + deleted === 0)).toBe(true);
    await attached.db.merge({ branch: 'w' });
    expect(await rowsOf(sql, 'SELECT name, email FROM users WHERE id < 3 ORDER BY id')).toEqual(['anna|t', 'beth|bob@x']);
    await expectSame(attached, sql);
  });
});
