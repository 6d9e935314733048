/** Resolves functions by name and argument types. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { FunctionCall } from '../ast/expression.ts';
import type { SqlFunction } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { actualType, type Candidate, chooseCandidate, resolvePolymorphic } from './candidates.ts';
import { isPolymorphic } from './coerce.ts';
import { columnsOf, recordType } from '../types/record-type.ts';
import { variadicArray } from './declared-type.ts';

export interface ResolvedFunction {
  readonly fn: SqlFunction;
  /** In the declared order, coerced; a variadic tail is one array. */
  readonly args: readonly Bound[];
  readonly type: SqlType;
}

interface Shape {
  readonly fn: SqlFunction;
  /** For each declared argument its position in the call; -1 if omitted. */
  readonly order: readonly number[];
  /** The number of trailing arguments that form the variadic array. */
  readonly spread: number;
}

/** null if no function has the name. */
export function resolveFunction(
  binder: Binder,
  name: string,
  args: readonly Bound[],
  argNames: readonly (string | null)[] | null,
  variadic: boolean,
  at: number,
  accept: (fn: SqlFunction) => boolean = () => true,
  schema: string | null = null,
): ResolvedFunction | null {
  const { names, unchecked } = binder;
  if (schema === null && unchecked && names.storedTextFunctions !== undefined) {
    // The search path of the caller must not change the meaning of a stored text.
    const found = resolveAmong(binder, name, args, argNames, variadic, at, accept, names.storedTextFunctions(binder.home, name));
    if (found !== null || binder.masking) return found;
  }
  const own = schema === 'pg_catalog' ? [] : (names.functions?.(schema, name, unchecked) ?? []);
  return resolveAmong(binder, name, args, argNames, variadic, at, accept, own);
}

function resolveAmong(
  binder: Binder,
  name: string,
  args: readonly Bound[],
  argNames: readonly (string | null)[] | null,
  variadic: boolean,
  at: number,
  accept: (fn: SqlFunction) => boolean,
  own: readonly SqlFunction[],
): ResolvedFunction | null {
  const { coercion } = binder;
  const builtIn = binder.registry.functions(name);
  const functions = (own.length === 0 ? builtIn : [...builtIn.filter(({ extension }) => extension === undefined), ...own]).filter(accept);
  if (functions.length === 0) return null;
  const given = args.map((arg) => coercion.typeOf(arg));
  const candidates: Candidate<Shape>[] = [];
  for (const fn of functions) {
    const shape = shapeOf(fn, args.length, argNames, variadic);
    if (shape === null) continue;
    const declared: string[] = new Array<string>(args.length);
    shape.order.forEach((position, i) => {
      if (position >= 0) declared[position] = variadic && fn.variadic !== undefined && i === fn.args.length ? variadicArray(fn) : fn.args[i];
    });
    for (let i = 0; i < shape.spread; i++) declared[args.length - shape.spread + i] = fn.variadic!;
    // No literal is an enum on its own.
    if (declared.includes('anyenum') && declared.every((each, i) => !isPolymorphic(each) || given[i].name === 'unknown')) continue;
    candidates.push({ what: shape, declared });
  }
  let chosen = chooseCandidate(coercion, candidates, given);
  if (chosen === 'ambiguous') {
    // A function that takes the arguments as they are is preferred to a variadic expansion.
    chosen = chooseCandidate(
      coercion,
      candidates.filter(({ what }) => what.spread === 0),
      given,
    );
    if (chosen === null) chosen = 'ambiguous';
  }
  if (chosen === null) return null;
  if (chosen === 'ambiguous') {
    fail('42725', `function ${signature(binder, name, given)} is not unique`, at, {
      hint: 'Could not choose a best candidate function. You might need to add explicit type casts.',
    });
  }
  const { what: shape, declared } = chosen;
  // If two differ only in defaulted parameters, the call is ambiguous.
  const hasRival = candidates.some(({ what, declared: others }) => what !== shape && isRival(what, shape) && others.every((each, i) => each === declared[i]));
  if (hasRival) {
    const shown = given.map(({ title }, i) => (argNames?.[i] == null ? title : `${argNames[i]} => ${title}`)).join(', ');
    fail('42725', `function ${name}(${shown}) is not unique`, at, {
      hint: 'Could not choose a best candidate function. You might need to add explicit type casts.',
    });
  }
  if (!binder.masking) binder.calls.add(shape.fn);
  if (shape.fn.user !== undefined) binder.callsOwn = true;
  if (variadic && shape.fn.variadic === 'any') refuseNoArray(args[args.length - 1], given[given.length - 1], at);
  const found = resolvePolymorphic(coercion, declared, given);
  if (found === null) return null;
  if (found.element === null && found.array === null && found.range === null && declared.some((each) => NEEDS_TYPE.has(each))) {
    failNowhere('42804', 'could not determine polymorphic type because input has type unknown');
  }
  const coerced = args.map((arg, i) => {
    // With a plain "any" parameter a literal has no type yet.
    if (declared[i] === 'any') return shape.spread === 0 && arg.kind === 'constant' ? arg : coercion.resolveUnknown(arg, at);
    return coercion.coerce(arg, actualType(coercion, declared[i], found, given[i]), -1, 'implicit', at);
  });
  const out: Bound[] = [];
  if (shape.fn.procedure === true && !binder.calling) {
    fail('42809', `${signature(binder, name, given)} is a procedure`, at, { hint: 'To call a procedure, use CALL.' });
  }
  if (shape.fn.user !== undefined && binder.depth === 0 && binder.recording !== null) {
    binder.recording.uses.set(shape.fn.user, new Set());
    binder.recording.calls.push({ at, routine: shape.fn.user });
  }
  const { fn } = shape.order.includes(-1) ? { fn: withHoles(shape.fn, shape.order) } : shape;
  const fixed = shape.order.length;
  for (let i = 0; i < fixed; i++) {
    const position = shape.order[i];
    if (position >= 0) out.push(coerced[position]);
  }
  if (shape.spread > 0) {
    const tail = coerced.slice(args.length - shape.spread);
    const element = fn.variadic === 'any' ? null : actualType(coercion, fn.variadic!, found, null);
    if (element === null) out.push({ kind: 'array', type: binder.type('_text'), typmod: -1, elements: tail, nested: false, spread: true });
    else out.push({ kind: 'array', type: coercion.arrayOf(element), typmod: -1, elements: tail, nested: false });
  }
  const row = fn.resultType === undefined ? null : columnsOf(fn.resultType);
  if (row !== null && row.some(({ type }) => isPolymorphic(type.name))) {
    // OUT parameters follow the arguments.
    const type = recordType(
      row.map((column) => ({ ...column, type: isPolymorphic(column.type.name) ? actualType(coercion, column.type.name, found, null) : column.type })),
    );
    return { fn, args: out, type };
  }
  return { fn, args: out, type: fn.resultType ?? actualType(coercion, fn.returns, found, null) };
}

