/** Binds expressions: resolves names, chooses overloads, makes coercions explicit. */
import { runSteps } from '../../base/run-steps.ts';
import type { Expression, FunctionCall, OperatorName, Subscript } from '../ast/expression.ts';
import { nullTestOf } from '../ast/null-test.ts';
import type { Query } from '../ast/query.ts';
import { startOf } from '../ast/start-of.ts';
import type { AggregateFunction, ScalarFunction, SetFunction, SqlFunction, WindowFunction } from '../functions/define.ts';
import type { Bound, BoundSort } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import { underKey } from './collated.ts';
import { collationNamed } from './collation-name.ts';
import { bindCurrentOf } from './current-of.ts';
import { aggregateLevel, CLAUSE_NAMES } from './aggregate-level.ts';
import { LIMITS } from '../../base/limits.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { bindParameter } from './parameter.ts';
import { bindColumn, fieldsOfRow, rowOf, starColumns, starRow } from './columns.ts';
import { fieldCall, inSchema, noFunction, outColumnType, resolveFunction, signature, withoutOutParameters } from './function.ts';
import { bindOperator, equality, groupingEquality, operatorOf, resolveOperator } from './operator.ts';
import { bindQuery } from './query.ts';
import { fieldsOfQuery, rowOfQuery } from './row-query.ts';
import { writtenAs } from './same-syntax.ts';
import type { Scope } from './scope.ts';
import { bindSortKeys } from './sort.ts';
import { bindSqlJson } from './sql-json.ts';
import { bindXml } from './xml.ts';
import { bitsOfHex } from '../types/bit-strings.ts';
import { HSTORE_OID } from '../types/hstore.ts';
import { columnsOf, recordType } from '../types/record-type.ts';
import { ARRAY_DIMENSIONS_MAX } from '../types/array-text.ts';
import { tooManyDimensions } from '../types/array-literal-check.ts';
import { refuseWideRow } from './target-list.ts';
import { bindTypeName, findType } from './type-name.ts';
import { columnsOf as columnsRead } from '../plan/rules/walk.ts';
import { sameExpression } from './walk.ts';
import { bindWindow } from './window-frame.ts';

const EQUAL: OperatorName = { schema: null, name: '=' };

export function bindExpression(binder: Binder, expression: Expression, scope: Scope): Bound {
  const bound = bindPlain(binder, expression, scope);
  return binder.collations === null ? bound : binder.collations.note(expression, bound);
}

