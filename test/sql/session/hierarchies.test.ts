/** Tables with children and partitions in worlds: forks, differences, merges, undoing, row operations, the cost of pruning. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE TABLE m (id int, at date NOT NULL, v text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
    CREATE TABLE m1 PARTITION OF m FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
    CREATE TABLE m2 PARTITION OF m FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
    INSERT INTO m VALUES (1, '2020-05-05', 'a'), (2, '2021-05-05', 'b');
    CREATE TABLE p (a int PRIMARY KEY); CREATE TABLE c (b int) INHERITS (p); INSERT INTO p VALUES (1); INSERT INTO c VALUES (2, 3);`);
});
afterEach(() => t.close());

const ROWS = 'SELECT tableoid::regclass::text, id, at::text, v FROM m ORDER BY id';

test('a fork routes and moves rows separately, a merge brings them, undoing reverts them', async () => {
  await t.run('CREATE WORLD draft');
  await t.run("INSERT INTO m VALUES (3, '2020-06-06', 'c'); UPDATE m SET at = '2021-07-07' WHERE id = 1; UPDATE p SET a = a + 10", 'draft');
  const before = await t.lines(ROWS);
  expect(before).toEqual(['m1 1 2020-05-05 a', 'm2 2 2021-05-05 b']);
  expect((await t.rows('DIFF WORLD draft')).map(({ key }) => key)).toEqual(
    ['c/1', 'm1/1,2020-05-05', 'm1/3,2020-06-06', 'm2/1,2021-07-07', 'p/1', 'p/11'].map((key) => expect.stringMatching(key.replace('c/1', '^c/'))),
  );
  await t.run('MERGE WORLD draft');
  expect(await t.lines(ROWS)).toEqual(['m2 1 2021-07-07 a', 'm2 2 2021-05-05 b', 'm1 3 2020-06-06 c']);
  expect(await t.lines('SELECT a FROM p ORDER BY a')).toEqual(['11', '12']);
  await t.run('UNDO MERGE draft');
  expect(await t.lines(ROWS)).toEqual(before);
});

test('who names a table in a difference or a merge of some tables means its partitions and children, too', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(
    "INSERT INTO m VALUES (3, '2020-06-06', 'c'); UPDATE p SET a = a + 10; CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1), (2)",
    'draft',
  );
  const keys = async (sql: string): Promise<unknown[]> => (await t.rows(sql)).map(({ key }) => String(key).replace(/^c\/.*/, 'c'));
  expect(await keys('DIFF WORLD draft TABLES (m)')).toEqual(['m1/3,2020-06-06']);
  expect(await keys('DIFF WORLD draft TABLES (p)')).toEqual(['c', 'p/1', 'p/11']);
  // The limit is one of what is wanted.
  expect(await keys('DIFF WORLD draft TABLES (m) LIMIT 1')).toEqual(['m1/3,2020-06-06']);
  expect(await keys('DIFF WORLD draft TABLES (p) LIMIT 2')).toEqual(['c', 'p/1']);
  expect(await t.lines('DIFF WORLD draft TABLES (p, m) COUNT')).toEqual(['c 1', 'm1 1', 'p 2']);
  await t.run('MERGE WORLD draft ONLY TABLES (m)');
  expect(await t.lines('SELECT id FROM m ORDER BY id')).toEqual(['1', '2', '3']);
  expect(await t.lines('SELECT a FROM p ORDER BY a')).toEqual(['1', '2']);
  await t.run('MERGE WORLD draft ONLY TABLES (p)');
  expect(await t.lines('SELECT a FROM p ORDER BY a')).toEqual(['11', '12']);
});

test.each(['ADD z int DEFAULT 3', 'DROP v', 'ALTER v TYPE varchar(9)'])('a partition or a child does not get %s without its parent', async (change) => {
  await t.run('ALTER TABLE p ADD v text; CREATE WORLD draft');
  await t.run(`ALTER TABLE m ${change}; ALTER TABLE p ${change}`, 'draft');
  // A child may have a column of its own.
  for (const table of change.startsWith('ADD') ? ['m1'] : ['m1', 'c']) {
    const { data } = await t.refused('SV409', `MERGE WORLD draft ONLY TABLES (${table})`);
    expect(data).toMatchObject({
      conflicts: [{ key: `_svc_schema/table:${table}`, code: '42P16', explanation: expect.stringMatching(/Merge [mp]:/) as string }],
    });
  }
  await t.run('MERGE WORLD draft ONLY TABLES (m); MERGE WORLD draft ONLY TABLES (p)');
  expect(await t.lines('DIFF WORLD main TO draft')).toEqual([]);
});

