/**
 * Ranking by BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75) with Lucene's inverse document frequency, over a segment and the rows
 * that were touched since. Counts are exact, and each score is the sum of the same terms in the same order as over a segment of the
 * state itself, so the two are equal to the bit.
 *
 *     score(row) = Σ clauses   ln(1 + (N − df + 0.5) / (df + 0.5)) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / average))
 *
 *     N, average   rows with lexemes, and their average number of lexemes
 *     df, tf       rows that have the clause, and how often this row has it
 *
 * A prefix counts as one word that each of its words is. A phrase is worth the sum of its words' frequencies.
 */
import type { Clause } from './query-text.ts';
import type { TextSegment } from './text-segment.ts';
import type { RowTerms } from './text-source.ts';
import { type TouchedMatches, type TouchedTerms, termsOf } from './touched-terms.ts';
import type { TouchedRow, TouchedRows } from './touched-rows.ts';

type TouchedTexts = TouchedRows<RowTerms>;

const K1 = 1.2;
const B = 0.75;

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

/** Scores of all rows; 0 for those that do not match. */
export interface Scored {
  /** By ordinal of the segment's rows. */
  readonly ofSegment: Float64Array;
  /** By position of the touched rows. */
  readonly ofTouched: Float64Array;
  /** Rows of the segment among which are all that match, in no order; null: any may match. */
  readonly visited: Uint32Array | null;
}

/** A search that reads fewer rows than this part of the segment's notes which ones. */
const FEW = 1 / 8;

/** Scores of every row. They are valid until `steps` of the caller end: `withScores` takes the memory back. Yields now and then. */
export function* withScores<T>(
  segment: TextSegment,
  touched: TouchedTexts,
  clauses: readonly Clause[],
  phrases: PhraseCounter,
  seen: SeenRows | null,
  steps: (scored: Scored) => Generator<void, T>,
): Generator<void, T> {
  const { lengths } = segment;
  const { inSegment } = touched;
  const terms = termsOf(touched);
  const { n, lexemes } = seen === null ? allCounts(segment, terms) : yield* seenCounts(segment, touched, seen);
  const average = lexemes / n;
  const ofTouched = new Float64Array(touched.size);
  // How many of the phrases a row has: it must have each.
  const required = clauses.filter(({ kind }) => kind === 'phrase').length;
  const has = required === 0 ? null : new Uint16Array(segment.tree.count);
  const hasTouched = new Uint16Array(touched.size);
  const norms = normsFor(lengths, average);
  const matches = function* (clause: Clause): Generator<void, Matches> {
    const all = yield* matchesOf(segment, touched, terms, clause, phrases);
    return seen === null ? all : onlySeen(all, seen);
  };
  const idf = (df: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));
  const found: { clause: Clause; of: Matches; weight: number }[] = [];
  for (const clause of clauses) {
    const of = yield* matches(clause);
    let weight = idf(of.df);
    if (clause.kind === 'phrase') {
      weight = 0;
      for (const { lexeme } of clause.words) weight += idf((yield* matches({ kind: 'word', lexeme })).df);
    }
    found.push({ clause, of, weight });
  }
  const size = found.reduce((sum, { of }) => sum + of.rows.length, 0);
  const noted = size < FEW * segment.tree.count ? new Uint32Array(size) : null;
  let notes = 0;
  const ofSegment = takeScores(segment);
  try {
    for (const { clause, of, weight } of found) {
      const { rows } = of;
      if (noted !== null) notes = noteNew(ofSegment, rows, noted, notes);
      for (let from = 0; from < rows.length; from += STEP) {
        addParts(ofSegment, of, lengths, norms, from, Math.min(from + STEP, rows.length), weight, average);
        yield;
      }
      for (const { row, count } of of.touched) ofTouched[row] += part(weight, count, normOf(touched.sorted[row].now.length, average));
      if (clause.kind !== 'phrase' || has === null) continue;
      for (const row of rows) has[row]++;
      for (const { row } of of.touched) hasTouched[row]++;
    }
    // What the segment says of touched rows is of another state.
    for (const ordinal of inSegment) ofSegment[ordinal] = 0;
    if (has !== null) {
      for (let row = 0; row < has.length; row++) if (has[row] !== required) ofSegment[row] = 0;
      for (let row = 0; row < hasTouched.length; row++) if (hasTouched[row] !== required) ofTouched[row] = 0;
    }
    yield;
    return yield* steps({ ofSegment, ofTouched, visited: noted === null ? null : noted.subarray(0, notes) });
  } finally {
    giveBack(segment, ofSegment, noted);
  }
}

/** Appends the rows that have no score yet; returns how many there are then. */
function noteNew(scores: Float64Array, rows: Uint32Array, noted: Uint32Array, from: number): number {
  let at = from;
  for (let i = 0; i < rows.length; i++) if (scores[rows[i]] === 0) noted[at++] = rows[i];
  return at;
}

/** Scores of earlier searches, filled with zeros: a new array for each one would have the collector run every few searches. */
const spare = new WeakMap<TextSegment, Float64Array[]>();
const SPARE_MAX = 2;

function takeScores(segment: TextSegment): Float64Array {
  return spare.get(segment)?.pop() ?? new Float64Array(segment.tree.count);
}

/** `noted`: the rows that may have scores; null: any. */
function giveBack(segment: TextSegment, scores: Float64Array, noted: Uint32Array | null): void {
  const kept = spare.get(segment) ?? [];
  if (kept.length === SPARE_MAX) return;
  if (noted === null) scores.fill(0);
  else for (let i = 0; i < noted.length; i++) scores[noted[i]] = 0;
  kept.push(scores);
  spare.set(segment, kept);
}

/** Rows in a step, which is a loop of its own: loops of generators are slow. */
const STEP = 1 << 17;

function addParts(
  scores: Float64Array,
  { rows, counts }: TermRows,
  lengths: Uint32Array,
  norms: Float64Array,
  from: number,
  to: number,
  weight: number,
  average: number,
): void {
  for (let i = from; i < to; i++) {
    const length = lengths[rows[i]];
    scores[rows[i]] += part(weight, counts[i], length < norms.length ? norms[length] : normOf(length, average));
  }
}

function part(weight: number, count: number, norm: number): number {
  return (weight * count * (K1 + 1)) / (count + norm);
}

function normOf(length: number, average: number): number {
  return K1 * (1 - B + (B * length) / average);
}

/** Of short rows, by length: a division less for each. */
const NORMS = 1024;

function normsFor(lengths: Uint32Array, average: number): Float64Array {
  return Float64Array.from({ length: Math.min(NORMS, lengths.length) }, (_, length) => normOf(length, average));
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
