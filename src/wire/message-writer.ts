/**
 * Backend messages in one growing buffer. A message is begun with its type and ended, which fills in its length;
 * `take` gives all whole messages to be sent and starts anew.
 */
const INITIAL_BYTES = 4096;
/** Longer texts are encoded by Node's native writer, for which shorter ones are too small to pay. */
const SHORT = 32;

export class MessageWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #at = 0;
  /** Where the message that is begun has its length; -1 between messages. */
  #message = -1;

  get length(): number {
    return this.#at;
  }

  #room(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, at + count));
      this.#bytes.copy(bytes, 0, 0, at);
      this.#bytes = bytes;
    }
    this.#at = at + count;
    return at;
  }

  begin(type: number): void {
    const at = this.#room(5);
    this.#bytes[at] = type;
    this.#message = at + 1;
  }

  end(): void {
    this.#put32(this.#message, this.#at - this.#message);
    this.#message = -1;
  }

  /** Takes back a message that was begun and not ended: a value of it could not be written. */
  dropBegun(): void {
    if (this.#message < 0) return;
    this.#at = this.#message - 1;
    this.#message = -1;
  }

  /** A message without a body. */
  empty(type: number): void {
    const at = this.#room(5);
    const bytes = this.#bytes;
    bytes[at] = type;
    bytes[at + 1] = 0;
    bytes[at + 2] = 0;
    bytes[at + 3] = 0;
    bytes[at + 4] = 4;
  }

  byte(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  int16(value: number): void {
    const at = this.#room(2);
    this.#bytes[at] = value >> 8;
    this.#bytes[at + 1] = value;
  }

  int32(value: number): void {
    this.#put32(this.#room(4), value);
  }

  #put32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value >> 24;
    bytes[at + 1] = value >> 16;
    bytes[at + 2] = value >> 8;
    bytes[at + 3] = value;
  }

  bytes(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
  }

  /** Text and a zero byte; zeros inside are left out. */
  text(value: string): void {
    this.string(value.includes('\0') ? value.replaceAll('\0', '') : value);
    this.byte(0);
  }

  /** A value of a row: its length, then the text. */
  textValue(value: string): void {
    const length = this.#room(4);
    this.string(value);
    this.#put32(length, this.#at - length - 4);
  }

  /** A value of a row, written by what comes between this and `endValue`. */
  beginValue(): number {
    return this.#room(4);
  }

  endValue(mark: number): void {
    this.#put32(mark, this.#at - mark - 4);
  }

  bytesValue(value: Uint8Array): void {
    this.int32(value.length);
    this.bytes(value);
  }

  /** A whole number in decimal, as a value of a row. */
  wholeValue(value: number): void {
    if (value > 999_999_999 || value < 0) {
      this.textValue(String(value));
      return;
    }
    let digits = 1;
    for (let power = 10; value >= power; power *= 10) digits++;
    const at = this.#room(4 + digits);
    const bytes = this.#bytes;
    bytes[at] = 0;
    bytes[at + 1] = 0;
    bytes[at + 2] = 0;
    bytes[at + 3] = digits;
    let rest = value | 0;
    for (let i = at + 3 + digits; i > at + 3; i--) {
      const next = (rest / 10) | 0;
      bytes[i] = 48 + rest - next * 10;
      rest = next;
    }
  }

  /** UTF-8 without a length or an end. */
  string(value: string): void {
    const { length } = value;
    if (length <= SHORT) {
      const at = this.#room(length);
      const bytes = this.#bytes;
      let i = 0;
      for (; i < length; i++) {
        const code = value.charCodeAt(i);
        if (code > 127) break;
        bytes[at + i] = code;
      }
      if (i === length) return;
      this.#at = at;
    }
    // No character takes more than three bytes a UTF-16 unit.
    const at = this.#room(length * 3);
    this.#at = at + this.#bytes.utf8Write(value, at);
  }

  /** Takes messages back that were written since; none of them may have been taken. */
  rewind(length: number): void {
    this.#at = length;
  }

  /** What is to be sent, the caller's to keep. */
  take(): Buffer {
    const at = this.#at;
    this.#at = 0;
    if (at <= INITIAL_BYTES) {
      const copy = Buffer.allocUnsafe(at);
      this.#bytes.copy(copy, 0, 0, at);
      return copy;
    }
    const full = this.#bytes.subarray(0, at);
    this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return full;
  }
}
