/** Entries as bytes change an index like individual changes, in leaves of any form. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { checkTree } from '../../src/tree/check.ts';
import type { Key } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import { encodeBacking } from '../../src/tree/page-format.ts';
import { Pager } from '../../src/tree/pager.ts';
import { leaves } from '../../src/tree/read.ts';
import { SortedKeys } from '../../src/tree/sorted-keys.ts';
import { applyBatch, applyChanges, emptyTree } from '../../src/tree/write.ts';
import { EntryChanges, entryPieces } from '../../src/worlds/entry-changes.ts';
import { entryKey, ROW_KEY } from '../../src/worlds/index-keys.ts';
import { Seeded } from '../sql/differential/seeded.ts';

interface Entry {
  readonly key: string;
  readonly row: Key;
}

function changesOf(entries: readonly Entry[], comes: readonly boolean[] | null): EntryChanges {
  const bytes = Buffer.from(entries.map(({ key }) => key).join(''), 'latin1');
  let end = 0;
  const ends = Uint32Array.from(entries, ({ key }) => (end += key.length));
  const rows = entries.map(({ row }) => row);
  return new EntryChanges(new SortedKeys(bytes, ends), rows, comes === null ? null : Uint8Array.from(comes, Number));
}

function contents(pager: Pager, root: Node): string[] {
  return [...leaves(pager, root, null)].flatMap(({ leaf }) =>
    Array.from({ length: leaf.count }, (_, i) => `${JSON.stringify(leaf.key(i))} ${String(leaf.cell(i, ROW_KEY))}`),
  );
}

test.each([
  ['numbers', 1],
  ['numbers', 2],
  ['texts', 3],
  ['texts', 4],
])('rows of %s, seed %d', (form, seed) => {
  const random = new Seeded(seed);
  const pager = new Pager(new MemoryPageStore(), 1e9, 1);
  const entryOf = (i: number): Entry => {
    const row = form === 'numbers' ? i : `r${i}`;
    // Beginnings of one another, and bytes above those of ASCII.
    return { key: entryKey(`\x01${'aé\xff'.slice(0, i % 4)}${'k'.repeat(i % 7)}\0`, row), row };
  };
  const all = Array.from({ length: 6000 }, (_, i) => entryOf(i)).sort((a, b) => (a.key < b.key ? -1 : 1));
  const there = new Set<Entry>();
  let edit = pager.newEdit();
  let one: Node = emptyTree(false, edit);
  let other: Node = emptyTree(false, edit);
  for (let round = 0; round < 30; round++) {
    const share = random.pick([0.003, 0.1, 0.5, 0.95]);
    const onlyGo = round > 0 && random.chance(0.6);
    const from = random.chance(0.3) ? random.between(0, all.length - 1) : 0;
    const chosen = all.filter((entry, i) => i >= from && random.chance(share) && (!onlyGo || there.has(entry) || random.chance(0.02)));
    if (chosen.length === 0) continue;
    const comes = onlyGo ? null : chosen.map((entry) => !there.has(entry));
    const changes = changesOf(chosen, comes);
    for (const piece of entryPieces(changes, random.pick([100, 10_000]))) one = applyBatch(pager, one, piece as EntryChanges, edit);
    other = applyChanges(pager, other, changes.changes(), edit);
    chosen.forEach((entry, i) => (comes?.[i] === true ? there.add(entry) : there.delete(entry)));
    expect(contents(pager, one)).toEqual(contents(pager, other));
    expect(checkTree(pager, one).rows).toBe(there.size);
    if (random.chance(0.5)) {
      if (random.chance(0.7)) for (const { leaf } of leaves(pager, one, null)) encodeBacking(leaf);
      edit = pager.newEdit();
    }
  }
});
