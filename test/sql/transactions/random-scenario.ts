/**
 * Random steps of two or three sessions over a few rows that they fight for. Rows are named by their keys: a statement that waited runs
 * again over one state, where Postgres looks again at the rows that it had found, so conditions on what others change would differ.
 */
import { Seeded } from '../differential/seeded.ts';
import type { Scenario } from './play.ts';

const SETUP = `DROP TABLE IF EXISTS c; DROP TABLE IF EXISTS t; DROP SEQUENCE IF EXISTS s; CREATE SEQUENCE s;
  CREATE TABLE t (id int PRIMARY KEY, v int, u int UNIQUE, CHECK (v < 1000));
  CREATE TABLE c (id int PRIMARY KEY, t int REFERENCES t ON DELETE $ON_DELETE ON UPDATE $ON_UPDATE $DEFERRED, v int);
  INSERT INTO t SELECT g, g * 10, g FROM generate_series(1, 4) g; INSERT INTO c SELECT g, g, 0 FROM generate_series(1, 3) g`;
const FINAL = `SELECT (SELECT string_agg(t::text, ' ' ORDER BY id) FROM t), (SELECT string_agg(c::text, ' ' ORDER BY id) FROM c)`;

const KEYS = [1, 2, 3, 4, 5];
const WAYS_OF_LOCKING = ['UPDATE', 'NO KEY UPDATE', 'SHARE', 'KEY SHARE'];
const TABLE_LOCKS = ['ACCESS SHARE', 'ROW SHARE', 'ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE', 'SHARE', 'SHARE ROW EXCLUSIVE', 'EXCLUSIVE', 'ACCESS EXCLUSIVE'];
const ACTIONS = ['CASCADE', 'SET NULL', 'RESTRICT', 'NO ACTION'];

export function randomScenario(seed: number): Scenario {
  const random = new Seeded(seed);
  const names = random.chance(0.2) ? ['a', 'b', 'c'] : ['a', 'b'];
  const setup = SETUP.replace('$ON_DELETE', random.pick(ACTIONS))
    .replace('$ON_UPDATE', random.pick(ACTIONS))
    .replace('$DEFERRED', random.pick(['', '', 'DEFERRABLE', 'DEFERRABLE INITIALLY DEFERRED']));
  const steps: string[] = [];
  for (let length = random.between(6, 18); length > 0; length--) steps.push(`${random.pick(names)} ${statement(random)}`);
  // Who waits for one who ends before it ends in the next round.
  for (const name of [...names, ...names, ...names]) steps.push(`${name} ${random.chance(0.8) ? 'COMMIT' : 'ROLLBACK'}`);
  return { name: `seed ${seed}`, setup, steps, final: FINAL };
}

function statement(random: Seeded): string {
  const roll = random.next();
  if (roll < 0.2) return 'BEGIN';
  if (roll < 0.26) return random.pick(['COMMIT', 'ROLLBACK']);
  if (roll < 0.34) return random.pick(['SAVEPOINT p', 'SAVEPOINT p', 'ROLLBACK TO p', 'RELEASE p']);
  if (roll < 0.44) return read(random);
  if (roll < 0.54) return locking(random);
  if (roll < 0.58) return rare(random);
  return change(random);
}

function read(random: Seeded): string {
  return random.pick([
    'SELECT * FROM t ORDER BY id',
    'SELECT * FROM c ORDER BY id',
    `SELECT * FROM t WHERE id = ${random.pick(KEYS)}`,
    'SELECT count(*), sum(v), sum(u) FROM t',
    'SELECT c.id, t.v FROM c LEFT JOIN t ON t.id = c.t ORDER BY c.id',
  ]);
}

function locking(random: Seeded): string {
  const way = `FOR ${random.pick(WAYS_OF_LOCKING)}`;
  const patience = random.pick(['', '', ' NOWAIT', ' SKIP LOCKED']);
  const key = random.pick(KEYS);
  return random.pick([
    `SELECT id, v FROM t WHERE id = ${key} ${way}${patience}`,
    `SELECT id, v FROM c WHERE id = ${key} ${way}${patience}`,
    `SELECT id FROM t WHERE id IN (${key}, ${random.pick(KEYS)}) ORDER BY id ${way}${patience}`,
    `SELECT c.id FROM c JOIN t ON t.id = c.t WHERE c.id = ${key} ${way} OF ${random.pick(['c', 't'])}${patience}`,
  ]);
}

function rare(random: Seeded): string {
  return random.pick([
    `LOCK TABLE ${random.pick(['t', 'c'])} IN ${random.pick(TABLE_LOCKS)} MODE${random.pick(['', ' NOWAIT'])}`,
    `SELECT pg_advisory_xact_lock(${random.pick([1, 2])})`,
    `SELECT pg_try_advisory_xact_lock(${random.pick([1, 2])})`,
    `SELECT nextval('s')`,
    'SET CONSTRAINTS ALL IMMEDIATE',
    'SET CONSTRAINTS ALL DEFERRED',
  ]);
}

function change(random: Seeded): string {
  const key = random.pick(KEYS);
  const other = random.pick(KEYS);
  const value = random.between(1, 99);
  return random.pick([
    `UPDATE t SET v = v + ${value} WHERE id = ${key}`,
    `UPDATE t SET v = v + ${value} WHERE id = ${key} RETURNING v`,
    `UPDATE t SET u = ${random.between(1, 6)} WHERE id = ${key}`,
    `UPDATE t SET id = ${other} WHERE id = ${key}`,
    `UPDATE t SET v = v + 1 WHERE id IN (${key}, ${other})`,
    `UPDATE t SET v = (SELECT count(*) FROM c WHERE c.t = ${key}) WHERE id = ${other}`,
    `UPDATE c SET v = v + ${value} WHERE id = ${key}`,
    `UPDATE c SET t = ${other} WHERE id = ${key}`,
    `UPDATE c SET v = t.v FROM t WHERE t.id = c.t AND c.id = ${key}`,
    `DELETE FROM t WHERE id = ${key}`,
    `DELETE FROM c WHERE id = ${key}`,
    `DELETE FROM c WHERE id = ${key} RETURNING t, v`,
    `INSERT INTO t VALUES (${key}, ${value}, ${random.between(1, 6)})`,
    `INSERT INTO t VALUES (${key}, ${value}, ${key}) ON CONFLICT (id) DO UPDATE SET v = t.v + excluded.v RETURNING v`,
    `INSERT INTO t VALUES (${key}, ${value}, ${other}) ON CONFLICT DO NOTHING`,
    `INSERT INTO t VALUES (${key}, ${value}, ${other}) ON CONFLICT (u) DO UPDATE SET v = excluded.v`,
    `INSERT INTO c VALUES (${key}, ${other}, ${value})`,
    `INSERT INTO c VALUES (${key}, ${other}, ${value}) ON CONFLICT (id) DO UPDATE SET t = excluded.t`,
    `WITH x AS (UPDATE t SET v = v + 1 WHERE id = ${key} RETURNING id) INSERT INTO c SELECT id + 10, id, 0 FROM x ON CONFLICT DO NOTHING`,
    `MERGE INTO t USING (VALUES (${key}, ${value})) n(id, v) ON t.id = n.id WHEN MATCHED THEN UPDATE SET v = t.v + n.v WHEN NOT MATCHED THEN INSERT VALUES (n.id, n.v, n.id)`,
  ]);
}
