/** CREATE and DROP CAST. Manual, CREATE CAST. */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { declaredName } from '../bind/declared-type.ts';
import type { CastObject } from '../../worlds/definition.ts';
import type { CreateCast, ObjectName } from '../ast/define.ts';
import { bindTypeName } from '../bind/type-name.ts';
import type { UserCast } from '../schema/schema.ts';
import { formOf } from '../types/base-type.ts';
import type { SqlType } from '../types/type.ts';
import { argumentTypes } from './create-function.ts';
import { binderOf } from './define-table.ts';
import { define } from './define.ts';
import { sameForm } from './internal-function.ts';
import { mustUseType } from './ownership.ts';
import type { StatementResult } from './results.ts';
import { routineFor } from './routine-reference.ts';
import type { SqlSession } from './sql-session.ts';

export function runCreateCast(session: SqlSession, statement: CreateCast): StatementResult {
  session.startStatement();
  const binder = binderOf(session);
  const { registry } = session.host;
  const from = bindTypeName(binder, statement.from).type;
  const to = bindTypeName(binder, statement.to).type;
  for (const [type, title] of [
    [from, 'source'],
    [to, 'target'],
  ] as const) {
    if (type.category === 'P') throw new SvcError('42809', `${title} data type ${type.title} is a pseudo-type`);
  }
  mustOwnOneOf(session, [from, to]);
  for (const type of [from, to]) mustUseType(session, type);
  for (const [type, title] of [
    [from, 'source'],
    [to, 'target'],
  ] as const) {
    if (type.domain !== null) session.notice('42809', `cast will be ignored because the ${title} data type is a domain`, 'WARNING');
  }
  const { method } = statement;
  let routine: CastObject['routine'] = null;
  let args = 0;
  if (method === 'function') {
    const written = statement.routine!;
    const schema = session.schema();
    const types = (argumentTypes(session, written.args) ?? [from.oid]).map((oid) => schema.typeByOid(oid)!);
    const found = routineFor(session, written.name, types);
    const invalid = (message: string): SvcError => new SvcError('42P17', message);
    if (types.length < 1 || types.length > 3) throw invalid('cast function must take one to three arguments');
    if (!isSame(from, types[0])) throw invalid('argument of cast function must match or be binary-coercible from source data type');
    if (types.length > 1 && types[1].name !== 'int4') throw invalid('second argument of cast function must be type integer');
    if (types.length > 2 && types[2].name !== 'bool') throw invalid('third argument of cast function must be type boolean');
    if (!isSame(found.returns, to)) throw invalid('return data type of cast function must match or be binary-coercible to target data type');
    routine = found.reference;
    args = types.length;
  } else if (method === 'binary') {
    // Two types are binary-compatible only if the engine stores them alike.
    const [one, other] = [from, to].map((type) => (type.made === undefined ? type : formOf(type)));
    const isMade = from.made !== undefined || to.made !== undefined;
    const fits = isMade ? sameForm(registry, one, other) : one.repr === other.repr && one.element === null && other.element === null;
    if (!fits || one.oid >= FIRST_OWN_OID || other.oid >= FIRST_OWN_OID) {
      throw new SvcError('42P17', 'source and target data types are not physically compatible');
    }
  }
  if (from.oid === to.oid && method !== 'function') throw new SvcError('42P17', 'source data type and target data type are the same');
  const object: CastObject = { what: 'cast', number: 0, from: from.oid, to: to.oid, context: statement.context, method, routine, args };
  return define(session, 'CREATE CAST', (ddl) => {
    if (registry.cast(declaredName(from), declaredName(to)) !== undefined || castBetween(ddl.schema.casts.values(), from.oid, to.oid) !== null) {
      throw new SvcError('42710', `cast from type ${from.title} to type ${to.title} already exists`);
    }
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });

  function isSame(a: SqlType, b: SqlType): boolean {
    return a.oid === b.oid || registry.cast(declaredName(a), declaredName(b))?.method === 'binary';
  }
}

/** To create or drop a cast one must own one of its types. */
function mustOwnOneOf(session: SqlSession, [from, to]: readonly SqlType[]): void {
  const { authority } = session;
  if (authority.free) return;
  const privileges = authority.privileges(session.schema());
  if ([from, to].some(({ oid }) => oid >= FIRST_OWN_OID && privileges.owns(authority.role, oid))) return;
  throw new SvcError('42501', `must be owner of type ${from.title} or type ${to.title}`);
}

export function castBetween(casts: Iterable<UserCast>, from: number, to: number): UserCast | null {
  for (const each of casts) if (each.object.from === from && each.object.to === to) return each;
  return null;
}

/** The cast between two types; null with their names if there is none. 42704 for missing types, 2BP01 for dropping a built-in cast. */
export function castNamed(
  session: SqlSession,
  object: ObjectName,
  drops = true,
): { readonly found: UserCast | null; readonly isSystem: boolean; readonly shown: string } {
  const schema = session.schema();
  const [from, to] = (argumentTypes(session, object.args) ?? []).map((oid) => schema.typeByOid(oid)!);
  const found = castBetween(schema.casts.values(), from.oid, to.oid);
  if (found !== null) mustOwnOneOf(session, [from, to]);
  const isSystem = found === null && session.host.registry.cast(declaredName(from), declaredName(to)) !== undefined;
  if (drops && isSystem) {
    throw new SvcError('2BP01', `cannot drop cast from ${from.title} to ${to.title} because it is required by the database system`);
  }
  return { found, isSystem, shown: `cast from type ${from.title} to type ${to.title}` };
}
