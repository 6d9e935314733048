/** Functions, operators, casts and aggregates of vector, with the names and messages of the extension pgvector. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Numeric } from '../../types/numeric.ts';
import { toFloat8Unchecked } from '../../types/numeric-text.ts';
import { cosineDistance, innerProduct, l2, negative, norm, sameDimensions, squaredDistance, taxicabDistance } from './vector-distances.ts';
import { BIT_DISTANCE_OPERATORS, BIT_DISTANCES } from './bit-distances.ts';
import { checkedComponent, checkedDimensions, compareVectors, type VectorName } from '../../types/vector.ts';
import type { Value } from '../../types/value.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import { type AggregateFunction, defineAggregate, type FunctionModule, type ScalarFunction, type SqlCast, type SqlOperator } from '../define.ts';

/** Component by component. 22003 for overflow, and for a product that underflows. */
export function combined(a: Float32Array, b: Float32Array, combine: (x: number, y: number) => number, underflows = false): Float32Array {
  const out = new Float32Array(sameDimensions(a, b));
  for (let i = 0; i < out.length; i++) {
    out[i] = combine(a[i], b[i]);
    if (!Number.isFinite(out[i])) throw new SvcError('22003', 'value out of range: overflow');
    if (underflows && out[i] === 0 && a[i] !== 0 && b[i] !== 0) throw new SvcError('22003', 'value out of range: underflow');
  }
  return out;
}

