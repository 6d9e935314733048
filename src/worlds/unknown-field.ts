/** Refusals of names that a table, or a world, does not have, with the nearest that it has. */
import { SvcError } from '../base/errors/svc-error.ts';
import { nearestName } from '../base/nearest-name.ts';

interface Named {
  readonly name: string;
}

export function unknownField(table: string, field: string, known: readonly Named[]): SvcError {
  const names = known.map(({ name }) => name);
  const near = nearestName(field, names);
  const list = names.slice(0, 20).join(', ');
  return new SvcError('42703', `table "${table}" has no field "${field.slice(0, 64)}"`, {
    hint: near === null ? `Its fields are ${list}${names.length > 20 ? ', …' : ''}.` : `Did you mean "${near}"?`,
  });
}

export function unknownTable(table: string, world: string, known: readonly string[]): SvcError {
  const near = nearestName(table, known);
  return new SvcError('42P01', `there is no table "${table.slice(0, 64)}" in "${world}"`, near === null ? {} : { hint: `Did you mean "${near}"?` });
}
