/** What has been made ready for calls, and that no call is using: kept a session and a function or trigger, for the next one. */
import type { SqlSession } from '../sql-session.ts';

/** Of one function or trigger: calls inside one another each need their own. */
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

  /** Back after the call; the one that has waited longest gives way. */
  give(list: T[], one: T): void {
    if (list.length >= IDLE_MAX) list.shift();
    list.push(one);
  }
}