/** Two functions of one user schema, one of which uses a default here. */
function isRival(a: Shape, b: Shape): boolean {
  if (a.fn.user === undefined || b.fn.user === undefined || a.fn.home !== b.fn.home || a.spread > 0 !== b.spread > 0) return false;
  return a.order.includes(-1) || b.order.includes(-1);
}

function refuseNoArray(arg: Bound, type: SqlType, at: number): void {
  if ((type.domain?.root ?? type).element !== null) return;
  fail('42804', 'VARIADIC argument must be an array', arg.kind === 'constant' ? (arg.at ?? at) : at);
}

/** JDBC sends the OUT parameters of `{? = call f(?)}` as arguments of type void: they are dropped. */
export function withoutOutParameters(args: Bound[]): Bound[] {
  return args.some(isOutParameter) ? args.filter((arg) => !isOutParameter(arg)) : args;
}

function isOutParameter({ kind, type }: Bound): boolean {
  return kind === 'parameter' && type.name === 'void';
}

/** The candidates for a call's name, by its schema. */
export function inSchema(binder: Binder, call: FunctionCall): (fn: SqlFunction) => boolean {
  const name = call.name[call.name.length - 1];
  const schema = call.name.length > 1 ? call.name[call.name.length - 2] : null;
  if (schema === 'information_schema' && binder.registry.functions(name).some((fn) => fn.schema === schema)) return (fn) => fn.schema === schema;
  if (schema !== null && schema !== 'pg_catalog' && schema !== 'public') {
    if (!binder.names.hasSchema(schema)) fail('3F000', `schema "${schema}" does not exist`, call.at);
    if ((binder.names.functions?.(schema, name, binder.unchecked) ?? []).length > 0) return (fn) => fn.user !== undefined;
    // Dumps write the schema of an extension.
    if (binder.registry.functions(name).some((fn) => fn.extension !== undefined)) return (fn) => fn.extension !== undefined;
    return () => false;
  }
  return (fn) => fn.schema === undefined;
}

