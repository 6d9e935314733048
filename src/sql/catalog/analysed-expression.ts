/**
 * Bound expressions as trees for the deparser, in the form of pg_get_expr: constants with their types, casts of operands made
 * explicit, IN as = ANY (ARRAY[…]). Implicit casts are shown only where Postgres shows them: on operands of operators and arguments
 * of functions, not at the top and not under AND and OR.
 */
import type { Expression, FunctionCall, OperatorName, ValueFunctionName } from '../ast/expression.ts';
import type { Query } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { SqlFunction, SqlOperator } from '../functions/define.ts';
import { BITS_OF_WHOLE, DOMAIN_CHECK } from '../bind/type-casts.ts';
import { xmlWritten } from '../bind/xml.ts';
import type { Bound, CastCall, ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import type { Environment } from '../types/environment.ts';
import { columnsOf } from '../types/record-type.ts';
import type { SqlType } from '../types/type.ts';
import { SvcError } from '../../base/errors/svc-error.ts';

export interface Analysis {
  readonly env: Environment;
  /** AND within AND, OR within OR have no parentheses. */
  readonly pretty: boolean;
  /** Names of columns by id. */
  readonly columns: ReadonlyMap<ColumnId, readonly string[]>;
  /** Functions that were written with SQL keywords (EXTRACT, SUBSTRING …). */
  readonly words: ReadonlySet<string>;
  readonly typeByOid: (oid: number) => SqlType | undefined;
  /** For a user-defined type; null for others. */
  readonly schemaOfType: (oid: number) => string | null;
  /** For user-defined and extension functions and operators; null for others. */
  readonly schemaOfRoutine: (routine: SqlFunction | SqlOperator) => string | null;
  /** The expressions of other ids: aggregates, window functions. */
  readonly other?: (id: ColumnId) => Expression | null;
  /** The displayed query of a plan; null if unknown. */
  readonly query?: (plan: Plan) => { readonly query: Query; readonly isRow: boolean } | null;
}

const at = 0;

/** Names that the deparser treats as keywords of pg_catalog. */
const KEYWORD_TYPES = new Set('bool int2 int4 int8 float4 float8 numeric varchar bpchar time timetz timestamp timestamptz varbit bit json interval'.split(' '));

function typeNameOf(type: SqlType, typmod: number, { schemaOfType }: Analysis): TypeName {
  const element = type.element !== null && type.name.startsWith('_') ? type.element : null;
  const base = element ?? type;
  return {
    schema: schemaOfType(base.oid) ?? (KEYWORD_TYPES.has(base.name) ? 'pg_catalog' : null),
    name: base.name,
    typmods: typmodsOf(base, typmod),
    arrayBounds: element === null ? [] : [-1],
    setOf: false,
    columnOf: null,
    at,
  };
}

function typmodsOf(type: SqlType, typmod: number): Expression[] {
  if (typmod < 0) return [];
  const integer = (value: number): Expression => ({ type: 'integer', value, at });
  if (type.name === 'interval') {
    const precision = typmod & 0xffff;
    return [integer((typmod >> 16) & 0x7fff), ...(precision === 0xffff ? [] : [integer(precision)])];
  }
  return (type.formatTypmod(typmod).match(/-?\d+/g) ?? []).map((text) => integer(Number(text)));
}

export function cast(arg: Expression, type: SqlType, typmod: number, analysis: Analysis): Expression {
  return { type: 'cast', arg, to: typeNameOf(type, typmod, analysis), at };
}

/** `implicit`: whether implicit casts are shown. */
export function analysed(value: Bound, analysis: Analysis, implicit: boolean): Expression {
  if (value.collation !== undefined) {
    const { collation, ...bare } = value;
    return { type: 'collate', arg: analysed(bare, analysis, true), collation: [...collation], at };
  }
  const shown = (each: Bound): Expression => analysed(each, analysis, true);
  const plain = (each: Bound): Expression => analysed(each, analysis, false);
  switch (value.kind) {
    case 'constant':
      return constant(value.value === null ? null : value.type.format(value.value, analysis.env), value.type, value.typmod, analysis);
    case 'column': {
      const parts = analysis.columns.get(value.id);
      if (parts === undefined) {
        const other = analysis.other?.(value.id) ?? null;
        if (other === null) throw new SvcError('XX000', `no column ${value.id}`);
        return other;
      }
      return { type: 'column', parts: [...parts], star: false, at };
    }
    case 'parameter':
      return { type: 'parameter', number: value.number, at };
    case 'call': {
      if ('right' in value.fn) {
        const operator: OperatorName = { schema: analysis.schemaOfRoutine(value.fn), name: value.fn.name };
        const [first, second] = value.args.map(shown);
        return second === undefined
          ? { type: 'operator', operator, left: null, right: first, at }
          : { type: 'operator', operator, left: first, right: second, at };
      }
      if (value.subscripts === true) return subscripted(value, analysis);
      const written = xmlWritten(value.fn, value.args.map(shown));
      if (written !== null) return written;
      if (value.fn === DOMAIN_CHECK) return cast(plain(value.args[0]), value.type, -1, analysis);
      if (value.fn === BITS_OF_WHOLE) return cast(plain(value.args[0]), value.type, value.typmod, analysis);
      const { name } = value.fn;
      const words = analysis.words.has(name);
      const { args, variadic } = words ? { args: value.args.map(plain), variadic: false } : argumentsOf(value.fn, value.args, analysis);
      // EXTRACT (year FROM …): the field is a keyword, not a constant.
      const [field] = value.args;
      if (words && name === 'extract' && field.kind === 'constant') args[0] = { type: 'string', value: String(field.value), at };
      if (words && (name === 'normalize' || name === 'is_normalized') && value.args[1]?.kind === 'constant')
        args[1] = { type: 'string', value: String(value.args[1].value), at };
      // With a pattern it is a plain function, or SIMILAR.
      const byPattern = words && name === 'substring' && value.args[1]?.type.name === 'text';
      const made = call(name, args, words && !(byPattern && args.length === 2), analysis.schemaOfRoutine(value.fn));
      return { ...made, ...(byPattern ? { similar: true } : {}), variadic, argNames: value.fn.givenNames?.slice() ?? null };
    }
    case 'cast':
      return castCall(value, analysis, implicit);
    case 'and':
    case 'or':
      return { type: value.kind, args: value.args.map(plain).flatMap((arg) => (analysis.pretty && arg.type === value.kind ? arg.args : [arg])), at };
    case 'not':
      return { type: 'not', arg: plain(value.arg), at };
    case 'isNull':
      return { type: 'isNull', arg: shown(value.arg), negated: value.negated, at };
    case 'isBoolean':
      return { type: 'isBoolean', arg: plain(value.arg), value: value.value, negated: value.negated, at };
    case 'isDistinct': {
      const test: Expression = { type: 'isDistinct', left: shown(value.left), right: shown(value.right), negated: false, at };
      return value.negated ? { type: 'not', arg: test, at } : test;
    }
    case 'in':
      return inList(value, analysis);
    case 'quantified':
      return {
        type: 'quantifiedArray',
        quantifier: value.quantifier,
        operator: { schema: analysis.schemaOfRoutine(value.operator), name: value.operator.name },
        left: shown(value.left),
        right: shown(value.array),
        at,
      };
    case 'case':
      return {
        type: 'case',
        arg: null,
        // oxlint-disable-next-line unicorn/no-thenable -- `then` is a node, never a function
        branches: value.branches.map(({ when, then }) => ({ when: plain(when), then: shown(then), at })),
        otherwise: shown(value.otherwise),
        at,
      };
    case 'let': {
      if (value.value.kind === 'subquery' && queryOf(value.value.plan, analysis).isRow) return comparedQuery(value.body, 'any', value.value.plan, analysis);
      // CASE x WHEN y: the branches compare a column that represents x.
      const { body } = value;
      if (body.kind !== 'case') throw new SvcError('0A000', 'this expression has no text');
      return {
        type: 'case',
        arg: shown(value.value),
        // oxlint-disable-next-line unicorn/no-thenable -- `then` is a node, never a function
        branches: body.branches.map(({ when, then }) => ({ when: shown(when.kind === 'call' ? when.args[1] : when), then: shown(then), at })),
        otherwise: shown(body.otherwise),
        at,
      };
    }
    case 'coalesce':
    case 'greatest':
    case 'least':
      return { type: value.kind, args: value.args.map(shown), at };
    case 'nullIf':
      return { type: 'nullIf', left: shown(value.left), right: shown(value.right), at };
    case 'array': {
      const elements = value.elements.map(shown);
      const array: Expression = { type: 'array', elements, at };
      return elements.length === 0 ? cast(array, value.type, -1, analysis) : array;
    }
    case 'row': {
      const fields = value.fields.map(shown);
      const relation = wholeRow(fields, value.type);
      if (relation !== null) return { type: 'column', parts: [relation], star: true, at };
      const row: Expression = { type: 'row', fields, explicit: true, at };
      return value.type.name === 'record' ? row : cast(row, value.type, -1, analysis);
    }
    case 'subscript':
      return {
        type: 'subscript',
        arg: shown(value.arg),
        subscripts: value.subscripts.map(({ slice, lower, upper }) => ({
          slice,
          lower: lower === null ? null : plain(lower),
          upper: upper === null ? null : plain(upper),
        })),
        at,
      };
    case 'environment':
      return { type: 'valueFunction', name: value.name as ValueFunctionName, precision: value.precision, at };
    case 'rowCompare':
      return {
        type: 'operator',
        operator: { schema: null, name: value.op },
        left: { type: 'row', fields: value.left.map(shown), explicit: true, at },
        right: { type: 'row', fields: value.right.map(shown), explicit: true, at },
        at,
      };
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
      return { type: value.kind, query: queryOf(value.plan, analysis).query, at };
    case 'quantifiedQuery':
      return comparedQuery(value.compare, value.quantifier, value.plan, analysis);
    default:
      throw new SvcError('0A000', 'this expression has no text');
  }
}

function queryOf(plan: Plan, { query }: Analysis): { readonly query: Query; readonly isRow: boolean } {
  const shown = query?.(plan) ?? null;
  if (shown === null) throw new SvcError('0A000', 'a subquery has no text here');
  return shown;
}

/** `= ANY` of a query is IN. */
function comparedQuery(compare: Bound, quantifier: 'any' | 'all', plan: Plan, analysis: Analysis): Expression {
  const shown = (each: Bound): Expression => analysed(each, analysis, true);
  const { query, isRow } = queryOf(plan, analysis);
  const calls = compare.kind === 'and' ? compare.args : [compare];
  let name: string;
  let schema: string | null = null;
  let left: Expression;
  if (compare.kind === 'rowCompare') {
    name = compare.op;
    left = { type: 'row', fields: compare.left.map(shown), explicit: false, at };
  } else {
    const [first] = calls;
    if (!calls.every((each) => each.kind === 'call' && 'right' in each.fn && each.args.length === 2) || first.kind !== 'call' || !('right' in first.fn))
      throw new SvcError('0A000', 'this comparison has no text');
    name = first.fn.name;
    schema = analysis.schemaOfRoutine(first.fn);
    const fields = calls.map((each) => shown((each as Bound & { kind: 'call' }).args[0]));
    left = fields.length === 1 ? fields[0] : { type: 'row', fields, explicit: false, at };
  }
  if (isRow) return { type: 'operator', operator: { schema, name }, left, right: { type: 'subquery', query, at }, at };
  if (name === '=' && schema === null && quantifier === 'any') return { type: 'inQuery', arg: left, query, negated: false, at };
  return { type: 'quantifiedQuery', left, operator: { schema, name }, quantifier, query, at };
}

/** Subscripts that are calls; those of a document are one array, whose numbers have become texts. */
function subscripted({ fn, args: [arg, ...rest] }: Bound & { kind: 'call' }, analysis: Analysis): Expression {
  const [first] = rest;
  const keys = 'variadic' in fn && first.kind === 'array' ? first.elements : rest;
  const subscripts = keys.map((key) => {
    const upper = key.kind === 'cast' && key.arg.type.name === 'int4' ? key.arg : key;
    return { slice: false, lower: null, upper: analysed(upper, analysis, false) };
  });
  return { type: 'subscript', arg: analysed(arg, analysis, true), subscripts, at };
}

/** The relation whose whole row it is: a row of a named type of all of its columns; null for others. */
function wholeRow(fields: readonly Expression[], type: SqlType): string | null {
  const columns = columnsOf(type);
  if (type.name === 'record' || columns === null || columns.length !== fields.length) return null;
  let relation: string | null = null;
  for (const [i, field] of fields.entries()) {
    if (field.type !== 'column' || field.parts.length !== 2 || field.parts[1] !== columns[i].name) return null;
    relation ??= field.parts[0];
    if (field.parts[0] !== relation) return null;
  }
  return relation;
}

/** Arguments of a variadic function: each as given if they may be of any types, otherwise all as one array. */
export function argumentsOf(fn: SqlFunction, args: readonly Bound[], analysis: Analysis): { args: Expression[]; variadic: boolean } {
  const shown = (each: Bound): Expression => analysed(each, analysis, true);
  const isVariadic = fn.variadic !== undefined && args.length > fn.args.length;
  const last = args.at(-1);
  if (!isVariadic || last?.kind !== 'array' || last.spread !== true) return { args: args.map(shown), variadic: isVariadic };
  // A literal without an expected type is text.
  const each = (arg: Bound): Expression =>
    arg.kind === 'constant' && arg.type.name === 'text' && arg.value !== null ? { type: 'string', value: arg.value as string, at } : shown(arg);
  return { args: [...args.slice(0, -1).map(shown), ...last.elements.map(each)], variadic: false };
}

export function call(name: string, args: Expression[], sqlSyntax: boolean, schema: string | null): FunctionCall {
  return {
    type: 'call',
    name: schema === null ? [name] : [schema, name],
    args,
    argNames: null,
    variadic: false,
    star: false,
    distinct: false,
    orderBy: [],
    withinGroup: false,
    filter: null,
    over: null,
    overPlace: { at: 0 },
    sqlSyntax,
    at,
  };
}

/** Numbers of types int4 and numeric and booleans are bare if the scanner would read them as the same. */
function constant(text: string | null, type: SqlType, typmod: number, analysis: Analysis): Expression {
  if (text === null) return cast({ type: 'null', at }, type, -1, analysis);
  switch (type.name) {
    case 'bool':
      return { type: 'boolean', value: text === 't', at };
    case 'unknown':
      return { type: 'string', value: text, at };
    case 'int4':
      if (!text.startsWith('-')) return { type: 'integer', value: Number(text), at };
      break;
    case 'numeric':
      if (/^\d+\.\d*$/.test(text)) {
        const number: Expression = { type: 'number', text, at };
        return typmod < 0 ? number : cast(number, type, typmod, analysis);
      }
      break;
    default:
  }
  return cast({ type: 'string', value: text, at }, type, typmod, analysis);
}

function castCall(value: CastCall, analysis: Analysis, implicit: boolean): Expression {
  const { arg, explicit } = value;
  if (!explicit && !implicit) return analysed(arg, analysis, implicit);
  if (value.method === 'typmod') {
    // A length belongs to the cast to its type, which is not shown separately.
    const inner = arg.kind === 'cast' && arg.type === value.type ? arg.arg : arg;
    if (inner.kind === 'constant' && inner.type === value.type)
      return constant(inner.type.format(inner.value, analysis.env), value.type, value.typmod, analysis);
    return cast(analysed(inner, analysis, false), value.type, value.typmod, analysis);
  }
  if (arg.kind === 'constant' && arg.type === value.type) return analysed(arg, analysis, implicit);
  return cast(analysed(arg, analysis, false), value.type, -1, analysis);
}

function inList(value: Bound & { kind: 'in' }, analysis: Analysis): Expression {
  const { arg, list, negated } = value;
  const operator: OperatorName = { schema: null, name: negated ? '<>' : '=' };
  // varchar compares as text.
  const text = arg.type.name === 'varchar' ? analysis.typeByOid(25) : undefined;
  const texts = text === undefined ? undefined : analysis.typeByOid(text.arrayOid);
  const left = analysed(arg, analysis, true);
  const shownLeft = text === undefined ? left : cast(left, text, -1, analysis);
  const items = list.map((item) => analysed(item, analysis, true));
  if (items.length === 1) {
    const [only] = list;
    const right =
      text === undefined
        ? items[0]
        : only.kind === 'constant' && only.value !== null
          ? constant(only.value as string, text, -1, analysis)
          : cast(items[0], text, -1, analysis);
    return { type: 'operator', operator, left: shownLeft, right, at };
  }
  const array: Expression = { type: 'array', elements: items, at };
  return {
    type: 'quantifiedArray',
    quantifier: negated ? 'all' : 'any',
    operator,
    left: shownLeft,
    right: texts === undefined ? array : cast(array, texts, -1, analysis),
    at,
  };
}
