/** Functions, operators and casts of sparsevec, with the names and messages of the extension pgvector. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { checkedHalf } from '../../types/halfvec.ts';
import { compareSparse, denseOf, SparseVector, sparseOfDense } from '../../types/sparsevec.ts';
import { checkedDimensions } from '../../types/vector.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction, SqlCast, SqlOperator } from '../define.ts';
import { ofArray } from './vector-functions.ts';

/** Sums `of` over the indices that either has; components that are not stored are 0. 22000 for different dimensions. */
function summed(of: (x: number, y: number) => number): (a: SparseVector, b: SparseVector) => number {
  return (a, b) => {
    if (a.dimensions !== b.dimensions) throw new SvcError('22000', `different sparsevec dimensions ${a.dimensions} and ${b.dimensions}`);
    const [m, n] = [a.indices.length, b.indices.length];
    let sum = 0;
    for (let i = 0, j = 0; i < m || j < n;) {
      const x = i < m ? a.indices[i] : Infinity;
      const y = j < n ? b.indices[j] : Infinity;
      sum += of(x <= y ? a.values[i++] : 0, y <= x ? b.values[j++] : 0);
    }
    return sum;
  };
}

const squared = summed((x, y) => (x - y) * (x - y));
const product = summed((x, y) => x * y);
const taxicab = summed((x, y) => Math.abs(x - y));
const l2 = (a: SparseVector, b: SparseVector): number => Math.sqrt(squared(a, b));
const negative = (a: SparseVector, b: SparseVector): number => -product(a, b);

function lengthSquared({ values }: SparseVector): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

/** NaN for a vector of zeros, which has no direction. */
function cosine(a: SparseVector, b: SparseVector): number {
  const of = product(a, b) / Math.sqrt(lengthSquared(a) * lengthSquared(b));
  return 1 - (of > 1 ? 1 : of < -1 ? -1 : of);
}

function normalized(vector: SparseVector): SparseVector {
  const length = Math.sqrt(lengthSquared(vector));
  return length === 0
    ? vector
    : new SparseVector(
        vector.dimensions,
        vector.indices,
        vector.values.map((value) => value / length),
      );
}

/** 54000 beyond the dimensions of a dense vector. */
function dense(vector: SparseVector, type: 'vector' | 'halfvec'): Float32Array {
  checkedDimensions(vector.dimensions, type);
  return type === 'vector' ? denseOf(vector) : denseOf(vector).map(checkedHalf);
}

const TWO = ['sparsevec', 'sparsevec'];

function scalar(name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}

const distance = (name: string, proc: string, impl: SqlOperator['impl']): SqlOperator => ({
  name,
  left: 'sparsevec',
  right: 'sparsevec',
  returns: 'float8',
  proc,
  commutator: name,
  impl,
});

export const SPARSEVEC_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('l2_distance', TWO, 'float8', 'Euclidean distance of two vectors.', l2),
    scalar('sparsevec_l2_squared_distance', TWO, 'float8', 'Square of the Euclidean distance of two vectors.', squared),
    scalar('inner_product', TWO, 'float8', 'Inner product of two vectors.', product),
    scalar('sparsevec_negative_inner_product', TWO, 'float8', 'Inner product of two vectors, negated: smaller is nearer.', negative),
    scalar('cosine_distance', TWO, 'float8', 'One less the cosine of the angle between two vectors.', cosine),
    scalar('l1_distance', TWO, 'float8', 'Taxicab distance of two vectors.', taxicab),
    scalar('l2_norm', ['sparsevec'], 'float8', 'Euclidean norm of a vector.', (vector: SparseVector) => Math.sqrt(lengthSquared(vector))),
    scalar('l2_normalize', ['sparsevec'], 'sparsevec', 'The vector at length 1.', normalized),
    scalar('sparsevec_cmp', TWO, 'int4', 'Order of two vectors: -1, 0 or 1.', compareSparse),
  ],
  operators: [
    ...sixOperators('sparsevec', 'sparsevec', (test) => `sparsevec_${test}`, {
      eq: (a: SparseVector, b: SparseVector) => compareSparse(a, b) === 0,
      ne: (a: SparseVector, b: SparseVector) => compareSparse(a, b) !== 0,
      lt: (a: SparseVector, b: SparseVector) => compareSparse(a, b) < 0,
      le: (a: SparseVector, b: SparseVector) => compareSparse(a, b) <= 0,
      gt: (a: SparseVector, b: SparseVector) => compareSparse(a, b) > 0,
      ge: (a: SparseVector, b: SparseVector) => compareSparse(a, b) >= 0,
    }),
    distance('<->', 'l2_distance', l2),
    distance('<#>', 'sparsevec_negative_inner_product', negative),
    distance('<=>', 'cosine_distance', cosine),
    distance('<+>', 'l1_distance', taxicab),
  ],
  casts: [
    ...['_int4', '_float4', '_float8', '_numeric'].map((from): SqlCast => ({
      from,
      to: 'sparsevec',
      context: 'assignment',
      method: 'function',
      impl: (array: ArrayValue) => sparseOfDense(ofArray(array, 'sparsevec')),
    })),
    { from: 'vector', to: 'sparsevec', context: 'implicit', method: 'function', impl: (vector: Float32Array) => sparseOfDense(vector) },
    { from: 'halfvec', to: 'sparsevec', context: 'implicit', method: 'function', impl: (vector: Float32Array) => sparseOfDense(vector) },
    { from: 'sparsevec', to: 'vector', context: 'assignment', method: 'function', impl: (vector: SparseVector) => dense(vector, 'vector') },
    { from: 'sparsevec', to: 'halfvec', context: 'assignment', method: 'function', impl: (vector: SparseVector) => dense(vector, 'halfvec') },
  ],
};
