/**
 * CREATE DATABASE and DROP DATABASE, over worlds: a database is a world, an empty one without a parent, or with TEMPLATE a
 * fork of that world. Options that say how Postgres stores a database are checked and change nothing.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { optionText } from '../ast/option-text.ts';
import type { CreateDatabase, DropDatabase, Option } from '../ast/define.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** Empty in every server of Postgres, and so where a client asks for them; a world of such a name comes first. */
const EMPTY_TEMPLATES = new Set(['template0', 'template1']);
const STRATEGIES = new Set(['wal_log', 'file_copy']);
const LOCALE_PROVIDERS = new Set(['libc', 'icu', 'builtin']);
/** Without a meaning here. */
const IGNORED = new Set(['collation_version', 'icu_locale', 'icu_rules', 'lc_collate', 'lc_ctype', 'locale', 'builtin_locale', 'location', 'oid']);

export async function createDatabase(session: SqlSession, { name, options }: CreateDatabase): Promise<StatementResult> {
  settle(session, 'CREATE DATABASE');
  const { context } = session.host;
  const seen = new Set<string>();
  let template: string | null = null;
  for (const option of options) {
    if (seen.has(option.name)) throw new SvcError('42601', 'conflicting or redundant options', { position: option.at + 1 });
    seen.add(option.name);
    if (option.name === 'template') template = optionText(option.value);
    else check(session, option);
  }
  if (context.worlds.byName(name) !== null) throw new SvcError('42P04', `database "${name}" already exists`);
  let from = template;
  if (template !== null && context.worlds.byName(template) === null) {
    if (!EMPTY_TEMPLATES.has(template)) throw new SvcError('3D000', `template database "${template}" does not exist`);
    from = null;
  }
  await session.commands.fork({ name, from });
  return done('CREATE DATABASE', session.notices);
}

export async function dropDatabase(session: SqlSession, { name, ifExists }: DropDatabase): Promise<StatementResult> {
  settle(session, 'DROP DATABASE');
  const { context } = session.host;
  const world = context.worlds.byName(name);
  if (world === null) {
    if (!ifExists) throw new SvcError('3D000', `database "${name}" does not exist`);
    session.notice('00000', `database "${name}" does not exist, skipping`);
    return done('DROP DATABASE', session.notices);
  }
  if (context.read(session.branch).world === world) throw new SvcError('55006', 'cannot drop the currently open database');
  await session.commands.discard({ branch: name });
  return done('DROP DATABASE', session.notices);
}

/** 25001 in a transaction, and between statements that were sent together, which are one. */
function settle(session: SqlSession, what: string): void {
  if (session.listed) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
  session.settle(what);
}

function check(session: SqlSession, { name, value, at }: Option): void {
  const position = at + 1;
  const text = optionText(value);
  switch (name) {
    case 'owner':
      if (text !== null) session.authority.find(text);
      return;
    case 'encoding':
      if (text === null || /^(utf-?8|unicode|6)$/i.test(text)) return;
      throw /^(latin|iso|win|koi8|euc|sql_ascii|big5|gb|johab|sjis|uhc|mule)/i.test(text)
        ? new SvcError('0A000', `encoding "${text}" is not supported: databases are in UTF8`, { position })
        : new SvcError('42704', `${text} is not a valid encoding name`, { position });
    case 'tablespace':
      if (text !== null && text !== 'pg_default') throw new SvcError('42704', `tablespace "${text}" does not exist`);
      return;
    case 'strategy':
      if (text === null || STRATEGIES.has(text.toLowerCase())) return;
      throw new SvcError('22023', `invalid create database strategy "${text}"`, { hint: 'Valid strategies are "wal_log" and "file_copy".' });
    case 'locale_provider':
      if (text === null || LOCALE_PROVIDERS.has(text.toLowerCase())) return;
      throw new SvcError('42P17', `unrecognized locale provider: ${text}`);
    case 'is_template':
      if (isTrue(text)) throw new SvcError('0A000', 'databases that are templates are not supported: any world can be forked', { position });
      return;
    case 'allow_connections':
      if (text !== null && !isTrue(text)) throw new SvcError('0A000', 'databases without connections are not supported', { position });
      return;
    case 'connection_limit':
      if (text !== null && text !== '-1') throw new SvcError('0A000', 'connection limits of databases are not supported', { position });
      return;
    default:
      if (!IGNORED.has(name)) throw new SvcError('42601', `option "${name}" not recognized`, { position });
  }
}

function isTrue(text: string | null): boolean {
  return text !== null && /^(t|true|on|yes|1)$/i.test(text);
}
