/** Expressions as text. */
import type { Cast, Expression, FunctionCall, OperatorCall, OperatorName, Subquery, Subscript } from '../ast/expression.ts';
import type { Window } from '../ast/query.ts';
import { isJsonExpression, printJsonExpression } from './deparse-json.ts';
import { comparesRows, comparesRowToQuery, needsParentheses, type Parent } from './deparse-parentheses.ts';
import { INDENT_ITEM, type Printer } from './deparse-printer.ts';
import { printSubquery, printSortKeys, printWindow } from './deparse-query.ts';
import { printSqlSyntax } from './deparse-sql-syntax.ts';
import { deparseTypeName } from './deparse-type-name.ts';
import { printXml } from './deparse-xml.ts';
import { quoteIdentifier, quoteNames, quoteString } from '../../base/quote-identifier.ts';

/** `parent` is the enclosing operator, for the pretty layout. */
export function printExpression(out: Printer, node: Expression, parent: Parent): void {
  if (out.pretty && parent !== null && needsParentheses(node, parent)) {
    out.text += '(';
    printNode(out, node);
    out.text += ')';
  } else printNode(out, node);
}

/** Operands that need their own parentheses in the plain layout get them from `enclosed`. */
function enclosed(out: Printer, print: () => void): void {
  if (!out.pretty) out.text += '(';
  print();
  if (!out.pretty) out.text += ')';
}

export function printList(out: Printer, nodes: readonly Expression[], separator = ', '): void {
  for (let i = 0; i < nodes.length; i++) {
    if (i > 0) out.text += separator;
    printExpression(out, nodes[i], null);
  }
}

export function printSubscript(out: Printer, { slice, lower, upper }: Subscript): void {
  out.text += '[';
  if (lower !== null) printExpression(out, lower, null);
  if (slice) out.text += ':';
  if (upper !== null) printExpression(out, upper, null);
  out.text += ']';
}

export function deparseOperator(operator: OperatorName): string {
  return operator.schema === null ? operator.name : `OPERATOR(${quoteIdentifier(operator.schema)}.${operator.name})`;
}

export function printTypeName(out: Printer, type: Parameters<typeof deparseTypeName>[0]): void {
  out.text += deparseTypeName(type, (expression) => out.aside(() => printExpression(out, expression, null)));
}

function number(text: string): string {
  return text.startsWith('-') ? `(${text})` : text;
}

