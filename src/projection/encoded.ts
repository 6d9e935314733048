/**
 * Changes of a large commit as pieces of its record, encoded some rows at a time and compressed beside other work, before
 * the commit is decided.
 */
import { treeInPieces, type TreeChanges } from '../events/changes.ts';
import { changedRows } from '../events/changed-rows.ts';
import { FRAME_PAYLOAD_MAX, packChunk } from '../log/format.ts';
import type { LogChunk } from '../log/log-store.ts';

/** Pieces of the payload by the changes that they hold. */
export type Encoded = ReadonlyMap<TreeChanges, readonly LogChunk[]>;

/** Rows encoded in one step: about a millisecond. */
const PIECE_ROWS = 2048;
/** Pieces that may wait to be compressed. */
const WAITING_MAX = 8;

/** Steps between which the event loop may turn; true: nothing can be done before it has, as it is waited for what is being compressed. */
export function* encodedAhead(changes: readonly TreeChanges[]): Generator<boolean, Encoded> {
  const encoded = new Map<TreeChanges, LogChunk[]>();
  let waiting = 0;
  let failure: unknown = null;
  for (const each of changes) {
    if (changedRows(each) <= PIECE_ROWS) continue;
    const chunks: LogChunk[] = [];
    encoded.set(each, chunks);
    let count = 0;
    for (const piece of treeInPieces(each, PIECE_ROWS)) {
      for (let at = 0; at < piece.length; at += FRAME_PAYLOAD_MAX) {
        const place = count++;
        waiting++;
        packChunk(piece.subarray(at, Math.min(piece.length, at + FRAME_PAYLOAD_MAX))).then(
          (chunk) => {
            chunks[place] = chunk;
            waiting--;
          },
          (error: unknown) => {
            failure ??= error;
            waiting--;
          },
        );
      }
      yield false;
      while (waiting > WAITING_MAX) yield true;
    }
  }
  while (waiting > 0) yield true;
  if (failure !== null) throw failure;
  return encoded;
}
