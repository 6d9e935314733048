/** Calls functions, operators and casts of the modules as the engine would, and writes the same call for Postgres. */
import type { Call, FunctionModule, ScalarFunction, SqlCast, SqlOperator } from '../../../src/sql/functions/define.ts';
import type { Environment } from '../../../src/sql/types/environment.ts';
import { makeType } from '../../../src/sql/types/make-type.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import { dateType } from '../../../src/sql/types/time/date-type.ts';
import { intervalType } from '../../../src/sql/types/time/interval-type.ts';
import { timeType } from '../../../src/sql/types/time/time-type.ts';
import { timestampType, timestamptzType } from '../../../src/sql/types/time/timestamp-type.ts';
import { timetzType } from '../../../src/sql/types/time/timetz-type.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { answerOf, quote } from './oracle.ts';

function formatNumeric(value: Numeric): string {
  if (typeof value.coefficient === 'number' && !Number.isFinite(value.coefficient)) return String(value.coefficient);
  const negative = value.coefficient < 0;
  const digits = String(value.coefficient)
    .replace('-', '')
    .padStart(value.scale + 1, '0');
  const point = digits.length - value.scale;
  return (negative ? '-' : '') + digits.slice(0, point) + (value.scale > 0 ? '.' + digits.slice(point) : '');
}

function formatFloat(value: number): string {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string?];
  if (exponent === undefined || (Number(exponent) >= -4 && Number(exponent) < 15)) return String(value);
  return `${mantissa}e${exponent[0]!}${exponent.slice(1).padStart(2, '0')}`;
}

const plain = { oid: 0, title: '', category: 'X', length: -1, arrayOid: 0 } as const;
const TYPES: Readonly<Record<string, SqlType>> = {
  date: dateType,
  time: timeType,
  timetz: timetzType,
  timestamp: timestampType,
  timestamptz: timestamptzType,
  interval: intervalType,
  text: makeType({ ...plain, name: 'text', repr: 'string', parse: (text) => text, format: String }),
  int4: makeType({ ...plain, name: 'int4', repr: 'i32', parse: Number, format: String }),
  float8: makeType({ ...plain, name: 'float8', repr: 'f64', parse: Number, format: (value) => formatFloat(value as number) }),
  numeric: makeType({ ...plain, name: 'numeric', repr: 'numeric', parse: () => 0, format: (value) => formatNumeric(value as Numeric) }),
  bool: makeType({ ...plain, name: 'bool', repr: 'bool', parse: (text) => text === 'true', format: String }),
};

export function typeOf(name: string): SqlType {
  const type = TYPES[name];
  if (type === undefined) throw new Error(`no type ${name} in this test`);
  return type;
}

/** The text of an argument; null for NULL. */
export type Argument = string | null;

export interface Case {
  readonly sql: string;
  readonly ours: string;
}

function sqlOf(type: string, argument: Argument): string {
  return `${argument === null ? 'null' : quote(argument)}::${type}`;
}

interface Callable {
  readonly strict?: boolean;
  readonly needsCall?: boolean;
  // oxlint-disable-next-line no-explicit-any
  readonly impl?: (...args: any[]) => Value;
}

function evaluate(callable: Callable, argTypes: readonly string[], returns: string, args: readonly Argument[], env: Environment): string {
  return answerOf(() => {
    const types = argTypes.map(typeOf);
    const values = args.map((arg, i) => (arg === null ? null : types[i]!.parse(arg, -1, env)));
    if (callable.strict !== false && values.includes(null)) return null;
    const call: Call = { env, argTypes: types, returnType: typeOf(returns) };
    const result = callable.needsCall === true ? callable.impl!(call, ...values) : callable.impl!(...values);
    return result === null ? null : typeOf(returns).format(result, env);
  });
}

export function functionCase(fn: ScalarFunction, args: readonly Argument[], env: Environment): Case {
  return { sql: `pg_catalog."${fn.name}"(${fn.args.map((type, i) => sqlOf(type, args[i]!)).join(', ')})`, ours: evaluate(fn, fn.args, fn.returns, args, env) };
}

export function operatorCase(operator: SqlOperator, args: readonly Argument[], env: Environment): Case {
  const types = operator.left === null ? [operator.right] : [operator.left, operator.right];
  const operands = types.map((type, i) => sqlOf(type, args[i]!));
  const sql = operands.length === 1 ? `${operator.name} ${operands[0]!}` : `${operands[0]!} ${operator.name} ${operands[1]!}`;
  return { sql, ours: evaluate(operator, types, operator.returns, args, env) };
}

export function castCase(cast: SqlCast, argument: Argument, env: Environment): Case {
  return { sql: `(${sqlOf(cast.from, argument)})::${cast.to}`, ours: evaluate(cast, [cast.from], cast.to, [argument], env) };
}

export function scalarFunctions(modules: readonly FunctionModule[], name?: string): ScalarFunction[] {
  return modules
    .flatMap((module) => module.functions ?? [])
    .filter((fn): fn is ScalarFunction => fn.kind === 'scalar' && (name === undefined || fn.name === name));
}
