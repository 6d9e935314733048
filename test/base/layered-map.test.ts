/** A forked map against plain maps: entries, their order, and that forks do not see one another. */
import { expect, test } from 'vitest';
import { LayeredMap } from '../../src/base/layered-map.ts';

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

test.each(Array.from({ length: 10 }, (_, seed) => seed))('seed %i', (seed) => {
  const next = random(seed);
  const pairs = [{ map: new LayeredMap<number, number>(), plain: new Map<number, number>() }];
  for (let step = 0; step < 3000; step++) {
    const { map, plain } = pairs[Math.floor(next() * pairs.length)];
    const key = Math.floor(next() * 400);
    const what = next();
    if (what < 0.01 && pairs.length < 6) pairs.push({ map: map.fork(), plain: new Map(plain) });
    else if (what < 0.6) {
      map.set(key, step);
      plain.set(key, step);
    } else if (map.delete(key) !== plain.delete(key)) expect.fail(`step ${step}: one had ${key}, the other did not`);
    if (what > 0.99) expect([...map.keys()].length).toBe(plain.size);
    if (map.size !== plain.size || map.get(key) !== plain.get(key) || map.has(key) !== plain.has(key)) expect.fail(`step ${step}: they differ at ${key}`);
  }
  for (const { map, plain } of pairs) {
    const byKey = (a: [number, number], b: [number, number]): number => a[0] - b[0];
    expect([...map].sort(byKey)).toEqual([...plain].sort(byKey));
    expect([...map.keys()]).toEqual([...map.entries()].map(([key]) => key));
    expect([...map.values()]).toEqual([...map.entries()].map(([, value]) => value));
  }
});

test('a changed entry stays in its place, a new one comes last', () => {
  const map = new LayeredMap(
    new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]),
  ).fork();
  map.set('d', 4).set('b', 20).delete('a');
  expect([...map]).toEqual([
    ['b', 20],
    ['c', 3],
    ['d', 4],
  ]);
});
