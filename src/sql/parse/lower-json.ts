/** SQL/JSON expressions. */
import type * as pg from '@pgsql/types';
import type { Expression, JsonBehavior, JsonFormat, JsonInput, JsonReturning } from '../ast/expression.ts';
import { lowerExpression, lowerList, lowerOptional, lowerOver } from './lower-expression.ts';
import { lowerQuery, lowerSortKeys } from './lower-query.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, type Lowering } from './lowering.ts';

/** null for other nodes. */
export function lowerJsonExpression(cx: Lowering, node: pg.Node, kind: string): Expression | null {
  switch (kind) {
    case 'JsonObjectConstructor': {
      const raw = bodyOf(node, kind);
      return {
        type: 'jsonObject',
        entries: (raw.exprs ?? []).map((entry) => lowerEntry(cx, bodyOf(entry, 'JsonKeyValue'))),
        absentOnNull: raw.absent_on_null === true,
        uniqueKeys: raw.unique === true,
        returning: lowerReturning(cx, raw.output),
        at: cx.at(raw.location),
      };
    }
    case 'JsonArrayConstructor': {
      const raw = bodyOf(node, kind);
      const elements = (raw.exprs ?? []).map((element) => lowerInput(cx, bodyOf(element, 'JsonValueExpr')));
      return { type: 'jsonArray', elements, absentOnNull: raw.absent_on_null === true, returning: lowerReturning(cx, raw.output), at: cx.at(raw.location) };
    }
    case 'JsonArrayQueryConstructor': {
      const raw = bodyOf(node, kind);
      const query = lowerQuery(cx, bodyOf(raw.query!, 'SelectStmt'));
      return { type: 'jsonArrayQuery', query, format: lowerFormat(raw.format), returning: lowerReturning(cx, raw.output), at: cx.at(raw.location) };
    }
    case 'JsonObjectAgg': {
      const raw = bodyOf(node, kind);
      const head = raw.constructor as unknown as pg.JsonAggConstructor;
      return {
        type: 'jsonObjectAggregate',
        ...lowerEntry(cx, raw.arg!),
        absentOnNull: raw.absent_on_null === true,
        uniqueKeys: raw.unique === true,
        returning: lowerReturning(cx, head.output),
        filter: lowerOptional(cx, head.agg_filter),
        over: lowerOver(cx, head.over),
        at: cx.at(head.location),
      };
    }
    case 'JsonArrayAgg': {
      const raw = bodyOf(node, kind);
      const head = raw.constructor as unknown as pg.JsonAggConstructor;
      return {
        type: 'jsonArrayAggregate',
        value: lowerInput(cx, raw.arg!),
        absentOnNull: raw.absent_on_null === true,
        orderBy: lowerSortKeys(cx, head.agg_order),
        returning: lowerReturning(cx, head.output),
        filter: lowerOptional(cx, head.agg_filter),
        over: lowerOver(cx, head.over),
        at: cx.at(head.location),
      };
    }
    case 'JsonIsPredicate': {
      const raw = bodyOf(node, kind);
      const item = { JS_TYPE_ANY: 'value', JS_TYPE_OBJECT: 'object', JS_TYPE_ARRAY: 'array', JS_TYPE_SCALAR: 'scalar' } as const;
      return {
        type: 'isJson',
        arg: lowerExpression(cx, raw.expr!),
        format: lowerFormat(raw.format),
        kind: item[raw.item_type ?? 'JS_TYPE_ANY'],
        uniqueKeys: raw.unique_keys === true,
        at: cx.at(raw.location),
      };
    }
    case 'JsonParseExpr': {
      const raw = bodyOf(node, kind);
      return { type: 'jsonParse', value: lowerInput(cx, raw.expr!), uniqueKeys: raw.unique_keys === true, at: cx.at(raw.location) };
    }
    case 'JsonScalarExpr': {
      const raw = bodyOf(node, kind);
      return { type: 'jsonScalar', value: lowerExpression(cx, raw.expr!), at: cx.at(raw.location) };
    }
    case 'JsonSerializeExpr': {
      const raw = bodyOf(node, kind);
      return { type: 'jsonSerialize', value: lowerInput(cx, raw.expr!), returning: lowerReturning(cx, raw.output), at: cx.at(raw.location) };
    }
    case 'JsonFuncExpr': {
      const raw = bodyOf(node, kind);
      const wrapper = { JSW_UNSPEC: 'default', JSW_NONE: 'without', JSW_CONDITIONAL: 'conditional', JSW_UNCONDITIONAL: 'unconditional' } as const;
      const quotes = { JS_QUOTES_UNSPEC: 'default', JS_QUOTES_KEEP: 'keep', JS_QUOTES_OMIT: 'omit' } as const;
      return {
        type: raw.op === 'JSON_EXISTS_OP' ? 'jsonExists' : raw.op === 'JSON_QUERY_OP' ? 'jsonQuery' : 'jsonValue',
        value: lowerInput(cx, raw.context_item!),
        path: lowerExpression(cx, raw.pathspec!),
        passing: (raw.passing ?? []).map((arg) => {
          const { name, val } = bodyOf(arg, 'JsonArgument');
          return { name: name ?? '', value: lowerInput(cx, val!) };
        }),
        returning: lowerReturning(cx, raw.output),
        wrapper: wrapper[raw.wrapper ?? 'JSW_UNSPEC'],
        quotes: quotes[raw.quotes ?? 'JS_QUOTES_UNSPEC'],
        onEmpty: lowerBehavior(cx, raw.on_empty),
        onError: lowerBehavior(cx, raw.on_error),
        at: cx.at(raw.location),
      };
    }
    default:
      return null;
  }
}

