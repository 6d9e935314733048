/** `find` by vectors, and by words and vectors together. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { seeded } from './seeded.ts';

let db: Database;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-search-'));
  db = await open(folder);
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);

// contract: op.find.4
test('the greatest dot products come first, exactly, and rows without a vector do not', async () => {
  const next = seeded(7);
  const vectors = Array.from({ length: 3000 }, () => Array.from({ length: 9 }, () => next() - 0.5));
  await db.batch({ rows: vectors.map((e, i) => ({ table: 'vec', id: `v${i}`, record: { e, n: i % 10 } })) });
  await db.batch({
    rows: [
      { table: 'vec', id: 'none', record: { n: 1 } },
      { table: 'vec', id: 'text', record: { e: 'no vector' } },
      { table: 'vec', id: 'short', record: { e: [1, 2] } },
      { table: 'vec', id: 'mixed', record: { e: [1, 2, 3, 4, 5, 6, 7, 8, 'x'] } },
    ],
  });
  const query = Array.from({ length: 9 }, () => next() - 0.5);
  const wanted = vectors.map((e, i) => ({ id: `v${i}`, score: dot(e, query), n: i % 10 })).sort((a, b) => b.score - a.score);
  const found = await db.find({ table: 'vec', vector: query, vector_field: 'e', limit: 50 });
  expect(found.hits.map(({ id, score }) => ({ id, score }))).toEqual(wanted.slice(0, 50).map(({ id, score }) => ({ id, score })));
  expect(found.total).toBe(3000);
  expect(found.next_offset).toBe(50);
  const some = await db.find({ table: 'vec', vector: query, vector_field: 'e', where: { n: 4 }, limit: 1000, ef: 8 });
  expect(some.total).toBe(300);
  expect(some.hits.map(({ id }) => id)).toEqual(wanted.filter(({ n }) => n === 4).map(({ id }) => id));
});

test('changed, new and deleted rows are found as they are', async () => {
  await db.batch({ rows: [1, 2, 3].map((x) => ({ table: 'moved', id: `m${x}`, record: { e: [x, 0] } })) });
  const ids = async (branch = 'main'): Promise<string[]> =>
    (await db.find({ branch, table: 'moved', vector: [1, 1], vector_field: 'e' })).hits.map(({ id }) => id);
  expect(await ids()).toEqual(['m3', 'm2', 'm1']);
  await db.fork({ name: 'moves' });
  await db.put({ branch: 'moves', table: 'moved', id: 'm1', record: { e: [1, 9] } });
  await db.delete({ branch: 'moves', table: 'moved', id: 'm3' });
  await db.put({ branch: 'moves', table: 'moved', id: 'm0', record: { e: [2, 0] } });
  expect(await ids('moves')).toEqual(['m1', 'm0', 'm2']);
  expect(await ids()).toEqual(['m3', 'm2', 'm1']);
});

test('columns of type vector and arrays of numbers are searched', async () => {
  await db.sql({ sql: 'CREATE EXTENSION IF NOT EXISTS vector' });
  await db.sql({
    sql: `CREATE TABLE typed_vec (id int PRIMARY KEY, e vector(3), f float8[], g text);
      INSERT INTO typed_vec VALUES (1, '[1,0,0]', '{0,0,1}', 'x'), (2, '[0,1,0]', '{0,5,0}', 'x'), (3, NULL, NULL, 'x')`,
  });
  const first = async (field: string, vector: number[]): Promise<string> => (await db.find({ table: 'typed_vec', vector, vector_field: field })).hits[0].id;
  expect(await first('e', [0, 1, 0])).toBe('2');
  expect(await first('f', [0, 0, 1])).toBe('1');
  await expect(first('g', [1])).rejects.toMatchObject({ code: '42804' });
  await expect(first('nope', [1])).rejects.toMatchObject({ code: '42703' });
  await expect(first('e', [1, 2])).rejects.toMatchObject({ code: '22000', message: 'different vector dimensions 3 and 2' });
  await expect(first('e', [])).rejects.toMatchObject({ code: '22023' });
  await expect(db.find({ table: 'typed_vec', vector: [1, 2, 3] })).rejects.toMatchObject({ code: '22023' });
});

test('a vector of other dimensions than its column has is refused without reading the table', async () => {
  await db.sql({ sql: 'CREATE TABLE of_three (id int PRIMARY KEY, e vector(3), h halfvec(3)); INSERT INTO of_three SELECT i FROM generate_series(1, 5000) i' });
  await db.find({ table: 'of_three', vector: [1, 2, 3], vector_field: 'e' });
  const { page_reads: before } = db.stats();
  for (const field of ['e', 'h'])
    for (let dimensions = 4; dimensions < 12; dimensions++)
      await expect(db.find({ table: 'of_three', vector: Array(dimensions).fill(1), vector_field: field })).rejects.toMatchObject({
        code: '22000',
        message: `different vector dimensions 3 and ${dimensions}`,
      });
  expect(db.stats()['page_reads']).toBe(before);
});

test('words and a vector together are fused by reciprocal ranks', async () => {
  await db.batch({
    rows: [
      { table: 'hybrid', id: 'a', record: { t: 'lamp', e: [1, 0] } },
      { table: 'hybrid', id: 'b', record: { t: 'lamp lamp', e: [3, 0] } },
      { table: 'hybrid', id: 'c', record: { t: 'chair', e: [2, 0] } },
      { table: 'hybrid', id: 'd', record: { t: 'a lamp beside a chair' } },
      { table: 'hybrid', id: 'e', record: { t: 'nothing' } },
    ],
  });
  const found = await db.find({ table: 'hybrid', text: 'lamp', vector: [1, 0], vector_field: 'e' });
  expect(found.total).toBe(4);
  expect(found.hits.map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd']);
  expect(found.hits[0].score).toBe(1 / 61 + 1 / 61);
  expect(found.hits[0].ranks).toEqual({ text: { rank: 1, score: expect.any(Number) }, vector: { rank: 1, score: 3 } });
  expect(found.hits[2].ranks).toEqual({ text: null, vector: { rank: 2, score: 2 } });
  const page = await db.find({ table: 'hybrid', text: 'lamp', vector: [1, 0], vector_field: 'e', limit: 2, offset: 2 });
  expect(page.hits).toEqual(found.hits.slice(2));
});

test('an index of the fields of where spares the reading of a table that is larger than the cache, with the same rows', async () => {
  const own = await mkdtemp(join(tmpdir(), 'svc-narrow-'));
  const small = await open(own, { cacheBytes: 2 << 20 });
  try {
    for (const table of ['bare', 'narrow']) {
      await small.sql({
        sql: `CREATE TABLE ${table} (id int PRIMARY KEY, n int, e float8[]);
          INSERT INTO ${table} SELECT i, i % 500, array_fill(((i * 7919) % 1000)::float8, ARRAY[100]) FROM generate_series(1, 8000) i`,
      });
    }
    await small.sql({ sql: 'CREATE INDEX ON narrow (n)' });
    const vector = Array.from({ length: 100 }, (_, i) => i % 3);
    const found = (table: string, n: number): Promise<unknown> => small.find({ table, vector, vector_field: 'e', where: { n }, limit: 30 });
    for (const table of ['bare', 'narrow']) {
      await found(table, 1);
      // Touched since the segment was made.
      await small.sql({ sql: `UPDATE ${table} SET n = 7 WHERE id = 3; UPDATE ${table} SET e = NULL WHERE id = 507; DELETE FROM ${table} WHERE id = 1007` });
    }
    const reads = async (table: string): Promise<number> => {
      const { page_reads: before } = small.stats();
      await found(table, 7);
      return small.stats()['page_reads'] - before;
    };
    expect(await found('narrow', 7)).toEqual(await found('bare', 7));
    expect(await found('narrow', 7)).toMatchObject({ total: 15 });
    expect(await reads('narrow')).toBeLessThan((await reads('bare')) / 2);
  } finally {
    await small.close();
    await rm(own, { recursive: true });
  }
});
