/**
 * Large commits take trees that the transaction has built, and write bytes that were encoded before: what the world then holds
 * must be what a replay folds from the log, whoever else wrote meanwhile.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CopyStreams } from '../../../src/sql/session/copy.ts';
import { LARGE_ROWS } from '../../../src/sql/session/large-commit.ts';
import { TestDatabase } from './open-database.ts';

const MANY = LARGE_ROWS + 1000;

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE TABLE big (id int PRIMARY KEY, n int, u text UNIQUE, s text);
    CREATE INDEX big_n ON big (n);
    CREATE TABLE log (at serial PRIMARY KEY, what text)`);
});
afterEach(() => t.close());

/** Rows, and what each index says of them. */
async function state(branch = 'main'): Promise<string[]> {
  const out: string[] = [];
  for (const sql of [
    'SELECT count(*), sum(id), sum(n), sum(length(s)), min(id), max(id) FROM big',
    'SELECT id, n, u, s FROM big ORDER BY id LIMIT 50 OFFSET 3000',
    "SELECT md5(string_agg(concat(id, ' ', n, ' ', u), ',' ORDER BY id)) FROM big",
    'SELECT count(*), sum(id) FROM big WHERE n = 7',
    'SELECT count(*), sum(id) FROM big WHERE n + 0 = 7',
    'SELECT count(*), sum(n) FROM (SELECT n FROM big ORDER BY n) x',
    "SELECT id FROM big WHERE u = 'u77'",
    'SELECT count(*), max(at) FROM log',
  ])
    out.push(...(await t.lines(sql, branch)));
  expect(out.at(-5)).toEqual(out.at(-4));
  return out;
}

async function replayed(branch = 'main'): Promise<void> {
  const before = await state(branch);
  await t.reopen({ withoutCache: true });
  expect(await state(branch)).toEqual(before);
}

function insert(from: number, count = MANY): string {
  return `INSERT INTO big SELECT g, g % 50, 'u' || g, 'text ' || g FROM generate_series(${from}, ${from + count - 1}) g`;
}

test('rows that are inserted, updated and deleted by single statements', async () => {
  await t.run(insert(1));
  await t.run('UPDATE big SET n = n + 1, s = s || id');
  await t.run('UPDATE big SET id = id + 100000 WHERE id % 2 = 0');
  await t.run(`DELETE FROM big WHERE id % 3 = 0 OR n = 1`);
  await replayed();
});

test('a transaction of several statements, some rolled back', async () => {
  await t.run(insert(1));
  const session = t.db.session();
  await session.run('BEGIN');
  await session.run('UPDATE big SET n = n + 1');
  await session.run('SAVEPOINT s');
  await session.run('UPDATE big SET n = 0');
  await session.run('ROLLBACK TO s');
  await session.run(insert(MANY + 1));
  await session.run('UPDATE big SET s = NULL WHERE id % 5 = 0');
  await session.run("INSERT INTO log (what) VALUES ('big')");
  await session.run('COMMIT');
  session.close();
  expect(await t.lines('SELECT count(*) FROM big')).toEqual([String(2 * MANY)]);
  await replayed();
});

/** Random small writes of another session while `work` runs. */
async function beside(work: () => Promise<unknown>, seed: number, statement: (random: () => number) => string): Promise<number> {
  let value = seed;
  const random = (): number => (value = (value * 48271) % 2147483647) / 2147483647;
  const other = t.db.session();
  let over = false;
  let count = 0;
  const running = work().finally(() => (over = true));
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    await other.run(statement(random));
    count++;
  }
  await running;
  other.close();
  return count;
}

describe.each([1, 2])('beside others who write, seed %i', (seed) => {
  test('other tables', async () => {
    const count = await beside(
      () => t.run(insert(1)),
      seed,
      () => "INSERT INTO log (what) VALUES ('other')",
    );
    expect(count).toBeGreaterThan(0);
    expect(await t.lines('SELECT count(*) FROM log')).toEqual([String(count)]);
    await replayed();
  });

  test('rows of the same table that come before and behind', async () => {
    await t.run(insert(100_000, 300));
    let next = 1_000_000;
    const count = await beside(
      () => t.run(insert(1)),
      seed,
      (random) => {
        const g = random() < 0.5 ? -next++ : next++;
        return `INSERT INTO big VALUES (${g}, ${Math.floor(random() * 50)}, 'x${g}', 'other')`;
      },
    );
    expect(count).toBeGreaterThan(0);
    expect(await t.lines('SELECT count(*) FROM big')).toEqual([String(MANY + 300 + count)]);
    await replayed();
  });

  test('definitions', async () => {
    await t.run(insert(1));
    let n = 0;
    await beside(
      () => t.run('UPDATE big SET n = n + 1'),
      seed,
      () => `CREATE TABLE made${n++} (id int)`,
    );
    expect(n).toBeGreaterThan(0);
    await replayed();
  });
});

