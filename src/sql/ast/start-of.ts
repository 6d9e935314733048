/**
 * Where an expression begins in the text: the leftmost place of it and its operands, which is where Postgres points
 * for an expression as a whole (nodeFuncs.c, exprLocation). `at` is the place of its own word or sign.
 */
import type { Expression } from './expression.ts';
import type { Query } from './query.ts';

export function startOf(expression: Expression): number {
  let node = expression;
  let least = Infinity;
  for (;;) {
    // What becomes of a literal stands where the literal does, also in `interval '1 day'`.
    if (node.type === 'cast' && node.arg.type === 'string') return Math.min(least, node.arg.at);
    if (node.at < least) least = node.at;
    switch (node.type) {
      case 'operator':
        if (node.left === null) return least;
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
        if (!node.sqlSyntax || node.args.length === 0) return least;
        node = node.args[0];
        break;
      default:
        return least;
    }
  }
}

/** Where the column of a query's list begins that has this place, as far as the text tells. */
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
