/**
 * Worlds at past moments. Starts from the nearest known root after the moment (a super-root's, a cached one, or the current
 * one) and undoes changes with the undo log or the log, or from the nearest one before it and replays the world's own events,
 * whichever is cheaper. The result is cached, so that the next read is as cheap as a current one.
 */
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { decodeEvent, EVENT_TYPES } from '../events/codec.ts';
import type { Event } from '../events/event.ts';
import type { LogPosition, LogStore } from '../log/log-store.ts';
import type { SuperRoot } from '../projection/super-root.ts';
import type { Datum } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { changedRows } from '../events/changed-rows.ts';
import { leafFor } from '../tree/read.ts';
import { emptyTree } from '../tree/write.ts';
import { applyToWorld } from './apply.ts';
import { readCatalog } from './catalog.ts';
import { catalogObject, epochOfObject } from './definition.ts';
import { isTableKey } from './kinds/keys.ts';
import { indexesOf } from './index-fold.ts';
import { NetUndo } from './net-undo.ts';
import { rowChange, ShapeTable } from '../tree/row-change.ts';
import type { SegmentPlace, UndoLog } from './undo-log.ts';
import { undoRounds } from './undo-changes.ts';
import { joinedUndo, type UndoTree } from './undo-run.ts';

const KEPT_MAX = 64;
/** Maximum number of changed rows held by cached roots: some tens of megabytes. */
const KEPT_ROWS_MAX = 500_000;

/**
 * Cost per byte of log, relative to reading it and noting its undo (1): of folding it, of applying it from the undo log, and
 * of undoing it from the log where the undo log lacks it. Most of what it lacks are leaves, which are folded faster than
 * their rows are undone one by one.
 */
const FOLD_COST = 3;
const LOST_COST = 4;
const UNDO_COST = 0.1;

interface Kept {
  world: WorldNumber;
  sequence: Sequence;
  root: Node;
  /** Changed rows that it holds. */
  rows: number;
}

/** A known root: of a super-root, the current one, or cached. */
interface Start {
  sequence: Sequence;
  root: Node;
  /** Log position after it. */
  next?: LogPosition;
  rows?: number;
}

/** Events after `from` up to `to`, of one segment of the undo log. */
interface Stretch {
  from: Sequence;
  to: Sequence;
  segment: SegmentPlace;
  /** The undo log has it; otherwise the log must be read. */
  isKept: boolean;
}

/** How a world was created: from its parent's state after `before` by these changes, the last of which are the world's own if it was simulated. */
interface Creation {
  parent: WorldNumber;
  before: Sequence;
  changes: (readonly TreeChanges[])[];
}

/** Whether definitions are dropped whose rows are not in the event. */
function takesRowsAway(changes: readonly TreeChanges[]): boolean {
  const epochOf = ([definition]: readonly Datum[]): number => epochOfObject(catalogObject(definition as string));
  return changes.some(
    ({ tree, rows }) =>
      tree === CATALOG_TREE &&
      rows.some(({ key, before, after }) => isTableKey(key as string) && before !== null && (after === null || epochOf(before) !== epochOf(after))),
  );
}

export interface PastParts {
  pager: Pager;
  log: LogStore;
  undo: UndoLog;
  superRoots: readonly SuperRoot[];
  /** Where a super-root has the worlds, and how a world's directory is found among them. */
  worldsSlot: number;
  rootIn(pager: Pager, directory: Node, world: WorldNumber): Node | null;
  /** Called when a cached root is evicted. */
  dropped(root: Node): void;
}

export class Past {
  readonly #pager: Pager;
  readonly #log: LogStore;
  readonly #undo: UndoLog;
  readonly #superRoots: readonly SuperRoot[];
  readonly #rootIn: (top: Node, world: WorldNumber) => Node | null;
  readonly #dropped: (root: Node) => void;
  /** Oldest first. */
  #kept: Kept[] = [];

