/** Looks up operator classes and families by the names in statements: `{ method, schema?, name }`. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { OperatorClassObject, OperatorFamilyObject } from '../../worlds/definition.ts';
import type { ObjectName } from '../ast/define.ts';
import { groupNamed, type GroupKind, groupsOf, type OperatorGroup, standardClass } from '../catalog/operator-groups.ts';
import type { Ddl } from '../schema/ddl.ts';
import { dropObjects } from '../schema/drop.ts';
import { type Method, methodNamed } from '../schema/index-methods.ts';
import { mustAccept } from '../schema/operator-strategies.ts';
import { mustBeMovable } from '../schema/object-errors.ts';
import type { SqlType } from '../types/type.ts';
import { missingObject } from './missing-objects.ts';
import { define } from './define.ts';
import { mustCreateIn, mustOwn } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

type Own = OperatorClassObject | OperatorFamilyObject;

export function isGroupKind(kind: string): kind is GroupKind {
  return kind === 'operator class' || kind === 'operator family';
}

/** 42704 if there is none, 3F000 if its schema is missing. */
export function groupOf(session: SqlSession, kind: GroupKind, method: string, name: readonly string[]): OperatorGroup {
  methodNamed(method);
  const found = groupNamed(session.schema(), kind, method, name, session.system.schemas(true));
  if (found !== null) return found;
  throw absent(session, kind, [method, ...name]);
}

function absent(session: SqlSession, kind: GroupKind, parts: readonly string[]): SvcError {
  const text = missingObject(session, kind, { name: [...parts], args: null, dataType: null });
  return new SvcError(text.startsWith('schema ') ? '3F000' : '42704', text);
}

/** Whether it is a built-in one; throws unless the role is a superuser, since built-in ones have no other owner. */
export function isSystemGroup(session: SqlSession, kind: GroupKind, { name: [method, ...name] }: ObjectName): boolean {
  const { number } = groupOf(session, kind, method, name);
  return session.authority.free && !session.schema().plain.of(kind).has(number);
}

/** A user-defined one that the role owns: 42704, 42501. */
export function ownGroup(session: SqlSession, kind: GroupKind, { name: [method, ...name] }: ObjectName): Own {
  const { number, name: last } = groupOf(session, kind, method, name);
  const own = session.schema().plain.of(kind).get(number);
  if (own === undefined) throw new SvcError('42501', `must be owner of ${kind} ${last}`);
  mustOwn(session, kind, number, last);
  return own;
}

/** 42710. */
export function refuseTakenGroup(session: SqlSession, kind: GroupKind, { schema, name, method }: Omit<OperatorGroup, 'number'>, where = ''): void {
  for (const each of groupsOf(session.schema(), kind)) {
    if (each.schema === schema && each.name === name && each.method === method)
      throw new SvcError('42710', `${kind} "${name}" for access method "${method}" already exists${where}`);
  }
}

export function renameGroup(session: SqlSession, ddl: Ddl, kind: GroupKind, object: ObjectName, to: string): void {
  const own = ownGroup(session, kind, object);
  refuseTakenGroup(session, kind, { ...own, name: to }, ` in schema "${own.schema}"`);
  mustCreateIn(session, own.schema);
  ddl.put({ ...own, name: to });
}

export function moveGroup(session: SqlSession, ddl: Ddl, kind: GroupKind, object: ObjectName, schema: string): void {
  const own = ownGroup(session, kind, object);
  mustBeMovable(ddl.schema, own.schema, schema);
  mustCreateIn(session, schema);
  if (schema !== own.schema) refuseTakenGroup(session, kind, { ...own, schema }, ` in schema "${schema}"`);
  ddl.put({ ...own, schema });
}

export function dropGroups(session: SqlSession, kind: GroupKind, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean): StatementResult {
  session.startStatement();
  return define(session, `DROP ${kind.toUpperCase()}`, (ddl) => {
    const targets: { kind: GroupKind; number: number }[] = [];
    for (const object of objects) {
      const [method, ...name] = object.name;
      methodNamed(method);
      const found = groupNamed(ddl.schema, kind, method, name, session.system.schemas(true));
      if (found === null) {
        if (!ifExists) throw absent(session, kind, object.name);
        ddl.notice('00000', `${missingObject(session, kind, object)}, skipping`);
        continue;
      }
      if (!ddl.schema.plain.of(kind).has(found.number))
        throw new SvcError('2BP01', `cannot drop ${kind} ${found.name} for access method ${method} because it is required by the database system`);
      mustOwn(session, kind, found.number, object.name.join('.'));
      targets.push({ kind, number: found.number });
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}

/** Number of the user-defined operator class of an index over the type, if any. 42804 for a class of another type. */
export function ownClassFor(session: SqlSession, method: Method, type: SqlType, given: readonly string[] | null): number | null {
  const schema = session.schema();
  const root = type.domain === null ? type : type.domain.root;
  if (given === null) return standardClass(schema, method, root.oid)?.number ?? null;
  const found = groupNamed(schema, 'operator class', method, given, session.system.schemas(true));
  const own = found === null ? undefined : schema.plain.of('operator class').get(found.number);
  if (own === undefined) return null;
  mustAccept(schema, own.number, type);
  return own.number;
}