function printNode(out: Printer, node: Expression): void {
  switch (node.type) {
    case 'null':
      out.text += 'NULL';
      return;
    case 'boolean':
      out.text += node.value ? 'true' : 'false';
      return;
    case 'integer':
      out.text += number(String(node.value));
      return;
    case 'number':
      out.text += number(node.text);
      return;
    case 'string':
      out.text += quoteString(node.value);
      return;
    case 'bitString':
      out.text += `${node.hex ? 'x' : 'b'}'${node.digits}'`;
      return;
    case 'column':
      out.text += node.star ? [...node.parts.map(quoteIdentifier), '*'].join('.') : quoteNames(node.parts);
      return;
    case 'parameter':
      out.text += `$${node.number}`;
      return;
    case 'call':
      printCall(out, node);
      return;
    case 'operator':
      printOperatorChain(out, node);
      return;
    case 'and':
    case 'or':
      enclosed(out, () => {
        for (let i = 0; i < node.args.length; i++) {
          if (i > 0) out.text += node.type === 'and' ? ' AND ' : ' OR ';
          printExpression(out, node.args[i], node);
        }
      });
      return;
    case 'not':
      enclosed(out, () => {
        out.text += 'NOT ';
        printExpression(out, node.arg, node);
      });
      return;
    case 'isNull':
      enclosed(out, () => {
        printExpression(out, node.arg, node);
        out.text += node.negated ? ' IS NOT NULL' : ' IS NULL';
      });
      return;
    case 'isBoolean':
      enclosed(out, () => {
        printExpression(out, node.arg, node);
        out.text += ` IS ${node.negated ? 'NOT ' : ''}${node.value === null ? 'UNKNOWN' : node.value ? 'TRUE' : 'FALSE'}`;
      });
      return;
    case 'isDistinct':
      enclosed(out, () => {
        printExpression(out, node.left, node);
        out.text += node.negated ? ' IS NOT DISTINCT FROM ' : ' IS DISTINCT FROM ';
        printExpression(out, node.right, node);
      });
      return;
    case 'in':
      enclosed(out, () => {
        printExpression(out, node.arg, node);
        out.text += node.negated ? ' NOT IN (' : ' IN (';
        printList(out, node.list);
        out.text += ')';
      });
      return;
    case 'inQuery':
      if (node.negated) out.text += '(NOT ';
      out.text += '(';
      printExpression(out, node.arg, node);
      out.text += ' IN ';
      printSubquery(out, node.query);
      out.text += node.negated ? '))' : ')';
      return;
    case 'quantifiedArray':
      enclosed(out, () => {
        printExpression(out, node.left, node);
        out.text += ` ${deparseOperator(node.operator)} ${node.quantifier === 'any' ? 'ANY' : 'ALL'} (`;
        // A bare subquery would be parsed as one of rows.
        if (node.right.type === 'subquery') out.text += '(';
        printExpression(out, node.right, null);
        out.text += node.right.type === 'subquery' ? '))' : ')';
      });
      return;
    case 'quantifiedQuery':
      out.text += '(';
      printExpression(out, node.left, node);
      out.text += ` ${deparseOperator(node.operator)} ${node.quantifier === 'any' ? 'ANY' : 'ALL'} `;
      printSubquery(out, node.query);
      out.text += ')';
      return;
    case 'exists':
    case 'subquery':
    case 'arrayQuery':
      printSubqueryNode(out, node);
      return;
    case 'array':
      out.text += 'ARRAY[';
      printList(out, node.elements);
      out.text += ']';
      return;
    case 'row':
      out.text += node.explicit ? 'ROW(' : '(';
      printList(out, node.fields);
      out.text += ')';
      return;
    case 'case':
      out.line('CASE', 0, INDENT_ITEM, 0);
      if (node.arg !== null) {
        out.text += ' ';
        printExpression(out, node.arg, node);
      }
      for (const branch of node.branches) {
        out.line('WHEN ', 0, 0, 0);
        printExpression(out, branch.when, null);
        out.text += ' THEN ';
        printExpression(out, branch.then, null);
      }
      if (node.otherwise !== null) {
        out.line('ELSE ', 0, 0, 0);
        printExpression(out, node.otherwise, null);
      }
      out.line('END', -INDENT_ITEM, 0, 0);
      return;
    case 'coalesce':
    case 'greatest':
    case 'least':
      out.text += `${node.type.toUpperCase()}(`;
      printList(out, node.args);
      out.text += ')';
      return;
    case 'nullIf':
      out.text += 'NULLIF(';
      printList(out, [node.left, node.right]);
      out.text += ')';
      return;
    case 'between':
      enclosed(out, () => {
        printExpression(out, node.arg, node);
        out.text += ` ${node.negated ? 'NOT ' : ''}BETWEEN ${node.symmetric ? 'SYMMETRIC ' : ''}`;
        printExpression(out, node.low, node);
        out.text += ' AND ';
        printExpression(out, node.high, node);
      });
      return;
    case 'like':
      enclosed(out, () => {
        printExpression(out, node.arg, node);
        out.text += ` ${node.negated ? 'NOT ' : ''}${node.kind === 'similar' ? 'SIMILAR TO' : node.kind.toUpperCase()} `;
        printExpression(out, node.pattern, node);
        if (node.escape === null) return;
        out.text += ' ESCAPE ';
        printExpression(out, node.escape, node);
      });
      return;
    case 'collate':
      enclosed(out, () => {
        printExpression(out, node.arg, node);
        out.text += ` COLLATE ${quoteNames(node.collation)}`;
      });
      return;
    case 'cast':
      printCastOperand(out, node.arg, node);
      out.text += '::';
      printTypeName(out, node.to);
      return;
    case 'subscript': {
      const bare = node.arg.type === 'column';
      if (!bare) out.text += '(';
      printExpression(out, node.arg, null);
      if (!bare) out.text += ')';
      for (const subscript of node.subscripts) printSubscript(out, subscript);
      return;
    }
    case 'field':
    case 'fieldStar':
      out.text += '(';
      printExpression(out, node.arg, null);
      out.text += node.type === 'field' ? `).${quoteIdentifier(node.name)}` : ').*';
      return;
    case 'valueFunction':
      out.text += node.name.toUpperCase() + (node.precision === null ? '' : `(${node.precision})`);
      return;
    case 'grouping':
      out.text += 'GROUPING(';
      printList(out, node.args);
      out.text += ')';
      return;
    case 'default':
      out.text += 'DEFAULT';
      return;
    case 'currentOf':
      out.text += `CURRENT OF ${quoteIdentifier(node.cursor)}`;
      return;
    case 'mergeAction':
      out.text += 'MERGE_ACTION()';
      return;
    case 'xml':
    case 'xmlSerialize':
      printXml(out, node);
      return;
    default:
      if (isJsonExpression(node)) printJsonExpression(out, node);
  }
}

