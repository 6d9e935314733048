/** Rows to COPY's binary format: signature, flags, an empty extension, rows of length-prefixed fields, and -1. */
import { binarySender, type BinarySender } from '../formats/binary-send.ts';
import type { BinaryWriter } from '../formats/binary-writer.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

export const BINARY_SIGNATURE: Buffer = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

export class BinaryCopyWriter {
  readonly #senders: readonly BinarySender[];
  readonly #env: Environment;

  constructor(types: readonly SqlType[], env: Environment) {
    this.#senders = types.map(binarySender);
    this.#env = env;
  }

  start(out: BinaryWriter): void {
    out.bytes(BINARY_SIGNATURE);
    out.int32(0);
    out.int32(0);
  }

  row(out: BinaryWriter, columns: readonly (readonly Value[])[], row: number): void {
    const { length } = this.#senders;
    out.int16(length);
    for (let c = 0; c < length; c++) {
      const value = columns[c][row];
      if (value === null) {
        out.int32(-1);
        continue;
      }
      const at = out.beginLength();
      this.#senders[c](out, value, this.#env);
      out.endLength(at);
    }
  }

  /** The trailer; no row may follow. */
  finish(out: BinaryWriter): void {
    out.int16(-1);
  }
}
