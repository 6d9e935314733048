/**
 * Projections of the whole folder as they were at a past moment: folded from the nearest super-root before it, or from the base or the first event of the
 * log, up to the last event at or before the moment.
 *
 *   super-root ─► some projections ─► apply(event) … ─► state after event n   (kept by n: the next read of the moment folds nothing)
 *
 * Only projections that are small beside the rows are folded, so nothing is undone and nothing is written. The fold yields; what it makes are nodes in
 * memory, whose size counts for no checkpoint. One moment is folded at a time, in the order of the calls: slices of many folds side by
 * side would leave no time of the event loop to others, and all of their states would be in memory at once.
 */
import type { Micros, Sequence } from '../base/brands.ts';
import type { Moment } from '../base/moment.ts';
import { Slices } from '../base/slices.ts';
import { decodeEvent } from '../events/codec.ts';
import type { LogPosition, LogStore } from '../log/log-store.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Bases } from './engine-options.ts';
import type { Projection } from './projection.ts';
import type { Kinds } from './projection-set.ts';
import type { SuperRoot } from './super-root.ts';

const KEPT_MAX = 16;
/** Of what folds made, in all kept states together; the newest is kept even if it is larger. */
const KEPT_BYTES_MAX = 32 << 20;
/** Of objects beside the nodes, such as records of worlds: 16 states of 40,000 events each took 160 MB. */
const EVENT_BYTES = 300;
/** Times that maintenance may delete what a fold reads before it fails. */
const TRIES_MAX = 3;

/** The state after event `sequence`. */
export interface Folded<P> {
  readonly sequence: Sequence;
  /** Time of that event. */
  readonly at: Micros;
  readonly state: P;
}

interface Kept<P> extends Folded<P> {
  /** Time of the event after it. */
  readonly until: Micros;
  /** Of what the fold made, about. */
  readonly bytes: number;
}

export interface PastFoldParts<P extends Record<string, Projection>> {
  readonly log: LogStore;
  readonly pager: Pager;
  readonly bases: Bases;
  /** Oldest first. */
  readonly superRoots: readonly SuperRoot[];
  readonly kinds: Kinds<P>;
}

export class PastFold<P extends Record<string, Projection>> {
  readonly #parts: PastFoldParts<P>;
  /** The last one used comes last. */
  #kept: Kept<P>[] = [];
  /** Incremented when pages of old nodes may be deleted. */
  #generation = 0;
  /** Ends with the last fold that was begun or waits. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: PastFoldParts<P>) {
    this.#parts = parts;
  }

  /** The state at a moment that the log reaches; its callers have checked that it does. */
  at(moment: Moment): Promise<Folded<P>> {
    const known = this.#known(moment);
    if (known !== null) return Promise.resolve(known);
    const mine = this.#last.then(() => this.#known(moment) ?? this.#foldedAt(moment));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  #known(moment: Moment): Folded<P> | null {
    const kept = this.#kept.find((each) => (moment.kind === 'sequence' ? each.sequence === moment.sequence : each.at <= moment.at && moment.at < each.until));
    if (kept === undefined) return null;
    this.#kept = [...this.#kept.filter((each) => each !== kept), kept];
    return kept;
  }

  async #foldedAt(moment: Moment): Promise<Folded<P>> {
    for (let tries = 1; ; tries++) {
      const generation = this.#generation;
      try {
        const folded = await this.#fold(moment);
        if (generation === this.#generation || tries === TRIES_MAX) {
          if (generation === this.#generation && folded.until > folded.at) this.#keep(folded);
          return folded;
        }
      } catch (error) {
        if (generation === this.#generation || tries === TRIES_MAX) throw error;
      }
    }
  }

  #keep(folded: Kept<P>): void {
    this.#kept = [...this.#kept, folded].slice(-KEPT_MAX);
    let bytes = 0;
    const first = this.#kept.findLastIndex((each) => (bytes += each.bytes) > KEPT_BYTES_MAX);
    this.#kept = this.#kept.slice(Math.min(first + 1, this.#kept.length - 1));
  }

  /** Releases states whose pages may be deleted. */
  forget(): void {
    this.#generation++;
    this.#kept = [];
  }

  async #fold(moment: Moment): Promise<Kept<P>> {
    const { log, pager } = this.#parts;
    const slices = new Slices();
    let dirtyBefore = pager.dirtyBytes;
    let bytes = 0;
    /** Nodes of past states are never written, so they must not trigger a checkpoint. */
    const uncounted = (): void => {
      bytes += pager.dirtyBytes - dirtyBefore;
      pager.dirtyBytes = dirtyBefore;
    };
    const rest = async (): Promise<void> => {
      uncounted();
      await slices.rest();
      dirtyBefore = pager.dirtyBytes;
    };
    const start = await this.#start(moment, rest);
    const projections = Object.values<Projection>(start.state);
    let { sequence, at } = start;
    let until = Infinity as Micros;
    if (sequence < log.head) {
      for (const record of log.read((sequence + 1) as Sequence, start.next)) {
        if (moment.kind === 'sequence' ? record.sequence > moment.sequence : record.at > moment.at) {
          until = record.at;
          break;
        }
        const { world, actor } = record;
        const event = decodeEvent(record.type, record.version, record.payload);
        for (const projection of projections) projection.apply(event, { sequence: record.sequence, at: record.at, world, actor });
        sequence = record.sequence;
        at = record.at;
        bytes += EVENT_BYTES;
        if (slices.over) await rest();
      }
    }
    uncounted();
    // The newest state has no end yet: it is not kept by time.
    return { sequence, at, until: until === Infinity ? at : until, state: start.state, bytes };
  }

  async #start(moment: Moment, rest: () => Promise<void>): Promise<{ sequence: Sequence; at: Micros; state: P; next?: LogPosition }> {
    const { superRoots, pager, bases, log } = this.#parts;
    const isBefore = ({ sequence, at }: { sequence: Sequence; at: Micros }): boolean =>
      moment.kind === 'sequence' ? sequence <= moment.sequence : at <= moment.at;
    const superRoot = superRoots.findLast((each) => each.foreseen === undefined && isBefore(each));
    if (superRoot !== undefined) {
      return { sequence: superRoot.sequence, at: superRoot.at, state: this.#made(pager.load(superRoot.page)), next: superRoot.next };
    }
    const state = this.#made(null);
    const base = log.first === 1 ? null : bases.newest();
    if (base === null) return { sequence: 0 as Sequence, at: 0 as Micros, state };
    const bySlot = new Map(Object.entries(this.#parts.kinds).map(([name, { slot }]) => [slot, state[name]]));
    for (const { slot, payload } of base.parts()) {
      bySlot.get(slot)?.load(payload);
      await rest();
    }
    return { sequence: base.head.sequence, at: base.head.at, state };
  }

  #made(top: Node | null): P {
    const { kinds, pager } = this.#parts;
    const made = {} as P;
    for (const name in kinds) {
      const { slot, make } = kinds[name];
      made[name] = make(pager, top === null ? null : childRoot(pager, top, slot));
    }
    return made;
  }
}
