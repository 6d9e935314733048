/**
 * REFERENCING OLD TABLE and NEW TABLE: changed rows as relations for the trigger function's queries. There is one relation per
 * trigger, so that plans can be reused; its rows are those of the current call.
 */
import type { VirtualRelation } from '../../plan/logical.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { SessionNames } from '../names.ts';

export type TransitionRows = readonly (readonly Value[])[];

export class TransitionTable implements VirtualRelation {
  readonly oid = 0;
  readonly schema = '';
  readonly name: string;
  readonly columns: VirtualRelation['columns'];
  readonly hashed: readonly number[] = [];
  readonly live = true;
  list: TransitionRows = [];

  constructor(name: string, columns: readonly { readonly name: string; readonly type: SqlType }[]) {
    this.name = name;
    this.columns = columns.map(({ name: own, type }) => ({ name: own, type }));
  }

  rows(): TransitionRows {
    return this.list;
  }

  find(): TransitionRows {
    return this.list;
  }

  estimate(): number {
    return this.list.length;
  }
}

/** The tables that the running trigger function sees, by name. */
export class TransitionTables {
  /** Part of the key of plans. */
  readonly key: string;
  readonly #tables: ReadonlyMap<string, TransitionTable>;
  readonly #names = new WeakMap<SessionNames, SessionNames>();

  constructor(trigger: number, tables: readonly TransitionTable[]) {
    this.key = `t${trigger}`;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  over(names: SessionNames): SessionNames {
    let known = this.#names.get(names);
    if (known === undefined) this.#names.set(names, (known = names.beside(this.#tables)));
    return known;
  }
}
