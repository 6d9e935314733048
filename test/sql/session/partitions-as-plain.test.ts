/**
 * A partitioned table answers as a plain one with the same rows: random changes and queries over both, which agree in rows,
 * in counts and in errors. Changes give each row an id of its own, so none depends on the order in which rows are met.
 */
import { expect, test } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { seeded } from '../json/against-oracle.ts';
import { TestDatabase } from './open-database.ts';

const RANGES = Array.from({ length: 9 }, (_, i) => `CREATE TABLE @_${i} PARTITION OF @ FOR VALUES FROM (${i * 10}) TO (${i * 10 + 10})`);
const COLUMNS = 'id int NOT NULL, k int, t text, v numeric CONSTRAINT small CHECK (v < 100000), r int REFERENCES r, g int GENERATED ALWAYS AS (id + 1) STORED';

/** Definitions of `@`: all that is asked of rows is the same. */
const KEYED: Readonly<Record<string, readonly string[]>> = {
  ranges: [`CREATE TABLE @ (${COLUMNS}, PRIMARY KEY (id, k)) PARTITION BY RANGE (k)`, ...RANGES, 'CREATE TABLE @_d PARTITION OF @ DEFAULT'],
  hash: [
    `CREATE TABLE @ (${COLUMNS}, PRIMARY KEY (id, k)) PARTITION BY HASH (id)`,
    ...[0, 2].map((i) => `CREATE TABLE @_${i} PARTITION OF @ FOR VALUES WITH (MODULUS 4, REMAINDER ${i})`),
    'CREATE TABLE @_1 PARTITION OF @ FOR VALUES WITH (MODULUS 2, REMAINDER 1)',
  ],
};
const UNKEYED: Readonly<Record<string, readonly string[]>> = {
  'ranges without a key': [`CREATE TABLE @ (${COLUMNS}) PARTITION BY RANGE (k)`, ...RANGES, 'CREATE TABLE @_d PARTITION OF @ DEFAULT'],
  'a list by an expression': [
    `CREATE TABLE @ (${COLUMNS}) PARTITION BY LIST ((k % 4))`,
    'CREATE TABLE @_0 PARTITION OF @ FOR VALUES IN (0, 2)',
    'CREATE TABLE @_1 PARTITION OF @ FOR VALUES IN (1, NULL)',
    'CREATE TABLE @_d PARTITION OF @ DEFAULT',
  ],
  'two levels, columns in another order': [
    `CREATE TABLE @ (${COLUMNS}) PARTITION BY RANGE (k)`,
    'CREATE TABLE @_0 PARTITION OF @ FOR VALUES FROM (MINVALUE) TO (30) PARTITION BY HASH (id)',
    ...[0, 1, 2].map((i) => `CREATE TABLE @_0${i} PARTITION OF @_0 FOR VALUES WITH (MODULUS 3, REMAINDER ${i})`),
    'CREATE TABLE @_1 (r int REFERENCES r, gone int, k int, v numeric CONSTRAINT small CHECK (v < 100000), id int NOT NULL, t text, g int GENERATED ALWAYS AS (id + 1) STORED)',
    'ALTER TABLE @_1 DROP COLUMN gone; CREATE UNIQUE INDEX ON @_1 (id, k)',
    'ALTER TABLE @ ATTACH PARTITION @_1 FOR VALUES FROM (30) TO (60)',
    'CREATE TABLE @_2 PARTITION OF @ FOR VALUES FROM (60) TO (MAXVALUE) PARTITION BY LIST (t)',
    "CREATE TABLE @_20 PARTITION OF @_2 FOR VALUES IN ('a', 'b', NULL)",
    'CREATE TABLE @_21 PARTITION OF @_2 DEFAULT',
    'CREATE TABLE @_d PARTITION OF @ DEFAULT',
  ],
};

type Next = (below: number) => number;

function change(next: Next, round: number, keyed: boolean): string {
  const some = (...each: string[]): string => each[next(each.length)];
  const where = (): string =>
    some(
      `id % ${2 + next(5)} = ${next(3)}`,
      `k < ${next(100)}`,
      `k = ${next(100)}`,
      `v > ${next(60)}`,
      `t = '${some('a', 'b', 'c')}'`,
      `k BETWEEN ${next(50)} AND ${next(90)}`,
    );
  const rows = (count: number): string =>
    `SELECT ${round * 1000} + g, (g * ${1 + next(97)}) % 95, (ARRAY['a', 'b', 'c', NULL])[1 + g % 4], g * ${1 + next(9)}, 1 + g % 5 FROM generate_series(1, ${count}) g`;
  switch (next(keyed ? 11 : 9)) {
    case 0:
      return `INSERT INTO @ (id, k, t, v, r) ${rows(1 + next(40))}`;
    case 1:
      return `INSERT INTO @ (id, k, t, v, r) ${rows(400)} RETURNING id, k, g`;
    case 2:
      return `UPDATE @ SET v = v + ${next(3)} WHERE ${where()}`;
    case 3:
      return `UPDATE @ SET k = (k * ${1 + next(5)} + ${next(95)}) % 95, t = 'b' WHERE ${where()}`;
    case 4:
      return `UPDATE @ SET k = (k + ${next(3)}) % 95, v = v - 1 WHERE ${where()} RETURNING id, k, v, g`;
    case 5:
      return `UPDATE @ SET r = ${some('NULL', '2', '3', '4', '9')}, k = k + ${next(2)} WHERE ${where()}`;
    case 6:
      return `DELETE FROM @ WHERE ${where()} AND id % 3 = ${next(3)}${some('', ' RETURNING id, t')}`;
    case 7:
      return `UPDATE @ SET v = ${some('v * 1000', 'v + 0.5')}, t = ${some("'c'", 'NULL')} WHERE ${where()}`;
    case 8:
      return (
        `MERGE INTO @ USING (SELECT min(id) AS id, count(*) AS n FROM @ GROUP BY k % 10) s ON @.id = s.id ` +
        `WHEN MATCHED AND s.n % 3 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET k = (@.k + s.n) % 95, v = s.n`
      );
    case 9:
      return `INSERT INTO @ (id, k, v) SELECT id, k, 1 FROM @ WHERE ${where()} UNION ALL SELECT ${round * 1000}, 3, 4 ON CONFLICT (id, k) DO UPDATE SET v = @.v + excluded.v`;
    default:
      return `INSERT INTO @ (id, k, v) SELECT id, k, 1 FROM @ WHERE ${where()} AND id % 7 = 0`;
  }
}

