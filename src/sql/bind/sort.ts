/** ORDER BY keys inside aggregates and windows: expressions, with direction and place of nulls. */
import type { SortKey } from '../ast/query.ts';
import type { Bound, BoundSort } from '../plan/bound.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression } from './expression.ts';
import type { Scope } from './scope.ts';

export function bindSortKeys(binder: Binder, keys: readonly SortKey[], scope: Scope): readonly BoundSort[] {
  return keys.map((key) => {
    const value = binder.coercion.settle(bindExpression(binder, key.value, scope), key.at);
    return sortOf(binder, key, binder.collations === null ? value : binder.collations.key(value, binder.collations.of(key.value)));
  });
}

export function sortOf(_binder: Binder, key: SortKey, value: Bound): BoundSort {
  if (!value.type.ordered) {
    fail('42883', `could not identify an ordering operator for type ${value.type.title}`, key.at, {
      hint: 'Use an explicit ordering operator or modify the query.',
    });
  }
  let descending = key.direction === 'desc';
  if (key.direction === 'using') {
    const name = key.operator?.name;
    if (name !== '<' && name !== '>') {
      fail('42809', `operator ${name} is not a valid ordering operator`, key.at, {
        hint: 'Ordering operators must be "<" or ">" members of btree operator families.',
      });
    }
    descending = name === '>';
  }
  return { value, descending, nullsFirst: key.nulls === 'default' ? descending : key.nulls === 'first' };
}
