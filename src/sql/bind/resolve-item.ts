/** A literal in a select list that is grouped or sorted by becomes text, even if the enclosing query would infer another type. */
import type { Bound } from '../plan/bound.ts';
import type { Binder } from './binder.ts';
import type { Item } from './select.ts';

/** Coerces the item in the list; gives its value. */
export function resolveItem(binder: Binder, items: Item[], position: number): Bound {
  const item = items[position];
  const value = binder.coercion.resolveUnknown(item.value, item.at);
  items[position] = { ...item, value };
  return value;
}
