/** A literal in a select list that rows are grouped or sorted by is a text, whatever the query around this one would have made of it. */
import type { Bound } from '../plan/bound.ts';
import type { Binder } from './binder.ts';
import type { Item } from './select.ts';

/** Settles the item where it stands; its value. */
export function settleItem(binder: Binder, items: Item[], position: number): Bound {
  const item = items[position];
  const value = binder.coercion.settle(item.value, item.at);
  items[position] = { ...item, value };
  return value;
}
