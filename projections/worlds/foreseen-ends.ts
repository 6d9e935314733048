/**
 * Finds worlds that end within the part of the log about to be replayed: their rows will not be read, so the replay need not
 * build them. What they merged into other worlds is in the `merged` events. Excluded are worlds whose state others are built
 * from: forks and rebases of worlds that do not end, simulations, and worlds that were merged elsewhere and stayed.
 */
import type { Recorded } from '../../src/events/event.ts';
import { EVENT_TYPES } from '../../src/events/codec.ts';
import { forkedParent } from '../../src/events/types/forked.ts';
import { mergedBranch } from '../../src/events/types/merged.ts';

/** Steps over the log; `parentOf`, `isShared`: for worlds that existed before. */
export function* foreseenEnds(
  tail: Iterable<Recorded>,
  parentOf: (world: number) => number | undefined,
  isShared: (world: number) => boolean = () => false,
): Generator<void, ReadonlySet<number>> {
  const ends = new Set<number>();
  const parents = new Map<number, number>();
  /** Worlds whose state is needed at some time, and worlds based on their parent's state. */
  const needed = new Set<number>();
  const standing: number[] = [];
  let count = 0;
  for (const { type, world, sequence, payload } of tail) {
    if ((++count & 255) === 0) yield;
    switch (type) {
      case EVENT_TYPES.forked:
        parents.set(sequence, forkedParent(payload));
        standing.push(sequence);
        break;
      case EVENT_TYPES.rebased:
        standing.push(world);
        break;
      case EVENT_TYPES.simulated:
      case EVENT_TYPES.worldKept:
        needed.add(world);
        break;
      case EVENT_TYPES.discarded:
        ends.add(world);
        break;
      case EVENT_TYPES.merged: {
        const { branch, stays, shared } = mergedBranch(payload);
        if (!stays) ends.add(branch);
        // The other world keeps its state as the base of later merges.
        if (shared || (!stays && isShared(branch))) needed.add(branch);
        break;
      }
    }
  }
  for (const world of standing) if (!ends.has(world)) needed.add(parents.get(world) ?? parentOf(world) ?? 0);
  // A needed world needs its own parent in turn.
  for (const world of needed) {
    ends.delete(world);
    const parent = parents.get(world) ?? parentOf(world);
    if (parent !== undefined && parent !== 0 && ends.has(parent)) needed.add(parent);
  }
  return ends;
}
