/** Runs one call of a declared function or operator here and in real Postgres, and compares text or error. */
import type { PGlite } from '@electric-sql/pglite';
import { expect } from 'vitest';
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction, SqlOperator } from '../../../src/sql/functions/define.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { formatRecord } from '../../../src/sql/types/record-text.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { ENV, typeNamed } from './plain-types.ts';

/** A typed literal: `['int4', '7']`, null for NULL. */
export type Arg = readonly [type: string, text: string | null];

/** Text of the result, one a row for sets, or the error. */
export type Outcome = (string | null)[] | string;

function sqlLiteral([type, text]: Arg): string {
  const name = type.startsWith('_') ? `${type.slice(1)}[]` : type;
  return text === null ? `null::${name}` : `'${text.replaceAll("'", "''")}'::${name}`;
}

export function sqlOf(name: string, args: readonly Arg[]): string {
  const literals = args.map(sqlLiteral);
  if (/^\w/.test(name)) return `${name}(${literals.join(', ')})`;
  return literals.length === 1 ? `${name} ${literals[0]}` : `${literals[0]} ${name} ${literals[1]}`;
}

export async function oracle(pg: PGlite, expression: string, set = false): Promise<Outcome> {
  try {
    const sql = set ? `select x::text from ${expression} as x` : `select (${expression})::text`;
    const result = await pg.query<(string | null)[]>(sql, [], { rowMode: 'array' });
    return result.rows.map((row) => row[0]);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${portable(message)}`;
  }
}

// How large an array may be depends on the build: this one has pointers of 32 bits.
function portable(message: string): string {
  return message.replace('allowed (268435455)', 'allowed (134217727)');
}

/** Text through a type's input and output, or the error. */
export function readHere(type: SqlType, text: string): unknown {
  try {
    return type.format(type.parse(text, -1, ENV), ENV);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { code: error.code, message: error.message, detail: error.detail };
  }
}

export async function readThere(pg: PGlite, type: string, text: string): Promise<unknown> {
  try {
    return (await pg.query<string[]>(`select $1::text::${type}::text`, [text], { rowMode: 'array' })).rows[0][0];
  } catch (error) {
    const { code, message, detail } = error as { code: string; message: string; detail?: string };
    return { code, message: portable(message), detail };
  }
}

const ELEMENTS = ['anyelement', 'anynonarray', 'anyenum', 'anycompatible', 'anycompatiblenonarray'];
const ARRAYS = ['anyarray', 'anycompatiblearray'];

function fits(declared: string, type: SqlType): boolean {
  if (declared === type.name || declared === 'any') return true;
  if (declared === 'anyenum') return type.labels !== null;
  if (declared === 'anynonarray') return type.element === null;
  if (declared === 'record') return 'columns' in type;
  return ELEMENTS.includes(declared) || (ARRAYS.includes(declared) && type.element !== null);
}

function resolve(declared: string, args: readonly string[], types: readonly SqlType[]): SqlType {
  if (ELEMENTS.includes(declared)) {
    const element = args.findIndex((arg) => ELEMENTS.includes(arg));
    if (element !== -1) return types[element];
    return types[args.findIndex((arg) => ARRAYS.includes(arg))].element!;
  }
  if (ARRAYS.includes(declared)) {
    const array = args.findIndex((arg) => ARRAYS.includes(arg));
    return array === -1 ? typeNamed(`_${types[args.findIndex((arg) => ELEMENTS.includes(arg))].name}`) : types[array];
  }
  return typeNamed(declared);
}

function outcome(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof SvcError) return `${error.code} ${error.message}`;
    throw error;
  }
}

/** `x::text`, which differs from the output function for bool. */
function castText(value: Value | undefined, type: SqlType): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'boolean' ? String(value) : type.format(value, ENV);
}

/** The outcome of a call over declared modules. */
export function ours(module: FunctionModule, name: string, args: readonly Arg[], returnType?: SqlType): Outcome {
  return outcome(() => {
    const types = args.map(([type]) => typeNamed(type));
    const values = args.map(([, text], i) => (text === null ? null : types[i].parse(text, -1, ENV)));
    if (!/^\w/.test(name)) {
      const match = module.operators!.find(
        (operator: SqlOperator) =>
          operator.name === name &&
          (operator.left === null) === (args.length === 1) &&
          [operator.left, operator.right].filter((t) => t !== null).every((t, i) => fits(t, types[i])),
      );
      if (match === undefined) throw new Error(`no operator ${name}(${args.map(([t]) => t).join(',')})`);
      if (match.strict !== false && values.includes(null)) return [null];
      const declared = match.left === null ? [match.right] : [match.left, match.right];
      const call: Call = { env: ENV, argTypes: types, returnType: resolve(match.returns, declared, types) };
      return [castText(match.needsCall === true ? match.impl(call, ...values) : match.impl(...values), call.returnType)];
    }
    const match = module.functions!.find((f): f is ScalarFunction | SetFunction => {
      if ((f.kind !== 'scalar' && f.kind !== 'set') || f.name !== name) return false;
      if (f.variadic !== undefined)
        return args.length >= f.args.length && f.args.every((t, i) => fits(t, types[i])) && types.slice(f.args.length).every((t) => fits(f.variadic!, t));
      return args.length <= f.args.length && args.length >= f.args.length - (f.optional ?? 0) && types.every((t, i) => fits(f.args[i], t));
    });
    if (match === undefined) throw new Error(`no function ${name}(${args.map(([t]) => t).join(',')})`);
    const passed: (Value | undefined)[] =
      match.variadic === undefined ? values : [...values.slice(0, match.args.length), new ArrayValue(values.slice(match.args.length))];
    while (passed.length < match.args.length) passed.push(undefined);
    const call: Call = { env: ENV, argTypes: types, returnType: returnType ?? resolve(match.returns, match.args, types) };
    if (match.strict !== false && values.includes(null)) return match.kind === 'set' ? [] : [null];
    const result = match.needsCall === true ? match.impl(call, ...passed) : match.impl(...passed);
    if (match.kind === 'scalar') return [castText(result as Value, call.returnType)];
    const rows: (string | null)[] = [];
    for (const row of result as Iterable<Value | Value[]>) {
      if (match.columns === undefined || match.returns !== 'record') rows.push(castText(row as Value, call.returnType));
      else rows.push(formatRecord((row as Value[]).map((value, i) => (value === null ? null : typeNamed(match.columns![i].type).format(value, ENV)))));
    }
    return rows;
  });
}

/** Fails unless both sides agree; `set` for functions that return rows. */
export async function expectSame(pg: PGlite, module: FunctionModule, name: string, args: readonly Arg[], set = false): Promise<void> {
  const sql = sqlOf(name, args);
  const theirs = await oracle(pg, sql, set);
  const own = ours(module, name, args);
  // Postgres 15 has other words for a null key.
  if (theirs === '22004 null value not allowed for object key' && typeof own === 'string' && /^22023 argument \d+(?: cannot|: key must not) be null$/.test(own))
    return;
  expect({ sql, outcome: own }).toEqual({ sql, outcome: theirs });
}

/** A seeded generator, so that a failure comes back (Vigna's splitmix32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    z ^= z >>> 15;
    return (z >>> 0) % below;
  };
}
