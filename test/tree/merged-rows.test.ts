/** Many rows that come into leaves or go from them at once: the tree holds what it holds when they come one by one, and is sound. */
import { expect, test } from 'vitest';
import { type Datum, KIND, type Key, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { LEAF_BYTES_MAX, LEAF_ROWS_MAX, type Leaf, type Node } from '../../src/tree/node.ts';
import { encodeBacking } from '../../src/tree/page-format.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';

const WIDE: Shape = {
  ids: [1, 2, 3, 4, 5, 6, 7, 8],
  kinds: [KIND.I32, KIND.TEXT, KIND.F64, KIND.BOOL, KIND.I64, KIND.JSON, KIND.BIN, KIND.TEXT],
};
const SOME: Shape = { ids: [1, 2], kinds: [KIND.I32, KIND.TEXT] };
const OTHER: Shape = { ids: [1, 9], kinds: [KIND.I32, KIND.TEXT] };
const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

function cellsOf(i: number, shape: Shape): Datum[] {
  const wide: Datum[] = [
    i,
    i % 5 === 0 ? null : i % 11 === 0 ? 'ä'.repeat(i % 9) : 'x'.repeat(i % 90),
    i / 4,
    i % 7 === 0 ? null : i % 2 === 0,
    i % 4 === 0 ? 9_223_372_036_854_775_000n + BigInt(i % 9) : i,
    i % 3 === 0 ? undefined : `{"n":${i}}`,
    String.fromCharCode(i % 256, 255 - (i % 256)),
    i % 13 === 0 ? null : ['red', 'green', 'blue'][i % 3],
  ];
  return shape === WIDE ? wide : shape === SOME ? wide.slice(0, 2) : [i, `other ${i}`];
}

function leaves(pager: Pager, node: Node): Leaf[] {
  return node.isLeaf ? [node] : node.keys.flatMap((_, i) => leaves(pager, pager.kid(node, i)));
}

const written = (key: Key, cells: Datum[]): string => [key, ...cells.map((cell) => `${typeof cell} ${String(cell)}`)].join(' | ');

/** A text a row, in the order of keys. */
function contents(pager: Pager, root: Node): string[] {
  return leaves(pager, root).flatMap((leaf) =>
    Array.from({ length: leaf.count }, (_, i) =>
      written(
        leaf.key(i),
        IDS.map((id) => leaf.cell(i, id)),
      ),
    ),
  );
}

/** Numbers between 0 and 1 that come again. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const text = (i: number): string => `k${String(i).padStart(7, '0')}`;

test.each([
  ['numbers', 1, (i: number): Key => i],
  ['numbers', 2, (i: number): Key => i],
  ['texts', 3, text],
  ['texts', 4, text],
])('keys that are %s, seed %d', (_, seed, keyOf) => {
  const pager = new Pager(new MemoryPageStore(), 1e9, 1);
  const next = random(seed);
  const model = new Map<Key, { shape: Shape; cells: Datum[] }>();
  let edit = pager.newEdit();
  let root: Node = emptyTree(typeof keyOf(0) === 'number', edit);
  const share = (): number => [0.002, 0.02, 0.3, 0.9][Math.floor(next() * 4)];
  for (let round = 0; round < 20; round++) {
    // Leaves of other owners are copied, and those that were written hold their texts as bytes.
    if (next() < 0.6) edit = pager.newEdit();
    if (next() < 0.4) for (const leaf of leaves(pager, root)) encodeBacking(leaf);
    const before = round % 3 === 0 ? contents(pager, root) : null;
    const old = root;
    const [inserts, deletes, updates] = [share(), next() < 0.2 ? 1 : share(), next() < 0.5 ? 0 : 0.05];
    const changes: RowChange[] = [];
    for (let i = 0; i < 3000; i++) {
      const key = keyOf(i);
      const row = model.get(key);
      if (row === undefined) {
        if (next() > inserts) continue;
        const shape = next() < 0.97 ? WIDE : next() < 0.5 ? SOME : OTHER;
        const cells = cellsOf(i + round, shape);
        changes.push({ key, shape, before: null, after: cells });
        model.set(key, { shape, cells });
      } else if (next() < deletes) {
        changes.push({ key, shape: row.shape, before: row.cells, after: null });
        model.delete(key);
      } else if (next() < updates && row.shape === WIDE) {
        const cells = row.cells.slice();
        cells[1] = `changed ${round}`;
        changes.push({ key, shape: { ids: [2], kinds: [KIND.TEXT] }, before: [row.cells[1]], after: [cells[1]] });
        model.set(key, { shape: WIDE, cells });
      }
    }
    const shared = edit !== root.edit;
    root = applyChanges(pager, root, changes, edit);
    const wanted = [...model]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { shape, cells }]) =>
        written(
          key,
          IDS.map((id) => (shape.ids.includes(id) ? cells[shape.ids.indexOf(id)] : undefined)),
        ),
      );
    expect(contents(pager, root).join('\n') === wanted.join('\n')).toBe(true);
    expect(root.count).toBe(model.size);
    for (const leaf of leaves(pager, root)) {
      // Characters of several bytes count as one until a page was written.
      expect(Math.abs(leaf.bytes - leaf.measure())).toBeLessThan(64 + leaf.measure() / 20);
      expect(leaf.count).toBeLessThanOrEqual(LEAF_ROWS_MAX);
      // A leaf that is cut in two is not weighed again.
      if (leaf.count > 1) expect(leaf.bytes).toBeLessThanOrEqual(LEAF_BYTES_MAX * 1.1);
    }
    // What another owner made is as it was.
    if (before !== null && shared) expect(contents(pager, old)).toEqual(before);
  }
});
