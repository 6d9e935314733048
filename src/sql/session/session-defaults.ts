/**
 * ALTER ROLE … SET and ALTER DATABASE … SET: the initial settings of sessions. A setting for a role in a database takes precedence
 * over the role's, that over the database's, and that over the one for all (manual, ALTER ROLE).
 */
import { optionParts } from '../../base/option-text.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Role } from '../../identity/roles.ts';
import type { SetDefault } from '../ast/session.ts';
import { mustOwnDatabase, worldOfDatabase } from './database-statement.ts';
import { isSuperuser, mayCreateRoles } from './role-rights.ts';
import { putDefaults, putRole } from './role-rows.ts';
import { refuseReserved } from './role-statements.ts';
import { done, type StatementResult } from './results.ts';
import { settingText } from './set-show.ts';
import { settingTitle } from './settings.ts';
import type { SqlSession } from './sql-session.ts';

export function setSessionDefault(session: SqlSession, { database, role: named, setting }: SetDefault): StatementResult {
  session.startStatement();
  const { authority } = session;
  const role = named === null ? null : authority.find(authority.nameOf(authority.named(named)));
  if (role !== null) {
    refuseReserved(role.name, 'Cannot alter reserved roles.');
    mayAlter(session, role);
  }
  const world = database === null ? 0 : worldOfDatabase(session, database).number;
  if (role === null) {
    if (database !== null) mustOwnDatabase(session, database);
    else if (!isSuperuser(session)) throw new SvcError('42501', 'must be superuser to alter settings globally');
  }
  const known =
    role !== null && world === 0
      ? role.settings
      : (authority.roles.defaults.find((each) => each.database === world && each.role === (role?.oid ?? 0))?.settings ?? []);
  const settings = changed(session, known, setting);
  if (role !== null && world === 0) putRole(session, { ...role, settings });
  else putDefaults(session, { database: world, role: role?.oid ?? 0, settings });
  return done(named === null && database !== null ? 'ALTER DATABASE' : 'ALTER ROLE');
}

function mayAlter(session: SqlSession, role: Role): void {
  if (role.superuser) {
    if (!isSuperuser(session)) throw new SvcError('42501', 'must be superuser to alter superusers');
  } else if (!mayCreateRoles(session) && role.oid !== session.authority.role) throw new SvcError('42501', 'permission denied');
}

function changed(session: SqlSession, known: readonly string[], setting: SetDefault['setting']): readonly string[] {
  const { settings } = session;
  if (setting.name === null) return known.filter((each) => !settings.mayChange(optionParts(each)[0]));
  const title = settingTitle(setting.name);
  const at = known.findIndex((each) => each.startsWith(`${title}=`));
  const current = setting.type === 'set' && setting.fromCurrent ? settings.get(setting.name) : undefined;
  if (setting.type === 'reset' || (setting.values === null && current === undefined)) {
    settings.check(setting.name, null);
    return at < 0 ? known : known.toSpliced(at, 1);
  }
  const text = current ?? settingText(setting.name, setting.values!);
  settings.check(setting.name, text);
  const item = `${title}=${text}`;
  return at < 0 ? [...known, item] : known.with(at, item);
}

/** Applies the initial settings of role and database; values that are no longer valid are skipped. */
export function startDefaults(session: SqlSession, database: number): void {
  const { settings, authority } = session;
  const list = authority.defaults(database);
  if (list.length === 0) return;
  const { privileged } = settings;
  // The privilege was checked when the setting was stored.
  settings.privileged = null;
  try {
    for (const each of list) {
      try {
        settings.start(...optionParts(each));
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
      }
    }
  } finally {
    settings.privileged = privileged;
  }
}
