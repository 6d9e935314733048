/**
 * Statements that change or delete many rows at once, whose changes go as columns: beside Postgres after each transaction, and as they were when
 * the folder is opened again, at past moments, in forks, and after merges and undoings.
 */
import { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Seeded } from '../differential/seeded.ts';
import { TestDatabase } from './open-database.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 4);
const FIRST = Number(process.env['SEED'] ?? 1);
const ROWS = 1500;
const STEPS = 14;

let pg: PGlite;
let t: TestDatabase;
beforeAll(async () => {
  pg = await PGlite.create();
  await pg.exec("SET timezone = 'UTC'");
}, 60_000);
afterAll(() => pg.close());
afterEach(() => t.close());

const KEYS = [
  { type: 'int', of: 'g' },
  { type: 'bigint', of: 'g::bigint * 4000000000' },
  { type: 'text', of: "'k' || lpad(g::text, 6, '0')" },
];

const LOOKS = [
  "SELECT count(*), md5(string_agg(t::text, ',' ORDER BY id)) FROM t",
  'SELECT count(*), sum(n) FROM t WHERE a BETWEEN 10 AND 20',
  "SELECT count(*) FROM t WHERE lower(s) = 's77'",
  'SELECT min(n), max(n), count(n) FROM t WHERE n > 500',
];

/** One statement over many rows. */
function change(random: Seeded): string {
  const some = `n % ${random.between(2, 9)} = ${random.between(0, 1)}`;
  const where = random.pick([some, `${some} AND a < ${random.between(1, 60)}`, `n BETWEEN ${random.between(0, 500)} AND ${random.between(600, 1600)}`, 'true']);
  return random.pick([
    () => `UPDATE t SET a = a + 1 WHERE ${where}`,
    () => `UPDATE t SET s = s || 'é' WHERE ${where}`,
    () =>
      `UPDATE t SET s = CASE WHEN n % 3 = 0 THEN NULL ELSE upper(s) END, w = w + ${random.pick(['1', '9007199254740993', '-9007199254740993'])} WHERE ${where}`,
    () => `UPDATE t SET w = n, late = 'x' WHERE ${where}`,
    () => `UPDATE t SET p = p * 1.5, f = NOT f WHERE ${where}`,
    () => `UPDATE t SET at = at + interval '1 day', a = CASE WHEN n % 2 = 0 THEN a ELSE 7 END WHERE ${where}`,
    () => `UPDATE t SET a = u.x FROM (SELECT n AS m, n % 40 AS x FROM t) u WHERE u.m = t.n AND ${where}`,
    () => `DELETE FROM t WHERE ${some} AND a % 2 = 0`,
    () => `DELETE FROM t WHERE n BETWEEN ${random.between(0, 1000)} AND ${random.between(1000, 1400)} AND n % 5 <> 0`,
    () =>
      `INSERT INTO t (id, n, a, s) SELECT id, n, 5, 'again' FROM was WHERE n % 4 = 1 AND n NOT IN (SELECT n FROM t) ON CONFLICT (id) DO UPDATE SET a = t.a + excluded.a`,
  ])();
}

test.each(Array.from({ length: SEEDS }, (_, i) => FIRST + i))('seed %i', async (seed) => {
  const random = new Seeded(seed);
  const key = random.pick(KEYS);
  t = await TestDatabase.open({ checkpointLogBytes: random.pick([2000, 50_000, 10_000_000]), checkpointRest: 0 });
  const said: string[] = [];
  const both = async (sql: string): Promise<void> => {
    said.push(sql);
    await pg.exec(sql);
    await t.run(sql);
  };
  const looks = (branch?: string): Promise<string[]> => Promise.all(LOOKS.map(async (sql) => (await t.lines(sql, branch)).join('|')));
  const alike = async (): Promise<string[]> => {
    const theirs = await Promise.all(
      LOOKS.map(async (sql) => (await pg.query<unknown[]>(sql, [], { rowMode: 'array' })).rows.map((row) => row.map(String).join(' ')).join('|')),
    );
    const ours = await looks();
    expect(ours, said.join(';\n')).toEqual(theirs);
    return ours;
  };
  await pg.exec('DROP TABLE IF EXISTS t, was');
  await both(`CREATE TABLE t (id ${key.type} PRIMARY KEY, n int NOT NULL, a int CHECK (a < 100000), s text, w bigint, p numeric, f boolean, at timestamptz, c text DEFAULT 'c');
    INSERT INTO t SELECT ${key.of}, g, g % 60, 's' || g % 200, g::bigint * 1000, g / 4.0, g % 3 = 0, '2024-01-01Z'::timestamptz + g * interval '1 hour' FROM generate_series(1, ${ROWS}) g;
    ALTER TABLE t ADD COLUMN late text DEFAULT 'late';
    CREATE INDEX t_a ON t (a); CREATE INDEX t_s ON t (lower(s)); CREATE TABLE was AS SELECT id, n FROM t`);
  if (random.chance(0.5)) await both('CREATE UNIQUE INDEX t_n ON t (n)');
  const states: { moment: string; state: string[] }[] = [];
  const keep = async (): Promise<void> => void states.push({ moment: `main@#${t.db.stats()['log_sequence']}`, state: await alike() });
  await keep();
  for (let step = 0; step < STEPS; step++) {
    if (random.chance(0.6)) await both(change(random));
    else {
      const session = t.db.session();
      const steps = [
        'BEGIN',
        change(random),
        'SAVEPOINT s',
        change(random),
        random.pick(['ROLLBACK TO s', 'RELEASE s']),
        change(random),
        random.pick(['COMMIT', 'COMMIT', 'ROLLBACK']),
      ];
      for (const sql of steps) {
        said.push(sql);
        await pg.exec(sql);
        await session.run(sql);
      }
      session.close();
    }
    await keep();
    if (random.chance(0.2)) {
      await t.reopen({ withoutCache: random.chance(0.5) });
      await alike();
    }
    if (random.chance(0.3)) {
      // A branch is changed, merged and taken back, beside changes of other rows.
      const before = await alike();
      await t.run('CREATE WORLD side');
      const sql = change(random);
      said.push(`side: ${sql}`);
      await t.run(sql, 'side');
      const there = await looks('side');
      await t.run('MERGE WORLD side');
      expect(await looks(), said.join(';\n')).toEqual(there);
      await t.run('UNDO MERGE side');
      expect(await looks(), said.join(';\n')).toEqual(before);
    }
  }
  for (const { moment, state } of states.toReversed()) expect(await looks(moment), `${moment}\n${said.join(';\n')}`).toEqual(state);
  await t.reopen({ withoutCache: true });
  await alike();
});
