/** Arrays of one shape, combined into an array of one more dimension: array_agg and ARRAY(SELECT …) of arrays. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { ArrayValue } from './array-value.ts';
import type { Value } from './value.ts';

export class StackedArrays {
  readonly #elements: Value[] = [];
  #count = 0;
  #shape: ArrayValue | null = null;

  /** 22004 for null, 2202E for an empty array or one of another shape. */
  add(array: ArrayValue | null): void {
    if (array === null) throw new SvcError('22004', 'cannot accumulate null arrays');
    if (array.lengths.length === 0) throw new SvcError('2202E', 'cannot accumulate empty arrays');
    const shape = this.#shape;
    if (shape === null) this.#shape = array;
    else if (shape.lengths.join() !== array.lengths.join() || shape.lowers.join() !== array.lowers.join()) {
      throw new SvcError('2202E', 'cannot accumulate arrays of different dimensionality');
    }
    for (const element of array.elements) this.#elements.push(element);
    this.#count++;
  }

  /** null if there was none. A copy: over a window more may follow. */
  finish(): ArrayValue | null {
    const shape = this.#shape;
    return shape === null ? null : new ArrayValue(this.#elements.slice(), [this.#count, ...shape.lengths], [1, ...shape.lowers]);
  }
}
