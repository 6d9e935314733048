/** Rows to COPY's binary format: signature, flags, an empty extension, rows of fields behind their lengths, and -1. */
import { binarySender, type BinarySender } from '../formats/binary-send.ts';
import { BinaryWriter } from '../formats/binary-writer.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

export const BINARY_SIGNATURE: Buffer = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

export class BinaryCopyWriter {
  readonly #out = new BinaryWriter(1 << 16);
  readonly #senders: readonly BinarySender[];
  readonly #env: Environment;

  constructor(types: readonly SqlType[], env: Environment) {
    this.#senders = types.map(binarySender);
    this.#env = env;
    this.#out.raw(BINARY_SIGNATURE);
    this.#out.int32(0);
    this.#out.int32(0);
  }

  /** Bytes that wait; take them when they are many. */
  get size(): number {
    return this.#out.size;
  }

  row(values: readonly Value[]): void {
    const out = this.#out;
    out.int16(values.length);
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === null) {
        out.int32(-1);
        continue;
      }
      const at = out.beginLength();
      this.#senders[i](out, value, this.#env);
      out.endLength(at);
    }
  }

  /** The trailer; no row may follow. */
  finish(): void {
    this.#out.int16(-1);
  }

  /** All bytes so far; the writer starts anew behind them. */
  take(): Uint8Array {
    return this.#out.take();
  }
}