function bindPlain(binder: Binder, expression: Expression, scope: Scope): Bound {
  // First of all, since lists of hundreds of thousands of them are bound in one turn.
  if (expression.type === 'integer') return { kind: 'constant', type: binder.type('int4'), typmod: -1, value: expression.value };
  if (expression.type === 'string') return { kind: 'constant', type: binder.type('unknown'), typmod: -1, value: expression.value, at: expression.at };
  const { coercion } = binder;
  const bind = (each: Expression): Bound => bindExpression(binder, each, scope);
  const bool = binder.type('bool');
  const { at } = expression;
  switch (expression.type) {
    case 'null':
      return { kind: 'constant', type: binder.type('unknown'), typmod: -1, value: null };
    case 'boolean':
      return { kind: 'constant', type: bool, typmod: -1, value: expression.value };
    case 'number': {
      const type = binder.type(numberType(expression.text));
      return { kind: 'constant', type, typmod: -1, value: type.parse(expression.text, -1, binder.env) };
    }
    case 'bitString':
      return bitString(binder, expression.digits, expression.hex, at);
    case 'column':
      if (expression.star) {
        if (expression.parts.length === 0) fail('42601', 'row expansion via "*" is not supported here', at);
        return starRow(binder, expression, scope);
      }
      return bindColumn(binder, expression, scope);
    case 'parameter':
      return bindParameter(binder, expression.number, at);
    case 'call':
      return bindCall(binder, expression, scope);
    case 'operator': {
      const test = comparesWithNull(binder, expression);
      return test === null ? bindOperatorChain(binder, expression, scope) : bind(test);
    }
    case 'and':
    case 'or': {
      const clause = expression.type.toUpperCase();
      return { kind: expression.type, type: bool, typmod: -1, args: expression.args.map((arg) => coercion.toBoolean(bind(arg), clause, startOf(arg))) };
    }
    case 'not':
      return { kind: 'not', type: bool, typmod: -1, arg: coercion.toBoolean(bind(expression.arg), 'NOT', startOf(expression.arg)) };
    case 'isNull':
      return { kind: 'isNull', type: bool, typmod: -1, arg: coercion.resolveUnknown(bind(expression.arg), at), negated: expression.negated };
    case 'isBoolean': {
      const name = expression.value === null ? 'UNKNOWN' : expression.value ? 'TRUE' : 'FALSE';
      const arg = coercion.toBoolean(bind(expression.arg), `IS ${expression.negated ? 'NOT ' : ''}${name}`, startOf(expression.arg));
      return { kind: 'isBoolean', type: bool, typmod: -1, arg, value: expression.value, negated: expression.negated };
    }
    case 'isDistinct': {
      const [lefts, rights] = [writtenFields(binder, expression.left, scope), writtenFields(binder, expression.right, scope)];
      if (lefts !== null && rights !== null) {
        if (lefts.length !== rights.length) fail('42601', 'unequal number of entries in row expressions', at);
        const differ = lefts.map((each, i): Bound => {
          const [one, other] = sameTypes(binder, each, rights[i], at);
          return { kind: 'isDistinct', type: bool, typmod: -1, left: one, right: other, equal: equality(binder, one.type, at), negated: false };
        });
        const any: Bound = differ.length === 1 ? differ[0] : { kind: 'or', type: bool, typmod: -1, args: differ };
        return expression.negated ? { kind: 'not', type: bool, typmod: -1, arg: any } : any;
      }
      const [left, right] = sameTypes(binder, bind(expression.left), bind(expression.right), at);
      return { kind: 'isDistinct', type: bool, typmod: -1, left, right, equal: equality(binder, left.type, at), negated: expression.negated };
    }
    case 'in':
      return bindIn(binder, expression.arg, expression.list, expression.negated, scope, at);
    case 'inQuery': {
      const any = bindQuantified(binder, sideFields(binder, expression.arg, scope), EQUAL, 'any', expression.query, scope, at);
      return expression.negated ? { kind: 'not', type: bool, typmod: -1, arg: any } : any;
    }
    case 'quantifiedQuery':
      return bindQuantified(binder, sideFields(binder, expression.left, scope), expression.operator, expression.quantifier, expression.query, scope, at);
    case 'quantifiedArray': {
      const left = bind(expression.left);
      let array = bind(expression.right);
      let arrayType = coercion.typeOf(array);
      if (arrayType.name === 'unknown') {
        const leftType = coercion.typeOf(left);
        array = coercion.coerce(array, coercion.arrayOf(leftType.name === 'unknown' ? binder.type('text') : leftType), -1, 'implicit', at);
        arrayType = array.type;
      }
      if (arrayType.element === null) fail('42809', 'op ANY/ALL (array) requires array on right side', at);
      const leftType = coercion.typeOf(left);
      const found = resolveOperator(binder, expression.operator.name, leftType, arrayType.element);
      if (found === null || found === 'ambiguous') {
        fail('42883', `operator does not exist: ${leftType.title} ${expression.operator.name} ${arrayType.element.title}`, at, {
          hint: 'No operator matches the given name and argument types. You might need to add explicit type casts.',
        });
      }
      if (found.result !== bool) fail('42809', 'op ANY/ALL (array) requires operator to yield boolean', at);
      return {
        kind: 'quantified',
        type: bool,
        typmod: -1,
        quantifier: expression.quantifier,
        operator: found.operator,
        left: coercion.coerce(left, found.left!, -1, 'implicit', at),
        array: coercion.coerce(array, found.right === arrayType.element ? arrayType : coercion.arrayOf(found.right), -1, 'implicit', at),
      };
    }
    case 'exists':
      return { kind: 'exists', type: bool, typmod: -1, plan: bindSub(binder, expression.query, scope, at) };
    case 'subquery': {
      const plan = bindSub(binder, expression.query, scope, at);
      if (plan.columns.length !== 1) fail('42601', 'subquery must return only one column', at);
      return { kind: 'subquery', type: plan.columns[0].type, typmod: plan.columns[0].typmod, plan };
    }
    case 'arrayQuery': {
      const plan = bindSub(binder, expression.query, scope, at);
      if (plan.columns.length !== 1) fail('42601', 'subquery must return only one column', at);
      const element = plan.columns[0].type;
      return { kind: 'arrayQuery', type: element.element === null ? coercion.arrayOf(element) : element, typmod: -1, plan };
    }
    case 'array':
      return bindArray(binder, expression.elements, scope, at, null);
    case 'row': {
      return rowOf(
        bindFields(binder, expression, scope).map((field) => coercion.resolveUnknown(field, at)),
        null,
      );
    }
    case 'case':
      return runSteps(bindCase(binder, expression, scope));
    case 'coalesce':
    case 'greatest':
    case 'least': {
      const args = expression.type === 'coalesce' ? withoutSets(scope, 'COALESCE', () => expression.args.map(bind), at) : expression.args.map(bind);
      const type = coercion.commonType(args, expression.type.toUpperCase(), (i) => startOf(expression.args[i]));
      const coerced = args.map((arg, i) => coercion.coerce(arg, type, -1, 'implicit', expression.args[i].at));
      if (expression.type !== 'coalesce' && !type.ordered) fail('42883', `could not identify a comparison function for type ${type.title}`, at);
      return { kind: expression.type, type, typmod: commonTypmod(coerced), args: coerced };
    }
    case 'nullIf': {
      const left = bind(expression.left);
      const right = bind(expression.right);
      const call = bindOperator(binder, EQUAL, left, right, at);
      if (call.kind !== 'call') return call;
      // The result is the operator's left operand, cast as the operator needs it.
      const [keep] = call.args;
      return {
        kind: 'nullIf',
        type: keep.type,
        typmod: keep.typmod,
        left: keep,
        right: call.args[1],
        equal: call.fn as import('../functions/define.ts').SqlOperator,
      };
    }
    case 'between': {
      const compare = (operator: string, bound: Expression): Bound =>
        bindOperator(binder, { schema: null, name: operator }, bind(expression.arg), bind(bound), at);
      // NOT BETWEEN is below or above, as in Postgres.
      const { negated } = expression;
      const within = (low: Expression, high: Expression): Bound =>
        negated
          ? { kind: 'or', type: bool, typmod: -1, args: [compare('<', low), compare('>', high)] }
          : { kind: 'and', type: bool, typmod: -1, args: [compare('>=', low), compare('<=', high)] };
      const out = within(expression.low, expression.high);
      if (!expression.symmetric) return out;
      return { kind: negated ? 'and' : 'or', type: bool, typmod: -1, args: [out, within(expression.high, expression.low)] };
    }
    case 'like': {
      const arg = bind(expression.arg);
      let pattern = bind(expression.pattern);
      if (expression.kind === 'similar') {
        const args = expression.escape === null ? [pattern] : [pattern, bind(expression.escape)];
        pattern = callByName(binder, 'similar_to_escape', args, at);
        return bindOperator(binder, { schema: null, name: expression.negated ? '!~' : '~' }, arg, pattern, at);
      }
      if (expression.escape !== null) pattern = callByName(binder, 'like_escape', [pattern, bind(expression.escape)], at);
      const name = `${expression.negated ? '!' : ''}~~${expression.kind === 'ilike' ? '*' : ''}`;
      return bindOperator(binder, { schema: null, name }, arg, pattern, at);
    }
    case 'collate': {
      const { collation } = expression;
      const own = collation.length > 1 ? collation[collation.length - 2] : null;
      if (binder.names.hasCollation?.(own, collation[collation.length - 1]) !== true) {
        if (own !== null && !binder.names.hasSchema(own)) fail('3F000', `schema "${own}" does not exist`, at);
        collationNamed(collation, at);
      }
      binder.collating();
      binder.recording?.collations.add(collation[collation.length - 1]);
      const arg = bind(expression.arg);
      const type = coercion.typeOf(arg);
      if (type.name !== 'unknown' && type.category !== 'S' && type.element === null) fail('42804', `collations are not supported by type ${type.title}`, at);
      return { ...arg, collation };
    }
    case 'cast': {
      const { type, typmod } = bindTypeName(binder, expression.to);
      if (expression.arg.type === 'array' && type.element !== null) {
        return coercion.coerce(bindArray(binder, expression.arg.elements, scope, at, type), type, typmod, 'explicit', at);
      }
      return coercion.coerce(bind(expression.arg), type, typmod, 'explicit', at);
    }
    case 'subscript':
      return bindSubscript(binder, expression, scope);
    case 'field': {
      const arg = bind(expression.arg);
      const { arg: from, name } = expression;
      // A relation's row is named after the relation.
      if (arg.kind === 'row' && arg.names?.includes(name) === false && from.type === 'column')
        fail('42703', `column ${from.parts[from.parts.length - 1]}.${name} does not exist`, at);
      return bindField(binder, arg, name, at);
    }
    case 'fieldStar':
      return fail('42601', 'row expansion via "*" is not supported here', at);
    case 'valueFunction':
      return bindValueFunction(binder, expression.name, expression.precision);
    case 'grouping': {
      const args = expression.args.map(bind);
      const id = binder.id();
      const { level } = aggregateLevel(scope, args, [], 'grouping operations', at);
      level.groupings.push({ id, args, at: expression.args.map(startOf) });
      level.aggregatesAt.set(id, at);
      return { kind: 'column', id, type: binder.type('int4'), typmod: -1 };
    }
    case 'default':
      return fail('42601', 'DEFAULT is not allowed in this context', at);
    case 'mergeAction': {
      for (let level: Scope | null = scope; level !== null; level = level.parent) if (level.mergeAction !== null) return level.mergeAction;
      return fail('42601', 'MERGE_ACTION() can only be used in the RETURNING list of a MERGE command', at);
    }
    case 'currentOf':
      return bindCurrentOf(binder, expression.cursor, scope, at);
    case 'xml':
    case 'xmlSerialize':
      return bindXml(binder, expression, scope);
    default:
      return bindSqlJson(binder, expression, scope) ?? fail('0A000', 'this SQL/JSON expression is not supported', at);
  }
}

