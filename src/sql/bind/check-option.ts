/**
 * WITH CHECK OPTION: a row that is written through a view must satisfy the view's condition. It is evaluated with the row's first
 * value, so plans need no node for it; null counts as false (manual, CREATE VIEW).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Call, ScalarFunction } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import { failingRow } from '../schema/row-errors.ts';
import type { Value } from '../types/value.ts';
import type { Binder } from './binder.ts';
import { checkOptions, type WriteTarget } from './write-target.ts';

/** The value, after checking the whole row; `row` gives the new row's columns. */
export function checkedByView(binder: Binder, into: WriteTarget, value: Bound, row: (index: number) => Bound): Bound {
  const { table } = into;
  const columns = table.columns.map((_, index) => row(index));
  return checkOptions(binder, into, row).reduce((inner, { name, condition }): Bound => {
    const fn: ScalarFunction = {
      kind: 'scalar',
      name: 'view_check_option',
      args: [],
      returns: value.type.name,
      volatility: 'volatile',
      strict: false,
      needsCall: true,
      doc: 'A value of a row that a view shows.',
      impl: ({ env }: Call, given: Value, holds: boolean | null, ...rest: Value[]): Value => {
        if (holds === true) return given;
        throw new SvcError('44000', `new row violates check option for view "${name}"`, { detail: failingRow(table, rest, env) });
      },
    };
    return { kind: 'call', fn, proc: 'view_check_option', args: [inner, condition, ...columns], type: value.type, typmod: value.typmod };
  }, value);
}

export function hasCheckOption({ view }: WriteTarget): boolean {
  return view !== null && (view.check !== 'none' || hasCheckOption(view.inner));
}
