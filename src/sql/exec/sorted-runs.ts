/**
 * External sort: sorted runs in temporary files, merged at the end. One batch of each run is in memory at a time; equal rows come
 * from the earlier run first, so the sort stays stable.
 */
import { compareNullable } from './compare-nullable.ts';
import { BATCH_ROWS, emptyBatch, YIELD, type Batch, type Batches, type Steps } from './batch.ts';
import type { SpillFile } from './context.ts';
import type { Run } from './run.ts';
import type { SortKey } from './sort.ts';
import { SpillCodec, valueBytes } from './spill-codec.ts';

const READ_BYTES_MAX = 1 << 26;
/** Batches of large rows are shorter: writing one blocks the event loop, and one of each run is in memory during the merge. */
const BATCH_BYTES = 1 << 18;

class SortedRun {
  readonly #file: SpillFile;
  readonly #codec: SpillCodec;
  readonly #width: number;
  #position = 0;
  batch: Batch | null = null;
  row = 0;
  /** Of the batch, on average. */
  rowBytes = 0;

  constructor(file: SpillFile, codec: SpillCodec, width: number) {
    this.#file = file;
    this.#codec = codec;
    this.#width = width;
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    if (this.batch !== null && ++this.row < this.batch.count) return true;
    const head = this.#file.read(this.#position, 4);
    if (head.length < 4) {
      this.batch = null;
      return false;
    }
    const length = Buffer.from(head.buffer, head.byteOffset, 4).readUInt32LE(0);
    if (length > READ_BYTES_MAX * 16) throw new Error(`a spilled batch of ${length} bytes`);
    const bytes = this.#file.read(this.#position + 4, length);
    this.#position += 4 + length;
    this.batch = this.#codec.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), this.#width);
    this.row = 0;
    this.rowBytes = length / this.batch.count;
    return true;
  }
}

export class SortedRuns {
  readonly #run: Run;
  readonly #codec = new SpillCodec();
  readonly #keys: readonly SortKey[];
  readonly #keyAt: readonly number[];
  readonly #width: number;
  readonly #runs: SortedRun[] = [];

  /** `keyAt`: columns of the rows that hold the keys. */
  constructor(run: Run, keys: readonly SortKey[], keyAt: readonly number[], width: number) {
    this.#run = run;
    this.#keys = keys;
    this.#keyAt = keyAt;
    this.#width = width;
  }

  get count(): number {
    return this.#runs.length;
  }

  /** Writes the rows in the order given. */
  *add(rows: Batch, order: Uint32Array): Steps {
    const file = this.#run.context.spill!();
    this.#run.closers.push(() => file.close());
    for (let from = 0; from < order.length;) {
      const to = endOfBatch(rows, order, from);
      const columns = rows.columns.map((column) => Array.from(order.subarray(from, to), (i) => column[i]));
      file.write(new Uint8Array(this.#codec.encode({ count: to - from, columns })));
      from = to;
      if (this.#run.late()) yield YIELD;
    }
    this.#runs.push(new SortedRun(file, this.#codec, this.#width));
  }

  /** The first `width` columns of all rows in order. */
  *merge(width: number, wanted: number): Batches {
    const open = this.#runs.filter((one) => one.next());
    let out = emptyBatch(width);
    let left = wanted;
    let bytes = 0;
    while (open.length > 0 && left > 0) {
      let least = 0;
      for (let i = 1; i < open.length; i++) if (this.#compare(open[i], open[least]) < 0) least = i;
      const { batch, row } = open[least];
      for (let c = 0; c < width; c++) out.columns[c].push(batch!.columns[c][row]);
      left--;
      bytes += open[least].rowBytes;
      if (++out.count === BATCH_ROWS || bytes >= BATCH_BYTES) {
        yield out;
        out = emptyBatch(width);
        bytes = 0;
        if (this.#run.late()) yield YIELD;
      }
      if (!open[least].next()) open.splice(least, 1);
    }
    if (out.count > 0) yield out;
  }

  #compare(a: SortedRun, b: SortedRun): number {
    for (let k = 0; k < this.#keys.length; k++) {
      const { type, descending, nullsFirst } = this.#keys[k];
      const at = this.#keyAt[k];
      const d = compareNullable(type, a.batch!.columns[at][a.row], b.batch!.columns[at][b.row], descending, nullsFirst);
      if (d !== 0) return d;
    }
    return 0;
  }
}

/** The end of the batch that starts at row `from` of the order; it has at least one row. */
function endOfBatch({ columns }: Batch, order: Uint32Array, from: number): number {
  const most = Math.min(order.length, from + BATCH_ROWS);
  let bytes = 0;
  let to = from;
  while (to < most && bytes < BATCH_BYTES) {
    for (let c = 0; c < columns.length; c++) bytes += valueBytes(columns[c][order[to]]);
    to++;
  }
  return to;
}
