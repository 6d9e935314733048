/** Search by words: the segments and the touched rows of a state, ranked; the best rows in order. */
import { sortedInSteps } from '../base/sorted-in-steps.ts';
import type { Key } from '../tree/datum.ts';
import { directoryOf } from '../tree/directory.ts';
import type { Leaf, Node } from '../tree/node.ts';
import { rowIn } from '../tree/row-change.ts';
import type { Pager } from '../tree/pager.ts';
import { rowsBelow } from '../tree/read.ts';
import type { FoundRow, FoundRows, SearchedState, TextLimits } from '../worlds/search.ts';
import { type PhraseCounter, type ScoredBlock, type ScoredPart, type Scoring, scoring, type SeenRows } from './bm25.ts';
import { keyNumbered, rowNumbered } from './numbered-rows.ts';
import { type Clause, clausesOf } from './query-text.ts';
import type { Searchable, Segments } from './segments.ts';
import type { RowOrder } from './table-parts.ts';
import type { TextSegment } from './text-segment.ts';
import type { RowTerms, TextSource } from './text-source.ts';
import { TopRows } from './top-rows.ts';
import type { TouchedRows } from './touched-rows.ts';

const PLACES_A_STEP = 4096;
const NOTHING: FoundRows = { rows: [], total: 0 };

/** A part of the searched table, and what reads its texts. */
export interface TextPart {
  readonly state: SearchedState;
  readonly source: TextSource;
}

/** A part with its segment. */
interface SearchedText extends TextPart, Searchable<RowTerms, TextSegment> {
  readonly rows: Node;
  /** Which of the table's parts it is. */
  readonly part: number;
}

/** A row that may be among the best: which one of its part, by number. */
interface Candidate extends Pick<FoundRow, 'part' | 'key' | 'score'> {
  readonly of: SearchedText;
}

export function* searchText(
  segments: Segments<RowTerms, TextSegment>,
  parts: readonly TextPart[],
  text: string,
  limits: TextLimits,
  isBefore: RowOrder,
): Generator<void, FoundRows> {
  if (parts.length === 0) return NOTHING;
  const clauses = clausesOf(parts[0].source.configuration, text);
  if (clauses.length === 0) return NOTHING;
  const releases: (() => void)[] = [];
  try {
    const searched: SearchedText[] = [];
    for (let part = 0; part < parts.length; part++) {
      const { state, source } = parts[part];
      const { rows } = state;
      if (rows === null || rows.count === 0) continue;
      const own = yield* segments.for(state, source, rows);
      // What it reads stays while others are built.
      releases.push(state.hold(directoryOf(state.pager, own.segment.tree)));
      searched.push({ state, source, ...own, rows, part });
    }
    return yield* found(searched, clauses, limits, isBefore);
  } finally {
    for (const release of releases) release();
  }
}

function* found(
  searched: readonly SearchedText[],
  clauses: readonly Clause[],
  { take, skip, matches, visible = null }: TextLimits,
  isBefore: RowOrder,
): Generator<void, FoundRows> {
  const scoredParts: ScoredPart[] = [];
  for (const each of searched) {
    const { state, segment, touched, part } = each;
    const seen = visible === null ? null : yield* seenRows(state.pager, segment, touched, visible[part]);
    scoredParts.push({ segment, touched, phrases: phrasesIn(each), seen });
  }
  const candidates: Candidate[] = [];
  let total = 0;
  const scores = yield* scoring(scoredParts, clauses);
  for (let i = 0; i < searched.length; i++) {
    const of = searched[i];
    const isCounted = matches === null ? null : (n: number): boolean => matchesIn(of, n, matches);
    const own = yield* best(scores[i], of.segment.tree.count, of.touched, take === 0 ? 0 : skip + take, isCounted);
    total += own.total;
    const all = own.top.sorted();
    // Of one part they are in order.
    for (let at = searched.length === 1 ? skip : 0; at < all.length; at++) {
      candidates.push({ of, part: of.part, key: keyOf(of, all[at].row), score: all[at].score });
      if (at % 64 === 63) yield;
    }
  }
  const order = searched.length === 1 ? candidates : yield* sortedInSteps(candidates, (a, b) => b.score - a.score || (isBefore(a, b) ? -1 : 1));
  const rows: FoundRow[] = [];
  for (let at = searched.length === 1 ? 0 : skip; at < order.length && rows.length < take; at++) {
    const { of, part, key, score } = order[at];
    const { leaf, index } = rowIn(of.state.pager, of.rows, key)!;
    rows.push({ part, key, leaf, at: index, score });
    if (at % 64 === 63) yield;
  }
  return { rows, total };
}

function phrasesIn({ state: { pager }, segment, source, rows }: SearchedText): PhraseCounter {
  return {
    *inSegment(ordinal, phrase) {
      const { leaf, at } = rowNumbered(pager, segment.tree, ordinal);
      return yield* occurrences(source, leaf, at, phrase);
    },
    *inTouched({ key }, phrase) {
      const row = rowIn(pager, rows, key);
      return row === null ? 0 : yield* occurrences(source, row.leaf, row.index, phrase);
    },
  };
}

/** Rows are numbered: those of the segment, then the touched ones. */
function keyOf({ state: { pager }, segment: { tree }, touched }: SearchedText, n: number): Key {
  return n < tree.count ? keyNumbered(pager, tree, n) : touched.sorted[n - tree.count].key;
}

function matchesIn(of: SearchedText, n: number, matches: NonNullable<TextLimits['matches']>): boolean {
  const { leaf, index } = rowIn(of.state.pager, of.rows, keyOf(of, n))!;
  return matches(leaf, index, of.part);
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
