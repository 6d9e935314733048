/**
 * Replies that clients have not taken yet. Each is held as a whole until its client has read it, so what all of them take is bounded: where slow
 * clients hold that much, further large replies are refused, and small ones go on. Who takes nothing of his for a while is idle, and is
 * not waited for.
 */
import type { ServerResponse } from 'node:http';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';

/** Less than this is not counted: connections, too, have their limit. */
const SMALL_LENGTH_MAX = 64 * 1024;

export class PendingReplies {
  readonly #lengthMax: number;
  readonly #idleMs: number;
  #length = 0;

  constructor(lengthMax: number = LIMITS.httpPendingReplyBytesMax, idleMs: number = LIMITS.httpIdleMs) {
    this.#lengthMax = lengthMax;
    this.#idleMs = idleMs;
  }

  /** Gives the text back. 53200 where it is one too many; a single one is taken at any length. */
  admit<Body extends string | Buffer>(response: ServerResponse, text: Body): Body {
    const { length } = text;
    // Bytes that leave count as something done. A request that came behind this one may take its time.
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