/** The parts are evaluated conditionally, so none may return a set. */
function withoutSets<T>(scope: Scope, what: string, run: () => T, at: number): T {
  const before = scope.level.setFunctions.length;
  const out = run();
  refuseSets(scope, what, before, at);
  return out;
}

function refuseSets(scope: Scope, what: string, before: number, at: number): void {
  if (scope.level.setFunctions.length > before) {
    fail('0A000', `set-returning functions are not allowed in ${what}`, scope.level.setFunctions[before].at ?? at, {
      hint: 'You might be able to move the set-returning function into a LATERAL FROM item.',
    });
  }
}

function bitString(binder: Binder, digits: string, hex: boolean, at: number): Bound {
  const wrong = (hex ? /[^0-9a-fA-F]/u : /[^01]/u).exec(digits);
  if (wrong !== null) fail('22P02', `"${wrong[0]}" is not a valid ${hex ? 'hexadecimal' : 'binary'} digit`, at);
  return { kind: 'constant', type: binder.type('bit'), typmod: -1, value: hex ? bitsOfHex(digits) : digits };
}

/** The smallest of int4, int8 and numeric; -2147483648 comes with its sign. */
function numberType(text: string): string {
  if (!/^[+-]?\d+$/.test(text)) return 'numeric';
  const value = BigInt(text.replace(/^\+/, ''));
  if (value >= -2147483648n && value <= 2147483647n) return 'int4';
  return value >= -9223372036854775808n && value <= 9223372036854775807n ? 'int8' : 'numeric';
}

function commonTypmod(args: readonly Bound[]): number {
  const [first] = args;
  return args.every((each) => each.typmod === first.typmod) ? first.typmod : -1;
}

/** In stored texts these comparisons were converted at definition. */
function comparesWithNull(binder: Binder, expression: Expression): Expression | null {
  const test = nullTestOf(expression);
  return test !== null && !binder.unchecked && binder.env.setting('transform_null_equals') === 'on' ? test : null;
}

/** `a + b + c …` is left-deep and may be thousands long. */
function bindOperatorChain(binder: Binder, expression: Expression & { type: 'operator' }, scope: Scope): Bound {
  const chain: (Expression & { type: 'operator' })[] = [];
  let bottom: Expression = expression;
  while (bottom.type === 'operator' && bottom.left !== null && (chain.length === 0 || comparesWithNull(binder, bottom) === null)) {
    chain.push(bottom);
    bottom = bottom.left;
  }
  let out: Bound;
  if (bottom.type === 'operator' && bottom.left === null)
    out = bindOperator(binder, bottom.operator, null, bindExpression(binder, bottom.right, scope), bottom.at);
  else if (chain.length > 0 && bottom.type === 'row' && (isComparison(chain[chain.length - 1].operator.name) || chain[chain.length - 1].right.type === 'row')) {
    const node = chain.pop()!;
    out = bindRowComparison(binder, bottom, node.operator, node.right, scope, node.at);
  } else out = bindExpression(binder, bottom, scope);
  for (let i = chain.length - 1; i >= 0; i--) {
    out = bindOperator(binder, chain[i].operator, out, bindExpression(binder, chain[i].right, scope), chain[i].at);
    if (binder.collations !== null) out = binder.collations.note(chain[i], out);
  }
  return out;
}

const PATTERN_COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['~<~', '<'],
  ['~<=~', '<='],
  ['~>=~', '>='],
  ['~>~', '>'],
]);

function isComparison(name: string): boolean {
  return name === '=' || name === '<>' || name === '<' || name === '<=' || name === '>' || name === '>=';
}

function bindRowComparison(binder: Binder, left: Expression & { type: 'row' }, operator: OperatorName, right: Expression, scope: Scope, at: number): Bound {
  const leftFields = bindFields(binder, left, scope);
  if (right.type === 'subquery') {
    const plan = bindSub(binder, right.query, scope, at);
    if (plan.columns.length < leftFields.length) fail('42601', 'subquery has too few columns', at);
    if (plan.columns.length > leftFields.length) fail('42601', 'subquery has too many columns', at);
    const value = rowOfQuery(binder, plan);
    binder.queries?.set(value.plan, { query: right.query, isRow: true });
    const id = binder.id();
    const body = compareRows(binder, leftFields, fieldsOfQuery({ kind: 'column', id, type: value.type, typmod: -1 }, plan), operator.name, at);
    return { kind: 'let', id, value, body, type: body.type, typmod: -1 };
  }
  if (right.type !== 'row') return bindOperator(binder, operator, bindExpression(binder, left, scope), bindExpression(binder, right, scope), at);
  const rightFields = bindFields(binder, right, scope);
  if (leftFields.length !== rightFields.length) fail('42601', 'unequal number of entries in row expressions', at);
  return compareRows(binder, leftFields, rightFields, operator.name, at);
}

/** Field by field if a collation has its own order or equality; null otherwise. `pairs`: the fields' equalities. */
function compareCollated(binder: Binder, left: readonly Bound[], right: readonly Bound[], pairs: readonly Bound[], name: string, at: number): Bound | null {
  const type = binder.type('bool');
  const all = (args: readonly Bound[]): Bound => (args.length === 1 ? args[0] : { kind: 'and', args, type, typmod: -1 });
  let own = false;
  const collated = (plain: Bound, i: number): Bound => {
    const made = binder.collations!.using(plain, left[i], right[i]);
    own ||= made !== plain;
    return made;
  };
  const equal = pairs.map(collated);
  if (name === '=' || name === '<>') {
    if (!own) return null;
    return name === '=' ? all(equal) : { kind: 'not', arg: all(equal), type, typmod: -1 };
  }
  // Equal up to one field, which decides: the last by the operator itself, earlier ones by < or >.
  const args = left.map((each, i) => {
    const operator = { schema: null, name: i === left.length - 1 ? name : name[0] };
    return all([...equal.slice(0, i), collated(bindOperator(binder, operator, each, right[i], at), i)]);
  });
  return own ? { kind: 'or', args, type, typmod: -1 } : null;
}

