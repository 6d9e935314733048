/** SET, RESET, SHOW. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { ResetVariable, SetVariable, ShowVariable } from '../ast/session.ts';
import { deparseExpression } from '../parse/deparse.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function runSet(session: SqlSession, statement: SetVariable | ResetVariable): StatementResult {
  if (statement.type === 'reset') {
    if (statement.name === null) session.settings.resetAll();
    else {
      session.settings.set(statement.name, null, false);
      if (statement.name === 'session_authorization') session.settings.set('role', null, false);
    }
    return done('RESET');
  }
  const { name, values, local } = statement;
  if (local && session.transaction?.explicit !== true && session.functionDepth === 0)
    session.notice('25P01', 'SET LOCAL can only be used in transaction blocks', 'WARNING');
  const text = values === null ? null : settingText(name, values);
  if (name === 'session_authorization' && text === null) session.settings.set('role', null, local);
  session.settings.set(name, text, local);
  return done('SET', session.notices);
}

export function settingText(name: string, values: readonly Expression[]): string {
  const list = name.toLowerCase() === 'search_path';
  return values
    .map((value) => {
      switch (value.type) {
        case 'string':
          return list && !/^[a-z_][a-z0-9_$]*$/.test(value.value) ? `"${value.value.replaceAll('"', '""')}"` : value.value;
        case 'integer':
          return String(value.value);
        case 'number':
          return value.text;
        case 'boolean':
          return value.value ? 'on' : 'off';
        case 'cast':
          // SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE.
          if (value.arg.type === 'string') return value.arg.value.replace(/^([+-]?\d+):00$/, '$1');
          return deparseExpression(value);
        default:
          return deparseExpression(value);
      }
    })
    .join(', ');
}

export function runShow(session: SqlSession, { name }: ShowVariable): StatementResult {
  const text = session.host.registry.type('text');
  const column = (title: string): { name: string; type: typeof text; typmod: number } => ({ name: title, type: text, typmod: -1 });
  if (name === 'all') {
    return {
      command: 'SHOW',
      columns: [column('name'), column('setting'), column('description')],
      rows: session.settings.all().map((each) => [each.name, each.value, each.doc]),
      notices: [],
    };
  }
  // A transaction that has not begun will have what is standard then.
  const key = session.transaction === null && (name === 'transaction_isolation' || name === 'transaction_read_only') ? `default_${name}` : name;
  const value =
    key === 'is_superuser'
      ? session.authority.superuser
        ? 'on'
        : 'off'
      : key === 'session_authorization'
        ? session.authority.sessionUserName
        : session.settings.get(key);
  if (value === undefined) throw new SvcError('42704', `unrecognized configuration parameter "${name}"`);
  return { command: 'SHOW', columns: [column(showTitle(name))], rows: [[value]], notices: [] };
}

const TITLES: Record<string, string> = { timezone: 'TimeZone', datestyle: 'DateStyle', intervalstyle: 'IntervalStyle' };

/** The name that SHOW gives its column. */
export function showTitle(name: string): string {
  return TITLES[name.toLowerCase()] ?? name;
}
