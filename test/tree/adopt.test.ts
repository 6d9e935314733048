/** A merge that takes subtrees of the branch as they are gives the rows that applying each change gives. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { adoptChanges } from '../../src/tree/adopt.ts';
import { checkTree } from '../../src/tree/check.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { diffTrees } from '../../src/tree/diff.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { rowIn } from '../../src/tree/row-change.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';

const SHAPE: Shape = { ids: [1], kinds: [KIND.F64] };

function randomOf(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Random puts and deletes in a few clusters, as sorted changes against `tree`. */
function randomChanges(pager: Pager, tree: Node, random: () => number, keyMax: number, clusters: number, puts: number): RowChange[] {
  const wanted = new Map<number, number | null>();
  for (let c = 0; c < clusters; c++) {
    const start = Math.floor(random() * keyMax);
    const span = random() < 0.3 ? 5 : 2000;
    for (let i = 0; i < puts; i++) wanted.set(start + Math.floor(random() * span), random() < 0.3 ? null : Math.floor(random() * 1000));
  }
  const out: RowChange[] = [];
  for (const [key, value] of [...wanted].sort((a, b) => a[0] - b[0])) {
    const at = rowIn(pager, tree, key);
    if (at === null && value === null) continue;
    const before = at === null ? null : [at.leaf.cell(at.index, 1)];
    out.push({ key, shape: SHAPE, before, after: value === null ? null : [value] });
  }
  return out;
}

function rows(pager: Pager, tree: Node): string {
  const out: string[] = [];
  diffTrees(pager, emptyTree(true), tree, (key, _a, _ai, leaf, i) => {
    out.push(`${key}=${leaf!.cell(i, 1)}`);
  });
  return out.join();
}

for (let seed = 1; seed <= 30; seed++) {
  test(`seed ${seed}`, () => {
    const random = randomOf(seed);
    const pager = new Pager(new MemoryPageStore(), 1 << 20, 1);
    const size = [40, 3000, 60_000][seed % 3];
    const load: RowChange[] = [];
    for (let key = 0; key < size; key++) load.push({ key: key * 3, shape: SHAPE, before: null, after: [key] });
    const base = applyChanges(pager, emptyTree(true, 1), load, 1);
    if (seed % 2 === 0) for (const _ of writeOut(pager, base, { pages: 0, bytes: 0 })) void _;
    const theirs = applyChanges(pager, base, randomChanges(pager, base, random, size * 3, 1 + (seed % 4), 200), 2);
    if (seed % 5 === 0) for (const _ of writeOut(pager, theirs, { pages: 0, bytes: 0 })) void _;
    // Ours keeps its own version of what it changed: those rows are no changes of the merge.
    const oursChanges = randomChanges(pager, base, random, size * 3, seed % 3, 100);
    const ours = applyChanges(pager, base, oursChanges, 3);
    const changedHere = new Set(oursChanges.map(({ key }) => key));
    const merge: RowChange[] = [];
    diffTrees(pager, base, theirs, (key, a, ai, b, bi) => {
      if (!changedHere.has(key as number)) {
        merge.push({ key, shape: SHAPE, before: a === null ? null : [a.cell(ai, 1)], after: b === null ? null : [b.cell(bi, 1)] });
      }
    });
    const before = [rows(pager, base), rows(pager, theirs), rows(pager, ours)];
    const expected = rows(pager, applyChanges(pager, ours, merge, 4));
    const adopted = adoptChanges(pager, ours, base, theirs, merge, 5);
    checkTree(pager, adopted);
    expect(rows(pager, adopted)).toBe(expected);
    // Writing on copies what is shared.
    const written = applyChanges(pager, adopted, randomChanges(pager, adopted, random, size * 3, 2, 50), 5);
    checkTree(pager, written);
    expect([rows(pager, base), rows(pager, theirs), rows(pager, ours)]).toEqual(before);
  });
}
