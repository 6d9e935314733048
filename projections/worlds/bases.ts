/**
 * Merge bases of any two worlds: what each world knows of others (`met` in its record), and the states themselves
 * (common-states.ts). Between a world and its parent the base is the world's fork point, which merges and rebases move.
 */
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { emptyTree } from '../../src/tree/write.ts';
import { type Knowledge, type Knower, commonPoints, newKnowledge, type Point } from '../../src/worlds/merge/common-points.ts';
import type { CommonBase, Met, World } from '../../src/worlds/world.ts';
import { type CommonStates, pairKey, type PairRecord, pointKey, type PointRecord, priorKey, type PriorRecord } from './common-states.ts';

/** Number of ended worlds remembered: two worlds that both merged one have it in common. */
const GONE_KNOWN_MAX = 16;
/** Number of merges that can be undone exactly; each keeps a state. */
const PRIOR_MAX = 16;
/** Other worlds whose knowledge a fork copies, so that a chain of a thousand forks does not copy a list of a thousand. */
const KNOWN_AT_FORK_MAX = 64;

/** What the worlds projection provides. */
export interface BaseHost {
  readonly pager: Pager;
  readonly states: CommonStates;
  edit(): number;
  world(number: number): World | null;
  /** It ends within the replay, so its trees are not built. */
  isDoomed(number: number): boolean;
  share(world: World): Node;
  dirty(world: World): void;
}

type Prior = NonNullable<Met['prior']>[number];

export function metOf(world: World): Met {
  if (world.met !== undefined) return world.met;
  const at = Math.max(world.rebased, world.number);
  const isMoved = world.merges.some(({ stays, into, undone, sequence }) => stays && into === world.parent && !undone && sequence > world.rebased);
  return { knows: world.parent === 0 ? {} : { [world.parent]: at }, at, pure: !isMoved, baseKnows: {} };
}

export class Bases {
  readonly #host: BaseHost;

  constructor(host: BaseHost) {
    this.#host = host;
  }

  // --- reading

