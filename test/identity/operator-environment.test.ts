/** A server as an operator starts it: the environment's settings apply, and no token is ever printed, reported or stored. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');
const TOKEN = 'operators-token-7f3a9c0d5e';
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Running {
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  printed(): string;
  call(op: string, body: object, token?: string | null): Promise<{ status: number; text: string }>;
  client(user: string, password?: string): pg.Client;
  stop(): Promise<void>;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-operator-'));
  folders.push(folder);
  return folder;
}

function start(folder: string, env: Record<string, string>, args: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0', ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });
}

async function serve(env: Record<string, string>, args: readonly string[] = [], folder = newFolder()): Promise<Running> {
  const child = start(folder, env, args);
  let printed = '';
  child.stdout!.on('data', (text: Buffer) => (printed += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (printed += text.toString()));
  await expect.poll(() => /psql -h \S+ -p \d+/.test(printed) || child.exitCode !== null, { timeout: 30_000 }).toBe(true);
  const url = /listening on (\S+)/.exec(printed)?.[1];
  if (url === undefined) throw new Error(printed);
  const port = Number(/psql -h \S+ -p (\d+)/.exec(printed)![1]);
  return {
    folder,
    url,
    port,
    printed: () => printed,
    async call(op, body, token = env['SVC_TOKEN'] ?? null) {
      const headers = { 'Content-Type': 'application/json', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
      const response = await fetch(`${url}/v1/${op}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    },
    client: (user, password) => new pg.Client({ host: '127.0.0.1', port, user, password, database: 'main' }),
    async stop() {
      const closed = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** What a start that must fail says. */
async function refusal(env: Record<string, string>): Promise<string> {
  const child = start(newFolder(), env);
  let printed = '';
  child.stderr!.on('data', (text: Buffer) => (printed += text.toString()));
  const status = await new Promise((resolve) => child.once('exit', resolve));
  expect(status).toBe(1);
  return printed;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}

test('values that make no sense stop the server from starting, and are named', { timeout: 60_000 }, async () => {
  const limits = join(newFolder(), 'limits');
  writeFileSync(limits, 'max_world = 3\n');
  const bad: Record<string, string> = {
    SVC_CACHE_MB: '1',
    SVC_WORK_MEM: 'much',
    SVC_MAX_DISK_BYTES: '-5',
    SVC_REQUEST_TIMEOUT: '0',
    SVC_LOGIN_FREE_TRIES: 'x',
    SVC_LIMITS: limits,
    SVC_TOKEN: 'change-me',
  };
  for (const [name, value] of Object.entries(bad)) expect(await refusal({ [name]: value }), name).toContain(name);
});

