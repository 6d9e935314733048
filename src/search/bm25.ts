/**
 * Ranking by BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75) with Lucene's inverse document frequency, over a segment and the rows
 * that were touched since. Counts are exact, and each score is the sum of the same terms in the same order as over a segment of the
 * state itself, so the two are equal to the bit.
 *
 *     score(row) = Σ clauses   ln(1 + (N − df + 0.5) / (df + 0.5)) · (tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / average)))
 *
 *     N, average   rows with lexemes, and their average number of lexemes
 *     df, tf       rows that have the clause, and how often this row has it
 *
 * A prefix counts as one word that each of its words is. A phrase is worth the sum of its words' frequencies. Of a table with partitions all
 * counts are sums over them.
 */
import type { Clause } from './query-text.ts';
import { giveBack, type ScoreSpace, takeSpace } from './score-space.ts';
import { COUNTS, LENGTHS, type TermFrequencies, frequenciesOf } from './term-frequencies.ts';
import type { TextSegment } from './text-segment.ts';
import type { RowTerms } from './text-source.ts';
import { type TouchedMatches, type TouchedTerms, termsOf } from './touched-terms.ts';
import type { TouchedRow, TouchedRows } from './touched-rows.ts';

type TouchedTexts = TouchedRows<RowTerms>;

/** The rows of one clause: those of the segment, of which touched ones do not count, and touched rows. */
interface Matches extends TermRows {
  readonly touched: readonly { readonly row: number; readonly count: number }[];
  /** Rows of the state that have it. */
  readonly df: number;
}

interface TermRows {
  readonly rows: Uint32Array;
  readonly counts: Uint32Array | Uint16Array;
}

/** How often a phrase occurs in a row. */
export interface PhraseCounter {
  inSegment(ordinal: number, phrase: Clause & { kind: 'phrase' }): Generator<void, number>;
  inTouched(row: TouchedRow<RowTerms>, phrase: Clause & { kind: 'phrase' }): Generator<void, number>;
}

/** The rows that the reader may see: of the segment those that are not touched, by ordinal, and touched ones by position. */
export interface SeenRows {
  readonly inSegment: Uint8Array;
  readonly touched: Uint8Array;
}

/** Some rows of the segment, at most `BLOCK_ROWS` from `first` on. They are valid until the next block. */
export interface ScoredBlock {
  readonly first: number;
  readonly count: number;
  /** 0: the row does not match. */
  readonly scores: Float64Array;
  /** Which rows, from `first` on, in no order; null: each. */
  readonly rows: Uint16Array | null;
}

export interface Scoring {
  /** At least as many rows as match. */
  readonly possible: number;
  /** By position of the touched rows; 0 for those that do not match. */
  readonly ofTouched: Float64Array;
  /** Gives each row of the segment that matches, block by block in key order. */
  blocks(take: (block: ScoredBlock) => Generator<void, void>): Generator<void, void>;
}

/** Scores and what is read for them stay in the processor's near memory. */
const BLOCK_ROWS = 4096;
/** Of a block with fewer rows than this some are listed. */
const FEW_ROWS = BLOCK_ROWS / 8;
/** Rows between two steps. */
const STEP = 1 << 17;

/** One part of the searched table, whose rows are scored. */
export interface ScoredPart {
  readonly segment: TextSegment;
  readonly touched: TouchedTexts;
  readonly phrases: PhraseCounter;
  /** null: all of its rows. */
  readonly seen: SeenRows | null;
}

/** Reads the lists of the clauses, and counts over all parts; yields now and then. Gives the scores of each part. */
export function* scoring(parts: readonly ScoredPart[], clauses: readonly Clause[]): Generator<void, readonly Scoring[]> {
  if (parts.length === 0) return [];
  const terms = parts.map(({ touched }) => termsOf(touched));
  let n = 0;
  let lexemes = 0;
  for (let i = 0; i < parts.length; i++) {
    const { segment, touched, seen } = parts[i];
    const own = seen === null ? allCounts(segment, terms[i]) : yield* seenCounts(segment, touched, seen);
    n += own.n;
    lexemes += own.lexemes;
  }
  const frequencies = frequenciesOf(parts[0].segment, lexemes / n);
  const matches = function* (clause: Clause): Generator<void, Matches[]> {
    const all: Matches[] = [];
    for (let i = 0; i < parts.length; i++) {
      const { segment, touched, phrases, seen } = parts[i];
      const own = yield* matchesOf(segment, touched, terms[i], clause, phrases);
      all.push(seen === null ? own : onlySeen(own, seen));
    }
    return all;
  };
  const idf = (of: readonly Matches[]): number => {
    const df = of.reduce((sum, each) => sum + each.df, 0);
    return Math.log(1 + (n - df + 0.5) / (df + 0.5));
  };
  const found: Weighted[][] = parts.map(() => []);
  for (const clause of clauses) {
    const of = yield* matches(clause);
    let weight = idf(of);
    if (clause.kind === 'phrase') {
      weight = 0;
      for (const { lexeme } of clause.words) weight += idf(yield* matches({ kind: 'word', lexeme }));
    }
    of.forEach((own, i) => found[i].push({ ...own, weight, isRequired: clause.kind === 'phrase' }));
  }
  return parts.map(({ segment, touched }, i) => ({
    possible: found[i].reduce((sum, { rows }) => sum + rows.length, touched.size),
    ofTouched: touchedScores(touched, found[i], frequencies),
    blocks: (take) => scoredBlocks(segment, touched, found[i], frequencies, take),
  }));
}

