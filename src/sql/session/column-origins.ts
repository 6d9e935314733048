/** Which result columns are plain columns of a table: RowDescription names table and attribute, for clients that write rows back. */
import type { ColumnId } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import type { ResultColumn } from './results.ts';

interface Origin {
  readonly table: number;
  readonly attnum: number;
}

export function resultColumns(plan: Plan): ResultColumn[] {
  const origins = new Map<ColumnId, Origin>();
  gather(plan, origins);
  return plan.columns.map(({ id, name, type, typmod }) => ({ name, type, typmod, ...origins.get(id) }));
}

/** Column ids are unique in a statement, so the scan that created an id is the column's origin. */
function gather(plan: Plan, origins: Map<ColumnId, Origin>): void {
  const waiting: Plan[] = [plan];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    switch (next.op) {
      case 'scan':
      case 'foreignScan':
      case 'hierarchyScan': {
        const { columns, source, table } = next;
        for (let i = 0; i < columns.length; i++) {
          const from = source[i];
          if (from !== 'key') origins.set(columns[i].id, { table: table.number, attnum: table.columns[from].attnum });
        }
        break;
      }
      case 'join':
        waiting.push(next.left, next.right);
        break;
      case 'filter':
      case 'project':
      case 'projectSet':
      case 'sort':
      case 'limit':
      case 'distinct':
      case 'window':
        waiting.push(next.input);
        break;
      default:
    }
  }
}
