/** User-defined functions, operators and casts for analysed definitions: their signatures only. */
import { asFunction } from '../bind/user-functions.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { AggregateFunction, SqlCast, SqlFunction, SqlOperator } from '../functions/define.ts';
import type { Schema, UserFunction, UserOperator } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const never = (): never => {
  throw new SvcError('XX000', 'a function of a definition that is only shown');
};

const aggregates = new WeakMap<UserFunction, AggregateFunction<Value>>();

function shapeOf(user: UserFunction): SqlFunction {
  const { aggregate } = user.object;
  if (aggregate === undefined) return asFunction(user);
  let shape = aggregates.get(user);
  if (shape !== undefined) return shape;
  const { name, args, variadic, returns, doc, resultType, user: number } = asFunction(user);
  const orderedSet = aggregate.direct === undefined ? {} : { orderedSet: { directArgs: aggregate.direct, hypothetical: aggregate.hypothetical === true } };
  shape = { kind: 'aggregate', name, args, variadic, returns, doc, resultType, user: number, ...orderedSet, init: () => null, step: never, finish: never };
  aggregates.set(user, shape);
  return shape;
}

function operatorShape({ object, left, right, returns }: UserOperator): SqlOperator {
  return { name: object.name, left: left?.name ?? null, right: right.name, returns: returns.name, proc: object.name, own: object.number, impl: never };
}

export function ownFunctions(schema: Schema, places: readonly string[], name: string): SqlFunction[] {
  return schema.functions.size === 0 ? [] : places.flatMap((place) => schema.functionsNamed(place, name).map(shapeOf));
}

export function ownOperators(schema: Schema, places: readonly string[], name: string): SqlOperator[] {
  const out: SqlOperator[] = [];
  for (const each of schema.operators.values()) if (each.object.name === name && places.includes(each.object.schema)) out.push(operatorShape(each));
  return out;
}

export function ownCast(schema: Schema, from: SqlType, to: SqlType): SqlCast | null {
  for (const { object } of schema.casts.values()) {
    if (object.from === from.oid && object.to === to.oid) return { from: from.name, to: to.name, context: object.context, method: object.method, impl: never };
  }
  return null;
}

/** The schema of a qualified name; null for built-in ones. */
export function schemaOfRoutine(schema: Schema, routine: SqlFunction | SqlOperator): string | null {
  if (routine.extension !== undefined) return schema.extensions.get(routine.extension)?.schema ?? null;
  if ('own' in routine && routine.own !== undefined) return schema.operators.get(routine.own)?.object.schema ?? null;
  if ('user' in routine && routine.user !== undefined) return schema.functions.get(routine.user)?.object.schema ?? null;
  return null;
}
