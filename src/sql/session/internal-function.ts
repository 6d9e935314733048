/**
 * Functions of LANGUAGE internal: another declaration of a built-in function, by its C name (manual, 38.9). Postgres trusts the
 * declaration and reads any bytes that it gets; here a call whose arguments the built-in function cannot read is refused (0A000).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { actualType, resolvePolymorphic } from '../bind/candidates.ts';
import { Coercion, isPolymorphic, type TypeSource } from '../bind/coerce.ts';
import { asFunction } from '../bind/user-functions.ts';
import { type FunctionFacts, functionsBySymbol } from '../catalog/facts.ts';
import type { Call, ScalarFunction, SetFunction, SqlFunction, WindowFunction } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { UserFunction } from '../schema/schema.ts';
import { formOf } from '../types/base-type.ts';
import { rootOf } from '../types/domain-type.ts';
import type { Environment } from '../types/environment.ts';
import { RecordValue } from '../types/record-value.ts';
import type { Repr, SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

/** Whether Postgres 15 has a C function of this name. */
export function isSymbol(name: string): boolean {
  return functionsBySymbol().has(name);
}

type Callable = ScalarFunction | SetFunction;

/** A built-in function called through a declaration with other types. */
interface Target<F extends SqlFunction> {
  readonly fn: F;
  /** As the built-in function declares them. */
  readonly argTypes: readonly SqlType[];
  readonly returnType: SqlType;
}

const targets = new WeakMap<UserFunction, { readonly types: readonly SqlType[]; readonly target: Target<Callable> }>();

/** The rows of a call; `types` are those of the arguments if they are polymorphic. */
export function runInternal(
  env: Environment,
  coercion: () => Coercion,
  user: UserFunction,
  args: readonly Value[],
  types: readonly SqlType[],
  returns: SqlType,
): Value[][] {
  const actual = user.inputs.map(({ type }, i) => (isPolymorphic(type.name) ? (types[i] ?? type) : type));
  let known = targets.get(user);
  if (known === undefined || known.types.some((type, i) => type !== actual[i])) {
    known = { types: actual, target: targetOf(coercion(), user, actual, (fn) => fn.kind === 'scalar' || fn.kind === 'set') };
    targets.set(user, known);
  }
  const { fn, argTypes, returnType } = known.target;
  if (fn.strict !== false && args.includes(null)) return user.object.set ? [] : [(user.columns ?? [null]).map(() => null)];
  const call: Call = { env, argTypes, returnType: isPolymorphic(fn.returns) ? returns : returnType };
  try {
    return rowsOf(user, fn, fn.needsCall === true ? fn.impl(call, ...args) : fn.impl(...args));
  } catch (error) {
    // Values of another type of the same form may be out of range for the function, as `infinity` of dates.
    if (error instanceof TypeError || error instanceof RangeError) throw unreadable(user);
    throw error;
  }
}

function rowsOf(user: UserFunction, fn: Callable, given: Value | Iterable<Value> | Iterable<Value[]>): Value[][] {
  const types = user.columns?.map(({ type }) => type) ?? [user.returns];
  if (user.returns.name === 'void') return user.object.set ? [] : [[null]];
  const rows: Value[][] = [];
  const list = fn.kind === 'set' ? (given as Iterable<Value | Value[]>) : [given as Value];
  for (const each of list) {
    const row = Array.isArray(each) ? each : user.columns !== null && each instanceof RecordValue ? [...each.fields] : [each];
    if (row.length !== types.length || !row.every((value, i) => value === null || hasForm(value, types[i].repr))) throw unreadable(user);
    rows.push(row);
  }
  return rows;
}

/** A user-defined declaration of a built-in window function. */
export function asWindow(user: UserFunction, registry: Registry, types: TypeSource): SqlFunction {
  const shape = asFunction(user);
  let known: { readonly types: readonly SqlType[]; readonly target: Target<WindowFunction> } | null = null;
  const impl: WindowFunction['impl'] = (view, call) => {
    if (known === null || known.types.some((type, i) => type !== call.argTypes[i])) {
      const coercion = new Coercion(registry, types, call.env, { types: [], fixed: true });
      known = { types: call.argTypes, target: targetOf(coercion, user, call.argTypes, (fn) => fn.kind === 'window') };
    }
    const { fn, argTypes, returnType } = known.target;
    const value = fn.impl(view, { env: call.env, argTypes, returnType: isPolymorphic(fn.returns) ? call.returnType : returnType });
    if (value !== null && !hasForm(value, call.returnType.repr)) throw unreadable(user);
    return value;
  };
  return { ...shape, kind: 'window', needs: 'frame', impl } as WindowFunction;
}

