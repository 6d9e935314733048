/** Search by words: the segment and the touched rows of a state, ranked; the best rows in order. */
import type { Key } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import { rowIn } from '../tree/row-change.ts';
import type { Pager } from '../tree/pager.ts';
import { rowsBelow } from '../tree/read.ts';
import type { FoundRow, FoundRows, SearchedState, TextLimits } from '../worlds/search.ts';
import { bestOf } from './best-rows.ts';
import { type PhraseCounter, type Ranked, rank, type SeenRows } from './bm25.ts';
import { keyNumbered, rowNumbered } from './numbered-rows.ts';
import { type Clause, clausesOf } from './query-text.ts';
import { holding, type Searchable, type Segments } from './segments.ts';
import type { TextSegment } from './text-segment.ts';
import type { RowTerms, TextSource } from './text-source.ts';
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
  const ranked = yield* rank(segment, touched, clauses, places, seen);
  yield;
  const rowOf = (i: number): FoundRow => {
    const { rows: numbers, scores, firstTouched } = ranked;
    const key = i < firstTouched ? keyNumbered(pager, segment.tree, numbers[i]) : touched.sorted[numbers[i]].key;
    const { leaf, index } = rowIn(pager, rows, key)!;
    return { key, leaf, at: index, score: scores[i] };
  };
  let counted: number[] | null = null;
  if (matches !== null) {
    counted = [];
    for (let i = 0; i < ranked.rows.length; i++) {
      const { leaf, at } = rowOf(i);
      if (matches(leaf, at)) counted.push(i);
      if (i % 64 === 63) yield;
    }
  }
  const total = counted?.length ?? ranked.rows.length;
  const { scores } = ranked;
  const best = yield* bestOf(scores.length, counted, take === 0 ? 0 : skip + take, (a, b) => {
    if (scores[a] !== scores[b]) return scores[a] > scores[b];
    // Touched rows are in key order among themselves, which decides between two in one place.
    const [x, y] = [placeOf(ranked, touched, a), placeOf(ranked, touched, b)];
    return x === y ? a < b : x < y;
  });
  const rowsFound: FoundRow[] = [];
  for (let i = skip; i < best.length; i++) {
    rowsFound.push(rowOf(best[i]));
    if (i % 64 === 63) yield;
  }
  return { rows: rowsFound, total };
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

/** The place of a row in key order: a row that the segment lacks is between two of its rows. */
function placeOf({ rows, firstTouched }: Ranked, touched: Searchable<RowTerms, TextSegment>['touched'], i: number): number {
  if (i < firstTouched) return rows[i];
  const { ordinal, inSegment } = touched.sorted[rows[i]];
  return inSegment ? ordinal : ordinal - 0.5;
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
