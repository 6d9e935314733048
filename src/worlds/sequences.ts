/** How far sequences are where states of a world meet: what either side gave out is not given out again. */
import { SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { readCatalog } from './catalog.ts';
import { type RowAt, rowChange, rowIn, ShapeTable, treeDifference } from './row-change.ts';

/** Takes the sequences of `here` on to where those of `there` are that moved since `base`, or that differ. Those that `there` no longer has stay. */
export function sequencesOnward(pager: Pager, here: Node, there: Node, base: Node = here): TreeChanges[] {
  const rows: RowChange[] = [];
  const shapes = new ShapeTable();
  const stateIn = (root: Node, key: Key): RowAt | null => rowIn(pager, childRoot(pager, root, SEQUENCE_TREE), key);
  let descending: ReadonlySet<Key> | null = null;
  for (const { rows: moved } of treeDifference(pager, base, there, SEQUENCE_TREE)) {
    for (const { key } of moved) {
      const now = stateIn(here, key);
      const then = stateIn(there, key);
      if (then === null) continue;
      descending ??= descendingSequences(pager, there);
      if (now === null || isFurther(then, now, descending.has(key))) rows.push(rowChange(key, now, then, shapes));
    }
  }
  return rows.length === 0 ? [] : [{ tree: SEQUENCE_TREE, numeric: true, rows }];
}

function isFurther(a: RowAt, b: RowAt, descending: boolean): boolean {
  const last = ({ leaf, index }: RowAt): number | bigint => leaf.cell(index, 1) as number | bigint;
  const [x, y] = [last(a), last(b)];
  if (x === y) return a.leaf.cell(a.index, 2) === true && b.leaf.cell(b.index, 2) === false;
  return descending ? x < y : x > y;
}

function descendingSequences(pager: Pager, root: Node): ReadonlySet<Key> {
  const out = new Set<Key>();
  for (const object of readCatalog(pager, root).objects.values()) if (object.what === 'sequence' && object.increment.startsWith('-')) out.add(object.number);
  return out;
}
