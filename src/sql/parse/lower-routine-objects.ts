/** Objects based on functions: aggregates, operators and casts. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type * as pg from '@pgsql/types';
import type {
  AlterOperator,
  AlterSearchConfiguration,
  AlterSearchDictionary,
  AlterStatistics,
  CreateAggregate,
  CreateCast,
  CreateCollation,
  CreateConversion,
  CreateOperator,
  CreateSearchObject,
  CreateStatistics,
  CreateType,
  RefreshCollation,
} from '../ast/define.ts';
import type { ColumnReference, Expression } from '../ast/expression.ts';
import type { Unsupported } from '../ast/session.ts';
import { lowerFunctionArgument, lowerObjectWithArgs, objectKindOf } from './lower-object-name.ts';
import { lowerExpression } from './lower-expression.ts';
import { lowerOptions } from './lower-option.ts';
import { lowerRelation } from './lower-query.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, type Lowering, strings } from './lowering.ts';

const SEARCH_KINDS: Readonly<Record<string, CreateSearchObject['kind']>> = {
  OBJECT_TSDICTIONARY: 'dictionary',
  OBJECT_TSCONFIGURATION: 'configuration',
  OBJECT_TSPARSER: 'parser',
  OBJECT_TSTEMPLATE: 'template',
};

export function lowerAlterSearchDictionary(cx: Lowering, raw: pg.AlterTSDictionaryStmt): AlterSearchDictionary {
  return { type: 'alterSearchDictionary', name: strings(raw.dictname), options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

export function lowerAlterSearchConfiguration(cx: Lowering, raw: pg.AlterTSConfigurationStmt): AlterSearchConfiguration {
  const actions = {
    ALTER_TSCONFIG_ADD_MAPPING: 'add',
    ALTER_TSCONFIG_ALTER_MAPPING_FOR_TOKEN: 'alter',
    ALTER_TSCONFIG_REPLACE_DICT: 'replace',
    ALTER_TSCONFIG_REPLACE_DICT_FOR_TOKEN: 'replace',
    ALTER_TSCONFIG_DROP_MAPPING: 'drop',
  } as const;
  return {
    type: 'alterSearchConfiguration',
    name: strings(raw.cfgname),
    action: actions[raw.kind ?? 'ALTER_TSCONFIG_ADD_MAPPING'],
    tokens: raw.tokentype === undefined ? null : strings(raw.tokentype),
    dictionaries: (raw.dicts ?? []).map((node) => strings(bodyOf(node, 'List').items)),
    ifExists: raw.missing_ok === true,
    at: cx.statementAt,
  };
}

/** CREATE TYPE without a definition creates a shell. */
export function lowerDefine(
  cx: Lowering,
  raw: pg.DefineStmt,
): CreateType | CreateAggregate | CreateOperator | CreateCollation | CreateSearchObject | Unsupported {
  const at = cx.statementAt;
  if (raw.kind === 'OBJECT_TYPE' && raw.definition === undefined) {
    return { type: 'createType', name: strings(raw.defnames), definition: { kind: 'shell' }, at };
  }
  if (raw.kind === 'OBJECT_TYPE') {
    return { type: 'createType', name: strings(raw.defnames), definition: { kind: 'base', options: lowerOptions(cx, raw.definition) }, at };
  }
  if (raw.kind === 'OBJECT_AGGREGATE') return lowerCreateAggregate(cx, raw);
  if (raw.kind === 'OBJECT_OPERATOR') return { type: 'createOperator', name: strings(raw.defnames), options: lowerOptions(cx, raw.definition), at };
  if (raw.kind === 'OBJECT_COLLATION') return lowerCreateCollation(cx, raw);
  const search = SEARCH_KINDS[raw.kind ?? ''];
  if (search !== undefined) return { type: 'createSearchObject', kind: search, name: strings(raw.defnames), options: lowerOptions(cx, raw.definition), at };
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

/** `FROM existing` is represented as an option whose value is a list of names. */
function lowerCreateCollation(cx: Lowering, raw: pg.DefineStmt): CreateCollation {
  const { definition = [] } = raw;
  const first = definition[0] === undefined ? undefined : bodyOf(definition[0], 'DefElem');
  const from = first?.defname === 'from' && first.arg !== undefined && kindOf(first.arg) === 'List' ? strings(bodyOf(first.arg, 'List').items) : null;
  return {
    type: 'createCollation',
    name: strings(raw.defnames),
    ifNotExists: raw.if_not_exists === true,
    from,
    options: from === null ? lowerOptions(cx, definition) : [],
    at: cx.statementAt,
  };
}

export function lowerCreateConversion(cx: Lowering, raw: pg.CreateConversionStmt): CreateConversion {
  return {
    type: 'createConversion',
    name: strings(raw.conversion_name),
    from: raw.for_encoding_name ?? '',
    to: raw.to_encoding_name ?? '',
    function: strings(raw.func_name),
    default: raw.def === true,
    at: cx.statementAt,
  };
}

export function lowerCreateStatistics(cx: Lowering, raw: pg.CreateStatsStmt): CreateStatistics {
  const relations = raw.relations ?? [];
  const [table] = relations;
  if (relations.length !== 1) throw new SvcError('0A000', 'only a single relation is allowed in CREATE STATISTICS');
  if (kindOf(table) !== 'RangeVar') throw new SvcError('0A000', 'CREATE STATISTICS only supports relation names in the FROM clause');
  const elements = (raw.exprs ?? []).map((node) => bodyOf(node, 'StatsElem'));
  const written = elements.flatMap(({ expr }) => (expr === undefined ? [] : lowerExpression(cx, expr)));
  // A column in parentheses is a column.
  const isColumn = (each: Expression): each is ColumnReference => each.type === 'column' && !each.star && each.parts.length === 1;
  return {
    type: 'createStatistics',
    name: raw.defnames === undefined ? null : strings(raw.defnames),
    ifNotExists: raw.if_not_exists === true,
    kinds: strings(raw.stat_types),
    columns: [...elements.flatMap(({ name }) => name ?? []), ...written.filter(isColumn).flatMap(({ parts }) => parts)],
    expressions: written.filter((each) => !isColumn(each)),
    table: lowerRelation(cx, bodyOf(table, 'RangeVar')),
    at: cx.statementAt,
  };
}

export function lowerAlterStatistics(cx: Lowering, raw: pg.AlterStatsStmt): AlterStatistics {
  const target = (raw as { stxstattarget?: pg.Node | number }).stxstattarget;
  const value = typeof target === 'number' ? target : target === undefined ? 0 : (bodyOf(target, 'Integer').ival ?? 0);
  return { type: 'alterStatistics', name: strings(raw.defnames), ifExists: raw.missing_ok === true, target: value, at: cx.statementAt };
}

export function lowerRefreshCollation(cx: Lowering, raw: pg.AlterCollationStmt): RefreshCollation {
  return { type: 'refreshCollation', name: strings(raw.collname), at: cx.statementAt };
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
