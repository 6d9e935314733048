/**
 * Which touched rows have a term. The first search of a state looks into each touched row; the second one makes an inverted index of
 * them, since a state that is searched again is likely to be searched often.
 */
import type { RowTerms } from './text-source.ts';
import type { TouchedRows } from './touched-rows.ts';

export interface TouchedMatches {
  /** Rows that had the term in the segment. */
  readonly before: number;
  /** Rows that have it in the state: positions among the touched rows, ascending, and how often. */
  readonly now: readonly { readonly row: number; readonly count: number }[];
}

interface Entry {
  before: number;
  readonly now: { readonly row: number; readonly count: number }[];
}

const NONE: TouchedMatches = { before: 0, now: [] };
const known = new WeakMap<TouchedRows<RowTerms>, TouchedTerms>();

/** The terms of a state's touched rows, for one more search. */
export function termsOf(touched: TouchedRows<RowTerms>): TouchedTerms {
  let terms = known.get(touched);
  if (terms === undefined) known.set(touched, (terms = new TouchedTerms(touched)));
  else terms.index();
  return terms;
}

export class TouchedTerms {
  /** How many more rows have lexemes than in the segment, and how many more lexemes there are. */
  readonly filled: number;
  readonly lexemes: number;
  readonly #touched: TouchedRows<RowTerms>;
  #entries: ReadonlyMap<string, Entry> | null = null;

  constructor(touched: TouchedRows<RowTerms>) {
    this.#touched = touched;
    let filled = 0;
    let lexemes = 0;
    for (const { before, now } of touched.sorted) {
      filled += Number(now.length > 0) - Number(before.length > 0);
      lexemes += now.length - before.length;
    }
    this.filled = filled;
    this.lexemes = lexemes;
  }

  word(lexeme: string): TouchedMatches {
    if (this.#entries !== null) return this.#entries.get(lexeme) ?? NONE;
    return this.#counted(({ counts }) => counts.get(lexeme) ?? 0);
  }

  /** A row has it as often as it has words of the prefix. */
  prefix(prefix: string): TouchedMatches {
    return this.#counted(({ counts }) => {
      let sum = 0;
      for (const [term, count] of counts) if (term.startsWith(prefix)) sum += count;
      return sum;
    });
  }

  index(): void {
    if (this.#entries !== null) return;
    const entries = new Map<string, Entry>();
    const entryOf = (term: string): Entry => {
      let entry = entries.get(term);
      if (entry === undefined) entries.set(term, (entry = { before: 0, now: [] }));
      return entry;
    };
    this.#touched.sorted.forEach(({ before, now }, row) => {
      for (const term of before.counts.keys()) entryOf(term).before++;
      for (const [term, count] of now.counts) entryOf(term).now.push({ row, count });
    });
    this.#entries = entries;
  }

  #counted(countIn: (terms: RowTerms) => number): TouchedMatches {
    const now: { row: number; count: number }[] = [];
    let before = 0;
    this.#touched.sorted.forEach((each, row) => {
      if (countIn(each.before) > 0) before++;
      const count = countIn(each.now);
      if (count > 0) now.push({ row, count });
    });
    return { before, now };
  }
}
