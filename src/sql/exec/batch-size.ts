/**
 * How large the batch is that a pipeline is filling, in bytes of its values of no fixed size: texts, lists, rows. A batch of large values is handed on
 * at once and the next pieces are shorter, so that what waits for its reader stays within a few megabytes and one row, whatever a row is. What no
 * reader could be given is refused before it is put together: texts that were repeated or joined take no room before somebody reads them.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlType } from '../types/type.ts';
import type { Batch } from './batch.ts';
import type { Pace } from './pace.ts';
import { statementTooLarge } from './process-memory.ts';
import { valueBytes } from './spill-codec.ts';

/** What is handed on though it is of few rows. */
const LARGE_BYTES = 1 << 20;
/** As Postgres's messages and values. */
const ROW_BYTES_MAX = 0x3fffffff;

/** Whether values of the type may be large. */
export function mayBeLarge(type: SqlType): boolean {
  return type.length < 0 && type.name !== 'numeric';
}

/** The only row of a batch: 54000 and 53200 where nobody could be given it. */
export function refuseLargeRow({ columns }: Batch, varying: readonly number[], most: number): void {
  let bytes = 0;
  for (let k = 0; k < varying.length; k++) {
    const value = columns[varying[k]][0];
    if (typeof value === 'string') bytes += value.length;
  }
  if (bytes > ROW_BYTES_MAX) throw rowTooLarge(bytes);
  if (bytes > most) throw statementTooLarge(most);
}

function rowTooLarge(bytes: number): SvcError {
  return new SvcError('54000', 'row is too large', {
    detail: `A row of ${bytes} bytes was made; rows may have ${ROW_BYTES_MAX}.`,
    hint: 'Read it in parts, for example with substr.',
  });
}

export class BatchSize {
  readonly #columns: readonly number[];
  readonly #most: number;
  #rows = 0;
  #bytes = 0;

  /** `columns`: those that may be large; `most`: what the statement may hold. */
  constructor(columns: readonly number[], most: number) {
    this.#columns = columns;
    this.#most = most;
  }

  /** Of all rows since the batch was handed on. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Looks at rows that have come since; whether they should be handed on. 53200, 54000. */
  isLarge(batch: Batch, pace: Pace): boolean {
    const from = this.#rows;
    const to = batch.count;
    if (to === from) return false;
    const { columns } = batch;
    let bytes = 0;
    for (let k = 0; k < this.#columns.length; k++) {
      const column = columns[this.#columns[k]];
      for (let i = from; i < to; i++) {
        const value = column[i];
        if (typeof value === 'string') bytes += value.length;
        else if (value !== null && typeof value === 'object') bytes += valueBytes(value);
      }
    }
    this.#rows = to;
    this.#bytes += bytes;
    if (bytes > ROW_BYTES_MAX) this.#refuseRow(batch, from);
    if (this.#bytes > this.#most) throw statementTooLarge(this.#most);
    pace.limit(Math.floor(LARGE_BYTES / (bytes / (to - from) + 1)));
    return this.#bytes >= LARGE_BYTES;
  }

  /** The batch was handed on. */
  clear(): void {
    this.#rows = 0;
    this.#bytes = 0;
  }

  #refuseRow({ columns, count }: Batch, from: number): void {
    for (let i = from; i < count; i++) {
      let bytes = 0;
      for (const k of this.#columns) bytes += valueBytes(columns[k][i]);
      if (bytes > ROW_BYTES_MAX) throw rowTooLarge(bytes);
    }
  }
}
