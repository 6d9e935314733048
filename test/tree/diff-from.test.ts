/** A difference that begins at a key visits what the whole one visits from there on. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { type Key, KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { diffTrees } from '../../src/tree/diff.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';
import { Random } from '../suite/random.ts';

const SHAPE: Shape = { ids: [1], kinds: [KIND.F64] };
const KEY_MAX = 6000;

function differences(pager: Pager, a: Node, b: Node, from: Key | null): string[] {
  const out: string[] = [];
  diffTrees(
    pager,
    a,
    b,
    (key, x, xi, y, yi) => {
      out.push(`${key}: ${String(x?.cell(xi, 1))} → ${String(y?.cell(yi, 1))}`);
    },
    from,
  );
  return out;
}

test('from any key on, whichever subtrees the two trees share', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const pager = new Pager(new MemoryPageStore(), 1e9, 1);
    const build = (base: Node, puts: number): Node => {
      const changes = new Map<number, RowChange>();
      for (let n = 0; n < puts; n++) {
        const key = random.below(KEY_MAX);
        const remove = random.chance(0.3);
        changes.set(key, { key, shape: SHAPE, before: remove ? [] : null, after: remove ? null : [random.below(5)] });
      }
      return applyChanges(
        pager,
        base,
        [...changes.values()].sort((x, y) => (x.key as number) - (y.key as number)),
        pager.newEdit(),
      );
    };
    const one = build(emptyTree(true), seed % 4 === 0 ? 0 : 8000);
    if (seed % 2 === 0) for (const _ of writeOut(pager, one, { pages: 0, bytes: 0 }));
    const two = build(one, random.below(400));
    for (const [a, b] of [
      [one, two],
      [two, one],
      [emptyTree(true), two],
    ]) {
      const whole = differences(pager, a, b, null);
      for (let n = 0; n < 30; n++) {
        const from = random.below(KEY_MAX + 10);
        expect(differences(pager, a, b, from), `seed ${seed} from ${from}`).toEqual(whole.filter((line) => Number.parseInt(line, 10) >= from));
      }
      expect(differences(pager, a, b, 0)).toEqual(whole);
    }
  }
});
