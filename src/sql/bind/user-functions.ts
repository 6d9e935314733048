/** User-defined functions in the binder's form. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Call, SqlFunction } from '../functions/define.ts';
import type { ArgumentNames } from './binder.ts';
import { isPolymorphic } from './coerce.ts';
import { declaredName } from './declared-type.ts';
import type { UserFunction } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import { columnsOf, recordType } from '../types/record-type.ts';
import { RecordValue } from '../types/record-value.ts';
import type { Value } from '../types/value.ts';

const known = new WeakMap<UserFunction, SqlFunction>();

export function asFunction(user: UserFunction): SqlFunction {
  let fn = known.get(user);
  if (fn === undefined) known.set(user, (fn = made(user)));
  return fn;
}

function made({ object, inputs, variadic, returns, columns }: UserFunction): SqlFunction {
  const row = columns === null || object.set || object.procedure ? null : recordType(columns.map((column) => ({ ...column, typmod: -1 })));
  const names = inputs.map(({ type }) => declaredName(type));
  const last = inputs.at(-1);
  const outs = object.args.filter(({ mode }) => mode === 'out' || mode === 'inout' || mode === 'table');
  const out = outs.length === 1 ? outs[0].name : null;
  const common = {
    name: object.name,
    args: variadic ? names.slice(0, -1) : names,
    ...(inputs.some(({ name }) => name !== null) ? { argNames: inputs.map(({ name }) => name ?? '') } : {}),
    ...(variadic ? variadicParts(last!.type) : {}),
    optional: inputs.filter((each) => each.default !== null).length,
    ...(out === null ? {} : { resultName: out }),
    doc: 'A function of the world.',
    user: object.number,
    home: object.schema,
    procedure: object.procedure,
    strict: object.strict,
    // What it reads may change, even if it is declared immutable.
    volatility: object.volatility === 'immutable' ? ('stable' as const) : object.volatility,
    ...(object.volatility === 'immutable' ? { declaredImmutable: true } : {}),
    needsCall: true,
  };
  if (object.language === 'internal' && object.window === true)
    return { ...common, kind: 'window', returns: returns.name, needs: 'frame', impl: notWithoutRows };
  const rowsOf = (call: Call, args: readonly (Value | undefined)[]): Value[][] =>
    call.env.system!.callFunction(object.number, args, call.argTypes, call.returnType);
  const resultType = row ?? (isPolymorphic(returns.name) || returns.name === 'record' ? undefined : returns);
  if (object.set || (columns !== null && row === null)) {
    return {
      ...common,
      kind: 'set',
      returns: columns === null ? returns.name : 'record',
      ...(columns === null && resultType !== undefined ? { resultType } : {}),
      ...(columns === null ? {} : { columns: columns.map(({ name, type }) => ({ name, type: declaredName(type) })) }),
      impl: (call: Call, ...args: Value[]): Iterable<Value> | Iterable<Value[]> =>
        columns === null ? rowsOf(call, args).map((row) => row[0]) : rowsOf(call, args),
    };
  }
  if (row !== null) {
    const types = row.columns!.map(({ type }) => type);
    const polymorphic = types.some(({ name }) => isPolymorphic(name));
    const impl = (call: Call, ...args: Value[]): Value =>
      new RecordValue(rowsOf(call, args)[0], polymorphic ? columnsOf(call.returnType)!.map(({ type }) => type) : types);
    return { ...common, kind: 'scalar', returns: 'record', resultType: row, impl };
  }
  return {
    ...common,
    kind: 'scalar',
    returns: returns.name,
    ...(resultType === undefined ? {} : { resultType }),
    impl: (call: Call, ...args: Value[]): Value => rowsOf(call, args)[0][0],
  };
}

/** The fields that mark the last parameter, of this type, as variadic. */
export function variadicParts(type: SqlType): { readonly variadic: string; readonly variadicArray?: string } {
  if (type.name === 'anycompatiblearray') return { variadic: 'anycompatible' };
  if (type.element === null) return { variadic: 'anyelement' };
  return { variadic: declaredName(type.element), variadicArray: declaredName(type) };
}

/** The caller uses the built-in function behind it. */
function notWithoutRows(): never {
  throw new SvcError('XX000', 'a window function of a definition that is only shown');
}

/** Argument names inside a body. */
export function argumentNamesOf({ object, inputs }: UserFunction): ArgumentNames {
  const numbers = new Map<string, number>();
  inputs.forEach(({ name }, i) => {
    if (name !== null && !numbers.has(name)) numbers.set(name, i + 1);
  });
  return { owner: object.name, numbers };
}
