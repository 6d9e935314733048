/** Objects outside schemas: publications, subscriptions, event triggers, foreign-data wrappers and servers. Found, renamed and dropped by name. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { EventTriggerObject, PublicationObject, ServerObject, SubscriptionObject, WrapperObject } from '../../worlds/definition.ts';
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
  readonly subscription: SubscriptionObject;
  readonly 'event trigger': EventTriggerObject;
  readonly 'foreign data wrapper': WrapperObject;
  readonly server: ServerObject;
}
export type UnscopedKind = keyof Unscoped;

const KINDS: ReadonlySet<string> = new Set<UnscopedKind>(['publication', 'subscription', 'event trigger', 'foreign data wrapper', 'server']);

export function isUnscoped(kind: string): kind is UnscopedKind {
  return KINDS.has(kind);
}

/** The kind's name in errors. */
function title(kind: UnscopedKind): string {
  return kind === 'foreign data wrapper' ? 'foreign-data wrapper' : kind;
}

/** The kind's name in errors about ownership and privileges. */
export function ownedTitle(kind: UnscopedKind): string {
  return kind === 'server' ? 'foreign server' : title(kind);
}

export function findUnscoped<K extends UnscopedKind>(schema: Schema, kind: K, name: string): Unscoped[K] | null {
  const all: Iterable<Unscoped[UnscopedKind]> = schema.plain.of<UnscopedKind>(kind).values();
  for (const each of all) if (each.name === name) return each as Unscoped[K];
  return null;
}

/** 42710. */
export function refuseTaken(schema: Schema, kind: UnscopedKind, name: string): void {
  if (findUnscoped(schema, kind, name) !== null) throw new SvcError('42710', `${title(kind)} "${name}" already exists`);
}

/** 42704. */
export function unscopedNamed<K extends UnscopedKind>(session: SqlSession, kind: K, name: string): Unscoped[K] {
  const found = findUnscoped(session.schema(), kind, name);
  if (found === null) throw new SvcError('42704', `${title(kind)} "${name}" does not exist`);
  return found;
}

/** 42704, 42501. */
export function ownUnscoped<K extends UnscopedKind>(session: SqlSession, kind: K, name: string): Unscoped[K] {
  const found = unscopedNamed(session, kind, name);
  mustOwn(session, ownedTitle(kind), found.number, name);
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
      if (ifExists && findUnscoped(ddl.schema, kind, name) === null) ddl.notice('00000', `${title(kind)} "${name}" does not exist, skipping`);
      else {
        const own = ownUnscoped(session, kind, name);
        refusePart(own);
        targets.push({ kind, number: own.number });
      }
    }
    if (targets.length > 0) dropObjects(ddl, targets, cascade);
  });
}

/** 2BP01 for an extension member. */
function refusePart(own: Unscoped[UnscopedKind]): void {
  if (own.what !== 'foreign data wrapper' || own.extension === undefined) return;
  throw new SvcError('2BP01', `cannot drop foreign-data wrapper ${own.name} because extension ${own.extension} requires it`, {
    hint: `You can drop extension ${own.extension} instead.`,
  });
}
