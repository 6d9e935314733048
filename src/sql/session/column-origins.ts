/** Which result columns are plain columns of a relation: RowDescription names relation and attribute, for clients that write rows back. */
import { columnOrigins } from '../plan/column-origins.ts';
import type { Plan } from '../plan/logical.ts';
import type { ResultColumn } from './results.ts';

export function resultColumns(plan: Plan): ResultColumn[] {
  const origins = columnOrigins(plan);
  return plan.columns.map(({ name, type, typmod }, i) => ({ name, type, typmod, ...origins[i] }));
}
