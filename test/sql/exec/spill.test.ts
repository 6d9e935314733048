/**
 * Every operator that keeps rows, in little memory and in much: the rows are the same, and what does not fit goes to files
 * or is refused.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import type { SpillFile } from '../../../src/sql/exec/context.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { temporaryFile } from '../../../src/sql/session/temporary-file.ts';

const ROWS = 30_000;
const LITTLE_BYTES = 200_000;

/** `spills`: whether files are made in little memory; else the work is done in passes, or nothing is kept. */
const QUERIES: readonly (readonly [name: string, sql: string, spills: boolean])[] = [
  ['sort', 'SELECT id, s FROM t ORDER BY s, id', true],
  ['sort by a sum, descending', 'SELECT id FROM t ORDER BY d + n DESC, id', true],
  ['many first rows', 'SELECT id FROM t ORDER BY s, id LIMIT 20000 OFFSET 100', true],
  ['DISTINCT of texts', 'SELECT DISTINCT s || n AS k FROM t', true],
  ['DISTINCT of several columns', 'SELECT DISTINCT s, n, d FROM t', true],
  ['DISTINCT with nulls', 'SELECT DISTINCT CASE WHEN id % 3 = 0 THEN NULL ELSE id END, nullif(n, 7) FROM t', true],
  ['UNION', 'SELECT n FROM t UNION SELECT id FROM t UNION SELECT id + 5 FROM u', true],
  ['window over partitions', 'SELECT id, row_number() OVER (PARTITION BY n ORDER BY d, id), sum(id) OVER (PARTITION BY n ORDER BY d, id) FROM t', true],
  ['window over all', 'SELECT id, rank() OVER (ORDER BY n), count(*) OVER () FROM t', true],
  ['window without an order', 'SELECT id, lag(s) OVER (ORDER BY id), max(n) OVER (PARTITION BY s) FROM t', true],
  ['a shared table', 'WITH k AS MATERIALIZED (SELECT id, s, n FROM t) SELECT a.id, b.s FROM k a JOIN k b ON a.id = b.n', true],
  [
    'a recursion',
    'WITH RECURSIVE r (i, s) AS (SELECT id, s FROM t UNION ALL SELECT i + 40000, s FROM r WHERE i < 80000) SELECT count(*), sum(i), max(s) FROM r',
    true,
  ],
  ['nested loops', 'SELECT count(*), sum(t.id) FROM small JOIN t ON t.id % 1000 < small.id', true],
  ['ALL', 'SELECT id FROM small WHERE id > ALL (SELECT n - 10000 FROM t WHERE t.id > 5)', true],
  ['groups', 'SELECT s || n, count(*), sum(d) FROM t GROUP BY 1', false],
  ['grouping sets', 'SELECT n, s, count(*) FROM t GROUP BY ROLLUP (n, s)', false],
  ['inner join', 'SELECT t.id, u.s FROM t JOIN u ON t.n = u.id', false],
  ['left join', 'SELECT t.id, u.s FROM t LEFT JOIN u ON t.n = u.id AND u.s > t.s', false],
  ['right join', 'SELECT t.id, u.s FROM t RIGHT JOIN u ON t.n = u.id', false],
  ['full join', 'SELECT t.id, u.s FROM t FULL JOIN u ON t.id = u.id + 9000', false],
  ['semi join', 'SELECT id FROM t WHERE n IN (SELECT id FROM u)', false],
  ['anti join', 'SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = t.n)', false],
  ['INTERSECT', 'SELECT n FROM t INTERSECT SELECT id FROM u', false],
  ['EXCEPT ALL', 'SELECT n FROM t EXCEPT ALL SELECT id FROM u', false],
  ['ordered aggregates', "SELECT n % 3, md5(string_agg(s, ',' ORDER BY s, id)), count(DISTINCT s) FROM t GROUP BY 1", false],
];

let folder: string;
let database: Database;
let much: SqlSession;
let little: SqlSession;
let made = 0;
let open_ = 0;

function counted(): SpillFile {
  // As in an encrypted folder, every other one.
  const file = temporaryFile(made % 2 === 1);
  made++;
  open_++;
  return {
    write: (bytes) => file.write(bytes),
    read: (from, length) => file.read(from, length),
    close() {
      open_--;
      file.close();
    },
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-spill-test-'));
  database = await open(folder);
  much = database.session();
  little = database.session();
  const { host } = little;
  Object.defineProperty(little, 'host', { value: { ...host, workMemBytes: LITTLE_BYTES, spill: counted } });
  await much.run('CREATE TABLE t (id integer PRIMARY KEY, n integer NOT NULL, s text, d numeric(12,2)); CREATE TABLE u (id integer PRIMARY KEY, s text)');
  await much.run(
    `INSERT INTO t SELECT i, i * 7919 % 10007, CASE WHEN i % 9 > 0 THEN 'text ' || i * 31 % 997 || ' é' END, i / 100.0 FROM generate_series(1, ${ROWS}) AS g (i)`,
  );
  await much.run("INSERT INTO u SELECT i, 'text ' || i % 997 FROM generate_series(1, 12000) AS g (i)");
  await much.run('CREATE TABLE small (id integer PRIMARY KEY); INSERT INTO small SELECT generate_series(1, 5)');
});

afterAll(async () => {
  much.close();
  little.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function rowsOf(session: SqlSession, sql: string): Promise<string[]> {
  const [{ rows, columns }] = await session.run(sql);
  return rows.map((row) => row.map((value, i) => (value === null ? '' : columns![i].type.format(value, session.env))).join('|'));
}

test.each(QUERIES)('%s', { timeout: 30_000 }, async (_name, sql, spills) => {
  const before = made;
  const got = await rowsOf(little, sql);
  const expected = await rowsOf(much, sql);
  if (!sql.includes('ORDER BY') || sql.includes('OVER')) {
    got.sort();
    expected.sort();
  }
  expect(got).toEqual(expected);
  expect(made > before).toBe(spills);
  expect(open_).toBe(0);
});

test('files are closed where a statement ends early', async () => {
  await expect(little.run('SELECT 1 / (id - 30000) FROM (SELECT id FROM t ORDER BY s, id) q')).rejects.toMatchObject({ code: '22012' });
  expect(open_).toBe(0);
  await little.run('SELECT DISTINCT s || n FROM t LIMIT 5000');
  expect(open_).toBe(0);
});
