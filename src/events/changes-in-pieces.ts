/** Splits the changes of a tree into parts of about a given number of rows, in key order. */
import type { TreeChanges } from './changes.ts';
import { ColumnChanges } from './column-changes.ts';

export function* inPieces(changes: TreeChanges, size: number): Generator<TreeChanges> {
  if (changes instanceof ColumnChanges) {
    yield* changes.pieces(size);
    return;
  }
  const { tree, numeric, rows } = changes;
  if (rows.length <= size) {
    if (rows.length > 0) yield changes;
    return;
  }
  for (let from = 0; from < rows.length; from += size) yield { tree, numeric, rows: rows.slice(from, from + size) };
}
