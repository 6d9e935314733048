/** CREATE INDEX … USING bm25: what ranked search reads in a table, in catalogs, dumps, forks, merges and undone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { type Database, open } from '../../src/database.ts';

let db: Database;
let folder: string;

async function rows(sql: string, branch = 'main'): Promise<unknown[]> {
  return (await db.sql({ branch, sql })).results.at(-1)!.rows;
}

async function refused(sql: string, code: string, message?: RegExp): Promise<void> {
  const error = await db.sql({ sql }).then(
    () => null,
    (caught: unknown) => caught as SvcError,
  );
  expect(error?.code).toBe(code);
  if (message !== undefined) expect(error!.message).toMatch(message);
}

/** Keys of the hits, in order: of `find` and of bm25, which agree. */
async function found(text: string, branch = 'main'): Promise<string[]> {
  const { hits } = await db.find({ branch, table: 'notes', text });
  const ranked = (await rows(`SELECT id, score FROM bm25(notes, '${text}')`, branch)) as { id: number; score: number }[];
  expect(ranked.map(({ id, score }) => ({ id: String(id), score }))).toEqual(hits.map(({ id, score }) => ({ id, score })));
  return hits.map(({ id }) => id);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-bm25-index-'));
  db = await open(folder);
  await db.sql({
    sql: `CREATE TABLE notes (id int PRIMARY KEY, title text, body text, hidden varchar(40), n int);
      INSERT INTO notes VALUES (1, 'Haus', 'im Garten', 'secret', 1), (2, 'Garten', 'die Häuser am Haus', 'x', 2), (3, 'houses', 'the gardens', 'Garten', 3)`,
  });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

test('without an index all texts are read, as English', async () => {
  expect(await found('house')).toEqual(['3']);
  expect(await found('secret')).toEqual(['1']);
  expect(await found('häuser')).toEqual(['2']);
});

test('an index chooses columns, weights and configuration', async () => {
  await db.fork({ name: 'german' });
  await db.sql({ branch: 'german', sql: "CREATE INDEX words ON notes USING bm25 (title, body) WITH (config = 'german', weights = '10,1')" });
  expect(await found('secret', 'german')).toEqual([]);
  expect(await found('hauses', 'german')).toEqual(['1', '2']);
  expect(await found('garten', 'german')).toEqual(['2', '1']);
  await db.sql({ branch: 'german', sql: "ALTER INDEX words SET (weights = '1,10')" });
  expect(await found('garten', 'german')).toEqual(['1', '2']);
  expect(await found('"Häuser am Haus"', 'german')).toEqual(['2']);
  expect(await found('secret')).toEqual(['1']);
});

test('catalogs and dumps have it', async () => {
  const definition = "CREATE INDEX words ON public.notes USING bm25 (title, body) WITH (config=german, weights='1,10')";
  expect(await rows("SELECT indexdef FROM pg_indexes WHERE indexname = 'words'", 'german')).toEqual([{ indexdef: definition }]);
  expect(await rows("SELECT a.amname FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE c.relname = 'words'", 'german')).toEqual([{ amname: 'bm25' }]);
  expect(await rows("SELECT count(*) AS n FROM pg_am WHERE amname = 'bm25'")).toEqual([{ n: 0 }]);
  const { sql } = await db.diff({ branch: 'german', sql: true });
  expect(sql!.map((each) => each.replace('ON public.', 'ON '))).toEqual([`${definition.replace('ON public.', 'ON ')};`]);
  await db.fork({ name: 'again' });
  await db.sql({ branch: 'again', sql: sql!.join('\n') });
  expect(await found('garten', 'again')).toEqual(['1', '2']);
});

test('it is merged, undone and dropped', async () => {
  await db.merge({ branch: 'german' });
  expect(await found('secret')).toEqual([]);
  const words = "SELECT count(*) AS n FROM pg_indexes WHERE indexname = 'words'";
  expect(await rows(words)).toEqual([{ n: 1 }]);
  await db.fork({ name: 'without' });
  await db.sql({ branch: 'without', sql: 'DROP INDEX words' });
  expect(await found('secret', 'without')).toEqual(['1']);
  await db.merge({ branch: 'without' });
  expect(await found('secret')).toEqual(['1']);
  expect(await rows(words)).toEqual([{ n: 0 }]);
});

test('of two that a merge brings together the older counts', async () => {
  await db.fork({ name: 'one' });
  await db.fork({ name: 'two' });
  await db.sql({ branch: 'one', sql: 'CREATE INDEX of_one ON notes USING bm25 (hidden)' });
  await db.sql({ branch: 'two', sql: 'CREATE INDEX of_two ON notes USING bm25 (title)' });
  await db.merge({ branch: 'two' });
  await db.merge({ branch: 'one' });
  expect(await found('secret')).toEqual(['1']);
  await db.sql({ sql: 'DROP INDEX of_one' });
  expect(await found('secret')).toEqual([]);
  await db.sql({ sql: 'DROP INDEX of_two' });
});

test('a dropped or renamed column is followed', async () => {
  await db.fork({ name: 'changed' });
  await db.sql({ branch: 'changed', sql: 'CREATE INDEX words ON notes USING bm25 (title, body); ALTER TABLE notes RENAME COLUMN title TO heading' });
  expect(await found('haus', 'changed')).toEqual(['1', '2']);
  await db.sql({ branch: 'changed', sql: 'ALTER TABLE notes DROP COLUMN heading' });
  expect(await rows("SELECT count(*) AS n FROM pg_indexes WHERE indexname = 'words'", 'changed')).toEqual([{ n: 0 }]);
});

test.each([
  ['CREATE INDEX ON notes USING bm25 (n)', '42704', /data type integer has no default operator class for access method "bm25"/],
  ['CREATE INDEX ON notes USING bm25 (lower(title))', '0A000', /does not support expressions/],
  ['CREATE INDEX ON notes USING bm25 (title) WHERE n > 1', '0A000', /does not support partial indexes/],
  ['CREATE UNIQUE INDEX ON notes USING bm25 (title)', '0A000', /does not support unique indexes/],
  ['CREATE INDEX ON notes USING bm25 (title, title)', '42701', /appears twice/],
  ["CREATE INDEX ON notes USING bm25 (title) WITH (config = 'klingon')", '42704', /configuration "klingon" does not exist/],
  ["CREATE INDEX ON notes USING bm25 (title) WITH (weights = '0.5')", '22023', /invalid value for option "weights": 0.5/],
  ["CREATE INDEX ON notes USING bm25 (title) WITH (weights = '1,2')", '22023', /has 1 columns, but "weights" has 2/],
  ['CREATE INDEX ON notes USING bm25 (title) WITH (m = 1)', '22023', /unrecognized parameter "m"/],
  ['CREATE INDEX ON notes USING bm25 (title); CREATE INDEX ON notes USING bm25 (body)', '42710', /has a bm25 index already/],
])('%s is refused', refused);
