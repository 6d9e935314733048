/** Long calls: progress for calls with a progress token, and an end for calls that were cancelled or whose client is gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../src/database.ts';
import { Opened, said } from './clients.ts';

/** Does not end within a test. */
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 5000) a, generate_series(1, 5000) b, generate_series(1, 5000) c';

let folder: string;
let token: string;
const opened = new Opened();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'));
  const db = await open(folder);
  ({ token } = await db.create_agent({ name: 'ann', can: ['read', 'fork', 'write_own'], max_concurrent: 2 }));
  await db.close();
});
afterEach(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(
  client: Client,
  sql: string,
  options: { signal?: AbortSignal; onprogress?: (updates: { progress: number; message?: string }) => void },
): Promise<unknown> {
  return client.request({ method: 'tools/call', params: { name: 'sql', arguments: { sql } } }, CallToolResultSchema, { timeout: 60_000, ...options });
}

/** Two statements at a time are allowed: a cancelled one that still ran would take a place. */
async function bothPlacesAreFree(client: Client): Promise<void> {
  await expect
    .poll(
      async () =>
        (await Promise.all([1, 2].map((n) => client.callTool({ name: 'sql', arguments: { sql: `SELECT ${n}` } })))).map(({ isError }) => isError ?? false),
      {
        timeout: 10_000,
      },
    )
    .toEqual([false, false]);
}

describe.each(['stdio', 'socket'])('over %s', (way) => {
  const connect = async (): Promise<Client> => {
    if (way === 'socket') await opened.serve(folder);
    return opened.stdio(folder, '--agent', 'ann');
  };

  test('progress comes while a statement runs, rises, and stops when it is cancelled; then others run', async () => {
    const client = await connect();
    const cancel = new AbortController();
    const updates: { progress: number; message?: string }[] = [];
    const running = run(client, ENDLESS, {
      signal: cancel.signal,
      onprogress: (progress) => {
        updates.push(progress);
        if (updates.length === 2) cancel.abort('enough');
      },
    });
    await expect(running).rejects.toThrow('enough');
    expect(updates[1].progress).toBeGreaterThan(updates[0].progress);
    expect(updates[0].message).toMatch(/^sql: running for \d s$/);
    await bothPlacesAreFree(client);
    expect(updates).toHaveLength(2);
  });

  test('what was cancelled within a list of statements leaves nothing behind', async () => {
    const client = await connect();
    await said(client, 'fork', { name: 'f' });
    const cancel = new AbortController();
    const running = client.request(
      { method: 'tools/call', params: { name: 'sql', arguments: { branch: 'f', sql: `CREATE TABLE t (id int); ${ENDLESS}; CREATE TABLE u (id int)` } } },
      CallToolResultSchema,
      { signal: cancel.signal, timeout: 60_000 },
    );
    setTimeout(() => cancel.abort('stop'), 300);
    await expect(running).rejects.toThrow('stop');
    await bothPlacesAreFree(client);
    expect(await said(client, 'describe', { branch: 'f' })).toContain('no tables yet');
  });

  test('without a progress token nothing is reported', async () => {
    const client = await connect();
    const heard: unknown[] = [];
    client.fallbackNotificationHandler = async (notification) => void heard.push(notification);
    const cancel = new AbortController();
    setTimeout(() => cancel.abort('stop'), 1300);
    await expect(run(client, ENDLESS, { signal: cancel.signal })).rejects.toThrow('stop');
    expect(heard).toEqual([]);
  });
});

test('over HTTP a client that hangs up ends its statement', async () => {
  const url = await opened.serve(folder);
  const client = await opened.http(url, token);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'sql', arguments: { sql: ENDLESS }, _meta: { progressToken: 'p' } },
  });
  for (let i = 0; i < 2; i++) {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'Content-Length': Buffer.byteLength(body) };
    const call = request(`${url}/mcp`, { method: 'POST', headers });
    call.on('error', () => {});
    call.end(body);
    setTimeout(() => call.destroy(), 300);
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
  await bothPlacesAreFree(client);
});
