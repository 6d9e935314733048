/** Masked columns: for readers who may not see them, another value is read in their place. */
import type { Bound } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Binder, Names } from './binder.ts';
import { bindExpression } from './expression.ts';
import { Scope } from './scope.ts';

/** The masked value of a column of a row with these values; null if it is not masked. `names`: of the row's state. */
export function maskOf(binder: Binder, table: SqlTable, index: number, value: (index: number) => Bound, names: Names = binder.names): Bound | null {
  if (binder.masking) return null;
  const mask = names.mask?.(table, index, binder.byAgent) ?? null;
  if (mask === null) return null;
  const scope = new Scope(null);
  scope.clause = 'select';
  const columns = table.columns.map(({ name }, i) => ({ name, value: value(i) }));
  scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns, table, system: [] }], columns };
  const { type, typmod } = table.columns[index];
  const { stored, home } = binder;
  binder.masking = true;
  binder.stored = true;
  binder.home = table.schema;
  try {
    return binder.coercion.coerce(bindExpression(binder, mask, scope), type, typmod, 'assignment', 0);
  } finally {
    binder.masking = false;
    binder.stored = stored;
    binder.home = home;
  }
}

/** Rows of a table with masks applied. */
export function maskedRows(binder: Binder, rows: Plan, table: SqlTable, names: Names): Plan {
  const value = (index: number): Bound => binder.use(rows.columns[index]);
  const masks = table.columns.map((_, index) => maskOf(binder, table, index, value, names));
  if (masks.every((mask) => mask === null)) return rows;
  const columns = rows.columns.map((column, i) => ((masks[i] ?? null) === null ? column : { ...column, id: binder.id() }));
  return { op: 'project', input: rows, items: columns.map(({ id }, i) => ({ id, value: masks[i] ?? value(i) })), columns };
}
