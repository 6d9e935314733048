/** XMLTABLE: a scan of a function created for its columns (transformRangeTableFunc of parse_clause.c). */
import type { Expression } from '../ast/expression.ts';
import type { XmlTableItem } from '../ast/query.ts';
import type { Call, SetFunction } from '../functions/define.ts';
import { xmlTableRows, type XmlTableColumnPlan } from '../functions/xml/xml-table.ts';
import type { Bound } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { recordType } from '../types/record-type.ts';
import type { Value } from '../types/value.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { bindExpression } from './expression.ts';
import type { Scope } from './scope.ts';
import { bindTypeName } from './type-name.ts';

export function bindXmlTable(binder: Binder, item: XmlTableItem, scope: Scope): Plan {
  const as = (value: Expression, type: string): Bound =>
    binder.coercion.coerce(bindExpression(binder, value, scope), binder.type(type), -1, 'assignment', value.at);
  const rowPath = as(item.rowPath, 'text');
  const document = as(item.document, 'xml');
  const plans: XmlTableColumnPlan[] = [];
  const paths: Bound[] = [];
  const defaults: Bound[] = [];
  const constant = (value: string | null): Bound => ({ kind: 'constant', type: binder.type('text'), typmod: -1, value });
  for (const column of item.columns) {
    if (plans.some(({ name }) => name === column.name)) fail('42601', `column name "${column.name}" is not unique`, column.at);
    if (column.dataType === null) {
      if (plans.some(({ type }) => type === null)) fail('42601', 'only one FOR ORDINALITY column is allowed', column.at);
      plans.push({ name: column.name, type: null, typmod: -1, notNull: true, hasDefault: false });
      paths.push(constant(null));
      defaults.push(constant(null));
      continue;
    }
    const { type, typmod } = bindTypeName(binder, column.dataType);
    plans.push({ name: column.name, type, typmod, notNull: column.notNull, hasDefault: column.default !== null });
    paths.push(column.path === null ? constant(column.name) : as(column.path, 'text'));
    defaults.push(
      column.default === null
        ? constant(null)
        : binder.coercion.coerce(bindExpression(binder, column.default, scope), type, typmod, 'assignment', column.default.at),
    );
  }
  const uris = item.namespaces.map(({ name, uri, at }, i) => {
    if (name !== null && item.namespaces.findIndex((each) => each.name === name) < i) fail('42601', `namespace name "${name}" is not unique`, at);
    if (name === null && item.namespaces.findIndex((each) => each.name === null) < i) fail('42601', 'only one default namespace is allowed', at);
    return as(uri, 'text');
  });
  const prefixes = item.namespaces.map(({ name }) => name);
  if (prefixes.includes(null)) failNowhere('0A000', 'DEFAULT namespace is not supported');
  const columns = plans.map(({ name, type, typmod }) => binder.column(name, type ?? binder.type('int4'), typmod));
  const args = [document, rowPath, ...uris, ...paths, ...defaults];
  const fn: SetFunction = {
    kind: 'set',
    name: 'xmltable',
    args: args.map(({ type }) => type.name),
    returns: 'record',
    columns: columns.map(({ name, type }) => ({ name, type: type.name })),
    doc: '',
    strict: false,
    needsCall: true,
    volatility: 'stable',
    gives: 'list',
    impl: ({ env }: Call, xml: string | null, path: string | null, ...rest: Value[]) => {
      if (xml === null) return [];
      const texts = rest as (string | null)[];
      const namespaces = prefixes.map((prefix, i) => [prefix!, texts[i]] as const);
      const from = prefixes.length;
      return xmlTableRows(
        plans,
        { document: xml, rowPath: path, namespaces, paths: texts.slice(from, from + plans.length), defaults: rest.slice(from + plans.length) },
        env,
      );
    },
  };
  return { op: 'functionScan', functions: [{ call: { fn, type: recordType(columns), args }, columns }], ordinality: null, columns };
}