export function compareRows(binder: Binder, left: readonly Bound[], right: readonly Bound[], name: string, at: number): Bound {
  const bool = binder.type('bool');
  if (left.length === 0) fail('0A000', 'cannot compare rows of zero length', at);
  if (!isComparison(name)) {
    left.forEach((each, i) => bindOperator(binder, { schema: null, name }, each, right[i], at));
    // Texts are ordered by code point, so these are the plain comparisons.
    const plain = PATTERN_COMPARISONS.get(name);
    if (plain !== undefined) return compareRows(binder, left, right, plain, at);
    fail('0A000', `could not determine interpretation of row comparison operator ${name}`, at, {
      hint: 'Row comparison operators must be associated with btree operator families.',
    });
  }
  const leftOut: Bound[] = [];
  const rightOut: Bound[] = [];
  const pairs = left.map((each, i) => {
    const call = bindOperator(binder, { schema: null, name: '=' }, each, right[i], at) as Bound & { kind: 'call' };
    leftOut.push(call.args[0]);
    rightOut.push(call.args[1]);
    return call;
  });
  if (pairs.length === 1) return bindOperator(binder, { schema: null, name }, left[0], right[0], at);
  const collated = binder.collations === null ? null : compareCollated(binder, left, right, pairs, name, at);
  if (collated !== null) return collated;
  if (name === '=') return { kind: 'and', type: bool, typmod: -1, args: pairs };
  return {
    kind: 'rowCompare',
    type: bool,
    typmod: -1,
    op: name as '<',
    left: leftOut,
    right: rightOut,
    equal: pairs.map(({ fn }) => fn as import('../functions/define.ts').SqlOperator),
    less:
      name === '<>'
        ? []
        : leftOut.map((each, i) => {
            const less = resolveOperator(binder, '<', each.type, rightOut[i].type);
            return less === null || less === 'ambiguous' ? operatorOf(binder, '<', each.type, at) : less.operator;
          }),
  };
}

/** Fields of a row constructor, or the single value. */
export function bindFields(binder: Binder, expression: Expression, scope: Scope): readonly Bound[] {
  if (expression.type !== 'row') return [bindExpression(binder, expression, scope)];
  refuseWideRow(expression.fields.length, expression.at);
  return expression.fields.flatMap((field) => {
    if (field.type === 'fieldStar') return fieldsOfRow(binder, field.arg, scope).map(({ value }) => value);
    if (field.type === 'column' && field.star) return starColumns(binder, field, scope).map(({ value }) => value);
    return [bindExpression(binder, field, scope)];
  });
}

/** With IN and a subquery a row constructor that is cast to a composite type is still expanded, with the type's field types. */
function writtenFields(binder: Binder, expression: Expression, scope: Scope): readonly Bound[] | null {
  if (expression.type === 'row') return bindFields(binder, expression, scope);
  if (!isCastRow(expression)) return null;
  const bound = bindExpression(binder, expression, scope);
  return bound.kind === 'row' ? bound.fields : null;
}

function isCastRow(expression: Expression): boolean {
  let node = expression;
  while (node.type === 'cast') node = node.arg;
  return expression.type === 'cast' && node.type === 'row';
}

function sideFields(binder: Binder, expression: Expression, scope: Scope): readonly Bound[] {
  return writtenFields(binder, expression, scope) ?? bindFields(binder, expression, scope);
}

/** Both as their common type. */
function sameTypes(binder: Binder, left: Bound, right: Bound, at: number): [Bound, Bound] {
  const call = bindOperator(binder, EQUAL, left, right, at) as Bound & { kind: 'call' };
  return [call.args[0], call.args[1]];
}

function bindIn(binder: Binder, argument: Expression, list: readonly Expression[], negated: boolean, scope: Scope, at: number): Bound {
  if (list.length > LIMITS.listedValuesMax) {
    failNowhere('54001', 'statement too complex', {
      detail: `IN lists ${list.length} values; at most ${LIMITS.listedValuesMax} are planned.`,
      hint: 'Give the values as an array: = ANY ($1).',
    });
  }
  const bool = binder.type('bool');
  const { coercion } = binder;
  const negate = (value: Bound): Bound => (negated ? { kind: 'not', type: bool, typmod: -1, arg: value } : value);
  const left = asOneArray(binder, argument, list, scope) ? null : writtenFields(binder, argument, scope);
  if (left !== null) {
    const options = list.map((item) => {
      const right = writtenFields(binder, item, scope);
      if (right === null) return bindOperator(binder, EQUAL, bindExpression(binder, argument, scope), bindExpression(binder, item, scope), at);
      if (right.length !== left.length) fail('42601', 'unequal number of entries in row expressions', at);
      return compareRows(binder, left, right, '=', at);
    });
    return negate(options.length === 1 ? options[0] : { kind: 'or', type: bool, typmod: -1, args: options });
  }
  const arg = bindExpression(binder, argument, scope);
  let items = list.map((item) => bindExpression(binder, item, scope));
  let common: SqlType | null = null;
  try {
    common = coercion.commonType([arg, ...items], 'IN', at);
  } catch {
    common = null;
  }
  if (common !== null && common.hashable && coercion.path(coercion.typeOf(arg), common, 'implicit') !== null) {
    const equal = equality(binder, common, at);
    // Elements of the common type stay: the list may have hundreds of thousands.
    if (items.some((item) => item.kind !== 'constant' || item.type !== common))
      items = items.map((item, i) => coercion.coerce(item, common, -1, 'implicit', list[i].at));
    return {
      kind: 'in',
      type: bool,
      typmod: -1,
      arg: coercion.coerce(arg, common, -1, 'implicit', argument.at),
      list: items,
      equal,
      negated,
    };
  }
  const options = items.map((item) => bindOperator(binder, EQUAL, arg, item, at));
  return negate(options.length === 1 ? options[0] : { kind: 'or', type: bool, typmod: -1, args: options });
}

/** Several values of one composite type without columns are searched like an array, in which nulls equal each other. */
function asOneArray(binder: Binder, argument: Expression, list: readonly Expression[], scope: Scope): boolean {
  if (!isCastRow(argument) || list.length < 2) return false;
  const { coercion } = binder;
  const type = coercion.typeOf(bindExpression(binder, argument, scope));
  const plain = list.map((item) => bindExpression(binder, item, scope)).filter((item) => columnsRead(item).size === 0);
  return plain.length > 1 && plain.every((item) => [type.name, 'unknown'].includes(coercion.typeOf(item).name));
}

