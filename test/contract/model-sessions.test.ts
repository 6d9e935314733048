/** Sessions of MCP as a client starts them: whom they act as, and what they give where a call leaves a choice open. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { call, Opened, refused, said } from '../mcp/clients.ts';

let folder: string;
const opened = new Opened();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inFolder<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await open(folder);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const RIGHTS = ['read', 'fork', 'write_own'];
const seed = (db: Database): Promise<unknown> =>
  db.sql({
    sql: "CREATE TABLE items (id int PRIMARY KEY, name text, price numeric(6,2)); INSERT INTO items SELECT i, 'item ' || i, 1.5 FROM generate_series(1, 45) i",
  });

// contract: mcp.describe, mcp.find, mcp.history, mcp.get, mcp.stdio.5
test('describe, find, history and sql give what they promise', async () => {
  await inFolder(async (db) => {
    await seed(db);
    await db.put({ table: 'notes', id: 'a', record: { text: 'buy red lamps' } });
    for (let n = 0; n < 40; n++) await db.put({ table: 'notes', id: 'b', record: { text: `lamp ${n}` } });
  });
  const client = await opened.stdio(folder);
  const all = await said(client, 'describe');
  expect(all).toMatch(/^items: 45 rows/m);
  expect(all).toMatch(/^notes: 2 rows/m);
  const one = await said(client, 'describe', { table: 'items' });
  for (const part of ['integer', 'text', 'numeric', '"item 1", "item 2"', 'sample: {"id":1,']) expect(one).toContain(part);
  expect(one).not.toContain('notes');
  const listed = await said(client, 'find', { table: 'items' });
  expect(listed).toMatch(/^45 match/);
  expect(listed.match(/item \d+/g)).toHaveLength(20);
  expect(await said(client, 'find', { table: 'notes', text: 'red lamp' })).toMatch(/^2 match[^]*score[^]*\| *\d\.\d+/);
  const history = await said(client, 'history', { branch: 'main' });
  expect(history.match(/\| write/g)).toHaveLength(30);
  // Each call of sql is a session of its own.
  await said(client, 'sql', { sql: "SET application_name = 'mine'" });
  expect(await said(client, 'sql', { sql: 'SHOW application_name' })).not.toContain('mine');
  await said(client, 'fork', { name: 'w' });
  expect(await refused(client, 'sql', { branch: 'w', sql: 'BEGIN; DELETE FROM items' })).toContain('COMMIT');
  expect(await said(client, 'sql', { branch: 'w', sql: 'BEGIN; DELETE FROM items; COMMIT' })).toContain('DELETE 45');
});

// contract: auth.mcp.2, auth.mcp.5, auth.mcp.6, identity.3, event.2
test('--agent counts beside --allow-merge; its forks, quotas and audit are those of the agent; -b is not where tools write', async () => {
  await inFolder(async (db) => {
    await seed(db);
    await db.create_agent({ name: 'ann', can: RIGHTS, max_worlds: 2 });
    await db.fork({ name: 'elsewhere' });
  });
  const first = await opened.stdio(folder, '--agent', 'ann', '--allow-merge', '-b', 'elsewhere');
  await said(first, 'fork', { name: 'a' });
  await said(first, 'put', { branch: 'a', table: 'notes', id: 'x', record: { n: 1 } });
  expect(await refused(first, 'merge', { branch: 'a' })).toMatch(/may not/);
  expect(await refused(first, 'put', { table: 'notes', id: 'x', record: {} })).toMatch(/main/);
  await opened.close();
  const second = await opened.stdio(folder, '--agent', 'ann');
  await said(second, 'put', { branch: 'a', table: 'notes', id: 'y', record: { n: 2 } });
  await said(second, 'fork', { name: 'b' });
  expect(await refused(second, 'fork', { name: 'c' })).toContain('max_worlds');
  await opened.close();
  await inFolder(async (db) => {
    const { events } = await db.audit({ agent: 'ann' });
    expect(events.map(({ world, action }) => `${world} ${action}`)).toEqual(['b fork from main', 'a write', 'a write', 'a fork from main']);
    expect((await db.diff({ branch: 'elsewhere' })).changes).toEqual([]);
  });
});

// contract: auth.mcp.1, auth.mcp.11
test('safe mode without an agent leaves no audit', async () => {
  await inFolder(seed);
  const client = await opened.stdio(folder);
  await said(client, 'fork', { name: 'a' });
  await said(client, 'put', { branch: 'a', table: 'notes', id: 'x', record: { n: 1 } });
  await said(client, 'discard', { branch: 'a' });
  await opened.close();
  await inFolder(async (db) => expect((await db.audit({})).events).toEqual([]));
});

const SERVER = 'the-token-of-this-server-1';
const ADMIN = 'the-token-of-an-admin-here';
const ping = (url: string, token?: string): Promise<number> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  }).then(({ status }) => status);

// contract: auth.mcp.7, auth.mcp.8
test('over HTTP the server token is refused, and is the guest under --safe; tokens of agents that are gone are 401', async () => {
  const [off, dropped, ann] = await inFolder(async (db) => {
    const tokens = [];
    for (const name of ['off', 'dropped', 'ann']) tokens.push((await db.create_agent({ name, can: RIGHTS })).token);
    await db.alter_agent({ name: 'off', disabled: true });
    await db.drop_agent({ name: 'dropped' });
    return tokens;
  });
  const plain = await opened.serve(folder, '--token', SERVER);
  expect([await ping(plain, SERVER), await ping(plain, ann), await ping(plain, off), await ping(plain, dropped)]).toEqual([403, 200, 401, 401]);
  await opened.close();
  const safe = await opened.serve(folder, '--safe', '--token', SERVER, '--admin-token', ADMIN);
  expect([await ping(safe, ADMIN), await ping(safe, ann), await ping(safe, off)]).toEqual([403, 200, 401]);
  const guest = await opened.http(safe, SERVER);
  await said(guest, 'fork', { name: 'g' });
  expect((await (await opened.http(safe, ann)).callTool({ name: 'branches', arguments: {} })).content).toMatchObject([
    { text: expect.stringMatching(/g .*guest/) },
  ]);
});

// contract: auth.mcp.9, limit.max_concurrent
test('max_concurrent counts calls of tools and statements of sql', async () => {
  const token = await inFolder(async (db) => {
    await seed(db);
    return (await db.create_agent({ name: 'ann', can: RIGHTS, max_concurrent: 1 })).token;
  });
  const url = await opened.serve(folder);
  const [one, two] = [await opened.http(url, token), await opened.http(url, token)];
  const long = call(one, 'sql', { sql: 'SELECT 1; SELECT count(*) FROM generate_series(1, 20000000) g' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const outcome = async (tool: string, args: object): Promise<string> =>
    call(two, tool, args as Record<string, unknown>).then(
      ({ text, failed }) => `${failed} ${text}`,
      (error: unknown) => String(error),
    );
  expect(await outcome('branches', {})).toMatch(/max_concurrent/);
  expect(await outcome('sql', { sql: 'SELECT 1' })).toMatch(/max_concurrent/);
  expect((await long).failed).toBe(false);
  expect(await outcome('sql', { sql: 'SELECT 1; SELECT 2' })).toMatch(/^false/);
});

// contract: mcp.merge, mcp.merge_preview
test('confirm of a merge that is not plain is ignored', async () => {
  await inFolder(async (db) => {
    await seed(db);
    await db.fork({ name: 'a' });
    await db.sql({ branch: 'a', sql: 'UPDATE items SET price = 2 WHERE id = 1; UPDATE items SET price = 3 WHERE id = 2' });
  });
  const client = await opened.stdio(folder, '--allow-merge');
  expect(await said(client, 'merge_preview', { branch: 'a' })).toMatch(/table *\| id *\| outcome *\| detail *\| base *\| ours *\| theirs *\| result/);
  expect(await said(client, 'merge', { branch: 'a', confirm: true, only_keys: ['items/1'] })).toMatch(/^merged 1 change/);
  expect(await said(client, 'merge', { branch: 'a', confirm: true, by_columns: true })).toMatch(/^merged 1 change/);
});
