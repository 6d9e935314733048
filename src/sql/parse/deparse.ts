/**
 * AST to SQL text, laid out as pg_get_expr and pg_get_viewdef lay theirs out: what shows defaults, checks and the
 * definitions of views. Parsing the text gives the same AST but for places, in either layout.
 *
 * Postgres prints what its analyser made of a statement, this prints what was written: BETWEEN stays BETWEEN, constants
 * have no type behind them, columns no table before them unless they were written so. A binder that wants Postgres's
 * text puts those into the tree first.
 *
 * Raises 54001 where the stack ends. Without `pretty` each operator of a chain has
 * its parentheses, so that a chain of more than some hundred operators is printed but not parsed again.
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

/** As pg_get_viewdef does, its first blank included and its `;` left out; for INSERT and its kind as the body of a function of SQL. */
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
