/**
 * References from aggregates, operators and casts to functions: resolved once by the argument types, which must match without a
 * conversion, and stored as a number (user-defined) or name (built-in).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { RoutineReference } from '../../worlds/definition.ts';
import { isPolymorphic } from '../bind/coerce.ts';
import { declaredName, variadicArray } from '../bind/declared-type.ts';
import type { Call, ScalarFunction, SqlFunction } from '../functions/define.ts';
import type { Registry } from '../functions/registry.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlType } from '../types/type.ts';
import { shownType } from '../types/shown-type.ts';
import { type Environment, STORED } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { binderOf } from './define-table.ts';
import type { SqlSession } from './sql-session.ts';
import { asFunction } from '../bind/user-functions.ts';

export interface FoundRoutine {
  readonly reference: RoutineReference;
  readonly fn: ScalarFunction;
  /** Polymorphic if its arguments were. */
  readonly returns: SqlType;
}

/** `name(integer, text)`. */
export function calledWith(name: readonly string[], types: readonly SqlType[], env: Environment = STORED): string {
  return `${name.join('.')}(${types.map((type) => shownType(type, env)).join(', ')})`;
}

/** How arguments may differ from the declared types: not at all, by being a domain over them, or by an implicit cast, too. */
type Match = 'same' | 'domains' | 'casts';

/** 42883 if there is none. */
export function routineFor(session: SqlSession, name: readonly string[], types: readonly SqlType[], match: Match = 'same'): FoundRoutine {
  const found = findRoutine(session, name, types, match);
  if (found === null) throw new SvcError('42883', `function ${calledWith(name, types, session.env)} does not exist`);
  if (found === 'set') throw new SvcError('42804', `function ${calledWith(name, types, session.env)} returns a set`);
  return found;
}

/**
 * The same for an aggregate, whose functions may take the type under a domain. Postgres finds a function that would need a conversion, and
 * then refuses it: 42804.
 */
export function aggregateRoutine(session: SqlSession, name: readonly string[], types: readonly SqlType[]): FoundRoutine {
  if (findRoutine(session, name, types, 'domains') === null && findRoutine(session, name, types, 'casts') !== null)
    throw new SvcError('42804', `function ${shownAs(session, name, types)} requires run-time type coercion`);
  return routineFor(session, name, types, 'domains');
}

/** Whether the first value of an aggregate without an initial one can be its state as it is. */
export function startsState(session: SqlSession, first: SqlType, state: SqlType): boolean {
  const { oid, domain } = first;
  const name = declaredName(domain?.root ?? first);
  return oid === state.oid || domain?.root.oid === state.oid || session.host.registry.cast(name, declaredName(state))?.method === 'binary';
}

/** With its declared types. */
function shownAs(session: SqlSession, name: readonly string[], types: readonly SqlType[]): string {
  const found = findRoutine(session, name, types, 'casts');
  if (found === null || found === 'set') return calledWith(name, types);
  const declared = found.fn.args.map((each, i) => binderOf(session).coercion.named(each) ?? types[i]);
  return calledWith(name, declared);
}

function findRoutine(session: SqlSession, name: readonly string[], types: readonly SqlType[], match: Match): FoundRoutine | 'set' | null {
  const { registry } = session.host;
  const last = name[name.length - 1];
  const scope = name.length > 1 ? name[name.length - 2] : null;
  const own = scope === 'pg_catalog' ? [] : session.names().functions(scope, last);
  const builtIn = scope === null || scope === 'pg_catalog' ? registry.functions(last) : [];
  const best = bestOf(registry, [...builtIn, ...own], types, match);
  if (best === null) return null;
  if (best.kind === 'set') return 'set';
  const reference: RoutineReference = best.user === undefined ? { name: last } : { own: best.user };
  return { reference, fn: best, returns: resultOf(session, best, types) };
}

/** The function that a stored reference means now. */
export function referenced(schema: Schema, registry: Registry, reference: RoutineReference, types: readonly SqlType[]): ScalarFunction {
  if ('own' in reference) {
    const user = schema.functions.get(reference.own);
    const fn = user === undefined ? null : asFunction(user);
    if (fn?.kind !== 'scalar') throw new SvcError('42883', `function with OID ${reference.own} does not exist`);
    return fn;
  }
  const fn = bestOf(registry, registry.functions(reference.name), types, 'domains');
  if (fn?.kind !== 'scalar') throw new SvcError('42883', `function ${calledWith([reference.name], types)} does not exist`);
  return fn;
}

/** Calls it with values of the types in `call`; null without a call if it is strict. */
export function invoke(fn: ScalarFunction, call: Call, args: readonly Value[]): Value {
  if (isStrict(fn) && args.includes(null)) return null;
  return fn.needsCall === true ? fn.impl(call, ...args) : fn.impl(...args);
}

export function isStrict(fn: ScalarFunction): boolean {
  return fn.strict !== false;
}

/** The best match among those that take the types. */
function bestOf(
  registry: Registry,
  functions: readonly SqlFunction[],
  types: readonly SqlType[],
  match: Match,
): (SqlFunction & { kind: 'scalar' | 'set' }) | null {
  let best: (SqlFunction & { kind: 'scalar' | 'set' }) | null = null;
  let score = -1;
  for (const fn of functions) {
    if ((fn.kind !== 'scalar' && fn.kind !== 'set') || fn.procedure === true) continue;
    const declared = fn.variadic === undefined ? fn.args : [...fn.args, variadicArray(fn)];
    if (types.length > declared.length || types.length < declared.length - (fn.optional ?? 0)) continue;
    if (!types.every((type, i) => fits(registry, declared[i], type, match))) continue;
    const exact = types.filter((type, i) => declaredName(type) === declared[i]).length;
    if (exact > score) {
      best = fn;
      score = exact;
    }
  }
  return best;
}

function fits(registry: Registry, declared: string, type: SqlType, match: Match): boolean {
  if (takes(registry, declared, type)) return true;
  if (match !== 'same' && type.domain !== null && takes(registry, declared, type.domain.root)) return true;
  return match === 'casts' && registry.cast(declaredName(type), declared)?.context === 'implicit';
}

function takes(registry: Registry, declared: string, type: SqlType): boolean {
  if (declared === declaredName(type) || declared === 'any') return true;
  if (isPolymorphic(declared))
    return isPolymorphic(type.name) ? isArrayish(declared) === isArrayish(type.name) : !isArrayish(declared) || type.element !== null;
  return registry.cast(declaredName(type), declared)?.method === 'binary';
}

function isArrayish(name: string): boolean {
  return name.endsWith('array') && !name.endsWith('nonarray');
}

function resultOf(session: SqlSession, fn: ScalarFunction, types: readonly SqlType[]): SqlType {
  const { registry } = session.host;
  const { returns } = fn;
  if (!isPolymorphic(returns)) {
    // Its name alone may mean another user-defined type, or none on the search path.
    const own = fn.user === undefined ? undefined : session.schema().functions.get(fn.user)?.returns;
    return own ?? registry.findType(returns) ?? session.names().userType(null, returns) ?? registry.type('text');
  }
  const at = fn.args.findIndex((declared) => isPolymorphic(declared) && isArrayish(declared) === isArrayish(returns));
  if (at >= 0) return types[at];
  const other = types[fn.args.findIndex(isPolymorphic)];
  if (other === undefined || isPolymorphic(other.name)) return registry.type(isArrayish(returns) ? 'anyarray' : 'anyelement');
  if (!isArrayish(returns)) return other.element ?? other;
  return session.schema().typeByOid(other.arrayOid) ?? registry.type('anyarray');
}
