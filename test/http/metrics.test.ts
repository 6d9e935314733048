/** What a monitoring system reads: names and types by the conventions, values that move, and a token of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { DATABASE_METRICS, SERVER_METRICS } from '../../src/http/metric-list.ts';
import { metricsReference } from '../../src/http/metrics-reference.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';

const TOKEN = 'server-token-of-24-letters';
const METRICS_TOKEN = 'metrics-token-of-24-letters';

let folder: string;
let db: Database;
let server: HttpServer;
let base: string;
let agent: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-metrics-'));
  db = await open(join(folder, 'db'));
  const identity = new ServerIdentity({ token: TOKEN, adminToken: null, safe: false, metricsToken: METRICS_TOKEN }, db.directory, new LoginThrottle());
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics, identity });
  base = await server.listen('127.0.0.1', 0);
  ({ token: agent } = await db.create_agent({ name: 'ann' }));
});
afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(path: string, token: string | null): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${base}${path}`, { headers: token === null ? {} : { Authorization: `Bearer ${token}` } });
  return { status: reply.status, text: await reply.text() };
}

async function values(): Promise<Map<string, number>> {
  const { text } = await read('/metrics', METRICS_TOKEN);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

test('the reference is what the list says', () => {
  const path = join(resolve(import.meta.dirname, '../..'), 'docs/reference/metrics.md');
  if (process.env['UPDATE'] === '1') writeFileSync(path, metricsReference());
  expect(readFileSync(path, 'utf8')).toBe(metricsReference());
});

test('every metric of the list is given with its type, and no other of the database', async () => {
  await db.put({ table: 't', id: 'a', record: { n: 1 } });
  const { text } = await read('/metrics', METRICS_TOKEN);
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  const listed = [...DATABASE_METRICS, ...SERVER_METRICS.filter(({ name }) => name !== 'wire_connections')];
  for (const { name, type } of listed) expect(types.get(`svc_${name}`), name).toBe(type);
  const others = [...types.keys()].filter((name) => !/^svc_(?:process|nodejs)_/.test(name));
  expect(others.sort()).toEqual(listed.map(({ name }) => `svc_${name}`).sort());
});

test('names follow the conventions: base units, _total for counters alone', () => {
  for (const { name, type } of [...DATABASE_METRICS, ...SERVER_METRICS]) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(name, name).not.toMatch(/_(?:ms|us|mb|kb|percent)(?:_|$)/);
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});

test('values move with what happens', async () => {
  const before = await values();
  for (let i = 0; i < 20; i++) await db.sql({ sql: `INSERT INTO t (id, n) VALUES ('k${i}', ${i})` });
  await db.sql({ sql: 'SELECT 1/0' }).catch(() => {});
  await db.flush();
  const after = await values();
  const grown = (name: string): number => after.get(name)! - before.get(name)!;
  expect(grown('svc_statements_total')).toBe(21);
  expect(grown('svc_statement_errors_total')).toBe(1);
  expect(grown('svc_statement_seconds_count')).toBe(21);
  expect(grown('svc_log_sync_seconds_count')).toBeGreaterThanOrEqual(20);
  expect(grown('svc_commit_seconds_count')).toBe(grown('svc_log_sync_seconds_count'));
  expect(grown('svc_checkpoint_seconds_count')).toBeGreaterThan(0);
  expect(grown('svc_log_sequence')).toBeGreaterThanOrEqual(20);
  expect(Math.abs(after.get('svc_last_checkpoint_timestamp_seconds')! - Date.now() / 1000)).toBeLessThan(60);
  for (const histogram of ['log_sync', 'commit', 'statement', 'checkpoint']) {
    const buckets = [...after].filter(([name]) => name.startsWith(`svc_${histogram}_seconds_bucket`)).map(([, value]) => value);
    expect(buckets, histogram).toEqual(buckets.slice().sort((a, b) => a - b));
    expect(buckets.at(-1), histogram).toBe(after.get(`svc_${histogram}_seconds_count`));
  }
  expect(after.get('svc_agents')).toBe(1);
  expect(after.get('svc_http_connections')).toBeGreaterThan(0);
});

test('the metrics token reads the metrics and nothing else', async () => {
  expect((await read('/metrics', METRICS_TOKEN)).status).toBe(200);
  expect((await read('/metrics', TOKEN)).status).toBe(200);
  expect((await read('/metrics', null)).status).toBe(401);
  expect((await read('/metrics', 'no-token-of-24-letters-at-all')).status).toBe(401);
  expect((await read('/metrics', agent)).status).toBe(403);
  for (const path of ['/v1/branches', '/v1/sql', '/v1/put', '/mcp']) {
    const reply = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${METRICS_TOKEN}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect([path, reply.status]).toEqual([path, 403]);
    expect(await reply.json()).toMatchObject({ error: { code: '42501', message: 'the metrics token reads the metrics alone' } });
  }
  expect((await read('/v1/openapi.json', METRICS_TOKEN)).status).toBe(403);
});
