/** Numerics whose column fixes no scale give Postgres's values and display scales, whatever lies in them: beside real Postgres, from seeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { open, type Database } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { newPostgres } from '../../postgres-oracle.ts';

const pg = await newPostgres();
let db: Database;
let session: SqlSession;
const folder = mkdtempSync(join(tmpdir(), 'decimals-'));

beforeAll(async () => {
  db = await open(folder);
  session = db.session();
});
afterAll(async () => {
  session.close();
  await db.close();
  await pg.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Numbers in [0, 1) from a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function digits(next: () => number, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += Math.floor(next() * 10);
  return text;
}

type Kind = (next: () => number) => string;
const sign = (next: () => number): string => (next() < 0.4 ? '-' : '');
const small: Kind = (next) => `${sign(next)}${Math.floor(next() * 1000)}.${digits(next, 2)}`;
const scales: Kind = (next) => `${sign(next)}${Math.floor(next() * 100000)}${next() < 0.2 ? '' : `.${digits(next, 1 + Math.floor(next() * 6))}`}`;
/** As quotients are shown: many zeros at the end. */
const quotients: Kind = (next) => `${sign(next)}${Math.floor(next() * 100)}.${digits(next, 2)}${'0'.repeat(14 + Math.floor(next() * 6))}`;
const tiny: Kind = (next) => `${sign(next)}0.${'0'.repeat(10 + Math.floor(next() * 290))}${digits(next, 5)}`;
const huge: Kind = (next) => `${sign(next)}${1 + Math.floor(next() * 9)}${digits(next, 14 + Math.floor(next() * 40))}.${digits(next, Math.floor(next() * 8))}0`;
/** About the bounds of what a double holds. */
const edges: Kind = (next) =>
  `${sign(next)}${['4503599627370495', '4503599627370496', '9007199254740991', '9007199254740992', '9007199254740993', '999999999999999', '1000000000000000'][Math.floor(next() * 7)]}${next() < 0.5 ? '' : `.${'0'.repeat(Math.floor(next() * 4))}`}`;
const zeros: Kind = (next) => `${sign(next)}0${next() < 0.5 ? '' : `.${'0'.repeat(1 + Math.floor(next() * 20))}`}`;
const special: Kind = (next) => (next() < 0.9 ? small(next) : next() < 0.5 ? 'NaN' : `${sign(next)}Infinity`);
const KINDS: Readonly<Record<string, Kind>> = {
  small,
  scales,
  quotients,
  tiny,
  huge,
  edges,
  zeros,
  special,
  all: (next) => [small, scales, quotients, tiny, huge, edges, zeros][Math.floor(next() * 7)](next),
  everything: (next) => [small, scales, quotients, edges, special][Math.floor(next() * 5)](next),
};

const QUERIES: readonly string[] = [
  'SELECT sum(v), avg(v), count(v), sum(w), avg(w), sum(-v) FROM t',
  // Of equal values any may be shown.
  'SELECT trim_scale(min(v)), trim_scale(max(v)), trim_scale(min(w)), trim_scale(max(w)) FROM t',
  'SELECT sum(v + w), sum(v - w), sum(v * w), avg(v * w) FROM t',
  'SELECT sum(v * (1 - w) + k), sum(k * w), avg(w - 0.5), sum(v * 2 - d) FROM t',
  'SELECT count(*) FILTER (WHERE v < w), count(*) FILTER (WHERE v <= w), count(*) FILTER (WHERE v = w), count(*) FILTER (WHERE v <> w), count(*) FILTER (WHERE v > 5), count(*) FILTER (WHERE w >= -0.25), count(*) FILTER (WHERE v < d) FROM t',
  'SELECT k, sum(v), avg(w), sum(v * w), trim_scale(max(v + w)) FROM t GROUP BY k ORDER BY k',
  'SELECT trim_scale(w), count(*), sum(v) FROM t GROUP BY w ORDER BY w',
  'SELECT count(DISTINCT v), count(DISTINCT w), count(DISTINCT v + w) FROM t',
  'SELECT sum(CASE WHEN k < 2 THEN v WHEN k = 2 THEN w ELSE 0.000 END), sum(coalesce(v, w, 7.5)), sum(coalesce(w, d)) FROM t',
  'SELECT id, v, w, v + w, v - w, v * w, -v, nullif(v, w), CASE WHEN k = 1 THEN v ELSE w END FROM t ORDER BY id',
  'SELECT id FROM t ORDER BY v, w DESC, id',
  'SELECT count(*), sum(a.v) FROM t a JOIN t b ON a.v = b.w',
  'SELECT id, v FROM t WHERE id BETWEEN 20 AND 60 ORDER BY id',
  'SELECT v, w FROM t WHERE id = 33',
  'SELECT sum(v::float8::text::float8 * 0), count(v::float8) FROM t WHERE abs(v) < 1e20',
  'SELECT sum(round(v, 2)), sum(v / 3) FROM t WHERE id < 50',
];

