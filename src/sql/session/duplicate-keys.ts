/** Duplicate keys of one statement: keys over the same columns share one index, that of the primary key or of the first. */
import type { ConstraintSpec, KeySpec } from '../schema/create-table.ts';

export function withoutDuplicates(constraints: readonly ConstraintSpec[]): ConstraintSpec[] {
  const keys = constraints.filter(isKey);
  const names = new Map<KeySpec, string | null>();
  const dropped = new Set<ConstraintSpec>();
  for (const key of [...keys.filter(({ kind }) => kind === 'primary key'), ...keys.filter(({ kind }) => kind === 'unique')]) {
    const twin = [...names.keys()].find((each) => formOf(each) === formOf(key));
    if (twin === undefined || key.kind === 'primary key') names.set(key, key.name);
    else {
      dropped.add(key);
      names.set(twin, names.get(twin) ?? key.name);
    }
  }
  return constraints.filter((each) => !dropped.has(each)).map((each) => (isKey(each) ? { ...each, name: names.get(each)! } : each));
}

function isKey(constraint: ConstraintSpec): constraint is KeySpec {
  return constraint.kind === 'primary key' || constraint.kind === 'unique';
}

function formOf({ columns, include, nullsNotDistinct, deferrable, initiallyDeferred }: KeySpec): string {
  return JSON.stringify([columns, include, nullsNotDistinct, deferrable, initiallyDeferred]);
}
