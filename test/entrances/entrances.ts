/** One database behind all its entrances, each as a caller of rows and SQL that answers in the same form: HTTP, MCP, the shell, the embedding API, SQL and COPY. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { exactJsonText, parseExactJson, parseInputJson } from '../../src/base/exact-json.ts';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { Row } from '../../src/commands/contract.ts';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { openLocalEntrance } from '../../src/local-entrance.ts';
import { answerMessage } from '../../src/mcp/one-message.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { socketLink } from '../../src/shell/link/socket-link.ts';
import { parseLine } from '../../src/shell/commands/syntax.ts';
import { UsageError } from '../../src/shell/commands/usage-error.ts';
import { Shell } from '../../src/shell/shell.ts';
import { PLAIN } from '../../src/shell/text/style.ts';
import { connectTo } from '../../src/socket/socket-client.ts';
import { createWireServer } from '../../src/wire/server.ts';
import { fields, frame, WireClient } from '../wire/wire-client.ts';

/** What a call answers: JSON text, or the SQLSTATE of its refusal. */
export type Answer = string;

export interface Entrance {
  readonly name: string;
  /** Whether records are written and read as such; else as rows of SQL. */
  readonly takesRecords: boolean;
  /** `record` as JSON text. ok, or a code. */
  put(table: string, id: string, record: string, branch?: string): Promise<Answer>;
  /** The record in the order of its fields, or a code. */
  get(table: string, id: string, branch?: string): Promise<Answer>;
  /** Ids that a `where`, as JSON text, finds, or a code. */
  find(table: string, where: string, branch?: string): Promise<Answer>;
  delete(table: string, id: string, branch?: string): Promise<Answer>;
  /** Values of the last statement's rows, a list for each, or a code. */
  sql(text: string, branch?: string): Promise<Answer>;
  merge(branch: string): Promise<Answer>;
}

/** Of a record that was read. */
export function recordText(record: unknown): string {
  return exactJsonText(record);
}

const idsText = (ids: readonly string[]): string => ids.join(' ');
const rowsText = (rows: readonly object[]): string => rows.map((row) => Object.values(row).map(shown).join('|')).join('\n');
const shown = (value: unknown): string => (value === null ? 'null' : typeof value === 'string' ? value : exactJsonText(value));
/** Text of JSON behind `"name":`. */
const input = (parts: Readonly<Record<string, string | undefined>>): string =>
  `{${Object.entries(parts)
    .flatMap(([name, text]) => (text === undefined ? [] : [`"${name}":${text}`]))
    .join(',')}}`;
const quoted = (text: string | undefined): string | undefined => (text === undefined ? undefined : JSON.stringify(text));

interface Found {
  readonly hits: readonly { readonly id: string }[];
}

/** The entrances that take records are one call of an operation each. */
function recordEntrance(name: string, call: (operation: string, json: string) => Promise<Answer | { reply: unknown }>): Entrance {
  const answer = async (operation: string, parts: Readonly<Record<string, string | undefined>>, show: (reply: never) => string): Promise<Answer> => {
    const replied = await call(operation, input(parts));
    return typeof replied === 'string' ? replied : show(replied.reply as never);
  };
  const ok = (): string => 'ok';
  return {
    name,
    takesRecords: true,
    put: (table, id, record, branch) => answer('put', { branch: quoted(branch), table: quoted(table), id: quoted(id), record }, ok),
    get: (table, id, branch) => answer('get', { branch: quoted(branch), table: quoted(table), id: quoted(id) }, ({ row }: { row: unknown }) => recordText(row)),
    find: (table, where, branch) =>
      answer('find', { branch: quoted(branch), table: quoted(table), where, limit: '1000' }, ({ hits }: Found) => idsText(hits.map(({ id }) => id))),
    delete: (table, id, branch) => answer('delete', { branch: quoted(branch), table: quoted(table), id: quoted(id) }, ok),
    sql: (text, branch) =>
      answer('sql', { branch: quoted(branch), sql: quoted(text) }, ({ results }: { results: { rows: object[] }[] }) => rowsText(results.at(-1)?.rows ?? [])),
    merge: (branch) => answer('merge', { branch: quoted(branch) }, ok),
  };
}

export class Entrances {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-entrances-'));
  db!: Database;
  readonly faults: unknown[] = [];
  readonly all: Entrance[] = [];
  readonly #closing: (() => unknown)[] = [];

  static async open(): Promise<Entrances> {
    const made = new Entrances();
    await made.#open();
    return made;
  }

  get records(): readonly Entrance[] {
    return this.all.filter(({ takesRecords }) => takesRecords);
  }

