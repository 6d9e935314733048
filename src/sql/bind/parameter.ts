/** `$n`, and function arguments by name. */
import type { Bound } from '../plan/bound.ts';
import { type Binder, fail } from './binder.ts';

export function bindParameter(binder: Binder, number: number, at: number): Bound {
  const { types, fixed } = binder.coercion.parameters;
  if (number < 1 || number > 65535) fail('42P02', `there is no parameter $${number}`, at);
  if (number > types.length) {
    if (fixed) fail('42P02', `there is no parameter $${number}`, at);
    while (types.length < number) types.push(null);
  }
  return { kind: 'parameter', number, type: types[number - 1] ?? binder.type('unknown'), typmod: -1 };
}
