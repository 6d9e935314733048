/** Backend messages in one growing buffer. `begin` writes a message's type, `end` fills in its length; `take` returns all whole messages and starts over. */
import { BinaryWriter } from '../sql/formats/binary-writer.ts';
import { encodeLossy, encodeText } from '../sql/types/encodings.ts';

const INITIAL_BYTES = 4096;

export class MessageWriter extends BinaryWriter {
  /** Number of the encoding of texts; null: UTF-8. */
  encoding: number | null = null;
  /** In the current message, characters missing in the encoding are written as question marks instead of failing. */
  #lossy = false;
  /** Position of the current message's length; -1 between messages. */
  #message = -1;

  constructor() {
    super(INITIAL_BYTES);
  }

  /** A message has been begun. */
  get begun(): boolean {
    return this.#message >= 0;
  }

  /** `lossy`: characters missing in the encoding do not fail. */
  begin(type: number, lossy = false): void {
    this.#lossy = lossy;
    this.byte(type);
    this.#message = this.beginLength();
  }

  end(): void {
    this.endMessage(this.#message);
    this.#message = -1;
  }

  /** After an error within a message: drops it. */
  dropBegun(): void {
    if (this.#message >= 0) this.rewind(this.#message - 1);
    this.#message = -1;
  }

  /** A message without a body. */
  empty(type: number): void {
    this.byte(type);
    this.int32(4);
  }

  protected override bytesIn(value: string): number {
    return this.encoding === null ? super.bytesIn(value) : value.length * 4;
  }

  /** 22P05 for characters that the encoding does not have. */
  protected override encodeInto(bytes: Buffer, value: string, at: number): number {
    if (this.encoding === null) return bytes.utf8Write(value, at);
    return bytes.latin1Write(this.#lossy ? encodeLossy(value, this.encoding) : encodeText(value, this.encoding), at);
  }

  /** Text and a zero byte; zeros inside are omitted. */
  text(value: string): void {
    this.utf8(value.includes('\0') ? value.replaceAll('\0', '') : value);
    this.byte(0);
  }
}
