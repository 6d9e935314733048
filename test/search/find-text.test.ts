/** `find` by words: scores by the formula, exact totals, order, phrases, prefixes, filters, other worlds and the past. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';

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

const TEXTS: Record<string, string> = {
  a: 'red lamp with a red shade',
  b: 'blue lamp',
  c: 'a red chair and a blue table, beside the lamps',
  d: 'green chair',
  e: 'the lamp red',
};

async function fill(table: string): Promise<void> {
  await db.batch({ rows: Object.entries(TEXTS).map(([id, title]) => ({ table, id, record: { title } })) });
}

/** BM25 by hand, over lexemes by hand. */
function bm25(docs: Record<string, readonly string[]>, query: readonly string[]): { id: string; score: number }[] {
  const all = Object.entries(docs);
  const average = all.reduce((sum, [, words]) => sum + words.length, 0) / all.length;
  const scored = all.map(([id, words]) => {
    let score = 0;
    for (const term of query) {
      const tf = words.filter((word) => word === term).length;
      const df = all.filter(([, each]) => each.includes(term)).length;
      if (tf > 0) score += (Math.log(1 + (all.length - df + 0.5) / (df + 0.5)) * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * words.length) / average));
    }
    return { id, score };
  });
  return scored.filter(({ score }) => score > 0).sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1));
}

const LEXEMES = {
  a: ['red', 'lamp', 'red', 'shade'],
  b: ['blue', 'lamp'],
  c: ['red', 'chair', 'blue', 'tabl', 'besid', 'lamp'],
  d: ['green', 'chair'],
  e: ['lamp', 'red'],
};

// contract: op.find.3
test.each([
  ['lamp', ['lamp']],
  ['red lamps', ['red', 'lamp']],
  ['the blue chairs of green', ['blue', 'chair', 'green']],
  ['RED red Red', ['red']],
])('%s is scored by the formula', async (text, lexemes) => {
  await fill('scored');
  const { hits, total, next_offset } = await db.find({ table: 'scored', text });
  const wanted = bm25(LEXEMES, lexemes);
  expect(hits.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  for (const [i, { score }] of wanted.entries()) expect(hits[i].score).toBeCloseTo(score, 12);
  expect(total).toBe(wanted.length);
  expect(next_offset).toBeNull();
  expect(hits[0].row).toEqual({ title: TEXTS[hits[0].id] });
});

// contract: op.find.1
test('pages continue each other, and the total stays', async () => {
  await fill('paged');
  const { hits } = await db.find({ table: 'paged', text: 'red lamp' });
  const first = await db.find({ table: 'paged', text: 'red lamp', limit: 2 });
  const second = await db.find({ table: 'paged', text: 'red lamp', limit: 2, offset: first.next_offset! });
  expect([...first.hits, ...second.hits]).toEqual(hits);
  expect([first.total, first.next_offset, second.total, second.next_offset]).toEqual([4, 2, 4, null]);
  expect(await db.find({ table: 'paged', text: 'red lamp', limit: 0 })).toEqual({ total: 4, hits: [], next_offset: null });
});

test('equal scores are in the order of keys, also of rows that came later', async () => {
  for (const id of ['m', 'c', 'x']) await db.put({ table: 'ties', id, record: { t: 'same words' } });
  await db.find({ table: 'ties', text: 'words' });
  for (const id of ['d', 'a', 'z', 'b']) await db.put({ table: 'ties', id, record: { t: 'same words' } });
  await db.put({ table: 'ties', id: 'm', record: { t: 'words same' } });
  expect((await db.find({ table: 'ties', text: 'words' })).hits.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'm', 'x', 'z']);
});

test('a phrase must occur, a prefix is any word that begins so, a stop word is no word', async () => {
  await fill('forms');
  const ids = async (text: string): Promise<string[]> => (await db.find({ table: 'forms', text })).hits.map(({ id }) => id).toSorted();
  expect(await ids('"red lamp"')).toEqual(['a']);
  expect(await ids('"lamp red"')).toEqual(['e']);
  expect(await ids('"blue table" lamp')).toEqual(['c']);
  expect(await ids('gre*')).toEqual(['d']);
  expect(await ids('cha* sha*')).toEqual(['a', 'c', 'd']);
  expect(await ids('the a of')).toEqual([]);
  expect(await ids('')).toEqual([]);
  expect(await ids('"')).toEqual([]);
  // Distance counts stop words: "chair and a blue".
  expect(await ids('"chair and a blue"')).toEqual(['c']);
  expect(await ids('"chair blue"')).toEqual([]);
});

