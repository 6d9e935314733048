/** An SQL array. `elements` are flat in row-major order; an empty array has no dimensions. */
import type { Value } from './value.ts';

export class ArrayValue {
  readonly elements: readonly Value[];
  /** Length of each dimension. */
  readonly lengths: readonly number[];
  /** Lower bound of each dimension, usually 1. */
  readonly lowers: readonly number[];

  constructor(elements: readonly Value[], lengths: readonly number[] = [elements.length], lowers: readonly number[] = lengths.map(() => 1)) {
    this.elements = elements;
    this.lengths = elements.length === 0 ? [] : lengths;
    this.lowers = elements.length === 0 ? [] : lowers;
  }
}
