/** User-defined operators and casts in the binder's form. */
import type { Ordering } from '../bind/binder.ts';
import { isPolymorphic } from '../bind/coerce.ts';
import { declaredName } from '../bind/declared-type.ts';
import type { ScalarFunction, SqlCast, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema, UserCast, UserOperator } from '../schema/schema.ts';
import type { Value } from '../types/value.ts';
import type { SqlType } from '../types/type.ts';
import { invoke, referenced } from './routine-reference.ts';

export function asOperator({ object, left, right, returns }: UserOperator, schema: Schema, registry: Registry): SqlOperator {
  const types = left === null ? [right] : [left, right];
  const fn = referenced(schema, registry, object.routine, types);
  return {
    name: object.name,
    left: left === null ? null : declaredName(left),
    right: declaredName(right),
    returns: returns.name,
    ...(isPolymorphic(returns.name) ? {} : { resultType: returns }),
    proc: fn.name,
    own: object.number,
    behind: fn,
    strict: fn.strict,
    volatility: fn.volatility,
    declaredImmutable: fn.declaredImmutable,
    needsCall: fn.needsCall,
    impl: fn.impl,
  };
}

export function asCast({ object, from, to }: UserCast, schema: Schema, registry: Registry): SqlCast {
  const { context, method, routine } = object;
  const common = { from: from.name, to: to.name, context, method };
  if (routine === null) return common;
  const types = [from, registry.type('int4'), registry.type('bool')].slice(0, object.args);
  const fn = referenced(schema, registry, routine, types);
  return {
    ...common,
    user: fn.user,
    volatility: fn.volatility,
    needsCall: true,
    impl: (call, value: Value): Value => invoke(fn, { ...call, argTypes: types, returnType: to }, [value, -1, true].slice(0, types.length)),
  };
}

/** Btree strategy numbers of `<`, `=` and `>`. */
const [LEAST, EQUAL, GREATEST] = [1, 3, 5];

/** The ordering of an operator that is `<` or `>` of one type in a btree family, with its equality. */
export function orderingOf(schema: Schema, registry: Registry, operator: number): Ordering | null {
  const type = schema.operators.get(operator)?.right;
  if (type === undefined) return null;
  const members = [...schema.plain.of('family operator').values()].filter(({ left, right, sort }) => left === type.oid && right === type.oid && sort === 0);
  for (const { operator: of, family, place } of members) {
    if (!('own' in of) || of.own !== operator || (place !== LEAST && place !== GREATEST)) continue;
    if (!members.some((each) => each.family === family && each.place === EQUAL)) continue;
    const compare = comparisonIn(schema, registry, family, type);
    if (compare !== null) return { descending: place === GREATEST, compare };
  }
  return null;
}

/** The ordering of a type that has only a default btree operator class; null if it has none. */
export function standardOrdering(schema: Schema, registry: Registry, type: SqlType): Ordering | null {
  for (const each of schema.plain.of('operator class').values()) {
    if (!each.standard || each.method !== 'btree' || each.type !== type.oid) continue;
    const compare = comparisonIn(schema, registry, each.family, type);
    if (compare !== null) return { descending: false, compare };
  }
  return null;
}

function comparisonIn(schema: Schema, registry: Registry, family: number, type: SqlType): ScalarFunction | null {
  for (const each of schema.plain.of('family function').values()) {
    if (each.family !== family || each.place !== 1 || each.left !== type.oid || each.right !== type.oid) continue;
    return referenced(schema, registry, each.routine, [type, type]);
  }
  return null;
}
