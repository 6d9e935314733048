/** What worlds of the model have in common, with a full copy of each state that one has taken in of another. */
import type { ModelWorld, RowState, Tables } from './model-world.ts';
import { copyTables, setRow } from './model-world.ts';
import { planMerge } from './three-way.ts';

/** A state of a world as another one took it in, and what that one knew then. */
export interface Point {
  at: number;
  tables: Tables;
  knew: Map<ModelWorld, number>;
}

export interface Bases {
  /** Of each other world the latest state that was taken in; of the parent the one that the fork point began as. */
  seen: Map<ModelWorld, Point>;
  /** What merges took in, in their order, and what was known of that world before. */
  log: { merge: number; of: ModelWorld; before: Point | undefined; base: Tables | null }[];
  /** Others know states of it. */
  shared: boolean;
  /** Where parts were merged between two that are no parent and fork. */
  pairs: Map<ModelWorld, { over: string; tables: Tables }>;
}

export function forkedBases(parent: ModelWorld | null, at: number, tables: Tables, isPast: boolean): Bases {
  const seen = new Map<ModelWorld, Point>();
  if (parent !== null) {
    const above = isPast ? new Map<ModelWorld, Point>() : parent.bases.seen;
    for (const [world, point] of above) seen.set(world, point);
    seen.set(parent, { at: isPast ? Number(parent.id) : at, tables: copyTables(tables), knew: sequences(above) });
  }
  return { seen, log: [], shared: false, pairs: new Map() };
}

function sequences(seen: ReadonlyMap<ModelWorld, Point>): Map<ModelWorld, number> {
  return new Map([...seen].map(([world, { at }]) => [world, at]));
}

function points(a: ModelWorld, b: ModelWorld): [ModelWorld, Point][] {
  const all: [ModelWorld, Point][] = [];
  for (const world of new Set([...a.bases.seen.keys(), ...b.bases.seen.keys()])) {
    const [mine, yours] = [a, b].map((side) => (side === world ? 'all' : side.bases.seen.get(world)));
    if (mine === undefined || yours === undefined) continue;
    all.push([world, mine === 'all' ? (yours as Point) : yours === 'all' || mine.at <= yours.at ? mine : yours]);
  }
  const behind = ([world, { at }]: [ModelWorld, Point]): boolean => all.some(([other, { knew }]) => other !== world && (knew.get(world) ?? -1) >= at);
  return all.filter((each) => !behind(each)).sort(([v, x], [w, y]) => y.at - x.at || Number(v.id) - Number(w.id));
}

function named(all: readonly [ModelWorld, Point][]): string {
  return all.map(([{ id }, { at }]) => `${id}:${at}`).join();
}

/** The base of a merge between the two. */
export function commonBase(a: ModelWorld, b: ModelWorld): Tables {
  if (a.parent === b) return a.base;
  if (b.parent === a) return b.base;
  const all = points(a, b);
  const pair = a.bases.pairs.get(b);
  if (pair?.over === named(all)) return pair.tables;
  if (all.length === 0) return new Map();
  const [[, first], ...rest] = all;
  if (rest.length === 0) return first.tables;
  // Several: they are merged with each other, over what the first two have in common.
  const under = [...all[0][1].knew].flatMap(([world, at]) => {
    const other = world === all[1][0] ? all[1][1].at : all[1][1].knew.get(world);
    const point = [a, b].map(({ bases }) => bases.seen.get(world)).find((each) => each?.at === Math.min(at, other ?? -1));
    return other === undefined || point === undefined ? [] : [point];
  });
  const own = all[1][1].knew.get(all[0][0]);
  const known = own === undefined ? undefined : [a, b].map(({ bases }) => bases.seen.get(all[0][0])).find((each) => each?.at === own);
  if (known !== undefined) under.push(known);
  under.sort((x, y) => y.at - x.at);
  let base = first.tables;
  for (const [, point] of rest) {
    const sides = { base: under[0]?.tables ?? new Map(), ours: { name: 'base', tables: base }, theirs: { name: 'base', tables: point.tables } };
    base = withRows(base, planMerge(sides, { resolve: 'ours' }).changes);
  }
  return base;
}