  async #open(): Promise<void> {
    const db = (this.db = await open(this.folder));
    this.#closing.push(() => db.close());
    const { token } = await db.create_agent({ name: 'model', can: ['admin'] });
    const identity = new ServerIdentity({ token: null, adminToken: null, safe: false }, db.directory, new LoginThrottle(1000));
    const http = createHttpServer({
      commandsOf: (principal) => db.commandsOf(principal),
      identity,
      version: 'test',
      onFault: (error) => this.faults.push(error),
      answerModel: (principal, commands, message, gone) => answerMessage({ principal, commands, safe: false }, 'test', message, gone),
    });
    const url = await http.listen('127.0.0.1', 0);
    const wire = createWireServer({
      session: (where) => db.session(where),
      logins: db.logins(identity),
      log: (level, said) => {
        if (level === 'error') this.faults.push(said);
      },
    });
    const port = await wire.listen('127.0.0.1', 0);
    const local = await openLocalEntrance(db);
    const socket = await connectTo(this.folder, { entrance: 'shell', as: { kind: 'owner' }, branch: 'main' });
    this.#closing.push(
      () => http.close(),
      () => wire.close(),
      () => local.close(),
    );
    const link = socketLink(socket);
    const sql = new SqlEntrances(port);
    this.#closing.push(
      () => link.close(),
      () => sql.close(),
    );
    this.all.push(
      recordEntrance('HTTP', (operation, json) => overHttp(url, operation, json)),
      overMcp(url, token),
      recordEntrance('the shell', (operation, json) => inShell(link, operation, json)),
      recordEntrance('the embedding API', (operation, json) => called(db, operation, json)),
      sql.entrance('SQL'),
      sql.entrance('COPY'),
    );
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function overHttp(url: string, operation: string, json: string): Promise<Answer | { reply: unknown }> {
  const response = await fetch(`${url}/v1/${operation}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json });
  const reply = parseExactJson(await response.text()) as { error?: { code: string } };
  if ((reply.error === undefined) !== response.ok) throw new Error(`status ${response.status} with ${exactJsonText(reply)}`);
  return reply.error === undefined ? { reply } : reply.error.code;
}

/** Tools answer with text: records as JSON, rows as a table. */
function overMcp(url: string, token: string): Entrance {
  const call = async (tool: string, parts: Readonly<Record<string, string | undefined>>): Promise<{ text: string; code: string | null }> => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', Authorization: `Bearer ${token}` },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${input(parts)}}}`,
    });
    const { result } = (await response.json()) as { result: { content: { text: string }[]; isError?: boolean } };
    const [{ text }] = result.content;
    return { text, code: result.isError === true ? (/\((\w{5})\)$/.exec(text)?.[1] ?? `without a code: ${text}`) : null };
  };
  const ok = async (tool: string, parts: Readonly<Record<string, string | undefined>>): Promise<Answer> => (await call(tool, parts)).code ?? 'ok';
  return {
    name: 'MCP',
    takesRecords: true,
    put: (table, id, record, branch) => ok('put', { table: quoted(table), id: quoted(id), record, branch: quoted(branch) }),
    async get(table, id, branch) {
      const { text, code } = await call('get', { table: quoted(table), id: quoted(id), branch: quoted(branch) });
      return code ?? recordText(parseExactJson(text));
    },
    async find(table, where, branch) {
      const { text, code } = await call('find', { table: quoted(table), where, limit: '1000', branch: quoted(branch) });
      if (code !== null) return code;
      const [count, head, rule, ...rows] = text.split('\n');
      const ids = rows.filter((line) => line.includes('|')).map((line) => line.split('|')[0].trim());
      if (!count.startsWith(`${ids.length} match`)) throw new Error(`${count}, but ${ids.length} rows:\n${[head, rule, ...rows].join('\n')}`);
      return idsText(ids);
    },
    delete: (table, id, branch) => ok('delete', { table: quoted(table), id: quoted(id), branch: quoted(branch) }),
    async sql(text, branch) {
      // Values in a table of texts: as JSON in one column, so that none is taken for another.
      const { text: said, code } = await call('sql', { sql: quoted(text), branch: quoted(branch) });
      if (code !== null) return code;
      const lines = said.split('\n');
      const rule = lines.findLastIndex((line) => /^[-+]+$/.test(line));
      if (rule < 0) return '';
      return lines
        .slice(rule + 1)
        .filter((line) => !/^\(\d+ rows?\)|^version \d+$/.test(line) && line !== '')
        .map((line) =>
          line
            .split('|')
            .map((part) => part.trim().replace(/^NULL$/, 'null'))
            .join('|'),
        )
        .join('\n');
    },
    merge: (branch) => ok('merge', { branch: quoted(branch) }),
  };
}

async function inShell(link: ReturnType<typeof socketLink>, operation: string, json: string): Promise<Answer | { reply: unknown }> {
  const out = new PassThrough();
  const err = new PassThrough();
  let written = '';
  for (const stream of [out, err]) stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const { branch = 'main', ...given } = parseInputJson(json) as Record<string, unknown> & { branch?: string };
  const options = { link, reconnect: () => Promise.reject(new Error('the link is gone')), branch, out, err, style: PLAIN, terminal: null, keys: null };
  const shell = new Shell({ ...options, width: () => null, json: true });
  if (operation === 'sql') await shell.one(given['sql'] as string);
  else {
    const line = `${operation} ${Object.entries(given)
      .map(([name, value]) => `--${name} ${single(typeof value === 'string' ? value : exactJsonText(value))}`)
      .join(' ')} --branch ${single(branch)}`;
    let parsed: ReturnType<typeof parseLine>;
    try {
      parsed = parseLine(line);
    } catch (error) {
      // A line that cannot be understood is not sent: it ends with code 2.
      if (error instanceof UsageError) return '22023';
      throw error;
    }
    if (parsed === null) throw new Error(`the shell has no command ${operation}`);
    await shell.one(parsed);
  }
  await new Promise((resolve) => setImmediate(resolve));
  const reply = parseExactJson(written) as { error?: { code: string } };
  return reply.error === undefined ? { reply } : reply.error.code;
}

