/**
 * Positions of a world's sequences, and their merge: values handed out on either side are not handed out again.
 *
 *   tree SEQUENCE_TREE of a world:  sequence number → last value, whether it was handed out
 */
import { SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { readCatalog } from './catalog.ts';
import { type RowAt, rowChange, rowIn, ShapeTable } from '../tree/row-change.ts';
import { treeDifference } from './changes-between.ts';

export const SEQUENCE_CELL = { last: 1, called: 2 } as const;

export interface SequenceState {
  readonly last: number | bigint;
  /** False: `last` itself is the next value. */
  readonly called: boolean;
}

export function readSequence(pager: Pager, root: Node, sequence: number): SequenceState | null {
  const at = rowIn(pager, childRoot(pager, root, SEQUENCE_TREE), sequence);
  return at === null ? null : stateAt(at);
}

function stateAt({ leaf, index }: RowAt): SequenceState {
  return { last: leaf.cell(index, SEQUENCE_CELL.last) as number | bigint, called: leaf.cell(index, SEQUENCE_CELL.called) as boolean };
}

export function isFurther(a: SequenceState, b: SequenceState, descending: boolean): boolean {
  if (a.last === b.last) return a.called && !b.called;
  return descending ? a.last < b.last : a.last > b.last;
}

/** Advances the sequences of `here` to the positions in `there` that moved since `base`, or that differ. Sequences missing in `there` are kept. */
export function sequencesOnward(pager: Pager, here: Node, there: Node, base: Node = here): TreeChanges[] {
  const rows: RowChange[] = [];
  const shapes = new ShapeTable();
  const rowOf = (root: Node, key: Key): RowAt | null => rowIn(pager, childRoot(pager, root, SEQUENCE_TREE), key);
  let descending: ReadonlySet<Key> | null = null;
  for (const { rows: moved } of treeDifference(pager, base, there, SEQUENCE_TREE)) {
    for (const { key } of moved) {
      const now = rowOf(here, key);
      const then = rowOf(there, key);
      if (then === null) continue;
      descending ??= descendingSequences(pager, there);
      if (now === null || isFurther(stateAt(then), stateAt(now), descending.has(key))) rows.push(rowChange(key, now, then, shapes));
    }
  }
  return rows.length === 0 ? [] : [{ tree: SEQUENCE_TREE, numeric: true, rows }];
}

/** Sequences whose position differs in `there`, by number. */
export function* movedSequences(pager: Pager, here: Node, there: Node): Generator<[sequence: number, state: SequenceState]> {
  for (const { rows } of treeDifference(pager, here, there, SEQUENCE_TREE)) {
    for (const { key } of rows) {
      const state = readSequence(pager, there, key as number);
      if (state !== null) yield [key as number, state];
    }
  }
}

function descendingSequences(pager: Pager, root: Node): ReadonlySet<Key> {
  const out = new Set<Key>();
  for (const object of readCatalog(pager, root).objects.values()) if (object.what === 'sequence' && object.increment.startsWith('-')) out.add(object.number);
  return out;
}
