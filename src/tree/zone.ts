/**
 * A zone map entry: what is known about one column of consecutive rows without reading them: counts of values, minimum and
 * maximum. Texts are compared by UTF-16 units; queries by another order must not use units from U+D800 on. A zone lives as
 * long as the group that keeps it.
 */
import { KIND, TAG } from './datum.ts';
import type { Vec } from './vec.ts';

export class Zone {
  rows = 0;
  /** Rows with a null, and rows without the column. */
  nulls = 0;
  absent = 0;
  /** Null without values. */
  min: number | string | null = null;
  max: number | string | null = null;
  /** False if a value is not ordered: min and max are then invalid. */
  ordered = true;

  get values(): number {
    return this.rows - this.nulls - this.absent;
  }

  /** Adds the rows of a leaf; `vec` null: none of them has the column. */
  add(vec: Vec | null, count: number): void {
    this.rows += count;
    if (vec === null) {
      this.absent += count;
      return;
    }
    const { tags } = vec;
    let values = count;
    if (tags !== null) {
      for (let i = 0; i < count; i++) {
        if (tags[i] === TAG.VALUE) continue;
        values--;
        if (tags[i] === TAG.NULL) this.nulls++;
        else this.absent++;
      }
    }
    if (values === 0 || !this.ordered) return;
    if (vec.kind === KIND.I32 || vec.kind === KIND.BOOL) this.#numbers(vec.i32, tags, count);
    else if (vec.kind === KIND.F64) this.#numbers(vec.f64, tags, count);
    else if (vec.kind === KIND.TEXT) this.#texts(vec.strings(), tags, count);
    else this.ordered = false;
  }

  #numbers(values: Int32Array | Float64Array, tags: Uint8Array | null, count: number): void {
    if (typeof this.min === 'string') {
      this.ordered = false;
      return;
    }
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < count; i++) {
      if (tags !== null && tags[i] !== TAG.VALUE) continue;
      const value = values[i];
      // NaN is greater than all others in SQL and unordered in JavaScript.
      if (value !== value) {
        this.ordered = false;
        return;
      }
      if (value < min) min = value;
      if (value > max) max = value;
    }
    if (this.min === null || min < this.min) this.min = min;
    if (this.max === null || max > (this.max as number)) this.max = max;
  }

  #texts(values: readonly string[], tags: Uint8Array | null, count: number): void {
    if (typeof this.min === 'number') {
      this.ordered = false;
      return;
    }
    let min = this.min as string | null;
    let max = this.max as string | null;
    for (let i = 0; i < count; i++) {
      if (tags !== null && tags[i] !== TAG.VALUE) continue;
      const value = values[i];
      if (value === min || value === max) continue;
      if (min === null || value < min) min = value;
      if (max === null || value > max) max = value;
    }
    this.min = min;
    this.max = max;
  }
}
