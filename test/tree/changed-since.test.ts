/** Asked key by key, a tree has changed where its difference says so. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { ChangedSince } from '../../src/tree/changed-since.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { diffTrees } from '../../src/tree/diff.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';
import { Random } from '../suite/random.ts';

const SHAPE: Shape = { ids: [1], kinds: [KIND.F64] };
const KEY_MAX = 6000;

test.each([true, false])('every key, ascending and at random, over written and unwritten trees (numbers: %s)', (numeric) => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = new Random(seed);
    const pager = new Pager(new MemoryPageStore(), 1e9, 1);
    const keyOf = (n: number): number | string => (numeric ? n : `k${String(n).padStart(5, '0')}`);
    const build = (base: Node, puts: number): Node => {
      const changes = new Map<number, RowChange>();
      for (let n = 0; n < puts; n++) {
        const key = random.below(KEY_MAX);
        const remove = random.chance(0.3);
        changes.set(key, { key: keyOf(key), shape: SHAPE, before: remove ? [] : null, after: remove ? null : [random.below(5)] });
      }
      const sorted = [...changes].sort(([a], [b]) => a - b).map(([, change]) => change);
      return applyChanges(pager, base, sorted, pager.newEdit());
    };
    const one = build(emptyTree(numeric), seed % 4 === 0 ? 0 : 8000);
    if (seed % 2 === 0) for (const _ of writeOut(pager, one, { pages: 0, bytes: 0 }));
    const two = build(one, random.below(400));
    for (const [before, now] of [
      [one, two],
      [two, one],
      [one, one],
      [null, two],
      [one, null],
      [null, null],
    ] as const) {
      const expected = new Set<number | string>();
      diffTrees(pager, before ?? emptyTree(numeric), now ?? emptyTree(numeric), (key) => void expected.add(key));
      const changed = new ChangedSince(pager, before, now);
      expect(changed.any).toBe(expected.size > 0);
      for (let key = 0; key < KEY_MAX; key++) if (changed.has(keyOf(key)) !== expected.has(keyOf(key))) expect(keyOf(key)).toBe('distinguished');
      for (let n = 0; n < 1000; n++) {
        const key = keyOf(random.below(KEY_MAX));
        if (changed.has(key) !== expected.has(key)) expect(key).toBe('distinguished at random');
      }
    }
  }
});