test('what one branch detaches and the other writes to is a table of its own with those rows', async () => {
  await t.run('CREATE WORLD draft');
  await t.run('ALTER TABLE m DETACH PARTITION m1', 'draft');
  await t.run("INSERT INTO m VALUES (4, '2020-09-09', 'late')");
  await t.run('MERGE WORLD draft');
  expect(await t.lines('SELECT id FROM m1 ORDER BY id')).toEqual(['1', '4']);
  expect(await t.lines('SELECT id FROM m')).toEqual(['2']);
});

test.each([
  [
    'two partitions that overlap',
    "CREATE TABLE x PARTITION OF m FOR VALUES FROM ('2022-01-01') TO ('2023-01-01')",
    "CREATE TABLE y PARTITION OF m FOR VALUES FROM ('2022-06-01') TO ('2024-01-01')",
    '42P17',
  ],
  ['a partition of a table that is gone', "CREATE TABLE x PARTITION OF m FOR VALUES FROM ('2022-01-01') TO ('2023-01-01')", 'DROP TABLE m', '42P01'],
  [
    'a row that its partition does not take any more',
    "ALTER TABLE m DETACH PARTITION m2; ALTER TABLE m ATTACH PARTITION m2 FOR VALUES FROM ('2021-02-01') TO ('2022-01-01')",
    "INSERT INTO m VALUES (9, '2021-01-05')",
    '23514',
  ],
])('%s is a conflict', async (_name, one, other, code) => {
  for (const [ours, theirs] of [
    [one, other],
    [other, one],
  ]) {
    const at = await TestDatabase.open();
    await at.run(
      "CREATE TABLE m (id int, at date NOT NULL, v text) PARTITION BY RANGE (at); CREATE TABLE m2 PARTITION OF m FOR VALUES FROM ('2021-01-01') TO ('2022-01-01'); CREATE WORLD draft",
    );
    await at.run(theirs, 'draft');
    await at.run(ours);
    const error = await at.db.merge({ branch: 'draft' }).then(
      () => null,
      (met: unknown) => met as { data: { conflicts: { code: string }[] } },
    );
    expect(error?.data.conflicts.map((each) => each.code)).toContain(code);
    await at.close();
  }
});

test('the statements of a difference make hierarchies again', async () => {
  await t.run('CREATE WORLD draft');
  await t.run(
    `CREATE TABLE l (k text, n int) PARTITION BY LIST (lower(k)); ` +
      `CREATE TABLE l1 PARTITION OF l FOR VALUES IN ('a', NULL); CREATE TABLE l2 PARTITION OF l DEFAULT; CREATE INDEX ON l (n);
       CREATE TABLE q (z int) INHERITS (p); ALTER TABLE m ADD COLUMN w int DEFAULT 5; CREATE INDEX mv ON m (v);
       CREATE TABLE m3 PARTITION OF m FOR VALUES FROM ('2022-01-01') TO ('2023-01-01'); ALTER TABLE m DETACH PARTITION m1;
       INSERT INTO l VALUES ('A', 1), ('zz', 2); INSERT INTO m VALUES (7, '2022-05-05', 'n', 8);
       CREATE TABLE e (r int4range, EXCLUDE USING gist (r WITH &&)); INSERT INTO e VALUES ('[1,5)')`,
    'draft',
  );
  const script = (await t.rows('DIFF WORLD draft AS SQL')).map(({ sql }) => sql as string);
  await t.run('CREATE WORLD copy');
  await t.run(script.join('\n'), 'copy');
  for (const query of [
    'SELECT tableoid::regclass::text, * FROM m ORDER BY 1, 2',
    'SELECT tableoid::regclass::text, * FROM l ORDER BY 1, 2',
    'SELECT inhrelid::regclass::text, inhparent::regclass::text FROM pg_inherits ORDER BY 1, 2',
    "SELECT relname, pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid) FROM pg_class WHERE relpartbound IS NOT NULL OR relkind = 'p' ORDER BY 1",
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'x'",
  ]) {
    expect(await t.lines(query, 'copy')).toEqual(await t.lines(query, 'draft'));
  }
});

