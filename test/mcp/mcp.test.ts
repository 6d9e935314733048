/** MCP by the official client: over stdin and stdout of the real process, through the socket of a server, over HTTP. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { TOOLS } from '../../src/mcp/tools.ts';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');

let folder: string;
const clients: Client[] = [];
const servers: ChildProcessWithoutNullStreams[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const server of servers.splice(0)) {
    server.kill('SIGTERM');
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
  }
  rmSync(folder, { recursive: true, force: true });
});

async function seed(): Promise<string> {
  const db = await open(folder);
  await db.sql({ sql: "CREATE TABLE items (id int PRIMARY KEY, name text, stock int); INSERT INTO items VALUES (1, 'bolt', 5), (2, 'nut', 7)" });
  await db.put({ table: 'notes', id: 'a', record: { text: 'hello', tags: ['x'] } });
  await db.set_merge_policy({ name: 'careful', rules: { max_rows: 1 } });
  const { token } = await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own', 'merge_own', 'write_main'], policy: 'careful' });
  await db.close();
  return token;
}

async function stdio(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', folder, ...args], stderr: 'pipe' }));
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<{ text: string; failed: boolean }> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[]; isError?: boolean };
  return { text: content.map(({ text }) => text).join('\n'), failed: isError === true };
}

async function said(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { text, failed } = await call(client, name, args);
  expect(failed, text).toBe(false);
  return text;
}

async function refused(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { text, failed } = await call(client, name, args);
  expect(failed, text).toBe(true);
  return text;
}

async function serve(...args: string[]): Promise<string> {
  const server = spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off', ...args]);
  servers.push(server);
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listening on (http:\S+)/.exec(text);
      if (found !== null) resolve(found[1]);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

const UNSAFE = ['merge', 'restore', 'undo_merge'];
/** Those of simulations come with them. */
const names = TOOLS.map(({ name }) => name);

