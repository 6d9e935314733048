/**
 * The memory of results that are held as a whole, of all sessions together: those of the operation `sql`, which become one reply, and rows that are
 * not handed out before their statement is done. Portals of the wire protocol hold none.
 */
import { getHeapStatistics } from 'node:v8';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Batch } from '../exec/batch.ts';
import { batchBytes } from '../exec/spill-codec.ts';

/** Statements that run need the other half. */
const ALL_BYTES_MAX = getHeapStatistics().heap_size_limit / 2;
/** Of a row as an array, as an object of the reply, and of a place in both with its name in the reply's text. The values come twice: as they are, and in the text. */
const ROW_BYTES = 100;
const CELL_BYTES = 40;

let allBytes = 0;

export class ResultMemory {
  #bytes = 0;

  /** 53200 where the process holds too much. */
  hold(batch: Batch): void {
    const bytes = 2 * batchBytes(batch) + batch.count * (ROW_BYTES + CELL_BYTES * batch.columns.length);
    this.#bytes += bytes;
    allBytes += bytes;
    if (allBytes <= ALL_BYTES_MAX) return;
    throw new SvcError('53200', 'out of memory', {
      detail: `Results that are held as a whole may take ${Math.floor(ALL_BYTES_MAX / (1 << 20))} MB, all of them together.`,
      hint: 'Read it in parts, with LIMIT and a condition on the key, or over the wire protocol, which sends rows as they are found.',
    });
  }

  /** What another one holds is held by this one from here on. */
  take(other: ResultMemory): void {
    this.#bytes += other.#bytes;
    other.#bytes = 0;
  }

  release(): void {
    allBytes -= this.#bytes;
    this.#bytes = 0;
  }
}