interface Weighted extends Matches {
  readonly weight: number;
  /** A phrase: rows without it do not match. */
  readonly isRequired: boolean;
}

function touchedScores(touched: TouchedTexts, found: readonly Weighted[], frequencies: TermFrequencies): Float64Array {
  const scores = new Float64Array(touched.size);
  const has = new Uint16Array(touched.size);
  const required = found.filter(({ isRequired }) => isRequired).length;
  for (const { touched: of, weight, isRequired } of found) {
    for (const { row, count } of of) {
      scores[row] += weight * frequencies.of(count, touched.sorted[row].now.length);
      if (isRequired) has[row]++;
    }
  }
  for (let row = 0; row < has.length; row++) if (has[row] !== required) scores[row] = 0;
  return scores;
}

function* scoredBlocks(
  { tree, lengths }: TextSegment,
  { ordinals: touched }: TouchedTexts,
  found: readonly Weighted[],
  frequencies: TermFrequencies,
  take: (block: ScoredBlock) => Generator<void, void>,
): Generator<void, void> {
  const required = found.filter(({ isRequired }) => isRequired).length;
  const space = takeSpace(BLOCK_ROWS);
  const { scores, has } = space;
  // Where each list is.
  const at = new Uint32Array(found.length);
  const before = new Uint32Array(found.length);
  let ofTouched = 0;
  try {
    for (let work = 0; ;) {
      let first = tree.count;
      for (let i = 0; i < at.length; i++) if (at[i] < found[i].rows.length) first = Math.min(first, found[i].rows[at[i]]);
      if (first === tree.count) return;
      const end = Math.min(first + BLOCK_ROWS, tree.count);
      before.set(at);
      let added = 0;
      for (let i = 0; i < at.length; i++) {
        at[i] = addParts(scores, first, end, found[i], at[i], lengths, frequencies);
        added += at[i] - before[i];
        if (found[i].isRequired) for (let of = before[i]; of < at[i]; of++) has[found[i].rows[of] - first]++;
      }
      // What the segment says of touched rows is of another state.
      while (ofTouched < touched.length && touched[ofTouched] < first) ofTouched++;
      while (ofTouched < touched.length && touched[ofTouched] < end) scores[touched[ofTouched++] - first] = 0;
      if (required > 0) {
        for (let row = 0; row < end - first; row++) if (has[row] !== required) scores[row] = 0;
        has.fill(0);
      }
      if (added < FEW_ROWS) {
        let count = 0;
        for (let i = 0; i < at.length; i++) count = listRows(space, first, found[i].rows, before[i], at[i], count);
        yield* take({ first, count, scores: space.listed, rows: space.rows });
      } else {
        yield* take({ first, count: end - first, scores, rows: null });
        scores.fill(0);
      }
      work += added + BLOCK_ROWS;
      if (work >= STEP) {
        work = 0;
        yield;
      }
    }
  } finally {
    scores.fill(0);
    has.fill(0);
    giveBack(space);
  }
}

/** Adds what a list has of rows below `end`; returns where it is then. A function of its own, as loops of generators are slow. */
function addParts(
  scores: Float64Array,
  first: number,
  end: number,
  { rows, counts, weight }: Weighted,
  from: number,
  lengths: Uint32Array,
  frequencies: TermFrequencies,
): number {
  const { table } = frequencies;
  let i = from;
  for (; i < rows.length; i++) {
    const row = rows[i];
    if (row >= end) break;
    const count = counts[i];
    const length = lengths[row];
    scores[row - first] += weight * (count < COUNTS && length < LENGTHS ? table[count * LENGTHS + length] : frequencies.of(count, length));
  }
  return i;
}

/** Moves the scores of the rows of a list to `listed`; returns how many there are then. */
function listRows({ scores, listed, rows: into }: ScoreSpace, first: number, rows: Uint32Array, from: number, to: number, listedBefore: number): number {
  let count = listedBefore;
  for (let i = from; i < to; i++) {
    const row = rows[i] - first;
    if (!(scores[row] > 0)) continue;
    into[count] = row;
    listed[count++] = scores[row];
    scores[row] = 0;
  }
  return count;
}

