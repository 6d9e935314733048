/** `bm25`, its index and ORDER BY a distance over partitioned tables and tables with children: definitions, policies, transactions, plans, refusals. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shownRows, TestDatabase } from '../sql/session/open-database.ts';
import { seeded } from './seeded.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await TestDatabase.open();
  await own.run(`CREATE EXTENSION vector;
    CREATE TABLE posts (id int PRIMARY KEY, title text, body text) PARTITION BY RANGE (id);
    CREATE TABLE posts_a PARTITION OF posts FOR VALUES FROM (0) TO (10); CREATE TABLE posts_b PARTITION OF posts FOR VALUES FROM (10) TO (20);
    INSERT INTO posts SELECT g, CASE g % 3 WHEN 0 THEN 'red lamp' WHEN 1 THEN 'blue lamp' ELSE 'chair' END, 'number ' || g FROM generate_series(0, 19) g`);
});
afterAll(() => own.close());

const ranked = (table: string, text: string, columns = 'id, score'): string => `SELECT ${columns} FROM bm25(${table}, '${text}')`;

/** The same rows in a table that is not partitioned. */
async function twinOf(table: string, columns = 'id, title, body', key = 'id'): Promise<string> {
  await own.run(`DROP TABLE IF EXISTS twin; CREATE TABLE twin AS SELECT ${columns} FROM ${table}; ALTER TABLE twin ADD PRIMARY KEY (${key})`);
  return 'twin';
}

test('rows of all partitions are scored together, as find scores them', async () => {
  const rows = await own.lines(ranked('posts', 'red lamp'));
  expect(rows).toEqual(await own.lines(ranked(await twinOf('posts'), 'red lamp')));
  expect(rows).toHaveLength(14);
  // In a partition of its own the counts are others.
  expect(await own.lines(ranked('posts_a', 'red lamp'))).not.toEqual(rows.filter((row) => Number(row.split(' ')[0]) < 10));
  const { total, hits } = await own.db.find({ table: 'posts', text: 'red lamp', limit: 3 });
  expect(total).toBe(14);
  expect(hits.map(({ id, score }) => `${id} ${score}`)).toEqual(rows.slice(0, 3));
  expect(hits.map(({ table }) => table)).toEqual(['posts_a', 'posts_a', 'posts_a']);
  const later = await own.db.find({ table: 'posts', text: 'red', where: { title: 'red lamp' }, offset: 5 });
  expect(later.hits.map(({ id, table, row }) => [id, table, row['body']])).toEqual([
    ['15', 'posts_b', 'number 15'],
    ['18', 'posts_b', 'number 18'],
  ]);
  expect(await own.lines(ranked('posts', 'lamp', 'tableoid::regclass, count(*)').replace(/$/, ' GROUP BY 1 ORDER BY 1'))).toEqual(['posts_a 7', 'posts_b 7']);
  expect((await own.lines(`EXPLAIN (COSTS OFF) ${ranked('posts', 'lamp')}`)).join()).toContain('Ranked Scan by words on posts');
});

test('rows that are found can be joined, changed and locked where they are', async () => {
  const session = own.db.session();
  await session
    .run("BEGIN; UPDATE posts SET body = 'changed' FROM bm25(posts, 'chair') f WHERE posts.id = f.id; INSERT INTO posts VALUES (12345 % 20 + 100, 'x', 'y')")
    .catch(() => undefined);
  await session.run("ROLLBACK; BEGIN; DELETE FROM posts WHERE id = 3; UPDATE posts SET id = 3 WHERE id = 15; UPDATE posts SET title = 'lamp' WHERE id = 2");
  expect(await shownRows(session, ranked('posts', 'lamp', 'id') + ' ORDER BY id')).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
    '6',
    '7',
    '9',
    '10',
    '12',
    '13',
    '16',
    '18',
    '19',
  ]);
  await session.run('ROLLBACK');
  session.close();
});

