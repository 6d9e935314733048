/** Governed merges through the entrances of a separate server process: HTTP, the SQL port and MCP, as people and agents use them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');
let folder: string;
let server: ChildProcess;
let base: string;
let port: number;
const tokens = new Map<string, string>();

async function post(op: string, body: unknown, agent?: string): Promise<{ status: number; body: any }> {
  const headers = { 'Content-Type': 'application/json', ...(agent === undefined ? {} : { Authorization: `Bearer ${tokens.get(agent)!}` }) };
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

async function done(op: string, body: unknown, agent?: string): Promise<any> {
  const answer = await post(op, body, agent);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

/** Statements on the SQL port; the code of what refuses them. */
async function overWire(agent: string, ...statements: string[]): Promise<string> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: agent, password: tokens.get(agent), database: 'main' });
  client.on('error', () => {});
  try {
    await client.connect();
    for (const sql of statements) await client.query(sql);
    return 'ok';
  } catch (error) {
    return (error as pg.DatabaseError).code ?? String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function mcp(agent: string, tool: string, args: Record<string, unknown>): Promise<{ text: string; failed: boolean }> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${tokens.get(agent)!}` } } }),
  );
  const { content, isError } = (await client.callTool({ name: tool, arguments: args })) as { content: { text: string }[]; isError?: boolean };
  await client.close();
  return { text: content.map(({ text }) => text).join('\n'), failed: isError === true };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-governed-'));
  server = spawn(process.execPath, [MAIN, 'serve', join(folder, 'data'), '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const http = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text);
      const wire = /psql -h \S+ -p (\d+)/.exec(text);
      if (http === null || wire === null) return;
      base = http[1];
      port = Number(wire[1]);
      resolve();
    };
    server.stdout!.on('data', read);
    server.stderr!.on('data', read);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  await done('sql', { sql: 'CREATE TABLE stock (id int PRIMARY KEY, amount int); INSERT INTO stock SELECT i, 10 FROM generate_series(1, 9) i' });
  await done('sql', {
    sql: 'CREATE MERGE POLICY careful (max_rows = 2, schema = true); CREATE MERGE CHECK no_debt ON (stock) AS SELECT * FROM stock WHERE amount < 0',
  });
  for (const [name, policy] of [
    ['ann', 'careful'],
    ['zoe', null],
    ['gone', null],
  ]) {
    const can = ['read', 'fork', 'write_own', 'merge_own', 'write_main'];
    tokens.set(name!, (await done('create_agent', { name, can, policy })).token);
  }
}, 60_000);
afterAll(async () => {
  server.kill('SIGTERM');
  await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
  rmSync(folder, { recursive: true, force: true });
});

const EXCHANGE = 'ALTER TABLE stock RENAME TO old; CREATE TABLE stock (id int PRIMARY KEY, amount int)';

describe('what a check reads is exchanged', () => {
  // contract: state.6, error.23514
  test('HTTP: 409 with 23514, naming the check and the object', async () => {
    await done('fork', { name: 'h' }, 'zoe');
    await done('sql', { branch: 'h', sql: EXCHANGE }, 'zoe');
    const { status, body } = await post('merge', { branch: 'h' }, 'zoe');
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: '23514' });
    expect(body.error.message).toContain('merge check "no_debt": the merge exchanges what it reads: table stock');
    expect((await done('merge', { branch: 'h', dry_run: true }, 'zoe')).blocked).toHaveLength(1);
    await done('discard', { branch: 'h' });
  });

  test('SQL port', async () => {
    expect(await overWire('zoe', 'CREATE WORLD w', 'USE WORLD w', EXCHANGE, 'USE WORLD main', 'MERGE WORLD w')).toBe('23514');
    await done('discard', { branch: 'w' });
  });

  // contract: mcp.rule.2, mcp.rule.3
  test('MCP: refused, and for an agent under a policy held', async () => {
    await done('fork', { name: 'm' }, 'zoe');
    await mcp('zoe', 'sql', { branch: 'm', sql: EXCHANGE });
    expect(await mcp('zoe', 'merge', { branch: 'm' })).toMatchObject({ failed: true, text: expect.stringContaining('no_debt') });
    await done('discard', { branch: 'm' });
    await done('fork', { name: 'm2' }, 'ann');
    await done('sql', { branch: 'm2', sql: EXCHANGE }, 'ann');
    const { text, failed } = await mcp('ann', 'merge', { branch: 'm2' });
    expect(failed).toBe(true);
    expect(text).toContain('waits for a person');
    expect(text).toContain('exchanges what it reads');
    expect((await done('reviews', {})).reviews.map(({ world }: { world: string }) => world)).toEqual(['m2']);
    await done('discard', { branch: 'm2' });
  });
});

test('an agent under a policy does not write main through any entrance', async () => {
  const { status, body } = await post('sql', { sql: 'UPDATE stock SET amount = 0' }, 'ann');
  expect({ status, code: body.error.code }).toEqual({ status: 403, code: '42501' });
  expect((await post('put', { table: 'notes', id: 'a', record: {} }, 'ann')).status).toBe(403);
  expect(await overWire('ann', 'UPDATE stock SET amount = 0')).toBe('42501');
  expect(await overWire('ann', 'BEGIN', 'DELETE FROM stock', 'COMMIT')).toBe('42501');
  expect(await overWire('ann', 'TRUNCATE stock')).toBe('42501');
  expect(await mcp('ann', 'put', { table: 'notes', id: 'a', record: {} })).toMatchObject({ failed: true });
  expect(await overWire('ann', 'CREATE WORLD a', 'USE WORLD a', 'UPDATE stock SET amount = 1 WHERE id = 1', 'USE WORLD main', 'MERGE WORLD a')).toBe('ok');
});

test('rows that converged are said, and strict refuses them, through every entrance', async () => {
  for (const name of ['c1', 'c2']) await done('fork', { name }, 'zoe');
  for (const branch of ['c1', 'c2']) await done('sql', { branch, sql: 'UPDATE stock SET amount = 8 WHERE id = 8' }, 'zoe');
  await done('merge', { branch: 'c1' }, 'zoe');
  expect((await done('merge', { branch: 'c2', dry_run: true }, 'zoe')).rows).toMatchObject([{ key: 'stock/8', outcome: 'converged' }]);
  expect((await post('merge', { branch: 'c2', strict: true }, 'zoe')).status).toBe(409);
  expect(await overWire('zoe', 'MERGE WORLD c2 STRICT')).toBe('SV409');
  expect(await mcp('zoe', 'merge', { branch: 'c2', strict: true })).toMatchObject({ failed: true });
  expect((await mcp('zoe', 'merge_preview', { branch: 'c2' })).text).toContain('converged');
  expect(await done('merge', { branch: 'c2' }, 'zoe')).toEqual({ merged: 0, converged: 1 });
});

test('a policy for an agent that is not there is not kept, over HTTP and MCP', async () => {
  expect(await post('set_merge_policy', { name: 'p', rules: {}, agents: ['nobody'] })).toMatchObject({ status: 404, body: { error: { code: '42704' } } });
  await done('create_agent', { name: 'root', can: ['admin'] }).then(({ token }) => tokens.set('root', token as string));
  expect(await mcp('root', 'set_merge_policy', { name: 'p', rules: {}, agents: ['nobody'] })).toMatchObject({ failed: true });
  expect(await mcp('root', 'set_merge_policy', { name: 'p', rules: { tables: ['nothing'] } })).toMatchObject({ failed: true });
  expect((await done('merge_policies', {})).policies.map(({ name }: { name: string }) => name)).toEqual(['careful']);
});

// contract: auth.wire.15, state.22
test("a dropped agent's name with its old token is refused at the SQL port of a server without a token", async () => {
  expect(await overWire('gone', 'SELECT 1')).toBe('ok');
  await done('drop_agent', { name: 'gone' });
  expect(await overWire('gone', 'SELECT 1')).toBe('28P01');
  const { status } = await post('get', { table: 'stock', id: '1' }, 'gone');
  expect(status).toBe(401);
  // Other names are the database's own user, and a role may take the name.
  expect(await overWire('somebody', 'CREATE ROLE gone LOGIN')).toBe('ok');
  expect(await overWire('gone', 'SELECT 1')).toBe('ok');
});