/** 0A000 if no built-in function of the name has these argument and result types. */
function targetOf<F extends SqlFunction>(
  coercion: Coercion,
  user: UserFunction,
  types: readonly SqlType[],
  accepts: (fn: SqlFunction) => fn is F & SqlFunction,
): Target<F> {
  const { registry } = coercion;
  const symbol = user.object.body;
  let isThere = false;
  for (const facts of functionsBySymbol().get(symbol) ?? []) {
    const fn = declared(registry, facts);
    if (fn === null) continue;
    isThere = true;
    if (!accepts(fn)) continue;
    if (fn.kind === 'set' && !user.object.set) throw new SvcError('0A000', 'set-valued function called in context that cannot accept a set');
    const argTypes = readableAs(coercion, facts, types);
    if (argTypes === null || !gives(coercion, facts, user)) continue;
    return { fn, argTypes, returnType: registry.typeByOid(facts.returns) ?? user.returns };
  }
  throw isThere ? unreadable(user) : notSupported(user);
}

export function notSupported({ object }: UserFunction): SvcError {
  return new SvcError('0A000', `the built-in function "${object.body}" is not supported`);
}

function unreadable({ object, inputs, returns }: UserFunction): SvcError {
  const title = `${object.name}(${inputs.map(({ type }) => type.title).join(', ')})`;
  return new SvcError('0A000', `built-in function "${object.body}" cannot be called as ${title} returning ${returns.title}`);
}

/** The library's function with the name and arguments. */
function declared(registry: Registry, { name, args }: FunctionFacts): SqlFunction | null {
  const names = args.map((oid) => registry.typeByOid(oid)?.name);
  for (const fn of registry.functions(name)) {
    // A function with any number of arguments of any type is bound at each call.
    if (fn.variadic === 'any' || fn.kind === 'aggregate') continue;
    const own = fn.variadic === undefined ? fn.args : [...fn.args, fn.variadic === 'anyelement' ? 'anyarray' : `_${fn.variadic}`];
    const required = own.length - (fn.variadic === undefined ? (fn.optional ?? 0) : 0);
    if (names.length >= required && names.length <= own.length && names.every((each, i) => each === own[i])) return fn;
  }
  return null;
}

/** The types that the built-in function reads the values as; null if it cannot. */
function readableAs(coercion: Coercion, { args }: FunctionFacts, types: readonly SqlType[]): SqlType[] | null {
  if (args.length !== types.length) return null;
  const { registry } = coercion;
  const wanted = args.map((oid) => registry.typeByOid(oid)!);
  const names = wanted.map(({ name }) => name);
  const found = resolvePolymorphic(coercion, names, types);
  if (found === null) return null;
  const out: SqlType[] = [];
  for (const [i, given] of types.entries()) {
    if (names[i] === 'any') out.push(given);
    else if (isPolymorphic(names[i])) {
      if (isPolymorphic(given.name) || actualType(coercion, names[i], found, given) !== rootOf(given)) return null;
      if (names[i] === 'anyenum' && given.labels === null) return null;
      out.push(given);
    } else if (sameForm(registry, given, wanted[i])) out.push(wanted[i]);
    else return null;
  }
  return out;
}

function gives({ registry }: Coercion, { returns }: FunctionFacts, { columns, returns: own }: UserFunction): boolean {
  const type = registry.typeByOid(returns);
  if (own.name === 'void' || type === undefined) return true;
  // The result is checked at run time.
  return isPolymorphic(type.name) || isPolymorphic(own.name) || columns !== null || type.name === 'record' || sameForm(registry, own, type);
}

const NUMBERS: ReadonlySet<Repr> = new Set<Repr>(['bool', 'i32', 'f64', 'whole', 'numeric']);

/** Whether values of both types have the same form. */
export function sameForm(registry: Registry, one: SqlType, other: SqlType): boolean {
  const a = formOf(one);
  const b = formOf(other);
  if (a.oid === b.oid || (a.repr === b.repr && NUMBERS.has(a.repr))) return true;
  return registry.cast(a.name, b.name)?.method === 'binary' || registry.cast(b.name, a.name)?.method === 'binary';
}

function hasForm(value: Value, repr: Repr): boolean {
  switch (repr) {
    case 'bool':
      return typeof value === 'boolean';
    case 'i32':
    case 'f64':
      return typeof value === 'number';
    case 'whole':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'string':
      return typeof value === 'string';
    case 'numeric':
    case 'object':
      return typeof value === 'object';
  }
}
