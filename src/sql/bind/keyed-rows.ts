/** Replaces texts under nondeterministic collations by keys (`collated.ts`) for comparing rows, and converts them back. */
import type { Bound } from '../plan/bound.ts';
import type { OutputColumn, Plan } from '../plan/logical.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import type { Binder } from './binder.ts';
import { collatedKey, ofCollatedKey } from './collated.ts';

/** `foldings`: the collation of each column, null if its type's equality applies. */
export type Foldings = readonly (IcuCollation | null)[];

/** The plan's rows with keys in place of values. */
export function keyedRows(binder: Binder, plan: Plan, foldings: Foldings): Plan {
  const items = plan.columns.map((column, i): { id: number; value: Bound } => {
    const folding = foldings[i];
    return { id: binder.id(), value: folding === null ? binder.use(column) : collatedKey(binder, binder.use(column), folding) };
  });
  return { op: 'project', input: plan, items, columns: items.map(({ id, value }, i) => ({ ...plan.columns[i], id, type: value.type, typmod: value.typmod })) };
}

/** Keyed rows converted back, as the given columns. */
export function unkeyedRows(binder: Binder, keyed: Plan, foldings: Foldings, columns: readonly OutputColumn[]): Plan {
  const items = columns.map(({ id, type, typmod }, i) => {
    const key = binder.use(keyed.columns[i]);
    return { id, value: foldings[i] === null ? key : ofCollatedKey(binder, key, type, typmod) };
  });
  return { op: 'project', input: keyed, items, columns };
}