function bindSub(binder: Binder, query: Query, scope: Scope, at: number): Plan {
  const kind = WITHOUT_SUBQUERIES[scope.clause];
  if (kind !== undefined) fail('0A000', `cannot use subquery in ${scope.clauseTitle?.replace(/s$/, '') ?? kind}`, at);
  const { plan } = bindQuery(binder, query, scope, {});
  binder.queries?.set(plan, { query, isRow: false });
  return plan;
}

function bindQuantified(
  binder: Binder,
  left: readonly Bound[],
  operator: OperatorName,
  quantifier: 'any' | 'all',
  query: Query,
  scope: Scope,
  at: number,
): Bound {
  const plan = bindSub(binder, query, scope, at);
  if (plan.columns.length < left.length) fail('42601', 'subquery has too few columns', at);
  if (plan.columns.length > left.length) fail('42601', 'subquery has too many columns', at);
  return quantifiedOver(binder, left, operator, quantifier, plan, at);
}

function quantifiedOver(binder: Binder, left: readonly Bound[], operator: OperatorName, quantifier: 'any' | 'all', plan: Plan, at: number): Bound {
  const right = plan.columns.map((column) => binder.use(column));
  const compare = left.length === 1 ? bindOperator(binder, operator, left[0], right[0], at) : compareRows(binder, left, right, operator.name, at);
  if (compare.type !== binder.type('bool')) fail('42804', `row comparison operator must yield type boolean, not type ${compare.type.title}`, at);
  return { kind: 'quantifiedQuery', type: binder.type('bool'), typmod: -1, quantifier, plan, compare };
}

function bindArray(binder: Binder, elements: readonly Expression[], scope: Scope, at: number, wanted: SqlType | null): Bound {
  const { coercion } = binder;
  const values = elements.map((element) =>
    element.type === 'array' ? bindArray(binder, element.elements, scope, element.at, wanted) : bindExpression(binder, element, scope),
  );
  // A literal beside an array is parsed as one, too.
  const nested = values.some((value) => coercion.typeOf(value).element !== null);
  if (values.length === 0) {
    if (wanted === null) {
      fail('42P18', 'cannot determine type of empty array', at, { hint: 'Explicitly cast to the desired type, for example ARRAY[]::integer[].' });
    }
    return { kind: 'array', type: wanted, typmod: -1, elements: [], nested: false };
  }
  if (nested) {
    const type = wanted ?? coercion.commonType(values, 'ARRAY', (i) => startOf(elements[i]));
    return {
      kind: 'array',
      type,
      typmod: -1,
      elements: values.map((value) => coercion.coerce(value, type, -1, wanted === null ? 'implicit' : 'explicit', at)),
      nested: true,
    };
  }
  const element = wanted?.element ?? coercion.commonType(values, 'ARRAY', (i) => startOf(elements[i]));
  return {
    kind: 'array',
    type: coercion.arrayOf(element),
    typmod: -1,
    elements: values.map((value, i) => coercion.coerce(value, element, -1, wanted === null ? 'implicit' : 'explicit', elements[i].at)),
    nested: false,
  };
}

/** One step per branch. */
export function* bindCase(binder: Binder, expression: Expression & { type: 'case' }, scope: Scope): Generator<void, Bound> {
  const before = scope.level.setFunctions.length;
  const bound = yield* bindBranches(binder, expression, scope);
  refuseSets(scope, 'CASE', before, expression.at);
  return bound;
}

function* bindBranches(binder: Binder, expression: Expression & { type: 'case' }, scope: Scope): Generator<void, Bound> {
  const { coercion } = binder;
  let input: Bound | null = null;
  let id = 0;
  if (expression.arg !== null) {
    const arg = coercion.resolveUnknown(bindExpression(binder, expression.arg, scope), expression.arg.at);
    id = binder.id();
    input = arg;
  }
  const whens: Bound[] = [];
  for (const { when, at } of expression.branches) {
    const value = bindExpression(binder, when, scope);
    yield;
    if (input === null) {
      whens.push(coercion.toBoolean(value, 'CASE/WHEN', startOf(when)));
      continue;
    }
    const equal = bindOperator(binder, EQUAL, { kind: 'column', id, type: input.type, typmod: input.typmod }, value, at);
    whens.push(binder.collations === null ? equal : binder.collations.ofCase(equal, [expression.arg!, when]));
  }
  const results: Bound[] = [];
  for (const { then } of expression.branches) {
    results.push(bindExpression(binder, then, scope));
    yield;
  }
  const otherwise: Bound =
    expression.otherwise === null
      ? { kind: 'constant', type: binder.type('unknown'), typmod: -1, value: null }
      : bindExpression(binder, expression.otherwise, scope);
  // Postgres resolves ELSE first.
  const type = coercion.commonType([otherwise, ...results], 'CASE', (i) =>
    i > 0 ? startOf(expression.branches[i - 1].then) : expression.otherwise === null ? expression.at : startOf(expression.otherwise),
  );
  const thens = results.map((value, i) => coercion.coerce(value, type, -1, 'implicit', expression.branches[i].then.at));
  const last = coercion.coerce(otherwise, type, -1, 'implicit', expression.at);
  const body: Bound = {
    kind: 'case',
    type,
    typmod: commonTypmod(expression.otherwise === null ? thens : [...thens, last]),
    branches: whens.map((when, i) => ({ when, then: thens[i] })),
    otherwise: last,
  };
  return input === null ? body : { kind: 'let', id, value: input, body, type, typmod: body.typmod };
}

/** Fixed-size types whose parts are read by index, from 0. */
export const FIXED_ARRAYS: ReadonlyMap<string, { readonly element: string; readonly count: number }> = new Map([
  ['point', { element: 'float8', count: 2 }],
  ['line', { element: 'float8', count: 3 }],
  ['lseg', { element: 'point', count: 2 }],
  ['box', { element: 'point', count: 2 }],
  ['name', { element: 'char', count: 64 }],
]);

