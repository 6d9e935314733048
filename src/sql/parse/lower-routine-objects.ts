/** What functions stand behind: aggregates, operators and casts. */
import type * as pg from '@pgsql/types';
import type { AlterOperator, CreateAggregate, CreateCast, CreateOperator, CreateType } from '../ast/define.ts';
import type { Unsupported } from '../ast/session.ts';
import { lowerFunctionArgument, lowerObjectWithArgs, objectKindOf } from './lower-object-name.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, type Lowering, strings } from './lowering.ts';

/** CREATE TYPE without a definition is a shell. */
export function lowerDefine(cx: Lowering, raw: pg.DefineStmt): CreateType | CreateAggregate | CreateOperator | Unsupported {
  const at = cx.statementAt;
  if (raw.kind === 'OBJECT_TYPE' && raw.definition === undefined) {
    return { type: 'createType', name: strings(raw.defnames), definition: { kind: 'shell' }, at };
  }
  if (raw.kind === 'OBJECT_AGGREGATE') return lowerCreateAggregate(cx, raw);
  if (raw.kind === 'OBJECT_OPERATOR') return { type: 'createOperator', name: strings(raw.defnames), options: lowerOptions(cx, raw.definition), at };
  return { type: 'unsupported', what: `CREATE ${(objectKindOf(raw.kind) ?? 'object').toUpperCase()}`, at };
}

function lowerCreateAggregate(cx: Lowering, raw: pg.DefineStmt): CreateAggregate {
  const [list, count] = raw.args ?? [];
  const items = list === undefined || kindOf(list) !== 'List' ? [] : (bodyOf(list, 'List').items ?? []);
  const direct = count === undefined ? -1 : (bodyOf(count, 'Integer').ival ?? 0);
  return {
    type: 'createAggregate',
    name: strings(raw.defnames),
    replace: raw.replace === true,
    args: raw.oldstyle === true ? null : items.map((node) => lowerFunctionArgument(cx, bodyOf(node, 'FunctionParameter'))),
    direct: direct < 0 ? null : direct,
    options: lowerOptions(cx, raw.definition),
    at: cx.statementAt,
  };
}

export function lowerAlterOperator(cx: Lowering, raw: pg.AlterOperatorStmt): AlterOperator {
  return { type: 'alterOperator', object: lowerObjectWithArgs(cx, raw.opername!), options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

export function lowerCreateCast(cx: Lowering, raw: pg.CreateCastStmt): CreateCast {
  const contexts = { COERCION_IMPLICIT: 'implicit', COERCION_ASSIGNMENT: 'assignment', COERCION_PLPGSQL: 'explicit', COERCION_EXPLICIT: 'explicit' } as const;
  return {
    type: 'createCast',
    from: lowerTypeName(cx, raw.sourcetype!),
    to: lowerTypeName(cx, raw.targettype!),
    method: raw.func !== undefined ? 'function' : raw.inout === true ? 'io' : 'binary',
    routine: raw.func === undefined ? null : lowerObjectWithArgs(cx, raw.func),
    context: contexts[raw.context ?? 'COERCION_EXPLICIT'],
    at: cx.statementAt,
  };
}
