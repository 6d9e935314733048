/** Random transactions that read what others write, by conditions on values too. */
import { Seeded } from '../differential/seeded.ts';
import type { Scenario } from './play.ts';

const SETUP = `DROP TABLE IF EXISTS n; DROP TABLE IF EXISTS m; CREATE TABLE m (id int PRIMARY KEY, v int, u int UNIQUE); CREATE TABLE n (id int PRIMARY KEY, m int, v int);
  CREATE INDEX ON n (m); INSERT INTO m SELECT g, g * 10, g FROM generate_series(1, 4) g; INSERT INTO n SELECT g, g, g FROM generate_series(1, 3) g`;

const KEYS = [1, 2, 3, 4, 5, 6];

export function randomTransactions(seed: number): Scenario {
  const random = new Seeded(seed);
  const names = random.chance(0.3) ? ['a', 'b', 'c'] : ['a', 'b'];
  const lists = names.map((name) => {
    const steps: string[] = [`${name} SET default_transaction_isolation = 'serializable'`];
    for (let count = random.between(1, 2); count > 0; count--) {
      steps.push(`${name} BEGIN`);
      for (let length = random.between(1, 3); length > 0; length--) steps.push(`${name} ${random.chance(0.45) ? read(random) : write(random)}`);
      steps.push(`${name} ${random.chance(0.92) ? 'COMMIT' : 'ROLLBACK'}`);
    }
    return steps;
  });
  const steps: string[] = [];
  while (lists.some((list) => list.length > 0)) steps.push(random.pick(lists.filter((list) => list.length > 0)).shift()!);
  for (let round = 0; round < 3; round++) for (const name of names) steps.push(`${name} COMMIT`);
  return { name: `seed ${seed}`, setup: SETUP, steps, final: FINAL };
}

export const FINAL = `SELECT (SELECT string_agg(m::text, ' ' ORDER BY id) FROM m), (SELECT string_agg(n::text, ' ' ORDER BY id) FROM n)`;

function read(random: Seeded): string {
  const key = random.pick(KEYS);
  return random.pick([
    'SELECT sum(v), count(*) FROM m',
    'SELECT * FROM m ORDER BY id',
    `SELECT count(*) FROM m WHERE v > ${random.pick([15, 25, 35])}`,
    `SELECT v FROM m WHERE id = ${key}`,
    `SELECT id FROM m WHERE u = ${key}`,
    'SELECT max(id) FROM m',
    'SELECT id, v FROM m ORDER BY v, id LIMIT 1',
    `SELECT count(*), sum(v) FROM n WHERE m = ${key}`,
    'SELECT m.id, n.id FROM m LEFT JOIN n ON n.m = m.id ORDER BY 1, 2',
    `SELECT EXISTS (SELECT FROM n WHERE m = ${key})`,
  ]);
}

function write(random: Seeded): string {
  const key = random.pick(KEYS);
  const value = random.between(1, 9);
  return random.pick([
    `UPDATE m SET v = v + ${value} WHERE id = ${key}`,
    `UPDATE m SET v = (SELECT sum(v) FROM m) WHERE id = ${key}`,
    `UPDATE m SET v = v - 10 WHERE v >= ${random.pick([20, 30])}`,
    `UPDATE m SET v = v + (SELECT count(*) FROM n) WHERE id = ${key}`,
    `UPDATE m SET u = ${value} WHERE id = ${key}`,
    `DELETE FROM m WHERE v > ${random.pick([25, 35])}`,
    `DELETE FROM m WHERE id = ${key}`,
    'INSERT INTO m SELECT max(id) + 1, count(*) FROM m',
    `INSERT INTO m VALUES (${key}, ${value}, NULL) ON CONFLICT (id) DO UPDATE SET v = m.v + excluded.v`,
    `INSERT INTO n SELECT ${key + 3}, ${key}, (SELECT v FROM m WHERE id = ${key}) WHERE NOT EXISTS (SELECT FROM n WHERE m = ${key})`,
    `UPDATE n SET v = m.v FROM m WHERE m.id = n.m`,
    `UPDATE n SET m = ${key} WHERE m = ${random.pick(KEYS)}`,
    `DELETE FROM n WHERE NOT EXISTS (SELECT FROM m WHERE m.id = n.m)`,
  ]);
}