function bindSubscript(binder: Binder, expression: Expression & { type: 'subscript' }, scope: Scope): Bound {
  const { coercion } = binder;
  const arg = coercion.resolveUnknown(bindExpression(binder, expression.arg, scope), expression.at);
  const { subscripts, at } = expression;
  if (arg.type.name === 'jsonb') {
    const slice = subscripts.find((each) => each.slice);
    if (slice !== undefined) fail('42804', 'jsonb subscript does not support slices', startOf(slice.upper ?? slice.lower ?? expression));
    const path = subscripts.map(({ upper }) => {
      const value = bindExpression(binder, upper!, scope);
      const type = coercion.typeOf(value);
      if (type.name !== 'unknown' && ['int4', 'text'].every((name) => coercion.path(type, binder.type(name), 'implicit') === null)) {
        fail('42804', `subscript type ${type.title} is not supported`, startOf(upper!), {
          hint: 'jsonb subscript must be coercible to either integer or text.',
        });
      }
      return coercion.coerce(value, binder.type('text'), -1, 'explicit', upper!.at);
    });
    return asSubscripts(callByName(binder, 'jsonb_subscript', [arg, ...path], at));
  }
  if (arg.type.oid === HSTORE_OID) return asSubscripts(callByName(binder, 'fetchval', [arg, hstoreKey(binder, subscripts, scope)], at));
  const fixed = FIXED_ARRAYS.get(arg.type.name);
  if (fixed !== undefined) {
    if (subscripts.some(({ slice }) => slice)) failNowhere('0A000', 'slices of fixed-length arrays not implemented');
    if (subscripts.length > 1) return { kind: 'constant', type: binder.type(fixed.element), typmod: -1, value: null };
    const { upper } = subscripts[0];
    const value = binder.coercion.tryCoerce(bindExpression(binder, upper!, scope), binder.type('int4'), -1, 'assignment', upper!.at);
    if (value === null) fail('42804', 'array subscript must have type integer', upper!.at);
    return asSubscripts(callByName(binder, `${arg.type.name}_subscript`, [arg, value], at));
  }
  if (arg.type.element === null) fail('42804', `cannot subscript type ${arg.type.title} because it does not support subscripting`, at);
  if (subscripts.length > ARRAY_DIMENSIONS_MAX) throw tooManyDimensions(subscripts.length);
  const int4 = binder.type('int4');
  const index = (each: Expression | null): Bound | null => {
    if (each === null) return null;
    const value = coercion.tryCoerce(bindExpression(binder, each, scope), int4, -1, 'assignment', each.at);
    if (value === null) fail('42804', 'array subscript must have type integer', each.at);
    return value;
  };
  const slice = subscripts.some((each) => each.slice);
  return {
    kind: 'subscript',
    type: slice ? arg.type : arg.type.element,
    typmod: arg.typmod,
    arg,
    subscripts: subscripts.map((each) => ({ slice: each.slice, lower: index(each.lower), upper: index(each.upper) })),
  };
}

function asSubscripts(value: Bound): Bound {
  return value.kind === 'call' ? { ...value, subscripts: true } : value;
}

/** The single subscript of an hstore: a key. */
export function hstoreKey(binder: Binder, subscripts: readonly Subscript[], scope: Scope): Bound {
  if (subscripts.length !== 1 || subscripts[0].slice) failNowhere('0A000', 'hstore allows only one subscript');
  const upper = subscripts[0].upper!;
  const key = binder.coercion.tryCoerce(bindExpression(binder, upper, scope), binder.type('text'), -1, 'assignment', upper.at);
  return key ?? fail('42804', 'hstore subscript must have type text', upper.at);
}

const RECORD = 2249;

function bindField(binder: Binder, arg: Bound, name: string, at: number): Bound {
  if (arg.kind === 'row' && arg.names !== null) {
    const index = arg.names.indexOf(name);
    if (index >= 0) return arg.fields[index];
    fail('42703', `column "${name}" not found in data type ${arg.type.title}`, at);
  }
  if (arg.kind === 'row') {
    const found = /^f(\d+)$/.exec(name);
    const index = found === null ? -1 : Number(found[1]) - 1;
    if (index >= 0 && index < arg.fields.length) return arg.fields[index];
  }
  const type = binder.coercion.typeOf(arg);
  const columns = columnsOf(type);
  if (columns !== null) {
    const index = columns.findIndex((column) => column.name === name);
    if (index < 0) {
      const call = fieldCall(binder, name, arg, at);
      if (call !== null) return call;
      // The fields of an anonymous row are known only at run time.
      if (type.name === 'record' && type.oid === RECORD) fail('42703', `could not identify column "${name}" in record data type`, at);
      fail('42703', `column "${name}" not found in data type ${type.title}`, at);
    }
    return { kind: 'field', arg, index, type: columns[index].type, typmod: columns[index].typmod };
  }
  if (type.name === 'record' || type.category === 'C') fail('42703', `could not identify column "${name}" in record data type`, at);
  return fail('42809', `column notation .${name} applied to type ${type.title}, which is not a composite type`, at);
}

function bindValueFunction(binder: Binder, name: string, precision: number | null): Bound {
  const types: Record<string, string> = {
    current_date: 'date',
    current_time: 'timetz',
    current_timestamp: 'timestamptz',
    localtime: 'time',
    localtimestamp: 'timestamp',
  };
  return { kind: 'environment', name, precision, type: binder.type(types[name] ?? 'name'), typmod: precision ?? -1 };
}

/** A built-in function, by name. */
export function callByName(binder: Binder, name: string, args: readonly Bound[], at: number): Bound {
  const found = resolveFunction(binder, name, args, null, false, at);
  if (found === null || found.fn.kind !== 'scalar') throw noFunction(binder, name, args, at);
  return scalarCall(found.fn, found.args, found.type);
}

function scalarCall(fn: ScalarFunction, args: readonly Bound[], type: SqlType): Bound {
  return { kind: 'call', fn, proc: fn.name, args, type, typmod: -1 };
}

