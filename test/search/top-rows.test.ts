/** The best rows of many, by score and place, in any order of offers. */
import { expect, test } from 'vitest';
import { TopRows } from '../../src/search/top-rows.ts';
import { seeded } from './seeded.ts';

test.each([0, 1, 7, 100, 1000])('the best %i of 500 rows are those of a sort, equal scores by place', (size) => {
  const next = seeded(size + 1);
  // Few scores, so that many are equal.
  const rows = Array.from({ length: 500 }, (_, row) => ({ row, score: Math.floor(next() * 20), place: row / 2, random: next() }));
  const wanted = rows.toSorted((a, b) => b.score - a.score || a.place - b.place).slice(0, size);
  const top = new TopRows(size);
  for (const { row, score, place } of rows.toSorted((a, b) => a.random - b.random)) if (score >= top.least) top.offer(score, place, row);
  expect(top.sorted()).toEqual(wanted.map(({ row, score }) => ({ row, score })));
});
