/** SQL/XML expressions and XMLTABLE. */
import type * as pg from '@pgsql/types';
import type { XmlCall } from '../ast/expression.ts';
import type { Alias, XmlTableItem } from '../ast/query.ts';
import { lowerExpression, lowerList, lowerOptional } from './lower-expression.ts';
import { lowerTypeName } from './lower-type-name.ts';
import { bodyOf, type Lowering } from './lowering.ts';

const KINDS: Record<string, XmlCall['kind']> = {
  IS_XMLCONCAT: 'concat',
  IS_XMLELEMENT: 'element',
  IS_XMLFOREST: 'forest',
  IS_XMLPARSE: 'parse',
  IS_XMLPI: 'pi',
  IS_XMLROOT: 'root',
  IS_DOCUMENT: 'isDocument',
};
/** XmlStandaloneType. */
const STANDALONE = ['yes', 'no', 'noValue', 'omitted'] as const;

export function lowerXml(cx: Lowering, raw: pg.XmlExpr): XmlCall {
  const kind = KINDS[raw.op ?? 'IS_XMLCONCAT'];
  const args = raw.args ?? [];
  // Constants that the grammar adds.
  const added = kind === 'parse' ? args[1] : kind === 'root' ? args[2] : undefined;
  const constant = added === undefined ? null : bodyOf(added, 'A_Const');
  return {
    type: 'xml',
    kind,
    name: raw.name ?? null,
    named: (raw.named_args ?? []).map((each) => {
      const { name, val, location } = bodyOf(each, 'ResTarget');
      return { name: name ?? null, value: lowerExpression(cx, val!), at: cx.at(location) };
    }),
    args: lowerList(cx, constant === null ? args : args.slice(0, -1)),
    document: raw.xmloption !== 'XMLOPTION_CONTENT',
    preserve: constant?.boolval?.boolval === true,
    standalone: kind === 'root' ? STANDALONE[constant?.ival?.ival ?? 0] : 'omitted',
    at: cx.at(raw.location),
  };
}

export function lowerXmlTable(cx: Lowering, raw: pg.RangeTableFunc, alias: Alias | null): XmlTableItem {
  return {
    type: 'xmlTable',
    namespaces: (raw.namespaces ?? []).map((each) => {
      const { name, val, location } = bodyOf(each, 'ResTarget');
      return { name: name ?? null, uri: lowerExpression(cx, val!), at: cx.at(location) };
    }),
    rowPath: lowerExpression(cx, raw.rowexpr!),
    document: lowerExpression(cx, raw.docexpr!),
    columns: (raw.columns ?? []).map((each) => {
      const column = bodyOf(each, 'RangeTableFuncCol');
      return {
        name: column.colname ?? '',
        dataType: column.for_ordinality === true ? null : lowerTypeName(cx, column.typeName!),
        path: lowerOptional(cx, column.colexpr),
        default: lowerOptional(cx, column.coldefexpr),
        notNull: column.is_not_null === true,
        at: cx.at(column.location),
      };
    }),
    alias,
    lateral: raw.lateral === true,
    at: cx.at(raw.location),
  };
}