test('a folded log has the same hierarchies', async () => {
  const before = await t.lines(ROWS);
  await t.reopen({ withoutCache: true });
  expect(await t.lines(ROWS)).toEqual(before);
  await t.run("INSERT INTO m VALUES (5, '2021-12-31')");
  expect(await t.lines('SELECT id FROM m2 ORDER BY 1')).toEqual(['2', '5']);
});

test('row operations name partitions, not the partitioned table', async () => {
  const refused = (call: Promise<unknown>): Promise<void> =>
    expect(call).rejects.toMatchObject({ code: '0A000', message: 'table "m" is partitioned: its rows are those of its partitions' });
  await refused(t.db.get({ table: 'm', id: '1,2020-05-05' }));
  await refused(t.db.find({ table: 'm' }));
  await refused(t.db.put({ table: 'm', id: '1,2020-05-05', record: { v: 'x' } }));
  await refused(t.db.delete({ table: 'm', id: '1,2020-05-05' }));
  await t.db.put({ table: 'm1', id: '8,2020-05-05', record: { v: 'x' } });
  await expect(t.db.put({ table: 'm1', id: '8,2021-05-05', record: { v: 'x' } })).rejects.toMatchObject({ code: '23514' });
  expect(await t.lines('SELECT v FROM m WHERE id = 8')).toEqual(['x']);
});

const PARTITION = "CREATE TABLE m3 PARTITION OF m FOR VALUES FROM ('2022-01-01') TO ('2023-01-01'); INSERT INTO m VALUES (3, '2022-05-05', 'c')";
const FOR_CHILDREN = [
  ['a column that is added', 'ALTER TABLE m ADD COLUMN z int NOT NULL DEFAULT 3'],
  ['a column that is dropped', 'ALTER TABLE m DROP COLUMN v'],
  ['a column that is renamed', 'ALTER TABLE m RENAME COLUMN v TO w'],
  ['another type', 'ALTER TABLE m ALTER COLUMN v TYPE varchar(10)'],
  ['NOT NULL', 'ALTER TABLE m ALTER COLUMN v SET NOT NULL'],
  ['a check', 'ALTER TABLE m ADD CONSTRAINT short CHECK (length(v) < 5)'],
  ['an index', 'CREATE INDEX by_v ON m (v)'],
  ['a foreign key', 'ALTER TABLE m ADD FOREIGN KEY (id) REFERENCES ids'],
] as const;

test.each(FOR_CHILDREN.flatMap(([name, change]) => [[name, change, 'branch'] as const, [name, change, 'main'] as const]))(
  'a partition made beside %s of its parent is a conflict, and either side can stand (%#: %s)',
  async (_name, change, maker) => {
    await t.run('CREATE TABLE ids (id int PRIMARY KEY); INSERT INTO ids VALUES (1), (2), (3)');
    await t.run('CREATE WORLD draft; CREATE WORLD again');
    for (const world of ['draft', 'again']) await t.run(maker === 'branch' ? PARTITION : change, world);
    await t.run(maker === 'branch' ? change : PARTITION);
    const [conflict, ...more] = (await t.rows('MERGE WORLD draft DRY RUN')).filter(({ outcome }) => outcome === 'conflict');
    expect(more).toEqual([]);
    expect(conflict.detail).toMatch(/made table m3 a partition of m, .* changed what its partitions have/);
    await expect(t.run('MERGE WORLD draft')).rejects.toMatchObject({ status: 409 });
    const attributes = `SELECT string_agg(attname || attnotnull || atttypid, ',' ORDER BY attname) FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND attrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'm'::regclass UNION SELECT 'm'::regclass) GROUP BY attrelid`;
    await t.run('MERGE WORLD draft RESOLVE OURS');
    expect(new Set(await t.lines(attributes)).size).toBe(1);
    await t.run('UNDO MERGE draft');
    expect(new Set(await t.lines(attributes)).size).toBe(1);
    await t.run('MERGE WORLD again RESOLVE THEIRS');
    expect(new Set(await t.lines(attributes)).size).toBe(1);
  },
);

