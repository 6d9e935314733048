/** What was done in each world since it was opened or reset, for pg_stat_database. Nothing is stored: a restart begins at 0. */
import type { DatabaseActivity } from '../types/environment.ts';
import type { Context } from '../../worlds/context.ts';
import { UNIX_EPOCH_MICROS } from '../types/time/calendar.ts';

export type Counters = { -readonly [name in keyof DatabaseActivity]: DatabaseActivity[name] };

/** Ended worlds are searched for when there are this many counters, and again when these have doubled: the list of open worlds may be long. */
const PRUNED_MIN = 200;

function none(): Counters {
  return { commits: 0, rollbacks: 0, inserted: 0, updated: 0, deleted: 0, deadlocks: 0, temporaryFiles: 0, resetAt: null };
}

export class WorldActivity {
  readonly #worlds: Context['state']['worlds'];
  readonly #byWorld = new Map<number, Counters>();
  #pruneSize = PRUNED_MIN;

  constructor({ state }: Context) {
    this.#worlds = state.worlds;
  }

  of(world: number): Counters {
    let counters = this.#byWorld.get(world);
    if (counters === undefined) {
      this.#byWorld.set(world, (counters = none()));
      this.#prune();
    }
    return counters;
  }

  reset(world: number): void {
    this.#byWorld.set(world, { ...none(), resetAt: Date.now() * 1000 + UNIX_EPOCH_MICROS });
  }

  /** Rows that a statement with this verb has written. */
  wrote(world: number, verb: string, rows: number): void {
    const counters = this.of(world);
    if (verb === 'INSERT') counters.inserted += rows;
    else if (verb === 'UPDATE') counters.updated += rows;
    else if (verb === 'DELETE') counters.deleted += rows;
  }

  /** Drops the counters of worlds that have ended. */
  #prune(): void {
    if (this.#byWorld.size < this.#pruneSize) return;
    const open = new Set<number>(Array.from(this.#worlds.open(), ({ number }) => number));
    for (const number of this.#byWorld.keys()) if (!open.has(number)) this.#byWorld.delete(number);
    this.#pruneSize = Math.max(PRUNED_MIN, 2 * this.#byWorld.size);
  }
}
