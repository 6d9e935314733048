/** Objects whose stored texts refer to a function, an operator or a type: defaults, conditions, index expressions, queries. */
import { inQuotes } from '../../base/quote-identifier.ts';
import type { CatalogObject } from '../../worlds/definition.ts';
import type { NamedInText, StoredText } from './compiler.ts';
import type { Definitions, DropTarget } from './drop-target.ts';
import type { SqlTable } from './table.ts';

export interface TextDependent {
  readonly target: DropTarget;
  /** Its own number, which gives the order of creation. */
  readonly number: number;
}

/** `mayName`: a filter for texts that have to be bound. */
export function textDependents(ddl: Definitions, mayName: (text: string) => boolean, names: (named: NamedInText) => boolean): TextDependent[] {
  const out: TextDependent[] = [];
  const { compiler, schema } = ddl;
  const isNamed = (sql: string, text: StoredText): boolean => mayName(sql) && names(compiler.named(text));
  const inExpression = (expression: string | null | undefined, over: SqlTable | { readonly domain: number } | null, type?: number): boolean =>
    expression != null && isNamed(expression, { expression, over, ...(type === undefined ? {} : { type }) });
  const inQuery = (query: string | null | undefined, home: string): boolean => query != null && isNamed(query, { query, home });
  const add = (number: number, target: DropTarget): void => void out.push({ target, number });
  for (const object of ddl.definitions.values() as Iterable<CatalogObject>) {
    const table = 'table' in object && typeof object.table === 'number' ? schema.tables.get(object.table) : undefined;
    switch (object.what) {
      case 'attribute': {
        if (table === undefined) break;
        const { table: of, number } = object;
        if (inExpression(object.default, null, object.type)) add(number, { kind: 'default', table: of, column: number });
        if (inExpression(object.generated, table, object.type)) add(number, { kind: 'column', table: of, column: number });
        break;
      }
      case 'check':
        if (table !== undefined && inExpression(object.condition, table)) add(object.number, { kind: 'constraint', table: object.table, name: object.name });
        break;
      case 'index':
        if (table === undefined || ![object.where, ...object.columns.map(({ expression }) => expression)].some((each) => inExpression(each, table))) break;
        if (object.constraint === null) add(object.number, { kind: 'index', number: object.number });
        else add(object.number, { kind: 'constraint', table: object.table, name: object.constraint });
        break;
      case 'relation': {
        const own = schema.tables.get(object.number);
        const inKey = own !== undefined && (object.partitionBy?.elements.some(({ expression }) => inExpression(expression, own)) ?? false);
        if (inKey || inQuery(object.query?.sql, object.schema)) add(object.number, { kind: 'table', number: object.number });
        break;
      }
      case 'domain':
        if (inExpression(object.default, null)) add(object.number, { kind: 'type', number: object.number });
        for (const { number, name, condition } of object.checks)
          if (inExpression(condition, { domain: object.number })) add(number, { kind: 'domain constraint', domain: object.number, name });
        break;
      case 'view':
        if (inQuery(object.sql, object.schema)) add(object.number, { kind: 'view', number: object.number });
        object.columns.forEach((column, i) => {
          if (inExpression(column.default, null)) add(object.number, { kind: 'view default', view: object.number, attnum: i + 1 });
        });
        break;
      case 'extended statistics':
        if (table !== undefined && object.expressions.some((each) => inExpression(each, table)))
          add(object.number, { kind: object.what, number: object.number });
        break;
      case 'policy':
        if (table !== undefined && [object.using, object.check].some((each) => inQuery(each, table.schema)))
          add(object.number, { kind: 'policy', table: object.table, name: object.name });
        break;
      case 'trigger': {
        const on = table ?? schema.views.get(object.table);
        if (object.when === null || object.parent !== undefined || on === undefined) break;
        const from = quoted(on.schema, on.name);
        if (mayName(object.when) && names(compiler.named({ query: `SELECT ${object.when} FROM ${from} old, ${from} new`, home: on.schema })))
          add(object.number, { kind: 'trigger', table: object.table, name: object.name });
        break;
      }
      case 'rule':
        if (isNamed([object.where ?? '', ...object.actions].join('\n'), { rule: object }))
          add(object.number, { kind: 'rule', table: object.table, name: object.name });
        break;
      case 'function':
        if (object.args.some((arg) => inExpression(arg.default, null))) add(object.number, { kind: 'function', number: object.number });
        break;
      default:
    }
  }
  return out;
}

function quoted(...names: readonly string[]): string {
  return names.map(inQuotes).join('.');
}
