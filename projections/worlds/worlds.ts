/**
 * The worlds projection: the fold of events into the registry of worlds (registry.ts). A merge, an undo and a rebase move fork points and what worlds know of
 * each other (bases.ts); a commit changes a world's trees; the rest changes records.
 */
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import type { Envelope, Event, Recorded } from '../../src/events/event.ts';
import type { Committed } from '../../src/events/types/committed.ts';
import type { Merged } from '../../src/events/types/merged.ts';
import type { HistoryPlace } from '../../src/events/types/swept.ts';
import { CATALOG_TREE, countRows, EFFECT_TREE, SEQUENCE_TREE, type TreeChanges } from '../../src/events/changes.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { sameRow } from '../../src/tree/diff.ts';
import { childRoot } from '../../src/tree/directory.ts';
import type { Node } from '../../src/tree/node.ts';
import { rowIn } from '../../src/tree/row-change.ts';
import { emptyTree } from '../../src/tree/write.ts';
import { applyToWorld, type Branch } from '../../src/worlds/apply.ts';
import { changesCatalog } from '../../src/worlds/catalog.ts';
import { emptiedRows } from '../../src/worlds/emptied-rows.ts';
import { newWorld } from '../../src/worlds/new-world.ts';
import type { World } from '../../src/worlds/world.ts';
import { foreseenEnds } from './foreseen-ends.ts';
import { recordOf } from './open-worlds.ts';
import { WorldRegistry } from './registry.ts';
import { dumpWorlds, loadPart } from './snapshot.ts';

/** A merge into it sends its effects to the outbox. */
const MAIN = 'main';

export class WorldsProjection extends WorldRegistry implements Projection {
  *foresee(tail: Iterable<Recorded>): Iterable<void> {
    this.live.doom(
      yield* foreseenEnds(
        tail,
        (number) => this.live.byNumber(number as WorldNumber)?.parent,
        (number) => this.live.byNumber(number as WorldNumber)?.met?.shared === true,
      ),
    );
  }

