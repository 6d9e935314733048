/**
 * Attaching: tables of an external Postgres are copied into `main`, out of one snapshot and in one transaction.
 *
 *   snapshot ─► what cannot be attached? ─► definitions tried in the transaction ─► rows by COPY ─► keys, indexes ─► event `attached`, COMMIT
 *
 * A crash leaves nothing, or the event without the tables, which then are attached the next time.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { inQuotes, quoteNames } from '../base/quote-identifier.ts';
import type { AttachedSource, AttachedTable } from '../events/types/attached.ts';
import { actorName, type Principal } from '../session/principal.ts';
import { binaryReceiver } from '../sql/formats/binary-receive.ts';
import { LIBRARY } from '../sql/library/library.ts';
import type { SqlSession } from '../sql/session/sql-session.ts';
import { publicName } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { copyOut } from './copy-rows.ts';
import { type Definition, definitionsOf } from './definitions.ts';
import { type MaskOption, maskOf } from './masks.ts';
import { keyOf, refusals } from './refusals.ts';
import { readSchemas, readTables, type SourceTable, tablesNamed, tablesOfSchema } from './source-catalog.ts';
import type { Identity, SourceConnection } from './source-connection.ts';
import { sourceError } from './source-errors.ts';
import { readSequences, readTypes, type SourceType } from './source-types.ts';

export interface AttachOptions {
  /** `name` or `schema.name` each. */
  readonly tables?: readonly string[];
  readonly schema?: string;
  readonly masks: readonly MaskOption[];
  /** Rows and bytes copied so far; `rows`: the planner's estimate of all. */
  onProgress?(table: string, rows: number, bytes: number, estimate: number): void;
  onNotice?(message: string): void;
}

export interface AttachReply {
  readonly tables: { readonly table: string; readonly rows: number }[];
  readonly rows: number;
  readonly bytes: number;
}

const DOING = 'the tables cannot be attached';

/** `session`: of `main`, as the database's own user. */
export async function attachTables(context: Context, session: SqlSession, from: SourceConnection, options: AttachOptions, by: Principal): Promise<AttachReply> {
  try {
    const oids = options.schema === undefined ? await tablesNamed(from, options.tables!) : await tablesOfSchema(from, options.schema);
    await from.beginSnapshot(oids);
    const identity = await from.identity();
    refuseOther(context, identity);
    const { snapshot, lsn } = await from.position();
    const tables = await readTables(from, oids);
    const types = await readTypes(from, [...new Set(tables.flatMap(({ columns }) => columns.map(({ typeOid }) => typeOid)))]);
    refuse(refusals(tables, types, options.masks));
    const sequences = await readSequences(from, oids);
    const schemas = await readSchemas(from, [...new Set([...tables, ...types, ...sequences].map(({ schema }) => schema))]);
    const { before, after, notices } = definitionsOf(tables, types, sequences, schemas);
    for (const notice of notices) options.onNotice?.(notice);
    await session.run('BEGIN');
    try {
      await tryAll(session, before, options);
      // Definitions that need the rows are tried without them first, so that nothing is copied in vain.
      await session.run('SAVEPOINT tried');
      await tryAll(session, after, {});
      await session.run('ROLLBACK TO tried');
      const attached = tables.map((table) => attachedTable(table, options.masks));
      const copied: AttachReply = { tables: [], rows: 0, bytes: 0 };
      const reply = { ...copied };
      for (const [i, table] of tables.entries()) {
        const { rows, bytes } = await copyTable(session, from, attached[i], isBinary(table, types), (done, read) =>
          options.onProgress?.(attached[i].name, done, read, table.rows),
        );
        reply.tables.push({ table: attached[i].name, rows });
        reply.rows += rows;
        reply.bytes += bytes;
      }
      await tryAll(session, after, options);
      const source: AttachedSource = { ...identity, lsn, snapshot };
      await commit(context, session, source, attached, by);
      return reply;
    } catch (error) {
      if (session.transaction !== null) await session.run('ROLLBACK');
      throw error;
    }
  } catch (error) {
    throw sourceError(error, from.shown, DOING);
  }
}

