/** CREATE and ALTER SERVER, and IMPORT FOREIGN SCHEMA. Manual, CREATE SERVER. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ServerObject } from '../../../worlds/definition.ts';
import type { AlterServer, CreateServer, ImportForeignSchema } from '../../ast/define.ts';
import { CLASS } from '../../catalog/fixed-oids.ts';
import { PRIVILEGE } from '../../schema/acl.ts';
import { mustHaveHandler, wrapperOf } from '../../schema/foreign-tables.ts';
import { schemaMustExist } from '../../schema/object-errors.ts';
import { define } from '../define.ts';
import { mustCreateIn } from '../ownership.ts';
import type { StatementResult } from '../results.ts';
import type { SqlSession } from '../sql-session.ts';
import { findUnscoped, ownUnscoped, refuseTaken, unscopedNamed } from '../unscoped-objects.ts';
import { validatedOptions } from './foreign-options.ts';
import { mustUseWrapper } from './wrappers.ts';

export function runCreateServer(session: SqlSession, statement: CreateServer): StatementResult {
  session.startStatement();
  const { name, serverType, version, ifNotExists, options } = statement;
  return define(session, 'CREATE SERVER', (ddl) => {
    if (ifNotExists && findUnscoped(ddl.schema, 'server', name) !== null) return ddl.notice('42710', `server "${name}" already exists, skipping`);
    refuseTaken(ddl.schema, 'server', name);
    const wrapper = unscopedNamed(session, 'foreign data wrapper', statement.wrapper);
    mustUseWrapper(session, wrapper);
    const object: ServerObject = { what: 'server', number: 0, name, wrapper: wrapper.number, type: serverType, version, options: [] };
    object.options = validatedOptions(session, wrapper.validator, [], options, CLASS.pg_foreign_server);
    object.number = ddl.numberFor(object);
    ddl.put(object);
  });
}

export function runAlterServer(session: SqlSession, { name, version, options }: AlterServer): StatementResult {
  session.startStatement();
  return define(session, 'ALTER SERVER', (ddl) => {
    const before = ownUnscoped(session, 'server', name);
    const { validator } = wrapperOf(ddl.schema, before);
    const after = { ...before, ...(version === undefined ? {} : { version }) };
    if (options.length > 0) after.options = validatedOptions(session, validator, before.options, options, CLASS.pg_foreign_server);
    ddl.put(after);
  });
}

/** No wrapper here can list the tables of a server. */
export function runImportForeignSchema(session: SqlSession, { server: name, into }: ImportForeignSchema): StatementResult {
  session.startStatement();
  const server = unscopedNamed(session, 'server', name);
  mustUseServer(session, server);
  schemaMustExist(session.schema(), into);
  mustCreateIn(session, into);
  const wrapper = wrapperOf(session.schema(), server);
  mustHaveHandler(wrapper);
  throw new SvcError('HV00P', `foreign-data wrapper "${wrapper.name}" does not support IMPORT FOREIGN SCHEMA`);
}

/** USAGE, for foreign tables and for one's own mapping. */
export function mustUseServer(session: SqlSession, { number, name }: ServerObject): void {
  const { authority } = session;
  if (authority.free || authority.privileges(session.schema()).held(authority.role, 'V', number, PRIVILEGE.USAGE) !== 0) return;
  throw new SvcError('42501', `permission denied for foreign server ${name}`);
}
