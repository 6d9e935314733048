/** Built-in functions and operators: DROP refuses them, and comments on them are not stored. */
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { ObjectName } from '../ast/define.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { argumentTypes } from './create-function.ts';
import type { SqlSession } from './sql-session.ts';

type Routine = 'function' | 'procedure' | 'routine' | 'aggregate' | 'operator';

/** As messages name it, `now()` and `+(integer,integer)`; null: there is no such built-in function or operator. */
export function systemRoutine(session: SqlSession, kind: Routine, object: ObjectName): string | null {
  const { definitions } = session.system;
  const types = argumentTypes(session, object.args);
  // No built-in function takes a user-defined type.
  if (types === null || kind === 'procedure' || types.some((oid) => oid >= FIRST_OWN_OID)) return null;
  const titles = types.map((oid) => session.schema().typeByOid(oid)?.title ?? '');
  const last = object.name.length - 1;
  const written = object.name.map((part, i) => (kind === 'operator' && i === last ? part : quoteIdentifier(part))).join('.');
  const all = kind === 'operator' && titles.length === 1 ? ['NONE', ...titles] : titles;
  const text = `${written}(${all.join(',')})`;
  const oid = kind === 'operator' ? definitions.operatorSignatureOid(text) : definitions.procedureOid(text);
  if (oid === null || oid >= FIRST_OWN_OID) return null;
  return kind === 'operator' ? definitions.operatorSignature(oid) : definitions.procedureName(oid);
}

export function refuseToDropSystem(session: SqlSession, kind: Routine, object: ObjectName): void {
  const name = systemRoutine(session, kind, object);
  if (name === null) return;
  const word = kind === 'operator' ? kind : 'function';
  throw new SvcError('2BP01', `cannot drop ${word} ${name} because it is required by the database system`);
}

/** Whether a comment is on a built-in one: it is accepted and not stored. 42501 unless a superuser. */
export function commentsOnSystem(session: SqlSession, kind: Routine, object: ObjectName): boolean {
  if (systemRoutine(session, kind, object) === null) return false;
  const last = object.name[object.name.length - 1];
  if (!session.authority.free) throw new SvcError('42501', `must be owner of ${kind === 'operator' ? kind : 'function'} ${last}`);
  return true;
}
