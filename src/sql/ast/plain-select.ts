/** A SELECT with only a list, FROM and WHERE. */
import type { FromItem, Select, SelectItem } from './query.ts';
import type { Expression } from './expression.ts';
import type { Statement } from './statement.ts';

/** For SELECTs written by code. */
export function plainSelect(items: SelectItem[], from: FromItem[], where: Expression | null, at: number): Select {
  return {
    type: 'select',
    with: null,
    distinct: null,
    items,
    from,
    where,
    groupBy: [],
    groupDistinct: false,
    having: null,
    windows: [],
    orderBy: [],
    limit: null,
    withTies: false,
    offset: null,
    locking: [],
    at,
  };
}

/** The single expression of a SELECT without other clauses; null for other statements. */
export function plainExpression(statement: Statement): Expression | null {
  if (statement.type !== 'select') return null;
  const { items, from, where, groupBy, having, windows, with: common, orderBy, limit, offset, distinct, locking } = statement;
  if (items.length !== 1 || from.length > 0 || where !== null || groupBy.length > 0 || having !== null || windows.length > 0) return null;
  return common === null && orderBy.length === 0 && limit === null && offset === null && distinct === null && locking.length === 0 ? items[0].value : null;
}
