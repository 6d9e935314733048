/** What a monitoring system reads: names and types by the conventions, values that move, and a token of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { BUILD_INFO, DATABASE_METRICS, PROCESS_METRICS, SERVER_METRICS, WORLD_METRICS } from '../../src/http/metric-list.ts';
import { metricsReference } from '../../src/http/metrics-reference.ts';
import { watchedWorlds, worldValues } from '../../src/http/watched-worlds.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';

const OPERATE = resolve(import.meta.dirname, '../../docs/operate');
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

test.skipIf(process.platform !== 'linux')('every metric of the list is given with its type, and no other', async () => {
  await db.put({ table: 't', id: 'a', record: { n: 1 } });
  const { text } = await read('/metrics', METRICS_TOKEN);
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]));
  const listed = [BUILD_INFO, ...DATABASE_METRICS, ...WORLD_METRICS, ...PROCESS_METRICS, ...SERVER_METRICS.filter(({ name }) => name !== 'wire_connections')];
  for (const { name, type } of listed) expect(types.get(`svc_${name}`), name).toBe(type);
  expect([...types.keys()].sort()).toEqual(listed.map(({ name }) => `svc_${name}`).sort());
});

test('names follow the conventions: base units, _total for counters alone', () => {
  for (const { name, type } of [...DATABASE_METRICS, ...WORLD_METRICS, ...SERVER_METRICS]) {
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

test('the reference lists each alert with its condition and its time', () => {
  const alerts = readFileSync(join(OPERATE, 'alerts.yaml'), 'utf8');
  const rules = [...alerts.matchAll(/- alert: (\S+)\n +expr: (.+)\n +for: (\S+)\n/g)].map(([, name, expr, time]) => `| \`${name}\` | \`${expr}\` | ${time} |`);
  expect(rules).toHaveLength(alerts.split('- alert:').length - 1);
  const listed = metricsReference()
    .split('\n')
    .flatMap((line) => /^\| `Svc\w+` \| `[^`]+` \| \w+ \|/.exec(line) ?? []);
  expect(listed).toEqual(rules);
});

test('the dashboard and the alerts name metrics that there are, by labels that these have', async () => {
  const families = familiesOf((await read('/metrics', METRICS_TOKEN)).text);
  const dashboard = readFileSync(join(OPERATE, 'grafana.json'), 'utf8');
  const alerts = readFileSync(join(OPERATE, 'alerts.yaml'), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: { type: string; title: string; targets?: { expr: string }[] }[] };
  const expressions = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expr]) => expr),
  ];
  expect(expressions.length).toBeGreaterThan(50);
  const named = new Set([...`${dashboard}\n${alerts}`.matchAll(/\bsvc_[a-z0-9_]+/g)].map(([name]) => name));
  const known = (name: string): boolean =>
    families.has(name) || (/_(?:bucket|sum|count)$/.test(name) && families.get(name.replace(/_[a-z]+$/, ''))?.type === 'histogram');
  // The server of this test has no SQL port.
  expect([...named].filter((name) => !known(name) && name !== 'svc_wire_connections')).toEqual([]);
  for (const expression of expressions) {
    const names = [...expression.matchAll(/\bsvc_[a-z0-9_]+/g)].map(([name]) => name);
    expect(expression.split('(').length, expression).toBe(expression.split(')').length);
    const isRate = /\b(?:rate|increase)\(/.test(expression);
    for (const name of names) {
      const type = families.get(name)?.type ?? (name === 'svc_wire_connections' ? 'gauge' : 'histogram');
      if (type === 'counter' || type === 'histogram') expect(isRate, `${expression} takes a rate of ${name}`).toBe(true);
    }
  }
  // Each metric of the database is on the dashboard or in an alert, but for counts that say little alone.
  const unused = DATABASE_METRICS.filter(({ name, type }) => !named.has(`svc_${name}${type === 'histogram' ? '_bucket' : ''}`)).map(({ name }) => name);
  expect(unused).toEqual(['agents', 'cache_pages', 'vector_lists_built_total']);
});

/** One family of the text format: its lines in order. */
interface Family {
  help: string;
  type: string;
  samples: { name: string; labels: Map<string, string>; value: number }[];
}