export function mergedBases(branch: ModelWorld, target: ModelWorld, merge: number, stays: boolean): void {
  const more = new Map(branch.bases.seen);
  if (stays || branch.bases.shared) more.set(branch, { at: merge, tables: copyTables(branch.tables), knew: sequences(branch.bases.seen) });
  if (stays) branch.bases.shared = true;
  takeIn(target, branch, more, merge);
  branch.bases.pairs.delete(target);
  target.bases.pairs.delete(branch);
}

function takeIn(target: ModelWorld, branch: ModelWorld | null, more: ReadonlyMap<ModelWorld, Point>, merge: number): void {
  const { seen, log } = target.bases;
  for (const [world, point] of [...more].sort(([v], [w]) => Number(v.id) - Number(w.id))) {
    const before = seen.get(world);
    if (world === target || (before?.at ?? -1) >= point.at) continue;
    seen.set(world, point);
    log.push({ merge, of: world, before, base: world === target.parent ? target.base : null });
    if (world === target.parent) {
      target.base = copyTables(point.tables);
      continue;
    }
    if (!world.open) continue;
    world.bases.shared = true;
    const isBranch = world === branch && point.at === merge;
    if (isBranch || world.parent !== target || world.bases.seen.get(target)!.at >= point.at) continue;
    if (world.merges.some(({ into, undone, at }) => into === target && !undone && at >= point.at)) continue;
    world.base = copyTables(point.tables);
  }
}

export function rebasedBases(world: ModelWorld, parent: ModelWorld, at: number): void {
  world.bases.log = world.bases.log.filter(({ of }) => of !== parent);
  takeIn(world, null, parent.bases.seen, at);
  world.bases.seen.set(parent, { at, tables: copyTables(parent.tables), knew: sequences(parent.bases.seen) });
}

/** Partial merges between the two, or their undo. */
export function moveBases(branch: ModelWorld, target: ModelWorld, rows: readonly RowState[]): void {
  const child = branch.parent === target ? branch : target.parent === branch ? target : null;
  if (child !== null) {
    child.base = withRows(child.base, rows);
    return;
  }
  const all = points(branch, target);
  const pair = branch.bases.pairs.get(target);
  const tables = withRows(pair?.over === named(all) ? pair.tables : (all[0]?.[1].tables ?? new Map()), rows);
  for (const [one, other] of [
    [branch, target],
    [target, branch],
  ])
    one.bases.pairs.set(other, { over: named(all), tables });
}

/** Whether undoing the merge still has base changes to undo. */
export function holdsBaseChanges(branch: ModelWorld, target: ModelWorld, merge: number): boolean {
  const child = branch.parent === target ? branch : target.parent === branch ? target : null;
  if (child !== null) return child.bases.seen.get(child.parent!)!.at < merge;
  return branch.bases.pairs.has(target);
}

export function undoneBases(target: ModelWorld, merge: number): void {
  const { bases } = target;
  for (const entry of bases.log.filter((each) => each.merge === merge).reverse()) {
    bases.log = bases.log.filter((each) => each !== entry);
    const later = bases.log.find(({ of, merge: at }) => of === entry.of && at > merge);
    if (later !== undefined) {
      later.before = entry.before;
      later.base = entry.base;
      continue;
    }
    if (entry.before === undefined) bases.seen.delete(entry.of);
    else bases.seen.set(entry.of, entry.before);
    if (entry.base !== null) target.base = entry.base;
  }
}

function withRows(tables: Tables, rows: readonly RowState[]): Tables {
  const out = copyTables(tables);
  for (const { table, id, after } of rows) setRow(out, table, id, after);
  return out;
}
