/** ARRAY[…], subscripts and casts of arrays element by element. Manual, section 8.15. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { ArrayValue } from './array-value.ts';
import type { Value } from './value.ts';

export function buildArray(elements: Value[], nested: boolean): ArrayValue {
  if (!nested) return new ArrayValue(elements);
  const parts = elements.filter((element): element is ArrayValue => element instanceof ArrayValue && element.elements.length > 0);
  if (parts.length === 0) return new ArrayValue([]);
  const lengths = parts[0].lengths;
  const lowers = parts[0].lowers;
  const same = (part: ArrayValue): boolean =>
    part.lengths.length === lengths.length && part.lengths.every((length, i) => length === lengths[i] && part.lowers[i] === lowers[i]);
  if (parts.length !== elements.length || !parts.every(same)) {
    throw new SvcError('2202E', 'multidimensional arrays must have array expressions with matching dimensions');
  }
  return new ArrayValue(
    parts.flatMap((part) => part.elements),
    [elements.length, ...lengths],
    [1, ...lowers],
  );
}

/** `bounds` alternates lower and upper (undefined if omitted); an element access has equal ones. Null gives null. */
export function subscriptArray(array: ArrayValue, bounds: readonly (Value | undefined)[], slice: boolean): Value {
  const dimensions = array.lengths.length;
  const given = bounds.length / 2;
  for (const bound of bounds) if (bound === null) return null;
  if (!slice) {
    if (given !== dimensions || dimensions === 0) return null;
    let at = 0;
    for (let d = 0; d < dimensions; d++) {
      const i = Number(bounds[2 * d + 1]) - array.lowers[d];
      if (i < 0 || i >= array.lengths[d]) return null;
      at = at * array.lengths[d] + i;
    }
    return array.elements[at];
  }
  if (given > dimensions || dimensions === 0) return new ArrayValue([]);
  const from: number[] = [];
  const lengths: number[] = [];
  for (let d = 0; d < dimensions; d++) {
    const first = array.lowers[d];
    const last = first + array.lengths[d] - 1;
    const lower = d < given && bounds[2 * d] !== undefined ? Math.max(Number(bounds[2 * d]), first) : first;
    const upper = d < given && bounds[2 * d + 1] !== undefined ? Math.min(Number(bounds[2 * d + 1]), last) : last;
    if (upper < lower) return new ArrayValue([]);
    from.push(lower - first);
    lengths.push(upper - lower + 1);
  }
  const out: Value[] = [];
  const walk = (d: number, base: number): void => {
    for (let i = 0; i < lengths[d]; i++) {
      const at = base * array.lengths[d] + from[d] + i;
      if (d === dimensions - 1) out.push(array.elements[at]);
      else walk(d + 1, at);
    }
  };
  walk(0, 0);
  return new ArrayValue(out, lengths);
}

export function arrayCast(array: ArrayValue, cast: (value: Value) => Value): ArrayValue {
  return new ArrayValue(
    array.elements.map((element) => (element === null ? null : cast(element))),
    array.lengths,
    array.lowers,
  );
}