function bindCall(binder: Binder, call: FunctionCall, scope: Scope): Bound {
  const { at } = call;
  const name = call.name[call.name.length - 1];
  if (name === 'pg_collation_for') binder.collating();
  const schema = call.name.length > 1 ? call.name[call.name.length - 2] : null;
  const visible = inSchema(binder, call);
  if (call.withinGroup) return bindOrderedSet(binder, call, name, scope);
  const accept = (fn: SqlFunction): boolean => visible(fn) && !(fn.kind === 'aggregate' && fn.orderedSet !== undefined);
  const isAggregateCall = binder.registry.functions(name).some((fn) => fn.kind === 'aggregate' && accept(fn));
  const isWindowCall = call.over !== null;
  const saved = { aggregate: scope.inAggregate, window: scope.inWindow };
  if (isAggregateCall && !isWindowCall) scope.inAggregate = true;
  else if (isWindowCall) scope.inWindow = true;
  let args: Bound[];
  let filter: Bound | null = null;
  let orderBy: readonly BoundSort[] = [];
  try {
    args = call.args.map((arg) => {
      if (arg.type === 'column' && arg.star) return starRow(binder, arg, scope);
      return bindExpression(binder, arg, scope);
    });
    if (call.filter !== null) filter = bindFilter(binder, call.filter, scope);
    if (call.orderBy.length > 0) orderBy = bindSortKeys(binder, call.orderBy, scope);
  } finally {
    scope.inAggregate = saved.aggregate;
    scope.inWindow = saved.window;
  }
  args = withoutOutParameters(args);
  if (call.star) args = [];
  if (
    isAggregateCall &&
    args.length === 0 &&
    !call.star &&
    binder.registry.functions(name).some((fn) => accept(fn) && fn.kind === 'aggregate' && fn.args.length === 0 && fn.variadic === undefined)
  ) {
    fail('42809', `${name}(*) must be used to call a parameterless aggregate function`, at);
  }
  if (args.length === 1 && !call.star && call.over === null && (call.argNames?.[0] ?? null) === null) {
    const cast = castByName(binder, schema, name, args[0], accept, at);
    if (cast !== null) return cast;
  }
  const found = resolveFunction(binder, name, args, call.argNames, call.variadic, at, accept, schema);
  if (found === null) {
    // `text(x)`, `float8(x)`: a type's name used as a function is a cast.
    if (args.length === 1 && !call.star && call.over === null) {
      const fields = columnsOf(binder.coercion.typeOf(args[0]));
      if (fields?.some((each) => each.name === name) === true && schema === null) return bindField(binder, args[0], name, at);
      const type = findType(binder, schema, name);
      if (type !== null) {
        const cast = binder.coercion.tryCoerce(args[0], type, -1, 'explicit', at);
        if (cast !== null) return cast;
      }
    }
    if (call.star)
      fail('42883', `function ${call.name.join('.')}() does not exist`, at, {
        hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
      });
    if (binder.registry.functions(name).some((fn) => fn.kind === 'aggregate' && fn.orderedSet?.hypothetical === true && visible(fn)))
      fail('42809', `WITHIN GROUP is required for ordered-set aggregate ${name}`, at);
    throw noFunction(binder, call.name.join('.'), args, at, call.argNames ?? []);
  }
  const { fn } = found;
  if (call.star && !(fn.kind === 'aggregate' || fn.kind === 'window')) fail('42809', `${name}(*) specified, but ${name} is not an aggregate function`, at);
  if (call.over !== null) {
    if (fn.kind !== 'aggregate' && fn.kind !== 'window') fail('42809', `OVER specified, but ${name} is not a window function nor an aggregate function`, at);
    return bindWindowCall(binder, call, fn, found.args, found.type, filter, scope);
  }
  switch (fn.kind) {
    case 'aggregate':
      if (call.distinct) checkDistinctOrder(binder, call, fn, args, orderBy);
      return addAggregate(
        binder,
        scope,
        {
          ...(binder.collations?.aggregated(fn, found.args, call) ?? { fn, args: found.args }),
          direct: [],
          type: found.type,
          distinct: call.distinct,
          orderBy,
          filter,
        },
        at,
        call.args,
      );
    case 'window':
      return fail('42809', `window function ${name} requires an OVER clause`, at);
    case 'set':
      return bindSetCall(binder, fn, found.args, found.type, scope, at);
    case 'scalar':
      if (call.distinct) fail('42809', `DISTINCT specified, but ${name} is not an aggregate function`, at);
      if (call.orderBy.length > 0) fail('42809', `ORDER BY specified, but ${name} is not an aggregate function`, at);
      if (call.filter !== null) fail('42809', `FILTER specified, but ${name} is not an aggregate function`, at);
      return scalarCall(fn, found.args, found.type);
  }
}

function bindFilter(binder: Binder, filter: Expression, scope: Scope): Bound {
  const saved = scope.within;
  scope.within = 'FILTER';
  const out = binder.coercion.toBoolean(bindExpression(binder, filter, scope), 'FILTER', startOf(filter));
  scope.within = saved;
  return out;
}

/**
 * `date('2020-01-01')`, `float8(x)`: a type's name over a literal, or over a value that needs no function for the conversion, is a
 * cast, unless a function takes exactly that type (manual, 10.3).
 */
function castByName(binder: Binder, schema: string | null, name: string, arg: Bound, accept: (fn: SqlFunction) => boolean, at: number): Bound | null {
  const { coercion } = binder;
  const from = coercion.typeOf(arg);
  const functions = binder.registry.functions(name);
  if (functions.length === 0 || functions.some((fn) => accept(fn) && fn.args.length === 1 && fn.args[0] === from.name)) return null;
  const type = binder.registry.findType(name);
  if (type === undefined || (schema !== null && schema !== 'pg_catalog') || type.category === 'P') return null;
  if (from.name === 'unknown') return coercion.tryCoerce(arg, type, -1, 'explicit', at);
  const path = coercion.path(from, type, 'explicit');
  const direct = path?.how === 'io' || (path?.how === 'cast' && path.cast.method === 'binary');
  if (!direct || ((from.name === 'record' || from.category === 'C') && type.category === 'S')) return null;
  return coercion.tryCoerce(arg, type, -1, 'explicit', at);
}

/** Conditions and values that are computed row by row, outside queries. */
const WITHOUT_SUBQUERIES: Partial<Record<Scope['clause'], string>> = {
  check: 'check constraint',
  default: 'DEFAULT expression',
  trigger: 'trigger WHEN condition',
};

interface AggregateParts {
  readonly fn: AggregateFunction;
  readonly args: readonly Bound[];
  readonly direct: readonly Bound[];
  readonly type: SqlType;
  readonly distinct: boolean;
  readonly orderBy: readonly BoundSort[];
  readonly filter: Bound | null;
}

/** `written`: the syntax of its arguments. */
function addAggregate(binder: Binder, scope: Scope, parts: AggregateParts, at: number, written: readonly Expression[] = []): Bound {
  const read = [...parts.args, ...parts.orderBy.map(({ value }) => value), ...(parts.filter === null ? [] : [parts.filter])];
  const { level } = aggregateLevel(scope, read, parts.direct, 'aggregate functions', at);
  if (parts.distinct) parts.args.forEach(({ type }, i) => groupingEquality(binder, type, written[i] === undefined ? at : startOf(written[i])));
  const id = binder.id();
  level.aggregates.push({ id, ...parts });
  level.aggregatesAt.set(id, at);
  return { kind: 'column', id, type: parts.type, typmod: -1 };
}

/** A literal whose type is inferred from its context. */
function isUntyped({ type }: Expression): boolean {
  return type === 'string' || type === 'null';
}

/**
 * With DISTINCT, rows are sorted by arguments alone. These are compared as written: a literal coerced to the parameter's type
 * differs from one in ORDER BY, an implicit cast is ignored.
 */
