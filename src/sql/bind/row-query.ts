/** A subquery of several columns as one row value: null without rows, 21000 for several. */
import type { Bound } from '../plan/bound.ts';
import type { Plan } from '../plan/logical.ts';
import { recordType } from '../types/record-type.ts';
import type { Binder } from './binder.ts';

export function rowOfQuery(binder: Binder, plan: Plan): Bound & { kind: 'subquery' } {
  const type = recordType(plan.columns.map(({ name, type, typmod }) => ({ name, type, typmod })));
  const row: Bound = { kind: 'row', type, typmod: -1, fields: plan.columns.map((column) => binder.use(column)), names: null };
  const id = binder.id();
  const rows: Plan = { op: 'project', input: plan, items: [{ id, value: row }], columns: [{ id, name: '', type, typmod: -1 }] };
  return { kind: 'subquery', type, typmod: -1, plan: rows };
}

export function fieldsOfQuery(arg: Bound, plan: Plan): Bound[] {
  return plan.columns.map(({ type, typmod }, index) => ({ kind: 'field', arg, index, type, typmod }));
}
