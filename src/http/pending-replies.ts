/**
 * Replies that clients have not read yet. Each is held whole until its client has read it, so their total is bounded: when
 * slow clients hold that much, further large replies are refused, small ones are not. A client that reads nothing of its
 * reply for a while is idle, and is disconnected.
 */
import type { ServerResponse } from 'node:http';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';

/** Shorter replies are not counted; connections are limited separately. */
const SMALL_LENGTH_MAX = 64 * 1024;

export class PendingReplies {
  readonly #lengthMax: number;
  readonly #idleMs: number;
  #length = 0;

  constructor(lengthMax: number = LIMITS.httpPendingReplyBytesMax, idleMs: number = LIMITS.httpIdleMs) {
    this.#lengthMax = lengthMax;
    this.#idleMs = idleMs;
  }

  /** Returns the text. 53200 if the total is exceeded; a single reply may have any length. */
  admit<Body extends string | Buffer>(response: ServerResponse, text: Body): Body {
    const { length } = text;
    // Sent bytes count as activity. A pipelined request may take its time.
    response.setTimeout(this.#idleMs, () => response.destroy());
    response.prependOnceListener('finish', () => response.socket?.setTimeout(0));
    if (length <= SMALL_LENGTH_MAX) return text;
    if (this.#length > 0 && this.#length + length > this.#lengthMax) {
      throw new SvcError('53200', 'out of memory', {
        detail: `Replies that clients have not read yet may take ${Math.floor(this.#lengthMax / (1 << 20))} MB, all of them together.`,
        hint: 'Try again later, or read it in parts.',
      });
    }
    this.#length += length;
    response.once('close', () => {
      this.#length -= length;
    });
    return text;
  }
}
