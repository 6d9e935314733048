/** An SQL array. `elements` are flat in row-major order; an empty array has no dimensions. */
import type { Value } from './value.ts';

const NONE: readonly number[] = [];
const ONE: readonly number[] = [1];

export class ArrayValue {
  readonly elements: readonly Value[];
  /** Length of each dimension. */
  readonly lengths: readonly number[];
  /** Lower bound of each dimension, usually 1. */
  readonly lowers: readonly number[];

  constructor(elements: readonly Value[], lengths?: readonly number[], lowers?: readonly number[]) {
    this.elements = elements;
    if (elements.length === 0) {
      this.lengths = NONE;
      this.lowers = NONE;
    } else {
      this.lengths = lengths ?? [elements.length];
      this.lowers = lowers ?? (this.lengths.length === 1 ? ONE : this.lengths.map(() => 1));
    }
  }
}