// contract: command.2
describe('safe mode over stdio', () => {
  // contract: mcp.tools, mcp.stdio.4
  test('lists all but merge, restore and undo_merge, in few words, and says how to work', async () => {
    await seed();
    const client = await stdio();
    expect(client.getServerVersion()).toMatchObject({ name: 'svc' });
    expect(client.getInstructions()).toContain('a person reviews and merges it');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(names.filter((name) => !UNSAFE.includes(name)).sort());
    // A token is four characters at most of such text.
    expect(JSON.stringify(tools).length).toBeLessThan(6000 * 4);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toHaveProperty('readOnlyHint');
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  // contract: auth.mcp.1, mcp.rule.4, mcp.rule.5, mcp.fork, mcp.sql, mcp.stdio.6, mcp.merge, mcp.restore, mcp.undo_merge, mcp.rebase, mcp.diff, mcp.put, mcp.get, mcp.delete, mcp.rollback, mcp.checkpoint, mcp.set_merge_policy
  test('reads everything and changes only what this session forked', async () => {
    await seed();
    const client = await stdio();
    const described = await said(client, 'describe');
    expect(described).toContain('items: 2 rows');
    expect(described).toContain('stock');
    expect(described).toContain('notes: 1 rows, put may add fields');
    expect(await refused(client, 'put', { table: 'notes', id: 'b', record: {} })).toMatch(/fork/);
    expect(await refused(client, 'sql', { sql: 'UPDATE items SET stock = 0' })).toMatch(/fork/);
    expect(await said(client, 'fork', { name: 'draft' })).toMatch(/^forked branch draft \(/);
    await said(client, 'put', { branch: 'draft', table: 'notes', id: 'b', record: { text: 'mine' } });
    expect(await said(client, 'sql', { branch: 'draft', sql: 'UPDATE items SET stock = stock + 1 WHERE id = $1', params: [1] })).toContain('UPDATE 1');
    expect(await said(client, 'sql', { branch: 'draft', sql: 'SELECT * FROM items ORDER BY id' })).toBe(
      'id | name | stock\n---+------+------\n1  | bolt | 6\n2  | nut  | 7\n(2 rows)\nversion 2',
    );
    const diff = await said(client, 'diff', { branch: 'draft' });
    expect(diff).toContain('items/1');
    expect(diff).toContain('2 changed rows');
    expect(await said(client, 'diff', { branch: 'draft', as_sql: true })).toContain('UPDATE');
    expect(await said(client, 'merge_preview', { branch: 'draft' })).toContain('0 conflicts');
    await said(client, 'checkpoint', { branch: 'draft', name: 'c' });
    await said(client, 'delete', { branch: 'draft', table: 'notes', id: 'b' });
    expect(await said(client, 'rollback', { branch: 'draft', checkpoint: 'c' })).toContain('1 rows changed');
    expect(JSON.parse(await said(client, 'get', { branch: 'draft', table: 'notes', id: 'b' }))).toEqual({ text: 'mine' });
    expect(await said(client, 'rebase', { branch: 'draft' })).toBe('REBASE 2');
    expect(await said(client, 'find', { table: 'items', where: { name: 'nut' } })).toMatch(/^1 match/);
    expect(await said(client, 'branches')).toContain('draft');
    expect(await said(client, 'history', { branch: 'draft', limit: 3 })).toContain('rebase');
    for (const tool of UNSAFE) expect(await refused(client, tool, { branch: 'draft', at: '-1s' })).toContain('safe mode');
    for (const sql of [
      'MERGE WORLD draft',
      'CREATE WORLD x',
      'USE WORLD draft',
      'DROP WORLD draft',
      "RESTORE WORLD draft TO '-1m'",
      'ALTER SYSTEM SET protect_main = on',
    ]) {
      expect([sql, await refused(client, 'sql', { sql, branch: 'draft' })]).toEqual([sql, expect.stringContaining('safe mode')]);
    }
    for (const sql of ['SHOW WORLDS', 'DIFF WORLD draft', 'MERGE WORLD draft DRY RUN', "SELECT count(*) FROM items AS OF '-1ms'"])
      await said(client, 'sql', { sql });
    expect(await said(client, 'set_merge_policy', { name: 'p', rules: { max_rows: 5, tables: ['items'] } })).toContain(
      "CREATE MERGE POLICY p (max_rows = 5, tables = ('items'));",
    );
    expect(await said(client, 'discard', { branch: 'draft' })).toBe('discarded draft');
  });

  // contract: mcp.rule.4, mcp.rule.6
  test('a world forked by another session is not its own', async () => {
    await seed();
    const first = await stdio();
    await said(first, 'fork', { name: 'theirs' });
    // The second process reaches the first one's database through its socket.
    const second = await stdio();
    expect(await said(second, 'branches')).toContain('theirs');
    expect(await refused(second, 'put', { branch: 'theirs', table: 'notes', id: 'x', record: {} })).toMatch(/fork/);
    expect(await refused(second, 'discard', { branch: 'theirs' })).toMatch(/may not/);
    await said(second, 'fork', { name: 'inner', from: 'theirs' });
    expect(await refused(first, 'discard', { branch: 'theirs', cascade: true })).toMatch(/may not/);
  });
});

describe('calls that are wrong', () => {
  // contract: error.mcp.1, mcp.args, mcp.rule.7
  test('answer a text that says how to fix them', async () => {
    await seed();
    const client = await stdio();
    expect(await refused(client, 'fly')).toContain('there is no tool "fly"');
    expect(await refused(client, 'get', { table: 'items' })).toContain('`id` is missing');
    expect(await refused(client, 'get', { table: 'items', id: '1', colour: 'red' })).toContain('there is no parameter `colour`');
    expect(await refused(client, 'get', { table: 'it ems', id: '1' })).toContain('`table`');
    expect(await refused(client, 'describe', { table: 'nothing' })).toContain('there is no table "nothing"');
    expect(await refused(client, 'sql', { sql: 'SELEC 1' })).toContain('42601');
    expect(await refused(client, 'find', { table: 'items', limit: 1001 })).toContain('sql');
    expect(await refused(client, 'history', { limit: 1001 })).toContain('SHOW HISTORY');
    expect(await refused(client, 'diff', { branch: 'nothing' })).toContain('there is no world');
  });
});

// contract: command.2, auth.mcp.2, auth.mcp.3, mcp.rule.2
test("an agent's whole task: describe, fork, sql, diff, a merge that is held, the review, the approval", async () => {
  await seed();
  const ann = await stdio('--agent', 'ann');
  expect((await ann.listTools()).tools.map(({ name }) => name)).toContain('merge');
  expect((await ann.listTools()).tools.map(({ name }) => name)).not.toContain('set_merge_policy');
  await said(ann, 'describe', { table: 'items' });
  await said(ann, 'fork', { name: 'restock', meta: { intent: 'restock' } });
  await said(ann, 'sql', { branch: 'restock', sql: 'UPDATE items SET stock = 10' });
  const diff = await said(ann, 'diff', { branch: 'restock' });
  const version = Number(/version (\d+)/.exec(diff)![1]);
  const held = await refused(ann, 'merge', { branch: 'restock', version });
  expect(held).toContain('max_rows: the merge changes 2 rows, the policy allows 1');
  expect(await said(ann, 'merge_preview', { branch: 'restock' })).toContain('blocked');
  expect(await said(ann, 'reviews')).toContain('restock (ann, policy careful');
  expect(await refused(ann, 'review', { branch: 'restock', verdict: 'approve' })).toContain('may not decide');
  // The person comes through the same folder.
  const person = await stdio('--allow-merge');
  expect(await said(person, 'review', { branch: 'restock', verdict: 'approve' })).toBe('approved: merged 2 changes');
  expect(await said(ann, 'sql', { sql: 'SELECT sum(stock) AS total FROM items' })).toContain('20');
});

describe('over HTTP', () => {
  // contract: auth.mcp.4, mcp.http.7
  test('an agent by its token, each request separately', async () => {
    const token = await seed();
    const url = await serve();
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
    await said(client, 'fork', { name: 'h' });
    await said(client, 'sql', { branch: 'h', sql: 'UPDATE items SET stock = 1 WHERE id = 1' });
    expect(await said(client, 'merge', { branch: 'h' })).toContain('merged 1 changes');
  });

  interface Case {
    name: string;
    headers?: Record<string, string>;
    method?: string;
    body?: string;
    status: number;
    answer?: unknown;
  }
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const CASES: Case[] = [
    { name: 'a request', body: ping, status: 200, answer: { jsonrpc: '2.0', id: 1, result: {} } },
    { name: 'a notification', body: '{"jsonrpc":"2.0","method":"notifications/initialized"}', status: 202 },
    { name: "a client's response", body: '{"jsonrpc":"2.0","id":1,"result":{}}', status: 202 },
    { name: 'a batch', body: `[${ping}]`, status: 400, answer: { id: null, error: { code: -32600 } } },
    { name: 'not JSON', body: '{', status: 400, answer: { id: null, error: { code: -32700 } } },
    { name: 'GET', method: 'GET', status: 405 },
    { name: 'an unknown method', body: '{"jsonrpc":"2.0","id":"x","method":"resources/list"}', status: 200, answer: { id: 'x', error: { code: -32601 } } },
    { name: 'a wrong token', headers: { Authorization: 'Bearer svc_0' }, body: ping, status: 401 },
    { name: 'no token', headers: { Authorization: '' }, body: ping, status: 403 },
    {
      name: 'the version that the client asks for',
      body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
      status: 200,
      answer: { result: { protocolVersion: '1999-01-01', serverInfo: { name: 'svc' } } },
    },
  ];
  // contract: mcp.http.1, mcp.http.2, mcp.http.3, mcp.http.4, mcp.http.5, mcp.http.6, auth.mcp.8, error.405, error.413, error.mcp.2, version.4
  test('the table of cases', async () => {
    const token = await seed();
    const url = await serve();
    for (const { name, headers = {}, method = 'POST', body, status, answer } of CASES) {
      const all: Record<string, string> = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers };
      if (all['Authorization'] === '') delete all['Authorization'];
      const response = await fetch(`${url}/mcp`, { method, headers: all, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      expect([name, response.status], text).toEqual([name, status]);
      if (status === 202) expect(text).toBe('');
      if (answer !== undefined) expect(JSON.parse(text)).toMatchObject(answer as object);
    }
    // Refused from its length alone: the body is never sent.
    const status = await new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'Content-Length': 8 * 1024 * 1024 + 1 };
      const long = request(`${url}/mcp`, { method: 'POST', headers }, (response) => resolve(response.statusCode));
      long.once('error', reject);
      long.flushHeaders();
    });
    expect(status).toBe(413);
  });

  // contract: mcp.http.7, auth.mcp.7
  test('under --safe a client without credentials is the guest', async () => {
    await seed();
    const url = await serve('--safe');
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(names.filter((name) => !UNSAFE.includes(name)).sort());
    await said(client, 'fork', { name: 'g' });
    await said(client, 'put', { branch: 'g', table: 'notes', id: 'z', record: { n: 1 } });
    expect(await refused(client, 'put', { table: 'notes', id: 'z', record: { n: 1 } })).toMatch(/fork/);
  });
});

// contract: mcp.stdio.1, mcp.stdio.3
test('lines that are no messages are answered, and nothing else is ever on stdout', async () => {
  await seed();
  const child = spawn(process.execPath, [MAIN, 'mcp', folder]);
  servers.push(child);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stdin.write(
    '\n  \n{nonsense\n[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n{"jsonrpc":"2.0","method":"ping"}\n{"id":3}\n',
  );
  await expect.poll(() => out.split('\n').length - 1, { timeout: 20_000 }).toBe(4);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number }; result?: unknown });
  expect(answers.map(({ id, error }) => [id, error?.code ?? 'ok']).sort()).toEqual(
    [
      [2, 'ok'],
      [3, -32600],
      [null, -32600],
      [null, -32700],
    ].sort(),
  );
  child.stdin.end();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
});

// contract: auth.mcp.2, auth.mcp.6
test('an unknown agent, a disabled one, and a branch that is not there end it at once', async () => {
  await seed();
  const db = await open(folder);
  await db.alter_agent({ name: 'ann', disabled: true });
  await db.close();
  for (const args of [
    ['--agent', 'nobody'],
    ['--agent', 'ann'],
    ['-b', 'nowhere'],
  ]) {
    const child = spawn(process.execPath, [MAIN, 'mcp', folder, ...args]);
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect([args, await new Promise((resolve) => child.once('exit', resolve))]).toEqual([args, 1]);
    expect(errors).toMatch(/^svc: /);
  }
});
