/**
 * All projections of an engine, as one fold: an event goes to each of them and to the undo log, a checkpoint seals them into one directory by slot.
 *
 *   apply(event) ─► each projection ─► undo log
 *   seal() ─► directory: slot → root of the projection         dump(directory) ─► parts of a base ─► load
 *
 * `state` shows them by name. The object stays the same for the engine's life; after `begin` and `publish` it shows others.
 */
import type { Sequence } from '../base/brands.ts';
import type { Envelope, Event, Recorded } from '../events/event.ts';
import type { HistoryPlace } from '../events/types/swept.ts';
import type { BasePart } from '../log/base-file.ts';
import { childRoot, setChildRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { emptyTree } from '../tree/write.ts';
import type { Projection, ProjectionDefinition } from './projection.ts';
import type { UndoKeeper } from './undo-keeper.ts';

export type Kinds<P extends Record<string, Projection>> = { readonly [Name in keyof P]: ProjectionDefinition<string, P[Name]> };

export class ProjectionSet<P extends Record<string, Projection>> {
  readonly state: P;
  /** By name: another set of versions is a rebuild. */
  readonly versions: Readonly<Record<string, number>>;
  readonly #kinds: Kinds<P>;
  readonly #pager: Pager;
  readonly #undo: UndoKeeper;
  /** In the order in which they fold. */
  #projections: Projection[] = [];
  readonly #slots: readonly number[];
  /** The last event that the replay has looked ahead to. */
  #foreseen: Sequence = 0 as Sequence;

  /** `page`: directory to continue from; null: empty. */
  constructor(kinds: Kinds<P>, pager: Pager, undo: UndoKeeper, page: number | null) {
    this.state = {} as P;
    this.versions = versionsOf(kinds);
    this.#kinds = kinds;
    this.#pager = pager;
    this.#undo = undo;
    this.#slots = Object.values<ProjectionDefinition<string, Projection>>(kinds).map(({ slot }) => slot);
    this.begin(page);
  }

  /** Replaces them by what a sealed directory holds, or by empty ones. */
  begin(page: number | null): void {
    this.#projections = Object.values(this.#make(page));
    this.publish();
  }

  /** Empty ones fold from now on, beside the old ones, which `state` shows until `publish`. */
  beginAside(): void {
    this.#projections = Object.values(this.#make(null));
  }

  /** `state` shows the projections that fold. */
  publish(): void {
    Object.keys(this.#kinds).forEach((name, i) => {
      this.state[name as keyof P] = this.#projections[i] as P[keyof P];
    });
  }

  #make(page: number | null): P {
    const top = page === null ? null : this.#pager.load(page);
    const made = {} as P;
    for (const name in this.#kinds) {
      const { slot, make } = this.#kinds[name];
      made[name] = make(this.#pager, top === null ? null : childRoot(this.#pager, top, slot));
    }
    return made;
  }

  apply(event: Event, envelope: Envelope): void {
    for (const projection of this.#projections) projection.apply(event, envelope);
    this.#undo.note(event, envelope);
  }

  /** Before a replay: the projections look at `tail`, which ends with the event `through`, in steps. */
  *foresee(tail: () => Iterable<Recorded>, through: Sequence): Iterable<void> {
    for (const projection of this.#projections) yield* projection.foresee?.(tail()) ?? [];
    this.#foreseen = through;
  }

  /** After a replay: nothing lies ahead any more. */
  endReplay(): void {
    for (const projection of this.#projections) for (const _ of projection.foresee?.([]) ?? []);
  }

  /** While a seal would lack state that the rest of the replay deletes: the last event that it looked ahead to; else null. */
  get foreseen(): Sequence | null {
    return this.#projections.some((projection) => projection.partial === true) ? this.#foreseen : null;
  }

  /** The directory of all; from now on nothing below it is changed in place. */
  seal(): Node {
    const pager = this.#pager;
    const edit = pager.newEdit();
    let top: Node = emptyTree(true, edit);
    this.#projections.forEach((projection, i) => {
      top = setChildRoot(pager, top, this.#slots[i], projection.seal(), edit);
    });
    return top;
  }

  /** The sealed directory was written. */
  written(): void {
    for (const projection of this.#projections) projection.written?.();
  }

  /** Parts of a base of the sealed directory. */
  *dump(page: number): Iterable<BasePart> {
    const top = this.#pager.load(page);
    for (const [i, projection] of this.#projections.entries()) {
      const slot = this.#slots[i];
      const root = childRoot(this.#pager, top, slot);
      if (root !== null) for (const payload of projection.dump(root)) yield { slot, payload };
    }
  }

  /** A part of `dump`; of a slot that this release does not have, it is ignored. */
  load(slot: number, payload: Uint8Array): void {
    this.#projections[this.#slots.indexOf(slot)]?.load(payload);
  }

  /** The nearest end of a trim slice of about `entries` entries from `from` on; null if none are left. */
  sweepEnd(from: HistoryPlace, entries: number): HistoryPlace | null {
    let to: HistoryPlace | null = null;
    for (const projection of this.#projections) {
      const end = projection.sweepEnd?.(from, entries) ?? null;
      if (end !== null && (to === null || end.world < to.world || (end.world === to.world && end.sequence < to.sequence))) to = end;
    }
    return to;
  }

  /** Numbers of ended worlds that the trim slice drops. */
  forgets(through: Sequence, from: HistoryPlace, to: HistoryPlace | null): number[] {
    return this.#projections.flatMap((projection) => projection.forgets?.(through, from, to) ?? []);
  }
}

export function versionsOf(kinds: Readonly<Record<string, { readonly version: number }>>): Record<string, number> {
  return Object.fromEntries(Object.entries(kinds).map(([name, { version }]) => [name, version]));
}
