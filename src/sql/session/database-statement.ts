/**
 * CREATE DATABASE and DROP DATABASE over worlds: a database is an empty world without a parent, or with TEMPLATE a fork of that
 * world. Options about storage are checked and ignored.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { optionText } from '../ast/option-text.ts';
import type { AlterDatabase, CreateDatabase, DropDatabase, Option, Rename } from '../ast/define.ts';
import { WORLD_OBJECT } from '../schema/privileges.ts';
import type { World } from '../../worlds/world.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

/** Empty in every Postgres server; a world of such a name takes precedence. */
const EMPTY_TEMPLATES = new Set(['template0', 'template1']);
const STRATEGIES = new Set(['wal_log', 'file_copy']);
/** Options that ALTER DATABASE accepts. */
const CHANGEABLE = new Set(['is_template', 'allow_connections', 'connection_limit', 'tablespace']);
const LOCALE_PROVIDERS = new Set(['libc', 'icu', 'builtin']);
/** Options without a meaning here. */
const IGNORED = new Set(['collation_version', 'icu_locale', 'icu_rules', 'lc_collate', 'lc_ctype', 'locale', 'builtin_locale', 'location', 'oid']);

export async function createDatabase(session: SqlSession, { name, options }: CreateDatabase): Promise<StatementResult> {
  preventInMultiStatement(session, 'CREATE DATABASE');
  const { context } = session.host;
  const seen = new Set<string>();
  let template: string | null = null;
  for (const option of options) {
    if (seen.has(option.name)) throw new SvcError('42601', 'conflicting or redundant options', { position: option.at + 1 });
    seen.add(option.name);
    if (option.name === 'template') template = optionText(option.value);
    else check(session, option);
  }
  mayCreateDatabases(session);
  if (context.state.worlds.byName(name) !== null) throw new SvcError('42P04', `database "${name}" already exists`);
  let from = template;
  if (template !== null && context.state.worlds.byName(template) === null) {
    if (!EMPTY_TEMPLATES.has(template)) throw new SvcError('3D000', `template database "${template}" does not exist`);
    from = null;
  }
  await session.commands.fork({ name, from });
  return done('CREATE DATABASE', session.notices);
}

export async function dropDatabase(session: SqlSession, { name, ifExists }: DropDatabase): Promise<StatementResult> {
  preventInMultiStatement(session, 'DROP DATABASE');
  const { context } = session.host;
  const world = context.state.worlds.byName(name);
  if (world === null) {
    if (!ifExists) throw new SvcError('3D000', `database "${name}" does not exist`);
    session.notice('00000', `database "${name}" does not exist, skipping`);
    return done('DROP DATABASE', session.notices);
  }
  if (context.find(session.branch.split('@')[0]) === world) throw new SvcError('55006', 'cannot drop the currently open database');
  await session.commands.discard({ branch: name });
  return done('DROP DATABASE', session.notices);
}

/** 42501: checks the current role, not the login. */
function mayCreateDatabases({ authority }: SqlSession): void {
  if (authority.free || authority.roles.byOid(authority.role)?.createDatabase === true) return;
  throw new SvcError('42501', 'permission denied to create database');
}

/** 3D000 if there is none. */
export function worldOfDatabase(session: SqlSession, name: string): World {
  const world = session.host.context.state.worlds.byName(name);
  if (world === null) throw new SvcError('3D000', `database "${name}" does not exist`);
  return world;
}

/** 42501. Databases other than the session's belong to the database's own user. */
export function mustOwnDatabase(session: SqlSession, name: string): void {
  const { authority } = session;
  if (authority.free) return;
  const own = name === session.system.database && authority.privileges(session.schema()).owns(authority.role, WORLD_OBJECT);
  if (!own) throw new SvcError('42501', `must be owner of database ${name}`);
}

/** Worlds keep their names, which other sessions, policies and tokens refer to. */
export function renameDatabase(session: SqlSession, { object, to }: Rename): never {
  session.startStatement();
  const name = object.name[0];
  worldOfDatabase(session, name);
  mustOwnDatabase(session, name);
  if (session.host.context.state.worlds.byName(to) !== null) throw new SvcError('42P04', `database "${to}" already exists`);
  if (name === session.system.database) throw new SvcError('0A000', 'current database cannot be renamed');
  throw new SvcError('0A000', 'renaming a database is not supported');
}

export function alterDatabase(session: SqlSession, { name, action, options }: AlterDatabase): StatementResult {
  session.startStatement();
  const seen = new Set<string>();
  for (const { name: option, at } of options) {
    if (seen.has(option)) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    seen.add(option);
    if (!CHANGEABLE.has(option)) throw new SvcError('42601', `option "${option}" not recognized`, { position: at + 1 });
  }
  worldOfDatabase(session, name);
  mustOwnDatabase(session, name);
  if (action === 'refresh') session.notice('00000', 'version has not changed');
  for (const option of options) {
    if (option.name === 'tablespace' && name === session.system.database)
      throw new SvcError('55006', 'cannot change the tablespace of the currently open database');
    if (option.name === 'allow_connections' && name === session.system.database && !isTrue(optionText(option.value)))
      throw new SvcError('22023', 'cannot disallow connections for current database');
    check(session, option);
  }
  return done('ALTER DATABASE', session.notices);
}

/** 25001 in a transaction block, and in a multi-statement text, which is one transaction. */
function preventInMultiStatement(session: SqlSession, what: string): void {
  if (session.isMultiStatement) throw new SvcError('25001', `${what} cannot run inside a transaction block`);
  session.preventInTransactionBlock(what);
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
