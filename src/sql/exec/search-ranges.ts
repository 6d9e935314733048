/**
 * The entry ranges of an inverted index that contain all rows a term can match. Of several required keys the rarest ones are used;
 * the condition itself is rechecked for each row.
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
  /** null: any row may match. */
  readonly ranges: readonly EntryRange[] | null;
  /** Entries in the ranges. */
  readonly rows: number;
  /** Ranges of further keys that the rows must have, too. */
  readonly also?: readonly (readonly EntryRange[])[];
}

/** Reading an entry is cheaper than reading its row: this many more entries of another key are read. */
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