test('an index of the partitioned table says what is read, and its partitions have it', async () => {
  await own.run("CREATE INDEX posts_words ON posts USING bm25 (title, body) WITH (config = 'simple', weights = '3,1')");
  const indexes =
    "SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname LIKE 'posts%title%' ORDER BY 1";
  expect(await own.lines(indexes)).toEqual([
    "posts_a_title_body_idx CREATE INDEX posts_a_title_body_idx ON public.posts_a USING bm25 (title, body) WITH (config=simple, weights='3,1')",
    "posts_b_title_body_idx CREATE INDEX posts_b_title_body_idx ON public.posts_b USING bm25 (title, body) WITH (config=simple, weights='3,1')",
  ]);
  await twinOf('posts');
  await own.run("CREATE INDEX ON twin USING bm25 (title, body) WITH (config = 'simple', weights = '3,1')");
  for (const text of ['red lamp', '"red lamp" number', 'num*']) expect(await own.lines(ranked('posts', text))).toEqual(await own.lines(ranked('twin', text)));
  await own.refused('2BP01', 'DROP INDEX posts_a_title_body_idx');
  await own.refused('42710', 'CREATE INDEX ON posts_a USING bm25 (body)');
  await own.run(
    'CREATE TABLE posts_c PARTITION OF posts FOR VALUES FROM (20) TO (30) PARTITION BY LIST (id); CREATE TABLE posts_d PARTITION OF posts_c DEFAULT',
  );
  expect(await own.lines(ranked('posts_c', 'lamp'))).toEqual([]);
  expect(await own.lines("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING bm25%' AND tablename LIKE 'posts%'")).toEqual(['5']);
  await own.run('DROP INDEX posts_words; DROP TABLE posts_c');
  expect(await own.lines("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING bm25%' AND tablename LIKE 'posts%'")).toEqual(['0']);
});

test('a partition that is attached keeps an index of its own, which counts where it is searched by its name', async () => {
  await own.run(`CREATE TABLE late (body text, gone int, title text, id int PRIMARY KEY); ALTER TABLE late DROP COLUMN gone;
    INSERT INTO late VALUES ('red lamp', 'wood', 50), ('oak', 'red lamp', 51); CREATE INDEX ON late USING bm25 (body); CREATE INDEX ON posts USING bm25 (title);
    ALTER TABLE posts ATTACH PARTITION late FOR VALUES FROM (50) TO (60)`);
  expect(await own.lines(ranked('late', 'red', 'id'))).toEqual(['50']);
  expect(await own.lines(ranked('posts', 'red', 'id') + ' WHERE id > 40')).toEqual(['51']);
  await own.run('ALTER TABLE posts DETACH PARTITION late');
  expect(await own.lines(ranked('posts', 'red', 'id') + ' WHERE id > 40')).toEqual([]);
  expect(await own.lines(ranked('late', 'red', 'id'))).toEqual(['50']);
  await own.run('DROP INDEX posts_title_idx; DROP TABLE late');
});

test('policies of the partitioned table hide rows from all counts', async () => {
  await own.run(
    'CREATE ROLE reader; GRANT SELECT ON posts TO reader; ALTER TABLE posts ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON posts USING (id % 4 <> 1)',
  );
  await twinOf('(SELECT * FROM posts WHERE id % 4 <> 1) q');
  const session = own.db.session();
  await session.run('SET ROLE reader');
  for (const text of ['red lamp', '"blue lamp"', 'cha*']) {
    const seen = await shownRows(session, ranked('posts', text));
    expect(seen).toEqual((await own.lines(ranked('twin', text))).map((row) => row.replace(' ', '|')));
    expect(seen.length).toBeGreaterThan(2);
  }
  session.close();
  await own.run('DROP POLICY p ON posts; ALTER TABLE posts DISABLE ROW LEVEL SECURITY');
});

test('children are searched with their parent, each row once', async () => {
  await own.run(`CREATE TABLE parent (id int PRIMARY KEY, title text); CREATE TABLE child (more text) INHERITS (parent);
    INSERT INTO parent SELECT g, 'lamp ' || g FROM generate_series(1, 5) g; INSERT INTO child SELECT g, 'red lamp ' || g, 'never read' FROM generate_series(6, 9) g`);
  await twinOf('parent', 'id, title');
  const sorted = ' ORDER BY id';
  expect(await own.lines(ranked('parent', 'red lamp') + sorted)).toEqual(await own.lines(ranked('twin', 'red lamp') + sorted));
  expect(await own.lines(ranked('parent', 'never', 'id'))).toEqual([]);
  expect(await own.lines(ranked('child', 'never', 'id') + sorted)).toEqual(['6', '7', '8', '9']);
  // Row operations name one table.
  expect((await own.db.find({ table: 'parent', text: 'lamp' })).total).toBe(5);
});

