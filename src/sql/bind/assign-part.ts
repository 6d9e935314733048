/** `a[1] = x`, `a[2:3] = …`, `doc['key'] = …`, `c.field = …`: the whole value with one part changed. Manual, 8.15.4, 8.14.5 and 8.16.4. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { TargetColumn } from '../ast/write.ts';
import { arraySet, arraySetSlice } from '../functions/array/array-subscript.ts';
import type { ScalarFunction } from '../functions/define.ts';
import { hstoreAssign } from '../functions/extension/hstore.ts';
import { jsonbAssign } from '../functions/json/jsonb-subscript.ts';
import type { Bound } from '../plan/bound.ts';
import type { SqlColumn } from '../schema/table.ts';
import type { ArrayValue } from '../types/array-value.ts';
import { Geometry } from '../types/geometry.ts';
import { HSTORE_OID } from '../types/hstore.ts';
import { columnsOf } from '../types/record-type.ts';
import { RecordValue } from '../types/record-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression, FIXED_ARRAYS, hstoreKey } from './expression.ts';
import type { Scope } from './scope.ts';

/** `base` is the current value, `value` is not yet coerced to the part's type; subscripts are bound in `scope`. */
export function assignPart(binder: Binder, base: Bound, column: SqlColumn, target: TargetColumn, value: Bound, scope: Scope, at: number): Bound {
  return changed(binder, base, column, target, target.path, value, scope, at);
}

type Part = Pick<SqlColumn, 'name' | 'type' | 'typmod'>;

function changed(binder: Binder, whole: Bound, column: Part, target: TargetColumn, path: TargetColumn['path'], given: Bound, scope: Scope, at: number): Bound {
  if (column.type.domain !== null) {
    const { root, typmod } = column.type.domain;
    const out = changed(binder, binder.coercion.relabelled(whole, root), { name: column.name, type: root, typmod }, target, path, given, scope, at);
    return binder.coercion.coerce(out, column.type, -1, 'assignment', at);
  }
  const [first] = path;
  if (first.type === 'field') return fieldChanged(binder, whole, column, target, first.name, path.slice(1), given, scope, at);
  const fieldAt = path.findIndex((step) => step.type === 'field');
  if (fieldAt > 0) {
    const steps = path.slice(0, fieldAt);
    const element = column.type.element;
    if (element === null) fail('42804', `cannot subscript type ${column.type.title} because it does not support subscripting`, target.at);
    const int4 = binder.type('int4');
    const subscripts = steps.map((step) => {
      if (step.type === 'field' || step.subscript.slice || step.subscript.upper === null) fail('42804', 'array subscript must have type integer', target.at);
      const { upper } = step.subscript;
      const index = binder.coercion.coerce(bindExpression(binder, upper, scope), int4, -1, 'assignment', upper.at);
      return { slice: false, lower: null, upper: index };
    });
    const item: Bound = { kind: 'subscript', type: element, typmod: column.typmod, arg: whole, subscripts };
    const part = { name: column.name, type: element, typmod: column.typmod };
    const inner = changed(binder, item, part, target, path.slice(fieldAt), given, scope, at);
    return changed(binder, whole, column, target, steps, inner, scope, at);
  }
  return subscriptsChanged(binder, whole, column, target, path, given, scope, at);
}

function fieldChanged(
  binder: Binder,
  whole: Bound,
  column: Part,
  target: TargetColumn,
  name: string,
  rest: TargetColumn['path'],
  given: Bound,
  scope: Scope,
  at: number,
): Bound {
  const { type } = column;
  const columns = columnsOf(type);
  if (columns === null)
    fail('42804', `cannot assign to field "${name}" of column "${column.name}" because its type ${type.title} is not a composite type`, target.at);
  const index = columns.findIndex((each) => each.name === name);
  if (index < 0)
    fail('42703', `cannot assign to field "${name}" of column "${column.name}" because there is no such column in data type ${type.title}`, target.at);
  const own = columns[index];
  let value: Bound;
  if (rest.length > 0) {
    const before: Bound = { kind: 'field', arg: whole, index, type: own.type, typmod: own.typmod };
    value = changed(binder, before, { name, type: own.type, typmod: own.typmod }, target, rest, given, scope, at);
  } else {
    const out = binder.coercion.tryCoerce(given, own.type, own.typmod, 'assignment', at);
    if (out === null) {
      const shown = binder.coercion.typeOf(given).title;
      fail('42804', `subfield "${name}" is of type ${own.type.title} but expression is of type ${shown}`, at, {
        hint: 'You will need to rewrite or cast the expression.',
      });
    }
    value = out;
  }
  const types = columns.map((each) => each.type);
  const impl = (row: RecordValue | null, part: Value): RecordValue =>
    new RecordValue(
      types.map((_, i) => (i === index ? part : row === null ? null : row.fields[i])),
      types,
    );
  return call('field_assign', type, impl as ScalarFunction['impl'], [whole, value]);
}