function checkDistinctOrder(binder: Binder, call: FunctionCall, fn: AggregateFunction, args: readonly Bound[], orderBy: readonly BoundSort[]): void {
  const among = call.args.filter((_, i) => binder.coercion.typeOf(args[i]).name !== 'unknown' || (fn.args[i] ?? '').startsWith('any')).map(writtenAs);
  const found = (value: Expression, bound: Bound): boolean =>
    among.includes(writtenAs(value)) || (!isUntyped(value) && args.some((arg) => sameExpression(arg, bound)));
  const other = call.orderBy.find(({ value }, i) => !found(value, orderBy[i].value));
  if (other !== undefined) fail('42P10', 'in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list', startOf(other.value));
}

function bindOrderedSet(binder: Binder, call: FunctionCall, name: string, scope: Scope): Bound {
  const { at } = call;
  if (call.over !== null) fail('0A000', `OVER is not supported for ordered-set aggregate ${name}`, at);
  const saved = scope.inAggregate;
  scope.inAggregate = true;
  const direct = call.args.map((arg) => bindExpression(binder, arg, scope));
  const orderBy = bindSortKeys(binder, call.orderBy, scope);
  const filter = call.filter === null ? null : bindFilter(binder, call.filter, scope);
  scope.inAggregate = saved;
  const isOrderedSet = (fn: SqlFunction): boolean => fn.kind === 'aggregate' && fn.orderedSet !== undefined;
  const ordered = orderBy.map(({ value }) => underKey(value));
  const found = resolveFunction(binder, name, [...direct, ...ordered], null, call.variadic, at, isOrderedSet);
  if (found === null || found.fn.kind !== 'aggregate') {
    const known = binder.registry.functions(name);
    const all = [...direct, ...ordered];
    if (known.length > 0 && !known.some(isOrderedSet) && resolveFunction(binder, name, all, null, call.variadic, at) !== null)
      fail('42809', `${name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP`, at);
    throw noFunction(binder, call.name.join('.'), all, at);
  }
  if (found.fn.orderedSet?.hypothetical === true) {
    if (direct.length !== orderBy.length) {
      fail(
        '42883',
        `function ${signature(
          binder,
          name,
          [...direct, ...ordered].map((each) => binder.coercion.typeOf(each)),
        )} does not exist`,
        at,
        {
          hint: `To use the hypothetical-set aggregate ${name}, the number of hypothetical direct arguments (here ${direct.length}) must match the number of ordering columns (here ${orderBy.length}).`,
        },
      );
    }
    // The hypothetical row is compared with the others, so both have one type.
    const types = direct.map((each, i) => binder.coercion.commonType([ordered[i], each], 'WITHIN GROUP', call.args[i].at));
    const keyOf = (value: Bound, i: number): Bound => binder.collations?.key(value, binder.collations.of(call.orderBy[i].value)) ?? value;
    const asked = direct.map((each, i) => keyOf(binder.coercion.coerce(each, types[i], -1, 'implicit', call.args[i].at), i));
    const keys = orderBy.map((key, i) => ({ ...key, value: keyOf(binder.coercion.coerce(ordered[i], types[i], -1, 'implicit', at), i) }));
    return addAggregate(binder, scope, { fn: found.fn, args: [], direct: asked, type: found.type, distinct: call.distinct, orderBy: keys, filter }, at);
  }
  const { args, fn } = found;
  const count = direct.length;
  if (call.orderBy.some(({ value }, i) => isUntyped(value) && (fn.args[count + i] ?? '').startsWith('any')))
    failNowhere('42804', 'could not determine polymorphic type because input has type unknown');
  const sorted = args.length > count ? args.slice(count) : ordered;
  return addAggregate(
    binder,
    scope,
    {
      fn,
      args: sorted,
      direct: args.slice(0, count),
      type: found.type,
      distinct: call.distinct,
      orderBy: orderBy.map((key, i) => ({ ...key, value: key.value === ordered[i] ? (sorted[i] ?? key.value) : key.value })),
      filter,
    },
    at,
  );
}

function bindWindowCall(
  binder: Binder,
  call: FunctionCall,
  fn: AggregateFunction | WindowFunction,
  args: readonly Bound[],
  type: SqlType,
  filter: Bound | null,
  scope: Scope,
): Bound {
  const { at } = call;
  if (scope.clause !== 'select' && scope.clause !== 'order') {
    fail('42P20', `window functions are not allowed in ${scope.clauseTitle ?? CLAUSE_NAMES[scope.clause] ?? scope.clause.toUpperCase()}`, at);
  }
  if (scope.within !== null) fail('42P20', `window functions are not allowed in ${withinTitle(scope.within)}`, at);
  if (scope.inWindow) fail('42P20', 'window function calls cannot be nested', at);
  if (scope.inAggregate) fail('42803', 'aggregate function calls cannot contain window function calls', at);
  if (call.distinct) fail('0A000', 'DISTINCT is not implemented for window functions', at);
  if (call.orderBy.length > 0) fail('0A000', 'aggregate ORDER BY is not implemented for window functions', at);
  if (filter !== null && fn.kind === 'window') fail('0A000', 'FILTER is not implemented for non-aggregate window functions', at);
  const window = bindWindow(binder, call.over!, scope, call.overPlace.at);
  const id = binder.id();
  scope.level.windows.push({ ...window, call: { id, fn, type, args, filter } });
  return { kind: 'column', id, type, typmod: -1 };
}

function withinTitle(within: NonNullable<Scope['within']>): string {
  return within === 'FILTER' ? within : 'window definitions';
}

function bindSetCall(binder: Binder, fn: SetFunction, args: readonly Bound[], type: SqlType, scope: Scope, at: number): Bound {
  if (scope.clause !== 'select' && scope.clause !== 'order' && scope.clause !== 'returning' && scope.clause !== 'values') {
    fail('0A000', `set-returning functions are not allowed in ${scope.clauseTitle ?? CLAUSE_NAMES[scope.clause] ?? scope.clause.toUpperCase()}`, at);
  }
  if (scope.within !== null && scope.within !== 'window definitions')
    fail('0A000', `set-returning functions are not allowed in ${withinTitle(scope.within)}`, at);
  if (scope.inAggregate) {
    fail('0A000', 'aggregate function calls cannot contain set-returning function calls', at, {
      hint: 'You might be able to move the set-returning function into a LATERAL FROM item.',
    });
  }
  const id = binder.id();
  // A row of several columns is one value here.
  const own =
    fn.columns !== undefined && fn.returns === 'record'
      ? recordType(fn.columns.map((column) => ({ name: column.name, type: outColumnType(binder, column.type, args), typmod: -1 })))
      : type;
  scope.level.setFunctions.push({ id, call: { fn, type: own, args }, at });
  return { kind: 'column', id, type: own, typmod: -1 };
}
