/**
 * Pending read sets of worlds that check their reads. They are kept in memory and appended to the log before the next event
 * of their world, each second, and on demand: nothing based on a read is in the log without it.
 */
import type { WorldNumber } from '../base/brands.ts';
import type { Context } from './context.ts';
import { ReadSet } from './read-set.ts';
import type { World } from './world.ts';

const NOTE_MS = 1000;

export class ReadNotes {
  readonly #context: Context;
  readonly #sets = new Map<WorldNumber, ReadSet>();
  readonly #timer: NodeJS.Timeout;
  #noting = false;

  constructor(context: Context) {
    this.#context = context;
    context.engine.onCommit = (world) => this.#before(world);
    this.#timer = setInterval(() => this.noteAll(), NOTE_MS);
    this.#timer.unref();
  }

  /** The set to add this world's reads to. */
  of(world: World): ReadSet {
    let set = this.#sets.get(world.number);
    if (set === undefined) {
      set = ReadSet.from(this.#context.engine.state.reads.of(world.number) ?? {});
      this.#sets.set(world.number, set);
    }
    return set;
  }

  /** The world's read set, appended to the log; null if it read nothing. */
  known(world: World): ReadSet | null {
    this.#note(world.number);
    const stored = this.#context.engine.state.reads.of(world.number);
    return stored === null ? null : ReadSet.from(stored);
  }

  noteAll(): void {
    if (this.#context.engine.failure !== null || this.#context.engine.outage.error !== null) return;
    for (const number of this.#sets.keys()) this.#note(number);
    this.#sets.clear();
  }

  #before(world: WorldNumber): void {
    if (this.#sets.size > 0 && !this.#noting) this.#note(world);
  }

  #note(number: WorldNumber): void {
    const set = this.#sets.get(number);
    if (set === undefined || !set.takeGrown()) return;
    const world = this.#context.worlds.byNumber(number);
    if (world === null) return;
    this.#noting = true;
    try {
      this.#context.engine.commit({ type: 'readsRecorded', reads: set.stored() }, number, world.owner ?? '');
    } finally {
      this.#noting = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.noteAll();
  }
}
