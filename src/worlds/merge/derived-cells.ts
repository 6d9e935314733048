/** Cells that follow from others. */
import type { PlanInput } from './plan.ts';

/**
 * Derived cells: generated columns, and hidden cells of indexes. A side that added such a column or index has not thereby
 * changed rows. null if there are none.
 */
export function derivedCells({ base, ours, theirs }: PlanInput, table: number): ReadonlySet<number> | null {
  const [before, mine, yours] = [base, ours, theirs].map(({ catalog }) => catalog.byNumber.get(table)?.relation);
  const cells = [before, mine, yours].flatMap((relation) => [...(relation?.hidden ?? [])]);
  for (const [side, other] of [
    [mine, yours],
    [yours, mine],
  ]) {
    for (const { number, generated } of side?.attributes ?? []) {
      // On the other side it may be an ordinary column.
      if (generated !== null && other?.attributes.some((each) => each.number === number && each.generated === null) !== true) cells.push(number);
    }
  }
  return cells.length === 0 ? null : new Set(cells);
}
