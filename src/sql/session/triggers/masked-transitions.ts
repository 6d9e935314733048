/**
 * OLD, NEW and transition tables for trigger functions in sessions that see masks: a function may belong to another user, or expose
 * its arguments. Values that the statement itself provides are shown as they are; columns that it does not set keep their stored
 * values, even if a BEFORE trigger changes the mask.
 */
import { Binder } from '../../bind/binder.ts';
import { maskOf } from '../../bind/mask.ts';
import { Compilation } from '../../exec/compilation.ts';
import type { Bound } from '../../plan/bound.ts';
import type { Value } from '../../types/value.ts';
import { execContext } from '../exec-context.ts';
import { isMasked } from '../ownership.ts';
import type { SqlSession } from '../sql-session.ts';
import type { ReadyTrigger } from './table-triggers.ts';

type Row = readonly Value[];

/** Of one table. */
export class MaskedTransitions {
  /** By column index; false: not masked. */
  readonly #masked: readonly boolean[];
  readonly #values: (session: SqlSession, row: Row) => Value[];
  readonly #same: (index: number, a: Value, b: Value) => boolean;

  private constructor(masked: readonly boolean[], values: (session: SqlSession, row: Row) => Value[], same: (index: number, a: Value, b: Value) => boolean) {
    this.#masked = masked;
    this.#values = values;
    this.#same = same;
  }

  static make(session: SqlSession, { on }: ReadyTrigger): MaskedTransitions | null {
    const table = session.schema().tables.get(on.number);
    if (table === undefined || !isMasked(session, table)) return null;
    const binder = new Binder(session.names(), session.host.registry, session.env, { types: [], fixed: true });
    binder.stored = true;
    const columns = table.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod));
    const value = (index: number): Bound => binder.use(columns[index]);
    const masks = table.columns.map((_, index) => maskOf(binder, table, index, value));
    if (masks.every((mask) => mask === null)) return null;
    const compilation = new Compilation();
    const fn = compilation.scalars(
      masks.map((mask, index) => mask ?? value(index)),
      columns,
    );
    const types = table.columns.map(({ type }) => type);
    return new MaskedTransitions(
      masks.map((mask) => mask !== null),
      (own, row) => fn(compilation.newRun(execContext(own, [], null)), [...row]),
      (index, a, b) => a === b || (a !== null && b !== null && types[index].format(a, session.env) === types[index].format(b, session.env)),
    );
  }

  /** The row with all masks applied. */
  shown(session: SqlSession, row: Row): Row {
    return this.#values(session, row);
  }

  /** The row with the statement's own values, and the rest masked. */
  shownNew(session: SqlSession, old: Row, row: Row): Row {
    const masked = this.#values(session, row);
    return row.map((value, i) => (this.#masked[i] && this.#same(i, old[i], value) ? masked[i] : value));
  }

  /** The row that a BEFORE trigger returned, with the values that it was not shown. */
  restored(old: Row, row: Row, given: Row): Row {
    return given.map((value, i) => (this.#masked[i] && this.#same(i, old[i], row[i]) ? row[i] : value));
  }
}

const made = new WeakMap<ReadyTrigger, Map<string, MaskedTransitions | null>>();

/** null if nothing in the table is masked for the session, nor for the authors of the trigger and its function. */
export function maskedTransitions(session: SqlSession, trigger: ReadyTrigger, fn: number): MaskedTransitions | null {
  const schema = session.schema();
  if (schema.labels.size === 0) return null;
  const author = schema.authors.get(trigger.on.number) ?? schema.authors.get(fn);
  if (session.authority.unmasked && author === undefined) return null;
  let byReader = made.get(trigger);
  if (byReader === undefined) made.set(trigger, (byReader = new Map()));
  const key = session.planKey();
  let found = byReader.get(key);
  if (found === undefined) byReader.set(key, (found = MaskedTransitions.make(session, trigger)));
  return found;
}
