/** Operators and casts that a world defines, as the binder wants them. */
import { isPolymorphic } from '../bind/coerce.ts';
import type { SqlCast, SqlOperator } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema, UserCast, UserOperator } from '../schema/schema.ts';
import type { Value } from '../types/value.ts';
import { invoke, referenced } from './routine-reference.ts';

export function asOperator({ object, left, right, returns }: UserOperator, schema: Schema, registry: Registry): SqlOperator {
  const types = left === null ? [right] : [left, right];
  const fn = referenced(schema, registry, object.routine, types);
  return {
    name: object.name,
    left: left?.name ?? null,
    right: right.name,
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
