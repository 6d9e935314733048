/**
 * The size of the batch that a pipeline is filling, in bytes of its variable-length values: texts, lists, rows. A batch of large
 * values is handed on at once and the next ones are shorter, so that at most a few megabytes and one row are buffered, for rows of
 * any size. A row that no client could receive is refused before it is materialised: concatenated and repeated texts take no
 * memory until they are read.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlType } from '../types/type.ts';
import type { Batch } from './batch.ts';
import type { Pace } from './pace.ts';
import { statementTooLarge } from './process-memory.ts';
import { valueBytes } from './spill-codec.ts';

/** A batch of this size is handed on even if it has few rows. */
const LARGE_BYTES = 1 << 20;
/** The limit of Postgres's messages and values. */
const ROW_BYTES_MAX = 0x3fffffff;

/** Whether values of the type may be large. */
export function mayBeLarge(type: SqlType): boolean {
  return type.length < 0 && type.name !== 'numeric';
}

/** A batch's only row: 54000 and 53200 if no client could receive it. */
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

  /** `columns`: the variable-length ones; `most`: the memory limit of the statement. */
  constructor(columns: readonly number[], most: number) {
    this.#columns = columns;
    this.#most = most;
  }

  /** Of all rows since the last batch. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Measures new rows; true if the batch should be handed on. 53200, 54000. */
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
