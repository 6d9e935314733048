/**
 * Finds the merge bases of two worlds, from what each has merged of others.
 *
 * A point is a state of a world: the world and the sequence of the event (fork, merge, rebase) at which another one merged it.
 * A world knows of each other world the latest point that it has merged, directly or by way of a third one:
 *
 *   fork of P at n         knows what P knows, and P at n
 *   X merged into Y at s   Y knows what X knows, too, and X at s
 *   rebase on P at s       as P merged into it
 *
 * For each world, the earlier of the two known points is common to both. A common point that another one includes is redundant;
 * what remains are the merge bases: one point, or several after criss-cross merges with third worlds (like git's merge bases).
 */

/** By world number: the sequence of the latest merged point. */
export type Knowledge = { readonly [world: number]: number };

export interface Point {
  readonly world: number;
  readonly sequence: number;
}

export interface Knower {
  readonly number: number;
  readonly knows: Knowledge;
}

/** `knownAt`: the knowledge of a point's world at that point; null if it is no longer available. Latest first. */
export function commonPoints(a: Knower, b: Knower, knownAt: (point: Point) => Knowledge | null): Point[] {
  const points: Point[] = [];
  const consider = (world: number, mine: number, yours: number | undefined): void => {
    if (yours !== undefined) points.push({ world, sequence: Math.min(mine, yours) });
  };
  for (const [world, sequence] of Object.entries(a.knows)) consider(Number(world), sequence, Number(world) === b.number ? Infinity : b.knows[Number(world)]);
  consider(a.number, Infinity, b.knows[a.number]);
  if (points.length < 2) return points;
  const known = points.map(knownAt);
  const behind = ({ world, sequence }: Point, i: number): boolean =>
    points.some((other, j) => j !== i && other.world !== world && (known[j]?.[world] ?? -1) >= sequence);
  return points.filter((point, i) => !behind(point, i)).sort((x, y) => y.sequence - x.sequence || x.world - y.world);
}

/** Points in `more` that are later than those in `knows`, without those of the world itself. */
export function newKnowledge(own: number, knows: Knowledge, more: Knowledge): Point[] {
  const out: Point[] = [];
  for (const [world, sequence] of Object.entries(more)) {
    if (Number(world) !== own && (knows[Number(world)] ?? -1) < sequence) out.push({ world: Number(world), sequence });
  }
  return out;
}
