/** Predicates that reject rows of nulls: they turn outer joins into inner ones, and imply IS NOT NULL. */
import type { Bound, ColumnId } from '../bound.ts';

/** Whether the predicate is not true if all these columns are null. */
export function refusesNulls(e: Bound, columns: ReadonlySet<ColumnId>): boolean {
  switch (e.kind) {
    case 'call':
      return e.fn.strict !== false && e.args.some((arg) => nullWhere(arg, columns));
    case 'in':
    case 'isNull':
      return e.kind === 'in' ? nullWhere(e.arg, columns) : e.negated && nullWhere(e.arg, columns);
    case 'and':
      return e.args.some((arg) => refusesNulls(arg, columns));
    case 'or':
      return e.args.every((arg) => refusesNulls(arg, columns));
    case 'not':
      return nullWhere(e.arg, columns);
    default:
      return nullWhere(e, columns);
  }
}

/** Whether the value is null if all these columns are. */
function nullWhere(e: Bound, columns: ReadonlySet<ColumnId>): boolean {
  switch (e.kind) {
    case 'column':
      return columns.has(e.id);
    case 'call':
      return e.fn.strict !== false && e.args.some((arg) => nullWhere(arg, columns));
    case 'cast':
      return nullWhere(e.arg, columns);
    case 'not':
      return nullWhere(e.arg, columns);
    default:
      return false;
  }
}
