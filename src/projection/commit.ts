/**
 * Commits: an event is appended to the log and folded, in one tick.
 *
 *   hooks ─► encode ─► log.append ─► apply of every projection ─► counted towards the next checkpoint
 *                          │
 *                          └─► sync(sequence), shared by all commits of that time
 *
 * The caller decided in this same tick. A call that read the effect waits for its sync before it replies, so nothing is acknowledged that a crash could
 * undo. The path of every write: it makes no promise and allocates only the event's bytes and its envelope.
 */
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { encodedInParts, encodeEvent, EVENT_TYPES, versionOf } from '../events/codec.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { Committed } from '../events/types/committed.ts';
import type { Merged } from '../events/types/merged.ts';
import { FRAME_PAYLOAD_MAX, payloadLength } from '../log/format.ts';
import type { LogChunk, LogPayload, LogStore } from '../log/log-store.ts';
import type { Availability } from './availability.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { Encoded } from './encoded.ts';
import type { CommitScope, EngineHooks } from './engine-options.ts';
import type { EventTimes } from './event-times.ts';
import type { Projection } from './projection.ts';
import type { ProjectionSet } from './projection-set.ts';

export interface CommitterParts<P extends Record<string, Projection>> {
  log: LogStore;
  projections: ProjectionSet<P>;
  times: EventTimes;
  availability: Availability;
  checkpointer: Checkpointer;
  hooks: EngineHooks<P>;
  /** What the hooks are given. */
  engine: CommitScope<P>;
}

export class Committer<P extends Record<string, Projection>> {
  readonly #log: LogStore;
  readonly #projections: ProjectionSet<P>;
  readonly #times: EventTimes;
  readonly #availability: Availability;
  readonly #checkpointer: Checkpointer;
  readonly #hooks: EngineHooks<P>;
  readonly #engine: CommitScope<P>;

  constructor({ log, projections, times, availability, checkpointer, hooks, engine }: CommitterParts<P>) {
    this.#log = log;
    this.#projections = projections;
    this.#times = times;
    this.#availability = availability;
    this.#checkpointer = checkpointer;
    this.#hooks = hooks;
    this.#engine = engine;
  }

  /** `encoded`: changes of a large commit, encoded in advance. `locksChecked`: for the hooks. */
  commit(event: Event, world: WorldNumber, actor: string, encoded: Encoded | null, locksChecked: boolean): Envelope {
    this.#availability.check();
    this.#hooks.beforeCommit(this.#engine, event.type === 'merged' ? event.branch : world);
    this.#hooks.beforeAppend(this.#engine, event, world, locksChecked);
    const at = this.#times.next();
    const payload = encoded === null || (event.type !== 'committed' && event.type !== 'merged') ? encodeEvent(event) : assembled(event, encoded);
    const number = event.type === 'forked' || event.type === 'worldKept' ? ((this.#log.head + 1) as number as WorldNumber) : world;
    const sequence = this.#log.append({ type: EVENT_TYPES[event.type], version: versionOf(event), at, world: number, actor, payload });
    this.#times.last = at;
    this.#log.start();
    const envelope: Envelope = { sequence, at, world: number, actor };
    try {
      this.#projections.apply(event, envelope);
    } catch (cause) {
      this.#refuse(cause, sequence);
    }
    this.#checkpointer.committed(sequence, payloadLength(payload));
    return envelope;
  }

  /** An event that is in the log could not be folded. */
  #refuse(cause: unknown, sequence: Sequence): never {
    if (this.#availability.isRerun(cause)) {
      // The event is in the log, and the state being rebuilt from it will have it.
      throw new SvcError('40003', `the page cache turned out damaged while event ${sequence} was written; it is rebuilt from the log`, {
        hint: 'Look whether the change is there before you repeat it.',
      });
    }
    this.#availability.fail(
      new SvcError('XX000', `event ${sequence} could not be applied: ${(cause as Error).message}`, {
        cause,
        hint: 'Restart the server; the log holds everything that was acknowledged.',
      }),
    );
    throw cause;
  }
}

/** The event's payload, with the changes that were encoded in advance. */
function assembled(event: Committed | Merged, encoded: Encoded): LogPayload {
  const chunks: LogChunk[] = [];
  for (const part of encodedInParts(event, (changes) => encoded.has(changes))) {
    if (!(part instanceof Uint8Array)) {
      for (const chunk of encoded.get(part)!) chunks.push(chunk);
      continue;
    }
    for (let at = 0; at < part.length; at += FRAME_PAYLOAD_MAX) {
      const bytes = part.subarray(at, Math.min(part.length, at + FRAME_PAYLOAD_MAX));
      chunks.push({ bytes, length: bytes.length, compressed: false });
    }
  }
  return chunks;
}