async function both(sql: string): Promise<void> {
  await pg.exec(sql);
  for (const statement of sql.split(';\n')) await session.run(statement);
}
async function ofSvc(sql: string): Promise<string[][]> {
  const [{ rows, columns }] = await session.run(sql);
  return rows.map((row) => row.map((value, i) => (value === null ? 'null' : columns![i].type.format(value, session.env))));
}
async function ofPostgres(sql: string): Promise<string[][]> {
  const text = (value: string): string => value;
  const parsers = Object.fromEntries([20, 23, 701, 1700].map((oid) => [oid, text]));
  const { rows } = await pg.query<string[]>(sql, [], { rowMode: 'array', parsers });
  return rows.map((row) => row.map((value) => (value === null ? 'null' : value)));
}

const COUNT = 150;
const cases = Object.keys(KINDS).flatMap((v, i) => [
  { v, w: 'scales', seed: 11 + i },
  { v, w: v, seed: 101 + i },
]);

test.each(cases)('$v with $w, seed $seed', { timeout: 60_000 }, async ({ v, w, seed }) => {
  const next = random(seed);
  const cell = (kind: Kind): string => (next() < 0.07 ? 'NULL' : `'${kind(next)}'`);
  const rows = Array.from({ length: COUNT }, (_, i) => `(${i}, ${i % 4}, ${cell(KINDS[v])}, ${cell(KINDS[w])}, ${small(next)})`);
  await both('DROP TABLE IF EXISTS t');
  await both(`CREATE TABLE t (id int PRIMARY KEY, k int NOT NULL, v numeric, w numeric(40,10), d numeric(12,2));
ALTER TABLE t ALTER w TYPE numeric;
INSERT INTO t VALUES ${rows.join(', ')}`);
  for (const sql of QUERIES) {
    let wanted: string[][] | string;
    try {
      wanted = await ofPostgres(sql);
    } catch (error) {
      wanted = (error as Error).message;
    }
    const got = await ofSvc(sql).catch((error: Error) => error.message);
    expect({ sql, rows: got }).toEqual({ sql, rows: wanted });
  }
});

test('columns added later, over groups of leaves', async () => {
  await both(`CREATE TABLE g (id int PRIMARY KEY, v numeric);
INSERT INTO g SELECT i, CASE WHEN i % 9 = 0 THEN NULL ELSE (i % 977)::numeric / 8 END FROM generate_series(1, 12000) i;
ALTER TABLE g ADD COLUMN w numeric DEFAULT 1.250;
UPDATE g SET w = NULL WHERE id % 5000 < 3;
UPDATE g SET v = 123456789012345678901.5 WHERE id = 7000`);
  for (let run = 0; run < 4; run++) {
    for (const sql of [
      'SELECT sum(v), avg(v), max(v), sum(w), count(w), sum(v * w) FROM g',
      'SELECT id % 3, sum(v), sum(w) FROM g GROUP BY 1 ORDER BY 1',
      'SELECT v, count(*), sum(w) FROM g GROUP BY v ORDER BY v DESC LIMIT 20',
    ]) {
      expect(await ofSvc(sql)).toEqual(await ofPostgres(sql));
    }
    if (run === 2) await both('UPDATE g SET v = v + 0.001 WHERE id % 100 = 0');
  }
});
