/** SQL over a database: sessions for connections, and the `sql` operation, whose every call is a session of its own. */
import type { AllCommands, Row, SqlInput, SqlReply } from '../../commands/contract.ts';
import type { Principal } from '../../session/principal.ts';
import type { Context } from '../../worlds/context.ts';
import { installTypedTables } from '../../worlds/typed-tables.ts';
import { setField } from '../../worlds/document.ts';
import { LIBRARY } from '../library/library.ts';
import type { TypeLookup } from '../schema/type-lookup.ts';
import { typedTablesOver } from '../schema/typed-tables.ts';
import { SequenceAllocator } from '../schema/sequence-values.ts';
import { arrayType } from '../types/array-type.ts';
import { enumType } from '../types/enum-type.ts';
import { Channels } from './channels.ts';
import { temporaryFile } from './temporary-file.ts';
import { type SqlHost, TextCache } from './host.ts';
import type { StatementResult } from './results.ts';
import { RetryLine } from './retry-line.ts';
import { storedCompiler } from './stored-compiler.ts';
import { SqlSession } from './sql-session.ts';

export interface SqlService {
  sql(input: SqlInput, principal: Principal): Promise<SqlReply>;
  session(branch: string, principal: Principal): SqlSession;
}

export interface SqlServiceOptions {
  readonly workMemBytes: number;
}

const STATEMENTS_KEPT = 4096;

const LOOKUP: TypeLookup = {
  byOid: (oid) => LIBRARY.typeByOid(oid) ?? null,
  arrayOf: (element) => arrayType(element, element.arrayOid),
  enumOf: (oid, arrayOid, name, labels) => enumType(oid, arrayOid, name, labels),
};

/** Row operations and merges know typed tables from here on. */
installTypedTables(typedTablesOver(LOOKUP, storedCompiler(LIBRARY)));

export function sqlOver(context: Context, commandsOf: (principal: Principal) => AllCommands, { workMemBytes }: SqlServiceOptions): SqlService {
  const host: SqlHost = {
    context,
    commandsOf,
    registry: LIBRARY,
    lookup: LOOKUP,
    allocator: new SequenceAllocator(context.engine.pager),
    workMemBytes,
    spill: () => temporaryFile(),
    retries: new RetryLine(),
    statements: new TextCache(STATEMENTS_KEPT),
    channels: new Channels(),
  };
  const session = (branch: string, principal: Principal): SqlSession => new SqlSession(host, branch, principal);
  return {
    session,
    async sql({ branch = 'main', sql, params }, principal) {
      const own = session(branch, principal);
      own.counted = false;
      try {
        const results = await own.run(sql, params ?? []);
        const { world } = context.read(own.branch);
        return { results: results.map((result) => encode(own, result)), version: world.version };
      } finally {
        own.close();
      }
    },
  };
}

function encode(session: SqlSession, { command, columns, rows }: StatementResult): SqlReply['results'][number] {
  if (columns === null) return { command, columns: [], types: [], rows: [] };
  return {
    command,
    columns: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type.title),
    rows: rows.map((values) => {
      const row: Row = {};
      columns.forEach(({ name, type }, i) => {
        const value = values[i];
        setField(row, name, value === null ? null : type.json(value, session.env));
      });
      return row;
    }),
  };
}
