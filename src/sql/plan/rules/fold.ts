/**
 * Calls of immutable functions over constants become constants, and arrays of constants, so that estimates and indexes see their values. What
 * fails stays as it is: the row that would ask for it may never come.
 */
import type { Bound } from '../bound.ts';
import { arrayCast, buildArray } from '../../types/array-operations.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { dateBound } from './date-bounds.ts';
import type { Plan } from '../logical.ts';
import type { Value } from '../../types/value.ts';
import { rewritePlan, withBounds, withSubqueries } from './rewrite.ts';
import { rewriteBound } from './walk.ts';

export function foldConstants(plan: Plan): Plan {
  return rewritePlan(plan, (at) => withBounds(at, folded));
}

export function folded(e: Bound): Bound {
  return withSubqueries(rewriteBound(e, fold), foldConstants);
}

function fold(e: Bound): Bound {
  if (e.kind === 'call') {
    const { fn, args } = e;
    if ((fn.volatility ?? 'immutable') !== 'immutable' || args.length === 0) return e;
    if (fn.needsCall === true) return dateBound(e);
    if (!args.every((arg) => arg.kind === 'constant')) return e;
    const values = args.map((arg) => (arg as Bound & { kind: 'constant' }).value);
    if (fn.strict !== false && values.includes(null)) return { kind: 'constant', value: null, type: e.type, typmod: e.typmod };
    return constantOf(e, () => fn.impl(...values));
  }
  if (e.kind === 'array') {
    if (e.spread === true || !e.elements.every((element) => element.kind === 'constant')) return e;
    const values = e.elements.map((element) => (element as Bound & { kind: 'constant' }).value);
    return constantOf(e, () => buildArray(values, e.nested));
  }
  return e.kind === 'cast' && e.arg.kind === 'constant' && e.arg.value !== null ? foldCast(e, e.arg.value) : e;
}

function foldCast(e: Bound & { kind: 'cast' }, value: Value): Bound {
  const { cast, method } = e;
  if (cast === null || cast.impl === undefined || cast.needsCall === true || (cast.volatility ?? 'immutable') !== 'immutable') return e;
  const { impl } = cast;
  if (method === 'function') return constantOf(e, () => impl(value));
  return method === 'array' && e.typmod < 0 ? constantOf(e, () => arrayCast(value as ArrayValue, (one) => impl(one))) : e;
}

/** Longer texts are made anew where they are asked for: plans are kept. */
const TEXT_MAX = 1000;

function constantOf(e: Bound, make: () => Value): Bound {
  let value: Value;
  try {
    value = make();
  } catch {
    return e;
  }
  if (typeof value === 'string' && value.length > TEXT_MAX) return e;
  return { kind: 'constant', value, type: e.type, typmod: e.typmod };
}
