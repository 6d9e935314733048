/** `find` by equal fields uses indexes, and finds the same rows as a reading of the whole table, in the same order. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../src/commands/contract.ts';
import { type Database, open } from '../../src/database.ts';

let db: Database;
let folder: string;
const ROWS = 20_000;

const COLUMNS = 'id int PRIMARY KEY, n int, price numeric(8,2), name text, code char(6), mail citext, kind mood, at timestamptz, tag varchar(9), j jsonb';
const FILL = `SELECT i, i % 700, (i % 900) / 2.0, CASE WHEN i % 3 = 0 THEN NULL ELSE 'name ' || i % 400 END, 'c' || i % 500, 'Mail' || i % 600,
  (ARRAY['glad', 'sad']::mood[])[1 + i % 2], '2026-01-01 00:00+00'::timestamptz + i % 1000 * interval '1 hour', 't' || i % 20, jsonb_build_object('k', i % 700, 's', 's' || i % 700) FROM generate_series(1, ${ROWS}) i`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-where-'));
  db = await open(folder);
  await db.sql({ sql: "CREATE EXTENSION citext; CREATE TYPE mood AS ENUM ('glad', 'sad')" });
  for (const name of ['indexed', 'bare']) await db.sql({ sql: `CREATE TABLE ${name} (${COLUMNS}); INSERT INTO ${name} ${FILL}` });
  await db.sql({
    sql: `CREATE INDEX ON indexed (n, price); CREATE INDEX ON indexed (price DESC); CREATE INDEX ON indexed USING hash (name); CREATE INDEX ON indexed (code);
      CREATE INDEX ON indexed (mail); CREATE INDEX ON indexed (kind, n); CREATE INDEX ON indexed (at); CREATE INDEX ON indexed (lower(name)); CREATE INDEX ON indexed (tag) WHERE n > 5; CREATE INDEX ON indexed ((j -> 'k')); CREATE INDEX ON indexed ((j ->> 's'))`,
  });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const WHERES: Record<string, Json>[] = [
  { n: 7 },
  { n: 7.0 },
  { n: 12345 },
  { n: 7, price: 3.5 },
  { n: 7, name: 'name 7' },
  { price: 7.5 },
  { price: '7.50' },
  { name: 'name 11' },
  { name: null },
  { name: null, n: 3 },
  { code: 'c17' },
  { code: 'c17   ' },
  { mail: 'mAIL33' },
  { kind: 'glad' },
  { kind: 'sad', n: 9 },
  { at: '2026-01-01T05:00:00Z' },
  { tag: 't3' },
  { 'j.k': 7 },
  { 'j.s': 's7', n: 7 },
  { id: 5 },
  { id: 5, n: 6 },
  {},
];

test.each(WHERES)('where %j', async (where) => {
  for (const page of [{ limit: 1000 }, { limit: 7, offset: 3 }, { limit: 0 }]) {
    const found = await db.find({ table: 'indexed', where, ...page });
    expect(found).toEqual(await db.find({ table: 'bare', where, ...page }));
    if (where['n'] === 7.0 && page.limit === 1000) expect(found.total).toBeGreaterThan(0);
  }
});

test.each([
  [{ n: 'seven' }, '22P02'],
  [{ kind: 'angry' }, '22P02'],
  [{ nope: 1 }, '42703'],
])('where %j is refused with and without an index', async (where, code) => {
  for (const table of ['indexed', 'bare']) await expect(db.find({ table, where })).rejects.toMatchObject({ code });
});

test('a fork, a merge and the past are found as they are', async () => {
  const before = await db.find({ table: 'indexed', where: { n: 8 }, limit: 1000 });
  const { at } = await db.checkpoint({ name: 'before' });
  await db.fork({ name: 'wheres' });
  await db.sql({ branch: 'wheres', sql: 'UPDATE indexed SET n = 8 WHERE id IN (1, 2, 3); DELETE FROM indexed WHERE id = 8' });
  const changed = await db.find({ branch: 'wheres', table: 'indexed', where: { n: 8 }, limit: 1000 });
  expect(changed.hits.map(({ id }) => Number(id)).slice(0, 4)).toEqual([1, 2, 3, 708]);
  expect(await db.find({ table: 'indexed', where: { n: 8 }, limit: 1000 })).toEqual(before);
  await db.merge({ branch: 'wheres' });
  expect(await db.find({ table: 'indexed', where: { n: 8 }, limit: 1000 })).toEqual(changed);
  expect(await db.find({ branch: `main@${at}`, table: 'indexed', where: { n: 8 }, limit: 1000 })).toEqual(before);
});

test.each<[string, (i: number) => Record<string, Json>]>([
  ['a column', (i) => ({ n: i })],
  ['a path into JSON', (i) => ({ 'j.k': i })],
  ['a path to a text', (i) => ({ 'j.s': `s${i}` })],
])('an index over %s spares the reading of the table', async (_title, where) => {
  const time = async (table: string): Promise<number> => {
    const from = process.cpuUsage();
    for (let i = 0; i < 30; i++) expect((await db.find({ table, where: where(i), limit: 1 })).total).toBeGreaterThan(20);
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  await time('indexed');
  await time('bare');
  expect(await time('indexed')).toBeLessThan((await time('bare')) / 3);
});

const NESTED: readonly [table: string, where: Record<string, Json>, ids: readonly string[]][] = [
  ['docs', { 'e.k': 'v' }, ['a']],
  ['docs', { 'e.d.x': 1.5 }, ['a']],
  ['docs', { 'e.d.x': '1.5' }, ['c']],
  ['docs', { 'e.none': null }, ['a']],
  ['docs', { 'e.d': { x: 1.5 } }, ['a']],
  ['docs', { 'e.list': [1] }, ['c']],
  ['docs', { 'e.d.x': 1.5, n: 1 }, ['a']],
  ['docs', { id: 'a', 'e.d.x': 2 }, []],
  ['docs', { 'with.dot': 'x' }, ['b']],
  ['docs', { 'with.dot.k': 'x' }, []],
  ['docs', { 'n.k': 1 }, []],
  ['typed', { 'j.k': 'v' }, ['t']],
  ['typed', { 'j.d.x': 1.5 }, ['t']],
  ['typed', { 'js.list': [1] }, ['t']],
  ['typed', { 'j.d.y': null }, []],
];

test('a name with dots is a path into JSON, unless a field is called so', async () => {
  await db.batch({
    rows: [
      { table: 'docs', id: 'a', record: { e: { k: 'v', d: { x: 1.5 }, none: null }, n: 1 } },
      { table: 'docs', id: 'b', record: { e: 'text', 'with.dot': 'x', with: { dot: 'other' }, n: 2 } },
      { table: 'docs', id: 'c', record: { e: { d: { x: '1.5' }, list: [1] } } },
    ],
  });
  await db.sql({
    sql: `CREATE TABLE typed (id text PRIMARY KEY, j jsonb, js json, n int); INSERT INTO typed VALUES ('t', '{"k": "v", "d": {"x": 1.50}}', '{"list": [1]}', 3), ('u', NULL, NULL, 4)`,
  });
  for (const statement of ['SELECT 1', 'CREATE INDEX ON docs (n)']) {
    await db.sql({ sql: statement });
    for (const [table, where, ids] of NESTED) expect((await db.find({ table, where })).hits.map(({ id }) => id)).toEqual(ids);
    for (const [table, name] of [
      ['docs', 'absent.k'],
      ['typed', 'n.k'],
      ['typed', 'absent.k'],
    ])
      await expect(db.find({ table, where: { [name]: 1 } })).rejects.toMatchObject({ code: '42703' });
  }
});
