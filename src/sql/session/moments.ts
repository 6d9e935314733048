/** Values of expressions after AS OF, computed at bind time, since they decide the state in which names are resolved. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import { plainSelect } from '../ast/plain-select.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { ArgumentNames, Binder, Moments } from '../bind/binder.ts';
import type { Bound } from '../plan/bound.ts';
import { visitBound } from '../plan/rules/walk.ts';
import { STORED } from '../types/environment.ts';
import type { Value } from '../types/value.ts';
import { InnerRun } from './inner-run.ts';
import type { SqlSession } from './sql-session.ts';

/** Other clients wait while it is computed. */
const LONGEST_MS = 100;

const TIME: TypeName = { schema: 'pg_catalog', name: 'timestamptz', typmods: [], arrayBounds: [], setOf: false, columnOf: null, at: 0 };

export class SessionMoments implements Moments {
  readonly #session: SqlSession;
  readonly #values: readonly Value[] | null;
  readonly #arguments: ArgumentNames | null;

  /** `values`: of the statement's parameters; null: not known yet. */
  constructor(session: SqlSession, values: readonly Value[] | null, names: ArgumentNames | null = null) {
    this.#session = session;
    this.#values = values;
    this.#arguments = names;
  }

  value(binder: Binder, expression: Expression, bound: Bound): string | null {
    if (this.#values === null && namesParameter(bound)) return null;
    const session = this.#session;
    const isTime = bound.type.name === 'timestamptz';
    const query = plainSelect([{ value: isTime ? { type: 'cast', arg: expression, to: TIME, at: 0 } : expression, alias: null, at: 0 }], [], null, 0);
    const types = this.#values === null ? [] : binder.coercion.parameters.types.map((type) => type ?? binder.type('text'));
    const prepared = this.#arguments === null ? session.prepare(query, types, true) : session.prepareIn(query, types, this.#arguments);
    const run = new InnerRun(session, prepared, this.#values ?? [], 1);
    const limit = performance.now() + LONGEST_MS;
    try {
      while (run.next() !== null) {
        if (performance.now() > limit) {
          throw new SvcError('54001', 'the expression behind AS OF takes too long', { hint: 'Compute the moment first, and give it as a parameter.' });
        }
      }
      const value = run.finish()[0]?.[0] ?? null;
      if (value === null) throw new SvcError('22004', 'the moment behind AS OF is null');
      return isTime ? String(bound.type.json(value, STORED)) : String(value);
    } finally {
      run.close();
    }
  }
}

function namesParameter(bound: Bound): boolean {
  let any = false;
  visitBound(bound, ({ kind }) => {
    any ||= kind === 'parameter';
  });
  return any;
}

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?$/;

/** A time without a zone is in the session's TimeZone. 22008 for an invalid date. */
export function inZone(session: SqlSession, when: string): string {
  if (!WITHOUT_ZONE.test(when)) return when;
  const type = session.host.registry.type('timestamptz');
  return String(type.json(type.parse(when, -1, session.env), STORED));
}
