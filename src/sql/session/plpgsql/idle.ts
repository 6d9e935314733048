/** Prepared calls that are not in use: kept per session and function or trigger, for reuse. */
import type { SqlSession } from '../sql-session.ts';

/** Entries of one function or trigger: recursive calls each need their own. */
const IDLE_MAX = 4;

export class Idle<T> {
  readonly #lists = new WeakMap<SqlSession, WeakMap<object, T[]>>();

  of(session: SqlSession, owner: object): T[] {
    let known = this.#lists.get(session);
    if (known === undefined) this.#lists.set(session, (known = new WeakMap()));
    let list = known.get(owner);
    if (list === undefined) known.set(owner, (list = []));
    return list;
  }

  /** Returns an entry after the call; the oldest is dropped. */
  give(list: T[], one: T): void {
    if (list.length >= IDLE_MAX) list.shift();
    list.push(one);
  }
}
