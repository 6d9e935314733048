/** A SELECT that code writes instead of a person: what it gives, from where, under which condition, and nothing else. */
import type { FromItem, Select, SelectItem } from './query.ts';
import type { Expression } from './expression.ts';

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
