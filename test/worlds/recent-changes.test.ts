import { expect, test } from 'vitest';
import type { Sequence } from '../../src/base/brands.ts';
import { CATALOG_TREE, SEQUENCE_TREE } from '../../src/events/changes.ts';
import type { Event } from '../../src/events/event.ts';
import type { Key, RowChange } from '../../src/tree/datum.ts';
import { RecentChanges } from '../../src/worlds/recent-changes.ts';

const at = (sequence: number): Sequence => sequence as Sequence;

function committed(tree: number, ...keys: Key[]): Event {
  const rows = keys.map((key): RowChange => ({ key, before: null, after: null }) as unknown as RowChange);
  return { type: 'committed', how: 'write', changes: [{ tree, numeric: typeof keys[0] === 'number', rows }] };
}

/** The newest event on rows of single keys. */
const one = (recent: RecentChanges, tree: number, key: number, durable = 0): number => recent.newest(tree, key, key + 1, at(durable));

test('finds the newest event of a row that is not durable yet', () => {
  const recent = new RecentChanges();
  recent.add(committed(20, 1, 2), at(5), at(4));
  recent.add(committed(20, 2), at(6), at(4));
  recent.add(committed(21, 1), at(7), at(4));
  expect([one(recent, 20, 1), one(recent, 20, 2), one(recent, 20, 3), one(recent, 21, 1), one(recent, 22, 1)]).toEqual([5, 6, 0, 7, 0]);
  expect([one(recent, 20, 2, 5), one(recent, 20, 2, 6), one(recent, 20, 1, 5)]).toEqual([6, 0, 0]);
  expect(recent.rest).toBe(0);
});

test('ranges are of keys, open where they have no bound, and of texts as of numbers', () => {
  const recent = new RecentChanges();
  recent.add(committed(20, 10), at(1), at(0));
  recent.add(committed(30, 'b'), at(2), at(0));
  const newest = (tree: number, lower: Key | null, upper: Key | null): number => recent.newest(tree, lower, upper, at(0));
  expect([newest(20, 10, 11), newest(20, 11, null), newest(20, null, 10), newest(20, null, null)]).toEqual([1, 0, 0, 1]);
  expect([newest(30, 'b', 'b\0'), newest(30, 'a', 'b'), newest(30, 'a', null)]).toEqual([2, 0, 2]);
  // Another world's table of the number may have keys of another type.
  expect(newest(30, 1, 2)).toBe(0);
});

test('what is more than a few rows counts for everything', () => {
  const many = Array.from({ length: 65 }, (_, i) => i);
  for (const event of [committed(20, ...many), committed(CATALOG_TREE, 1), { type: 'merged' } as Event, { type: 'rolesChanged', changes: [] } as Event]) {
    const recent = new RecentChanges();
    recent.add(event, at(3), at(1));
    expect(recent.rest).toBe(3);
  }
  const recent = new RecentChanges();
  recent.add(committed(SEQUENCE_TREE, 1), at(3), at(1));
  expect(recent.rest).toBe(0);
});

test('forgets undone events, whose sequences are reused', () => {
  const recent = new RecentChanges();
  recent.add(committed(20, 1), at(5), at(4));
  recent.add(committed(CATALOG_TREE, 1), at(6), at(4));
  recent.undo(at(4));
  expect([one(recent, 20, 1, 4), recent.rest]).toEqual([0, 4]);
  recent.add(committed(20, 2), at(5), at(4));
  expect([one(recent, 20, 1, 4), one(recent, 20, 2, 4), recent.rest]).toEqual([0, 5, 4]);
});

test('keeps working while commits are pending, and forgets none of them', () => {
  const recent = new RecentChanges();
  let durable = 0;
  for (let sequence = 1; sequence <= 20_000; sequence++) {
    // The disk is some commits behind all the while, and stands still for some time.
    if (sequence < 10_000 || sequence > 12_000) durable = Math.max(durable, sequence - 1 - (sequence % 7));
    recent.add(committed(20, sequence, -sequence), at(sequence), at(durable));
    for (let back = 0; back < 10; back++) {
      const changed = sequence - back;
      if (changed <= durable) break;
      const found = Math.max(one(recent, 20, changed, durable), one(recent, 20, -changed, durable));
      if (Math.max(found, recent.rest) < changed) expect.fail(`${changed} of ${sequence} is forgotten`);
    }
    if (recent.rest > 0 && sequence < 10_000) expect.fail('nothing was too much yet');
  }
  expect(recent.rest).toBeGreaterThan(10_000);
  expect(one(recent, 20, 20_000, 20_000)).toBe(0);
});