export function concatenated(a: Float32Array, b: Float32Array): Float32Array {
  checkedDimensions(a.length + b.length);
  const out = new Float32Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

export function part(vector: Float32Array, start: number, count: number): Float32Array {
  if (count < 1) throw new SvcError('22000', 'vector must have at least 1 dimension');
  const end = Math.min(start + count, vector.length + 1);
  const from = Math.max(start, 1);
  if (start > vector.length || end <= from) throw new SvcError('22000', 'vector must have at least 1 dimension');
  return vector.slice(from - 1, end - 1);
}

export function normalized(vector: Float32Array): Float32Array {
  const length = norm(vector);
  const out = new Float32Array(vector.length);
  if (length > 0) for (let i = 0; i < out.length; i++) out[i] = checkedComponent(vector[i] / length);
  return out;
}

function scalar(name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}

/** 22000 and 22004 for arrays that are no vector. `rounded` to the type's precision. */
export function ofArray({ elements, lengths }: ArrayValue, type: VectorName = 'vector', rounded = Math.fround): Float32Array {
  if (lengths.length > 1) throw new SvcError('22000', 'array must be 1-D');
  checkedDimensions(elements.length, type);
  const out = new Float32Array(elements.length);
  elements.forEach((element: Value, i) => {
    if (element === null) throw new SvcError('22004', 'array must not contain nulls');
    out[i] = checkedComponent(rounded(typeof element === 'object' ? toFloat8Unchecked(element as Numeric) : Number(element)), type);
  });
  return out;
}

interface Sum {
  components: Float64Array | null;
  count: number;
}

export function overComponents(name: 'avg' | 'sum', doc: string, type: 'vector' | 'halfvec' = 'vector', rounded = Math.fround): AggregateFunction<Sum> {
  return defineAggregate<Sum>({
    name,
    args: [type],
    returns: type,
    strict: true,
    doc,
    init: () => ({ components: null, count: 0 }),
    step: (state, vector: Float32Array) => {
      state.components ??= new Float64Array(vector.length);
      const { components } = state;
      if (components.length !== vector.length) throw new SvcError('22000', `expected ${components.length} dimensions, not ${vector.length}`);
      for (let i = 0; i < vector.length; i++) components[i] += vector[i];
      state.count++;
      return state;
    },
    finish: ({ components, count }) => {
      if (components === null) return null;
      const out = new Float32Array(components.length);
      for (let i = 0; i < out.length; i++) {
        out[i] = rounded(name === 'avg' ? components[i] / count : components[i]);
        if (!Number.isFinite(out[i])) throw new SvcError('22003', 'value out of range: overflow');
      }
      return out;
    },
  });
}

const distance = (name: string, proc: string, impl: SqlOperator['impl']): SqlOperator => ({
  name,
  left: 'vector',
  right: 'vector',
  returns: 'float8',
  proc,
  commutator: name,
  impl,
});
const TWO = ['vector', 'vector'];

export const VECTOR_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('l2_distance', TWO, 'float8', 'Euclidean distance of two vectors.', l2),
    scalar('vector_l2_squared_distance', TWO, 'float8', 'Square of the Euclidean distance of two vectors.', squaredDistance),
    scalar('inner_product', TWO, 'float8', 'Inner product of two vectors.', innerProduct),
    scalar('vector_negative_inner_product', TWO, 'float8', 'Inner product of two vectors, negated: smaller is nearer.', negative),
    scalar('cosine_distance', TWO, 'float8', 'One less the cosine of the angle between two vectors.', cosineDistance),
    scalar('l1_distance', TWO, 'float8', 'Taxicab distance of two vectors.', taxicabDistance),
    scalar('vector_dims', ['vector'], 'int4', 'Number of dimensions of a vector.', (vector: Float32Array) => vector.length),
    scalar('vector_norm', ['vector'], 'float8', 'Euclidean norm of a vector.', norm),
    scalar('l2_normalize', ['vector'], 'vector', 'The vector at length 1.', normalized),
    scalar('subvector', ['vector', 'int4', 'int4'], 'vector', 'A number of components of a vector, from a position on.', part),
    scalar('binary_quantize', ['vector'], 'bit', 'One bit a component: whether it is above 0.', (vector: Float32Array) =>
      Array.from(vector, (component) => (component > 0 ? '1' : '0')).join(''),
    ),
    scalar('vector_cmp', TWO, 'int4', 'Order of two vectors: -1, 0 or 1.', (a: Float32Array, b: Float32Array) => Math.sign(compareVectors(a, b))),
    overComponents('avg', 'The mean of the vectors.'),
    overComponents('sum', 'The sum of the vectors.'),
    ...BIT_DISTANCES,
  ],
  operators: [
    ...sixOperators('vector', 'vector', (test) => `vector_${test}`, {
      eq: (a: Float32Array, b: Float32Array) => compareVectors(a, b) === 0,
      ne: (a: Float32Array, b: Float32Array) => compareVectors(a, b) !== 0,
      lt: (a: Float32Array, b: Float32Array) => compareVectors(a, b) < 0,
      le: (a: Float32Array, b: Float32Array) => compareVectors(a, b) <= 0,
      gt: (a: Float32Array, b: Float32Array) => compareVectors(a, b) > 0,
      ge: (a: Float32Array, b: Float32Array) => compareVectors(a, b) >= 0,
    }),
    distance('<->', 'l2_distance', l2),
    distance('<#>', 'vector_negative_inner_product', negative),
    distance('<=>', 'cosine_distance', cosineDistance),
    distance('<+>', 'l1_distance', taxicabDistance),
    ...BIT_DISTANCE_OPERATORS,
    ...(
      [
        ['+', 'vector_add', '+', (a: Float32Array, b: Float32Array) => combined(a, b, (x, y) => x + y)],
        ['-', 'vector_sub', undefined, (a: Float32Array, b: Float32Array) => combined(a, b, (x, y) => x - y)],
        ['*', 'vector_mul', '*', (a: Float32Array, b: Float32Array) => combined(a, b, (x, y) => x * y, true)],
        ['||', 'vector_concat', undefined, concatenated],
      ] as const
    ).map(([name, proc, commutator, impl]): SqlOperator => ({
      name,
      left: 'vector',
      right: 'vector',
      returns: 'vector',
      proc,
      ...(commutator === undefined ? {} : { commutator }),
      impl,
    })),
  ],
  casts: [
    ...['_int4', '_float4', '_float8', '_numeric'].map((from): SqlCast => ({
      from,
      to: 'vector',
      context: 'assignment',
      method: 'function',
      impl: (array: ArrayValue) => ofArray(array),
    })),
    { from: 'vector', to: '_float4', context: 'implicit', method: 'function', impl: (vector: Float32Array) => new ArrayValue([...vector]) },
  ],
};
