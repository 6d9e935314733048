/**
 * The rows of a state that read otherwise than in a segment: the segment is searched without them, and they are searched directly. Made from
 * the difference of two trees, so it costs what changed; the touched rows of the next state are made from these.
 */
import type { Key } from '../tree/datum.ts';
import { diffTrees } from '../tree/diff.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { rowsBelow } from '../tree/read.ts';
import type { RowSource, Segment } from './row-source.ts';

export interface TouchedRow<Read> {
  readonly key: Key;
  /** Rows of the segment below the key; its own ordinal if the segment has it. */
  readonly ordinal: number;
  readonly inSegment: boolean;
  /** In the segment. */
  readonly before: Read;
  /** In the state. */
  readonly now: Read;
}

export class TouchedRows<Read> {
  /** The rows of the state. */
  readonly tree: Node;
  /** What read them; null: none is touched, for any source. */
  readonly source: RowSource<Read> | null;
  readonly byKey: ReadonlyMap<Key, TouchedRow<Read>>;
  /** By key. */
  readonly sorted: readonly TouchedRow<Read>[];
  /** Ordinals of those that the segment has, ascending. */
  readonly ordinals: Uint32Array;
  readonly inSegment: ReadonlySet<number>;

  constructor(tree: Node, source: RowSource<Read> | null, byKey: ReadonlyMap<Key, TouchedRow<Read>>) {
    this.tree = tree;
    this.source = source;
    this.byKey = byKey;
    this.sorted = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    this.ordinals = Uint32Array.from(this.sorted.flatMap(({ inSegment, ordinal }) => (inSegment ? [ordinal] : [])));
    this.inSegment = new Set(this.ordinals);
  }

  get size(): number {
    return this.sorted.length;
  }
}

interface Change {
  readonly key: Key;
  readonly a: Leaf | null;
  readonly ai: number;
  readonly b: Leaf | null;
  readonly bi: number;
}

/** The touched rows of the state `tree`, from those that the same source read in another state; null if more than `max` rows differ between the two. */
export function* touchedFrom<Read>(
  pager: Pager,
  segment: Segment,
  source: RowSource<Read>,
  from: TouchedRows<Read>,
  tree: Node,
  max: number,
): Generator<void, TouchedRows<Read> | null> {
  const changes: Change[] = [];
  const all = diffTrees(pager, from.tree, tree, (key, a, ai, b, bi) => {
    if (changes.length === max) return false;
    changes.push({ key, a, ai, b, bi });
    return true;
  });
  if (!all) return null;
  const byKey = new Map(from.byKey);
  for (const { key, a, ai, b, bi } of changes) {
    if (a !== null && b !== null && source.isSame(a, ai, b, bi)) continue;
    const now = b === null ? source.nothing : yield* source.read(b, bi);
    const known = byKey.get(key);
    // A row that was not touched before is in the segment as it was.
    if (known !== undefined) byKey.set(key, { ...known, now });
    else {
      const before = a === null ? source.nothing : yield* source.read(a, ai);
      byKey.set(key, { key, ordinal: rowsBelow(pager, segment.tree, key), inSegment: a !== null, before, now });
    }
    yield;
  }
  return new TouchedRows(tree, source, byKey);
}
