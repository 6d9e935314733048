/** A call of a function that is created for one place in a statement. */
import type { Call, ScalarFunction } from '../functions/define.ts';
import type { Bound } from '../plan/bound.ts';
import type { Value } from '../types/value.ts';
import type { SqlType } from '../types/type.ts';

export function madeCall(
  binder: { type(name: string): SqlType },
  name: string,
  returns: string,
  args: readonly Bound[],
  impl: (call: Call, ...values: Value[]) => Value,
): Bound & { kind: 'call' } {
  const fn: ScalarFunction = {
    kind: 'scalar',
    name,
    args: args.map(({ type }) => type.name),
    returns,
    doc: '',
    strict: false,
    needsCall: true,
    volatility: 'stable',
    impl,
  };
  return { kind: 'call', fn, proc: name, args, type: binder.type(returns), typmod: -1 };
}
