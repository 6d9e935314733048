/** Rows that a statement wrote, found by key whatever the order in which they came. */
import { expect, test } from 'vitest';
import { PendingRows } from '../../../src/sql/schema/pending-rows.ts';
import type { Key } from '../../../src/tree/datum.ts';

const ORDERS: readonly (readonly [name: string, keys: readonly Key[], ascending: boolean])[] = [
  ['none', [], true],
  ['one', [5], true],
  ['ascending numbers', [1, 2, 3, 10, 11, 500], true],
  ['descending numbers', [9, 7, 5, 1], false],
  ['out of order late', [1, 2, 3, 4, 5, 0, 6], false],
  ['below zero', [-5, -1, 0, 3], true],
  ['texts', ['a', 'ab', 'b', 'é'], true],
  ['texts out of order', ['b', 'a', 'ab'], false],
];

test.each(ORDERS)('%s', (_name, keys, ascending) => {
  const rows = new PendingRows();
  keys.forEach((key, i) => {
    expect(rows.find(key)).toBe(-1);
    expect(rows.has(key)).toBe(false);
    rows.add(key, i % 2 === 0 ? null : [`old ${key}`], [`new ${key}`]);
    // Those before are still where they were.
    for (let k = 0; k <= i; k++) expect(rows.find(keys[k])).toBe(k);
  });
  expect(rows.count).toBe(keys.length);
  expect(rows.ascending).toBe(ascending);
  expect(rows.find(typeof keys[0] === 'string' ? 'zzz' : 4.5)).toBe(-1);
  expect(rows.find(typeof keys[0] === 'string' ? '' : -1000)).toBe(-1);
});

test.each([
  ['in order', [1, 2, 3]],
  ['out of order', [3, 1, 2]],
])('a row written again keeps what it was before the statement, %s', (_name, keys) => {
  const rows = new PendingRows();
  for (const key of keys) rows.add(key, [`old ${key}`], [`new ${key}`]);
  rows.set(2, ['not the old one'], ['newer']);
  const at = rows.find(2);
  expect([rows.before[at], rows.after[at]]).toEqual([['old 2'], ['newer']]);
  rows.set(2, null, null);
  expect([rows.before[at], rows.after[at], rows.has(2)]).toEqual([['old 2'], null, true]);
  rows.set(9, null, ['fresh']);
  expect([rows.before[rows.find(9)], rows.after[rows.find(9)], rows.count]).toEqual([null, ['fresh'], 4]);
});