/** 0A000 if tables of another database are attached. */
function refuseOther({ state }: Context, { system, database }: Identity): void {
  const { source } = state.attachment;
  if (source === null || (source.system === system && source.database === database)) return;
  throw new SvcError('0A000', `this folder is attached to another database ("${source.database}" of system ${source.system})`, {
    hint: 'Attach tables of another database in a folder of its own.',
  });
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  throw new SvcError('0A000', `${reasons.length} reason${reasons.length === 1 ? '' : 's'} against attaching; nothing was copied`, {
    detail: reasons.join('\n'),
    hint: 'Leave these tables out with --tables, or change them in Postgres.',
    data: { reasons },
  });
}

/** Makes them; those that are refused are named all at once (0A000), optional ones are left out. */
async function tryAll(session: SqlSession, definitions: readonly Definition[], { onNotice }: Pick<AttachOptions, 'onNotice'>): Promise<void> {
  const reasons: string[] = [];
  for (const { sql, of, optional, unless } of definitions) {
    if (unless !== undefined && (await session.run(unless)).at(-1)!.rows.length > 0) continue;
    await session.run('SAVEPOINT definition');
    try {
      await session.run(sql);
      await session.run('RELEASE definition');
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      await session.run('ROLLBACK TO definition');
      if (optional === true) onNotice?.(`${of} is left out: ${error.message}`);
      else reasons.push(`${of}: ${error.message}`);
    }
  }
  refuse(reasons);
}

function attachedTable(table: SourceTable, masks: readonly MaskOption[]): AttachedTable {
  const key = keyOf(table);
  return {
    name: publicName(table.schema, table.name),
    schema: table.schema,
    table: table.name,
    oid: table.oid,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: column.type,
      attnum: column.attnum,
      key: key.includes(column.attnum),
      identity: column.identity === 'a' ? 'always' : column.identity === 'd' ? 'by default' : null,
      mask: maskOf(masks, table, column),
    })),
  };
}

/** Binary arrays name their element's oid, which differs for types of one's own; some types have no binary form here. */
function isBinary({ columns }: SourceTable, types: readonly SourceType[]): boolean {
  const odd = new Set(
    types
      .filter(({ extension, element, kind, schema }) => extension !== null || element !== 0 || (schema === 'pg_catalog' && kind !== 'b'))
      .map(({ oid }) => oid),
  );
  return columns.every(({ typeOid }) => !odd.has(typeOid) && hasBinaryForm(typeOid));
}

function hasBinaryForm(oid: number): boolean {
  const type = LIBRARY.typeByOid(oid);
  if (type === undefined) return true;
  try {
    binaryReceiver(type);
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.code === '42883') return false;
    throw error;
  }
}

/** Chunks between reports of progress. */
const CHUNKS_A_REPORT = 64;

async function copyTable(
  session: SqlSession,
  from: SourceConnection,
  table: AttachedTable,
  isBinaryFormat: boolean,
  report: (rows: number, bytes: number) => void,
): Promise<{ rows: number; bytes: number }> {
  const format = isBinaryFormat ? 'binary' : 'text';
  const chunks = (await copyOut(from, table, format))[Symbol.asyncIterator]();
  let bytes = 0;
  let count = 0;
  session.streams = {
    input: () => ({
      async next() {
        const { done, value } = await chunks.next();
        if (done === true) return null;
        bytes += value.length;
        if (++count % CHUNKS_A_REPORT === 0) report(0, bytes);
        return value;
      },
    }),
    output: () => {
      throw new SvcError('0A000', 'COPY TO has no output here');
    },
  };
  try {
    const columns = table.columns.map(({ name }) => inQuotes(name)).join(', ');
    const result = (await session.run(`COPY ${quoteNames([table.schema, table.table])} (${columns}) FROM STDIN (FORMAT ${format})`)).at(-1)!;
    const rows = Number(result.command.split(' ')[1]);
    report(rows, bytes);
    return { rows, bytes };
  } finally {
    session.streams = null;
  }
}

/** All attached tables: those that are there, and the new ones. */
async function commit(context: Context, session: SqlSession, source: AttachedSource, tables: readonly AttachedTable[], by: Principal): Promise<void> {
  const { engine, state } = context;
  const main = context.writable('main');
  const names = new Set(tables.map(({ name }) => name));
  const here = context.catalog(main).tables;
  const others = state.attachment.tables().filter(({ name }) => !names.has(name) && here.get(name) !== undefined);
  const { sequence } = engine.commit({ type: 'attached', source, tables: [...others, ...tables] }, main.number, actorName(by));
  await engine.durable(sequence);
  await session.run('COMMIT');
}
