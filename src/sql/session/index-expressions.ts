/** Index expressions and conditions for the planner, bound once per table. */
import { Binder, type Names } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { Scope } from '../bind/scope.ts';
import type { Inliner } from '../bind/inline-functions.ts';
import type { Registry } from '../functions/registry.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import { folded } from '../plan/rules/fold.ts';
import { substitute } from '../plan/rules/rewrite.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import type { SqlTable } from '../schema/table.ts';
import type { Environment } from '../types/environment.ts';

interface Stored {
  /** Over columns whose ids are their positions in the table. */
  readonly bound: Bound;
  readonly columns: readonly ColumnId[];
}

const stored = new WeakMap<SqlTable, Map<string, Stored | null>>();

/** `inliner`: function bodies are inlined in the plan, so they must be in the expressions. */
export function withIndexExpressions(statistics: Statistics, names: Names, registry: Registry, env: Environment, inliner: Inliner | null = null): Statistics {
  const over = (table: SqlTable, sql: string, columnId: (column: number) => number): Bound | null => {
    let own = stored.get(table);
    if (own === undefined) stored.set(table, (own = new Map()));
    let found = own.get(sql);
    if (found === undefined) own.set(sql, (found = bindStored(table, sql, names, registry, env)));
    if (found === null) return null;
    const by = new Map<ColumnId, Bound>();
    for (const column of found.columns) {
      const id = columnId(column);
      if (id < 0) return null;
      const { type, typmod } = table.columns[column];
      by.set(column, { kind: 'column', id, type, typmod });
    }
    const bound = substitute(found.bound, by);
    return inliner === null ? bound : folded(inliner.apart().expression(bound));
  };
  return {
    ...statistics,
    condition: (table, index, columnId) => (index.where === null ? null : over(table, index.where, columnId)),
    expression: (table, index, at, columnId) => {
      const { expression } = index.columns[at];
      return expression === null ? null : over(table, expression, columnId);
    },
  };
}

function bindStored(table: SqlTable, sql: string, names: Names, registry: Registry, env: Environment): Stored | null {
  const binder = new Binder(names, registry, env, { types: [], fixed: true });
  const scope = new Scope(null);
  scope.clause = 'check';
  const made = table.columns.map((column) => binder.column(column.name, column.type, column.typmod));
  const visible = made.map((column) => ({ name: column.name, value: binder.use(column) }));
  scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns: visible, table, system: [] }], columns: visible };
  try {
    const bound = bindExpression(binder, names.parseExpression(sql), scope);
    const at = new Map(made.map((column, i) => [column.id, i]));
    const places = new Map<ColumnId, Bound>();
    for (const { id, type, typmod } of made) places.set(id, { kind: 'column', id: at.get(id)!, type, typmod });
    const placed = folded(substitute(bound, places));
    return { bound: placed, columns: [...columnsOf(placed)] };
  } catch {
    // An index whose text does not bind in this session is not used.
    return null;
  }
}