test.each([
  ['nobody', false],
  ['others who write other tables', true],
])('indexes, keys and types of many rows beside %s', async (_, busy) => {
  await t.run(insert(1));
  await t.run('ALTER TABLE big DROP CONSTRAINT big_pkey');
  for (const sql of [
    'CREATE INDEX big_s ON big (s, id)',
    'ALTER TABLE big ADD PRIMARY KEY (id)',
    'ALTER TABLE big ALTER n TYPE bigint USING n * 10',
    'ALTER TABLE big ADD COLUMN half numeric GENERATED ALWAYS AS (id / 2.0) STORED',
    'BEGIN; TRUNCATE log; CREATE INDEX big_half ON big (half); UPDATE big SET n = n / 10; COMMIT',
  ]) {
    const work = (): Promise<unknown> => t.run(sql);
    if (!busy || sql.startsWith('BEGIN')) await work();
    else await beside(work, 3, () => "INSERT INTO log (what) VALUES ('other')");
    for (const column of ['s', 'half'])
      if (sql.includes(`big_${column}`))
        expect(await t.lines(`SELECT ${column} FROM big WHERE ${column} > (SELECT min(${column}) FROM big) ORDER BY ${column} LIMIT 30`)).toEqual(
          await t.lines(`SELECT ${column} FROM (SELECT ${column}, row_number() OVER (ORDER BY ${column}) AS r FROM big) x WHERE r BETWEEN 2 AND 31 ORDER BY r`),
        );
  }
  await replayed();
});

test('a fork made while a large commit is prepared sees nothing of it', async () => {
  await t.run(insert(1));
  let n = 0;
  const other = t.db.session();
  const work = t.run('UPDATE big SET n = -1');
  let over = false;
  void work.then(() => (over = true));
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!over && n < 5) await t.db.fork({ name: `fork${n++}` });
  }
  other.close();
  expect(n).toBeGreaterThan(0);
  for (let i = 0; i < n; i++) {
    const [counts] = await t.lines('SELECT count(*) FILTER (WHERE n = -1) AS changed, count(*) AS rows FROM big', `fork${i}`);
    expect([`0 ${MANY}`, `${MANY} ${MANY}`]).toContain(counts);
  }
  expect(await t.lines('SELECT count(*) FILTER (WHERE n = -1) FROM big', 'fork0')).toEqual(['0']);
  await replayed();
});

test('COPY of many rows, with a sequence beside', async () => {
  await t.run('CREATE TABLE copied (id serial PRIMARY KEY, v text)');
  const session = t.db.session();
  const chunks: (Uint8Array | null)[] = [Buffer.from(Array.from({ length: MANY }, (_, i) => `value ${i}\n`).join('')), null];
  session.streams = { input: () => ({ next: () => Promise.resolve(chunks.shift() ?? null) }) } as unknown as CopyStreams;
  expect((await session.run('COPY copied (v) FROM STDIN'))[0].command).toBe(`COPY ${MANY}`);
  session.close();
  const seen = await t.lines('SELECT count(*), min(id), max(id), max(v) FROM copied');
  await t.reopen({ withoutCache: true });
  expect(await t.lines('SELECT count(*), min(id), max(id), max(v) FROM copied')).toEqual(seen);
  await t.run("INSERT INTO copied (v) VALUES ('next')");
  expect(await t.lines('SELECT max(id) FROM copied')).toEqual([String(MANY + 1)]);
});

test('a COMMIT that is cancelled ends its transaction', async () => {
  const session = t.db.session();
  await session.run(`BEGIN; ${insert(1)}; ${insert(MANY + 1)}`);
  const commit = session.run('COMMIT');
  const timer = setInterval(() => session.cancel(), 1);
  await expect(commit).rejects.toMatchObject({ code: '57014' });
  clearInterval(timer);
  expect((await session.run('SELECT count(*) FROM big'))[0].rows).toEqual([[0]]);
  session.close();
  await t.run(insert(1));
});

test('a statement that is cancelled while its commit is prepared leaves nothing', async () => {
  const session = t.db.session();
  const run = session.run(insert(1));
  const timer = setInterval(() => session.cancel(), 1);
  await expect(run).rejects.toMatchObject({ code: '57014' });
  clearInterval(timer);
  session.close();
  expect(await t.lines('SELECT count(*) FROM big')).toEqual(['0']);
  await t.run(insert(1));
  await replayed();
});
