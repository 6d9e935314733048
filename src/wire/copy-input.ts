/** The client's side of COPY FROM STDIN: chunks wait here until the statement takes them. */
import { SvcError } from '../base/errors/svc-error.ts';
import type { MessageReader } from './message-reader.ts';
import { FRONTEND, WIRE_LIMITS } from './protocol.ts';

export class CopyInput {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #error: SvcError | null = null;
  #wake: (() => void) | null = null;
  /** Called when there is room again. */
  readonly #more: () => void;

  constructor(more: () => void) {
    this.#more = more;
  }

  /** Nothing more should be read from the client now. */
  get full(): boolean {
    return this.#bytes > WIRE_LIMITS.inputBytesWaiting;
  }

  get over(): boolean {
    return this.#ended || this.#error !== null;
  }

  get waits(): boolean {
    return this.#wake !== null;
  }

  /** One message of the client. */
  take(type: number, message: MessageReader): void {
    switch (type) {
      case FRONTEND.copyData: {
        const bytes = Buffer.from(message.bytesOf(message.left));
        if (bytes.length > 0) this.#chunks.push(bytes);
        this.#bytes += bytes.length;
        break;
      }
      case FRONTEND.copyDone:
        this.#ended = true;
        break;
      case FRONTEND.copyFail:
        return this.fail(new SvcError('57014', `COPY from stdin failed: ${message.text()}`));
      case FRONTEND.flush:
      case FRONTEND.sync:
        // For clients that send them whatever they do.
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

  async next(): Promise<Uint8Array | null> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      if (this.#bytes > 0) {
        // Clients send a message a row: together they are read faster.
        const chunk = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks, this.#bytes);
        const wasFull = this.full;
        this.#chunks = [];
        this.#bytes = 0;
        if (wasFull) this.#more();
        return chunk;
      }
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