  common(a: World, b: World): CommonBase {
    for (const [child, parent] of [
      [a, b],
      [b, a],
    ]) {
      if (child.parent === parent.number) return { roots: [child.base], under: null };
    }
    const points = this.#points(a, b);
    const { states } = this.#host;
    const pair = states.record<PairRecord>(pairKey(a.number, b.number));
    if (pair !== null && pair.over === named(points)) return { roots: [states.root(pairKey(a.number, b.number))!], under: null };
    const roots = points.flatMap((point) => this.#stateAt(point, [a, b])?.root ?? []);
    if (roots.length === 0) roots.push(emptyTree(true));
    return { roots, under: roots.length === 1 ? null : this.#under(points, [a, b]) };
  }

  #points(a: World, b: World): Point[] {
    return commonPoints(knower(a), knower(b), (point) => this.#stateAt(point, [a, b])?.knows ?? null);
  }

  /** The common base of the points themselves. */
  #under(points: readonly Point[], near: readonly World[]): Node {
    const [first, second] = points.map(({ world, sequence }): Knower => ({ number: world, knows: this.#stateAt({ world, sequence }, near)?.knows ?? {} }));
    for (const point of commonPoints(first, second, () => null)) {
      const state = this.#stateAt(point, near);
      if (state !== null) return state.root;
    }
    return emptyTree(true);
  }

  #stateAt(point: Point, near: readonly World[]): { root: Node; knows: Knowledge } | null {
    for (const each of near) {
      if (isInline(each, point)) return { root: each.base, knows: metOf(each).baseKnows };
    }
    const { states } = this.#host;
    const record = states.record<PointRecord>(pointKey(point));
    if (record !== null) return { root: states.root(pointKey(point))!, knows: record.knows };
    // In folders of earlier releases, partial merges have moved it.
    for (const each of near) {
      const met = metOf(each);
      if (each.parent === point.world && met.at === point.sequence) return { root: each.base, knows: met.baseKnows };
    }
    return null;
  }

  // --- changes

  /** A fork; `past`: of an earlier, otherwise unknown state of the parent. */
  forked(world: World, parent: World, at: number, past: boolean): void {
    const above = past ? {} : nearest(metOf(parent).knows);
    if (!past && Object.keys(above).length === 0 && at === world.number) return;
    const knows = { ...above, [parent.number]: at };
    world.met = { knows, at, pure: true, baseKnows: above };
    if (this.#host.isDoomed(world.number)) return;
    for (const [number, sequence] of Object.entries(above)) this.#hold({ world: Number(number), sequence }, [parent]);
  }

  /** `branch` was merged completely into `target`. `stays`: the branch stays, or other worlds know it. */
  merged(branch: World, target: World, sequence: number, stays: boolean): void {
    const more: { [world: number]: number } = { ...metOf(branch).knows };
    const known = metOf(branch);
    if (stays || known.shared === true) more[branch.number] = sequence;
    if (stays) branch.met = { ...known, shared: true };
    this.#learn(target, branch, more, sequence);
    this.#forgetPair(branch, target);
    this.#host.dirty(branch);
  }

  /** The world is based on its parent's current state; its fork point has been moved already. */
  rebased(world: World, parent: World, sequence: number): void {
    this.#leaveBase(world);
    this.#dropPrior(world);
    const { knows } = metOf(parent);
    this.#learn(world, parent, knows, sequence);
    world.met = { ...metOf(world), knows: { ...metOf(world).knows, [parent.number]: sequence }, at: sequence, pure: true, baseKnows: knows };
    const { shared, prior, pairs, knows: all } = world.met;
    // Equal to the default.
    if (shared === undefined && prior === undefined && pairs === undefined && Object.keys(all).length === 1 && Object.keys(knows).length === 0)
      delete world.met;
  }

  /** Partial merges move the common base; `apply` applies them. */
  moveBase(branch: World, target: World, apply: (root: Node) => Node): void {
    const child = branch.parent === target.number ? branch : target.parent === branch.number ? target : null;
    if (child !== null) {
      if (this.#host.isDoomed(child.number)) return;
      const met = metOf(child);
      if (met.pure) {
        this.#host.states.hold({ world: child.parent, sequence: met.at }, child.base, met.baseKnows, this.#host.edit());
        child.met = { ...met, pure: false };
      }
      child.base = apply(child.base);
      this.#host.dirty(child);
      return;
    }
    if (this.#host.isDoomed(branch.number) || this.#host.isDoomed(target.number)) return;
    const { roots } = this.common(branch, target);
    const over = named(this.#points(branch, target));
    this.#host.states.put(pairKey(branch.number, target.number), { over }, apply(roots[0]), this.#host.edit());
    for (const [one, other] of [
      [branch, target],
      [target, branch],
    ]) {
      const met = metOf(one);
      if (met.pairs?.includes(other.number) !== true) one.met = { ...met, pairs: [...(met.pairs ?? []), other.number] };
      this.#host.dirty(one);
    }
  }

  /** A merge into `target` was undone: forget what it merged. */
  undone(target: World, merge: number): void {
    for (const { world, at, before } of [...(target.met?.prior ?? [])].reverse()) {
      if (at !== merge) continue;
      const met = target.met!;
      const prior = met.prior!.filter((each) => each.world !== world || each.at !== merge);
      const later = prior.findIndex((each) => each.world === world && each.at > merge);
      if (later >= 0) {
        // A later merge has brought more: link its undo to the state before this one.
        this.#drop(target, { world, at, before: prior[later].before }, prior[later].at, merge);
        target.met = { ...met, prior: prior.map((each, i) => (i === later ? { ...each, before } : each)) };
      } else this.#goBack(target, { world, at, before }, prior);
      this.#host.dirty(target);
    }
  }

  #goBack(target: World, { world, at, before }: Prior, prior: readonly Prior[]): void {
    const { states } = this.#host;
    const met = target.met!;
    const knows: { [world: number]: number } = { ...met.knows };
    if (world === target.parent) {
      const key = priorKey(target.number, at);
      const moved = states.record<PriorRecord>(key);
      knows[world] = before;
      target.met = { ...met, knows, prior, at: before, pure: moved?.pure ?? true, baseKnows: moved?.knows ?? {} };
      if (!met.pure) this.#release(target, { world, sequence: met.at });
      if (moved !== null && !this.#host.isDoomed(target.number)) target.base = states.root(key)!;
      states.remove(key, this.#host.edit());
      return;
    }
    this.#release(target, { world, sequence: knows[world] });
    if (before === 0) delete knows[world];
    else knows[world] = before;
    target.met = { ...met, knows, prior };
  }

  /** The state before a merge is no longer needed; `next`: the later merge that links to it. */
  #drop(world: World, { world: of, before }: Prior, next: number | null, merge: number): void {
    const { states } = this.#host;
    if (of !== world.parent) {
      if (before !== 0) this.#release(world, { world: of, sequence: before });
      return;
    }
    const gone = priorKey(world.number, next ?? merge);
    const record = states.record<PriorRecord>(gone);
    if (record !== null && !record.pure) this.#release(world, { world: of, sequence: record.at });
    const kept = next === null ? null : priorKey(world.number, merge);
    const there = kept === null ? null : states.record<PriorRecord>(kept);
    if (there === null) states.remove(gone, this.#host.edit());
    else {
      states.put(gone, there, states.root(kept!), this.#host.edit());
      states.remove(kept!, this.#host.edit());
    }
  }

  #release(world: World, point: Point): void {
    if (!this.#host.isDoomed(world.number)) this.#host.states.release(point, this.#host.edit());
  }

  /** The world has ended. */
  left(world: World): void {
    const { states } = this.#host;
    const { met } = world;
    if (met === undefined) return;
    const edit = this.#host.edit();
    if (!this.#host.isDoomed(world.number)) {
      for (const [number, sequence] of Object.entries(met.knows)) {
        const point = { world: Number(number), sequence };
        if (!isInline(world, point)) states.release(point, edit);
      }
    }
    for (const each of met.prior ?? []) this.#drop(world, each, null, each.at);
    for (const other of met.pairs ?? []) states.remove(pairKey(world.number, other), edit);
    delete world.met;
  }

  // --- helpers

  #hold(point: Point, near: readonly World[]): void {
    const state = this.#stateAt(point, near);
    if (state !== null) this.#host.states.hold(point, state.root, state.knows, this.#host.edit());
  }

  /** The target learns what the branch knows, and the branch's current state if `more` includes it. */
  #learn(target: World, branch: World, more: Knowledge, sequence: number): void {
    const { states } = this.#host;
    const edit = this.#host.edit();
    const isDoomed = this.#host.isDoomed(target.number);
    for (const point of newKnowledge(target.number, metOf(target).knows, more)) {
      const isBranch = point.world === branch.number && point.sequence === sequence;
      const state = isBranch ? { root: this.#host.share(branch), knows: metOf(branch).knows } : this.#stateAt(point, [branch]);
      if (state === null) continue;
      const met = metOf(target);
      const before = point.world === target.parent ? met.at : (met.knows[point.world] ?? 0);
      const raised = { world: point.world, at: sequence, before };
      if (point.world === target.parent) {
        if (!isDoomed) {
          states.put(priorKey(target.number, sequence), { at: met.at, pure: met.pure, knows: met.baseKnows }, target.base, edit);
          target.base = state.root;
        }
        const knows = { ...met.knows, [point.world]: point.sequence };
        target.met = { ...met, knows, prior: [...(met.prior ?? []), raised], at: point.sequence, pure: true, baseKnows: state.knows };
        continue;
      }
      if (!isDoomed) states.hold(point, state.root, state.knows, edit);
      target.met = { ...met, knows: { ...met.knows, [point.world]: point.sequence }, prior: [...(met.prior ?? []), raised] };
      this.#shareBack(target, point, state.root, isBranch);
    }
    if (target.met !== undefined) this.#prune(target);
    this.#host.dirty(target);
  }

  /** What a child has merged into the target by way of others becomes part of its fork point. */
  #shareBack(target: World, { world: number, sequence }: Point, root: Node, isBranch: boolean): void {
    const world = this.#host.world(number);
    if (world === null) return;
    const met = metOf(world);
    if (met.shared !== true) world.met = { ...met, shared: true };
    this.#host.dirty(world);
    if (isBranch || world.parent !== target.number || this.#host.isDoomed(number) || met.at >= sequence) return;
    if (world.merges.some(({ into, undone, sequence: at }) => into === target.number && !undone && at >= sequence)) return;
    if (met.pure) {
      this.#host.states.hold({ world: target.number, sequence: met.at }, world.base, met.baseKnows, this.#host.edit());
      world.met = { ...metOf(world), pure: false };
    }
    world.base = root;
  }

  /** The fork point is replaced: its state is no longer needed by this world. */
  #leaveBase(world: World): void {
    const met = metOf(world);
    if (!met.pure && world.parent !== 0 && !this.#host.isDoomed(world.number))
      this.#host.states.release({ world: world.parent, sequence: met.at }, this.#host.edit());
  }

  /** After a rebase, undoing an earlier merge does not move the fork point. */
  #dropPrior(world: World): void {
    const { met } = world;
    if (met?.prior === undefined) return;
    for (const each of met.prior) if (each.world === world.parent) this.#drop(world, each, null, each.at);
    const prior = met.prior.filter((each) => each.world !== world.parent);
    world.met = { ...met, prior: prior.length === 0 ? undefined : prior };
  }

  #forgetPair(a: World, b: World): void {
    const { states } = this.#host;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      if (one.met?.pairs?.includes(other.number) !== true) continue;
      states.remove(pairKey(a.number, b.number), this.#host.edit());
      one.met = { ...one.met, pairs: one.met.pairs.filter((each) => each !== other.number) };
    }
  }

  #prune(world: World): void {
    const old = world.met!.prior ?? [];
    for (const each of old.slice(0, Math.max(0, old.length - PRIOR_MAX))) this.#drop(world, each, null, each.at);
    if (old.length > PRIOR_MAX) world.met = { ...world.met!, prior: old.slice(-PRIOR_MAX) };
    const met = world.met!;
    if (Object.keys(met.knows).length <= GONE_KNOWN_MAX) return;
    const gone = Object.entries(met.knows)
      .filter(([number]) => Number(number) !== world.parent && this.#host.world(Number(number)) === null)
      .sort(([, a], [, b]) => b - a)
      .slice(GONE_KNOWN_MAX);
    if (gone.length === 0) return;
    const knows: { [world: number]: number } = { ...met.knows };
    const forgotten = new Set(gone.map(([number]) => Number(number)));
    for (const [number, sequence] of gone) {
      this.#release(world, { world: Number(number), sequence });
      delete knows[Number(number)];
    }
    for (const each of met.prior ?? []) if (forgotten.has(each.world)) this.#drop(world, each, null, each.at);
    world.met = { ...met, knows, prior: met.prior?.filter((each) => !forgotten.has(each.world)) };
  }
}

/** A fork of many forks knows its nearest ancestors, and the first one. */
function nearest(knows: Knowledge): Knowledge {
  const all = Object.entries(knows);
  if (all.length <= KNOWN_AT_FORK_MAX) return knows;
  const root = Math.min(...all.map(([number]) => Number(number)));
  return Object.fromEntries(all.sort(([, a], [, b]) => b - a).filter(([number], i) => i < KNOWN_AT_FORK_MAX - 1 || Number(number) === root));
}

function knower(world: World): Knower {
  return { number: world.number, knows: metOf(world).knows };
}

function isInline(world: World, { world: of, sequence }: Point): boolean {
  const met = metOf(world);
  return world.parent === of && met.at === sequence && met.pure;
}

function named(points: readonly Point[]): string {
  return points.map(({ world, sequence }) => `${world}:${sequence}`).join();
}
