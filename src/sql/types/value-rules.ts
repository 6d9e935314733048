/**
 * Constraints of a user-defined type on its values: labels of the enum, constraints of domains; also within arrays, composites and
 * ranges. Used for values that were written under other definitions. Null for types without constraints.
 */
import { FIRST_OWN_OID } from '../../base/first-own-oid.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { ArrayValue } from './array-value.ts';
import { STORED } from './environment.ts';
import { MultirangeValue, RangeValue } from './range-value.ts';
import { columnsOf } from './record-type.ts';
import { RecordValue } from './record-value.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

/** 22P02, 23502, 23514. NOT VALID constraints apply to new values only. */
export type ValueRules = (value: Value) => void;

const known = new WeakMap<SqlType, { rules: ValueRules | null }>();

export function valueRules(type: SqlType): ValueRules | null {
  let made = known.get(type);
  if (made === undefined) known.set(type, (made = { rules: rulesFor(type) }));
  return made.rules;
}

function rulesFor(type: SqlType): ValueRules | null {
  if (type.domain !== null) {
    const { base, check, name } = type.domain;
    const under = valueRules(base);
    return (value) => {
      under?.(value);
      check(value, STORED, name, true);
    };
  }
  if (type.labels !== null) {
    const labels = new Set<Value>(type.labels);
    return (value) => {
      if (value !== null && !labels.has(value)) throw new SvcError('22P02', `invalid input value for enum ${type.title}: "${value as string}"`);
    };
  }
  const columns = columnsOf(type);
  if (columns !== null) {
    const fields = columns.map((column) => valueRules(column.type));
    if (fields.every((each) => each === null)) return null;
    return (value) => {
      if (value instanceof RecordValue) fields.forEach((each, i) => each?.(value.fields[i] ?? null));
    };
  }
  if (type.range !== null) {
    const bound = valueRules(type.range.subtype);
    if (bound === null) return null;
    const ends = ({ empty, lower, upper }: RangeValue): void => {
      for (const end of empty ? [] : [lower, upper]) if (end !== null) bound(end);
    };
    return (value) => {
      if (value instanceof RangeValue) ends(value);
      else if (value instanceof MultirangeValue) for (const each of value.ranges) ends(each);
    };
  }
  const element = type.element === null || type.element.oid === 0 ? null : valueRules(type.element);
  if (element === null) return null;
  return (value) => {
    if (value instanceof ArrayValue) for (const each of value.elements) element(each);
  };
}

/** A type with the same oid as another world or moment defines it, with other labels, constraints or fields: its values are converted through text. */
export function isOfAnotherState(from: SqlType, to: SqlType): boolean {
  if (from === to || to.oid < FIRST_OWN_OID || from.name === 'unknown') return false;
  return valueRules(to) !== null || columnsOf(from)?.length !== columnsOf(to)?.length;
}
