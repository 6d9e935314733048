/** Functions, operators, casts and aggregates of halfvec, with the names and messages of the extension pgvector. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { checkedHalf, roundedToHalf } from '../../types/halfvec.ts';
import { compareVectors } from '../../types/vector.ts';
import { sixOperators } from '../comparison/six-operators.ts';
import type { FunctionModule, ScalarFunction, SqlCast, SqlOperator } from '../define.ts';
import { combined, concatenated, normalized, ofArray, overComponents, part } from './vector-functions.ts';
import { cosineDistance, innerProduct, l2, negative, norm, squaredDistance, taxicabDistance } from './vector-distances.ts';

type Half = Float32Array;

/** With pgvector's message for halves of different dimensions. */
function onHalves<T>(of: (a: Half, b: Half) => T): (a: Half, b: Half) => T {
  return (a, b) => {
    if (a.length !== b.length) throw new SvcError('22000', `different halfvec dimensions ${a.length} and ${b.length}`);
    return of(a, b);
  };
}

const halves = (vector: Float32Array): Half => vector.map(roundedToHalf);

/** Component by component. 22003 for overflow, and for a product that underflows. */
const computed = (combine: (x: number, y: number) => number, underflows = false): ((a: Half, b: Half) => Half) =>
  onHalves((a, b) => combined(a, b, (x, y) => roundedToHalf(combine(x, y)), underflows));

const TWO = ['halfvec', 'halfvec'];

function scalar(name: string, args: readonly string[], returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, impl };
}

const operator = (name: string, returns: string, proc: string, impl: SqlOperator['impl'], commutes: boolean): SqlOperator => ({
  name,
  left: 'halfvec',
  right: 'halfvec',
  returns,
  proc,
  ...(commutes ? { commutator: name } : {}),
  impl,
});

export const HALFVEC_FUNCTIONS: FunctionModule = {
  functions: [
    scalar('l2_distance', TWO, 'float8', 'Euclidean distance of two vectors.', onHalves(l2)),
    scalar('halfvec_l2_squared_distance', TWO, 'float8', 'Square of the Euclidean distance of two vectors.', onHalves(squaredDistance)),
    scalar('inner_product', TWO, 'float8', 'Inner product of two vectors.', onHalves(innerProduct)),
    scalar('halfvec_negative_inner_product', TWO, 'float8', 'Inner product of two vectors, negated: smaller is nearer.', onHalves(negative)),
    scalar('cosine_distance', TWO, 'float8', 'One less the cosine of the angle between two vectors.', onHalves(cosineDistance)),
    scalar('l1_distance', TWO, 'float8', 'Taxicab distance of two vectors.', onHalves(taxicabDistance)),
    scalar('vector_dims', ['halfvec'], 'int4', 'Number of dimensions of a vector.', (vector: Half) => vector.length),
    scalar('l2_norm', ['halfvec'], 'float8', 'Euclidean norm of a vector.', norm),
    scalar('l2_normalize', ['halfvec'], 'halfvec', 'The vector at length 1.', (vector: Half) => halves(normalized(vector))),
    scalar('subvector', ['halfvec', 'int4', 'int4'], 'halfvec', 'A number of components of a vector, from a position on.', part),
    scalar('binary_quantize', ['halfvec'], 'bit', 'One bit a component: whether it is above 0.', (vector: Half) =>
      Array.from(vector, (component) => (component > 0 ? '1' : '0')).join(''),
    ),
    scalar('halfvec_cmp', TWO, 'int4', 'Order of two vectors: -1, 0 or 1.', (a: Half, b: Half) => Math.sign(compareVectors(a, b))),
    overComponents('avg', 'The mean of the vectors.', 'halfvec', roundedToHalf),
    overComponents('sum', 'The sum of the vectors.', 'halfvec', roundedToHalf),
  ],
  operators: [
    ...sixOperators('halfvec', 'halfvec', (test) => `halfvec_${test}`, {
      eq: (a: Half, b: Half) => compareVectors(a, b) === 0,
      ne: (a: Half, b: Half) => compareVectors(a, b) !== 0,
      lt: (a: Half, b: Half) => compareVectors(a, b) < 0,
      le: (a: Half, b: Half) => compareVectors(a, b) <= 0,
      gt: (a: Half, b: Half) => compareVectors(a, b) > 0,
      ge: (a: Half, b: Half) => compareVectors(a, b) >= 0,
    }),
    operator('<->', 'float8', 'l2_distance', onHalves(l2), true),
    operator('<#>', 'float8', 'halfvec_negative_inner_product', onHalves(negative), true),
    operator('<=>', 'float8', 'cosine_distance', onHalves(cosineDistance), true),
    operator('<+>', 'float8', 'l1_distance', onHalves(taxicabDistance), true),
    operator(
      '+',
      'halfvec',
      'halfvec_add',
      computed((x, y) => x + y),
      true,
    ),
    operator(
      '-',
      'halfvec',
      'halfvec_sub',
      computed((x, y) => x - y),
      false,
    ),
    operator(
      '*',
      'halfvec',
      'halfvec_mul',
      computed((x, y) => x * y, true),
      true,
    ),
    operator('||', 'halfvec', 'halfvec_concat', concatenated, false),
  ],
  casts: [
    ...['_int4', '_float4', '_float8', '_numeric'].map((from): SqlCast => ({
      from,
      to: 'halfvec',
      context: 'assignment',
      method: 'function',
      impl: (array: ArrayValue) => ofArray(array, 'halfvec', roundedToHalf),
    })),
    { from: 'halfvec', to: '_float4', context: 'assignment', method: 'function', impl: (vector: Half) => new ArrayValue([...vector]) },
    { from: 'halfvec', to: 'vector', context: 'assignment', method: 'function', impl: (vector: Half) => vector },
    { from: 'vector', to: 'halfvec', context: 'implicit', method: 'function', impl: (vector: Float32Array) => vector.map(checkedHalf) },
  ],
};
