/** Which columns of a bound query are plain columns of a relation, as Postgres's markTargetListOrigin: a view's column is the view's own. */
import type { SqlTable } from '../schema/table.ts';
import type { Bound, ColumnId } from './bound.ts';
import type { Plan } from './logical.ts';

export interface ColumnOrigin {
  readonly table: number;
  readonly attnum: number;
}

/** For each output column; undefined: it is computed. */
export function columnOrigins(plan: Plan): (ColumnOrigin | undefined)[] {
  const origins = new Origins(plan);
  return plan.columns.map(({ id }) => origins.of(id));
}

/** Column ids are unique in a statement: one that no scan created is another one passed on under a new id, or has no origin. */
class Origins {
  readonly #origins = new Map<ColumnId, ColumnOrigin>();
  readonly #passed = new Map<ColumnId, ColumnId>();
  /** Columns of WITH's tables, by their number. */
  readonly #common = new Map<number, Plan['columns']>();

  constructor(plan: Plan) {
    const waiting: Plan[] = [plan];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) this.#visit(next, waiting);
  }

  of(id: ColumnId): ColumnOrigin | undefined {
    for (let at: ColumnId | undefined = id; at !== undefined; at = this.#passed.get(at)) {
      const origin = this.#origins.get(at);
      if (origin !== undefined) return origin;
    }
    return undefined;
  }

  #visit(plan: Plan, waiting: Plan[]): void {
    switch (plan.op) {
      case 'scan':
      case 'foreignScan':
      case 'rankedScan':
      case 'hierarchyScan': {
        const { columns, source, table } = plan;
        for (let i = 0; i < columns.length; i++) {
          const from = source[i];
          if (typeof from === 'number') this.#from(columns[i].id, table.number, table.columns[from].attnum);
        }
        return;
      }
      case 'virtualScan':
        plan.source.forEach((at, i) => this.#from(plan.columns[i].id, plan.relation.oid, at + 1));
        return;
      case 'with':
        for (const { number, plan: definition } of plan.definitions) {
          this.#common.set(number, definition.columns);
          waiting.push(definition);
        }
        waiting.push(plan.body);
        return;
      case 'cteScan': {
        const from = this.#common.get(plan.number);
        if (from !== undefined) plan.source.forEach((at, i) => this.#passed.set(plan.columns[i].id, from[at].id));
        return;
      }
      case 'insert':
      case 'update':
      case 'merge':
        this.#written(plan.table, plan.row);
        this.#pass(plan.returning ?? []);
        waiting.push(plan.input);
        return;
      case 'delete':
        this.#pass(plan.returning ?? []);
        waiting.push(plan.input);
        return;
      case 'project':
        if (plan.view !== undefined) plan.columns.forEach(({ id }, i) => this.#from(id, plan.view!, i + 1));
        this.#pass(plan.items);
        waiting.push(plan.input);
        return;
      case 'aggregate':
        this.#pass(plan.groups);
        waiting.push(plan.input);
        return;
      case 'join':
        waiting.push(plan.left, plan.right);
        return;
      case 'filter':
      case 'projectSet':
      case 'sort':
      case 'limit':
      case 'lock':
      case 'distinct':
      case 'window':
        waiting.push(plan.input);
        return;
      default:
    }
  }

  /** The first origin counts: a view's columns have the ids of those below it. */
  #from(id: ColumnId, table: number, attnum: number): void {
    if (!this.#origins.has(id)) this.#origins.set(id, { table, attnum });
  }

  #written({ number, columns }: SqlTable, row: readonly ColumnId[]): void {
    row.forEach((id, i) => columns[i] !== undefined && this.#from(id, number, columns[i].attnum));
  }

  #pass(items: readonly { readonly id: ColumnId; readonly value: Bound }[]): void {
    for (const { id, value } of items) if (value.kind === 'column' && value.id !== id) this.#passed.set(id, value.id);
  }
}
