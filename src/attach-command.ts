/** `svc attach <folder>`: copies tables of an external Postgres into the folder, reads them again, or detaches them. Exit code 0 done, 1 refused. */
import { SvcError } from './base/errors/svc-error.ts';
import type { AttachReply } from './attach/attach-tables.ts';
import { parseMask } from './attach/masks.ts';
import { writtenNames } from './attach/written-names.ts';
import { type Database, open } from './database.ts';
import { OWNER } from './session/principal.ts';

export interface AttachCommandOptions {
  /** Names, joined by commas. */
  tables?: string;
  schema?: string;
  url?: string;
  urlEnv?: string;
  mask: string[];
  refresh?: boolean;
  detach?: boolean;
  json?: boolean;
}

const PROGRESS_MS = 500;

export async function attachFolder(folder: string, options: AttachCommandOptions): Promise<number> {
  // Other users of the machine see the arguments of a process, and the address may be one.
  process.title = 'svc attach';
  let database: Database | undefined;
  try {
    const run = planned(options);
    database = await open(folder, {
      ...(options.url === undefined ? {} : { attachUrl: options.url }),
      ...(options.urlEnv === undefined ? {} : { attachUrlEnv: options.urlEnv }),
      onNotice: say,
    });
    const reply = await run(database);
    await database.close();
    process.stdout.write(options.json === true ? `${JSON.stringify(reply)}\n` : `${textOf(reply)}\n`);
    return 0;
  } catch (error) {
    await database?.abandon().catch(() => {});
    if (!(error instanceof SvcError)) throw error;
    report(error.code === '55006' && options.refresh === true ? openElsewhere(folder, error) : error, options.json === true);
    return 1;
  }
}

type Reply = AttachReply | { readonly refreshed: Awaited<ReturnType<Database['postgres']['refresh']>> } | { readonly detached: readonly string[] };

/** What the options ask for; 22023 where they contradict each other, before the folder is opened. */
function planned({ tables, schema, mask, refresh, detach }: AttachCommandOptions): (database: Database) => Promise<Reply> {
  const names = writtenNames(tables ?? '');
  const masks = mask.map(parseMask);
  const show = progress();
  if (refresh === true) {
    if (tables !== undefined || schema !== undefined || detach === true || masks.length > 0)
      throw new SvcError('22023', '--refresh reads all attached tables, and goes with no other choice');
    return async ({ postgres }) => ({ refreshed: await postgres.refresh(OWNER, (table, rows) => show(`${table}: ${rows} rows compared`)) });
  }
  if (detach === true) {
    if (names.length === 0 || schema !== undefined) throw new SvcError('22023', '--detach needs --tables');
    return async ({ postgres }) => {
      await postgres.detach(names, OWNER);
      return { detached: names };
    };
  }
  if ((names.length === 0) === (schema === undefined)) {
    throw new SvcError('22023', 'attach needs either --tables or --schema', { hint: 'svc attach ./data --tables users,orders' });
  }
  return ({ postgres }) =>
    postgres.attach(
      {
        ...(schema === undefined ? { tables: names } : { schema }),
        masks,
        onProgress: (table, rows, bytes, estimate) => show(progressLine(table, rows, bytes, estimate), rows > 0),
        onNotice: say,
      },
      OWNER,
    );
}

function textOf(reply: Reply): string {
  if ('detached' in reply) return `detached: ${reply.detached.join(', ')}`;
  if ('refreshed' in reply)
    return reply.refreshed.map(({ table, inserted, updated, deleted }) => `${table}: ${inserted} inserted, ${updated} updated, ${deleted} deleted`).join('\n');
  return [
    ...reply.tables.map(({ table, rows }) => `${table}: ${rows} rows`),
    `attached ${reply.tables.length} tables, ${reply.rows} rows, ${reply.bytes} bytes`,
  ].join('\n');
}

/** `rows`: 0 while the table is copied, when Postgres's estimate is shown. */
function progressLine(table: string, rows: number, bytes: number, estimate: number): string {
  const size = `${Math.ceil(bytes / 1024)} KiB`;
  return rows > 0 ? `${table}: ${rows} rows, ${size}` : `${table}: ${size}${estimate > 0 ? ` of about ${estimate} rows` : ''}`;
}

/** Lines on stderr: at most two a second, and the last of each table. */
function progress(): (line: string, isLast?: boolean) => void {
  let last = 0;
  return (line, isLast = false) => {
    if (!isLast && Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    process.stderr.write(`${line}\n`);
  };
}

function say(message: string): void {
  process.stderr.write(`svc: ${message}\n`);
}

/** A server refreshes by its operation. */
function openElsewhere(folder: string, { code, message }: SvcError): SvcError {
  return new SvcError(code, message, { hint: `That process refreshes them: svc ${folder} refresh_attachment` });
}

function report({ code, message, detail, hint, data }: SvcError, json: boolean): void {
  if (json)
    process.stdout.write(
      `${JSON.stringify({ error: { code, message, ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }), ...data } })}\n`,
    );
  else process.stderr.write(`svc: ${message}\n${detail === undefined ? '' : `${detail}\n`}${hint === undefined ? '' : `${hint}\n`}`);
}
