/** CREATE and ALTER FOREIGN DATA WRAPPER. Manual, CREATE FOREIGN DATA WRAPPER. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { RoutineReference, WrapperObject } from '../../../worlds/definition.ts';
import type { DefineWrapper } from '../../ast/define.ts';
import { CLASS } from '../../catalog/fixed-oids.ts';
import { PRIVILEGE } from '../../schema/acl.ts';
import { define } from '../define.ts';
import type { StatementResult } from '../results.ts';
import { routineFor } from '../routine-reference.ts';
import type { SqlSession } from '../sql-session.ts';
import { refuseTaken, unscopedNamed } from '../unscoped-objects.ts';
import { validatedOptions } from './foreign-options.ts';

const HANDLER_TYPE = 'fdw_handler';

export function runDefineWrapper(session: SqlSession, statement: DefineWrapper): StatementResult {
  session.startStatement();
  const { type, name, options } = statement;
  const verb = type === 'createWrapper' ? 'create' : 'alter';
  if (!session.authority.superuser) {
    throw new SvcError('42501', `permission denied to ${verb} foreign-data wrapper "${name}"`, {
      hint: `Must be superuser to ${verb} a foreign-data wrapper.`,
    });
  }
  return define(session, `${verb.toUpperCase()} FOREIGN DATA WRAPPER`, (ddl) => {
    if (verb === 'create') refuseTaken(ddl.schema, 'foreign data wrapper', name);
    const before: WrapperObject =
      verb === 'create'
        ? { what: 'foreign data wrapper', number: 0, name, handler: null, validator: null, options: [] }
        : unscopedNamed(session, 'foreign data wrapper', name);
    const functions = functionsOf(session, statement);
    if (verb === 'alter') warnOfChange(session, functions);
    const after = { ...before, ...functions };
    if (verb === 'create' || options.length > 0)
      after.options = validatedOptions(session, after.validator, before.options, options, CLASS.pg_foreign_data_wrapper);
    if (verb === 'create') after.number = ddl.numberFor(after);
    ddl.put(after);
  });
}

type Functions = Partial<Record<'handler' | 'validator', RoutineReference | null>>;

function functionsOf(session: SqlSession, { functions }: DefineWrapper): Functions {
  const { registry } = session.host;
  const out: Functions = {};
  for (const { what, routine, at } of functions) {
    if (out[what] !== undefined) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    if (routine === null) {
      out[what] = null;
      continue;
    }
    const { reference, returns } = routineFor(session, routine, what === 'handler' ? [] : [registry.type('_text'), registry.type('oid')]);
    if (what === 'handler' && returns.name !== HANDLER_TYPE) throw new SvcError('42809', `function ${routine.join('.')} must return type ${HANDLER_TYPE}`);
    out[what] = reference;
  }
  return out;
}

function warnOfChange(session: SqlSession, { handler, validator }: Functions): void {
  const warn = (text: string): void => session.notice('01000', text, 'WARNING');
  if (handler !== undefined) warn('changing the foreign-data wrapper handler can change behavior of existing foreign tables');
  if (validator !== undefined && validator !== null)
    warn('changing the foreign-data wrapper validator can cause the options for dependent objects to become invalid');
}

/** USAGE, to create or receive a server. */
export function mustUseWrapper(session: SqlSession, { number, name }: WrapperObject, role: number | null = null): void {
  const { authority } = session;
  if (role === null && authority.free) return;
  if (authority.privileges(session.schema()).held(role ?? authority.role, 'F', number, PRIVILEGE.USAGE) === 0)
    throw new SvcError('42501', `permission denied for foreign-data wrapper ${name}`);
}

/** To make a role the owner: both must be superusers. */
export function mayOwnWrapper(session: SqlSession, role: number, name: string): void {
  const { authority } = session;
  const refuse = (hint: string): never => {
    throw new SvcError('42501', `permission denied to change owner of foreign-data wrapper "${name}"`, { hint });
  };
  if (!authority.superuser) refuse('Must be superuser to change owner of a foreign-data wrapper.');
  if (!authority.roles.isSuperuser(role)) refuse('The owner of a foreign-data wrapper must be a superuser.');
}
