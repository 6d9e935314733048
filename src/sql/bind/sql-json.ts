/** SQL/JSON constructors, aggregates and IS JSON: calls of functions created for each use. */
import type { Expression, FunctionCall, JsonInput, JsonReturning } from '../ast/expression.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { FromItem } from '../ast/query.ts';
import { arrayOf, hasDoubleKeys, isJson, objectOf } from '../functions/json/sql-json.ts';
import type { Bound } from '../plan/bound.ts';
import type { Value } from '../types/value.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression, callByName } from './expression.ts';
import { madeCall } from './made-call.ts';
import type { Scope } from './scope.ts';
import { bindTypeName } from './type-name.ts';

/** null if it is not one of them. */
export function bindSqlJson(binder: Binder, expression: Expression, scope: Scope): Bound | null {
  const { at } = expression;
  const { coercion } = binder;
  switch (expression.type) {
    case 'jsonObject': {
      const { absentOnNull, uniqueKeys } = expression;
      const args = expression.entries.flatMap(({ key, value }) => [
        coercion.resolveUnknown(bindExpression(binder, key, scope), key.at),
        input(binder, value, scope),
      ]);
      return returning(
        binder,
        madeCall(binder, 'json_object', 'json', args, (call, ...values) => objectOf(call, values, absentOnNull, uniqueKeys)),
        expression.returning,
        at,
      );
    }
    case 'jsonArray': {
      const { absentOnNull } = expression;
      const args = expression.elements.map((each) => input(binder, each, scope));
      return returning(
        binder,
        madeCall(binder, 'json_array', 'json', args, (call, ...values) => arrayOf(call, values, absentOnNull)),
        expression.returning,
        at,
      );
    }
    case 'jsonArrayQuery': {
      const item: Expression = {
        type: 'jsonArrayAggregate',
        value: { value: { type: 'column', parts: ['q', 'a'], star: false, at }, format: expression.format },
        absentOnNull: true,
        orderBy: [],
        returning: expression.returning,
        filter: null,
        over: null,
        at,
      };
      const from: FromItem = { type: 'derived', query: expression.query, alias: { name: 'q', columns: ['a'] }, lateral: false, at };
      const query = plainSelect([{ value: item, alias: null, at }], [from], null, at);
      return bindExpression(binder, { type: 'subquery', query, at }, scope);
    }
    case 'jsonObjectAggregate': {
      const { absentOnNull, uniqueKeys } = expression;
      const name = `${familyOf(expression.returning)}_object_agg${uniqueKeys ? '_unique' : ''}${absentOnNull ? '_strict' : ''}`;
      return returning(
        binder,
        bindExpression(binder, aggregate(name, [expression.key, expression.value.value], expression, []), scope),
        expression.returning,
        at,
      );
    }
    case 'jsonArrayAggregate': {
      const name = `${familyOf(expression.returning)}_agg${expression.absentOnNull ? '_strict' : ''}`;
      return returning(
        binder,
        bindExpression(binder, aggregate(name, [expression.value.value], expression, expression.orderBy), scope),
        expression.returning,
        at,
      );
    }
    case 'isJson': {
      const { kind, uniqueKeys } = expression;
      const arg = coercion.resolveUnknown(bindExpression(binder, expression.arg, scope), at);
      if (arg.type.category !== 'S' && arg.type.name !== 'json' && arg.type.name !== 'jsonb' && arg.type.name !== 'bytea') {
        fail('42804', `cannot use type ${arg.type.title} in IS JSON predicate`, at);
      }
      const text = coercion.coerce(arg, binder.type('text'), -1, 'explicit', at);
      return madeCall(binder, 'is_json', 'bool', [text], (_call, value) => (value === null ? null : isJson(value as string, kind, uniqueKeys)));
    }
    case 'jsonParse': {
      const value = bindExpression(binder, expression.value.value, scope);
      const json = coercion.coerce(value, binder.type('json'), -1, 'explicit', at);
      if (!expression.uniqueKeys) return json;
      const once = (text: Value): Value => {
        if (text !== null && hasDoubleKeys(text as string)) throw new SvcError('22030', 'duplicate JSON object key value');
        return text;
      };
      return madeCall(binder, 'json_unique', 'json', [json], (_call, text) => once(text));
    }
    case 'jsonScalar':
      return callByName(binder, 'to_json', [coercion.resolveUnknown(bindExpression(binder, expression.value, scope), at)], at);
    case 'jsonSerialize': {
      const json = coercion.coerce(bindExpression(binder, expression.value.value, scope), binder.type('json'), -1, 'explicit', at);
      return returning(binder, json, expression.returning, at) === json
        ? coercion.coerce(json, binder.type('text'), -1, 'explicit', at)
        : returning(binder, json, expression.returning, at);
    }
    default:
      return null;
  }
}

/** A value; FORMAT JSON says that a text is JSON already. */
function input(binder: Binder, { value, format }: JsonInput, scope: Scope): Bound {
  const bound = binder.coercion.resolveUnknown(bindExpression(binder, value, scope), value.at);
  return format?.json === 'json' && bound.type.category === 'S' ? binder.coercion.coerce(bound, binder.type('json'), -1, 'explicit', value.at) : bound;
}

function familyOf(to: JsonReturning | null): 'json' | 'jsonb' {
  return to?.to.name === 'jsonb' ? 'jsonb' : 'json';
}

function returning(binder: Binder, value: Bound, to: JsonReturning | null, at: number): Bound {
  if (to === null) return value;
  const { type, typmod } = bindTypeName(binder, to.to);
  return binder.coercion.coerce(value, type, typmod, 'explicit', at);
}

function aggregate(name: string, args: Expression[], from: Pick<FunctionCall, 'filter' | 'over' | 'at'>, orderBy: FunctionCall['orderBy']): FunctionCall {
  return {
    type: 'call',
    name: ['pg_catalog', name],
    args,
    argNames: null,
    variadic: false,
    star: false,
    distinct: false,
    orderBy,
    withinGroup: false,
    filter: from.filter,
    over: from.over,
    overPlace: { at: from.at },
    sqlSyntax: false,
    at: from.at,
  };
}
