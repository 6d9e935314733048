/** SQL/JSON expressions as text. */
import type {
  Expression,
  IsJson,
  JsonArray,
  JsonArrayAggregate,
  JsonArrayQuery,
  JsonBehavior,
  JsonFormat,
  JsonInput,
  JsonObject,
  JsonObjectAggregate,
  JsonParse,
  JsonPathCall,
  JsonReturning,
  JsonScalar,
  JsonSerialize,
} from '../ast/expression.ts';
import { printExpression, printFilterAndOver, printTypeName } from './deparse-expression.ts';
import type { Printer } from './deparse-printer.ts';
import { printQuery, printSortKeys } from './deparse-query.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';

export type JsonExpression =
  JsonObject | JsonArray | JsonArrayQuery | JsonObjectAggregate | JsonArrayAggregate | IsJson | JsonParse | JsonScalar | JsonSerialize | JsonPathCall;

export function isJsonExpression(node: Expression): node is JsonExpression {
  return node.type.startsWith('json') || node.type === 'isJson';
}

export function printJsonExpression(out: Printer, node: JsonExpression): void {
  switch (node.type) {
    case 'jsonObject':
      out.text += 'JSON_OBJECT(';
      node.entries.forEach((entry, i) => {
        if (i > 0) out.text += ', ';
        printEntry(out, entry);
      });
      if (node.absentOnNull) out.text += ' ABSENT ON NULL';
      if (node.uniqueKeys) out.text += ' WITH UNIQUE KEYS';
      printReturning(out, node.returning);
      break;
    case 'jsonArray':
      out.text += 'JSON_ARRAY(';
      node.elements.forEach((element, i) => {
        if (i > 0) out.text += ', ';
        printInput(out, element);
      });
      if (!node.absentOnNull && node.elements.length > 0) out.text += ' NULL ON NULL';
      printReturning(out, node.returning);
      break;
    case 'jsonArrayQuery':
      out.text += 'JSON_ARRAY(';
      printQuery(out, node.query);
      printFormat(out, node.format);
      printReturning(out, node.returning);
      break;
    case 'jsonObjectAggregate':
      out.text += 'JSON_OBJECTAGG(';
      printEntry(out, node);
      if (node.absentOnNull) out.text += ' ABSENT ON NULL';
      if (node.uniqueKeys) out.text += ' WITH UNIQUE KEYS';
      printReturning(out, node.returning);
      out.text += ')';
      printFilterAndOver(out, node.filter, node.over);
      return;
    case 'jsonArrayAggregate':
      out.text += 'JSON_ARRAYAGG(';
      printInput(out, node.value);
      if (node.orderBy.length > 0) {
        out.text += ' ORDER BY ';
        printSortKeys(out, node.orderBy);
      }
      if (!node.absentOnNull) out.text += ' NULL ON NULL';
      printReturning(out, node.returning);
      out.text += ')';
      printFilterAndOver(out, node.filter, node.over);
      return;
    case 'isJson':
      if (!out.pretty) out.text += '(';
      printExpression(out, node.arg, node);
      out.text += ` IS JSON${node.kind === 'value' ? '' : ` ${node.kind.toUpperCase()}`}${node.uniqueKeys ? ' WITH UNIQUE KEYS' : ''}`;
      if (!out.pretty) out.text += ')';
      return;
    case 'jsonParse':
      out.text += 'JSON(';
      printInput(out, node.value);
      if (node.uniqueKeys) out.text += ' WITH UNIQUE KEYS';
      break;
    case 'jsonScalar':
      out.text += 'JSON_SCALAR(';
      printExpression(out, node.value, null);
      break;
    case 'jsonSerialize':
      out.text += 'JSON_SERIALIZE(';
      printInput(out, node.value);
      printReturning(out, node.returning);
      break;
    default:
      printPathCall(out, node);
      return;
  }
  out.text += ')';
}

function printPathCall(out: Printer, node: JsonPathCall): void {
  out.text += node.type === 'jsonExists' ? 'JSON_EXISTS(' : node.type === 'jsonQuery' ? 'JSON_QUERY(' : 'JSON_VALUE(';
  printInput(out, node.value);
  out.text += ', ';
  printExpression(out, node.path, null);
  node.passing.forEach(({ name, value }, i) => {
    out.text += i === 0 ? ' PASSING ' : ', ';
    printInput(out, value);
    out.text += ` AS ${quoteIdentifier(name)}`;
  });
  printReturning(out, node.returning);
  const wrappers = { default: '', without: ' WITHOUT WRAPPER', conditional: ' WITH CONDITIONAL WRAPPER', unconditional: ' WITH UNCONDITIONAL WRAPPER' };
  const quotes = { default: '', keep: ' KEEP QUOTES', omit: ' OMIT QUOTES' };
  out.text += wrappers[node.wrapper] + quotes[node.quotes];
  printBehavior(out, node.onEmpty, 'EMPTY');
  printBehavior(out, node.onError, 'ERROR');
  out.text += ')';
}

function printEntry(out: Printer, entry: { key: Expression; value: JsonInput }): void {
  printExpression(out, entry.key, null);
  out.text += ' : ';
  printInput(out, entry.value);
}

function printInput(out: Printer, input: JsonInput): void {
  printExpression(out, input.value, null);
  printFormat(out, input.format);
}

function printFormat(out: Printer, format: JsonFormat | null): void {
  if (format === null) return;
  out.text += ' FORMAT JSON';
  if (format.encoding !== 'default') out.text += ` ENCODING ${format.encoding.toUpperCase()}`;
}

function printReturning(out: Printer, returning: JsonReturning | null): void {
  if (returning === null) return;
  out.text += ' RETURNING ';
  printTypeName(out, returning.to);
  printFormat(out, returning.format);
}

const BEHAVIORS: Record<JsonBehavior['kind'], string> = {
  null: 'NULL',
  error: 'ERROR',
  empty: 'EMPTY',
  true: 'TRUE',
  false: 'FALSE',
  unknown: 'UNKNOWN',
  emptyArray: 'EMPTY ARRAY',
  emptyObject: 'EMPTY OBJECT',
  default: 'DEFAULT ',
};

function printBehavior(out: Printer, behavior: JsonBehavior | null, on: string): void {
  if (behavior === null) return;
  out.text += ` ${BEHAVIORS[behavior.kind]}`;
  if (behavior.value !== null) printExpression(out, behavior.value, null);
  out.text += ` ON ${on}`;
}
