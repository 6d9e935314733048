/**
 * Worlds as parts of a base. A world's fork point is written as its diff from the parent's state, its
 * state and checkpoints as diffs from the fork point, so that worlds share rows again after loading.
 *
 *   part = JSON head text, changes
 */
import { ByteReader, ByteWriter } from '../../src/base/bytes.ts';
import { isBeside, readChanges, type TreeChanges, writeChanges } from '../../src/events/changes.ts';
import type { Key, RowChange } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { emptyTree } from '../../src/tree/write.ts';
import { readCatalog } from '../../src/worlds/catalog.ts';
import { rowChange, ShapeTable } from '../../src/tree/row-change.ts';
import { changedTrees, eachRowChange, isNumeric } from '../../src/worlds/changes-between.ts';
import type { RunsState } from './runs.ts';

/** Rows of one part: keeps a part near a megabyte. */
const PART_ROWS = 500;

export type PartHead =
  | ({ part: 'state' } & RunsState)
  | { part: 'world'; record: unknown }
  | { part: 'gone'; record: unknown }
  | { part: 'base' | 'root'; world: number }
  | { part: 'simulation'; record: unknown }
  | { part: 'simulation base'; run: number }
  | { part: 'checkpoint'; world: number; name: string }
  | { part: 'common'; key: string; record: unknown; from: number };

export function encodePart(head: PartHead, changes: readonly TreeChanges[] = []): Uint8Array {
  const out = new ByteWriter(4096);
  out.text(JSON.stringify(head));
  writeChanges(out, changes);
  return out.finish();
}

export function decodePart(bytes: Uint8Array): { head: PartHead; changes: TreeChanges[] } {
  const from = new ByteReader(bytes);
  return { head: JSON.parse(from.text()) as PartHead, changes: readChanges(from) };
}

/** The diff of two directories, a bounded number of rows at a time. */
export function* differenceParts(pager: Pager, from: Node | null, to: Node): Generator<TreeChanges[]> {
  const before = readCatalog(pager, from ?? emptyTree(true));
  const after = readCatalog(pager, to);
  for (const { tree, from: old, to: b } of changedTrees(pager, from ?? emptyTree(true), to)) {
    const was = before.byNumber.get(tree);
    const is = after.byNumber.get(tree);
    // Indexes follow from the rows, and rows of a dropped typed table are removed with its definition.
    if (!isBeside(tree) && is === undefined && (was === undefined || was.relation !== null)) continue;
    const a = was !== undefined && was.relation?.object.epoch !== is?.relation?.object.epoch ? null : old;
    if (a === null && b === null) continue;
    const numeric = isNumeric((b ?? a)!);
    const shapes = new ShapeTable();
    if (a === null && b !== null) {
      // A whole tree: leaf by leaf, so that only one part is in memory.
      let rows: RowChange[] = [];
      for (const leaf of leavesOf(pager, b)) {
        for (let i = 0; i < leaf.count; i++) rows.push(rowChange(leaf.key(i), null, { leaf, index: i }, shapes));
        if (rows.length >= PART_ROWS) {
          yield [{ tree, numeric, rows }];
          rows = [];
        }
      }
      if (rows.length > 0) yield [{ tree, numeric, rows }];
      continue;
    }
    let first: Key | null = null;
    do {
      const rows: RowChange[] = [];
      let next: Key | null = null;
      eachRowChange(
        pager,
        a,
        b,
        (key, x, y) => {
          if (rows.length === PART_ROWS) {
            next = key;
            return false;
          }
          rows.push(rowChange(key, x, y, shapes));
          return true;
        },
        first,
      );
      if (rows.length > 0) yield [{ tree, numeric, rows }];
      first = next;
    } while (first !== null);
  }
}

function* leavesOf(pager: Pager, node: Node): Generator<Extract<Node, { isLeaf: true }>> {
  if (node.isLeaf) yield node;
  else for (let i = 0; i < node.keys.length; i++) yield* leavesOf(pager, pager.kid(node, i));
}
