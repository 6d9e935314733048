/** SET, RESET, SHOW. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import type { ResetVariable, SetVariable, ShowVariable } from '../ast/session.ts';
import { findSearchObject, SEARCH_CONFIGURATIONS } from '../types/search-names.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { deparseExpression } from '../parse/deparse.ts';
import { done, type StatementResult } from './results.ts';
import { listOf } from './settings.ts';
import type { SqlSession } from './sql-session.ts';

export function runSet(session: SqlSession, statement: SetVariable | ResetVariable): StatementResult {
  // A list is one transaction: a later error rolls this back.
  if (session.isMultiStatement) session.begin();
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
  const given = values === null ? null : settingText(name, values);
  const text = name.toLowerCase() === 'default_text_search_config' && given !== null ? searchConfigurationNamed(session, given) : given;
  if (name === 'session_authorization' && text === null) session.settings.set('role', null, local);
  session.settings.set(name, text, local);
  if (name.toLowerCase() === 'seed' && text !== null) {
    session.env.seedRandom(Number(text));
    session.settings.set(name, null, local);
  }
  return done('SET', session.notices);
}

/** A user-defined one with its schema; built-in and missing ones as written. */
function searchConfigurationNamed(session: SqlSession, text: string): string {
  const { definitions } = session.system;
  const oid = findSearchObject(text, SEARCH_CONFIGURATIONS) === undefined ? definitions.searchOid('configuration', text) : null;
  const own = oid === null ? undefined : session.schema().searchConfigurations.get(oid);
  if (own !== undefined) return `${quoteIdentifier(own.schema)}.${quoteIdentifier(own.name)}`;
  if (oid === null && text.includes('.') && findSearchObject(text, SEARCH_CONFIGURATIONS) === undefined)
    throw new SvcError('22023', `invalid value for parameter "default_text_search_config": "${text}"`);
  return text;
}

export function settingText(name: string, values: readonly Expression[]): string {
  const list = listOf(name) === 'quoted';
  if (values.length > 1 && listOf(name) === undefined) throw new SvcError('22023', `SET ${name} takes only one argument`);
  return values
    .map((value) => {
      switch (value.type) {
        case 'string':
          return list ? quoteIdentifier(value.value) : value.value;
        case 'integer':
          return String(value.value);
        case 'number':
          return value.text;
        case 'boolean':
          return value.value ? 'on' : 'off';
        case 'cast':
          // SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE.
          if (value.arg.type === 'string') return hoursOf(value.arg.value);
          return deparseExpression(value);
        default:
          return deparseExpression(value);
      }
    })
    .join(', ');
}

/** `-8:30` as `-8.5`: positive is east, whereas in a zone's text with a colon positive is west. */
function hoursOf(text: string): string {
  const found = /^([+-]?)(\d+)(?::(\d+))?$/.exec(text);
  return found === null ? text : `${found[1]}${Number(found[2]) + Number(found[3] ?? 0) / 60}`;
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
  // A transaction that has not begun will have the defaults of that time.
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

const TITLES: Readonly<Record<string, string>> = { timezone: 'TimeZone', datestyle: 'DateStyle', intervalstyle: 'IntervalStyle' };

/** The column title of SHOW. */
export function showTitle(name: string): string {
  return TITLES[name.toLowerCase()] ?? name;
}
