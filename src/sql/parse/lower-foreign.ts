/** Foreign-data wrappers, servers, user mappings, foreign tables, and IMPORT FOREIGN SCHEMA. */
import type * as pg from '@pgsql/types';
import type { AlterServer, CreateServer, CreateTable, DefineUserMapping, DefineWrapper, ImportForeignSchema } from '../ast/define.ts';
import { lowerOptions, lowerRole } from './lower-option.ts';
import { lowerCreateTable } from './lower-table.ts';
import { bodyOf, type Lowering, strings } from './lowering.ts';

export function lowerWrapper(cx: Lowering, type: DefineWrapper['type'], raw: pg.CreateFdwStmt | pg.AlterFdwStmt): DefineWrapper {
  const functions = (raw.func_options ?? []).map((node): DefineWrapper['functions'][number] => {
    const { defname, arg, location } = bodyOf(node, 'DefElem');
    return {
      what: defname === 'validator' ? 'validator' : 'handler',
      routine: arg === undefined ? null : strings(bodyOf(arg, 'List').items),
      at: cx.at(location),
    };
  });
  return { type, name: raw.fdwname ?? '', functions, options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

export function lowerCreateServer(cx: Lowering, raw: pg.CreateForeignServerStmt): CreateServer {
  return {
    type: 'createServer',
    name: raw.servername ?? '',
    serverType: raw.servertype ?? null,
    version: raw.version ?? null,
    wrapper: raw.fdwname ?? '',
    ifNotExists: raw.if_not_exists === true,
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

export function lowerAlterServer(cx: Lowering, raw: pg.AlterForeignServerStmt): AlterServer {
  const version = raw.has_version === true ? { version: raw.version ?? null } : {};
  return { type: 'alterServer', name: raw.servername ?? '', ...version, options: lowerOptions(cx, raw.options), at: cx.statementAt };
}

export function lowerUserMapping(
  cx: Lowering,
  type: DefineUserMapping['type'],
  raw: pg.CreateUserMappingStmt & pg.AlterUserMappingStmt & pg.DropUserMappingStmt,
): DefineUserMapping {
  return {
    type,
    user: lowerRole(cx, raw.user!),
    server: raw.servername ?? '',
    lenient: raw.if_not_exists === true || raw.missing_ok === true,
    options: lowerOptions(cx, raw.options),
    at: cx.statementAt,
  };
}

export function lowerForeignTable(cx: Lowering, raw: pg.CreateForeignTableStmt): CreateTable {
  return { ...lowerCreateTable(cx, raw.base!), foreign: { server: raw.servername ?? '', options: lowerOptions(cx, raw.options) } };
}

export function lowerImport(cx: Lowering, raw: pg.ImportForeignSchemaStmt): ImportForeignSchema {
  return { type: 'importForeignSchema', server: raw.server_name ?? '', into: raw.local_schema ?? '', at: cx.statementAt };
}
