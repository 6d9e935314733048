/**
 * Hint on how to resolve a merge's conflicts, in an entrance's own words. Rows changed on both sides are resolved by picking
 * a side; rows that together violate a constraint (`code` is its SQLSTATE) are not.
 */
interface Unresolved {
  readonly code?: string;
}

/** How an entrance expresses each way to resolve a conflict. */
export interface ResolutionWords {
  readonly sides: string;
  readonly columns: string;
  readonly single: string;
  readonly leaveOut: string;
  readonly together: string;
}

export function resolutionHint(conflicts: readonly Unresolved[], words: ResolutionWords): string {
  const out: string[] = [];
  const isDecided = ({ code }: Unresolved): boolean => code === undefined;
  if (conflicts.some(isDecided)) out.push(`Merge again with ${words.sides}, with ${words.columns} to compare column by column, or with ${words.single}.`);
  if (conflicts.some((each) => !isDecided(each))) {
    out.push(
      `Picking a side does not resolve a broken constraint: change or delete one of its rows in either world, or leave the branch's row out with ${words.leaveOut}.`,
    );
  }
  if (conflicts.some(({ code }) => code === '23503'))
    out.push(`A foreign key also holds once the rows that it points at are merged along (${words.together}).`);
  return out.join(' ');
}