const QUERIES = [
  'SELECT * FROM @ ORDER BY id',
  'SELECT k, count(*), sum(v), min(t), max(g) FROM @ GROUP BY k ORDER BY k',
  'SELECT count(*), sum(v), min(k), max(k), count(DISTINCT t) FROM @',
  'SELECT id, k, v FROM @ WHERE k BETWEEN 12 AND 44 AND v > 3 ORDER BY id',
];
/** Now and then: partitions are left out by other values than constants, or read in order. */
const PLANS = [
  'SELECT k, id FROM @ ORDER BY k, id LIMIT 7',
  'SELECT k, id FROM @ WHERE k < 90 ORDER BY k DESC, id DESC LIMIT 9 OFFSET 3',
  'SELECT count(*), sum(v), sum(x.n) FROM @ JOIN (VALUES (3, 1), (44, 2), (90, 3), (3, 4)) x(k, n) USING (k)',
  'SELECT id, t FROM @ WHERE k IN (SELECT id * 10 + 1 FROM r) AND id % 2 = 0',
  'SELECT id, t FROM @ WHERE k >= (SELECT max(k) FROM @ WHERE k < 70) AND k < (SELECT 85)',
  'SELECT r.id, (SELECT count(*) FROM @ w WHERE w.k = r.id AND w.v > r.id) AS n, (SELECT sum(id) FROM @ w WHERE w.k < r.id * 10) AS s FROM r',
];

async function answer(t: TestDatabase, sql: string, table: string): Promise<string[]> {
  const own = sql.replaceAll('@', table);
  try {
    const { results } = await t.db.sql({ sql: own });
    const { command, rowCount, rows } = results.at(-1)! as { command: string; rowCount?: number; rows: object[] };
    return [`${command} ${rowCount ?? ''}`, ...rows.map((row) => JSON.stringify(row)).sort()];
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return [error.code];
  }
}

const CASES = [
  ...Object.entries(KEYED).map(([name, definition]) => ({ name, definition, keyed: true })),
  ...Object.entries(UNKEYED).map(([name, definition]) => ({ name, definition, keyed: false })),
];

test.each(CASES.map((each, seed) => ({ ...each, seed })))('$name answers as a plain table', async ({ definition, keyed, seed }) => {
  const t = await TestDatabase.open();
  try {
    await t.run('CREATE TABLE r (id int PRIMARY KEY); INSERT INTO r SELECT generate_series(1, 5)');
    await t.run(`CREATE TABLE plain (${COLUMNS}${keyed ? ', PRIMARY KEY (id, k)' : ''})`);
    for (const sql of definition) await t.run(sql.replaceAll('@', 'whole'));
    const next = seeded(seed + 1);
    let changed = 0;
    for (let round = 1; round <= 48; round++) {
      const sql = change(next, round, keyed);
      const expected = await answer(t, sql, 'plain');
      expect(await answer(t, sql, 'whole'), sql).toEqual(expected);
      if (expected.length > 0 && !/ 0$|^\d{5}$/.test(expected[0])) changed++;
      for (const query of round % 6 === 0 ? [...QUERIES, ...PLANS] : QUERIES)
        expect(await answer(t, query, 'whole'), `${sql}; ${query}`).toEqual(await answer(t, query, 'plain'));
    }
    expect(changed).toBeGreaterThan(20);
    // Each row lies where the bounds say.
    for (const { name, bound } of await t.rows(
      "SELECT c.oid::regclass::text AS name, pg_get_partition_constraintdef(c.oid) AS bound FROM pg_class c JOIN pg_partition_tree('whole') p ON p.relid = c.oid WHERE isleaf",
    )) {
      if (bound !== null && !String(bound).includes('satisfies_hash'))
        expect(await t.lines(`SELECT id FROM ${String(name)} WHERE NOT (${String(bound)})`)).toEqual([]);
    }
  } finally {
    await t.close();
  }
});
