/**
 * The event log in memory, for databases without a folder and for tests: the same frames without files. Records are durable as long as the process lives,
 * so `sync` never waits.
 */
import { randomBytes } from 'node:crypto';
import { assert, violated } from '../base/assert.ts';
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { encodeRecord } from './format.ts';
import type { LogAppend, LogPosition, LogRecord, LogStore } from './log-store.ts';
import { MerkleTree } from './merkle.ts';
import { recordAt } from './record-reader.ts';

const SEGMENT = 1 as Sequence;

export class MemoryLog implements LogStore {
  readonly folderId = randomBytes(16).toString('hex');
  readonly failure = null;
  /** Frames of the records from `first` on, and the offset of each as if in one segment. */
  #frames: Buffer[] = [];
  #starts: number[] = [];
  #first = 1 as Sequence;
  #endBytes = 0;
  #closed = false;
  readonly #tree = new MerkleTree();
  readonly #scratch = {
    buffer: Buffer.allocUnsafe(64 * 1024),
    need(bytes: number): void {
      if (bytes <= this.buffer.length) return;
      const grown = Buffer.allocUnsafe(Math.max(bytes, this.buffer.length * 2));
      this.buffer.copy(grown);
      this.buffer = grown;
    },
  };

  get head(): Sequence {
    return (this.#first + this.#frames.length - 1) as Sequence;
  }

  get durable(): Sequence {
    return this.head;
  }

  get first(): Sequence {
    return this.#first;
  }

  get sizeBytes(): number {
    return this.#endBytes - (this.#starts[0] ?? this.#endBytes);
  }

  get end(): LogPosition {
    return { segment: SEGMENT, offset: this.#endBytes };
  }

  append(record: LogAppend): Sequence {
    if (this.#closed) throw new SvcError('57P01', 'the log is closed');
    const sequence = (this.head + 1) as Sequence;
    const length = encodeRecord(this.#scratch, 0, sequence, this.head, record, record.payload);
    const frames = Buffer.from(this.#scratch.buffer.subarray(0, length));
    this.#tree.appendRecord(frames);
    this.#frames.push(frames);
    this.#starts.push(this.#endBytes);
    this.#endBytes += length;
    return sequence;
  }

  start(): void {}

  async sync(sequence: Sequence): Promise<void> {
    assert(sequence <= this.head, `sequence ${sequence} has been appended`);
  }

  *read(from: Sequence): IterableIterator<LogRecord> {
    // By sequence, not by index: a trim during the read moves the indexes.
    for (let next = Math.max(from, this.#first); next <= this.head; next++) yield this.#record(next - this.#first);
  }

  #record(index: number): LogRecord {
    const found = recordAt(this.#frames[index], 0, { segment: SEGMENT, offset: this.#starts[index] }, null);
    return found?.record ?? violated(`the frames of record ${this.#first + index} are whole`);
  }

  async hashed(): Promise<void> {}

  treeHead(): { size: number; root: string } {
    return { size: this.#tree.size, root: this.#tree.root() };
  }

  async verify(): Promise<{ records: number; bytes: number }> {
    for (let i = 0; i < this.#frames.length; i++) this.#record(i);
    return { records: this.#frames.length, bytes: this.sizeBytes };
  }

  bytesBefore({ offset }: LogPosition): number {
    return Math.max(0, offset - (this.#starts[0] ?? this.#endBytes));
  }

  bytesAfter(sequence: Sequence): number {
    return this.#endBytes - (this.#starts[Math.max(0, sequence + 1 - this.#first)] ?? this.#endBytes);
  }

  async trim(sequence: Sequence): Promise<void> {
    const count = Math.min(this.#frames.length, Math.max(0, sequence + 1 - this.#first));
    this.#frames = this.#frames.slice(count);
    this.#starts = this.#starts.slice(count);
    this.#first = (this.#first + count) as Sequence;
  }

  /** Memory does not fail. */
  onFailure(): () => void {
    return () => {};
  }

  async repair(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed = true;
  }
}
