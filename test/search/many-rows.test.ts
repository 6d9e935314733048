/** Scores, totals and order over more rows than a block of scores holds, with touched rows in each, beside BM25 computed row by row. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { seeded } from './seeded.ts';

const ROWS = 10_000;
/** A word in nearly all rows, in some, in few, and in rows of one part alone. */
const SHARE: Readonly<Record<string, (row: number, next: () => number) => boolean>> = {
  qaba: (_, next) => next() < 0.9,
  qoco: (_, next) => next() < 0.3,
  qudu: (_, next) => next() < 0.01,
  qefe: (row, next) => row > 8100 && row < 8300 && next() < 0.5,
};

function textOf(row: number, next: () => number): string {
  const words = Object.keys(SHARE).filter((word) => SHARE[word](row, next));
  while (next() < 0.7) words.push(next() < 0.5 ? 'qoco' : 'qaba');
  return words.join(' ');
}

/** Rows that have one of the words and, side by side, each phrase: by score, then by key. */
function ranked(texts: ReadonlyMap<number, string>, words: readonly string[], phrase: readonly [string, string] | null): { id: string; score: number }[] {
  const all = [...texts].filter(([, text]) => text !== '').map(([id, text]) => ({ id, words: text.split(' ') }));
  const average = all.reduce((sum, each) => sum + each.words.length, 0) / all.length;
  const idf = (df: number): number => Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
  const frequency = (count: number, length: number): number => (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
  const times = (of: readonly string[], word: string): number => of.filter((each) => each === word).length;
  const df = (word: string): number => all.filter((each) => each.words.includes(word)).length;
  const together = (of: readonly string[]): number => (phrase === null ? 0 : of.filter((each, i) => each === phrase[0] && of[i + 1] === phrase[1]).length);
  const parts: { weight: number; count: (of: readonly string[]) => number }[] = words.map((word) => ({
    weight: idf(df(word)),
    count: (of) => times(of, word),
  }));
  if (phrase !== null) parts.push({ weight: idf(df(phrase[0])) + idf(df(phrase[1])), count: together });
  const scored = all.flatMap(({ id, words: of }) => {
    if (phrase !== null && together(of) === 0) return [];
    const score = parts.reduce((sum, { weight, count }) => (count(of) === 0 ? sum : sum + weight * frequency(count(of), of.length)), 0);
    return score === 0 ? [] : [{ id: String(id), score, key: id }];
  });
  return scored.sort((a, b) => b.score - a.score || a.key - b.key).map(({ id, score }) => ({ id, score }));
}

async function expectRanked(db: Database, branch: string, texts: ReadonlyMap<number, string>): Promise<void> {
  const cases: [string, string[], [string, string] | null][] = [
    ['qaba', ['qaba'], null],
    ['qoco qudu qefe', ['qoco', 'qudu', 'qefe'], null],
    ['qudu', ['qudu'], null],
    ['qefe qaba', ['qefe', 'qaba'], null],
    ['qefe', ['qefe'], null],
    ['qudu "qoco qaba"', ['qudu'], ['qoco', 'qaba']],
  ];
  for (const [text, words, phrase] of cases) {
    const expected = ranked(texts, words, phrase);
    for (const [offset, limit] of [
      [0, 30],
      [expected.length - 7, 20],
    ]) {
      const { hits, total } = await db.find({ branch, table: 'many', text, limit, offset });
      expect(total, text).toBe(expected.length);
      expect(
        hits.map(({ id, score }) => ({ id, score })),
        `${text}, from ${offset} on`,
      ).toEqual(expected.slice(offset, offset + limit));
    }
  }
}

test('rows of many blocks, untouched, changed and added, score as each alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-many-rows-'));
  const db = await open(folder);
  try {
    const next = seeded(11);
    const texts = new Map(Array.from({ length: ROWS }, (_, row) => [row, textOf(row, next)]));
    await db.sql({ sql: 'CREATE TABLE many (id int PRIMARY KEY, body text)' });
    await db.sql({ sql: 'INSERT INTO many SELECT * FROM unnest($1::int[], $2::text[])', params: [[...texts.keys()], [...texts.values()]] });
    await expectRanked(db, 'main', texts);
    await db.fork({ name: 'changed' });
    const changed = new Map(texts);
    for (let i = 0; i < 300; i++) {
      const row = Math.floor(next() * (ROWS + 50));
      if (next() < 0.2) changed.delete(row);
      else changed.set(row, textOf(row, next));
    }
    const other = [...changed].filter(([row, text]) => texts.get(row) !== text);
    await db.sql({ branch: 'changed', sql: 'DELETE FROM many WHERE id <> ALL ($1::int[])', params: [[...changed.keys()]] });
    await db.sql({
      branch: 'changed',
      sql: 'INSERT INTO many SELECT * FROM unnest($1::int[], $2::text[]) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
      params: [other.map(([row]) => row), other.map(([, text]) => text)],
    });
    await expectRanked(db, 'changed', changed);
    await expectRanked(db, 'main', texts);
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
