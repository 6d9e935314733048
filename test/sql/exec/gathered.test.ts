/**
 * Scans that come again read leaves in groups: whatever was changed in between, by rows or in bulk, on either side of a
 * fork, the rows are those that a model has.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';

let folder: string;
let database: Database;
let session: SqlSession;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-gathered-'));
  database = await open(folder);
  session = database.session();
});

afterAll(async () => {
  session.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Row {
  n: number | null;
  d: string;
  b: bigint;
  s: string | null;
  flag: boolean;
  extra: number;
}
type Model = Map<number, Row>;

const row = (k: number): Row => ({
  n: k % 11 === 0 ? null : (k * 7919) % 1000,
  d: (((k * 31) % 5000) / 100).toFixed(2),
  b: k % 997 === 0 ? 9007199254740993n + BigInt(k) : BigInt(k) * 3n,
  s: k % 13 === 0 ? null : k % 3 === 0 ? `unique ${k}` : `city ${k % 5}`,
  flag: k % 2 === 0,
  extra: 7,
});

/** Every column by itself, and all together. */
async function check(model: Model, own = session): Promise<void> {
  const expected = [...model].toSorted(([a], [b]) => a - b);
  const cells = expected.map(([k, r]) => `${k}|${r.n}|${r.d}|${r.b}|${r.s}|${r.flag}|${r.extra}`);
  for (let again = 0; again < 3; again++) {
    const [{ rows, columns }] = await own.run('SELECT id, n, d, b, s, flag, extra FROM t');
    expect(
      rows.map((values) =>
        values
          .map((value, i) => (columns![i].type.name === 'numeric' && value !== null ? columns![i].type.format(value, own.env) : value))
          .join('|')
          .replaceAll('||', '|null|')
          .replaceAll('||', '|null|'),
      ),
    ).toEqual(cells);
    const [{ rows: back }] = await own.run('SELECT id FROM t WHERE s IS NOT NULL ORDER BY id DESC');
    expect(back.map(([k]) => k)).toEqual(
      expected
        .filter(([, r]) => r.s !== null)
        .map(([k]) => k)
        .toReversed(),
    );
    const [{ rows: range }] = await own.run('SELECT id, extra FROM t WHERE id >= 700 AND id < 17300');
    expect(range.map(([k]) => k)).toEqual(expected.filter(([k]) => k >= 700 && k < 17300).map(([k]) => k));
    const [{ rows: sums }] = await own.run('SELECT sum(n)::text, count(n), sum(d)::text, sum(b)::text, count(*) FILTER (WHERE flag), sum(extra) FROM t');
    const sum = (of: (r: Row) => bigint): bigint => expected.reduce((total, [, r]) => total + of(r), 0n);
    expect(sums[0]).toEqual([
      String(sum((r) => BigInt(r.n ?? 0))),
      expected.filter(([, r]) => r.n !== null).length,
      (Number(sum((r) => BigInt(Math.round(Number(r.d) * 100)))) / 100).toFixed(2),
      String(sum((r) => r.b)),
      expected.filter(([, r]) => r.flag).length,
      Number(sum((r) => BigInt(r.extra))),
    ]);
    const [{ rows: groups }] = await own.run('SELECT s, count(*) FROM t GROUP BY s');
    const counts = new Map<string | null, number>();
    for (const [, r] of expected) counts.set(r.s, (counts.get(r.s) ?? 0) + 1);
    expect(new Map(groups as [string | null, number][])).toEqual(counts);
  }
}

async function insert(model: Model, from: number, to: number, step: number): Promise<void> {
  await session.run(
    `INSERT INTO t (id, n, d, b, s, flag)
     SELECT k, CASE WHEN k % 11 <> 0 THEN (k * 7919) % 1000 END, ((k * 31) % 5000) / 100.0, CASE WHEN k % 997 = 0 THEN 9007199254740993 + k ELSE k * 3 END,
       CASE WHEN k % 13 = 0 THEN NULL WHEN k % 3 = 0 THEN 'unique ' || k ELSE 'city ' || k % 5 END, k % 2 = 0
     FROM generate_series(${from}::bigint, ${to}, ${step}) AS g (k)`,
  );
  for (let k = from; k <= to; k += step) model.set(k, row(k));
}

test('rows are those of the table after any changes between two scans', async () => {
  await session.run('CREATE TABLE t (id integer PRIMARY KEY, n integer, d numeric(8,2) NOT NULL, b bigint NOT NULL, s text, flag boolean NOT NULL)');
  const model: Model = new Map();
  await insert(model, 2, 16000, 2);
  // Leaves before this have no cells of the column.
  await session.run('ALTER TABLE t ADD COLUMN extra integer NOT NULL DEFAULT 7');
  await insert(model, 16001, 24000, 1);
  await check(model);
  await session.run('UPDATE t SET n = -5, extra = 8 WHERE id = 9000');
  Object.assign(model.get(9000)!, { n: -5, extra: 8 });
  await check(model);
  await session.run('DELETE FROM t WHERE id BETWEEN 4000 AND 4100');
  for (let k = 4000; k <= 4100; k++) model.delete(k);
  await check(model);
  // Leaves split in the midst of a group.
  await insert(model, 5001, 6999, 2);
  await check(model);
  await insert(model, 24001, 24500, 1);
  await check(model);
  await session.run('BEGIN');
  await session.run("UPDATE t SET s = 'all', b = 1 WHERE id % 2 = 0");
  const changed: Model = new Map([...model].map(([k, r]) => [k, k % 2 === 0 ? { ...r, s: 'all', b: 1n } : r]));
  await check(changed);
  const other = database.session();
  await check(model, other);
  await session.run('ROLLBACK');
  await check(model);
  await session.run('CREATE WORLD w');
  await session.run('UPDATE t SET extra = 9 WHERE id > 23000');
  for (const [k, r] of model) if (k > 23000) model.set(k, { ...r, extra: 9 });
  const before: Model = new Map([...model].map(([k, r]) => [k, k > 23000 ? { ...r, extra: 7 } : r]));
  await other.run('USE WORLD w');
  await check(before, other);
  await check(model);
  await session.run('MERGE WORLD w');
  other.close();
  await check(model);
});

test('columns whose leaves differ in form are read leaf by leaf or as one', async () => {
  await session.run('CREATE TABLE forms (id integer PRIMARY KEY, a bigint, x double precision)');
  await session.run('INSERT INTO forms SELECT i, i, i FROM generate_series(1, 12000) AS g (i)');
  await session.run("INSERT INTO forms SELECT i, 9223372036854775807 - i, 'NaN' FROM generate_series(12001, 20000) AS g (i)");
  await session.run('INSERT INTO forms SELECT i, NULL, NULL FROM generate_series(20001, 30000) AS g (i)');
  const texts: string[] = [];
  for (let again = 0; again < 4; again++) {
    const [{ rows }] = await session.run("SELECT sum(a)::text, min(a), max(a)::text, count(x), count(*) FILTER (WHERE x = 'NaN') FROM forms");
    texts.push(rows[0].map(String).join());
  }
  const sum = (12000n * 12001n) / 2n + 8000n * 9223372036854775807n - ((12001n + 20000n) * 8000n) / 2n;
  expect(texts).toEqual(new Array(4).fill(`${sum},1,${9223372036854775807n - 12001n},20000,8000`));
});
