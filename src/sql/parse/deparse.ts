/**
 * Prints the AST as SQL text, in the layout of pg_get_expr and pg_get_viewdef: for defaults, checks and view definitions. Parsing
 * the text gives the same AST except for positions, in either layout.
 *
 * Postgres prints the analysed statement, this prints the written one: BETWEEN stays BETWEEN, constants have no type suffix, columns
 * are qualified only if they were. A binder that needs Postgres's text changes the tree first.
 *
 * Raises 54001 on stack overflow. Without `pretty` each operator of a chain is parenthesised, so a chain of more than some hundred
 * operators can be printed but not parsed again.
 */
import type { Expression } from '../ast/expression.ts';
import type { CommonTable } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import { printExpression } from './deparse-expression.ts';
import { Printer } from './deparse-printer.ts';
import { printQuery } from './deparse-query.ts';
import { printWrite } from './deparse-write.ts';
import { deparseTypeName } from './deparse-type-name.ts';
import { guardStack } from './lowering.ts';

/** As pg_get_expr does; a CASE starts on a new line. */
export function deparseExpression(expression: Expression, pretty = false): string {
  return guardStack(() => {
    const printer = new Printer(pretty);
    printExpression(printer, expression, null);
    return printer.text;
  });
}

/** As pg_get_viewdef does, including its leading blank but not its `;`; INSERT and similar as in the body of an SQL function. */
export function deparseQuery(query: CommonTable['body'], pretty = false): string {
  return guardStack(() => {
    const printer = new Printer(pretty);
    if (query.type === 'select' || query.type === 'values' || query.type === 'setOperation') printQuery(printer, query);
    else printWrite(printer, query);
    return printer.text;
  });
}

export function deparseType(type: TypeName): string {
  return deparseTypeName(type, (expression) => deparseExpression(expression));
}
