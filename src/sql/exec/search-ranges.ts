/**
 * What a term asks of an index of lists: ranges of its entries that hold all rows it can have. Of several keys that a
 * row must all have, those that the fewest rows have are taken; the condition itself is asked of each row later.
 */
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { rowsBetween } from '../../tree/read.ts';
import { listedKey } from '../../worlds/index-keys.ts';
import type { SearchTerm } from '../schema/search-keys.ts';
import { keyAfterPrefix } from './context.ts';

export interface EntryRange {
  readonly lower: string;
  readonly upper: string;
}

export interface Found {
  /** null: any row may be one. */
  readonly ranges: readonly EntryRange[] | null;
  /** Entries in the ranges. */
  readonly rows: number;
  /** Ranges of each of some more keys, which the rows have, too. */
  readonly also?: readonly (readonly EntryRange[])[];
}

/** Reading an entry takes a part of what looking at its row does: so many more of another key are read. */
const ALSO_SHARE = 6;
const ALSO_MAX = 3;

export function searchRanges(pager: Pager, tree: Node, column: number, term: SearchTerm): Found {
  if (term === null) return { ranges: null, rows: Infinity };
  if ('key' in term) {
    const lower = listedKey(column, term.key);
    const upper = keyAfterPrefix(lower) as string;
    return { ranges: [{ lower, upper }], rows: rowsBetween(pager, tree, lower, upper) };
  }
  if (term.kind === 'range') {
    const [lower, upper] = [listedKey(column, term.from), keyAfterPrefix(listedKey(column, term.to)) as string];
    return { ranges: [{ lower, upper }], rows: rowsBetween(pager, tree, lower, upper) };
  }
  const parts = term.terms.map((each) => searchRanges(pager, tree, column, each));
  if (term.kind === 'all') {
    parts.sort((a, b) => a.rows - b.rows);
    const [best = { ranges: null, rows: Infinity }, ...others] = parts;
    const also = others.slice(0, ALSO_MAX).flatMap(({ ranges, rows }) => (ranges === null || rows > best.rows * ALSO_SHARE ? [] : [ranges]));
    return { ...best, also };
  }
  const ranges: EntryRange[] = [];
  let rows = 0;
  for (const part of parts) {
    if (part.ranges === null) return part;
    ranges.push(...part.ranges);
    rows += part.rows;
  }
  return { ranges, rows };
}
