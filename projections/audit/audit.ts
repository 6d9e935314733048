/**
 * The audit: actions of agents, the guest and the system. The database's own user and roles of SQL are not recorded.
 * It lasts as long as history: a trim removes its entries.
 *
 *   BY_TIME  (sequence → moment, actor, world, action, other world, rows)
 *   BY_ACTOR (actor, sequence → )
 */
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { countRows } from '../../src/events/changes.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { childRoot, setChildRoot } from '../../src/tree/directory.ts';
import type { Leaf, Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { leafFor, scan, scanBack } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import type { Audit, AuditBounds, AuditEntry } from '../../src/worlds/world.ts';

const BY_TIME = 1;
const BY_ACTOR = 2;

const AT = 1;
const ACTOR = 2;
const WORLD = 3;
const ACTION = 4;
const OTHER = 5;
const ROWS = 6;
const ENTRY: Shape = { ids: [AT, ACTOR, WORLD, ACTION, OTHER, ROWS], kinds: [KIND.F64, KIND.TEXT, KIND.F64, KIND.I32, KIND.F64, KIND.F64] };
const MARK: Shape = { ids: [1], kinds: [KIND.I32] };

/** Stored by position: append only. */
const ACTIONS: readonly AuditEntry['action'][] = ['write', 'fork from', 'merge into', 'merge part into', 'discard', 'metadata'];

const EVERYTHING: AuditBounds = { before: Infinity, beforeAt: Infinity, after: -1, afterAt: -1 };

/** A slice of a trim removes at most this many entries; the last one removes the rest. */
const SWEEP_ENTRIES = 2000;

export class AuditProjection implements Projection, Audit {
  readonly #pager: Pager;
  #directory: Node;
  #byTime: Node;
  #byActor: Node;
  #edit: number;

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#directory = root ?? emptyTree(true, this.#edit);
    this.#byTime = childRoot(pager, this.#directory, BY_TIME) ?? emptyTree(true, this.#edit);
    this.#byActor = childRoot(pager, this.#directory, BY_ACTOR) ?? emptyTree(false, this.#edit);
  }

  apply(event: Event, envelope: Envelope): void {
    if (event.type === 'swept') return this.#sweep(event.through, event.to === null ? Infinity : SWEEP_ENTRIES);
    if (event.type === 'trimmed') return this.#sweep(event.through, Infinity);
    if (event.type === 'simulationDropped') return this.#drop(event.worlds);
    const { actor } = envelope;
    if (actor === '' || actor.startsWith('role:')) return;
    switch (event.type) {
      case 'committed':
      case 'undone':
      case 'rebased':
        return this.#add(envelope, envelope.world, 'write', 0, countRows(event.changes));
      case 'forked':
        return this.#add(envelope, envelope.world, 'fork from', event.parent, 0);
      case 'worldKept':
        return this.#add(envelope, envelope.world, 'fork from', event.base, countRows(event.changes));
      case 'merged':
        return this.#add(envelope, event.branch, event.stays ? 'merge part into' : 'merge into', envelope.world, countRows(event.changes));
      case 'discarded':
        return this.#add(envelope, envelope.world, 'discard', 0, 0);
      case 'metaChanged':
      case 'kept':
      case 'confirmed':
      case 'checkpointed':
        return this.#add(envelope, envelope.world, 'metadata', 0, 0);
      default:
    }
  }

  #add({ sequence, at, actor }: Envelope, world: number, action: AuditEntry['action'], other: number, rows: number): void {
    const after = [at, actor, world, ACTIONS.indexOf(action), other, rows];
    this.#byTime = applyChanges(this.#pager, this.#byTime, [{ key: sequence, shape: ENTRY, before: null, after }], this.#edit);
    this.#byActor = applyChanges(this.#pager, this.#byActor, [{ key: actorKey(actor, sequence), shape: MARK, before: null, after: [1] }], this.#edit);
  }

  /** For worlds of dropped simulation runs. */
  #drop(worlds: readonly number[]): void {
    for (const sequence of worlds) {
      const leaf = leafFor(this.#pager, this.#byTime, sequence);
      const at = leaf.find(sequence);
      if (at < 0) continue;
      const actor = actorKey(leaf.cell(at, ACTOR) as string, sequence);
      this.#byTime = applyChanges(this.#pager, this.#byTime, [{ key: sequence, shape: ENTRY, before: [], after: null }], this.#edit);
      this.#byActor = applyChanges(this.#pager, this.#byActor, [{ key: actor, shape: MARK, before: [], after: null }], this.#edit);
    }
  }

  #sweep(through: Sequence, most: number): void {
    const times: RowChange[] = [];
    const actors: RowChange[] = [];
    scan(this.#pager, this.#byTime, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const sequence = leaf.key(i) as number;
        if (sequence > through || times.length >= most) return false;
        times.push({ key: sequence, shape: ENTRY, before: [], after: null });
        actors.push({ key: actorKey(leaf.cell(i, ACTOR) as string, sequence), shape: MARK, before: [], after: null });
      }
      return true;
    });
    if (times.length === 0) return;
    actors.sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#byTime = applyChanges(this.#pager, this.#byTime, times, this.#edit);
    this.#byActor = applyChanges(this.#pager, this.#byActor, actors, this.#edit);
  }

  list(actor: string | null, limit: number, { before, beforeAt, after, afterAt }: AuditBounds = EVERYTHING): AuditEntry[] {
    const out: AuditEntry[] = [];
    if (limit <= 0) return out;
    const highest = Math.min(before, 2 ** 48 - 1);
    /** False: later entries are older than wanted. */
    const take = (entry: AuditEntry): boolean => {
      if (entry.sequence <= after || entry.at <= afterAt) return false;
      if (entry.at < beforeAt) out.push(entry);
      return out.length < limit;
    };
    if (actor === null) {
      scanBack(this.#pager, this.#byTime, highest, (leaf, from, to) => {
        for (let i = to - 1; i >= from; i--) if (!take(entryAt(leaf, i))) return false;
        return true;
      });
      return out;
    }
    const prefix = actorPrefix(actor);
    scanBack(this.#pager, this.#byActor, actorKey(actor, highest), (leaf, from, to) => {
      for (let i = to - 1; i >= from; i--) {
        const key = leaf.key(i) as string;
        if (!key.startsWith(prefix)) return false;
        const sequence = Buffer.from(key.slice(prefix.length), 'latin1').readUIntBE(0, 6);
        const at = leafFor(this.#pager, this.#byTime, sequence);
        if (!take(entryAt(at, at.find(sequence)))) return false;
      }
      return true;
    });
    return out;
  }

  /** A base is at the start of history, and nothing earlier is kept. */
  *dump(_root: Node): Iterable<Uint8Array> {}

  load(_part: Uint8Array): void {}

  seal(): Node {
    this.#directory = setChildRoot(this.#pager, this.#directory, BY_TIME, this.#byTime, this.#edit);
    this.#directory = setChildRoot(this.#pager, this.#directory, BY_ACTOR, this.#byActor, this.#edit);
    this.#edit = this.#pager.newEdit();
    return this.#directory;
  }
}

function entryAt(leaf: Leaf, i: number): AuditEntry {
  return {
    sequence: leaf.key(i) as Sequence,
    at: leaf.cell(i, AT) as Micros,
    actor: leaf.cell(i, ACTOR) as string,
    world: leaf.cell(i, WORLD) as WorldNumber,
    action: ACTIONS[leaf.cell(i, ACTION) as number],
    other: leaf.cell(i, OTHER) as WorldNumber,
    rows: leaf.cell(i, ROWS) as number,
  };
}

function actorPrefix(actor: string): string {
  return `${utf8Key(actor)}\0`;
}

const scratch = Buffer.alloc(6);

function actorKey(actor: string, sequence: number): string {
  scratch.writeUIntBE(sequence, 0, 6);
  return actorPrefix(actor) + scratch.latin1Slice(0, 6);
}

export const audit = defineProjection({ name: 'audit', slot: 6, version: 1, make: (pager, root) => new AuditProjection(pager, root) });
