/**
 * Statements that change or delete many rows at once, whose changes go as columns: beside Postgres after each transaction, and as they were when
 * the folder is opened again, at past moments, in forks, and after merges and undoings.
 */
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Seeded } from '../differential/seeded.ts';
import { TestDatabase } from './open-database.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 4);
const FIRST = Number(process.env['SEED'] ?? 1);
const ROWS = 1500;
/** Row by row, five of ten suffice: 750 rows are more than the 257 from which changes go as columns, and each residue and each end of the range is among them. */
const HALF = 'WHERE g % 10 < 5';
const STEPS = 14;

let pg: PGlite;
let t: TestDatabase;
beforeAll(async () => {
  pg = await newPostgres();
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

/** What functions and triggers do row by row, and rows that go with all that lie beside them. */
function singly(random: Seeded): string {
  const where = random.pick([`n % ${random.between(2, 9)} = 1`, `n BETWEEN ${random.between(0, 900)} AND ${random.between(901, 1600)}`, 'true']);
  const order = random.pick(['t.id', 't.n DESC', 't.n * 7 % 100, t.n']);
  const loop = (body: string): string =>
    `DO $$ DECLARE r record; BEGIN FOR r IN SELECT t.id, t.n FROM t WHERE ${where} ORDER BY ${order} LOOP ${body} END LOOP; END $$`;
  return random.pick([
    () => loop('UPDATE t SET a = a + 1 WHERE id = r.id; IF r.n % 3 = 0 THEN DELETE FROM t WHERE id = r.id; END IF;'),
    () => loop("UPDATE t SET a = r.n % 50, w = w + 9007199254740993 WHERE id = r.id; UPDATE t SET s = s || '!' WHERE id = r.id AND r.n % 4 = 0;"),
    () => loop("DELETE FROM t WHERE id = r.id; IF r.n % 2 = 0 THEN INSERT INTO t (id, n, a, s) VALUES (r.id, r.n, 9, 'back'); END IF;"),
    () => loop('UPDATE t SET a = a + 1 WHERE id = r.id; UPDATE t SET a = a - 1 WHERE id = r.id;'),
    () =>
      loop(`BEGIN UPDATE t SET a = a + 2 WHERE id = r.id; DELETE FROM t WHERE n = r.n + 1 AND r.n % 6 = 0;
        IF r.n % 7 = 0 THEN RAISE division_by_zero; END IF; EXCEPTION WHEN division_by_zero THEN UPDATE t SET s = 'caught' WHERE id = r.id; END;`),
    () =>
      `DO $$ DECLARE r record; BEGIN FOR r IN SELECT id, n FROM was WHERE ${where} ORDER BY n LOOP
        IF NOT EXISTS (SELECT FROM t WHERE id = r.id) THEN INSERT INTO t (id, n, a, s) VALUES (r.id, r.n, 3, 'new'); END IF; END LOOP; END $$`,
    () => `DELETE FROM t WHERE n > ${random.between(0, 1500)}`,
    () => `DELETE FROM t WHERE n < ${random.between(0, 1500)}`,
    () => 'DELETE FROM t',
    () => `UPDATE t SET a = a + 1 WHERE ${where}`,
    () => `INSERT INTO t (id, n, a, s) SELECT id, n, 5, 'again' FROM was WHERE n NOT IN (SELECT n FROM t)`,
  ])();
}

/** Rows are stamped before they are written, and told of in a table afterwards. */
const TRIGGERS = [
  `CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.late := TG_OP || NEW.n % 10; IF NEW.n % 97 = 0 THEN RETURN NULL; END IF; RETURN NEW; END $$`,
  `CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO told VALUES (TG_OP, coalesce(NEW.n, OLD.n), OLD.a, NEW.a); RETURN NULL; END $$`,
  'CREATE TABLE told (op text, n int, was int, now int)',
  'CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION stamp()',
  'CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION tell()',
];
const TOLD = 'SELECT op, count(*), sum(n) AS n, sum(was) AS was, sum(now) AS now FROM told GROUP BY op ORDER BY op';

const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST + i);

test.each(seeds)('seed %i', (seed) => play(seed, change, '', [], LOOKS));
test.each(seeds)('row by row, seed %i', (seed) => play(seed, singly, HALF, [], LOOKS));
test.each(seeds)('with triggers, seed %i', (seed) => play(seed, singly, HALF, TRIGGERS, [...LOOKS, TOLD]));

async function play(seed: number, change: (random: Seeded) => string, which: string, definitions: readonly string[], asked: readonly string[]): Promise<void> {
  const random = new Seeded(seed);
  const key = random.pick(KEYS);
  t = await TestDatabase.open({ checkpointLogBytes: random.pick([2000, 50_000, 10_000_000]), checkpointRest: 0 });
  const said: string[] = [];
  const both = async (sql: string): Promise<void> => {
    said.push(sql);
    await pg.exec(sql);
    await t.run(sql);
  };
  const looks = (branch?: string): Promise<string[]> => Promise.all(asked.map(async (sql) => (await t.lines(sql, branch)).join('|')));
  const alike = async (): Promise<string[]> => {
    const theirs = await Promise.all(
      asked.map(async (sql) => (await pg.query<unknown[]>(sql, [], { rowMode: 'array' })).rows.map((row) => row.map(String).join(' ')).join('|')),
    );
    const ours = await looks();
    expect(ours, said.join(';\n')).toEqual(theirs);
    return ours;
  };
  await pg.exec('DROP TABLE IF EXISTS t, was, told; DROP FUNCTION IF EXISTS stamp, tell');
  await both(`CREATE TABLE t (id ${key.type} PRIMARY KEY, n int NOT NULL, a int CHECK (a < 100000), s text, w bigint, p numeric, f boolean, at timestamptz, c text DEFAULT 'c');
    INSERT INTO t SELECT ${key.of}, g, g % 60, 's' || g % 200, g::bigint * 1000, g / 4.0, g % 3 = 0, '2024-01-01Z'::timestamptz + g * interval '1 hour' FROM generate_series(1, ${ROWS}) g ${which};
    ALTER TABLE t ADD COLUMN late text DEFAULT 'late';
    CREATE INDEX t_a ON t (a); CREATE INDEX t_s ON t (lower(s)); CREATE TABLE was AS SELECT id, n FROM t`);
  if (random.chance(0.5)) await both('CREATE UNIQUE INDEX t_n ON t (n)');
  for (const each of definitions) await both(each);
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
}
