/** Document tables as SQL tables, and typed tables through the row operations. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../../src/commands/contract.ts';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

describe('a document table', () => {
  beforeEach(async () => {
    await t.db.put({ table: 'docs', id: 'a', record: { n: 1, s: 'x', ok: true, list: [1, 2], none: null } });
    await t.db.put({ table: 'docs', id: 'b', record: { n: 2.5, extra: { k: 'v' } } });
  });

  test('has a column for each field, typed by what was seen', async () => {
    const { results } = await t.db.sql({ sql: 'SELECT * FROM docs ORDER BY id' });
    expect(results[0].types).toEqual(['text', 'double precision', 'text', 'boolean', 'jsonb', 'text', 'jsonb']);
    expect(results[0].rows[0]).toEqual({ id: 'a', n: 1, s: 'x', ok: true, list: [1, 2], none: null, extra: null });
    expect(await t.lines(`SELECT id, n * 2 AS m, list->>0 AS l, extra->>'k' AS k FROM docs ORDER BY n DESC`)).toEqual(['b 5 null v', 'a 2 1 null']);
    expect(await t.lines(`SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'docs' AND is_nullable = 'NO'`)).toEqual([
      'id text',
    ]);
  });

  test('a clash widens the column, and all rows read by it', async () => {
    await t.db.put({ table: 'docs', id: 'c', record: { n: 'three', s: 7 } });
    expect(await t.lines('SELECT id, n, s FROM docs ORDER BY id')).toEqual(['a 1 x', 'b 2.5 null', 'c three 7']);
    expect((await t.db.get({ table: 'docs', id: 'c' })).row).toEqual({ n: 'three', s: 7 });
    expect((await t.db.get({ table: 'docs', id: 'a' })).row).toEqual({ n: 1, s: 'x', ok: true, list: [1, 2], none: null });
  });

  test('a clash widens rows of all leaves, and undoing it narrows them again', async () => {
    const counts =
      'SELECT pg_typeof(s), pg_typeof(n), pg_typeof(ok), s::text, ok::text, count(*), sum(n::text::numeric) FROM many GROUP BY 1, 2, 3, 4, 5 ORDER BY 6 DESC, 4 LIMIT 2';
    await t.db.batch({ rows: Array.from({ length: 2000 }, (_, i) => ({ table: 'many', id: `k${i}`, record: { s: 'abc', n: i, ok: true } })) });
    await t.run('CREATE WORLD w');
    // Its neighbours in the leaf become as wide as it.
    await t.db.put({ branch: 'w', table: 'many', id: 'k1000', record: { s: 7, n: 'x', ok: 'no' } });
    expect(await t.lines(`SELECT s, n, ok, count(*), count(s) FROM many WHERE id BETWEEN 'k1000' AND 'k1001' GROUP BY 1, 2, 3 ORDER BY 1, 2`, 'w')).toEqual([
      'abc 1001 true 1 1',
      '7 x no 1 1',
    ]);
    expect(await t.lines(`SELECT s, count(*) FROM many GROUP BY 1 ORDER BY 2`, 'w')).toEqual(['7 1', 'abc 1999']);
    expect(await t.lines(`SELECT n FROM many WHERE id = 'k5'`, 'w')).toEqual(['5']);
    await t.run(`UPDATE many SET s = '"z"' WHERE id = 'k5'`, 'w');
    expect((await t.rows('DIFF WORLD w')).map(({ key, columns }) => [key, columns])).toEqual([
      ['many/k1000', ['n', 'ok', 's']],
      ['many/k5', ['s']],
    ]);
    await t.run('MERGE WORLD w');
    await t.run('UNDO MERGE w');
    expect(await t.lines(counts)).toEqual(['text bigint boolean abc true 2000 1999000']);
    await t.run(`UPDATE many SET s = 'q', ok = NOT ok WHERE id IN ('k1001', 'k1002')`);
    expect(await t.lines(counts)).toEqual(['text bigint boolean abc true 1998 1996997', 'text bigint boolean q false 2 2003']);
  });

  // contract: service.1
  test('is written by SQL too; absent fields stay absent', async () => {
    await t.run(`INSERT INTO docs (id, n, s) VALUES ('c', 7, 'z'); UPDATE docs SET s = 'y' WHERE id = 'b'; DELETE FROM docs WHERE id = 'a'`);
    expect((await t.db.find({ table: 'docs' })).hits.map(({ id, row }) => [id, row])).toEqual([
      ['b', { n: 2.5, s: 'y', extra: { k: 'v' } }],
      ['c', { n: 7, s: 'z' }],
    ]);
    await t.refused('23502', 'INSERT INTO docs (n) VALUES (1)');
    await t.refused('23505', `INSERT INTO docs (id) VALUES ('b')`);
    await t.run(`INSERT INTO docs (id, n) VALUES ('b', 9) ON CONFLICT (id) DO UPDATE SET n = excluded.n`);
    expect((await t.db.get({ table: 'docs', id: 'b' })).row).toEqual({ n: 9, s: 'y', extra: { k: 'v' } });
  });

  test('forks, diffs and merges with writes by SQL and by operations', async () => {
    await t.run('CREATE WORLD w');
    await t.run(`UPDATE docs SET n = n + 1`, 'w');
    await t.db.put({ branch: 'w', table: 'docs', id: 'new', record: { fresh: [true] } });
    expect((await t.rows('DIFF WORLD w')).map(({ key, change, columns }) => [key, change, columns])).toEqual([
      ['docs/a', 'update', ['n']],
      ['docs/b', 'update', ['n']],
      ['docs/new', 'insert', ['fresh']],
    ]);
    await t.run('MERGE WORLD w');
    expect(await t.lines('SELECT id, n, fresh FROM docs ORDER BY id')).toEqual(['a 2 null', 'b 3.5 null', 'new null [true]']);
    await t.run('UNDO MERGE w');
    expect(await t.lines('SELECT id, n FROM docs ORDER BY id')).toEqual(['a 1', 'b 2.5']);
  });

  test('dropped in a branch, and read by a view of the world merged into, it is a conflict', async () => {
    await t.run('CREATE WORLD w');
    await t.run('DROP TABLE docs', 'w');
    await t.run('CREATE VIEW v AS SELECT n FROM docs; CREATE MATERIALIZED VIEW m AS SELECT id FROM docs; CREATE VIEW vv AS SELECT * FROM v');
    const conflict = { key: '_svc_schema/table:docs' };
    expect((await t.db.commands.preview({ branch: 'w' })).conflicts).toMatchObject([conflict]);
    await t.refused('SV409', 'MERGE WORLD w');
    await t.run('CREATE WORLD other');
    await t.db.commands.merge({ branch: 'w', into: 'other', resolve: 'ours' });
    expect(await t.lines('SELECT count(*) FROM vv', 'other')).toEqual(['2']);
    await t.db.commands.merge({ branch: 'w', resolve: 'theirs' });
    expect(await t.lines(`SELECT relname FROM pg_class WHERE oid > 16000`)).toEqual([]);
    await t.run('UNDO MERGE w');
    expect(await t.lines('SELECT count(*) FROM vv')).toEqual(['2']);
  });

  test('undoing a merge takes tables and fields back that no row has', async () => {
    const columns = `SELECT table_name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_name) FROM information_schema.columns
      WHERE table_schema = 'public' GROUP BY 1 ORDER BY 1`;
    await t.db.put({ table: 'plain', id: 'a', record: { n: 1 } });
    const before = await t.lines(columns);
    await t.run('CREATE WORLD w');
    for (const table of ['plain', 'made', 'kept']) await t.db.put({ branch: 'w', table, id: 'w', record: { n: 'text', more: 1, own: 2 } });
    await t.db.commands.merge({ branch: 'w', into: 'main' });
    await t.run('UNDO MERGE w');
    expect(await t.lines(columns)).toEqual(before);
    await t.db.commands.merge({ branch: 'w', into: 'main' });
    expect(await t.lines('SELECT id, more FROM made')).toEqual(['w 1']);
    // A row and a view that came since keep what they have.
    await t.db.put({ table: 'kept', id: 'm', record: { own: 3 } });
    await t.run('CREATE VIEW v AS SELECT more FROM plain');
    await t.run('UNDO MERGE w');
    expect(await t.lines(columns)).toEqual([before[0], 'kept id text, own bigint', 'plain id text, more bigint, n bigint', 'v more bigint']);
    expect(await t.lines('SELECT * FROM kept')).toEqual(['m 3']);
  });

  test('joins typed tables', async () => {
    await t.run(`CREATE TABLE refs (doc text PRIMARY KEY, note text); INSERT INTO refs VALUES ('a', 'first'), ('z', 'none')`);
    expect(await t.lines('SELECT refs.doc, note, n FROM refs LEFT JOIN docs ON docs.id = refs.doc ORDER BY 1')).toEqual(['a first 1', 'z none null']);
  });
});

describe('a typed table through the row operations', () => {
  beforeEach(async () => {
    await t.run(
      `CREATE TABLE typed (id int PRIMARY KEY, name varchar(5) NOT NULL, price numeric(6,2) CHECK (price >= 0), at timestamptz DEFAULT '2026-01-01Z', data bytea, tags text[])`,
    );
    await t.run('CREATE UNIQUE INDEX by_name ON typed (name)');
  });

  // contract: value.6, service.1
  test('put coerces and fills defaults, get and find answer as SQL does', async () => {
    await t.db.put({ table: 'typed', id: '1', record: { id: 1, name: 'ann', price: '1.5', data: '\\x00ff', tags: ['a', 'b'] } });
    await t.db.put({ table: 'typed', id: '2', record: { name: 'bob', price: 2 } });
    const ann = { id: 1, name: 'ann', price: '1.50', at: '2026-01-01T00:00:00+00:00', data: '\\x00ff', tags: ['a', 'b'] };
    expect(await t.rows('SELECT * FROM typed WHERE id = 1')).toEqual([ann]);
    expect((await t.db.get({ table: 'typed', id: '1' })).row).toEqual(ann);
    for (const where of [{ name: 'bob' }, { price: '2.00' }, { id: 2 }, { tags: null }] as Row[]) {
      expect((await t.db.find({ table: 'typed', where })).hits.map(({ id }) => id)).toEqual(['2']);
    }
    // The whole row is replaced.
    await t.db.put({ table: 'typed', id: '1', record: { name: 'eve' } });
    expect((await t.db.get({ table: 'typed', id: '1' })).row).toMatchObject({ name: 'eve', price: null, tags: null });
    expect(await t.lines(`SELECT id FROM typed WHERE name = 'ann' OR name = 'eve'`)).toEqual(['1']);
    await t.db.delete({ table: 'typed', id: '1' });
    await refused('02000', t.db.get({ table: 'typed', id: '1' }));
  });

  test.each<[string, string, Record<string, string | number>]>([
    ['22001', '3', { name: 'too long' }],
    ['23514', '3', { name: 'x', price: -1 }],
    ['22003', '3', { name: 'x', price: 123456 }],
    ['23502', '3', { price: 1 }],
    ['22P02', 'x', { name: 'a' }],
    ['22023', '4', { id: 5, name: 'a' }],
    ['42703', '4', { name: 'a', nope: 1 }],
    ['23505', '4', { name: 'taken' }],
  ])('%s for what does not fit', async (code, id, record) => {
    await t.run(`INSERT INTO typed VALUES (1, 'taken')`);
    await refused(code, t.db.put({ table: 'typed', id, record }));
    await refused(code, t.db.batch({ rows: [{ table: 'typed', id: '8', record: { name: 'ok' } }, { table: 'typed', id, record }] })); // prettier-ignore
    expect(await t.lines('SELECT id FROM typed')).toEqual(['1']);
  });

  test('keys of several columns and tables without a key', async () => {
    await t.run(
      `CREATE TABLE two (a int, b text, n int, PRIMARY KEY (a, b)); INSERT INTO two VALUES (1, 'x/y,z', 3); CREATE TABLE bare (a int); INSERT INTO bare VALUES (1), (1)`,
    );
    const { hits } = await t.db.find({ table: 'two' });
    expect(hits[0].row).toEqual({ a: 1, b: 'x/y,z', n: 3 });
    expect((await t.db.get({ table: 'two', id: hits[0].id })).row).toEqual(hits[0].row);
    await t.db.put({ table: 'two', id: hits[0].id, record: { n: 4 } });
    expect(await t.lines('SELECT * FROM two')).toEqual(['1 x/y,z 4']);
    expect((await t.db.find({ table: 'bare' })).hits.map(({ row }) => row)).toEqual([{ a: 1 }, { a: 1 }]);
  });

  test('foreign keys hold for row operations and batches', async () => {
    await t.run(`INSERT INTO typed VALUES (1, 'ann'); CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES typed ON DELETE CASCADE)`);
    await refused('23503', t.db.put({ table: 'child', id: '1', record: { parent: 9 } }));
    await t.db.batch({ rows: [{ table: 'child', id: '1', record: { parent: 7 } }, { table: 'typed', id: '7', record: { name: 'new' } }] }); // prettier-ignore
    await t.db.delete({ table: 'typed', id: '7' });
    expect(await t.lines('SELECT count(*) FROM child')).toEqual(['0']);
  });
});