// contract: limit.SVC_LIMITS, limit.SVC_MAX_CONNECTIONS, limit.SVC_LOGIN_FREE_TRIES, error.53300, fixed.5, error.429, error.403
test('limits of the environment hold on both ports', { timeout: 60_000 }, async () => {
  const limits = join(newFolder(), 'limits');
  writeFileSync(limits, 'max_worlds = 2\nstatement_timeout_ms = 200\nhistory_retention_ms = 60000\n');
  const server = await serve({
    SVC_LIMITS: limits,
    SVC_MAX_CONNECTIONS: '3',
    SVC_LOGIN_FREE_TRIES: '3',
    SVC_LOGIN_TIMEOUT: '1',
    SVC_COPY_IDLE: '1',
    SVC_REQUEST_TIMEOUT: '1',
    SVC_WORK_MEM: '1',
    SVC_CACHE_MB: '16',
  });
  const clients: pg.Client[] = [];
  try {
    const sql = (text: string): Promise<{ status: number; text: string }> => server.call('sql', { sql: text });
    expect((await sql('ALTER SYSTEM SET max_worlds = 3')).status).toBe(403);
    expect((await sql("SET statement_timeout = '1h'; SHOW statement_timeout")).text).toContain('200ms');
    expect(await sql('SELECT count(*) FROM generate_series(1, 100000000)')).toMatchObject({ status: 400 });
    expect((await sql('SHOW history_retention')).text).toContain('1min');
    for (const name of ['a', 'b']) expect((await server.call('fork', { name })).status).toBe(200);
    expect((await server.call('fork', { name: 'c' })).status).toBe(429);
    for (let n = 0; n < 3; n++) {
      const client = server.client('owner');
      client.on('error', () => {});
      await client.connect();
      clients.push(client);
    }
    await expect(server.client('owner').connect()).rejects.toMatchObject({ code: '53300' });
    for (const client of clients.splice(0)) await client.end();
    const wrong = `svc_${'0'.repeat(64)}`;
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await server.call('branches', {}, wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
    await server.stop();
  }
});

// contract: auth.http.8, agent.3
test('no token is printed, reported or stored by any call', { timeout: 60_000 }, async () => {
  const server = await serve({ SVC_TOKEN: TOKEN });
  const printed: string[] = [];
  let agents: string[] = [];
  try {
    const ask = async (op: string, body: object, token?: string | null): Promise<void> => void printed.push((await server.call(op, body, token)).text);
    agents = await Promise.all(
      ['writer', 'boss'].map(async (name) => {
        const made = JSON.parse((await server.call('create_agent', { name, ...(name === 'boss' ? { can: ['admin'] } : {}) })).text) as { token: string };
        return made.token;
      }),
    );
    const [writer, boss] = agents;
    for (const op of ['agents', 'audit', 'settings', 'branches', 'history', 'verify']) {
      await ask(op, {});
      await ask(op, {}, boss);
      await ask(op, {}, writer);
    }
    for (const sql of [
      'SHOW ALL',
      'SHOW AGENTS',
      'SHOW AUDIT',
      'SHOW METRICS',
      'SELECT * FROM pg_settings',
      'SELECT * FROM pg_stat_activity',
      'SELECT * FROM pg_authid',
      'SELECT * FROM pg_prepared_statements',
      'SELECT * FROM nowhere',
      'SELECT * FROM _svc_agents',
      'ALTER AGENT writer WITH (max_worlds = 3)',
      'nonsense',
    ]) {
      await ask('sql', { sql });
      await ask('sql', { sql }, writer);
    }
    await ask('fork', { name: 'w' }, writer);
    await ask('put', { table: 't', id: 'a', record: {} }, writer);
    await ask('branches', {}, `${writer}x`);
    for (const token of [...agents, TOKEN]) await ask('branches', {}, token.slice(0, -1));
    for (const [user, password] of [
      ['writer', writer],
      ['writer', 'wrong'],
      ['boss', writer],
      ['anybody', TOKEN],
      ['anybody', `${TOKEN}x`],
    ]) {
      const client = server.client(user, password);
      client.on('error', () => {});
      try {
        await client.connect();
        printed.push(JSON.stringify((await client.query('SELECT * FROM pg_stat_activity')).rows));
        await client.query('SELECT 1/0');
      } catch (error) {
        printed.push(JSON.stringify(error), String(error));
      } finally {
        await client.end().catch(() => {});
      }
    }
    for (const path of ['/metrics', '/v1/openapi.json', '/v1/health']) {
      printed.push(await (await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${TOKEN}` } })).text());
    }
  } finally {
    await server.stop();
  }
  expect(printed.length).toBeGreaterThan(50);
  expect(server.printed()).toContain('login refused');
  const stored = filesBelow(server.folder).map((path) => readFileSync(path, 'latin1'));
  expect(stored.some((text) => text.includes('writer'))).toBe(true);
  for (const token of [...agents, TOKEN]) {
    for (const secret of [token, token.slice(0, 30)]) {
      expect(
        printed.some((text) => text.includes(secret)),
        'in an answer',
      ).toBe(false);
      expect(server.printed().includes(secret), 'in what the server printed').toBe(false);
      expect(
        stored.some((text) => text.includes(secret)),
        'in the folder',
      ).toBe(false);
    }
  }
});

test('tokens are read from the files that SVC_…_FILE names; both forms, and a file that is not there, are refused', async () => {
  const file = join(newFolder(), 'token');
  const token = 'a-token-of-some-file-0123456789';
  writeFileSync(file, `${token}\n`);
  const running = await serve({ SVC_TOKEN_FILE: file });
  expect((await running.call('branches', {}, token)).status).toBe(200);
  expect((await running.call('branches', {}, null)).status).toBe(401);
  await running.stop();
  expect(await refusal({ SVC_TOKEN_FILE: file, SVC_TOKEN: token })).toContain('SVC_TOKEN and SVC_TOKEN_FILE are both set');
  expect(await refusal({ SVC_METRICS_TOKEN_FILE: `${file}.gone` })).toContain('SVC_METRICS_TOKEN_FILE names');
  writeFileSync(file, '\n');
  expect(await refusal({ SVC_TOKEN_FILE: file })).toContain('shorter than 24 characters');
});
