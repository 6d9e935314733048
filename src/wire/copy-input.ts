/**
 * Input of COPY FROM STDIN, buffered until the statement reads it. Clients send a message per row or per few kilobytes: these
 * are combined in one of two buffers while the statement reads the other.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { MessageReader } from './message-reader.ts';
import { FRONTEND, WIRE_LIMITS } from './protocol.ts';

const BUFFER_BYTES = 64 * 1024;

export class CopyInput {
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** The buffer that the statement reads; refilled on its next read. */
  #other = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #bytes = 0;
  #ended = false;
  /** Raised at once. */
  #error: SvcError | null = null;
  /** Raised after the preceding data has been read. */
  #endError: SvcError | null = null;
  #wake: (() => void) | null = null;
  /** Called when there is space again. */
  readonly #more: () => void;

  constructor(more: () => void) {
    this.#more = more;
  }

  /** Backpressure: the client should not be read now. */
  get full(): boolean {
    return this.#bytes > WIRE_LIMITS.inputBytesWaiting;
  }

  get over(): boolean {
    return this.#ended || this.#error !== null;
  }

  get waits(): boolean {
    return this.#wake !== null;
  }

  /** Takes one message of the client. */
  take(type: number, message: MessageReader): void {
    switch (type) {
      case FRONTEND.copyData: {
        const count = message.left;
        const size = this.#bytes + count;
        if (size > this.#buffer.length) {
          const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, size));
          this.#buffer.copy(grown, 0, 0, this.#bytes);
          this.#buffer = grown;
        }
        message.copyTo(this.#buffer, this.#bytes, count);
        this.#bytes = size;
        break;
      }
      case FRONTEND.copyDone:
        this.#ended = true;
        break;
      case FRONTEND.copyFail:
        this.#endError = new SvcError('57014', `COPY from stdin failed: ${message.text()}`);
        this.#ended = true;
        break;
      case FRONTEND.flush:
      case FRONTEND.sync:
        // Some clients send them in any case.
        return;
      default:
        return this.fail(new SvcError('08P01', `unexpected message type 0x${type.toString(16).toUpperCase().padStart(2, '0')} during COPY from stdin`));
    }
    this.#woken();
  }

  fail(error: SvcError): void {
    this.#error ??= error;
    this.#woken();
  }

  #woken(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** A chunk is valid until the next call. */
  async next(): Promise<Uint8Array | null> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      if (this.#bytes > 0) {
        const buffer = this.#buffer;
        const chunk = buffer.subarray(0, this.#bytes);
        const wasFull = this.full;
        this.#buffer = this.#other;
        this.#other = buffer;
        this.#bytes = 0;
        if (wasFull) this.#more();
        return chunk;
      }
      if (this.#endError !== null) throw this.#endError;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
