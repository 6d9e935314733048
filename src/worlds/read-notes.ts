/** The read sets of worlds that check their reads: what statements add to, and what merges look at. Pending ones are appended each second and on demand. */
import type { Engine } from '../projection/engine.ts';
import type { PendingReads } from './pending-reads.ts';
import { ReadSet } from './read-set.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

const NOTE_MS = 1000;

export class ReadNotes {
  readonly #engine: Engine<State>;
  readonly #pending: PendingReads;
  readonly #timer: NodeJS.Timeout;

  constructor(engine: Engine<State>, pending: PendingReads) {
    this.#engine = engine;
    this.#pending = pending;
    this.#timer = setInterval(() => this.noteAll(), NOTE_MS);
    this.#timer.unref();
  }

  /** The set to add this world's reads to. */
  of(world: World): ReadSet {
    return this.#pending.of(this.#engine, world.number);
  }

  /** The world's read set, appended to the log; null if it read nothing. */
  known(world: World): ReadSet | null {
    this.#pending.note(this.#engine, world.number);
    const stored = this.#engine.state.reads.of(world.number);
    return stored === null ? null : ReadSet.from(stored);
  }

  noteAll(): void {
    if (this.#engine.failure !== null || this.#engine.outage.error !== null) return;
    this.#pending.noteAll(this.#engine);
  }

  close(): void {
    clearInterval(this.#timer);
    this.noteAll();
  }
}
