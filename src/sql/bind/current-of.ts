/**
 * WHERE CURRENT OF: the cursor's current row, found by the key that the cursor keeps beside each row. For a table with a primary key
 * its columns are compared, so that the row is looked up.
 */
import type { Query, SelectItem, TableItem } from '../ast/query.ts';
import type { Bound } from '../plan/bound.ts';
import type { SqlTable } from '../schema/table.ts';
import { type Binder, fail } from './binder.ts';
import { bindOperator } from './operator.ts';
import type { Scope } from './scope.ts';
import { KEY_COLUMN } from './system-columns.ts';

/** The columns that identify a row of the table. */
export function identity(table: SqlTable): readonly string[] {
  return table.primaryKey !== null && table.key.columns.length > 0 ? table.key.columns.map((column) => table.columns[column].name) : [KEY_COLUMN];
}

export function bindCurrentOf(binder: Binder, cursor: string, scope: Scope, at: number): Bound {
  const [relation] = scope.namespace.relations;
  const { table } = relation;
  const notOfView = (): never => fail('0A000', 'WHERE CURRENT OF on a view is not implemented', at);
  if (table === null) return notOfView();
  const equalities = identity(table).map((name, place): Bound => {
    const column = [...relation.columns, ...relation.system].find((each) => each.name === name) ?? notOfView();
    const { type, typmod } = column.value;
    const current: Bound = { kind: 'environment', name: 'current_of', precision: null, cursor: { name: cursor, table: table.number, place }, type, typmod };
    return bindOperator(binder, { schema: null, name: '=' }, column.value, current, at);
  });
  return binder.and(equalities)!;
}

/** The one table whose rows a query returns one by one; null otherwise. */
export function scannedTable(query: Query): TableItem | null {
  if (query.type !== 'select' || query.distinct !== null || query.groupBy.length > 0 || query.having !== null) return null;
  const [from] = query.from;
  return query.from.length === 1 && from.type === 'table' && from.asOf === null ? from : null;
}

/** The query with the identifying columns after its items. */
export function withIdentity(query: Query, from: TableItem, table: SqlTable): Query {
  if (query.type !== 'select') return query;
  const { at } = from;
  const alias = from.alias?.name ?? from.name.name;
  const items = identity(table).map((name): SelectItem => ({ value: { type: 'column', parts: [alias, name], star: false, at }, alias: KEY_COLUMN, at }));
  return { ...query, items: [...query.items, ...items] };
}
