/**
 * Long runs of new rows go into leaves at once, changes of many rows are made as they come, keys are changed leaf by leaf:
 * each must be what the rows one by one come to, in this run and in a replay.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

async function replayed(...queries: string[]): Promise<void> {
  const look = async (): Promise<string[][]> => Promise.all(queries.map((sql) => t.lines(sql)));
  const before = await look();
  await t.reopen({ withoutCache: true });
  expect(await look()).toEqual(before);
}

const ALL = "SELECT count(*), md5(string_agg(t::text, ',' ORDER BY id, n)) FROM t";

test('a key that comes twice, and rows out of order, behind a run', async () => {
  await t.run('CREATE TABLE t (id int PRIMARY KEY, n int, s text)');
  const error = await t.refused('23505', 'INSERT INTO t SELECT CASE g WHEN 900 THEN 5 ELSE g END, g, g::text FROM generate_series(1, 1000) g');
  expect(error.detail).toBe('Key (id)=(5) already exists.');
  await t.refused('23505', 'INSERT INTO t SELECT CASE g WHEN 900 THEN 899 ELSE g END, g FROM generate_series(1, 1000) g');
  await t.refused('23502', 'INSERT INTO t SELECT CASE g WHEN 900 THEN NULL ELSE g END, g FROM generate_series(1, 1000) g');
  expect(await t.lines('SELECT count(*) FROM t')).toEqual(['0']);
  await t.run('INSERT INTO t SELECT CASE g WHEN 900 THEN -1 ELSE g END, g, g::text FROM generate_series(1, 1000) g');
  expect(await t.lines('SELECT count(*), sum(id) AS ids, sum(n), min(id) FROM t')).toEqual([`1000 ${500500 - 901} 500500 -1`]);
  await t.run('INSERT INTO t SELECT g, g, NULL FROM generate_series(2000, 3000) g ON CONFLICT DO NOTHING');
  await t.run('INSERT INTO t SELECT g, -g, NULL FROM generate_series(2500, 3500) g ON CONFLICT (id) DO UPDATE SET n = excluded.n');
  expect(await t.lines('SELECT count(*), sum(n) FROM t WHERE id >= 2000')).toEqual(['1501 -1878250']);
  await replayed(ALL);
});

test('rows of tables without a key, with indexes, defaults, checks, generated columns and wide numbers', async () => {
  await t.run(`CREATE TABLE t (id int, n bigint DEFAULT 7, g numeric(10,2) GENERATED ALWAYS AS (id * 1.5) STORED, c char(8), b bytea, at timestamptz, CHECK (id <> 2500));
    CREATE INDEX t_n ON t (n); CREATE INDEX t_low ON t (lower(c)) WHERE id % 2 = 0`);
  const fill = (from: number, to: number): string =>
    `INSERT INTO t (id, n, c, b, at) SELECT g, CASE WHEN g % 400 = 7 THEN 9007199254740993 + g ELSE g END, CASE g % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'é' || g END,
      decode(lpad(to_hex(g % 256), 2, '0'), 'hex'), CASE WHEN g % 500 = 3 THEN 'infinity'::timestamptz ELSE to_timestamp(g) END FROM generate_series(${from}, ${to}) g`;
  await t.refused('23514', fill(1, 3000));
  await t.run(fill(1, 2000));
  await t.run(fill(3000, 4000));
  expect(await t.lines('SELECT count(*), sum(n), sum(g) AS g, count(c) AS c FROM t')).toEqual(
    await t.lines(`SELECT count(*), sum(CASE WHEN g % 400 = 7 THEN 9007199254740993 + g ELSE g END), sum(round(g * 1.5, 2)) AS g, count(*) FILTER (WHERE g % 3 <> 0) AS c
      FROM (SELECT generate_series(1, 2000) g UNION ALL SELECT generate_series(3000, 4000)) x`),
  );
  expect(await t.lines('SELECT id FROM t WHERE n = 1777')).toEqual(['1777']);
  await replayed(ALL, "SELECT id FROM t WHERE lower(c) = 'é1600' AND id % 2 = 0", "SELECT count(*) FROM t WHERE at = 'infinity'");
});

test('a load into a table that the same transaction has made or emptied, beside other writes', async () => {
  await t.run('CREATE TABLE t (id int, n int, s text); INSERT INTO t SELECT g, g, g::text FROM generate_series(1, 500) g');
  const session = t.db.session();
  await session.run('BEGIN');
  await session.run('TRUNCATE t');
  await session.run("INSERT INTO t SELECT g, g % 3, 'same' FROM generate_series(1, 7000) g");
  await session.run('SAVEPOINT s');
  await session.run('INSERT INTO t SELECT g, 0, NULL FROM generate_series(1, 400) g');
  await session.run('ROLLBACK TO s');
  await session.run('CREATE TABLE made (id int PRIMARY KEY); INSERT INTO made SELECT generate_series(1, 6000)');
  await session.run('UPDATE made SET id = -id WHERE id = 6000');
  await t.run('CREATE TABLE other (x int); INSERT INTO other VALUES (1)');
  await session.run('COMMIT');
  session.close();
  expect(await t.lines('SELECT count(*), sum(id) AS ids, sum(n) FROM t')).toEqual([`7000 ${3500 * 7001} ${7000}`]);
  expect(await t.lines('SELECT count(*), sum(id) FROM made')).toEqual([`6000 ${3000 * 6001 - 12000}`]);
  await replayed(ALL, 'SELECT count(*), sum(id) FROM made', 'SELECT * FROM other');
});

test.each([
  ['in order', 'g', 'int'],
  ['backwards', '-g', 'int'],
  ['mixed', '(g * 7919) % 100003', 'int'],
  ['wide', 'g * 3000000000', 'bigint'],
  ['texts', "'k' || g", 'text'],
])('a primary key over rows %s, and its end', async (_, key, type) => {
  await t.run(`CREATE TABLE t (id ${type}, n int, gone int, s text); CREATE INDEX t_n ON t (n); CREATE INDEX t_s ON t ((s || 'x'))`);
  await t.run(`INSERT INTO t SELECT ${key}, g % 10, g, CASE g % 4 WHEN 0 THEN NULL ELSE 's' || g END FROM generate_series(1, 6000) g`);
  await t.run('ALTER TABLE t ADD COLUMN d int DEFAULT 5; ALTER TABLE t DROP COLUMN gone');
  const [all] = await t.lines(ALL);
  await t.run('ALTER TABLE t ADD PRIMARY KEY (id)');
  const looks = async (): Promise<void> => {
    expect(await t.lines(ALL)).toEqual([all]);
    expect(await t.lines('SELECT count(*), sum(d) FROM t WHERE n = 3')).toEqual(['600 3000']);
    expect(await t.lines("SELECT n FROM t WHERE s || 'x' = 's77x'")).toEqual(['7']);
  };
  await looks();
  await t.refused('23505', 'INSERT INTO t (id) SELECT id FROM t WHERE n = 3');
  await t.refused('23502', 'INSERT INTO t (n) VALUES (1)');
  // Rows share their columns with leaves of before: a change of one is not one of the other.
  await t.run('CREATE WORLD w; UPDATE t SET n = 100 WHERE n = 3; UPDATE t SET n = 3 WHERE n = 100');
  await looks();
  await t.run('ALTER TABLE t DROP CONSTRAINT t_pkey');
  await looks();
  await replayed(ALL, 'SELECT count(*) FROM t WHERE n = 3');
  expect(await t.lines(ALL, 'w')).toEqual([all]);
});

test('a primary key over rows that cannot have it', async () => {
  await t.run('CREATE TABLE t (id int, n int); INSERT INTO t SELECT g % 900, g FROM generate_series(1, 1000) g');
  const twice = await t.refused('23505', 'ALTER TABLE t ADD PRIMARY KEY (id)');
  expect(twice.message).toBe('could not create unique index "t_pkey"');
  expect(twice.detail).toMatch(/^Key \(id\)=\(\d+\) is duplicated\.$/);
  await t.run('UPDATE t SET id = NULL WHERE n = 950');
  expect((await t.refused('23502', 'ALTER TABLE t ADD PRIMARY KEY (id, n)')).message).toBe('column "id" of relation "t" contains null values');
  await t.run('ALTER TABLE t ADD PRIMARY KEY (n)');
  expect(await t.lines('SELECT count(*) FROM t')).toEqual(['1000']);
});

test('a row that an UPDATE finds twice is changed once, one that stays as it is too', async () => {
  await t.run(`CREATE TABLE t (id int PRIMARY KEY, n int, s text NOT NULL); CREATE TABLE o (id int, n int);
    INSERT INTO t SELECT g, g, 'x' FROM generate_series(1, 1000) g;
    INSERT INTO o SELECT g, CASE h WHEN 1 THEN g ELSE 0 END FROM generate_series(1, 1000) g, generate_series(1, 2) h ORDER BY g, h`);
  expect(await t.run('UPDATE t SET n = o.n FROM o WHERE o.id = t.id')).toEqual(['UPDATE 1000']);
  expect(await t.run('UPDATE t SET n = n')).toEqual(['UPDATE 1000']);
  await t.refused('23502', "UPDATE t SET s = CASE id WHEN 700 THEN NULL ELSE 'y' END");
  expect(await t.lines("SELECT count(*) FROM t WHERE s = 'y'")).toEqual(['0']);
  expect(await t.run('DELETE FROM t USING o WHERE o.id = t.id AND o.id % 2 = 0')).toEqual(['DELETE 500']);
  expect(await t.run('UPDATE t SET id = id + 1000, n = 0 WHERE id < 500')).toEqual(['UPDATE 250']);
  expect(await t.lines('SELECT count(*), min(id), max(id) FROM t')).toEqual(['500 501 1499']);
  await t.run("WITH d AS (DELETE FROM t WHERE id > 1000 RETURNING id) UPDATE t SET s = 'z' WHERE id IN (SELECT id - 1000 FROM d) OR id = 501");
  await t.run(
    'MERGE INTO t USING (SELECT generate_series(501, 700) g) s ON s.g = t.id WHEN MATCHED AND g % 3 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET n = -1 WHEN NOT MATCHED THEN INSERT VALUES (g, 1, 1)',
  );
  await replayed(ALL);
});

test('indexes over many rows hold them in order, with any key prefix', async () => {
  await t.run(
    `CREATE TABLE t (id int PRIMARY KEY, n int, s text); INSERT INTO t SELECT g, (g * 7919) % 10007 - 5000, repeat('common', 3) || CASE g % 3 WHEN 0 THEN '' ELSE md5((g % 2000)::text) END FROM generate_series(1, 9000) g`,
  );
  await t.run('CREATE INDEX t_n ON t (n DESC); CREATE INDEX t_s ON t (s, n); CREATE INDEX t_none ON t (id) WHERE n > 100000');
  for (const sql of [
    'SELECT array_agg(n) = (SELECT array_agg(n ORDER BY n DESC) FROM t) FROM (SELECT n FROM t WHERE n > -6000 ORDER BY n DESC) x',
    'SELECT count(*) = (SELECT count(*) FROM t WHERE n + 0 BETWEEN -10 AND 500) FROM t WHERE n BETWEEN -10 AND 500',
    "SELECT count(*) = (SELECT count(*) FROM t WHERE s || '' = repeat('common', 3)) FROM t WHERE s = repeat('common', 3)",
  ])
    expect(await t.lines(sql)).toEqual(['true']);
  await replayed('SELECT count(*) FROM t WHERE n BETWEEN -10 AND 500', 'SELECT n FROM t WHERE n > 4900 ORDER BY n');
});
