/**
 * Which transaction changed a row last, for `xmin`: read from the log at the first request, and continued with later events.
 *
 *   row in a world at a moment ── changed in that world? ──► its event there
 *                              └─ no ──► the same row of the parent at the fork, and so on
 *
 * Rows whose last change lies before the history have none. A cache: of the tables that requests named, by memory.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { eachChangedKey } from '../events/changed-rows.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { decodeEvent, EVENT_TYPES } from '../events/codec.ts';
import type { Event } from '../events/event.ts';
import type { LogRecord } from '../log/log-store.ts';
import type { Key } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import { ChangeRuns } from './change-runs.ts';
import { eachRowChange } from './changes-between.ts';
import type { Context } from './context.ts';
import { catalogObject } from './definition.ts';

/** Time slice. */
const SLICE_MS = 5;
/** Number of new records that are read in one turn of the event loop. */
const RECORDS_AT_ONCE = 512;
const RECORDS_BETWEEN_LOOKS = 32;
/** Changes that are sorted together. */
const ADDED_TOGETHER = 65_536;
/** Memory of all tables that are kept. */
const BYTES_MAX = 64 * 1024 * 1024;

const READ = new Set<number>([EVENT_TYPES.committed, EVENT_TYPES.merged, EVENT_TYPES.undone, EVENT_TYPES.rebased, EVENT_TYPES.forked, EVENT_TYPES.worldKept]);

/** One table in one world. */
interface Changes {
  readonly world: WorldNumber;
  readonly tree: number;
  /** All records up to here are read. */
  through: Sequence;
  runs: ChangeRuns | null;
  /** Where rows that no event here changed come from; null: from before the history. */
  parent: { readonly world: WorldNumber; readonly at: Sequence } | null;
  /** The newest event that made the table's rows from nothing; 0: none. */
  begun: Sequence;
}

export class LastChanges {
  readonly #context: Context;
  /** Least recently used first. */
  readonly #kept = new Map<string, Changes>();
  /** Numbers that transactions were given before their events. */
  readonly #numbers = new Map<Sequence, Sequence>();
  #outages = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * The number of the transaction that last changed a row, in a world up to an event; 0 if it lies before the history. A promise if more of
   * the log has to be read first: call again then.
   */
  of(world: WorldNumber, upTo: Sequence, tree: number, key: Key): Sequence | Promise<void> {
    const { engine } = this.#context;
    if (this.#outages !== engine.outage.count) {
      // Sequences were used again.
      this.#outages = engine.outage.count;
      this.#kept.clear();
      this.#numbers.clear();
    }
    for (let [at, end] = [world, upTo]; ;) {
      const changes = this.#changes(at, tree);
      if (changes.through < end) {
        const to = engine.log.head;
        if (to - changes.through > RECORDS_AT_ONCE) return this.#catchUp(changes, to);
        for (const step of this.#read(changes, to)) void step;
      }
      const found = changes.runs?.last(key, end) ?? 0;
      const last = Math.max(found, changes.begun <= end ? changes.begun : 0) as Sequence;
      if (last > 0) return this.#numbers.get(last) ?? last;
      if (changes.parent === null) return 0 as Sequence;
      [at, end] = [changes.parent.world, changes.parent.at];
    }
  }

  #changes(world: WorldNumber, tree: number): Changes {
    const name = `${world}/${tree}`;
    let found = this.#kept.get(name);
    if (found === undefined) {
      const { engine } = this.#context;
      const from = Math.max(world - 1, engine.historyStart.sequence, engine.log.first - 1, 0) as Sequence;
      found = { world, tree, through: from, runs: null, parent: null, begun: 0 as Sequence };
    } else this.#kept.delete(name);
    this.#kept.set(name, found);
    return found;
  }

  async #catchUp(changes: Changes, to: Sequence): Promise<void> {
    for (const _ of this.#read(changes, to)) await turn();
    this.#bound(changes);
  }

