/**
 * Changes of a tree that are new rows alone, as the leaves that hold them: what a bulk load or a rewritten table comes
 * to. Whoever deals in leaves takes them as they are; for everybody else there are `rows`, made when asked for.
 */
import { type Datum, type Key, type Kind, type RowChange, type Shape, TAG } from '../tree/datum.ts';
import type { Leaf } from '../tree/node.ts';
import type { TreeChanges } from './changes.ts';

export class NewRows implements TreeChanges {
  readonly tree: number;
  readonly numeric: boolean;
  readonly count: number;
  // Not to be copied with the object: who changes `rows` of a copy must not carry the leaves along.
  readonly #leaves: readonly Leaf[];
  #rows: RowChange[] | null = null;

  /** The leaves, of which none is empty, are in order, and nobody changes them any more. */
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

/** One of several that follow one another; null where they do not. */
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