test('foreign partitions are refused, and no partitions give no rows', async () => {
  await own.run('CREATE TABLE none (id int, title text, e vector(2)) PARTITION BY LIST (id)');
  expect(await own.lines(ranked('none', 'lamp'))).toEqual([]);
  expect((await own.db.find({ table: 'none', text: 'lamp' })).hits).toEqual([]);
  await expect(own.db.find({ table: 'none', text: 'lamp', where: { nothing: 1 } })).rejects.toMatchObject({ code: '42703' });
  await expect(own.db.find({ table: 'none', vector: [1, 2], vector_field: 'nothing' })).rejects.toMatchObject({ code: '42703' });
  await expect(own.db.find({ table: 'posts' })).rejects.toMatchObject({ code: '0A000' });
  await own.run(`CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
    CREATE FOREIGN TABLE outside PARTITION OF none FOR VALUES IN (1) SERVER files OPTIONS (filename '/nowhere')`);
  await own.refused('0A000', ranked('none', 'lamp'));
  await expect(own.db.find({ table: 'none', text: 'lamp' })).rejects.toMatchObject({ code: '0A000' });
});

const DIMENSIONS = 4;

test('the nearest rows of all partitions are those of a sort', async () => {
  const next = seeded(8);
  const vector = (): string => `[${Array.from({ length: DIMENSIONS }, () => Math.round((next() - 0.5) * 40) / 8).join(',')}]`;
  await own.run(`CREATE TABLE points (id int PRIMARY KEY, n int, e vector(4)) PARTITION BY RANGE (id);
    CREATE TABLE points_a PARTITION OF points FOR VALUES FROM (0) TO (500);
    CREATE TABLE points_b (e vector(4), n int, id int PRIMARY KEY); ALTER TABLE points ATTACH PARTITION points_b FOR VALUES FROM (500) TO (1000);
    CREATE TABLE points_c PARTITION OF points DEFAULT; CREATE INDEX ON points USING hnsw (e vector_l2_ops)`);
  const values = Array.from({ length: 1400 }, (_, i) => `(${i}, ${i % 7}, ${i % 40 === 0 ? 'NULL' : `'${vector()}'`})`);
  for (let i = 0; i < values.length; i += 100) await own.run(`INSERT INTO points VALUES ${values.slice(i, i + 100).join(', ')}`);
  expect(await own.lines("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%' AND tablename LIKE 'points%'")).toEqual(['4']);
  const plan = async (sql: string): Promise<string> => (await own.lines(`EXPLAIN (COSTS OFF) ${sql}`)).join('\n');
  const agrees = async (rest: string, by: string, limit: string): Promise<void> => {
    const rows = await own.lines(`SELECT id FROM points ${rest} ORDER BY ${by} LIMIT ${limit}`);
    expect(rows).toEqual(await own.lines(`SELECT id FROM points ${rest} ORDER BY ${by}, id LIMIT ${limit}`));
    expect(rows.length).toBeGreaterThan(0);
  };
  for (const operator of ['<->', '<#>', '<=>', '<+>']) {
    const by = `e ${operator} '[1,-2,0.5,2]'`;
    const text = await plan(`SELECT id FROM points ORDER BY ${by} LIMIT 5`);
    expect(text.match(/Ranked Scan/g)).toHaveLength(3);
    await agrees('', by, '10');
    await agrees('', by, '7 OFFSET 200');
    await agrees('WHERE n = 3', by, '20');
    await agrees('WHERE id > 600 AND n <> 3', by, '20');
    await agrees('WHERE n = (SELECT 4)', by, '20');
  }
  const by = "e <-> '[1,-2,0.5,2]'";
  expect(await plan(`SELECT id FROM points WHERE id < 500 ORDER BY ${by} LIMIT 5`)).not.toContain('points_b');
  const first = await own.lines(`SELECT id, tableoid::regclass FROM points ORDER BY ${by} LIMIT 6`);
  expect(await own.lines(`SELECT id, tableoid::regclass FROM points ORDER BY ${by} LIMIT 6 FOR UPDATE`)).toEqual(first);
  const given = await own.rows('SELECT id FROM points ORDER BY e <-> $1::vector LIMIT $2', { params: ['[1,-2,0.5,2]', 6] });
  expect(given.map(({ id }) => String(id))).toEqual(first.map((row) => row.split(' ')[0]));
});
