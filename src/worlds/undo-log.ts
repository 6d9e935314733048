/**
 * The undo log: for each segment of the event log, the net undo of every world over it. A moment between two super-roots is
 * then few row changes before the later one, however many events are in between. A cache, like pages: what it lacks is read
 * from the log.
 */
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { Listeners } from '../base/listeners.ts';
import type { Envelope, Event } from '../events/event.ts';
import { CATALOG_TREE } from '../events/changes.ts';
import { changedRows } from '../events/changed-rows.ts';
import { NewRows } from '../events/new-rows.ts';
import type { LogPosition } from '../log/log-store.ts';
import { type Settings, type UndoDamage, undoDamage, type UndoKeeper } from '../projection/undo-keeper.ts';
import { NetUndo } from './net-undo.ts';
import type { UndoTree } from './undo-run.ts';
import { decodeSegment, encodeSegment } from './undo-segment.ts';

/** A world with more changed rows in a segment is read from the log instead: its rows would take too much memory. */
const ROWS_MAX = 65_536;

/** Null: the world must be read from the log. */
type WorldUndo = Map<WorldNumber, NetUndo | null>;

/** Events after `from` up to and including `to`. */
interface Segment {
  readonly from: Sequence;
  readonly to: Sequence;
  /** Log position after it. */
  readonly next: LogPosition;
  /** Worlds that changed and must be read from the log. */
  readonly lost: readonly WorldNumber[];
  /** In memory until written. */
  worlds: WorldUndo | null;
}

export interface SegmentPlace {
  readonly from: Sequence;
  /** Null: the open segment, up to the newest event. */
  readonly to: Sequence | null;
  /** Log position at which to start reading it, if known. */
  readonly start: LogPosition | undefined;
  /** Whether the world's net undo over the whole segment is kept. */
  readonly isKept: boolean;
}

const HEADS = 'undo-head/';
const BODIES = 'undo/';

interface Store {
  setting(name: string): Uint8Array | undefined;
  settings(prefix: string): [name: string, value: Uint8Array][];
}

export class UndoLog implements UndoKeeper {
  readonly #store: Store;
  #segments: Segment[] = [];
  #worlds: WorldUndo = new Map();
  #from = 0 as Sequence;
  /** Of the log. */
  #folder = '';
  readonly #damages = new Listeners<UndoDamage>();

  constructor(store: Store) {
    this.#store = store;
  }

  onDamage(listener: (damage: UndoDamage) => void): () => void {
    return this.#damages.add(listener);
  }

  begin(sequence: Sequence, folder: string): Settings {
    const dropped: Settings = [];
    this.#segments = [];
    for (const [name, value] of this.#store.settings(HEADS)) {
      const head = headOf(name, value);
      if (head.folder === folder && head.to <= sequence) this.#segments.push({ from: head.from, to: head.to, next: head.next, lost: head.lost, worlds: null });
      else dropped.push({ name, value: null }, { name: bodyName(head.to), value: null });
    }
    this.#folder = folder;
    this.rewind(sequence);
    return dropped;
  }

  rewind(sequence: Sequence): void {
    this.#segments = this.#segments.filter(({ to, worlds }) => to <= sequence && worlds === null);
    this.#worlds = new Map();
    this.#from = sequence;
  }

  note(event: Event, { world }: Envelope): void {
    switch (event.type) {
      case 'committed':
      case 'merged':
      case 'undone': {
        let undo = this.#worlds.get(world);
        if (undo === null) return;
        if (undo === undefined) this.#worlds.set(world, (undo = new NetUndo()));
        let rows = undo.count;
        for (const changes of event.changes) {
          // Dropped definitions remove rows not listed; inserted leaves are read from the log.
          if (changes.tree === CATALOG_TREE || changes instanceof NewRows) rows = Infinity;
          else rows += changedRows(changes);
        }
        if (rows > ROWS_MAX) this.#worlds.set(world, null);
        else undo.add(event.changes);
        return;
      }
      case 'rebased':
        this.#worlds.set(world, null);
        return;
      default:
        return;
    }
  }

  cut(through: Sequence, next: LogPosition): void {
    const worlds = this.#worlds;
    const lost = [...worlds.keys()].filter((world) => worlds.get(world) === null);
    if (through > this.#from) this.#segments.push({ from: this.#from, to: through, next, lost, worlds });
    this.#worlds = new Map();
    this.#from = through;
  }

  *unwritten(through: Sequence): Iterable<Settings> {
    for (const segment of this.#segments.filter(({ to, worlds }) => to <= through && worlds !== null)) {
      const { from, to, next, lost, worlds } = segment;
      yield [
        { name: HEADS + padded(to), value: Buffer.from(JSON.stringify({ from, to, next, lost, folder: this.#folder })) },
        { name: bodyName(to), value: encodeSegment(worlds!) },
      ];
      segment.worlds = null;
    }
  }

  forget(through: Sequence): Settings {
    const gone = this.#segments.filter(({ to }) => to <= through);
    this.#segments = this.#segments.filter(({ to }) => to > through);
    return gone.flatMap(({ to }) => [
      { name: HEADS + padded(to), value: null },
      { name: bodyName(to), value: null },
    ]);
  }

  /** The segment that contains or starts at `sequence`, for the world. */
  segmentAt(sequence: Sequence, world: WorldNumber): SegmentPlace {
    const segments = this.#segments;
    let lo = 0;
    let hi = segments.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (segments[mid].to > sequence) hi = mid;
      else lo = mid + 1;
    }
    const before = lo === 0 ? undefined : segments[lo - 1];
    const start = before?.next;
    if (lo === segments.length) return { from: this.#from, to: null, start, isKept: this.#worlds.get(world) !== null };
    const { from, to, lost } = segments[lo];
    return { from, to, start: before !== undefined && before.to === from ? start : undefined, isKept: !lost.includes(world) };
  }

  /** The net undo of the world over the segment that ends with `to` (null: the open one); null if it is not kept. */
  over(to: Sequence | null, world: WorldNumber): readonly UndoTree[] | null {
    if (to === null) return keptOf(this.#worlds, world);
    const segment = this.#segments.find((each) => each.to === to)!;
    if (segment.worlds !== null) return keptOf(segment.worlds, world);
    try {
      const bytes = this.#store.setting(bodyName(to));
      return bytes === undefined ? null : decodeSegment(bytes, world);
    } catch (error) {
      // The log has what it lacks.
      this.#damages.call(undoDamage(`the undo log up to event ${to} cannot be read`, error));
      return null;
    }
  }
}

function headOf(name: string, value: Uint8Array): Segment & { folder: string } {
  try {
    return JSON.parse(Buffer.from(value).toString()) as Segment & { folder: string };
  } catch (cause) {
    throw undoDamage(`the head ${name} of the undo log cannot be read`, cause);
  }
}

function keptOf(worlds: WorldUndo, world: WorldNumber): readonly UndoTree[] | null {
  const undo = worlds.get(world);
  return undo === undefined ? [] : (undo?.trees() ?? null);
}

function padded(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

function bodyName(to: Sequence): string {
  return BODIES + padded(to);
}
