/** The memory of results that are held as a whole. */
import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import type { Batch } from '../../../src/sql/exec/batch.ts';
import { ResultMemory } from '../../../src/sql/session/result-memory.ts';

/** So many rows of one integer, of which each takes more than 100 bytes as a row and in the reply. */
function rows(bytes: number): Batch {
  return { count: Math.ceil(bytes / 100), columns: [[1]] };
}

test('all results together take no more than half of the heap, and what was released can be held again', () => {
  const half = getHeapStatistics().heap_size_limit / 2;
  const refused = expect.objectContaining({ code: '53200' });
  const one = new ResultMemory();
  const other = new ResultMemory();
  one.hold(rows(half / 2));
  expect(() => other.hold(rows(half / 2))).toThrow(refused);
  other.release();
  const taker = new ResultMemory();
  taker.take(one);
  one.release();
  expect(() => other.hold(rows(half / 2))).toThrow(refused);
  other.release();
  taker.release();
  other.hold(rows(half / 2));
  other.release();
});