function subscriptsChanged(
  binder: Binder,
  base: Bound,
  column: Part,
  target: TargetColumn,
  path: TargetColumn['path'],
  value: Bound,
  scope: Scope,
  at: number,
): Bound {
  const { type } = column;
  const subscripts = path.flatMap((step) => (step.type === 'field' ? [] : [step.subscript]));
  const wanted = (to: SqlType, typmod: number): Bound => {
    const out = binder.coercion.tryCoerce(value, to, typmod, 'assignment', at);
    if (out !== null) return out;
    return fail(
      '42804',
      `subscripted assignment to "${column.name}" requires type ${to.title} but expression is of type ${binder.coercion.typeOf(value).title}`,
      target.at,
      {
        hint: 'You will need to rewrite or cast the expression.',
      },
    );
  };
  if (type.name === 'jsonb') {
    if (subscripts.some(({ slice }) => slice)) fail('42804', 'jsonb subscript does not support slices', target.at);
    const keys = subscripts.map(({ upper }) => bindExpression(binder, upper!, scope));
    const numeric = binder.coercion.typeOf(keys[0]).category === 'N';
    const path = keys.map((key, i) => binder.coercion.coerce(key, binder.type('text'), -1, 'explicit', subscripts[i].upper!.at));
    const impl = (doc: string | null, part: string | null, ...steps: (string | null)[]): string => jsonbAssign(doc, steps, part, numeric);
    return call('jsonb_assign', type, impl as ScalarFunction['impl'], [base, wanted(type, -1), ...path]);
  }
  if (type.oid === HSTORE_OID) {
    const key = hstoreKey(binder, subscripts, scope);
    return call('hstore_assign', type, hstoreAssign as ScalarFunction['impl'], [base, key, wanted(binder.type('text'), -1)]);
  }
  if (FIXED_ARRAYS.has(type.name)) return itemChanged(binder, base, type, wanted, subscripts, target, scope);
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
  // A plain subscript among slices starts at 1; an omitted bound is the array's own.
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

/** A null stays null; a position out of range is 2202E. */
function itemChanged(
  binder: Binder,
  base: Bound,
  type: SqlType,
  wanted: (to: SqlType, typmod: number) => Bound,
  subscripts: readonly { slice: boolean; upper: Expression | null }[],
  target: TargetColumn,
  scope: Scope,
): Bound {
  if (subscripts.some(({ slice }) => slice)) fail('0A000', 'slices of fixed-length arrays not implemented', target.at);
  const [{ upper }] = subscripts;
  const place = binder.coercion.tryCoerce(bindExpression(binder, upper!, scope), binder.type('int4'), -1, 'assignment', upper!.at);
  if (place === null) fail('42804', 'array subscript must have type integer', upper!.at);
  const { element, count } = FIXED_ARRAYS.get(type.name)!;
  const impl = (value: Value, part: Value, at: number | null): Value => {
    if (value === null || part === null || at === null) return value;
    if (subscripts.length > 1) throw new SvcError('2202E', 'wrong number of array subscripts');
    if (at < 0 || at >= count) throw new SvcError('2202E', 'array subscript out of range');
    if (!(value instanceof Geometry)) return nameChanged(value as string, part as string, at, count);
    const parts = part instanceof Geometry ? part.numbers : [part as number];
    return new Geometry(value.numbers.toSpliced(at * parts.length, parts.length, ...parts));
  };
  return call('fixed_array_assign', type, impl as ScalarFunction['impl'], [base, wanted(binder.type(element), -1), place]);
}

/** A name is a byte array that ends at the first zero. */
function nameChanged(name: string, byte: string, at: number, count: number): string {
  const bytes = Buffer.alloc(count);
  bytes.write(name);
  bytes[at] = byte === '' ? 0 : byte.charCodeAt(0);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? count - 1 : end);
}

function call(name: string, type: SqlType, impl: ScalarFunction['impl'], args: readonly Bound[]): Bound {
  const fn: ScalarFunction = { kind: 'scalar', name, args: args.map((arg) => arg.type.name), returns: type.name, doc: '', strict: false, impl };
  return { kind: 'call', fn, proc: name, args, type, typmod: -1 };
}