/** Constants and empty arrays are bare before `::`; the rest is parenthesised, in pretty mode only if necessary. */
function printCastOperand(out: Printer, arg: Expression, parent: Cast): void {
  if (out.pretty || isBareBeforeCast(arg, parent)) {
    printExpression(out, arg, parent);
    return;
  }
  out.text += '(';
  printExpression(out, arg, null);
  out.text += ')';
}

/** Postgres treats a cast of a number as a conversion: `(1)::numeric`, but `1::integer`. */
function isBareBeforeCast(arg: Expression, { to }: Cast): boolean {
  switch (arg.type) {
    case 'string':
    case 'null':
    case 'bitString':
      return true;
    case 'array':
      return arg.elements.length === 0;
    case 'row':
      return arg.explicit;
    case 'column':
      return arg.star;
    case 'integer':
      return to.name === 'int4' && to.arrayBounds.length === 0;
    case 'number':
      return to.name === 'numeric' && to.typmods.length === 0 && to.arrayBounds.length === 0;
    case 'boolean':
      return to.name === 'bool' && to.arrayBounds.length === 0;
    default:
      return false;
  }
}

/** Left-deep chains may be long: they are followed in a loop. */
function printOperatorChain(out: Printer, top: OperatorCall): void {
  const chain: OperatorCall[] = [top];
  for (let left = top.left; left !== null && left.type === 'operator'; left = left.left) chain.push(left);
  const closing: boolean[] = [];
  for (let i = 0; i < chain.length; i++) {
    const opened = !out.pretty || comparesRowToQuery(chain[i]) || comparesRows(chain[i]) || (i > 0 && needsParentheses(chain[i], chain[i - 1]));
    if (opened) out.text += '(';
    closing.push(opened);
  }
  const bottom = chain[chain.length - 1];
  if (bottom.left !== null) printExpression(out, bottom.left, bottom);
  for (let i = chain.length - 1; i >= 0; i--) {
    const { operator, left, right } = chain[i];
    out.text += left === null ? `${deparseOperator(operator)} ` : ` ${deparseOperator(operator)} `;
    printExpression(out, right, chain[i]);
    if (closing[i]) out.text += ')';
  }
}

function printSubqueryNode(out: Printer, node: Subquery): void {
  if (node.type === 'exists') out.text += '(EXISTS ';
  else if (node.type === 'arrayQuery') out.text += 'ARRAY';
  printSubquery(out, node.query);
  if (node.type === 'exists') out.text += ')';
}

function printCall(out: Printer, node: FunctionCall): void {
  if (node.sqlSyntax && printSqlSyntax(out, node)) return;
  out.text += `${quoteNames(node.name)}(`;
  if (node.distinct) out.text += 'DISTINCT ';
  if (node.star) out.text += '*';
  for (let i = 0; i < node.args.length; i++) {
    if (i > 0) out.text += ', ';
    if (node.variadic && i === node.args.length - 1) out.text += 'VARIADIC ';
    const name = node.argNames?.[i] ?? null;
    if (name !== null) out.text += `${quoteIdentifier(name)} => `;
    printExpression(out, node.args[i], null);
  }
  if (node.withinGroup) out.text += ') WITHIN GROUP (';
  if (node.orderBy.length > 0) {
    out.text += node.withinGroup ? 'ORDER BY ' : ' ORDER BY ';
    printSortKeys(out, node.orderBy);
  }
  out.text += ')';
  printFilterAndOver(out, node.filter, node.over);
}

export function printFilterAndOver(out: Printer, filter: Expression | null, over: Window | string | null): void {
  if (filter !== null) {
    out.text += ' FILTER (WHERE ';
    printExpression(out, filter, null);
    out.text += ')';
  }
  if (over === null) return;
  out.text += ' OVER ';
  if (typeof over === 'string') out.text += quoteIdentifier(over);
  else printWindow(out, over);
}
