/** Objects whose names are in no schema, publications and event triggers: found, renamed and dropped by name. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { EventTriggerObject, PublicationObject } from '../../worlds/definition.ts';
import type { ObjectName } from '../ast/define.ts';
import type { Ddl } from '../schema/ddl.ts';
import { dropObjects } from '../schema/drop.ts';
import type { Schema } from '../schema/schema.ts';
import { define } from './define.ts';
import { mustOwn } from './ownership.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

interface Unscoped {
  readonly publication: PublicationObject;
  readonly 'event trigger': EventTriggerObject;
}
type UnscopedKind = keyof Unscoped;

function find<K extends UnscopedKind>(schema: Schema, kind: K, name: string): Unscoped[K] | null {
  const all: Iterable<Unscoped[UnscopedKind]> = schema.plain.of<UnscopedKind>(kind).values();
  for (const each of all) if (each.name === name) return each as Unscoped[K];
  return null;
}

/** 42710. */
export function refuseTaken(schema: Schema, kind: UnscopedKind, name: string): void {
  if (find(schema, kind, name) !== null) throw new SvcError('42710', `${kind} "${name}" already exists`);
}

/** 42704. */
export function unscopedNamed<K extends UnscopedKind>(session: SqlSession, kind: K, name: string): Unscoped[K] {
  const found = find(session.schema(), kind, name);
  if (found === null) throw new SvcError('42704', `${kind} "${name}" does not exist`);
  return found;
}

/** 42704, 42501. */
export function ownUnscoped<K extends UnscopedKind>(session: SqlSession, kind: K, name: string): Unscoped[K] {
  const found = unscopedNamed(session, kind, name);
  mustOwn(session, kind, found.number, name);
  return found;
}

export function renameUnscoped(session: SqlSession, ddl: Ddl, kind: UnscopedKind, name: string, to: string): void {
  const found = ownUnscoped(session, kind, name);
  refuseTaken(ddl.schema, kind, to);
  ddl.put({ ...found, name: to });
}

export function dropUnscoped(session: SqlSession, kind: UnscopedKind, objects: readonly ObjectName[], ifExists: boolean, cascade: boolean): StatementResult {
  session.startStatement();
  return define(session, `DROP ${kind.toUpperCase()}`, (ddl) => {
    const targets: { kind: UnscopedKind; number: number }[] = [];
    for (const {
      name: [name],
    } of objects) {
      if (ifExists && find(ddl.schema, kind, name) === null) ddl.notice('00000', `${kind} "${name}" does not exist, skipping`);
      else targets.push({ kind, number: ownUnscoped(session, kind, name).number });
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}