  get partial(): boolean {
    return this.live.partial;
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'opened':
        return this.runs.opened(envelope.sequence);
      case 'closed':
        return this.runs.closed();
      case 'forked':
        return this.#fork(event, envelope);
      case 'simulated':
        return this.simulations.begin(event, envelope.sequence, this.mustOpen(envelope.world));
      case 'worldKept':
        return this.simulations.keepWorld(event, envelope, this.mustOpen(event.base));
      case 'simulationKept':
        return this.simulations.end(event, ({ base }) => this.mustOpen(base));
      case 'simulationDropped':
        return this.simulations.drop(event, ({ base }) => this.byNumber(base));
      case 'committed':
        return this.#commit(this.mustOpen(envelope.world), event, envelope);
      case 'merged': {
        const branch = this.mustOpen(event.branch);
        const target = this.mustOpen(envelope.world);
        const base = this.#mergeBase(event, branch, target);
        const theirs = this.share(branch);
        if (event.built !== undefined) this.#commit(target, event, envelope);
        else this.#write(target, event.changes, envelope, base === null ? null : { base, theirs, disjoint: event.disjoint });
        if (event.common === undefined) this.#moveForkPoint(branch, event.baseChanges);
        else if (event.baseChanges.length > 0)
          this.bases.moveBase(branch, target, (root) => applyToWorld(this.pager, root, event.baseChanges, this.pager.newEdit()));
        if (event.common === 'all') this.bases.merged(branch, target, envelope.sequence, event.stays);
        branch.merges.push({ sequence: envelope.sequence, into: envelope.world, stays: event.stays, undone: false });
        if (event.stays) {
          branch.version++;
          this.#touch(branch, envelope);
        } else this.end(branch, 'merged', envelope.sequence);
        return;
      }
      case 'undone': {
        const target = this.mustOpen(envelope.world);
        this.#write(target, event.changes, envelope);
        this.bases.undone(target, event.merge);
        const branch = this.byNumber(event.branch);
        if (branch !== null) {
          for (const merge of branch.merges) if (merge.sequence === event.merge) merge.undone = true;
          if (event.baseChanges.length > 0) {
            this.bases.moveBase(branch, target, (root) => applyToWorld(this.pager, root, event.baseChanges, this.pager.newEdit()));
            branch.version++;
          }
          this.#touch(branch, envelope);
          return;
        }
        const gone = this.endedByNumber(event.branch);
        if (gone === null) return;
        for (const merge of gone.merges) if (merge.sequence === event.merge) merge.undone = true;
        this.ended.put(recordOf(gone));
        return;
      }
      case 'rebased': {
        const world = this.mustOpen(envelope.world);
        if (this.live.isDoomed(world.number)) {
          world.rebased = envelope.sequence;
          if (world.met !== undefined) this.bases.rebased(world, this.mustOpen(world.parent), envelope.sequence);
          return this.#write(world, event.changes, envelope);
        }
        const parent = this.mustOpen(world.parent);
        const before = world.root;
        world.base = this.share(parent);
        world.edit = this.pager.newEdit();
        world.root = world.base;
        world.catalog = null;
        this.bases.rebased(world, parent, envelope.sequence);
        world.rebased = envelope.sequence;
        const { changed } = world;
        this.#write(world, event.changes, envelope);
        // A rebase alone changes nothing; rows picked or merged differently count.
        world.changed = changed + (world.owner === null ? 0 : this.#otherRows(event.changes, before, world.root));
        return;
      }
      case 'discarded':
        return this.end(this.mustOpen(envelope.world), 'discarded', envelope.sequence);
      case 'kept': {
        const world = this.mustOpen(envelope.world);
        this.owners.remove({ number: world.number, owner: null, ttl: world.ttl });
        world.pinned = event.pinned;
        world.ttl = event.ttl;
        this.owners.add({ number: world.number, owner: null, ttl: world.ttl });
        return this.#touch(world, envelope);
      }
      case 'metaChanged': {
        const world = this.mustOpen(envelope.world);
        world.meta = event.meta;
        return this.#touch(world, envelope);
      }
      case 'confirmed': {
        const world = this.mustOpen(envelope.world);
        world.flagged = false;
        world.confirmed = envelope.sequence;
        return this.#touch(world, envelope);
      }
      case 'checkpointed': {
        const world = this.mustOpen(envelope.world);
        world.checkpoints.push({ name: event.name, at: envelope.at, sequence: envelope.sequence });
        if (!this.live.isDoomed(world.number)) this.setCheckpoint(world, event.name, this.share(world));
        return this.#touch(world, envelope);
      }
      case 'swept':
        // A world that continues in the next slice is listed there, too.
        for (const number of event.gone) if (event.to === null || number < event.to.world) this.forget(number as WorldNumber);
        return;
      case 'trimmed':
        for (const number of event.gone) this.forget(number as WorldNumber);
        return;
      default:
        return;
    }
  }

