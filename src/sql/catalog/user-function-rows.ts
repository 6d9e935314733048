/** User-defined functions, in pg_proc and as entries for lookups by name. */
import type { FunctionObject } from '../../worlds/definition.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { SqlType } from '../types/type.ts';
import { vector } from './catalog-types.ts';
import { INTERNAL_LANGUAGE } from './fixed-oids.ts';
import { costOf, ROWS, settingName } from './function-facts.ts';
import type { Row } from './made-relation.ts';
import { rangeConstructors } from './range-constructors.ts';
import { aclValue } from './rights-rows.ts';

/** pg_language.oid of `sql`. */
const SQL_LANGUAGE = 14;
const PLPGSQL_LANGUAGE = 13563;
const ANY = 2276;
const ANYELEMENT = 2283;
const ANYCOMPATIBLE = 5077;
const MODES = { in: 'i', out: 'o', inout: 'b', variadic: 'v', table: 't' } as const;

function languageOf({ aggregate, language }: FunctionObject): number {
  if (aggregate !== undefined) return INTERNAL_LANGUAGE;
  if (language === 'internal') return INTERNAL_LANGUAGE;
  return language === 'plpgsql' ? PLPGSQL_LANGUAGE : SQL_LANGUAGE;
}

/** The element type of a variadic list; of a polymorphic one its element pseudo-type. */
function variadicElement({ name, element }: SqlType): number {
  const polymorphic = { anyarray: ANYELEMENT, anycompatiblearray: ANYCOMPATIBLE, any: ANY }[name];
  return polymorphic ?? element?.oid ?? 0;
}

/** `supportOid`: of the function of that name. */
export function userFunctionRows(schema: Schema, supportOid: (name: string) => number | null): Row[] {
  const own = [...schema.functions.values()].map((each) => ({ ...each, of: each.object.number }));
  return [...own, ...rangeConstructors(schema)].map(({ object, inputs, variadic, columns, of }): Row => {
    const { number, name, args, volatility, strict, set, returns, procedure, body, form } = object;
    const plain = args.every(({ mode }) => mode === 'in');
    const texts = (items: readonly string[]): ArrayValue => new ArrayValue(items);
    const named = args.some((arg) => arg.name !== null);
    const last = inputs.at(-1)?.type;
    // prettier-ignore
    return [
      number, name, schema.schemas.get(object.schema) ?? 0, schema.ownerOf(of), languageOf(object), object.cost ?? costOf(object), set ? (object.rows ?? ROWS) : 0, variadic ? variadicElement(last!) : 0, object.support === undefined ? 0 : (supportOid(object.support) ?? 0),
      object.aggregate !== undefined ? 'a' : procedure ? 'p' : object.window === true ? 'w' : 'f', object.definer === true, object.leakproof === true, strict, set, volatility[0], object.parallel?.[0] ?? 'u', inputs.length, inputs.filter((each) => each.default !== null).length,
      columns !== null && object.columns === null ? 2249 : returns, vector(inputs.map(({ type }) => type.oid)),
      plain ? null : new ArrayValue(args.map(({ type }) => type)), plain ? null : texts(args.map(({ mode }) => MODES[mode])),
      named ? texts(args.map((arg) => arg.name ?? '')) : null, null, null, object.aggregate !== undefined ? 'aggregate_dummy' : form === 'text' ? body : '', null, null,
      object.settings === undefined || object.settings.length === 0 ? null : texts(object.settings.map((each) => `${settingName(each.name)}=${each.value}`)), aclValue(schema.aclOf(number)),
    ];
  });
}

/** Arguments as in pg_get_function_arguments. */
export function userArguments(
  { object }: UserFunction,
  identity: boolean,
  title: (oid: number) => string,
  quote: (name: string) => string,
  expression: (text: string, type: number) => string,
): string {
  const parts = object.args
    .filter(({ mode }) => mode !== 'table')
    .map(({ name, mode, type, default: text }) => {
      const words = mode === 'in' ? (object.procedure ? 'IN ' : '') : `${mode.toUpperCase()} `;
      const out = `${words}${name === null ? '' : `${quote(name)} `}${title(type)}`;
      return text === null || identity ? out : `${out} DEFAULT ${expression(text, type)}`;
    });
  const direct = object.aggregate?.direct;
  return direct === undefined ? parts.join(', ') : orderedSetArguments(parts, direct);
}

/** Arguments of an ordered-set aggregate, of which `direct` come before ORDER BY; if all do, the last one is variadic and appears on both sides. */
export function orderedSetArguments(parts: readonly string[], direct: number): string {
  const before = parts.slice(0, direct).join(', ');
  const behind = parts.slice(Math.min(direct, parts.length - 1)).join(', ');
  return `${before}${before === '' ? '' : ' '}ORDER BY ${behind}`;
}

export function userResult({ object }: UserFunction, title: (oid: number) => string, quote: (name: string) => string): string | null {
  if (object.procedure) return null;
  const table = object.args.filter(({ mode }) => mode === 'table');
  if (table.length > 0) return `TABLE(${table.map(({ name, type }) => `${quote(name ?? '')} ${title(type)}`).join(', ')})`;
  return `${object.set ? 'SETOF ' : ''}${title(object.returns)}`;
}
