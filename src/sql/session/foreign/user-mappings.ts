/** CREATE, ALTER and DROP USER MAPPING. Manual, CREATE USER MAPPING. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ServerObject, UserMappingObject } from '../../../worlds/definition.ts';
import type { DefineUserMapping } from '../../ast/define.ts';
import { CLASS } from '../../catalog/fixed-oids.ts';
import { PUBLIC } from '../../schema/acl.ts';
import { wrapperOf } from '../../schema/foreign-tables.ts';
import { dropObjects } from '../../schema/drop.ts';
import type { Schema } from '../../schema/schema.ts';
import { define } from '../define.ts';
import { mustOwn } from '../ownership.ts';
import { done, type StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { findUnscoped, unscopedNamed } from '../unscoped-objects.ts';
import { validatedOptions } from './foreign-options.ts';
import { mustUseServer } from './servers.ts';

const VERBS = { createUserMapping: 'CREATE', alterUserMapping: 'ALTER', dropUserMapping: 'DROP' } as const;

export function runDefineUserMapping(session: SqlSession, statement: DefineUserMapping): StatementResult {
  session.startStatement();
  const { type, user, lenient, options } = statement;
  const command = `${VERBS[type]} USER MAPPING`;
  const { authority } = session;
  const skipped = (text: string): StatementResult => {
    session.notice(type === 'createUserMapping' ? '42710' : '00000', `${text}, skipping`);
    return done(command, session.notices);
  };
  const drops = type === 'dropUserMapping' && lenient;
  if (drops && user.kind === 'named' && authority.roles.byName(user.name!) === null) return skipped(`role "${user.name}" does not exist`);
  const role = authority.named(user, PUBLIC);
  if (drops && findUnscoped(session.schema(), 'server', statement.server) === null) return skipped(`server "${statement.server}" does not exist`);
  const server = unscopedNamed(session, 'server', statement.server);
  const title = `user mapping for "${mappedName(session, role)}"`;
  const before = mappingOf(session.schema(), server, role);
  if (type === 'createUserMapping' || before !== null || !drops) mayMap(session, server, role);
  if (type === 'createUserMapping' && before !== null) {
    const text = `${title} already exists for server "${server.name}"`;
    if (lenient) return skipped(text);
    throw new SvcError('42710', text);
  }
  if (type !== 'createUserMapping' && before === null) {
    const text = `${title} does not exist for server "${server.name}"`;
    if (drops) return skipped(text);
    throw new SvcError('42704', text);
  }
  return define(session, command, (ddl) => {
    if (type === 'dropUserMapping') return dropObjects(ddl, [{ kind: 'user mapping', number: before!.number }], false);
    const after: UserMappingObject = { ...(before ?? { what: 'user mapping', number: 0, server: server.number, role }), options: [] };
    const { validator } = wrapperOf(ddl.schema, server);
    after.options = validatedOptions(session, validator, before?.options ?? [], options, CLASS.pg_user_mapping);
    if (before === null) after.number = ddl.numberFor(after);
    ddl.put(after);
  });
}

export function mappedName(session: SqlSession, role: number): string {
  return role === PUBLIC ? 'public' : session.authority.nameOf(role);
}

function mappingOf(schema: Schema, server: ServerObject, role: number): UserMappingObject | null {
  for (const each of schema.plain.of('user mapping').values()) if (each.server === server.number && each.role === role) return each;
  return null;
}

/** The server's owner may map any role, whether or not that role may use the server. */
function mayMap(session: SqlSession, server: ServerObject, role: number): void {
  const { authority } = session;
  if (authority.free || authority.privileges(session.schema()).owns(authority.role, server.number)) return;
  if (role !== authority.role) mustOwn(session, 'foreign server', server.number, server.name);
  mustUseServer(session, server);
}
