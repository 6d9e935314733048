/**
 * PL/pgSQL calls outside a session: defaults, checks and generated columns of rows written by HTTP, merge, undo or rebase. They run
 * in a session of their own over the candidate state's definitions, confined like merge checks, and see their arguments only: rows
 * of that state do not exist yet, so relations are refused.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import type { Value } from '../types/value.ts';
import { callFunction } from './function-call.ts';
import type { SqlSession } from './sql-session.ts';

/** A session over a state with these definitions, and its release. */
export type OpenSession = (schema: Schema) => { readonly session: SqlSession; close(): void };

const openers = new WeakMap<Pager, OpenSession>();

/** The pager identifies the database. */
export function runsCallsOf(pager: Pager, open: OpenSession): void {
  openers.set(pager, open);
}

/** An endless function must not block the event loop. */
const TURN_MS = 2000;

/** The session lasts for one turn of the event loop, so a statement over many rows opens one. */
const opened = new WeakMap<Schema, SqlSession>();

function sessionFor(schema: Schema, pager: Pager): SqlSession | null {
  const known = opened.get(schema);
  if (known !== undefined) return known;
  const made = openers.get(pager)?.(schema);
  if (made === undefined) return null;
  made.session.endsWithin(TURN_MS);
  opened.set(schema, made.session);
  setImmediate(() => {
    opened.delete(schema);
    made.close();
  });
  return made.session;
}

export function callWithoutSession(schema: Schema, pager: Pager, { object, inputs, returns }: UserFunction, args: readonly Value[]): Value {
  const session = sessionFor(schema, pager);
  if (session === null) throw new SvcError('0A000', `function ${object.name} needs a statement of SQL to run in`);
  const types = inputs.map(({ type }) => type);
  return callFunction(session, object.number, args, types, returns)[0][0];
}
