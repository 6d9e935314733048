/**
 * Read sets of worlds that check their reads, as far as they are not in the log yet. A world's set is appended before the next event of the world, so
 * nothing based on a read is in the log without it.
 */
import type { WorldNumber } from '../base/brands.ts';
import type { CommitScope } from '../projection/engine-options.ts';
import { ReadSet } from './read-set.ts';
import type { State } from './state.ts';

export class PendingReads {
  readonly #sets = new Map<WorldNumber, ReadSet>();
  /** Its own event is being committed. */
  #noting = false;

  /** The set to add this world's reads to. */
  of({ state }: CommitScope<State>, world: WorldNumber): ReadSet {
    let set = this.#sets.get(world);
    if (set === undefined) {
      set = ReadSet.from(state.reads.of(world) ?? {});
      this.#sets.set(world, set);
    }
    return set;
  }

  /** Before an event of the world. */
  beforeCommit(engine: CommitScope<State>, world: WorldNumber): void {
    if (this.#sets.size > 0 && !this.#noting) this.note(engine, world);
  }

  /** Appends the world's set, if it has grown. */
  note(engine: CommitScope<State>, number: WorldNumber): void {
    const set = this.#sets.get(number);
    if (set === undefined || !set.takeGrown()) return;
    const world = engine.state.worlds.byNumber(number);
    if (world === null) return;
    this.#noting = true;
    try {
      engine.commit({ type: 'readsRecorded', reads: set.stored() }, number, world.owner ?? '');
    } finally {
      this.#noting = false;
    }
  }

  noteAll(engine: CommitScope<State>): void {
    for (const number of this.#sets.keys()) this.note(engine, number);
    this.#sets.clear();
  }
}