  #bound(used: Changes): void {
    let bytes = 0;
    for (const { runs } of this.#kept.values()) bytes += runs?.bytes ?? 0;
    for (const [name, changes] of this.#kept) {
      if (bytes <= BYTES_MAX) return;
      if (changes === used) continue;
      bytes -= changes.runs?.bytes ?? 0;
      this.#kept.delete(name);
    }
  }

  /** Reads records up to `to`, in time slices; two callers may be at it in turns. */
  *#read(changes: Changes, to: Sequence): Generator<void> {
    const { log, outage } = this.#context.engine;
    const outages = outage.count;
    const keys: Key[] = [];
    const sequences: Sequence[] = [];
    while (changes.through < to) {
      const until = performance.now() + SLICE_MS;
      let records = 0;
      const begun = changes.through;
      for (const record of log.read((begun + 1) as Sequence)) {
        if (record.sequence > to) break;
        if (record.world === changes.world && READ.has(record.type)) this.#note(changes, record, keys, sequences);
        changes.through = record.sequence;
        if (++records % RECORDS_BETWEEN_LOOKS === 0 && (performance.now() > until || keys.length > ADDED_TOGETHER)) break;
      }
      // Records before a concurrent trim are gone.
      if (changes.through === begun) changes.through = to;
      if (keys.length > 0) (changes.runs ??= new ChangeRuns(typeof keys[0] === 'number')).add(keys, sequences);
      yield;
      if (outage.count !== outages) return;
    }
  }

  #note(changes: Changes, { sequence, type, version, payload, world }: LogRecord, keys: Key[], sequences: Sequence[]): void {
    const event = decodeEvent(type, version, payload);
    if (event.type === 'forked' && event.parent !== 0) changes.parent = { world: event.parent, at: (sequence - 1) as Sequence };
    if (event.type === 'worldKept') changes.parent = { world: event.base, at: event.run };
    if (event.type === 'committed' && event.number !== undefined) this.#numbers.set(sequence, event.number);
    if (event.type === 'rebased') return this.#noteRebase(changes, world, sequence, keys, sequences);
    if (!('changes' in event)) return;
    if (makesRows(event, changes.tree)) {
      changes.begun = sequence;
      changes.runs = null;
      keys.length = sequences.length = 0;
      return;
    }
    for (const each of event.changes) {
      if (each.tree !== changes.tree) continue;
      eachChangedKey(each, (key) => {
        keys.push(key);
        sequences.push(sequence);
      });
    }
  }

  /** A rebase changes the rows in which the states before and after it differ. */
  #noteRebase({ tree }: Changes, world: WorldNumber, sequence: Sequence, keys: Key[], sequences: Sequence[]): void {
    const { past, engine, state } = this.#context;
    const { pager } = engine;
    if (sequence - 1 <= engine.historyStart.sequence) return;
    const open = state.worlds.byNumber(world);
    const now = open === null ? null : state.worlds.share(open);
    const after = childRoot(pager, past.rootAt(world, sequence, now), tree);
    const before = childRoot(pager, past.rootAt(world, (sequence - 1) as Sequence, now), tree);
    if (after === before) return;
    eachRowChange(pager, before, after, (key) => {
      keys.push(key);
      sequences.push(sequence);
    });
  }
}

/** Whether the event makes the table, or gives it rows under other keys: what it held before is gone. */
function makesRows(event: Event & { changes: readonly TreeChanges[] }, tree: number): boolean {
  return event.changes.some(
    (each) =>
      each.tree === CATALOG_TREE &&
      each.rows.some(({ before, after }) => {
        if (after === null) return false;
        const is = catalogObject(after[0] as string);
        if (is.what !== 'relation' || is.number !== tree) return false;
        if (before === null) return true;
        const was = catalogObject(before[0] as string);
        return was.what === 'relation' && was.epoch !== is.epoch;
      }),
  );
}
