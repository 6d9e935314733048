/** How much a term's occurrences in a row count in BM25: the frequency, saturated and divided by the row's relative length. */
import type { TextSegment } from './text-segment.ts';

const K1 = 1.2;
const B = 0.75;
/** A table has rows with fewer occurrences and fewer lexemes than these, which are nearly all. */
export const COUNTS = 5;
export const LENGTHS = 512;

export class TermFrequencies {
  /** By `count * LENGTHS + length`. */
  readonly table = new Float64Array(COUNTS * LENGTHS);
  readonly average: number;

  /** `average`: lexemes of a row. */
  constructor(average: number) {
    this.average = average;
    for (let count = 1; count < COUNTS; count++) {
      for (let length = 0; length < LENGTHS; length++) this.table[count * LENGTHS + length] = this.of(count, length);
    }
  }

  of(count: number, length: number): number {
    return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.average));
  }
}

const last = new WeakMap<TextSegment, TermFrequencies>();

/** Searches of one state have the same average. */
export function frequenciesOf(segment: TextSegment, average: number): TermFrequencies {
  const kept = last.get(segment);
  if (kept?.average === average) return kept;
  const made = new TermFrequencies(average);
  last.set(segment, made);
  return made;
}
