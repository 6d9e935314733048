/** The names in a trigger's WHEN: OLD and NEW, rows of the table. */
import type { Binder } from '../../bind/binder.ts';
import { type Relation, Scope } from '../../bind/scope.ts';
import type { OutputColumn } from '../../plan/logical.ts';
import type { SqlTable } from '../../schema/table.ts';
import type { Triggered } from './table-triggers.ts';

/** `columns`: those of OLD, then those of NEW. */
export function whenScope(
  binder: Binder,
  { columns: own, number }: Pick<Triggered, 'columns' | 'number'>,
  table: SqlTable | null,
): {
  scope: Scope;
  columns: OutputColumn[];
} {
  const scope = new Scope(null);
  scope.clause = 'trigger';
  const rows = (['old', 'new'] as const).map((alias) => ({ alias, columns: own.map(({ name, type, typmod }) => binder.column(name, type, typmod)) }));
  const relations = rows.map(({ alias, columns }): Relation => {
    const visible = columns.map((column) => ({ name: column.name, value: binder.use(column) }));
    const tableoid = { name: 'tableoid', value: { kind: 'constant' as const, type: binder.type('oid'), typmod: -1, value: number } };
    return { alias, schema: null, columns: visible, table, system: [tableoid] };
  });
  // Columns must be qualified with OLD or NEW.
  scope.namespace = { relations, columns: relations.flatMap(({ columns }) => columns) };
  return { scope, columns: rows.flatMap(({ columns }) => columns) };
}
