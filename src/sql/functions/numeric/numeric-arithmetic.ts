/** Operators of numeric. */
import { abs, add, div, mod, mul, neg, sub, type Numeric } from '../../types/numeric.ts';
import { power } from '../../types/numeric-analysis.ts';
import type { FunctionModule, SqlOperator } from '../define.ts';

function binary(name: string, proc: string, impl: (a: Numeric, b: Numeric) => Numeric, commutes = false): SqlOperator {
  return { name, left: 'numeric', right: 'numeric', returns: 'numeric', proc, commutator: commutes ? name : undefined, impl };
}

function unary(name: string, proc: string, impl: (a: Numeric) => Numeric): SqlOperator {
  return { name, left: null, right: 'numeric', returns: 'numeric', proc, impl };
}

export const numericArithmetic: FunctionModule = {
  operators: [
    binary('+', 'numeric_add', add, true),
    binary('-', 'numeric_sub', sub),
    binary('*', 'numeric_mul', mul, true),
    binary('/', 'numeric_div', div),
    binary('%', 'numeric_mod', mod),
    binary('^', 'numeric_power', power),
    unary('+', 'numeric_uplus', (a) => a),
    unary('-', 'numeric_uminus', neg),
    unary('@', 'numeric_abs', abs),
  ],
};
