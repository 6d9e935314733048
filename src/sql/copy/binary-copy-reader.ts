/**
 * Rows from COPY's binary format (manual: COPY, Binary Format), from chunks of any size. At most one partial row is buffered between
 * chunks; only its field lengths are read again when more comes.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { binaryReceiver, type BinaryReceiver } from '../formats/binary-receive.ts';
import { BinaryReader } from '../formats/binary-reader.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { BINARY_SIGNATURE } from './binary-copy-writer.ts';
import { COPY_ROW_BYTES_MAX, rowTooLong } from './copy-limits.ts';
import { fieldContext, lineContext, withContext } from './copy-context.ts';

export interface BinaryCopyColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
}

export type BinaryCopySink = (values: Value[], line: number) => void;

const BLOCK_BYTES = 1 << 16;
const FLAG_OIDS = 1 << 16;

export class BinaryCopyReader {
  readonly #relation: string;
  readonly #columns: readonly BinaryCopyColumn[];
  readonly #receivers: readonly BinaryReceiver[];
  readonly #env: Environment;
  readonly #rowBytesMax: number;
  #bytes: Buffer = Buffer.allocUnsafe(1 << 16);
  #at = 0;
  #size = 0;
  #line = 0;
  #state: 'header' | 'rows' | 'ended' = 'header';

  constructor(relation: string, columns: readonly BinaryCopyColumn[], env: Environment, rowBytesMax: number = COPY_ROW_BYTES_MAX) {
    this.#rowBytesMax = rowBytesMax;
    this.#relation = relation;
    this.#columns = columns;
    this.#receivers = columns.map((column) => binaryReceiver(column.type));
    this.#env = env;
  }

  push(chunk: Uint8Array, sink: BinaryCopySink): void {
    for (let start = 0; start < chunk.length; start += BLOCK_BYTES) this.#block(chunk.subarray(start, start + BLOCK_BYTES), sink);
  }

  #block(bytes: Uint8Array, sink: BinaryCopySink): void {
    this.#take(bytes);
    if (this.#state === 'header' && this.#headerSize() <= this.#size) this.#readHeader();
    while (this.#state === 'rows' && this.#isRowHere()) this.#readRow(sink);
    if (this.#state === 'ended' && this.#at < this.#size) throw this.#failure('received copy data after EOF marker');
    if (this.#size - this.#at > this.#rowBytesMax) throw withContext(rowTooLong(this.#rowBytesMax), lineContext(this.#relation, this.#line + 1));
  }

  /** The input has ended. The trailer may be missing, but a row may not be incomplete. */
  end(sink: BinaryCopySink): void {
    if (this.#state === 'header') this.#readHeader();
    if (this.#state !== 'rows') return;
    this.#line++;
    if (this.#at === this.#size) return;
    this.#line--;
    this.#readRow(sink);
  }

  #take(chunk: Uint8Array): void {
    const kept = this.#size - this.#at;
    if (this.#at > 0) this.#bytes.copyWithin(0, this.#at, this.#size);
    if (kept + chunk.length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, kept + chunk.length));
      this.#bytes.copy(grown, 0, 0, kept);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, kept);
    this.#at = 0;
    this.#size = kept + chunk.length;
  }

  /** As far as it is known. */
  #headerSize(): number {
    const fixed = BINARY_SIGNATURE.length + 8;
    return this.#size < fixed ? fixed : fixed + Math.max(0, this.#bytes.readInt32BE(fixed - 4));
  }

  #readHeader(): void {
    const bytes = this.#bytes;
    const size = this.#size;
    const flagsAt = BINARY_SIGNATURE.length;
    if (size < flagsAt || !bytes.subarray(0, flagsAt).equals(BINARY_SIGNATURE)) throw new SvcError('22P04', 'COPY file signature not recognized');
    if (size < flagsAt + 4) throw new SvcError('22P04', 'invalid COPY file header (missing flags)');
    const flags = bytes.readInt32BE(flagsAt);
    if ((flags & FLAG_OIDS) !== 0) throw new SvcError('22P04', 'invalid COPY file header (WITH OIDS)');
    if (flags >>> 16 !== 0) throw new SvcError('22P04', 'unrecognized critical flags in COPY file header');
    if (size < flagsAt + 8 || bytes.readInt32BE(flagsAt + 4) < 0) throw new SvcError('22P04', 'invalid COPY file header (missing length)');
    const headerSize = this.#headerSize();
    if (size < headerSize) throw new SvcError('22P04', 'invalid COPY file header (wrong length)');
    this.#at = headerSize;
    this.#state = 'rows';
  }

  /** Whether the next row is complete, or invalid. */
  #isRowHere(): boolean {
    const bytes = this.#bytes;
    const size = this.#size;
    let at = this.#at + 2;
    if (at > size) return false;
    const count = bytes.readInt16BE(this.#at);
    if (count !== this.#columns.length) return true;
    for (let i = 0; i < count; i++) {
      if (at + 4 > size) return false;
      const length = bytes.readInt32BE(at);
      if (length < -1) return true;
      at += 4 + Math.max(0, length);
    }
    return at <= size;
  }

  #readRow(sink: BinaryCopySink): void {
    const bytes = this.#bytes;
    const size = this.#size;
    const line = ++this.#line;
    let at = this.#at;
    // An incomplete count is taken for the end, as in Postgres.
    const count = at + 2 <= size ? bytes.readInt16BE(at) : -1;
    at += 2;
    if (count === -1) {
      this.#at = Math.min(at, size);
      this.#state = 'ended';
      return;
    }
    if (count !== this.#columns.length) throw this.#failure(`row field count is ${count}, expected ${this.#columns.length}`);
    const values = new Array<Value>(count);
    for (let i = 0; i < count; i++) {
      if (at + 4 > size) throw this.#failure('unexpected EOF in COPY data', i);
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length === -1) {
        values[i] = null;
        continue;
      }
      if (length < 0) throw this.#failure('invalid field size', i);
      if (at + length > size) throw this.#failure('unexpected EOF in COPY data', i);
      values[i] = this.#receive(i, at, at + length);
      at += length;
    }
    this.#at = at;
    sink(values, line);
  }

  #receive(column: number, start: number, end: number): Value {
    const reader = new BinaryReader(this.#bytes, start, end);
    try {
      const value = this.#receivers[column](reader, this.#columns[column].typmod, this.#env);
      if (reader.remaining !== 0) throw new SvcError('22P03', 'incorrect binary data format');
      return value;
    } catch (error) {
      throw error instanceof SvcError ? withContext(error, fieldContext(this.#relation, this.#line, this.#columns[column].name)) : error;
    }
  }

  #failure(message: string, column?: number): SvcError {
    const where = column === undefined ? lineContext(this.#relation, this.#line) : fieldContext(this.#relation, this.#line, this.#columns[column].name);
    return withContext(new SvcError('22P04', message), where);
  }
}