// contract: op.find.3
test('all string fields are searched, and nothing else of a document', async () => {
  await db.put({ table: 'fields', id: 'lamp', record: { a: 'one', b: 'two words', n: 3 } });
  await db.put({ table: 'fields', id: 'x', record: { a: 5, c: ['three'], d: { e: 'four' } } });
  await db.put({ table: 'fields', id: 'y', record: { a: 'five', c: 'three' } });
  const ids = async (text: string): Promise<string[]> => (await db.find({ table: 'fields', text })).hits.map(({ id }) => id);
  expect(await ids('two')).toEqual(['lamp']);
  expect((await ids('one five')).toSorted()).toEqual(['lamp', 'y']);
  expect(await ids('three')).toEqual(['y']);
  expect(await ids('lamp four 3')).toEqual([]);
});

test('a field that comes later is searched as well, and one that becomes mixed', async () => {
  await db.put({ table: 'grows', id: 'a', record: { t: 'apple' } });
  expect((await db.find({ table: 'grows', text: 'apple pear plum' })).total).toBe(1);
  await db.put({ table: 'grows', id: 'b', record: { u: 'pear' } });
  await db.put({ table: 'grows', id: 'c', record: { t: 7, u: 'plum' } });
  expect((await db.find({ table: 'grows', text: 'apple pear plum' })).hits.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

// contract: op.find.2
test('where filters what words rank, with an exact total', async () => {
  await db.batch({ rows: Array.from({ length: 500 }, (_, i) => ({ table: 'both', id: `r${i}`, record: { t: 'lamp '.repeat((i % 5) + 1), n: i % 50 } })) });
  const found = await db.find({ table: 'both', text: 'lamp', where: { n: 7 }, limit: 3 });
  expect(found.total).toBe(10);
  expect(found.hits.every(({ row }) => row['n'] === 7)).toBe(true);
  expect(found.next_offset).toBe(3);
  expect((await db.find({ table: 'both', text: 'lamp', where: { id: 'r3' } })).hits.map(({ id }) => id)).toEqual(['r3']);
  await expect(db.find({ table: 'both', text: 'lamp', where: { nope: 1 } })).rejects.toMatchObject({ code: '42703' });
});

test('typed tables are searched in their columns of text', async () => {
  await db.sql({
    sql: `CREATE TABLE typed (id int PRIMARY KEY, name varchar(40), note text NOT NULL DEFAULT 'none', code char(4), n int, tags text[]);
      INSERT INTO typed VALUES (1, 'Red Lamp', 'old', 'lamp', 3, '{lamp}'), (2, NULL, 'a lamp', 'x', 3, NULL), (10, 'chair', 'none', 'y', 1, NULL)`,
  });
  const { hits, total } = await db.find({ table: 'typed', text: 'lamps' });
  expect(hits.map(({ id }) => id)).toEqual(['1', '2']);
  expect(total).toBe(2);
  expect(hits[0].row).toMatchObject({ id: 1, name: 'Red Lamp' });
  await db.sql({ sql: `ALTER TABLE typed ADD COLUMN more text DEFAULT 'lamp'` });
  expect((await db.find({ table: 'typed', text: 'lamp' })).hits.map(({ id }) => id).toSorted()).toEqual(['1', '10', '2']);
  await db.sql({ sql: 'ALTER TABLE typed DROP COLUMN more, DROP COLUMN code' });
  expect((await db.find({ table: 'typed', text: 'lamp' })).total).toBe(2);
  await db.sql({ sql: 'ALTER TABLE typed RENAME COLUMN name TO title' });
  expect((await db.find({ table: 'typed', text: 'lamp' })).total).toBe(2);
});

test('a fork, its parent and the past are each searched as they are', async () => {
  await fill('worlds');
  await db.find({ table: 'worlds', text: 'lamp' });
  const { at } = await db.checkpoint({ name: 'before' });
  await db.fork({ name: 'searched' });
  await db.put({ branch: 'searched', table: 'worlds', id: 'f', record: { title: 'purple lamp' } });
  await db.delete({ branch: 'searched', table: 'worlds', id: 'a' });
  const ids = async (branch: string): Promise<string[]> => (await db.find({ branch, table: 'worlds', text: 'lamp' })).hits.map(({ id }) => id).toSorted();
  expect(await ids('searched')).toEqual(['b', 'c', 'e', 'f']);
  expect(await ids('main')).toEqual(['a', 'b', 'c', 'e']);
  await db.merge({ branch: 'searched' });
  expect(await ids('main')).toEqual(['b', 'c', 'e', 'f']);
  expect(await ids(`main@${at}`)).toEqual(['a', 'b', 'c', 'e']);
});

test('snippets mark the words', async () => {
  await fill('marked');
  const { hits } = await db.find({ table: 'marked', text: 'lamp*', snippets: true, limit: 1, where: { title: TEXTS['c'] } });
  expect(hits[0].snippets).toEqual({ title: 'a red chair and a blue table, beside the **lamps**' });
  await expect(db.find({ table: 'marked', snippets: true })).rejects.toMatchObject({ code: '22023' });
});

test('an unknown table is refused, an empty one has no match', async () => {
  await expect(db.find({ table: 'missing', text: 'x' })).rejects.toMatchObject({ code: '42P01' });
  await db.sql({ sql: 'CREATE TABLE empty (id int PRIMARY KEY, t text)' });
  expect(await db.find({ table: 'empty', text: 'x' })).toEqual({ total: 0, hits: [], next_offset: null });
  await expect(db.find({ table: 'empty', text: Array.from({ length: 2000 }, (_, i) => `w${i}`).join(' ') })).rejects.toMatchObject({ code: '54000' });
});

test('searches that meet while nothing is built yet do not mix what they read', async () => {
  await db.batch({
    rows: Array.from({ length: 3000 }, (_, i) => ({ table: 'at_once', id: `r${i}`, record: { t: `word${i % 7} lamp`, e: [i, 1], f: [1, 2, i] } })),
  });
  const vector = (field: string, of: number[]): Promise<string> =>
    db.find({ table: 'at_once', vector: of, vector_field: field }).then(({ hits }) => hits[0].id);
  const [text, again, e, f, other] = await Promise.all([
    db.find({ table: 'at_once', text: 'word3' }),
    db.find({ table: 'at_once', text: 'word3' }),
    vector('e', [1, 0]),
    vector('f', [0, 0, 1]),
    vector('e', [-1, 0]),
  ]);
  expect(text.total).toBe(Math.ceil((3000 - 3) / 7));
  expect(again).toEqual(text);
  expect([e, f, other]).toEqual(['r2999', 'r2999', 'r0']);
});

test('a table that changes in most of its rows is searched as it is', async () => {
  const fill = (word: string): Promise<unknown> =>
    db.batch({ rows: Array.from({ length: 9000 }, (_, i) => ({ table: 'churn', id: `r${i}`, record: { t: `${word} lamp ${i % 100}` } })) });
  await fill('first');
  expect((await db.find({ table: 'churn', text: 'first' })).total).toBe(9000);
  await fill('second');
  expect((await db.find({ table: 'churn', text: 'first' })).total).toBe(0);
  expect((await db.find({ table: 'churn', text: 'second' })).total).toBe(9000);
  await db.sql({ sql: "UPDATE churn SET t = 'third' WHERE id < 'r3'" });
  expect((await db.find({ table: 'churn', text: 'third' })).total).toBe(
    Number((await db.sql({ sql: "SELECT count(*) FROM churn WHERE id < 'r3'" })).results[0].rows![0]['count']),
  );
  await db.sql({ sql: 'DELETE FROM churn' });
  expect((await db.find({ table: 'churn', text: 'third' })).total).toBe(0);
});
