/** `a[1] = x`, `a[2:3] = …`, `doc['key'] = …`: the whole value with one part changed. Manual, 8.15.4 and 8.14.5. */
import type { TargetColumn } from '../ast/write.ts';
import { arraySet, arraySetSlice } from '../functions/array/array-subscript.ts';
import type { ScalarFunction } from '../functions/define.ts';
import { jsonbAssign } from '../functions/json/jsonb-subscript.ts';
import type { Bound } from '../plan/bound.ts';
import type { SqlColumn } from '../schema/table.ts';
import type { ArrayValue } from '../types/array-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression } from './expression.ts';
import type { Scope } from './scope.ts';

/** `base` is the value so far, `value` not yet of the part's type; subscripts are bound in `scope`. */
export function assignPart(binder: Binder, base: Bound, column: SqlColumn, target: TargetColumn, value: Bound, scope: Scope, at: number): Bound {
  const { type } = column;
  const subscripts = target.path.map((step) => {
    if (step.type === 'field') fail('0A000', 'assigning to a field of a column is not supported', target.at, { hint: 'Assign the whole value.' });
    return step.subscript;
  });
  const wanted = (to: SqlType, typmod: number): Bound => {
    const out = binder.coercion.tryCoerce(value, to, typmod, 'assignment', at);
    if (out !== null) return out;
    return fail(
      '42804',
      `subscripted assignment to "${column.name}" requires type ${to.title} but expression is of type ${binder.coercion.typeOf(value).title}`,
      at,
      {
        hint: 'You will need to rewrite or cast the expression.',
      },
    );
  };
  if (type.name === 'jsonb') {
    if (subscripts.some(({ slice }) => slice)) fail('0A000', 'jsonb subscript does not support slices', target.at);
    const keys = subscripts.map(({ upper }) => bindExpression(binder, upper!, scope));
    const numeric = binder.coercion.typeOf(keys[0]).category === 'N';
    const path = keys.map((key, i) => binder.coercion.coerce(key, binder.type('text'), -1, 'explicit', subscripts[i].upper!.at));
    const impl = (doc: string | null, part: string | null, ...steps: (string | null)[]): string => jsonbAssign(doc, steps, part, numeric);
    return call('jsonb_assign', type, impl as ScalarFunction['impl'], [base, wanted(type, -1), ...path]);
  }
  const { element } = type;
  if (element === null) fail('42804', `cannot subscript type ${type.title} because it does not support subscripting`, target.at);
  const index = (each: (typeof subscripts)[number]['upper']): Bound | null => {
    if (each === null) return null;
    const bound = binder.coercion.tryCoerce(bindExpression(binder, each, scope), binder.type('int4'), -1, 'assignment', each.at);
    return bound ?? fail('42804', 'array subscript must have type integer', each.at);
  };
  if (!subscripts.some(({ slice }) => slice)) {
    const places = subscripts.map(({ upper }) => index(upper)!);
    const impl = (array: ArrayValue | null, item: Value, ...at1: (number | null)[]): ArrayValue => arraySet(array, at1, item);
    return call('array_assign', type, impl as ScalarFunction['impl'], [base, wanted(element, column.typmod), ...places]);
  }
  // A plain subscript among slices reaches from 1; a bound that is not written is the array's own.
  const one: Bound = { kind: 'constant', type: binder.type('int4'), typmod: -1, value: 1 };
  const bounds = subscripts.flatMap(({ slice, lower, upper }) => [slice ? index(lower) : one, index(upper)]);
  const written = bounds.map((bound) => bound !== null);
  const impl = (array: ArrayValue | null, part: ArrayValue | null, ...given: (number | null)[]): ArrayValue | null => {
    let next = 0;
    const all = written.map((has) => (has ? given[next++] : undefined));
    return arraySetSlice(
      array,
      all.filter((_, i) => i % 2 === 0),
      all.filter((_, i) => i % 2 === 1),
      part,
    );
  };
  return call('array_assign_slice', type, impl as ScalarFunction['impl'], [base, wanted(type, column.typmod), ...bounds.filter((bound) => bound !== null)]);
}

function call(name: string, type: SqlType, impl: ScalarFunction['impl'], args: readonly Bound[]): Bound {
  const fn: ScalarFunction = { kind: 'scalar', name, args: args.map((arg) => arg.type.name), returns: type.name, doc: '', strict: false, impl };
  return { kind: 'call', fn, proc: name, args, type, typmod: -1 };
}
