/**
 * The scope of expressions that are stored with a table: checks, defaults, generated columns. It is shared by all expressions over
 * the same columns: a thousand checks over a thousand columns would otherwise make a million entries.
 */
import type { Bound } from '../plan/bound.ts';
import type { OutputColumn } from '../plan/logical.ts';
import type { SqlType } from '../types/type.ts';
import type { Binder } from './binder.ts';

interface StoredColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
}

export interface StoredScope {
  readonly columns: readonly OutputColumn[];
  readonly visible: readonly { readonly name: string; readonly value: Bound }[];
}

interface Made extends StoredScope {
  /** The columns it was created from: the list may have changed since. */
  readonly of: readonly StoredColumn[];
}

const made = new WeakMap<readonly StoredColumn[], Made>();

/** Ids are the positions in the list, from 1 on. `binder` must not have assigned any yet. */
export function storedScope(binder: Binder, list: readonly StoredColumn[]): StoredScope {
  binder.tookIds(list.length);
  let found = made.get(list);
  if (found === undefined || found.of.length !== list.length || !list.every((column, i) => column === found!.of[i])) {
    const columns = list.map(({ name, type, typmod }, i): OutputColumn => ({ id: i + 1, name, type, typmod }));
    found = { of: list.slice(), columns, visible: columns.map((column) => ({ name: column.name, value: binder.use(column) })) };
    made.set(list, found);
  }
  return found;
}
