/** Which super-roots stay: decisions over sizes, without a database. */
import { describe, expect, test } from 'vitest';
import type { Sequence } from '../../src/base/brands.ts';
import { futureTrimPoints, nextPressure, REPLAY_BYTES_MAX, thinned, worthCollecting } from '../../src/projection/retention.ts';
import type { SuperRoot } from '../../src/projection/super-root.ts';

const PAGE_BYTES = 1000;
const LOG_BYTES = 10_000_000;

/** Super-roots one checkpoint of 2 × REPLAY_BYTES_MAX apart, oldest first. */
function roots(count: number): SuperRoot[] {
  return Array.from({ length: count }, (_, i) => ({ sequence: i, work: 2 * REPLAY_BYTES_MAX * i }) as SuperRoot);
}

function kept(count: number, pressure: number): number[] {
  const all = roots(count);
  const gone = new Set(thinned(all, pressure));
  return all.filter((root) => !gone.has(root)).map(({ sequence }) => Number(sequence));
}

describe('thinning', () => {
  test.each([
    ['all stay while there is room', 1, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['gaps grow with the pressure', 4, [0, 1, 3, 5, 7]],
    ['the newest and the oldest stay', 32, [0, 7]],
    ['the oldest goes at last', 64, [7]],
  ])('%s', (_, pressure, left) => {
    expect(kept(8, pressure)).toEqual(left);
  });
});

describe('pressure', () => {
  const next = (pressure: number, live: number, all: number, newest: number): number => nextPressure(pressure, { live, all, newest }, PAGE_BYTES, LOG_BYTES);

  test.each([
    // 0.3 of 10,000 live pages and a log as large are 6,000 pages.
    ['rises where pages of the past take more than their share', 4, 10_000, 16_001, 10, 8],
    ['stays at the share', 4, 10_000, 16_000, 10, 4],
    ['stays above a quarter of it', 4, 10_000, 11_500, 10, 4],
    ['falls below a quarter of it', 4, 10_000, 11_499, 10, 2],
    ['stays where one super-root more would be too many', 64, 10_000, 10_000, 6_001, 64],
    ['falls where one has just room', 64, 10_000, 10_000, 6_000, 32],
    ['does not fall below 1', 1, 10_000, 10_000, 10, 1],
    ['has an end', 4096, 10_000, 100_000, 10, 4096],
  ])('%s', (_, pressure, live, all, newest, expected) => {
    expect(next(pressure, live, all, newest)).toBe(expected);
  });
});

test('pages are collected when a half of what is kept was written since', () => {
  expect([worthCollecting(499, 1000), worthCollecting(500, 1000)]).toEqual([false, true]);
});

test('the first super-root of each period is kept for a later trim under any pressure, until history begins after it', () => {
  const MB = 1024 * 1024;
  const all = Array.from({ length: 200 }, (_, n) => ({ sequence: n + 1, at: n * 1_000_000, work: n * MB }) as SuperRoot);
  const points = futureTrimPoints(all, 100_000_000, 0 as Sequence);
  expect(points.size).toBe(5);
  let left = all;
  for (let round = 0; round < 5; round++) {
    const gone = new Set(thinned(left, 4096, futureTrimPoints(left, 100_000_000, 0 as Sequence)));
    left = left.filter((root) => !gone.has(root));
    for (const point of points) expect(left).toContain(point);
  }
  expect(left.length).toBeLessThan(8);
  const [first, second] = [...points];
  expect(futureTrimPoints(left, 100_000_000, first.sequence).has(first)).toBe(false);
  expect(futureTrimPoints(left, 100_000_000, first.sequence).has(second)).toBe(true);
  // Where little is written, none is kept for its own sake.
  const quiet = Array.from({ length: 200 }, (_, n) => ({ sequence: n + 1, at: n * 1_000_000, work: n * 1000 }) as SuperRoot);
  expect(futureTrimPoints(quiet, 100_000_000, 0 as Sequence).size).toBe(0);
});
