/**
 * Materialised rows, read any number of times: shared tables of WITH, the working table of a recursive query, the inner side of
 * nested loops. What exceeds the memory of one operator goes to a temporary file.
 */
import { BATCH_ROWS, type Batch, type Batches } from './batch.ts';
import type { SpillFile } from './context.ts';
import type { Run } from './run.ts';
import { batchBytes, SpillCodec } from './spill-codec.ts';

/** Smaller batches are combined before they are written. */
const WRITE_ROWS_MIN = BATCH_ROWS / 2;
/** Unless their rows are large: writing them blocks the loop. */
const WRITE_BYTES_MIN = 1 << 20;

export class KeptRows {
  count = 0;
  readonly #run: Run;
  readonly #width: number;
  readonly #batches: Batch[] = [];
  #bytes = 0;
  #file: SpillFile | null = null;
  #codec: SpillCodec | null = null;
  #waiting: Batch | null = null;
  #waitingBytes = 0;
  /** The file offsets of the batches, and the end of the last one. */
  readonly #places: number[] = [0];

  constructor(run: Run, width: number) {
    this.#run = run;
    this.#width = width;
  }

  /** Takes ownership of the batch. */
  add(batch: Batch): void {
    if (batch.count === 0) return;
    this.count += batch.count;
    if (this.#file !== null) {
      this.#spill(batch);
      return;
    }
    this.#batches.push(batch);
    const bytes = batchBytes(batch);
    this.#bytes += bytes;
    this.#run.hold(bytes);
    const { spill, workMemBytes } = this.#run.context;
    if (this.#bytes <= workMemBytes || spill === null) return;
    this.#file = spill();
    this.#codec = new SpillCodec();
    this.#run.closers.push(() => this.close());
  }

  #spill(batch: Batch): void {
    let whole = batch;
    if (this.#waiting !== null) {
      whole = this.#waiting;
      for (let c = 0; c < whole.columns.length; c++) for (let i = 0; i < batch.count; i++) whole.columns[c].push(batch.columns[c][i]);
      whole.count += batch.count;
    }
    this.#waitingBytes += batchBytes(batch);
    if (whole.count < WRITE_ROWS_MIN && this.#waitingBytes < WRITE_BYTES_MIN) {
      // It grows, and the batch may be read elsewhere.
      this.#waiting = whole === batch ? { count: batch.count, columns: batch.columns.map((column) => column.slice(0, batch.count)) } : whole;
      return;
    }
    this.#waiting = null;
    this.#waitingBytes = 0;
    const bytes = new Uint8Array(this.#codec!.encode(whole));
    this.#file!.write(bytes);
    this.#places.push(this.#places[this.#places.length - 1] + bytes.length);
  }

  /** Its rows as one batch, if they are in memory as one; null otherwise. Read-only. */
  get single(): Batch | null {
    if (this.#file !== null) return null;
    return this.#batches.length === 1 ? this.#batches[0] : null;
  }

  *open(): Batches {
    yield* this.#batches;
    for (let i = 1; i < this.#places.length; i++) {
      const from = this.#places[i - 1] + 4;
      const bytes = this.#file!.read(from, this.#places[i] - from);
      yield this.#codec!.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), this.#width);
    }
    if (this.#waiting !== null) yield this.#waiting;
  }

  /** Releases its memory and file. */
  close(): void {
    this.#run.release(this.#bytes);
    this.#bytes = 0;
    this.#batches.length = 0;
    if (this.#file !== null) {
      this.#file.close();
      this.#file = null;
      this.#places.length = 1;
      this.#waiting = null;
    }
    this.count = 0;
  }
}