  constructor({ pager, log, undo, superRoots, worldsSlot, rootIn, dropped }: PastParts) {
    this.#pager = pager;
    this.#log = log;
    this.#undo = undo;
    this.#superRoots = superRoots;
    this.#dropped = dropped;
    this.#rootIn = (top, world) => {
      const directory = childRoot(pager, top, worldsSlot);
      return directory === null ? null : rootIn(pager, directory, world);
    };
  }

  /** The world's directory after `sequence`. `now` is its current directory, sealed: if it is nearer, later events are undone instead. */
  rootAt(world: WorldNumber, sequence: Sequence, now: Node | null = null, depth = 0): Node {
    if (depth > 1000) throw new SvcError('54001', 'the past of this world rests on more than 1000 forks and rebases');
    const earlier = this.#earlier(world, sequence);
    if (earlier?.sequence === sequence) return earlier.root;
    const later = this.#later(world, sequence, now);
    const born = world as unknown as Sequence;
    if (later !== null && this.#backCost(world, sequence, later.sequence) < FOLD_COST * this.#between(earlier?.sequence ?? born, sequence)) {
      const undone = this.#undoSince(world, sequence, later);
      if (undone !== null) {
        this.#keep({ world, sequence, ...undone });
        return undone.root;
      }
    }
    const start = earlier ?? this.#born(world);
    if (start.sequence === sequence) return start.root;
    let { root } = start;
    let rows = start.rows ?? 0;
    const edit = this.#pager.newEdit();
    const dirtyBefore = this.#pager.dirtyBytes;
    for (const record of this.#log.read((start.sequence + 1) as Sequence, start.next)) {
      if (record.sequence > sequence) break;
      if (record.world !== world) continue;
      const event = decodeEvent(record.type, record.version, record.payload);
      if ('changes' in event) for (const changes of event.changes) rows += changedRows(changes);
      root = this.#fold(root, event, world, record.sequence, edit, depth);
    }
    // Pages of past states are never written, so they must not trigger a checkpoint.
    this.#pager.dirtyBytes = dirtyBefore;
    this.#keep({ world, sequence, root, rows });
    return root;
  }

  /** The nearest known root of the world at or after the moment. */
  #later(world: WorldNumber, sequence: Sequence, now: Node | null): Start | null {
    let best: Start | null = now === null ? null : { sequence: this.#log.head, root: now };
    for (const kept of this.#kept) {
      if (kept.world === world && kept.sequence >= sequence && (best === null || kept.sequence < best.sequence)) best = kept;
    }
    const superRoot = this.#superRoots.find((each) => each.sequence >= sequence);
    if (superRoot === undefined || (best !== null && best.sequence <= superRoot.sequence)) return best;
    const root = this.#rootIn(this.#pager.load(superRoot.page), world);
    return root === null ? best : { sequence: superRoot.sequence, root };
  }

  /** Bytes of log. */
  #between(from: Sequence, to: Sequence): number {
    return this.#log.bytesAfter(from) - this.#log.bytesAfter(to);
  }

  *#stretches(world: WorldNumber, from: Sequence, to: Sequence): Iterable<Stretch> {
    for (let at = from; at < to;) {
      const segment = this.#undo.segmentAt(at, world);
      const isWhole = segment.from === at && (segment.to === null ? to === this.#log.head : segment.to <= to);
      const end = segment.to === null || segment.to > to ? to : segment.to;
      yield { from: at, to: end, segment, isKept: isWhole && segment.isKept };
      at = end;
    }
  }

  /** Estimated cost of undoing the events in between. */
  #backCost(world: WorldNumber, from: Sequence, to: Sequence): number {
    let cost = 0;
    for (const stretch of this.#stretches(world, from, to)) {
      const each = stretch.isKept ? UNDO_COST : stretch.segment.isKept ? 1 : LOST_COST;
      cost += each * this.#between(stretch.from, stretch.to);
    }
    return cost;
  }

  /** The state of `later` without the events after `sequence`; null if one of them replaced the whole state. */
  #undoSince(world: WorldNumber, sequence: Sequence, later: Start): { root: Node; rows: number } | null {
    const found: (readonly UndoTree[])[] = [];
    for (const { from, to, segment, isKept } of this.#stretches(world, sequence, later.sequence)) {
      const trees = (isKept ? this.#undo.over(segment.to, world) : null) ?? this.#logged(world, from, to, segment);
      if (trees === null) return null;
      found.push(trees);
    }
    const edit = this.#pager.newEdit();
    const dirtyBefore = this.#pager.dirtyBytes;
    let { root } = later;
    let rows = later.rows ?? 0;
    for (const changes of undoRounds(joinedUndo(found))) {
      for (const each of changes) rows += changedRows(each);
      root = applyToWorld(this.#pager, root, this.#withRows(root, changes), edit, null, true);
    }
    this.#pager.dirtyBytes = dirtyBefore;
    return { root, rows };
  }

  /** The undo of the world's events after `after` up to `to`, read from the log; reading may start after `from`, at position `start`. */
  #logged(world: WorldNumber, after: Sequence, to: Sequence, { from, start }: SegmentPlace): readonly UndoTree[] | null {
    const net = new NetUndo();
    const first = start === undefined ? after : from;
    for (const record of this.#log.read((first + 1) as Sequence, start)) {
      if (record.sequence > to) break;
      if (record.world !== world || record.sequence <= after) continue;
      const event = decodeEvent(record.type, record.version, record.payload);
      if (event.type === 'rebased') return null;
      if (event.type !== 'committed' && event.type !== 'merged' && event.type !== 'undone') continue;
      if (takesRowsAway(event.changes)) return null;
      net.add(event.changes);
    }
    return net.trees();
  }

  /** Adds whole rows to deletes in tables with indexes: their entries are deleted, too. */
  #withRows(root: Node, changes: readonly TreeChanges[]): TreeChanges[] {
    const catalog = readCatalog(this.#pager, root);
    const shapes = new ShapeTable();
    return changes.map((each) => {
      if (indexesOf(catalog, each.tree).length === 0) return each;
      const table = childRoot(this.#pager, root, each.tree);
      if (table === null) return each;
      return {
        ...each,
        rows: each.rows.map((row) => {
          if (row.after !== null) return row;
          const leaf = leafFor(this.#pager, table, row.key);
          const index = leaf.find(row.key);
          return index < 0 ? row : rowChange(row.key, { leaf, index }, null, shapes);
        }),
      };
    });
  }

  /**
   * The fork point of the world at `sequence`: moved by partial merges, merges of its parent into it, their undo, and
   * rebases. Moves by way of a third world are not considered: a diff of such a moment includes what came that way.
   */
  baseAt(world: WorldNumber, sequence: Sequence, moved: boolean): Node {
    const creation = this.#creation(world);
    let base = creation.changes.length < 2 ? this.rootAt(world, world as unknown as Sequence) : this.#made(creation, creation.changes.slice(0, 1), 0);
    if (!moved) return base;
    const { parent } = creation;
    /** Fork points before merges of the parent, which may be undone. */
    const before = new Map<number, Node>();
    for (const record of this.#log.read((world + 1) as unknown as Sequence)) {
      if (record.sequence > sequence) break;
      if (record.world !== world && record.type !== EVENT_TYPES.merged && record.type !== EVENT_TYPES.undone) continue;
      const event = decodeEvent(record.type, record.version, record.payload);
      if (event.type === 'rebased') {
        base = this.rootAt(parent, (record.sequence - 1) as Sequence);
        before.clear();
        continue;
      }
      if (event.type !== 'merged' && event.type !== 'undone') continue;
      const isUp = event.branch === world && record.world === parent;
      const isDown = event.branch === parent && record.world === world;
      if (!isUp && !isDown) continue;
      if (isDown && event.type === 'merged' && event.common === 'all') {
        before.set(record.sequence, base);
        base = this.rootAt(parent, (record.sequence - 1) as Sequence);
      } else if (event.type === 'undone' && before.has(event.merge)) {
        base = before.get(event.merge)!;
        before.delete(event.merge);
      } else if (event.baseChanges.length > 0) {
        base = applyToWorld(this.#pager, base, event.baseChanges, this.#pager.newEdit());
      }
    }
    return base;
  }

  #fold(root: Node, event: Event, world: WorldNumber, sequence: Sequence, edit: number, depth: number): Node {
    switch (event.type) {
      case 'committed':
      case 'merged':
      case 'undone':
        return applyToWorld(this.#pager, root, event.changes, edit);
      case 'rebased': {
        const parent = this.#creation(world).parent;
        return applyToWorld(this.#pager, this.rootAt(parent, (sequence - 1) as Sequence, null, depth + 1), event.changes, edit);
      }
      default:
        return root;
    }
  }

  /** The nearest known root of the world at or before the moment. */
  #earlier(world: WorldNumber, sequence: Sequence): Start | null {
    let best: Start | null = null;
    for (const kept of this.#kept) {
      if (kept.world === world && kept.sequence <= sequence && (best === null || kept.sequence > best.sequence)) best = kept;
    }
    for (let i = this.#superRoots.length - 1; i >= 0; i--) {
      const superRoot = this.#superRoots[i];
      if (superRoot.sequence > sequence) continue;
      if (superRoot.sequence < world || (best !== null && best.sequence >= superRoot.sequence)) break;
      const root = this.#rootIn(this.#pager.load(superRoot.page), world);
      if (root === null) break;
      return { sequence: superRoot.sequence, root, next: superRoot.next };
    }
    // A cached root is shared with readers: the replay copies what it changes.
    return best;
  }

  #born(world: WorldNumber): Start {
    const creation = this.#creation(world);
    return { sequence: world as unknown as Sequence, root: this.#made(creation, creation.changes, 1) };
  }

  #made({ parent, before }: Creation, changes: Creation['changes'], depth: number): Node {
    let root = parent === 0 ? this.#rootOfNothing : this.rootAt(parent, before, null, depth);
    for (const each of changes) if (each.length > 0) root = applyToWorld(this.#pager, root, each, this.#pager.newEdit());
    return root;
  }

  readonly #rootOfNothing: Node = emptyTree(true);

  #creation(world: WorldNumber): Creation {
    const born = this.#event(world as unknown as Sequence);
    if (born?.event.type === 'forked') return { parent: born.event.parent, before: (world - 1) as unknown as Sequence, changes: [born.event.changes] };
    if (born?.event.type === 'worldKept') {
      const { run, changes } = born.event;
      const simulated = this.#event(run);
      if (simulated?.event.type === 'simulated') {
        return { parent: simulated.world, before: (run - 1) as Sequence, changes: [simulated.event.changes, changes] };
      }
    }
    throw new SvcError('22023', 'that moment lies before the history that is kept', { hint: 'See the setting history_retention.' });
  }

  #event(sequence: Sequence): { event: Event; world: WorldNumber } | null {
    if (sequence < this.#log.first) return null;
    for (const { type, version, payload, world } of this.#log.read(sequence)) return { event: decodeEvent(type, version, payload), world };
    return null;
  }

  /** Evicts roots whose pages may be collected. */
  forget(): void {
    this.#kept = [];
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    let rows = 0;
    for (let i = this.#kept.length - 1; i >= 0; i--) {
      rows += this.#kept[i].rows;
      if (i === this.#kept.length - 1 || (rows <= KEPT_ROWS_MAX && this.#kept.length - i <= KEPT_MAX)) continue;
      for (const { root } of this.#kept.splice(0, i + 1)) this.#dropped(root);
      return;
    }
  }
}
