/** Replies that are made in pieces are the text that one call would make, however long their lists and texts are. */
import { expect, test } from 'vitest';
import { ExactNumber, exactJsonText } from '../../src/base/exact-json.ts';
import { bytesInSlices, exactJsonPieces, isLong } from '../../src/base/exact-json-pieces.ts';

const PIECE_MAX = 1_200_000;
const many = (count: number, item: (i: number) => unknown): unknown[] => Array.from({ length: count }, (_, i) => item(i));

test.each([
  ['a list of many', { rows: many(1000, (i) => ({ i })) }],
  ['few rows of long texts', { results: [{ rows: many(20, (i) => ({ i, t: 'ä😀"\\\n'.repeat(60_000) })) }] }],
  ['many rows of texts that are long together', { results: [{ rows: many(500, (i) => ({ i, t: 'x'.repeat(20_000) })) }] }],
  ['rows as lists', { rows: many(90, () => ['y'.repeat(100_000), null, true]) }],
  ['one text', 'a"b\u2028'.repeat(300_000)],
  ['characters of two units at every place', `x${'😀'.repeat(400_000)}`],
  ['what is left out, and what is nothing', { a: undefined, rows: [undefined, null, ...many(200, () => undefined)], b: [], c: {} }],
  ['exact numbers', { rows: many(300, (i) => ({ n: new ExactNumber(`${i}.10000000000000000001`), t: 'z'.repeat(3000) })) }],
])('%s', async (_, value) => {
  expect(isLong(value)).toBe(true);
  const pieces = await exactJsonPieces(value);
  const text = pieces.join('');
  expect(text === exactJsonText(value)).toBe(true);
  expect((await bytesInSlices(pieces)).equals(Buffer.from(text))).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(PIECE_MAX);
});

test('short replies are made at once', () => {
  expect(isLong({ results: [{ columns: ['a'], rows: [{ a: 1, t: 'x'.repeat(1000) }] }] })).toBe(false);
});
