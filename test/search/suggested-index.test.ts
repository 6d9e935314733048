/** A filter that comes often and reads a large table whole names the index that would serve it; with this index it reads few rows, and names none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import type { FindInput } from '../../src/operations/find.ts';

const ROWS = 50_000;
const TIMES = 10;
const folder = mkdtempSync(join(tmpdir(), 'svc-suggested-'));
let db: Database;
beforeAll(async () => {
  db = await open(folder);
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    table: 'docs',
    id: `d${i}`,
    record: { city: `c${i % 500}`, kind: i % 2, address: { zip: i % 400, 'the street': `s${i % 300}` }, 'Odd Name': i % 250 },
  }));
  await db.batch({ rows });
  await db.sql({
    sql: `CREATE SCHEMA shop;
          CREATE TABLE shop.items (id int PRIMARY KEY, n int, plain json, near point);
          INSERT INTO shop.items SELECT i, i % 1000, json_build_object('a', json_build_object('b', 't' || i % 1000)), point(i % 1000, 0) FROM generate_series(1, ${ROWS}) i;
          CREATE TABLE few (id int PRIMARY KEY, n int);
          INSERT INTO few SELECT i, i FROM generate_series(1, ${ROWS - 1}) i`,
  });
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** What the last of such calls says. */
async function hint(input: FindInput): Promise<string | undefined> {
  for (let i = 0; i < TIMES; i++) await db.find(input);
  const { hint: given, total } = await db.find(input);
  expect(total).toBeGreaterThan(0);
  return given;
}

const SERVED: readonly [where: FindInput['where'], index: string, table?: string][] = [
  [{ city: 'c7' }, 'CREATE INDEX ON docs (city)'],
  [{ 'Odd Name': 3, city: 'c3' }, 'CREATE INDEX ON docs ("Odd Name", city)'],
  [{ 'address.zip': 17 }, "CREATE INDEX ON docs ((address -> 'zip'))"],
  [{ 'address.the street': 's1' }, "CREATE INDEX ON docs ((address -> 'the street'))"],
  [{ n: 5 }, 'CREATE INDEX ON shop.items (n)', 'shop.items'],
  [{ 'plain.a.b': 't5' }, "CREATE INDEX ON shop.items ((plain -> 'a' ->> 'b'))", 'shop.items'],
];

test.each(SERVED)('%j', async (where, index, table = 'docs') => {
  const input = { table, where, limit: 1000 };
  for (let i = 1; i < TIMES; i++) expect(await db.find(input)).not.toHaveProperty('hint');
  const { hint: given, ...before } = await db.find(input);
  expect(given).toBe(`This filter reads the whole table, and comes often. An index serves it: ${index}`);
  await db.fork({ name: 'indexed' });
  await db.sql({ branch: 'indexed', sql: index });
  for (let i = 0; i < 4; i++) expect(await db.find({ ...input, branch: 'indexed' })).toEqual(before);
  await db.discard({ branch: 'indexed' });
});

test('filters that no index serves, that find many rows, or that read a small table, name none', async () => {
  expect(await hint({ table: 'docs', where: { kind: 1 } })).toBeUndefined();
  expect(await hint({ table: 'docs', where: { id: 'd7' } })).toBeUndefined();
  expect(await hint({ table: 'few', where: { n: 5 } })).toBeUndefined();
  expect(await hint({ table: 'shop.items', where: { near: '(5,0)' } })).toBeUndefined();
});

test('each filter is counted for its own', async () => {
  for (let i = 1; i < TIMES; i++) await db.find({ table: 'docs', where: { city: 'c9', kind: 1 } });
  expect(await db.find({ table: 'docs', where: { city: 'c9', 'address.zip': 9 } })).not.toHaveProperty('hint');
  // The tenth, in another order of its fields.
  expect((await db.find({ table: 'docs', where: { kind: 1, city: 'c11' } })).hint).toContain('(kind, city)');
});
