/** Operators and casts that a world defines, as the binder wants them. */
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
    proc: fn.name,
    behind: fn,
    strict: fn.strict,
    volatility: fn.volatility,
    needsCall: fn.needsCall,
    impl: fn.impl,
  };
}

export function asCast({ object, from, to }: UserCast, schema: Schema, registry: Registry): SqlCast {
  const { context, method, routine } = object;
  const common = { from: from.name, to: to.name, context, method };
  if (routine === null) return common;
  const int4 = registry.type('int4');
  const all = [from, int4, registry.type('bool')];
  const fn = castFunction(schema, registry, routine, all);
  const types = all.slice(0, fn.count);
  return {
    ...common,
    volatility: fn.fn.volatility,
    needsCall: true,
    impl: (call, value: Value): Value => invoke(fn.fn, { ...call, argTypes: types, returnType: to }, [value, -1, true].slice(0, fn.count)),
  };
}

/** One that takes the value, or its typmod and whether the cast was written out, too. */
function castFunction(
  schema: Schema,
  registry: Registry,
  routine: NonNullable<UserCast['object']['routine']>,
  all: readonly UserCast['from'][],
): { readonly fn: ReturnType<typeof referenced>; readonly count: number } {
  if ('own' in routine) {
    const fn = referenced(schema, registry, routine, all);
    return { fn, count: fn.args.length };
  }
  for (const count of [1, 2]) {
    try {
      return { fn: referenced(schema, registry, routine, all.slice(0, count)), count };
    } catch {
      // The next longer list.
    }
  }
  return { fn: referenced(schema, registry, routine, all), count: 3 };
}
