/**
 * Constant folding: calls of immutable functions over constants become constants, and arrays of constants, so that estimates and
 * indexes see their values. A call that fails stays: its row may never be reached.
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
  return withSubqueries(
    rewriteBound(e, (at) => fold(at)),
    foldConstants,
  );
}

/** Whether a subexpression of constants raises an error. */
export function failsConstant(e: Bound): boolean {
  let fails = false;
  rewriteBound(e, (at) => fold(at, () => void (fails = true)));
  return fails;
}

type OnError = () => void;

function fold(e: Bound, failed?: OnError): Bound {
  if (e.kind === 'call') {
    const { fn, args } = e;
    if ((fn.volatility ?? 'immutable') !== 'immutable' || args.length === 0) return e;
    if (fn.needsCall === true) return dateBound(e);
    if (!args.every((arg) => arg.kind === 'constant')) return e;
    const values = args.map((arg) => (arg as Bound & { kind: 'constant' }).value);
    if (fn.strict !== false && values.includes(null)) return { kind: 'constant', value: null, type: e.type, typmod: e.typmod };
    // A long call runs with yields at run time.
    if (fn.long?.isLong(...values) === true) return e;
    return constantOf(e, () => fn.impl(...values), failed);
  }
  if (e.kind === 'array') {
    if (e.spread === true || !e.elements.every((element) => element.kind === 'constant')) return e;
    const values = e.elements.map((element) => (element as Bound & { kind: 'constant' }).value);
    return constantOf(e, () => buildArray(values, e.nested), failed);
  }
  return e.kind === 'cast' && e.arg.kind === 'constant' && e.arg.value !== null ? foldCast(e, e.arg.value, failed) : e;
}

function foldCast(e: Bound & { kind: 'cast' }, value: Value, failed?: OnError): Bound {
  const { cast, method } = e;
  if (cast === null || cast.impl === undefined || cast.needsCall === true || (cast.volatility ?? 'immutable') !== 'immutable') return e;
  const { impl } = cast;
  if (method === 'function') return constantOf(e, () => impl(value), failed);
  return method === 'array' && e.typmod < 0 ? constantOf(e, () => arrayCast(value as ArrayValue, (one) => impl(one)), failed) : e;
}

/** Longer texts are computed at run time, since plans are cached. */
const TEXT_MAX = 1000;

function constantOf(e: Bound, make: () => Value, failed?: OnError): Bound {
  let value: Value;
  try {
    value = make();
  } catch {
    failed?.();
    return e;
  }
  if (typeof value === 'string' && value.length > TEXT_MAX) return e;
  return { kind: 'constant', value, type: e.type, typmod: e.typmod };
}
