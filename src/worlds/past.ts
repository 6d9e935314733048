/**
 * Worlds at past moments. The nearest root at or before the moment (a super-root's, or one met before) and
 * a replay of that world's own events since; the result is kept, so the next read costs what a read now costs.
 */
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, inverse, type TreeChanges } from '../events/changes.ts';
import { decodeEvent, EVENT_TYPES } from '../events/codec.ts';
import type { Event } from '../events/event.ts';
import type { LogPosition, LogStore } from '../log/log-store.ts';
import type { SuperRoot } from '../projection/super-root.ts';
import type { Datum } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { emptyTree } from '../tree/write.ts';
import { applyToWorld } from './apply.ts';
import { catalogObject } from './definition.ts';

const KEPT_MAX = 64;

interface Kept {
  world: WorldNumber;
  sequence: Sequence;
  root: Node;
}

/** How a world came to be: from its parent's state after `before`, by these changes, the last of which are the world's own where it was simulated. */
interface Creation {
  parent: WorldNumber;
  before: Sequence;
  changes: (readonly TreeChanges[])[];
}

/** Whether definitions go that take rows with them which the event does not hold. */
function takesRowsAway(changes: readonly TreeChanges[]): boolean {
  return changes.some(
    ({ tree, rows }) =>
      tree === CATALOG_TREE &&
      rows.some(({ key, before, after }) => (key as string).startsWith('t') && before !== null && (after === null || epochOf(before[0]) !== epochOf(after[0]))),
  );
}

function epochOf(definition: Datum): number | undefined {
  const object = catalogObject(definition as string);
  return object.what === 'relation' ? object.epoch : undefined;
}

export class Past {
  readonly #pager: Pager;
  readonly #log: LogStore;
  readonly #superRoots: readonly SuperRoot[];
  readonly #rootIn: (top: Node, world: WorldNumber) => Node | null;
  /** Most recently used last. */
  #kept: Kept[] = [];

  constructor(
    pager: Pager,
    log: LogStore,
    superRoots: readonly SuperRoot[],
    worldsSlot: number,
    rootIn: (pager: Pager, directory: Node, world: WorldNumber) => Node | null,
  ) {
    this.#pager = pager;
    this.#log = log;
    this.#superRoots = superRoots;
    this.#rootIn = (top, world) => {
      const directory = childRoot(pager, top, worldsSlot);
      return directory === null ? null : rootIn(pager, directory, world);
    };
  }

  /**
   * The world's directory after `sequence`. `now` is its directory as it is, which no writer changes any more:
   * where that is nearer, the events since are taken back instead.
   */
  rootAt(world: WorldNumber, sequence: Sequence, now: Node | null = null, depth = 0): Node {
    if (depth > 1000) throw new SvcError('54001', 'the past of this world rests on more than 1000 forks and rebases');
    const start = this.#start(world, sequence);
    if (start.sequence === sequence) return start.root;
    if (now !== null) {
      const back = this.#log.bytesAfter(sequence);
      if (back < this.#log.bytesAfter(start.sequence) - back) {
        const root = this.#takeBack(world, sequence, now);
        if (root !== null) {
          this.#keep({ world, sequence, root });
          return root;
        }
      }
    }
    let { root } = start;
    const edit = this.#pager.newEdit();
    const dirtyBefore = this.#pager.dirtyBytes;
    for (const record of this.#log.read((start.sequence + 1) as Sequence, start.next)) {
      if (record.sequence > sequence) break;
      if (record.world !== world) continue;
      const event = decodeEvent(record.type, record.version, record.payload);
      root = this.#fold(root, event, world, record.sequence, edit, depth);
    }
    // Pages of the past are never written, so they are no reason for a checkpoint.
    this.#pager.dirtyBytes = dirtyBefore;
    this.#keep({ world, sequence, root });
    return root;
  }

  /** `now` without the events after `sequence`; null where one of them replaced the whole state. */
  #takeBack(world: WorldNumber, sequence: Sequence, now: Node): Node | null {
    const later: TreeChanges[][] = [];
    for (const record of this.#log.read((sequence + 1) as Sequence)) {
      if (record.world !== world) continue;
      const event = decodeEvent(record.type, record.version, record.payload);
      if (event.type === 'rebased') return null;
      if ('changes' in event && takesRowsAway(event.changes)) return null;
      if (event.type === 'committed' || event.type === 'merged' || event.type === 'undone') later.push(event.changes);
    }
    const edit = this.#pager.newEdit();
    const dirtyBefore = this.#pager.dirtyBytes;
    let root = now;
    for (const changes of later.reverse()) root = applyToWorld(this.#pager, root, inverse(changes), edit);
    this.#pager.dirtyBytes = dirtyBefore;
    return root;
  }

  /** The fork point that the world had at `sequence`: partial merges, their undoing and rebases move it. */
  baseAt(world: WorldNumber, sequence: Sequence, moved: boolean): Node {
    const creation = this.#creation(world);
    let base = creation.changes.length < 2 ? this.rootAt(world, world as unknown as Sequence) : this.#made(creation, creation.changes.slice(0, 1), 0);
    if (!moved) return base;
    const { parent } = creation;
    for (const record of this.#log.read((world + 1) as unknown as Sequence)) {
      if (record.sequence > sequence) break;
      if (record.world !== world && record.type !== EVENT_TYPES.merged && record.type !== EVENT_TYPES.undone) continue;
      const event = decodeEvent(record.type, record.version, record.payload);
      if (event.type === 'rebased') base = this.rootAt(parent, (record.sequence - 1) as Sequence);
      else if ((event.type === 'merged' || event.type === 'undone') && event.branch === world) {
        base = applyToWorld(this.#pager, base, event.settled, this.#pager.newEdit());
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

  #start(world: WorldNumber, sequence: Sequence): { sequence: Sequence; root: Node; next?: LogPosition } {
    let best: { sequence: Sequence; root: Node; next?: LogPosition } | null = null;
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
    if (best !== null) {
      // The root kept is shared with whoever reads it: the replay copies what it changes.
      return best;
    }
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

  /** Lets go of roots whose pages may be collected. */
  forget(): void {
    this.#kept = [];
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    if (this.#kept.length > KEPT_MAX) this.#kept.shift();
  }
}
