/** Compares declared functions, operators and casts with the oracle: what the catalog says of them, and what they give for many arguments. */
import { expect } from 'vitest';
import type { FunctionModule, ScalarFunction, SetFunction, SqlCast, SqlFunction, SqlOperator } from '../../../src/sql/functions/define.ts';
import { textOf } from '../../../src/sql/functions/text/text-of.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { BOOL } from '../../../src/sql/types/bool.ts';
import { BYTEA } from '../../../src/sql/types/bytea.ts';
import { FLOAT4, FLOAT8 } from '../../../src/sql/types/floats.ts';
import * as identifiers from '../../../src/sql/types/identifiers.ts';
import { INT2, INT4, INT8 } from '../../../src/sql/types/integers.ts';
import { makeType } from '../../../src/sql/types/make-type.ts';
import { NUMERIC } from '../../../src/sql/types/numeric-type.ts';
import { BPCHAR, CHAR, NAME, TEXT, VARCHAR } from '../../../src/sql/types/texts.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { UUID } from '../../../src/sql/types/uuid.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { ENVIRONMENT, literal, outcome, type Oracle } from './oracle.ts';

function formatItem(text: string): string {
  return text === '' || /[{}",\\\s]/.test(text) || text.toLowerCase() === 'null' ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
}

/** Array types as far as tests need them: output, and input of one dimension by JSON. */
function arrayOf(element: SqlType): SqlType {
  const type: SqlType = makeType({
    oid: element.arrayOid,
    name: `_${element.name}`,
    title: `${element.title}[]`,
    category: 'A',
    length: -1,
    repr: 'object',
    arrayOid: 0,
    element,
    parse: (text) =>
      new ArrayValue(
        text === '{}'
          ? []
          : text
              .slice(1, -1)
              .split(',')
              .map((item) => (item === 'NULL' ? null : element.parse(item, -1, ENVIRONMENT))),
      ),
    format(value) {
      const { elements, lengths } = value as ArrayValue;
      const print = (depth: number, start: number, count: number): string => {
        if (depth === lengths.length) {
          const item = elements[start] as Value;
          return item === null ? 'NULL' : formatItem(element.format(item, ENVIRONMENT));
        }
        const step = count / (lengths[depth] as number);
        const parts: string[] = [];
        for (let i = 0; i < (lengths[depth] as number); i++) parts.push(print(depth + 1, start + i * step, step));
        return `{${parts.join(',')}}`;
      };
      return lengths.length === 0 ? '{}' : print(0, 0, elements.length);
    },
    compare(a, b) {
      const [x, y] = [(a as ArrayValue).elements, (b as ArrayValue).elements];
      for (let i = 0; i < Math.min(x.length, y.length); i++) {
        const order = element.compare(x[i] as Value, y[i] as Value);
        if (order !== 0) return order;
      }
      return x.length - y.length;
    },
  });
  return type;
}

export const VOID: SqlType = makeType({
  oid: 2278,
  name: 'void',
  title: 'void',
  category: 'P',
  length: 4,
  repr: 'object',
  arrayOid: 0,
  parse: String,
  format: () => '',
});

const scalars = [BOOL, BYTEA, FLOAT4, FLOAT8, INT2, INT4, INT8, NUMERIC, BPCHAR, CHAR, NAME, TEXT, VARCHAR, UUID, VOID, ...Object.values(identifiers)];
export const TYPES = new Map<string, SqlType>();
for (const type of scalars) {
  TYPES.set(type.name, type);
  TYPES.set(`_${type.name}`, arrayOf(type));
}

export function typeNamed(name: string): SqlType {
  const type = TYPES.get(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

export const sqlName = (type: string): string => (type.startsWith('_') ? `${sqlName(type.slice(1))}[]` : type === 'char' ? '"char"' : type);

export interface Argument {
  readonly type: string;
  /** null for SQL's null. */
  readonly text: string | null;
}

export function sqlOf(argument: Argument): string {
  return argument.text === null ? `null::${sqlName(argument.type)}` : `${literal(argument.text)}::${sqlName(argument.type)}`;
}

export function valueOf(argument: Argument): Value {
  return argument.text === null ? null : typeNamed(argument.type).parse(argument.text, -1, ENVIRONMENT);
}

export interface Comparison {
  readonly sql: string;
  readonly ours: string | null;
}

export async function agree(oracle: Oracle, cases: readonly Comparison[], sameEnough: (ours: string, theirs: string) => boolean = () => false): Promise<void> {
  const expected = await oracle.evaluate(cases.map((each) => each.sql));
  const wrong = cases
    .map((each, index) => ({ sql: each.sql, ours: each.ours, theirs: expected[index] as string | null }))
    .filter((each) => each.ours !== each.theirs && !(each.ours !== null && each.theirs !== null && sameEnough(each.ours, each.theirs)));
  expect(wrong.slice(0, 25), `${wrong.length} of ${cases.length} differ`).toEqual([]);
  expect(cases.length).toBeGreaterThan(0);
}

interface Callable {
  readonly strict?: boolean;
  readonly needsCall?: boolean;
  // oxlint-disable-next-line no-explicit-any
  readonly impl: (...args: any[]) => any;
}

/** As `array(select …)` prints rows; an array in a row becomes one more dimension. */
function formatRows(type: SqlType, rows: readonly Value[]): string {
  if (type.element === null) return typeNamed(`_${type.name}`).format(new ArrayValue(rows), ENVIRONMENT);
  return `{${rows.map((row) => type.format(row, ENVIRONMENT)).join(',')}}`;
}

/** Result of a scalar declaration as text, `returns` being the type where the declared one is polymorphic. */
function apply(callable: Callable, args: readonly Argument[], returns: SqlType, list: boolean): string | null {
  const values = args.map(valueOf);
  if (callable.strict !== false && values.includes(null)) return list ? '{}' : null;
  const call = { env: ENVIRONMENT, argTypes: args.map((each) => typeNamed(each.type)), returnType: returns };
  const result = callable.needsCall === true ? callable.impl(call, ...values) : callable.impl(...values);
  if (list) return formatRows(returns, [...(result as Iterable<Value>)]);
  return result === null ? null : textOf(returns, result as Value, ENVIRONMENT);
}

/** Which overload of a name takes these types. */
export function findFunction(modules: readonly FunctionModule[], name: string, types: readonly string[]): ScalarFunction | SetFunction {
  for (const module of modules) {
    for (const each of module.functions ?? []) {
      if ((each.kind === 'scalar' || each.kind === 'set') && each.name === name && each.args.join() === types.join() && each.variadic === undefined)
        return each;
    }
  }
  throw new Error(`no function ${name}(${types.join()})`);
}

export function callCase(declared: SqlFunction, args: readonly Argument[], returns = declared.returns): Comparison {
  if (declared.kind !== 'scalar' && declared.kind !== 'set') throw new Error(`${declared.name} is ${declared.kind}`);
  const list = declared.kind === 'set';
  const call = `pg_catalog."${declared.name}"(${args.map(sqlOf).join(', ')})`;
  return { sql: list ? `array(select ${call})` : call, ours: outcome(() => apply(declared, args, typeNamed(returns), list)) };
}

export function operatorCase(declared: SqlOperator, args: readonly Argument[], returns = declared.returns): Comparison {
  const name = `operator(pg_catalog.${declared.name})`;
  const sql = args.length === 1 ? `${name} ${sqlOf(args[0] as Argument)}` : `${sqlOf(args[0] as Argument)} ${name} ${sqlOf(args[1] as Argument)}`;
  return { sql, ours: outcome(() => apply(declared, args, typeNamed(returns), false)) };
}

export function castCase(declared: SqlCast, argument: Argument): Comparison {
  const callable: Callable = { impl: declared.impl ?? ((value: Value) => value), needsCall: declared.needsCall };
  return { sql: `${sqlOf(argument)}::${sqlName(declared.to)}`, ours: outcome(() => apply(callable, [argument], typeNamed(declared.to), false)) };
}

const LETTERS = { immutable: 'i', stable: 's', volatile: 'v' };

/** Every declaration is in the catalog, with the same result, volatility and strictness. */
export async function matchesCatalog(oracle: Oracle, modules: readonly FunctionModule[]): Promise<void> {
  const differing: unknown[] = [];
  const names = "(select string_agg(t.typname, ',' order by n) from unnest(p.proargtypes) with ordinality u(o, n) join pg_type t on t.oid = u.o)";
  const procs = new Map(
    (
      await oracle.rows(
        `select p.proname || '(' || coalesce(${names}, '') || ')', p.proretset::text, r.typname::text, p.provolatile::text, p.proisstrict::text, p.prokind::text
         from pg_proc p join pg_type r on r.oid = p.prorettype where p.pronamespace = 'pg_catalog'::regnamespace`,
      )
    ).map((row) => [row[0], row.slice(1).join(' ')]),
  );
  const kinds = { scalar: 'f', set: 'f', aggregate: 'a', window: 'w' };
  for (const each of modules.flatMap((module) => module.functions ?? [])) {
    const key = `${each.name}(${[...each.args, ...(each.variadic === undefined ? [] : [each.variadic === 'any' ? 'any' : `_${each.variadic}`])].join(',')})`;
    const volatility = each.kind === 'scalar' || each.kind === 'set' ? LETTERS[each.volatility ?? 'immutable'] : 'i';
    const strict = each.kind === 'scalar' || each.kind === 'set' ? each.strict !== false : false;
    const ours = [each.kind === 'set', each.returns, volatility, strict, kinds[each.kind]].join(' ');
    if (procs.get(key) !== ours) differing.push({ key, ours, theirs: procs.get(key) });
  }
  const operators = new Map(
    (
      await oracle.rows(
        `select concat_ws(' ', coalesce(l.typname, '-'), o.oprname, r.typname), concat_ws(' ', res.typname, p.proname, p.provolatile, coalesce(c.oprname, '-'), coalesce(n.oprname, '-'))
         from pg_operator o left join pg_type l on l.oid = oprleft join pg_type r on r.oid = oprright join pg_type res on res.oid = oprresult
         join pg_proc p on p.oid = oprcode left join pg_operator c on c.oid = o.oprcom left join pg_operator n on n.oid = o.oprnegate`,
      )
    ).map((row) => [row[0], row[1]]),
  );
  for (const each of modules.flatMap((module) => module.operators ?? [])) {
    const key = `${each.left ?? '-'} ${each.name} ${each.right}`;
    const ours = [each.returns, each.proc, LETTERS[each.volatility ?? 'immutable'], each.commutator ?? '-', each.negator ?? '-'].join(' ');
    if (operators.get(key) !== ours) differing.push({ key, ours, theirs: operators.get(key) });
  }
  const contexts = { implicit: 'i', assignment: 'a', explicit: 'e' };
  const casts = new Map(
    (
      await oracle.rows(
        `select a.typname || ' ' || b.typname, castcontext::text from pg_cast join pg_type a on a.oid = castsource join pg_type b on b.oid = casttarget`,
      )
    ).map((row) => [row[0], row[1]]),
  );
  for (const each of modules.flatMap((module) => module.casts ?? [])) {
    const key = `${each.from} ${each.to}`;
    if (casts.get(key) !== contexts[each.context]) differing.push({ key, ours: each.context, theirs: casts.get(key) });
  }
  expect(differing).toEqual([]);
}
