/** Operators and casts that a world defines, as the binder wants them. */
import type { SqlCast, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema, UserCast, UserOperator } from '../schema/schema.ts';
import type { Value } from '../types/value.ts';
import type { Ordering } from '../bind/binder.ts';
import { invoke, referenced } from './routine-reference.ts';

export function asOperator({ object, left, right, returns }: UserOperator, schema: Schema, registry: Registry): SqlOperator {
  const types = left === null ? [right] : [left, right];
  const fn = referenced(schema, registry, object.routine, types);
  return {
    name: object.name,
    left: left?.name ?? null,
    right: right.name,
    returns: returns.name,
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

/** Places of `<`, `=` and `>` in a family of btree. */
const [LEAST, EQUAL, GREATEST] = [1, 3, 5];

/** The comparison behind an operator that a family of btree has as `<` or `>` between values of one type, with their equality. */
export function orderingOf(schema: Schema, registry: Registry, operator: number): Ordering | null {
  const type = schema.operators.get(operator)?.right;
  if (type === undefined) return null;
  const members = [...schema.plain.of('family operator').values()].filter(({ left, right, sort }) => left === type.oid && right === type.oid && sort === 0);
  for (const { operator: of, family, place } of members) {
    if (!('own' in of) || of.own !== operator || (place !== LEAST && place !== GREATEST)) continue;
    if (!members.some((each) => each.family === family && each.place === EQUAL)) continue;
    for (const each of schema.plain.of('family function').values()) {
      if (each.family !== family || each.place !== 1 || each.left !== type.oid || each.right !== type.oid) continue;
      return { descending: place === GREATEST, compare: referenced(schema, registry, each.routine, [type, type]) };
    }
  }
  return null;
}