  #fork(event: Extract<Event, { type: 'forked' }>, envelope: Envelope): void {
    const number = envelope.world;
    const parent = event.parent === 0 ? null : this.mustOpen(event.parent);
    const edit = this.pager.newEdit();
    const doomed = this.live.isDoomed(number);
    let root: Node = parent === null || doomed ? emptyTree(true, edit) : this.share(parent);
    if (event.changes.length > 0 && !doomed) root = applyToWorld(this.pager, root, event.changes, edit);
    const world = newWorld({
      number,
      name: event.name,
      created: envelope.at,
      parent: event.parent,
      depth: parent === null ? 0 : parent.depth + 1,
      owner: event.owner,
      meta: event.meta,
      root,
      catalog: event.changes.length > 0 || doomed ? null : (parent?.catalog ?? null),
      edit: this.pager.newEdit(),
    });
    this.add(world);
    if (parent !== null) {
      parent.children++;
      this.live.dirty(parent);
      const past = event.changes.length > 0;
      this.bases.forked(world, parent, past ? parent.number : number, past);
    }
  }

  /** The base of the merge if its changes are exactly the branch's changes since; otherwise null. */
  #mergeBase({ whole, common }: Merged, branch: World, target: World): Node | null {
    if (!whole || this.live.isDoomed(branch.number) || this.live.isDoomed(target.number)) return null;
    if (common === undefined) return branch.base;
    const { roots } = this.bases.common(branch, target);
    return roots.length === 1 ? roots[0] : null;
  }

  #commit(world: World, { changes, built }: Pick<Committed, 'changes' | 'built'>, envelope: Envelope): void {
    if (built === undefined) return this.#write(world, changes, envelope);
    this.#write(world, changes, envelope, { base: built.base, theirs: built.after, disjoint: true, entire: true });
    this.pager.dirtyBytes += built.bytes;
  }

  #write(world: World, changes: readonly TreeChanges[], envelope: Envelope, branch: Branch | null = null): void {
    const doomed = this.live.isDoomed(world.number);
    // Counted before they are removed. No quota applies to worlds without an owner.
    if (!doomed && world.owner !== null && changesCatalog(changes)) world.changed += emptiedRows(this.pager, world.root, changes);
    if (!doomed) world.root = applyToWorld(this.pager, world.root, world.name === MAIN ? withoutEffects(changes) : changes, world.edit, branch);
    if (world.catalog !== null && changesCatalog(changes)) world.catalog = null;
    world.version++;
    world.changed += countRows(changes);
    if (!world.flagged && this.isFlagged(world)) world.flagged = true;
    world.lastWrite = envelope.sequence;
    this.#touch(world, envelope);
  }

  #moveForkPoint(branch: World, baseChanges: readonly TreeChanges[]): void {
    if (baseChanges.length > 0 && !this.live.isDoomed(branch.number)) branch.base = applyToWorld(this.pager, branch.base, baseChanges, this.pager.newEdit());
  }

  #otherRows(changes: readonly TreeChanges[], before: Node, after: Node): number {
    let count = 0;
    for (const { tree, rows } of changes) {
      if (tree === CATALOG_TREE || tree === SEQUENCE_TREE) continue;
      const old = childRoot(this.pager, before, tree);
      const now = childRoot(this.pager, after, tree);
      for (const { key } of rows) {
        const a = rowIn(this.pager, old, key);
        const b = rowIn(this.pager, now, key);
        if (a === null ? b !== null : b === null || !sameRow(a.leaf, a.index, b.leaf, b.index)) count++;
      }
    }
    return count;
  }

  #touch(world: World, envelope: Envelope): void {
    world.active = envelope.at as Micros;
    this.live.dirty(world);
  }

  /** Ended worlds that were ended at or before `through`. */
  forgets(through: Sequence, from: HistoryPlace, to: HistoryPlace | null): number[] {
    return this.ended.endedBy(through, from, to);
  }

  dump(root: Node): Iterable<Uint8Array> {
    return dumpWorlds(new WorldRegistry(this.pager, root));
  }

  load(part: Uint8Array): void {
    loadPart(this, part);
  }

  written(): void {
    this.live.evict();
  }
}

function withoutEffects(changes: readonly TreeChanges[]): readonly TreeChanges[] {
  return changes.some(({ tree }) => tree === EFFECT_TREE) ? changes.filter(({ tree }) => tree !== EFFECT_TREE) : changes;
}

// Version 3: earlier ones lost sequence positions in large commits.
export const worlds = defineProjection({ name: 'worlds', slot: 1, version: 3, make: (pager, root) => new WorldsProjection(pager, root) });

/** Their records alone, for past moments of the whole folder: worlds have no trees, and it is never sealed. */
export const worldRecords = defineProjection({
  ...worlds,
  make: (pager, root) => {
    const made = new WorldsProjection(pager, root);
    made.live.keepRecordsOnly();
    return made;
  },
});
