/** User-defined functions for the binder to inline. */
import type { Statement } from '../ast/statement.ts';
import type { FunctionBodies } from '../bind/inline-functions.ts';
import type { SqlFunction } from '../functions/define.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import { bodyOf } from './function-call.ts';
import type { SqlSession } from './sql-session.ts';

export class SessionBodies implements FunctionBodies {
  readonly #session: SqlSession;
  readonly #schema: Schema | null;

  /** `schema`: of another state than the session's. */
  constructor(session: SqlSession, schema: Schema | null = null) {
    this.#session = session;
    this.#schema = schema;
  }

  /** Code of an agent is not inlined: the call is limited to the agent's rights at run time. */
  find(number: number): UserFunction | undefined {
    const { authors, functions } = this.#schema ?? this.#session.schema();
    return authors.has(number) ? undefined : functions.get(number);
  }

  statements(fn: UserFunction): readonly Statement[] {
    return bodyOf(this.#session, fn);
  }

  mayCall(fn: SqlFunction): boolean {
    const { authority, system } = this.#session;
    if (authority.free) return true;
    const privileges = authority.privileges(this.#session.schema());
    const held = (number: number): boolean => privileges.held(authority.role, 'f', number, PRIVILEGE.EXECUTE) !== 0;
    if (fn.user !== undefined) return held(fn.user);
    return [...privileges.schema.systemRights].every((oid) => system.definitions.functionAt(oid) !== fn || held(oid));
  }
}