function* matchesOf(segment: TextSegment, touched: TouchedTexts, terms: TouchedTerms, clause: Clause, phrases: PhraseCounter): Generator<void, Matches> {
  switch (clause.kind) {
    case 'word':
      return joined(termRows(segment, segment.terms.find(clause.lexeme)), terms.word(clause.lexeme));
    case 'prefix':
      return joined(yield* prefixRows(segment, clause.prefix), terms.prefix(clause.prefix));
    case 'phrase':
      return yield* phraseRows(segment, touched, clause, phrases);
  }
}

function joined(of: TermRows, { before, now }: TouchedMatches): Matches {
  return { ...of, touched: now, df: of.rows.length - before + now.length };
}

function allCounts(segment: TextSegment, { filled, lexemes }: TouchedTerms): { n: number; lexemes: number } {
  return { n: segment.filled + filled, lexemes: segment.lexemes + lexemes };
}

function* seenCounts({ lengths }: TextSegment, touched: TouchedTexts, seen: SeenRows): Generator<void, { n: number; lexemes: number }> {
  let n = 0;
  let lexemes = 0;
  const add = (length: number): void => {
    if (length > 0) n++;
    lexemes += length;
  };
  for (let row = 0; row < lengths.length; row++) {
    if (seen.inSegment[row] === 1) add(lengths[row]);
    if (row % STEP === STEP - 1) yield;
  }
  touched.sorted.forEach(({ now }, i) => seen.touched[i] === 1 && add(now.length));
  return { n, lexemes };
}

/** What matches among the rows that the reader may see. */
function onlySeen({ rows, counts, touched }: Matches, seen: SeenRows): Matches {
  const kept: number[] = [];
  for (let i = 0; i < rows.length; i++) if (seen.inSegment[rows[i]] === 1) kept.push(i);
  const now = touched.filter(({ row }) => seen.touched[row] === 1);
  return {
    rows: Uint32Array.from(kept, (i) => rows[i]),
    counts: Uint32Array.from(kept, (i) => counts[i]),
    touched: now,
    df: kept.length + now.length,
  };
}

/** Rows with all words of a phrase are read again: the segment has no places. */
function* phraseRows(segment: TextSegment, touched: TouchedTexts, clause: Clause & { kind: 'phrase' }, phrases: PhraseCounter): Generator<void, Matches> {
  const { inSegment } = touched;
  const rows: number[] = [];
  const counts: number[] = [];
  const candidates = rowsWithAll(
    segment,
    clause.words.map(({ lexeme }) => segment.terms.find(lexeme)),
  );
  for (let i = 0; i < candidates.length; i++) {
    if (i % 16 === 15) yield;
    const row = candidates[i];
    if (inSegment.has(row)) continue;
    const count = yield* phrases.inSegment(row, clause);
    if (count === 0) continue;
    rows.push(row);
    counts.push(count);
  }
  const found: { row: number; count: number }[] = [];
  for (let row = 0; row < touched.size; row++) {
    const each = touched.sorted[row];
    if (!clause.words.every(({ lexeme }) => each.now.counts.has(lexeme))) continue;
    const count = yield* phrases.inTouched(each, clause);
    if (count > 0) found.push({ row, count });
    yield;
  }
  return { rows: Uint32Array.from(rows), counts: Uint32Array.from(counts), touched: found, df: rows.length + found.length };
}

const NONE: TermRows = { rows: new Uint32Array(), counts: new Uint32Array() };

function termRows({ starts, rows, counts }: TextSegment, term: number): TermRows {
  return term < 0 ? NONE : { rows: rows.subarray(starts[term], starts[term + 1]), counts: counts.subarray(starts[term], starts[term + 1]) };
}

/** Rows with a word of the prefix; counts are summed. */
function* prefixRows(segment: TextSegment, prefix: string): Generator<void, TermRows> {
  const [from, to] = segment.terms.range(prefix);
  if (to - from <= 1) return termRows(segment, from < to ? from : -1);
  const sums = new Uint32Array(segment.tree.count);
  let count = 0;
  for (let term = from; term < to; term++) {
    const of = termRows(segment, term);
    for (let i = 0; i < of.rows.length; i++) {
      if (sums[of.rows[i]] === 0) count++;
      sums[of.rows[i]] += of.counts[i];
    }
    if (of.rows.length > 256 || term % 256 === 0) yield;
  }
  const rows = new Uint32Array(count);
  const counts = new Uint32Array(count);
  for (let row = 0, at = 0; at < count; row++) {
    if (sums[row] === 0) continue;
    rows[at] = row;
    counts[at++] = sums[row];
  }
  return { rows, counts };
}

/** Rows that have each of the terms. */
function rowsWithAll(segment: TextSegment, terms: readonly number[]): number[] {
  if (terms.some((term) => term < 0)) return [];
  const lists = terms.map((term) => termRows(segment, term).rows).sort((a, b) => a.length - b.length);
  let rows = [...lists[0]];
  for (const list of lists.slice(1)) {
    let at = 0;
    rows = rows.filter((row) => {
      while (at < list.length && list[at] < row) at++;
      return at < list.length && list[at] === row;
    });
  }
  return rows;
}
