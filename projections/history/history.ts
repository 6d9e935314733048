/** The events of each world, in order: key (world, sequence) → time, event, rows. `name@when` is resolved here. */
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { countRows } from '../../src/events/changes.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import type { HistoryPlace } from '../../src/events/types/swept.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { leaves, scan, scanBack } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import type { History } from '../../src/worlds/world.ts';

const AT = 1;
const EVENT = 2;
const ROWS = 3;
/** The world's version after the event. */
const VERSION = 4;
const ENTRY: Shape = { ids: [AT, EVENT, ROWS, VERSION], kinds: [KIND.F64, KIND.I32, KIND.F64, KIND.F64] };

/** Events that are writes to their world, and so increment its version. */
const WRITES = new Set(['write', 'commit', 'restore', 'merge part', 'undo merge', 'rebase', 'simulate']);

/** Events that do not change the world's rows and definitions. */
const UNCHANGED = new Set(['metadata', 'confirm', 'checkpoint', 'discard']);

/** Stored by position: append only. */
const WORDS = [
  'create',
  'fork',
  'write',
  'commit',
  'restore',
  'merge',
  'merge part',
  'undo merge',
  'rebase',
  'discard',
  'metadata',
  'confirm',
  'checkpoint',
  'simulate',
];

/** Key, time, word, rows, version. */
type DumpedEntry = [string, number, number, number, number];
const DUMP_ENTRIES = 2000;
const WAITING_MAX = 256;

