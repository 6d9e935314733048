/** ORDER BY keys inside aggregates and windows: expressions, with direction and position of nulls. */
import { writtenStartOf } from '../ast/start-of.ts';
import type { SortKey } from '../ast/query.ts';
import type { Call } from '../functions/define.ts';
import type { Bound, BoundSort } from '../plan/bound.ts';
import { RecordValue } from '../types/record-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { type Binder, fail, type Ordering } from './binder.ts';
import { bindExpression } from './expression.ts';
import { madeCall } from './made-call.ts';
import { operatorOf } from './operator.ts';
import type { Scope } from './scope.ts';

export function bindSortKeys(binder: Binder, keys: readonly SortKey[], scope: Scope): readonly BoundSort[] {
  return keys.map((key) => {
    const value = binder.coercion.resolveUnknown(bindExpression(binder, key.value, scope), key.at);
    return sortOf(binder, key, binder.collations === null ? value : binder.collations.key(value, binder.collations.of(key.value)));
  });
}

export function sortOf(binder: Binder, key: SortKey, value: Bound): BoundSort {
  const ordering = key.direction === 'using' ? orderingUsed(binder, key, value.type) : key.direction;
  const descending = typeof ordering === 'string' ? ordering === 'desc' : ordering.descending;
  const nullsFirst = key.nulls === 'default' ? descending : key.nulls === 'first';
  if (typeof ordering !== 'string') return { value: orderedBy(binder, value, ordering), descending, nullsFirst };
  if (!value.type.ordered) {
    const own = binder.names.standardOrdering?.(value.type) ?? null;
    if (own !== null) return { value: orderedBy(binder, value, own), descending, nullsFirst };
    fail('42883', `could not identify an ordering operator for type ${value.type.title}`, writtenStartOf(key.value), {
      hint: 'Use an explicit ordering operator or modify the query.',
    });
  }
  return { value, descending, nullsFirst };
}

/** Built-in operators that follow the order of their types, including those of text_pattern_ops and record_image_ops. */
const DIRECTIONS: Readonly<Record<string, 'asc' | 'desc'>> = { '<': 'asc', '>': 'desc', '~<~': 'asc', '~>~': 'desc', '*<': 'asc', '*>': 'desc' };

/** 42883 for a missing operator, 42809 for one that is no ordering operator. */
function orderingUsed(binder: Binder, key: SortKey, type: SqlType): 'asc' | 'desc' | Ordering {
  const { schema, name } = key.operator!;
  const { own } = operatorOf(binder, name, type, key.at, schema);
  if (own === undefined && Object.hasOwn(DIRECTIONS, name)) return DIRECTIONS[name];
  const ordering = own === undefined ? null : (binder.names.ordering?.(own) ?? null);
  if (ordering !== null) return ordering;
  return fail('42809', `operator ${name} is not a valid ordering operator`, key.at, {
    hint: 'Ordering operators must be "<" or ">" members of btree operator families.',
  });
}

/** The value as the single field of a row with the given order. */
function orderedBy(binder: Binder, value: Bound, { compare }: Ordering): Bound {
  const types = new WeakMap<Call, readonly SqlType[]>();
  const fieldOf = (call: Call): readonly SqlType[] => {
    const inside: Call = { env: call.env, argTypes: [value.type, value.type], returnType: binder.type('int4') };
    const order = (a: Value, b: Value): number => Number((compare.needsCall === true ? compare.impl(inside, a, b) : compare.impl(a, b)) ?? 0);
    return [{ ...value.type, ordered: true, compare: order }];
  };
  return madeCall(binder, 'ordering', 'record', [value], (call, each) => {
    if (each === null) return null;
    let field = types.get(call);
    if (field === undefined) types.set(call, (field = fieldOf(call)));
    return new RecordValue([each], field);
  });
}
