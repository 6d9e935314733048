/**
 * Rows of a table ranked by words, by a vector, or by both. Two rankings become one by reciprocal rank fusion (Cormack, Clarke and Büttcher
 * 2009): a row's score is the sum of 1 / (60 + rank) over the rankings that have it.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { FoundRow, FoundRows, Search, SearchedTable, TextLimits, VectorLimits } from '../worlds/search.ts';
import type { FindInput } from './contract.ts';

const RRF_K = 60;
/** Rows of each ranking that are fused, at least. */
const FUSED_MIN = 200;

/** The place of a row in one ranking, from 1. */
export interface Standing {
  readonly rank: number;
  readonly score: number;
}

export interface RankedRow extends FoundRow {
  /** Of both rankings, where two were fused; null in the one that lacks it. */
  readonly ranks?: { readonly text: Standing | null; readonly vector: Standing | null };
}

/** Of both searches. */
export interface RankedLimits extends TextLimits, VectorLimits {}

export interface RankedRows extends FoundRows {
  readonly rows: readonly RankedRow[];
}

export type RankedBy = Pick<FindInput, 'text' | 'vector' | 'vector_field'>;

export function* rankedRows(search: Search, table: SearchedTable, by: RankedBy, limits: RankedLimits): Generator<void, RankedRows> {
  const { text, vector, vector_field: field } = by;
  if (vector === undefined) return yield* search.byText(table, text!, limits);
  checkVector(vector);
  if (text === undefined) return yield* search.byVector(table, field!, vector, limits);
  return yield* fused(search, table, { text, vector, field: field! }, limits);
}

function checkVector(vector: readonly number[]): void {
  if (vector.length === 0) throw new SvcError('22023', '`vector` has no numbers');
  if (!vector.every(Number.isFinite)) throw new SvcError('22003', '`vector` has a number that no double can hold');
}

function* fused(
  search: Search,
  table: SearchedTable,
  { text, vector, field }: { text: string; vector: readonly number[]; field: string },
  { take, skip, matches, among, beam, without: hidden }: RankedLimits,
): Generator<void, RankedRows> {
  const window = { take: Math.max(skip + take, FUSED_MIN), skip: 0 };
  // Either ranking has the rows with a vector, and those with a word and none.
  const hasVector = search.hasVector(table, field, vector.length);
  let without = 0;
  const counting: TextLimits['matches'] = (leaf, at, part) => {
    if (matches !== null && !matches(leaf, at, part)) return false;
    if (!hasVector(leaf, at, part)) without++;
    return true;
  };
  const byText = yield* search.byText(table, text, { ...window, matches: counting, without: hidden });
  const byVector = yield* search.byVector(table, field, vector, { ...window, matches, among, beam });
  const rows = new Map<string, { row: FoundRow; text: Standing | null; vector: Standing | null; score: number }>();
  const add = (of: 'text' | 'vector', found: readonly FoundRow[]): void => {
    found.forEach((row, i) => {
      const standing = { rank: i + 1, score: row.score };
      const name = `${row.part}:${row.key}`;
      const known = rows.get(name) ?? { row, text: null, vector: null, score: 0 };
      rows.set(name, { ...known, [of]: standing, score: known.score + 1 / (RRF_K + standing.rank) });
    });
  };
  add('text', byText.rows);
  add('vector', byVector.rows);
  const isBefore = search.isBefore(table);
  const order = [...rows.values()].sort((a, b) => b.score - a.score || (isBefore(a.row, b.row) ? -1 : 1));
  return { rows: order.slice(skip, skip + take).map(({ row, score, ...ranks }) => ({ ...row, score, ranks })), total: byVector.total + without };
}