test('undoing refuses to leave a partition that was made since unlike its parent, or leaves the hierarchy alone', async () => {
  await t.run('CREATE WORLD draft');
  await t.run('ALTER TABLE m ADD COLUMN z int; CREATE TABLE beside (id int PRIMARY KEY)', 'draft');
  await t.run('MERGE WORLD draft');
  await t.run(PARTITION);
  await expect(t.run('UNDO MERGE draft')).rejects.toMatchObject({ code: '2BP01' });
  await t.run('UNDO MERGE draft SKIP CHANGED');
  expect(await t.lines("SELECT count(*) FROM pg_attribute WHERE attname = 'z'")).toEqual(['4']);
  expect(await t.lines("SELECT count(*) FROM pg_class WHERE relname = 'beside'")).toEqual(['0']);
});

test('what one side says of a column goes with it where the other drops it', async () => {
  await t.run('CREATE TABLE n (id int PRIMARY KEY, v int)');
  await t.run('CREATE WORLD draft');
  await t.run('ALTER TABLE n DROP COLUMN v', 'draft');
  await t.run("COMMENT ON COLUMN n.v IS 'said'");
  await t.run('MERGE WORLD draft RESOLVE OURS');
  expect(await t.lines("SELECT count(*) FROM pg_description WHERE objoid = 'n'::regclass")).toEqual(['0']);
});

test('rows that come under keys of another type are shown as changed where they read alike', async () => {
  await t.run('CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n VALUES (1, 1)');
  await t.run('CREATE WORLD draft');
  await t.run('ALTER TABLE n ALTER COLUMN id TYPE text', 'draft');
  expect((await t.rows('MERGE WORLD draft DRY RUN')).filter(({ key }) => key === 'n/1')).toEqual([
    expect.objectContaining({ outcome: 'update', result: { id: '1', v: 1 } }),
  ]);
});

test('a materialized view that comes back brings the column that it reads', async () => {
  await t.run(
    "CREATE TYPE level AS ENUM ('low'); CREATE TABLE n (id int PRIMARY KEY, l level); CREATE MATERIALIZED VIEW s AS SELECT l, count(*) FROM n GROUP BY l",
  );
  await t.run("INSERT INTO n VALUES (1, 'low')");
  await t.run('CREATE WORLD draft');
  await t.run('REFRESH MATERIALIZED VIEW s', 'draft');
  await t.run('DROP TYPE level CASCADE');
  await t.run('MERGE WORLD draft RESOLVE THEIRS');
  expect(await t.lines('SELECT * FROM n')).toEqual(['1 low']);
  await t.run('REFRESH MATERIALIZED VIEW s');
});

test('DROP TYPE … CASCADE takes a table along whose partition key is of it', async () => {
  await t.run("CREATE TYPE level AS ENUM ('low'); CREATE TABLE n (l level) PARTITION BY LIST (l); CREATE TABLE n1 PARTITION OF n FOR VALUES IN ('low')");
  await expect(t.run('DROP TYPE level')).rejects.toMatchObject({ code: '2BP01' });
  await t.run('DROP TYPE level CASCADE');
  expect(await t.lines("SELECT count(*) FROM pg_class WHERE relname IN ('n', 'n1')")).toEqual(['0']);
});

test('of a hundred partitions a condition reads one, known when the plan is made or when it starts', async () => {
  await t.run('CREATE TABLE h (k int, v int) PARTITION BY RANGE (k)');
  await t.run(Array.from({ length: 100 }, (_, i) => `CREATE TABLE h${i} PARTITION OF h FOR VALUES FROM (${i * 10}) TO (${i * 10 + 10})`).join(';'));
  await t.run('INSERT INTO h SELECT i, i FROM generate_series(0, 999) i');
  expect((await t.lines('EXPLAIN (COSTS OFF) SELECT * FROM h WHERE k = 555')).join()).toBe('Seq Scan on h55 h,  Filter: (k = 555)');
  const read = async (sql: string): Promise<number> => {
    const session = t.db.session();
    try {
      const [made] = await session.run('PREPARE one (int) AS SELECT count(*) FROM h WHERE k = $1');
      expect(made.command).toBe('PREPARE');
      const lines = (await session.run(sql)).at(-1)!.rows.map(([line]) => String(line));
      return lines.filter((line) => /Seq Scan on h\d+ .*actual.*rows=(10|[1-9]) /.test(line)).length;
    } finally {
      session.close();
    }
  };
  expect(await read('EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) EXECUTE one(555)')).toBeLessThanOrEqual(1);
});
