/**
 * The start of an expression in the text: the leftmost position of it and its operands, which is Postgres's error position for a
 * whole expression (nodeFuncs.c, exprLocation). `at` is the position of its own keyword or operator.
 */
import type { Expression } from './expression.ts';
import type { Query } from './query.ts';

export function startOf(expression: Expression): number {
  let node = expression;
  let outer = Infinity;
  for (;;) {
    // A typed literal is located at the literal.
    if (node.type === 'cast' && node.arg.type === 'string') return outer < node.arg.at ? outer : node.arg.at;
    if (node.at < outer) outer = node.at;
    switch (node.type) {
      case 'operator':
        if (node.left === null) return outer;
        node = node.left;
        break;
      case 'isDistinct':
      case 'quantifiedArray':
      case 'quantifiedQuery':
        node = node.left;
        break;
      case 'and':
      case 'or':
        node = node.args[0];
        break;
      case 'in':
      case 'inQuery':
      case 'between':
      case 'like':
      case 'isNull':
      case 'isBoolean':
      case 'cast':
      case 'collate':
      case 'subscript':
      case 'field':
      case 'fieldStar':
        node = node.arg;
        break;
      case 'call':
        if (!node.sqlSyntax || node.args.length === 0) return outer;
        node = node.args[0];
        break;
      default:
        return outer;
    }
  }
}

/** Start of the query's list item with this position, as far as the text shows. */
export function columnStart(query: Query, column: number): number {
  switch (query.type) {
    case 'values':
      return query.rows[0][column] === undefined ? query.at : startOf(query.rows[0][column]);
    case 'setOperation':
      return columnStart(query.inputs[0], column);
    case 'select': {
      const { items } = query;
      const star = items.findIndex(({ value }) => (value.type === 'column' && value.star) || value.type === 'fieldStar');
      const item = star >= 0 && star < column ? items[star] : items[column];
      return item === undefined ? query.at : startOf(item.value);
    }
  }
}

/** The same for expressions examined before typing, such as keys of grouping and order: a literal's type counts too. */
export function writtenStartOf(expression: Expression): number {
  return Math.min(startOf(expression), expression.at);
}
