/**
 * What is known of one column of rows side by side without reading them: how many have a value, the least and the greatest
 * of these. Texts are compared by UTF-16 units; whoever asks by another order must not ask about units from U+D800 on.
 * A zone is as old as the leaves that it was made of, and goes with the group that keeps it.
 */
import { KIND, TAG } from './datum.ts';
import type { Vec } from './vec.ts';

export class Zone {
  rows = 0;
  /** Rows with a null, and rows without the column. */
  nulls = 0;
  absent = 0;
  /** Null while there is no value. */
  min: number | string | null = null;
  max: number | string | null = null;
  /** False where a value has no place in the order: min and max then say nothing. */
  ordered = true;

  get values(): number {
    return this.rows - this.nulls - this.absent;
  }

  /** Takes the rows of a leaf in; `vec` null: none of them has the column. */
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
      // NaN is above all in SQL and nowhere in JavaScript.
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