/** Parses the text format of Prometheus as strictly as its own parser: 0.0.4. */
function familiesOf(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current = '';
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind, name, rest] = comment;
      if (kind === 'HELP') {
        expect(families.has(name), `${name} is given once`).toBe(false);
        families.set(name, { help: rest, type: '', samples: [] });
        current = name;
      } else {
        expect(name, 'TYPE follows HELP').toBe(current);
        families.get(name)!.type = rest;
      }
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    const [, name, inside = '', value] = sample!;
    const family = families.get(current)!;
    const isOwn = name === current || (family.type === 'histogram' && ['_bucket', '_sum', '_count'].some((end) => name === current + end));
    expect(isOwn, `${name} is below its family`).toBe(true);
    const labels = new Map([...inside.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]));
    family.samples.push({ name, labels, value: value === '+Inf' ? Infinity : Number(value) });
  }
  return families;
}

const without = (labels: Map<string, string>, left: string): string => JSON.stringify([...labels].filter(([name]) => name !== left).sort());

test("the text holds to Prometheus's format and conventions", async () => {
  await db.sql({ sql: 'SELECT 1/0' }).catch(() => {});
  await fetch(`${base}/v1/get`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: '{"table":"none","id":"none"}',
  });
  const families = familiesOf((await read('/metrics', METRICS_TOKEN)).text);
  expect(families.size).toBeGreaterThan(50);
  for (const [name, { help, type, samples }] of families) {
    expect(['counter', 'gauge', 'histogram'], name).toContain(type);
    expect(help.length, name).toBeGreaterThan(5);
    expect(name.endsWith('_total'), `${name}: _total is of counters`).toBe(type === 'counter');
    expect(name, name).toMatch(/^svc_[a-z0-9]+(?:_[a-z0-9]+)*$/);
    expect(name, `${name}: base units, no reserved ends`).not.toMatch(/_(?:ms|milliseconds|us|kb|mb|megabytes|percent)(?:_|$)|_(?:count|sum|bucket)$/);
    const seen = samples.map(({ name: each, labels }) => each + JSON.stringify([...labels].sort()));
    expect(new Set(seen).size, `${name}: each series once`).toBe(seen.length);
    // Of a delay that was not measured since the scrape before there is no mean.
    if (!name.includes('_eventloop_lag_')) for (const { value } of samples) expect(Number.isNaN(value), name).toBe(false);
    if (type === 'counter') for (const { value } of samples) expect(value, name).toBeGreaterThanOrEqual(0);
    if (type !== 'histogram') continue;
    const buckets = new Map<string, { le: number; value: number }[]>();
    for (const { name: each, labels, value } of samples) {
      if (each !== `${name}_bucket`) continue;
      const key = without(labels, 'le');
      buckets.set(key, [...(buckets.get(key) ?? []), { le: labels.get('le') === '+Inf' ? Infinity : Number(labels.get('le')), value }]);
    }
    for (const [key, found] of buckets) {
      expect(found, name).toEqual(found.slice().sort((a, b) => a.le - b.le || a.value - b.value));
      expect(found.at(-1)!.le, name).toBe(Infinity);
      const count = samples.find(({ name: each, labels }) => each === `${name}_count` && without(labels, 'le') === key);
      expect(found.at(-1)!.value, name).toBe(count!.value);
    }
  }
});

test('a scrape has main and the worlds that the operator names, however many there are', async () => {
  for (const name of ['w1', 'w2', 'w3']) await db.fork({ name });
  await db.put({ branch: 'w1', table: 't', id: 'of-w1', record: { n: 1 } });
  const ofWorld = async (world: string): Promise<unknown[]> => {
    const families = familiesOf((await read('/metrics', METRICS_TOKEN)).text);
    return WORLD_METRICS.map(({ name }) => families.get(`svc_${name}`)!.samples.find(({ labels }) => labels.get('world') === world)?.value);
  };
  const [writes, , forks, checkpoints, at] = (await ofWorld('main')) as number[];
  expect([writes > 0, forks, checkpoints]).toEqual([true, 3, 0]);
  expect(Math.abs(at - Date.now() / 1000)).toBeLessThan(60);
  expect(await ofWorld('w1')).toEqual([undefined, undefined, undefined, undefined, undefined]);
  const values = worldValues({ byName: (name) => (name === 'w1' ? { version: 4, changed: 2, children: 1, checkpoints: [], active: 5e6 } : null) }, [
    'main',
    'w1',
  ]);
  expect([...values]).toEqual([['w1', { writes: 4, changed: 2, forks: 1, checkpoints: 0, active: 5 }]]);
  expect(watchedWorlds('w1, w2,,main')).toEqual(['main', 'w1', 'w2']);
  expect(watchedWorlds(undefined)).toEqual(['main']);
  expect(() => watchedWorlds(Array.from({ length: 100 }, (_, i) => `w${i}`).join(','))).toThrow('SVC_METRICS_WORLDS names 101 worlds');
});
