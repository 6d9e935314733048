/** User-defined aggregates in the binder's form: their functions are called row by row. */
import { isPolymorphic } from '../bind/coerce.ts';
import { declaredName } from '../bind/declared-type.ts';
import { variadicParts } from '../bind/user-functions.ts';
import type { AggregateFunction, Call } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { invoke, isStrict, referenced } from './routine-reference.ts';

interface State {
  value: Value;
  /** False until the first non-null value, if a strict function has no initial state. */
  begun: boolean;
  readonly step: Call;
  readonly finish: Call;
}

export function asAggregate(user: UserFunction, schema: Schema, registry: Registry): AggregateFunction<State> {
  const { object, inputs, variadic, returns } = user;
  const { state, initial, step: stepWith, finish: finishWith, finishExtra, direct, hypothetical } = object.aggregate!;
  const declared = schema.typeByOid(state)!;
  const types = inputs.map(({ type }) => type);
  const stepped = types.slice(direct ?? 0);
  const step = referenced(schema, registry, stepWith, [declared, ...stepped]);
  const given = direct === undefined ? [] : types.slice(0, direct);
  const extra = finishExtra ? stepped : [];
  const finish = finishWith === null ? null : referenced(schema, registry, finishWith, [declared, ...given, ...extra]);
  const strictStep = isStrict(step);
  const names = types.map(declaredName);
  return {
    kind: 'aggregate',
    // Qualified: rules for built-in aggregates by name must not apply to it.
    name: `${object.schema}.${object.name}`,
    args: variadic ? names.slice(0, -1) : names,
    ...(variadic ? variadicParts(types.at(-1)!) : {}),
    returns: returns.name,
    ...(isPolymorphic(returns.name) ? {} : { resultType: returns }),
    doc: 'An aggregate of the world.',
    user: object.number,
    strict: false,
    ...(direct === undefined ? {} : { orderedSet: { directArgs: direct, hypothetical: hypothetical === true } }),
    init(call): State {
      const actual = stateType(schema, declared, types, call.argTypes);
      const first = initial === null ? null : actual.parse(initial, -1, call.env);
      const given = call.argTypes.slice(0, direct ?? 0);
      const stepped = call.argTypes.slice(direct ?? 0);
      return {
        value: first,
        begun: first !== null,
        step: { env: call.env, argTypes: [actual, ...stepped], returnType: actual },
        finish: { env: call.env, argTypes: [actual, ...given, ...(finishExtra ? stepped : [])], returnType: call.returnType },
      };
    },
    step(state: State, ...args: Value[]): State {
      if (strictStep) {
        if (args.includes(null)) return state;
        if (!state.begun) {
          state.value = args[0];
          state.begun = true;
          return state;
        }
      }
      state.value = invoke(step, state.step, [state.value, ...args]);
      return state;
    },
    finish(state: State, ...given: Value[]): Value {
      if (finish === null) return state.value;
      return invoke(finish, state.finish, [state.value, ...given, ...extra.map(() => null)]);
    },
  };
}

/** The actual type of a polymorphic state in this call. */
function stateType(schema: Schema, declared: SqlType, types: readonly SqlType[], actual: readonly SqlType[]): SqlType {
  if (!isPolymorphic(declared.name)) return declared;
  const isArray = (type: SqlType): boolean => type.name.endsWith('array') && !type.name.endsWith('nonarray');
  for (const [i, type] of types.entries()) {
    const own = actual[i];
    if (!isPolymorphic(type.name) || own === undefined) continue;
    const element = isArray(type) ? own.element! : own;
    return isArray(declared) ? (isArray(type) ? own : schema.typeByOid(element.arrayOid)!) : element;
  }
  return declared;
}
