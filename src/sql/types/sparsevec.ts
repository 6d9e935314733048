/**
 * sparsevec(n): a vector of which only the components other than zero are stored, as pgvector has it: up to 16,000 of them among up to a
 * billion dimensions. Its text, `{1:1.5,3:2}/5`, counts from 1.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { formatFloat4 } from './float-text.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';
import { checkedComponent, invalidVector } from './vector.ts';

export const SPARSE_DIMENSIONS_MAX = 1_000_000_000;
export const SPARSE_ELEMENTS_MAX = 16_000;

export class SparseVector {
  readonly dimensions: number;
  /** From 0, ascending. */
  readonly indices: Int32Array;
  /** None is zero. */
  readonly values: Float32Array;

  /** 54000 for too many elements. */
  constructor(dimensions: number, indices: Int32Array, values: Float32Array) {
    if (indices.length > SPARSE_ELEMENTS_MAX) throw new SvcError('54000', `sparsevec cannot have more than ${SPARSE_ELEMENTS_MAX} non-zero elements`);
    this.dimensions = dimensions;
    this.indices = indices;
    this.values = values;
  }
}

export function checkedSparseDimensions(count: number): void {
  if (count < 1) throw new SvcError('22000', 'sparsevec must have at least 1 dimension');
  if (count > SPARSE_DIMENSIONS_MAX) throw new SvcError('54000', `sparsevec cannot have more than ${SPARSE_DIMENSIONS_MAX} dimensions`);
}

/** Elements in any order. 22000 for an index that is out of bounds or occurs twice. */
export function sparseOf(dimensions: number, elements: readonly (readonly [index: number, value: number])[]): SparseVector {
  checkedSparseDimensions(dimensions);
  const sorted = elements.toSorted(([a], [b]) => a - b);
  sorted.forEach(([index], i) => {
    if (index < 0 || index >= dimensions) throw new SvcError('22000', 'sparsevec index out of bounds');
    if (i > 0 && sorted[i - 1][0] === index) throw new SvcError('22000', 'sparsevec indices must not contain duplicates');
  });
  const kept = sorted.filter(([, value]) => value !== 0);
  return new SparseVector(
    dimensions,
    Int32Array.from(kept, ([index]) => index),
    Float32Array.from(kept, ([, value]) => value),
  );
}

export function sparseOfDense(dense: ArrayLike<number>): SparseVector {
  const elements: [number, number][] = [];
  for (let i = 0; i < dense.length; i++) if (dense[i] !== 0) elements.push([i, dense[i]]);
  return sparseOf(dense.length, elements);
}

export function denseOf({ dimensions, indices, values }: SparseVector): Float32Array {
  const out = new Float32Array(dimensions);
  for (let i = 0; i < indices.length; i++) out[indices[i]] = values[i];
  return out;
}

const SPARSE = /^[\t\n\v\f\r ]*\{([^}]*)\}[\t\n\v\f\r ]*\/[\t\n\v\f\r ]*([-+]?\d+)[\t\n\v\f\r ]*$/;
const ELEMENT = /^\s*([-+]?\d+)\s*:\s*([-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf(?:inity)?|nan))\s*$/i;

export function parseSparse(text: string, typmod: number): SparseVector {
  const found = SPARSE.exec(text);
  if (found === null) {
    const trimmed = text.trim();
    throw invalidVector('sparsevec', text, trimmed.startsWith('{') ? undefined : 'Vector contents must start with "{".');
  }
  const [, inside, count] = found;
  const dimensions = Number(count);
  checkedSparseDimensions(dimensions);
  const parts = inside.trim() === '' ? [] : inside.split(',');
  if (parts.length > SPARSE_ELEMENTS_MAX) throw new SvcError('54000', `sparsevec cannot have more than ${SPARSE_ELEMENTS_MAX} non-zero elements`);
  const elements = parts.map((part): [number, number] => {
    const element = ELEMENT.exec(part);
    if (element === null) throw invalidVector('sparsevec', text);
    const [, index, number] = element;
    const written = Number(number.replace(/inf(?:inity)?/i, 'Infinity').replace(/nan/i, 'NaN'));
    const value = Math.fround(written);
    if (Number.isFinite(written) && !Number.isFinite(value)) throw new SvcError('22003', `"${number}" is out of range for type sparsevec`);
    return [Number(index) - 1, checkedComponent(value, 'sparsevec')];
  });
  return ofSparseDimensions(sparseOf(dimensions, elements), typmod);
}

/** 22000 if the dimension differs from the column's. */
export function ofSparseDimensions(vector: SparseVector, typmod: number): SparseVector {
  if (typmod > 0 && vector.dimensions !== typmod) throw new SvcError('22000', `expected ${typmod} dimensions, not ${vector.dimensions}`);
  return vector;
}

export function sparseText({ dimensions, indices, values }: SparseVector): string {
  let out = '{';
  for (let i = 0; i < indices.length; i++) out += `${i === 0 ? '' : ','}${indices[i] + 1}:${formatFloat4(values[i], 1)}`;
  return `${out}}/${dimensions}`;
}

/** Component by component, with zeros behind the last one; then the shorter one first. */
export function compareSparse(a: SparseVector, b: SparseVector): number {
  const [m, n] = [a.indices.length, b.indices.length];
  for (let i = 0, j = 0; i < m || j < n;) {
    const x = i < m ? a.indices[i] : Infinity;
    const y = j < n ? b.indices[j] : Infinity;
    const at = Math.min(x, y);
    const [left, right] = [x === at ? a.values[i++] : 0, y === at ? b.values[j++] : 0];
    if (left !== right) return left < right ? -1 : 1;
  }
  return Math.sign(a.dimensions - b.dimensions);
}

export const SPARSEVEC: SqlType = makeType({
  oid: 9817,
  name: 'sparsevec',
  title: 'sparsevec',
  category: 'U',
  length: -1,
  repr: 'object',
  arrayOid: 9818,
  parse: parseSparse,
  format: (value) => sparseText(value as SparseVector),
  compare: (a, b) => compareSparse(a as SparseVector, b as SparseVector),
  hashKey: (value) => sparseText(value as SparseVector),
  coerce: (value: Value, typmod) => ofSparseDimensions(value as SparseVector, typmod),
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});
