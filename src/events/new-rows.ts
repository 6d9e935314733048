/**
 * Changes of a tree that only insert, as the leaves that hold the rows: from a bulk load or a table rewrite. Code that works
 * on leaves uses them; all other code uses `rows`, which are built on first use.
 */
import { type Datum, type Key, type Kind, type RowChange, type Shape, TAG } from '../tree/datum.ts';
import type { Leaf } from '../tree/node.ts';
import type { TreeChanges } from './changes.ts';

export class NewRows implements TreeChanges {
  readonly tree: number;
  readonly numeric: boolean;
  readonly count: number;
  // Private, so that it is not copied with the object: a copy with other `rows` must not keep these leaves.
  readonly #leaves: readonly Leaf[];
  #rows: RowChange[] | null = null;

  /** The leaves are in order, none is empty, and none changes any more. */
  constructor(tree: number, numeric: boolean, leaves: readonly Leaf[]) {
    this.tree = tree;
    this.numeric = numeric;
    this.#leaves = leaves;
    let count = 0;
    for (const leaf of leaves) count += leaf.count;
    this.count = count;
  }

  get leaves(): readonly Leaf[] {
    return this.#leaves;
  }

  get first(): Key {
    return this.#leaves[0].key(0);
  }

  get last(): Key {
    const leaf = this.#leaves[this.#leaves.length - 1];
    return leaf.key(leaf.count - 1);
  }

  get rows(): RowChange[] {
    return (this.#rows ??= rowsOf(this.#leaves));
  }
}

/** Joins consecutive changes; null if they are not consecutive. */
export function joinedNewRows(parts: readonly TreeChanges[]): NewRows | null {
  const leaves: Leaf[] = [];
  let last: Key | null = null;
  for (const part of parts) {
    if (!(part instanceof NewRows) || (last !== null && part.first <= last)) return null;
    last = part.last;
    for (const leaf of part.leaves) leaves.push(leaf);
  }
  return leaves.length === 0 ? null : new NewRows(parts[0].tree, parts[0].numeric, leaves);
}

export function rowsOf(leaves: readonly Leaf[]): RowChange[] {
  const rows: RowChange[] = [];
  const shapes = new Map<string, Shape>();
  const shapeOf = (ids: readonly number[], kinds: readonly Kind[]): Shape => {
    const form = `${ids.join()}:${kinds.join()}`;
    let shape = shapes.get(form);
    if (shape === undefined) shapes.set(form, (shape = { ids, kinds }));
    return shape;
  };
  for (const leaf of leaves) {
    const { cols, colIds } = leaf;
    const kinds = cols.map(({ kind }) => kind);
    const whole = shapeOf(colIds, kinds);
    const mayLack = cols.some(({ tags }) => tags !== null && tags.subarray(0, leaf.count).includes(TAG.ABSENT));
    for (let i = 0; i < leaf.count; i++) {
      const after: Datum[] = [];
      let shape = whole;
      if (mayLack) {
        const there = cols.map((_, c) => c).filter((c) => cols[c].tag(i) !== TAG.ABSENT);
        for (const c of there) after.push(cols[c].get(i));
        shape = shapeOf(
          there.map((c) => colIds[c]),
          there.map((c) => kinds[c]),
        );
      } else for (let c = 0; c < cols.length; c++) after.push(cols[c].get(i));
      rows.push({ key: leaf.key(i), shape, before: null, after });
    }
  }
  return rows;
}
