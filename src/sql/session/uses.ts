/** Numbers of the objects that a statement uses, as dependencies of a definition. Objects reached through views are dependencies of the view. */
import type { FunctionObject } from '../../worlds/definition.ts';
import type { Schema } from '../schema/schema.ts';
import type { Access } from './check-access.ts';

export class Uses {
  readonly #schema: Schema;
  readonly #columns = new Map<number, Set<number>>();

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  add(access: Access): void {
    for (const { relation, kind, as, selected, inserted, updated } of access.relations) {
      if (as !== null || kind.startsWith('system')) continue;
      const own = this.#of(relation);
      const table = this.#schema.tables.get(relation);
      for (const { attnum, number } of table?.columns ?? []) {
        if (selected.has(attnum) || inserted.has(attnum) || updated.has(attnum)) own.add(number);
      }
    }
    for (const { user } of access.calls) if (user !== undefined) this.#of(user);
  }

  /** A relation, and one of its columns; null for a view. */
  column(relation: number, column: number | null): void {
    const own = this.#of(relation);
    if (column !== null) own.add(column);
  }

  #of(object: number): Set<number> {
    let own = this.#columns.get(object);
    if (own === undefined) this.#columns.set(object, (own = new Set()));
    return own;
  }

  without(itself: number): NonNullable<FunctionObject['uses']> {
    return [...this.#columns].flatMap(([object, columns]) => (object === itself ? [] : [{ object, columns: [...columns] }]));
  }
}
