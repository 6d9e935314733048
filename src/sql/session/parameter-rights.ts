/** GRANT and REVOKE ON PARAMETER (manual, GRANT): lets roles set superuser-only parameters. Stored with the roles, for all worlds. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { OWNER_ROLE, type Roles } from '../../identity/roles.ts';
import type { GrantParameter } from '../ast/define.ts';
import { type Acl, ALL, bestGrantor, changedAcl, defaultAcl, PUBLIC, held, heldGrantable, itemText, parseItem, PRIVILEGE } from '../schema/acl.ts';
import { done, type StatementResult } from './results.ts';
import { putParameterAcl } from './role-rows.ts';
import { sameAcl } from '../schema/rights.ts';
import type { SqlSession } from './sql-session.ts';

export function parameterAcl(roles: Roles, name: string): Acl {
  return roles.parameters.get(name)?.map(parseItem) ?? defaultAcl('p', OWNER_ROLE);
}

/** Whether the role was granted SET on a superuser-only parameter. */
export function maySetParameter(roles: Roles, role: number, name: string): boolean {
  return roles.parameters.size > 0 && held(parameterAcl(roles, name), roles, role, PRIVILEGE.SET) !== 0;
}

export function grantParameter(session: SqlSession, statement: GrantParameter): StatementResult {
  session.startStatement();
  const { grant, grantOption, cascade } = statement;
  const { authority } = session;
  const grantees = statement.grantees.map((each) => authority.named(each, PUBLIC));
  if (statement.grantedBy !== null && authority.named(statement.grantedBy) !== authority.owner) throw new SvcError('0A000', 'grantor must be current user');
  let privileges = 0;
  for (const name of statement.privileges) {
    const upper = name.toUpperCase();
    if (upper !== 'SET' && upper !== 'ALTER SYSTEM') throw new SvcError('0LP01', `invalid privilege type ${upper} for parameter`);
    privileges |= PRIVILEGE[upper];
  }
  const all = statement.privileges.length === 0;
  const wanted = all ? ALL.p : privileges;
  for (const written of statement.names) {
    const name = written.toLowerCase();
    if (!isParameter(session, name)) throw new SvcError('42602', `invalid parameter name "${written}"`);
    const { roles } = authority;
    const acl = parameterAcl(roles, name);
    const { grantor, grantable } = bestGrantor(acl, OWNER_ROLE, roles, authority.grantor, wanted);
    const has = (of: number): boolean => held(acl, roles, of, ALL.p) !== 0 || heldGrantable(acl, OWNER_ROLE, roles, of, ALL.p) !== 0;
    if (grantable === 0 && !has(authority.grantor)) throw new SvcError('42501', `permission denied for parameter ${name}`);
    const own = wanted & grantable;
    const which = own === 0 ? 'no privileges' : !all && own !== wanted ? 'not all privileges' : null;
    if (which !== null) session.notice(grant ? '01007' : '01006', `${which} ${grant ? 'were granted' : 'could be revoked'} for "${name}"`, 'WARNING');
    const next = changedAcl(acl, OWNER_ROLE, roles, { grant, grantees, grantor, privileges: own, grantOption, cascade });
    putParameterAcl(session, name, sameAcl(next, defaultAcl('p', OWNER_ROLE)) ? null : next.map(itemText));
  }
  return done(grant ? 'GRANT' : 'REVOKE', session.notices);
}

/** An existing parameter, or one that an extension may add. */
function isParameter(session: SqlSession, name: string): boolean {
  return session.settings.get(name) !== undefined || /^[a-z_][\w$]*(\.[a-z_][\w$]*)+$/.test(name);
}