export class HistoryProjection implements Projection, History {
  readonly #pager: Pager;
  /** Without pending entries. */
  #tree: Node;
  /** Entries not read yet: they are added to the tree in batches. */
  #waiting: RowChange[] = [];
  #edit: number;
  readonly #versions = new Map<WorldNumber, number>();
  /** The interval of each world's last lookup. */
  readonly #found = new Map<WorldNumber, { from: Micros; to: Micros; sequence: Sequence }>();

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#tree = root ?? emptyTree(false, this.#edit);
  }

  get #root(): Node {
    if (this.#waiting.length > 0) {
      const waiting = this.#waiting.sort((a, b) => (a.key < b.key ? -1 : 1));
      this.#waiting = [];
      this.#tree = applyChanges(this.#pager, this.#tree, waiting, this.#edit);
    }
    return this.#tree;
  }

  set #root(tree: Node) {
    this.#tree = tree;
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'committed':
        return this.#add(envelope.world, envelope, event.how, countRows(event.changes));
      case 'forked':
        return this.#add(envelope.world, envelope, event.parent === 0 ? 'create' : 'fork', 0);
      case 'worldKept':
        return this.#add(envelope.world, envelope, 'simulate', countRows(event.changes));
      case 'simulationDropped':
        return this.#drop(event.worlds);
      case 'merged': {
        const word = event.stays ? 'merge part' : 'merge';
        const rows = countRows(event.changes);
        this.#add(envelope.world, envelope, word, rows, true);
        return this.#add(event.branch, envelope, word, rows);
      }
      case 'undone':
        this.#add(envelope.world, envelope, 'undo merge', countRows(event.changes));
        if (event.baseChanges.length > 0) this.#add(event.branch, envelope, 'undo merge', countRows(event.changes));
        return;
      case 'rebased':
        return this.#add(envelope.world, envelope, 'rebase', countRows(event.changes));
      case 'discarded':
        return this.#add(envelope.world, envelope, 'discard', 0);
      case 'kept':
      case 'metaChanged':
        return this.#add(envelope.world, envelope, 'metadata', 0);
      case 'confirmed':
        return this.#add(envelope.world, envelope, 'confirm', 0);
      case 'checkpointed':
        return this.#add(envelope.world, envelope, 'checkpoint', 0);
      case 'swept':
        return this.#sweep(event.through, event.from, event.to, new Set(event.gone));
      case 'trimmed':
        return this.#sweep(event.through, { world: 0, sequence: 0 }, null, new Set(event.gone));
      default:
    }
  }

  /** Worlds of dropped simulation runs: their first entry is their only one. */
  #drop(worlds: readonly number[]): void {
    const deletes = worlds.map((world): RowChange => ({ key: placeKey({ world, sequence: world }), shape: ENTRY, before: [], after: null }));
    deletes.sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#root = applyChanges(this.#pager, this.#root, deletes, this.#edit);
    for (const world of worlds) this.#versions.delete(world as WorldNumber);
  }

  /**
   * Drops entries up to `through`. The last one of each remaining world is kept: it has the world's version, and shows that
   * nothing happened to it until the start of history.
   */
  #sweep(through: Sequence, begin: HistoryPlace, end: HistoryPlace | null, gone: ReadonlySet<number>): void {
    const deletes: RowChange[] = [];
    const stop = end === null ? null : placeKey(end);
    let pending: string | null = null;
    scan(this.#pager, this.#root, placeKey(begin), (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const key = leaf.skeys[i];
        if (sequenceOf(key) <= through) {
          if (pending !== null && worldOf(pending) === worldOf(key)) deletes.push({ key: pending, shape: ENTRY, before: [], after: null });
          pending = key;
        }
        // The entry after the slice only shows whether the one before it is its world's last.
        if (stop !== null && key >= stop) return false;
        if (pending === key && gone.has(worldOf(key))) {
          deletes.push({ key, shape: ENTRY, before: [], after: null });
          pending = null;
        }
      }
      return true;
    });
    this.#root = applyChanges(this.#pager, this.#root, deletes, this.#edit);
    this.#found.clear();
    this.#versions.clear();
  }

  sweepEnd(from: HistoryPlace, entries: number): HistoryPlace | null {
    let seen = 0;
    let end: HistoryPlace | null = null;
    scan(this.#pager, this.#root, placeKey(from), (leaf, start, to) => {
      if (seen + to - start <= entries) {
        seen += to - start;
        return true;
      }
      const key = leaf.skeys[start + entries - seen];
      end = { world: worldOf(key), sequence: sequenceOf(key) };
      return false;
    });
    return end;
  }

  *dump(root: Node): Iterable<Uint8Array | null> {
    let entries: DumpedEntry[] = [];
    let last: DumpedEntry | null = null;
    const taken = (): Uint8Array => {
      const part = Buffer.from(JSON.stringify(entries), 'utf8');
      entries = [];
      return part;
    };
    for (const { leaf, start } of leaves(this.#pager, root, null)) {
      for (let i = start; i < leaf.count; i++) {
        const key = leaf.skeys[i];
        if (last !== null && worldOf(last[0]) !== worldOf(key)) entries.push(last);
        last = [key, ...([AT, EVENT, ROWS, VERSION].map((column) => leaf.cell(i, column)) as [number, number, number, number])];
      }
      yield entries.length >= DUMP_ENTRIES ? taken() : null;
    }
    if (last !== null) entries.push(last);
    if (entries.length > 0) yield taken();
  }

  load(part: Uint8Array): void {
    const entries = JSON.parse(Buffer.from(part).toString('utf8')) as DumpedEntry[];
    const rows = entries.map(([key, ...after]): RowChange => ({ key, shape: ENTRY, before: null, after })).sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#root = applyChanges(this.#pager, this.#root, rows, this.#edit);
  }

  #add(world: WorldNumber, envelope: Envelope, word: string, rows: number, writes = WRITES.has(word)): void {
    const version = this.#versionOf(world) + (writes ? 1 : 0);
    if (this.#versions.size > 10_000) this.#versions.clear();
    this.#versions.set(world, version);
    const change: RowChange = { key: entryKey(world, envelope.sequence), shape: ENTRY, before: null, after: [envelope.at, WORDS.indexOf(word), rows, version] };
    this.#waiting.push(change);
    if (this.#waiting.length >= WAITING_MAX) void this.#root;
  }

  /** Newest first; before an event if given. */
  list(world: WorldNumber, limit: number, before = 2 ** 48 - 1): { at: Micros; sequence: Sequence; event: string; rows: number }[] {
    const out: { at: Micros; sequence: Sequence; event: string; rows: number }[] = [];
    const lowest = entryKey(world, 0);
    scanBack(this.#pager, this.#root, entryKey(world, before), (leaf, from, to) => {
      for (let i = to - 1; i >= from; i--) {
        const key = leaf.skeys[i];
        if (key < lowest || out.length >= limit) return false;
        out.push({
          at: leaf.cell(i, AT) as Micros,
          sequence: sequenceOf(key),
          event: WORDS[leaf.cell(i, EVENT) as number],
          rows: leaf.cell(i, ROWS) as number,
        });
      }
      return out.length < limit;
    });
    return out;
  }

  #versionOf(world: WorldNumber): number {
    return this.#versions.get(world) ?? this.versionAt(world, (2 ** 48 - 2) as Sequence);
  }

  versionAt(world: WorldNumber, sequence: Sequence): number {
    return this.#lastBefore(world, sequence + 1)?.version ?? 0;
  }

  lastAtOrBefore(world: WorldNumber, at: Micros): Sequence {
    const known = this.#found.get(world);
    if (known !== undefined && at >= known.from && at < known.to) return known.sequence;
    const sequence = this.#search(world, at);
    if (sequence > 0) {
      const from = this.#lastBefore(world, sequence + 1)!.at;
      const next = this.#firstFrom(world, sequence + 1);
      if (this.#found.size > 1000) this.#found.clear();
      this.#found.set(world, { from, to: next, sequence });
    }
    return sequence;
  }

  changedAt(world: WorldNumber, sequence: Sequence): { sequence: Sequence; at: Micros } | null {
    let found: { sequence: Sequence; at: Micros } | null = null;
    const lowest = entryKey(world, 0);
    scanBack(this.#pager, this.#root, entryKey(world, sequence + 1), (leaf, from, to) => {
      for (let i = to - 1; i >= from; i--) {
        const key = leaf.skeys[i];
        if (key < lowest) return false;
        if (UNCHANGED.has(WORDS[leaf.cell(i, EVENT) as number])) continue;
        found = { sequence: sequenceOf(key), at: leaf.cell(i, AT) as Micros };
        return false;
      }
      return true;
    });
    return found;
  }

  /** Time of the world's first event from `sequence` on; without one, infinity. */
  #firstFrom(world: WorldNumber, sequence: number): Micros {
    let at = 0;
    const highest = entryKey(world, 2 ** 48 - 1);
    scan(this.#pager, this.#root, entryKey(world, sequence), (leaf, from) => {
      if (leaf.skeys[from] <= highest) at = leaf.cell(from, AT) as number;
      return false;
    });
    return at as Micros;
  }

  #search(world: WorldNumber, at: Micros): Sequence {
    // Times rise with sequences, so halving the sequence range halves the time range.
    const last = this.#lastBefore(world, 2 ** 48 - 1);
    if (last === null) return 0 as Sequence;
    if (last.at <= at) return last.sequence;
    let low = 0;
    let high = last.sequence as number;
    let found = 0;
    while (low < high) {
      const middle = Math.floor((low + high) / 2) + 1;
      const entry = this.#lastBefore(world, middle);
      if (entry === null || entry.at <= at) {
        if (entry !== null) found = entry.sequence;
        low = middle;
      } else high = middle - 1;
    }
    return found as Sequence;
  }

  #lastBefore(world: WorldNumber, before: number): { sequence: Sequence; at: Micros; version: number } | null {
    let found: { sequence: Sequence; at: Micros; version: number } | null = null;
    const lowest = entryKey(world, 0);
    scanBack(this.#pager, this.#root, entryKey(world, before), (leaf, _from, to) => {
      const key = leaf.skeys[to - 1];
      if (key >= lowest) found = { sequence: sequenceOf(key), at: leaf.cell(to - 1, AT) as Micros, version: leaf.cell(to - 1, VERSION) as number };
      return false;
    });
    return found;
  }

  seal(): Node {
    const root = this.#root;
    this.#edit = this.#pager.newEdit();
    return root;
  }
}

const scratch = Buffer.alloc(12);

function entryKey(world: number, sequence: number): string {
  scratch.writeUIntBE(world, 0, 6);
  scratch.writeUIntBE(sequence, 6, 6);
  return scratch.latin1Slice(0, 12);
}

function placeKey({ world, sequence }: HistoryPlace): string {
  return entryKey(world, sequence);
}

function worldOf(key: string): number {
  return Buffer.from(key, 'latin1').readUIntBE(0, 6);
}

function sequenceOf(key: string): Sequence {
  return Buffer.from(key, 'latin1').readUIntBE(6, 6) as Sequence;
}

export const history = defineProjection({ name: 'history', slot: 2, version: 1, make: (pager, root) => new HistoryProjection(pager, root) });
