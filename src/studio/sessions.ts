/**
 * Sessions of signed-in roles. A session ends when its person signs out, after 30 minutes without a request, after 12 hours, or when its
 * role is gone (`roles.ts`). In memory only: a restart signs everyone out.
 *
 * An id is 256 random bits; only its hash is kept, so that a dump of the process's memory opens no session.
 */
import { createHash, randomBytes } from 'node:crypto';
import { LIMITS } from '../base/limits.ts';

export interface StudioSession {
  /** Of the role; names are used again. */
  readonly oid: number;
  readonly role: string;
  readonly begunMs: number;
  usedMs: number;
}

export class Sessions {
  readonly #byHash = new Map<string, StudioSession>();
  readonly #nowMs: () => number;

  /** `nowMs`: a clock that does not go back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The id of a new session. */
  begin(oid: number, role: string): string {
    this.#sweep();
    const id = randomBytes(32).toString('base64url');
    const nowMs = this.#nowMs();
    this.#byHash.set(hashOf(id), { oid, role, begunMs: nowMs, usedMs: nowMs });
    return id;
  }

  /** The session, if it has not ended. `background`: requests that no person made do not keep it alive. */
  use(id: string, background: boolean): StudioSession | null {
    const session = this.#byHash.get(hashOf(id));
    if (session === undefined) return null;
    if (this.#isOver(session)) {
      this.end(id);
      return null;
    }
    if (!background) session.usedMs = this.#nowMs();
    return session;
  }

  end(id: string): void {
    this.#byHash.delete(hashOf(id));
  }

  get count(): number {
    return this.#byHash.size;
  }

  #isOver({ begunMs, usedMs }: StudioSession): boolean {
    const nowMs = this.#nowMs();
    return nowMs - usedMs >= LIMITS.studioIdleMs || nowMs - begunMs >= LIMITS.studioSessionMs;
  }

  /** The oldest go first where there are too many. */
  #sweep(): void {
    for (const [hash, session] of this.#byHash) if (this.#isOver(session)) this.#byHash.delete(hash);
    for (const hash of this.#byHash.keys()) {
      if (this.#byHash.size < LIMITS.studioSessionsMax) break;
      this.#byHash.delete(hash);
    }
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64');
}