/** The type of an OUT column; a polymorphic one follows the first argument. */
export function outColumnType(binder: Binder, name: string, args: readonly Bound[]): SqlType {
  if (name === 'anyelement') return args[0].type.element ?? args[0].type;
  if (name === 'anyarray') return args[0].type;
  return binder.coercion.named(name) ?? binder.type(name);
}

/** The function over the given arguments; an omitted one before another has its default. */
function withHoles(fn: SqlFunction, order: readonly number[]): SqlFunction {
  let last = order.length;
  while (last > 0 && order[last - 1] === -1) last--;
  const given = order.slice(0, last);
  if (!given.includes(-1) || (fn.kind !== 'scalar' && fn.kind !== 'set')) return fn;
  const lead = fn.needsCall === true ? 1 : 0;
  const impl = (...args: Value[]): unknown => {
    let next = lead;
    return fn.impl(...args.slice(0, lead), ...given.map((position) => (position < 0 ? undefined : args[next++])));
  };
  const first = given.indexOf(-1);
  const givenNames = fn.argNames!.map((name, i) => (i < first ? null : name)).filter((_, i) => given[i] >= 0);
  return { ...fn, args: fn.args.filter((_, i) => given[i] >= 0), givenNames, impl, long: undefined } as SqlFunction;
}

/** Unlike the compatible family, which falls back to text. */
const NEEDS_TYPE = new Set(['anyelement', 'anynonarray', 'anyarray', 'anyenum', 'anyrange', 'anymultirange']);

/** A variadic array with a default may be omitted, and may be named only after VARIADIC. */
function shapeOf(fn: SqlFunction, count: number, names: readonly (string | null)[] | null, variadic: boolean): Shape | null {
  const declared = fn.args.length + (fn.variadic === undefined ? 0 : 1);
  const required = declared - (fn.optional ?? 0);
  if (names !== null && names.some((name) => name !== null)) {
    if (fn.argNames === undefined || (fn.variadic !== undefined && !variadic)) return null;
    const order = new Array<number>(declared).fill(-1);
    for (let i = 0; i < count; i++) {
      const at = names[i] === null ? i : fn.argNames.indexOf(names[i]!);
      if (at < 0 || at >= order.length || order[at] !== -1) return null;
      order[at] = i;
    }
    return order.slice(0, required).includes(-1) ? null : { fn, order, spread: 0 };
  }
  const positions = (n: number): number[] => Array.from({ length: n }, (_, i) => (i < count ? i : -1));
  // VARIADIC has no effect on a function without a list.
  if (fn.variadic === undefined) return count >= required && count <= declared ? { fn, order: positions(declared), spread: 0 } : null;
  if (variadic) return count === declared ? { fn, order: positions(declared), spread: 0 } : null;
  if (count > fn.args.length) return { fn, order: positions(fn.args.length), spread: count - fn.args.length };
  return count >= required ? { fn, order: positions(fn.args.length), spread: 0 } : null;
}

export function signature({ coercion }: Binder, name: string, given: readonly SqlType[]): string {
  return `${name}(${given.map((type) => coercion.shown(type)).join(', ')})`;
}

/** `names`: those of the last, named arguments. */
export function noFunction(binder: Binder, name: string, args: readonly Bound[], at: number, names: readonly (string | null)[] = []): SvcError {
  return new SvcError(
    '42883',
    `function ${name}(${args
      .map((arg, i) => {
        const given = names[i] ?? null;
        return `${given === null ? '' : `${given} => `}${binder.coercion.shown(binder.coercion.typeOf(arg))}`;
      })
      .join(', ')}) does not exist`,
    {
      hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
      position: at + 1,
    },
  );
}

/** `row.name` if the row has no such field: a function of the row (manual, 4.2.4 and 38.5.2). Null if there is none. */
export function fieldCall(binder: Binder, name: string, arg: Bound, at: number): Bound | null {
  if (binder.registry.functions(name).length === 0 && (binder.names.functions?.(null, name) ?? []).length === 0) return null;
  const found = resolveFunction(binder, name, [arg], null, false, at);
  if (found === null || found.fn.kind !== 'scalar') return null;
  return { kind: 'call', fn: found.fn, proc: found.fn.name, args: found.args, type: found.type, typmod: -1 };
}
