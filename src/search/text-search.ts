/** Search by words: the segment and the touched rows of a state, ranked; the best rows in order. */
import type { Key } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import { rowIn } from '../tree/row-change.ts';
import type { Pager } from '../tree/pager.ts';
import { rowsBelow } from '../tree/read.ts';
import type { FoundRow, FoundRows, SearchedState, TextLimits } from '../worlds/search.ts';
import { type PhraseCounter, type ScoredBlock, type Scoring, scoring, type SeenRows } from './bm25.ts';
import { keyNumbered, rowNumbered } from './numbered-rows.ts';
import { type Clause, clausesOf } from './query-text.ts';
import { holding, type Searchable, type Segments } from './segments.ts';
import type { TextSegment } from './text-segment.ts';
import type { RowTerms, TextSource } from './text-source.ts';
import { TopRows } from './top-rows.ts';
import type { TouchedRows } from './touched-rows.ts';

const PLACES_A_STEP = 4096;
const NOTHING: FoundRows = { rows: [], total: 0 };

export function* searchText(
  segments: Segments<RowTerms, TextSegment>,
  state: SearchedState,
  source: TextSource,
  text: string,
  limits: TextLimits,
): Generator<void, FoundRows> {
  const clauses = clausesOf(source.configuration, text);
  const { rows } = state;
  if (rows === null || rows.count === 0 || clauses.length === 0) return NOTHING;
  const searchable = yield* segments.for(state, source, rows);
  return yield* holding(state, [searchable.segment.tree], found(state.pager, searchable, source, rows, clauses, limits));
}

function* found(
  pager: Pager,
  { segment, touched }: Searchable<RowTerms, TextSegment>,
  source: TextSource,
  rows: Node,
  clauses: readonly Clause[],
  { take, skip, matches, visible = null }: TextLimits,
): Generator<void, FoundRows> {
  const places: PhraseCounter = {
    *inSegment(ordinal, phrase) {
      const { leaf, at } = rowNumbered(pager, segment.tree, ordinal);
      return yield* occurrences(source, leaf, at, phrase);
    },
    *inTouched({ key }, phrase) {
      const row = rowIn(pager, rows, key);
      return row === null ? 0 : yield* occurrences(source, row.leaf, row.index, phrase);
    },
  };
  const seen = visible === null ? null : yield* seenRows(pager, segment, touched, visible);
  const keyOf = (n: number): Key => (n < segment.tree.count ? keyNumbered(pager, segment.tree, n) : touched.sorted[n - segment.tree.count].key);
  const rowOf = (n: number): Omit<FoundRow, 'score'> => {
    const key = keyOf(n);
    const { leaf, index } = rowIn(pager, rows, key)!;
    return { key, leaf, at: index };
  };
  const isCounted =
    matches === null
      ? null
      : (n: number): boolean => {
          const { leaf, at } = rowOf(n);
          return matches(leaf, at);
        };
  const scored = yield* scoring(segment, touched, clauses, places, seen);
  const { top, total } = yield* best(scored, segment.tree.count, touched, take === 0 ? 0 : skip + take, isCounted);
  const rowsFound: FoundRow[] = [];
  const all = top.sorted();
  for (let i = skip; i < all.length; i++) {
    rowsFound.push({ ...rowOf(all[i].row), score: all[i].score });
    if (i % 64 === 63) yield;
  }
  return { rows: rowsFound, total };
}

const TOUCHED_A_STEP = 1 << 16;
const COUNTED_A_STEP = 64;

/** The best rows: those of the segment by ordinal, then the touched ones, numbered from `ofSegment` on. */
function* best(
  { possible, ofTouched, blocks }: Scoring,
  ofSegment: number,
  touched: TouchedRows<RowTerms>,
  wanted: number,
  isCounted: ((n: number) => boolean) | null,
): Generator<void, { top: TopRows; total: number }> {
  const top = new TopRows(Math.min(wanted, possible));
  let total = 0;
  yield* blocks(function* (block) {
    if (isCounted === null) {
      total += block.rows === null ? offered(block, top) : offeredListed(block, block.rows, top);
      return;
    }
    let counted = 0;
    for (let i = 0; i < block.count; i++) {
      if (!(block.scores[i] > 0)) continue;
      const n = block.first + (block.rows?.[i] ?? i);
      if (isCounted(n)) {
        top.offer(block.scores[i], n, n);
        total++;
      }
      if (++counted % COUNTED_A_STEP === 0) yield;
    }
  });
  const step = isCounted === null ? TOUCHED_A_STEP : COUNTED_A_STEP;
  for (let i = 0; i < ofTouched.length; i++) {
    if (!(ofTouched[i] > 0) || isCounted?.(ofSegment + i) === false) continue;
    // A row that the segment lacks is between two of its rows. In one place they are in key order among themselves.
    const { ordinal, inSegment } = touched.sorted[i];
    top.offer(ofTouched[i], inSegment ? ordinal : ordinal - 1 + (i + 1) / (ofTouched.length + 1), ofSegment + i);
    total++;
    if (i % step === step - 1) yield;
  }
  return { top, total };
}

/** Rows in key order: of equal scores the later one has no chance. Returns how many match. */
function offered({ first, count, scores }: ScoredBlock, top: TopRows): number {
  let matching = 0;
  let least = Math.max(0, top.least);
  for (let i = 0; i < count; i++) {
    const score = scores[i];
    matching = (matching + Number(score > 0)) | 0;
    if (score <= least) continue;
    top.offer(score, first + i, first + i);
    least = Math.max(0, top.least);
  }
  return matching;
}

/** The same for some rows in any order, all of which match. */
function offeredListed({ first, count, scores }: ScoredBlock, rows: Uint16Array, top: TopRows): number {
  for (let i = 0; i < count; i++) {
    if (scores[i] >= top.least) top.offer(scores[i], first + rows[i], first + rows[i]);
  }
  return count;
}

/** The rows that count, of the segment and of the touched ones. */
function* seenRows(pager: Pager, segment: TextSegment, touched: TouchedRows<RowTerms>, visible: ReadonlySet<Key>): Generator<void, SeenRows> {
  const inSegment = new Uint8Array(segment.tree.count);
  let keys = 0;
  for (const key of visible) {
    if (!touched.byKey.has(key)) inSegment[rowsBelow(pager, segment.tree, key)] = 1;
    if (++keys % 256 === 0) yield;
  }
  return { inSegment, touched: Uint8Array.from(touched.sorted, ({ key }) => (visible.has(key) ? 1 : 0)) };
}

/** How often the words of a phrase follow each other in the texts of a row. */
function* occurrences(source: TextSource, leaf: Leaf, at: number, { words }: Clause & { kind: 'phrase' }): Generator<void, number> {
  let count = 0;
  let looked = 0;
  for (const { weight, places } of yield* source.places(leaf, at)) {
    const [first, ...others] = words.map(({ lexeme }) => places.get(lexeme));
    if (first === undefined || others.includes(undefined)) continue;
    for (const place of first) {
      if (others.every((each, i) => each!.has(place + words[i + 1].offset))) count += weight;
      if (++looked % PLACES_A_STEP === 0) yield;
    }
  }
  return count;
}
