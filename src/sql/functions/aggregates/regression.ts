/** Aggregates over pairs of floats, Y before X: covariance, correlation and linear regression. */
import { defineAggregate, type AggregateFunction, type FunctionModule } from '../define.ts';
import { PairMoments, addPair } from './float-moments.ts';

function pairs(name: string, doc: string, finish: (state: PairMoments) => number | null): AggregateFunction<PairMoments> {
  return defineAggregate<PairMoments>({
    name,
    args: ['float8', 'float8'],
    returns: 'float8',
    strict: true,
    doc,
    init: () => new PairMoments(),
    step: addPair,
    finish: (state) => (state.count === 0 ? null : finish(state)),
  });
}

export function correlation(state: PairMoments): number | null {
  if (state.squaresX === 0 || state.squaresY === 0) return null;
  return state.products / Math.sqrt(state.squaresX * state.squaresY);
}

export function determination(state: PairMoments): number | null {
  if (state.squaresX === 0) return null;
  if (state.squaresY === 0) return 1;
  return (state.products * state.products) / (state.squaresX * state.squaresY);
}

export const regressionAggregates: FunctionModule = {
  functions: [
    // Only counts, so that no sum can overflow.
    defineAggregate<PairMoments>({
      name: 'regr_count',
      args: ['float8', 'float8'],
      returns: 'int8',
      strict: true,
      doc: 'Number of pairs without nulls.',
      init: () => new PairMoments(),
      step: (state) => {
        state.count++;
        return state;
      },
      finish: (state) => state.count,
    }),
    pairs('regr_sxx', 'Sum of squared differences of X from its mean.', (state) => state.squaresX),
    pairs('regr_syy', 'Sum of squared differences of Y from its mean.', (state) => state.squaresY),
    pairs('regr_sxy', 'Sum of products of the differences from the means.', (state) => state.products),
    pairs('regr_avgx', 'Average of X.', (state) => state.sumX / state.count),
    pairs('regr_avgy', 'Average of Y.', (state) => state.sumY / state.count),
    pairs('regr_r2', 'Square of the correlation.', determination),
    pairs('regr_slope', 'Slope of the line of least squares.', (state) => (state.squaresX === 0 ? null : state.products / state.squaresX)),
    pairs('regr_intercept', 'Where the line of least squares meets the Y axis.', (state) =>
      state.squaresX === 0 ? null : (state.sumY - (state.sumX * state.products) / state.squaresX) / state.count,
    ),
    pairs('covar_pop', 'Covariance of a population.', (state) => state.products / state.count),
    pairs('covar_samp', 'Covariance of a sample.', (state) => (state.count < 2 ? null : state.products / (state.count - 1))),
    pairs('corr', 'Correlation.', correlation),
  ],
};
