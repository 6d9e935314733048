/** Objects by name, in COMMENT, DROP, GRANT and the general forms of ALTER. */
import type * as pg from '@pgsql/types';
import type { FunctionArgument, ObjectKind, ObjectName } from '../ast/define.ts';
import { lowerOptional } from './lower-expression.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, kindOf, stringOf, strings, type Lowering } from './lowering.ts';

const KINDS: Partial<Record<pg.ObjectType, ObjectKind>> = {
  OBJECT_ACCESS_METHOD: 'access method',
  OBJECT_AGGREGATE: 'aggregate',
  OBJECT_ATTRIBUTE: 'attribute',
  OBJECT_CAST: 'cast',
  OBJECT_COLUMN: 'column',
  OBJECT_COLLATION: 'collation',
  OBJECT_CONVERSION: 'conversion',
  OBJECT_DATABASE: 'database',
  OBJECT_DEFACL: 'default privileges',
  OBJECT_DOMAIN: 'domain',
  OBJECT_DOMCONSTRAINT: 'domain constraint',
  OBJECT_EVENT_TRIGGER: 'event trigger',
  OBJECT_EXTENSION: 'extension',
  OBJECT_FDW: 'foreign data wrapper',
  OBJECT_FOREIGN_SERVER: 'server',
  OBJECT_FOREIGN_TABLE: 'foreign table',
  OBJECT_FUNCTION: 'function',
  OBJECT_INDEX: 'index',
  OBJECT_LANGUAGE: 'language',
  OBJECT_LARGEOBJECT: 'large object',
  OBJECT_MATVIEW: 'materialized view',
  OBJECT_OPCLASS: 'operator class',
  OBJECT_OPERATOR: 'operator',
  OBJECT_OPFAMILY: 'operator family',
  OBJECT_POLICY: 'policy',
  OBJECT_PROCEDURE: 'procedure',
  OBJECT_PUBLICATION: 'publication',
  OBJECT_ROLE: 'role',
  OBJECT_ROUTINE: 'routine',
  OBJECT_RULE: 'rule',
  OBJECT_SCHEMA: 'schema',
  OBJECT_SEQUENCE: 'sequence',
  OBJECT_STATISTIC_EXT: 'statistics',
  OBJECT_SUBSCRIPTION: 'subscription',
  OBJECT_TABCONSTRAINT: 'constraint',
  OBJECT_TABLE: 'table',
  OBJECT_TABLESPACE: 'tablespace',
  OBJECT_TRANSFORM: 'transform',
  OBJECT_TRIGGER: 'trigger',
  OBJECT_TSCONFIGURATION: 'text search configuration',
  OBJECT_TSDICTIONARY: 'text search dictionary',
  OBJECT_TSPARSER: 'text search parser',
  OBJECT_TSTEMPLATE: 'text search template',
  OBJECT_TYPE: 'type',
  OBJECT_USER_MAPPING: 'user mapping',
  OBJECT_VIEW: 'view',
};

/** null for kinds that the AST does not have. */
export function objectKindOf(type: pg.ObjectType | undefined): ObjectKind | null {
  return KINDS[type ?? 'OBJECT_ACCESS_METHOD'] ?? null;
}

export function named(...name: string[]): ObjectName {
  return { name, args: null, dataType: null };
}

/** `schema.name` of a relation, without a database. */
export function partsOfRelation(raw: pg.RangeVar): string[] {
  const parts = [raw.relname ?? ''];
  if (raw.schemaname !== undefined) parts.unshift(raw.schemaname);
  if (raw.catalogname !== undefined) parts.unshift(raw.catalogname);
  return parts;
}

/** The two types of a cast or operator are its `args`; a transform is named by its language. */
export function lowerObjectName(cx: Lowering, node: pg.Node): ObjectName {
  const kind = kindOf(node);
  switch (kind) {
    case 'String':
      return named(stringOf(node));
    case 'Integer':
      return named(String(bodyOf(node, kind).ival ?? 0));
    case 'Float':
      return named(bodyOf(node, kind).fval ?? '0');
    case 'RangeVar':
      return named(...partsOfRelation(bodyOf(node, kind)));
    case 'TypeName': {
      const raw = bodyOf(node, kind);
      return { name: strings(raw.names), args: null, dataType: lowerTypeName(cx, raw) };
    }
    case 'ObjectWithArgs':
      return lowerObjectWithArgs(cx, bodyOf(node, kind));
    case 'List':
      return lowerNameList(cx, bodyOf(node, kind).items ?? []);
    default:
      throw cx.unsupported(`an object named by ${kind}`, cx.statementAt);
  }
}

export function lowerObjectWithArgs(cx: Lowering, raw: pg.ObjectWithArgs): ObjectName {
  let args: FunctionArgument[] | null = null;
  if (raw.args_unspecified !== true) {
    args =
      raw.objfuncargs === undefined
        ? (raw.objargs ?? []).filter((node) => kindOf(node) !== '').map((node) => lowerTypeArgument(cx, bodyOf(node, 'TypeName')))
        : raw.objfuncargs.map((node) => lowerFunctionArgument(cx, bodyOf(node, 'FunctionParameter')));
  }
  return { name: strings(raw.objname), args, dataType: null };
}

function lowerNameList(cx: Lowering, items: pg.Node[]): ObjectName {
  const first = items[0];
  if (first === undefined || kindOf(first) !== 'TypeName') return named(...strings(items));
  const raw = bodyOf(first, 'TypeName');
  const second = items[1];
  if (second === undefined) return lowerObjectName(cx, first);
  if (kindOf(second) === 'TypeName') return { name: [], args: [lowerTypeArgument(cx, raw), lowerTypeArgument(cx, bodyOf(second, 'TypeName'))], dataType: null };
  return { name: [...strings(raw.names), stringOf(second)], args: null, dataType: lowerTypeName(cx, raw) };
}

function lowerTypeArgument(cx: Lowering, raw: pg.TypeName): FunctionArgument {
  const dataType = lowerTypeName(cx, raw);
  return { name: null, mode: 'in', dataType, default: null, at: dataType.at };
}

export function lowerFunctionArgument(cx: Lowering, raw: pg.FunctionParameter): FunctionArgument {
  const modes = {
    FUNC_PARAM_DEFAULT: 'in',
    FUNC_PARAM_IN: 'in',
    FUNC_PARAM_OUT: 'out',
    FUNC_PARAM_INOUT: 'inout',
    FUNC_PARAM_VARIADIC: 'variadic',
    FUNC_PARAM_TABLE: 'table',
  } as const;
  return {
    name: raw.name ?? null,
    mode: modes[raw.mode ?? 'FUNC_PARAM_DEFAULT'],
    dataType: lowerTypeName(cx, raw.argType!),
    default: lowerOptional(cx, raw.defexpr),
    at: cx.at(raw.location),
  };
}