function lowerEntry(cx: Lowering, raw: pg.JsonKeyValue): { key: Expression; value: JsonInput } {
  return { key: lowerExpression(cx, raw.key!), value: lowerInput(cx, raw.value!) };
}

function lowerInput(cx: Lowering, raw: pg.JsonValueExpr): JsonInput {
  return { value: lowerExpression(cx, raw.raw_expr!), format: lowerFormat(raw.format) };
}

function lowerFormat(raw: pg.JsonFormat | undefined): JsonFormat | null {
  if (raw === undefined || ((raw.format_type ?? 'JS_FORMAT_DEFAULT') === 'JS_FORMAT_DEFAULT' && (raw.encoding ?? 'JS_ENC_DEFAULT') === 'JS_ENC_DEFAULT'))
    return null;
  const encoding = { JS_ENC_DEFAULT: 'default', JS_ENC_UTF8: 'utf8', JS_ENC_UTF16: 'utf16', JS_ENC_UTF32: 'utf32' } as const;
  return { json: raw.format_type === 'JS_FORMAT_JSON' ? 'json' : 'default', encoding: encoding[raw.encoding ?? 'JS_ENC_DEFAULT'] };
}

function lowerReturning(cx: Lowering, raw: pg.JsonOutput | undefined): JsonReturning | null {
  if (raw?.typeName === undefined) return null;
  return { to: lowerTypeName(cx, raw.typeName), format: lowerFormat(raw.returning?.format) };
}

const BEHAVIORS = {
  JSON_BEHAVIOR_NULL: 'null',
  JSON_BEHAVIOR_ERROR: 'error',
  JSON_BEHAVIOR_EMPTY: 'empty',
  JSON_BEHAVIOR_TRUE: 'true',
  JSON_BEHAVIOR_FALSE: 'false',
  JSON_BEHAVIOR_UNKNOWN: 'unknown',
  JSON_BEHAVIOR_EMPTY_ARRAY: 'emptyArray',
  JSON_BEHAVIOR_EMPTY_OBJECT: 'emptyObject',
  JSON_BEHAVIOR_DEFAULT: 'default',
} as const;

function lowerBehavior(cx: Lowering, raw: pg.JsonBehavior | undefined): JsonBehavior | null {
  return raw === undefined
    ? null
    : { kind: BEHAVIORS[raw.btype ?? 'JSON_BEHAVIOR_NULL'], value: raw.btype === 'JSON_BEHAVIOR_DEFAULT' ? lowerList(cx, [raw.expr!])[0] : null };
}
