/** Changes of a large commit as chunks of its record, encoded some rows at a time and compressed in worker threads before the commit is decided. */
import { treeInPieces, type TreeChanges } from '../events/changes.ts';
import { changedRows } from '../events/changed-rows.ts';
import { FRAME_PAYLOAD_MAX, packChunk } from '../log/format.ts';
import type { LogChunk } from '../log/log-store.ts';

/** Payload chunks by the changes in them. */
export type Encoded = ReadonlyMap<TreeChanges, readonly LogChunk[]>;

/** Rows encoded per step: about a millisecond. */
const PIECE_ROWS = 2048;
/** Chunks that may wait for compression. */
const WAITING_MAX = 8;

/** Yields between steps; true: nothing more can be done until a pending compression finishes. */
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