function single(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

async function called(db: Database, operation: string, json: string): Promise<Answer | { reply: unknown }> {
  try {
    const call = (db as unknown as Record<string, (input: unknown) => Promise<unknown>>)[operation];
    return { reply: await call.call(db, parseInputJson(json)) };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return error.code;
  }
}

/** Rows by the wire protocol, a connection for each world. */
class SqlEntrances {
  readonly #port: number;
  readonly #clients = new Map<string, WireClient>();

  constructor(port: number) {
    this.#port = port;
  }

  close(): void {
    for (const client of this.#clients.values()) client.quit();
  }

  async #client(branch: string): Promise<WireClient> {
    let client = this.#clients.get(branch);
    if (client === undefined) this.#clients.set(branch, (client = await WireClient.login(this.#port, { database: branch })));
    return client;
  }

  async #run(text: string, branch = 'main', copied: string | null = null): Promise<Answer> {
    const client = await this.#client(branch);
    client.send(frame('Q', text));
    if (copied !== null && (await client.answersWith('G'))) client.send(frame('d', Buffer.from(copied)), frame('c'));
    const messages = await client.until('Z');
    const code = codeOf(messages);
    if (code !== null) return code;
    const last = messages.findLastIndex(({ type }) => type === 'T');
    return (last < 0 ? [] : messages.slice(last))
      .filter(({ type }) => type === 'D')
      .map(({ body }) => valuesOf(body).join('|'))
      .join('\n');
  }

  async #jsonColumns(table: string, branch: string | undefined): Promise<ReadonlySet<string>> {
    const names = await this.#run(
      `SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(${single(identifier(table))}) AND atttypid = 'jsonb'::regtype`,
      branch,
    );
    return new Set(names.split('\n'));
  }

  entrance(kind: 'SQL' | 'COPY'): Entrance {
    const written = (answer: Answer): Answer => (answer === '' ? 'ok' : answer);
    return {
      name: kind,
      takesRecords: false,
      put: async (table, id, json, branch) => {
        const record = parseInputJson(json) as Row;
        const isJson = await this.#jsonColumns(table, branch);
        const names = ['id', ...Object.keys(record)].map(identifier).join(', ');
        const texts = [id, ...Object.entries(record).map(([name, value]) => textOf(value, isJson.has(name)))];
        if (kind === 'SQL') {
          const values = texts.map((text) => (text === null ? 'NULL' : single(text))).join(', ');
          return written(await this.#run(`INSERT INTO ${identifier(table)} (${names}) VALUES (${values})`, branch));
        }
        return written(await this.#run(`COPY ${identifier(table)} (${names}) FROM STDIN`, branch, `${texts.map(copied).join('\t')}\n`));
      },
      get: async (table, id, branch) => {
        const found = await this.#run(`SELECT to_json(t) FROM ${identifier(table)} t WHERE id = ${single(id)}`, branch);
        return found === '' ? '02000' : found.startsWith('{') ? recordText(parseExactJson(found)) : found;
      },
      find: async (table, where, branch) => {
        const isJson = await this.#jsonColumns(table, branch);
        const tests = Object.entries(parseInputJson(where) as Row).map(([name, value]) => {
          const text = textOf(value, isJson.has(name));
          return text === null ? `${identifier(name)} IS NULL` : `${identifier(name)} = ${single(text)}`;
        });
        const found = await this.#run(`SELECT id FROM ${identifier(table)}${tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`} ORDER BY id`, branch);
        return found.split('\n').join(' ');
      },
      delete: async (table, id, branch) => written(await this.#run(`DELETE FROM ${identifier(table)} WHERE id = ${single(id)}`, branch)),
      sql: (text, branch) => this.#run(text, branch),
      merge: async (branch) => written((await this.#run(`MERGE WORLD ${identifier(branch)}`)).replace(/^\d+\|.*$/, '')),
    };
  }
}

function codeOf(messages: readonly { type: string; body: Buffer }[]): string | null {
  const error = messages.find(({ type }) => type === 'E');
  return error === undefined ? null : fields(error)['C'];
}

function valuesOf(body: Buffer): string[] {
  const out: string[] = [];
  let at = 2;
  for (let i = 0; i < body.readInt16BE(0); i++) {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) out.push('null');
    else out.push(body.toString('utf8', at, (at += length)));
  }
  return out;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A value as the text of its column's type. */
function textOf(value: unknown, isJson: boolean): string | null {
  if (value === null) return null;
  return typeof value === 'string' && !isJson ? value : exactJsonText(value);
}

function copied(text: string | null): string {
  return text === null ? '\\N' : text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}
