/** The contract's HTTP rules over real sockets and a real engine. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { OPERATIONS } from '../../src/operations/table.ts';

let folder: string;
let db: Database;
let server: HttpServer;
let base: string;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-http-'));
  db = await open(folder);
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  base = await server.listen('127.0.0.1', 0);
  port = Number(new URL(base).port);
});

afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error?: { message: string; code: string; hint?: string; conflicts?: unknown[] } };
}

async function call(op: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${base}/v1/${op}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** Bytes as given; what the server answers until it closes or `idleMs` pass without more. */
function raw(request: string | Buffer, to = port, idleMs = 300): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1');
    let answer = '';
    let timer = setTimeout(() => socket.destroy(), 5000);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), idleMs);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.write(request);
  });
}

// contract: http.1, op.get, op.put, op.fork, op.branches, op.undo_merge, change.1, diff.1, merge.11, flow.1, version.1
test('fork, change, diff, merge, undo over HTTP', async () => {
  expect((await call('put', { table: 'users', id: 'ann', record: { city: 'Oslo' } })).body).toEqual({ ok: true, version: 1 });
  expect((await call('fork', { name: 'draft', meta: { intent: 'try' } })).body).toMatchObject({
    ok: true,
    world: { name: 'draft', parent: 'main', depth: 1, version: 0, meta: { intent: 'try' } },
  });
  await call('put', { branch: 'draft', table: 'users', id: 'ann', record: { city: 'Rome' } });
  expect((await call('diff', { branch: 'draft' })).body).toEqual({
    changes: [{ key: 'users/ann', before: { city: 'Oslo' }, after: { city: 'Rome' }, columns: ['city'] }],
    version: 1,
  });
  expect((await call('merge', { branch: 'draft', version: 1 })).body).toEqual({ merged: 1 });
  expect((await call('get', { table: 'users', id: 'ann' })).body).toEqual({ id: 'ann', row: { city: 'Rome' } });
  expect((await call('undo_merge', { branch: 'draft' })).body).toMatchObject({ ok: true, parent: 'main', undone: 1, skipped: 0 });
  expect((await call('worlds', {})).body).toEqual((await call('branches', {})).body);
});

const REFUSED: [what: string, op: string, body: unknown, status: number, code: string, message: RegExp][] = [
  ['an unknown world', 'get', { branch: 'nowhere', table: 't', id: 'x' }, 404, '3D000', /no world "nowhere"/],
  ['a transaction world', 'get', { branch: '_tx_1', table: 't', id: 'x' }, 404, '3D000', /no world/],
  ['a missing row', 'get', { table: 'users', id: 'nobody' }, 404, '02000', /no row/],
  ['deleting a missing row', 'delete', { table: 'users', id: 'nobody' }, 404, '02000', /no row/],
  ['a missing field', 'put', { table: 't', id: 'x' }, 400, '22023', /field `record` is missing/],
  ['an unknown field', 'put', { table: 't', id: 'x', record: {}, extra: 1 }, 400, '22023', /field `extra` is not known/],
  ['a field of the wrong type', 'put', { table: 't', id: 7, record: {} }, 400, '22023', /field `id` must be a string/],
  ['a number as text', 'find', { table: 't', limit: '5' }, 400, '22023', /field `limit` must be an integer/],
  ['a negative limit', 'find', { table: 't', limit: -1 }, 400, '22023', /`limit`/],
  ['a limit beyond the most', 'find', { table: 't', limit: 10_001 }, 400, '22023', /`limit`/],
  ['a table with a space', 'put', { table: 'a b', id: 'x', record: {} }, 400, '22023', /white space/],
  ['an empty id', 'put', { table: 't', id: '', record: {} }, 400, '22023', /must not be empty/],
  ['a record that is a list', 'put', { table: 't', id: 'x', record: [] }, 400, '22023', /`record` must be an object/],
  ['a NUL character', 'put', { table: 't', id: 'x', record: { a: 'x\u0000' } }, 400, '22P02', /u0000/],
  ['half a surrogate pair', 'put', '{"table":"t","id":"x","record":{"a":"\\ud800"}}', 400, '22P02', /surrogate/],
  ['an integer that metadata would round', 'set_meta', '{"meta":{"n":9007199254740993}}', 400, '22003', /9007199254740993/],
  ['such an integer deep inside', 'fork', '{"name":"x2","meta":{"n":{"a":["9007199254740993",-12345678901234567890]}}}', 400, '22003', /-12345678901234567890/],
  ['a number that overflows', 'put', '{"table":"t","id":"x","record":{"n":1e999999}}', 400, '22003', /overflows/],
  ['a body that is no JSON', 'put', '{"table":', 400, '22P02', /not JSON/],
  ['a body that is no object', 'put', '[1]', 400, '22P02', /must be a JSON object/],
  ['an empty body', 'put', '', 400, '22P02', /empty/],
  ['a body nested too deeply', 'put', `{"table":"t","id":"x","record":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`, 400, '54001', /nested deeper/],
  ['a name in use', 'fork', { name: 'main' }, 409, '42P04', /already/],
  ['a fork of nothing', 'fork', { name: 'x1', from: 'nowhere' }, 404, '3D000', /no world/],
  ['a bad name', 'fork', { name: 'a@b' }, 400, '42602', /cannot be a world's name/],
  ['merging main', 'merge', { branch: 'main' }, 400, '22023', /no parent/],
  ['discarding main', 'discard', { branch: 'main' }, 400, '22023', /main/],
  ['a diff of main alone', 'diff', { branch: 'main' }, 400, '22023', /no fork point/],
  ['writing to the past', 'put', { branch: 'main@-1s', table: 't', id: 'x', record: {} }, 400, '25006', /past moment/],
  ['an unreadable time', 'get', { branch: 'main@yesterday', table: 't', id: 'x' }, 400, '22007', /not a time/],
  ['a time to come', 'get', { branch: 'main@2999-01-01', table: 't', id: 'x' }, 400, '22007', /future/],
  ['owner in meta', 'set_meta', { meta: { owner: 'me' } }, 400, '22023', /owner/],
  ['restore to nothing', 'restore', {}, 400, '22023', /exactly one/],
  ['an unknown checkpoint', 'rollback', { checkpoint: 'none' }, 404, '42704', /no checkpoint/],
  ['undoing what was never merged', 'undo_merge', { branch: 'main' }, 409, '55000', /never merged/],
  ['sql with a page', 'diff', { branch: 'main', to: 'main', sql: true, limit: 1 }, 400, '22023', /cannot be combined/],
  ['a search without its field', 'find', { table: 't', vector: [1] }, 400, '22023', /go together/],
];

// contract: row.1, row.2, world.2, world.7, state.1, op.get, op.delete, diff.7, http.8, error.400, error.404, error.body, op.find.4
test.each(REFUSED)('%s is refused', async (_what, op, body, status, code, message) => {
  const answer = await call(op, body);
  expect(answer.body.error?.message).toMatch(message);
  expect(answer.body.error?.code).toBe(code);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
});

// contract: conflict.1, state.5, diff.9, merge.2, error.409, error.conflict, error.body
test('conflicts, stale versions, open forks and checkpoints taken twice are 409', async () => {
  await call('put', { table: 'c', id: 'x', record: { n: 1 } });
  await call('fork', { name: 'c1' });
  await call('fork', { name: 'c2', from: 'c1' });
  await call('put', { table: 'c', id: 'x', record: { n: 2 } });
  await call('put', { branch: 'c1', table: 'c', id: 'x', record: { n: 3 } });
  expect(await call('merge', { branch: 'c1' })).toMatchObject({ status: 409, body: { error: { code: '2BP01', forks: ['c2'] } } });
  expect(await call('discard', { branch: 'c1' })).toMatchObject({ status: 409, body: { error: { code: '2BP01' } } });
  await call('discard', { branch: 'c2' });
  const conflict = await call('merge', { branch: 'c1' });
  expect(conflict.status).toBe(409);
  expect(conflict.body.error?.conflicts).toEqual([
    {
      key: 'c/x',
      base: { n: 1 },
      ours: { n: 2 },
      theirs: { n: 3 },
      explanation: 'Both sides changed c/x: "main" changed it to {"n":2}, "c1" changed it to {"n":3}.',
    },
  ]);
  expect(conflict.body.error?.hint).toMatch(/resolve.*ours.*theirs/);
  expect(await call('merge', { branch: 'c1', version: 0 })).toMatchObject({ status: 409, body: { error: { code: '40001' } } });
  expect(await call('diff', { branch: 'c1', version: 0 })).toMatchObject({ status: 409 });
  await call('checkpoint', { name: 'k' });
  expect(await call('checkpoint', { name: 'k' })).toMatchObject({ status: 409, body: { error: { code: '42710' } } });
});

// contract: http.2, http.7, error.411, error.415, fixed.1
test('a body needs its type and its length', async () => {
  expect((await fetch(`${base}/v1/branches`, { method: 'POST', body: '{}' })).status).toBe(415);
  expect((await call('branches', {}, { 'Content-Type': 'text/plain' })).status).toBe(415);
  expect((await call('branches', {}, { 'Content-Encoding': 'gzip' })).status).toBe(415);
  expect((await call('branches', {}, { 'Content-Encoding': 'identity' })).status).toBe(200);
  expect(
    await raw(`POST /v1/branches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 411 /);
  expect(await raw(`POST /v1/branches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n`)).toMatch(/^HTTP\/1\.1 411 /);
});

// contract: http.7, error.413, fixed.1
test('a body over 32 MB is 413, one just under is read', async () => {
  const big = await call('put', `{"table":"t","id":"big","record":{"a":"${'x'.repeat(32 * 1024 * 1024)}"}}`);
  expect(big.status).toBe(413);
  const fits = await call('put', `{"table":"t","id":"big","record":{"a":"${'x'.repeat(31 * 1024 * 1024)}"}}`);
  expect(fits.status).toBe(200);
  await call('delete', { table: 't', id: 'big' });
});

// contract: error.431, fixed.1
test('headers over 64 KB are 431', async () => {
  const answer = await raw(`POST /v1/branches HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('"error"');
});

// contract: auth.http.9, auth.http.10, error.403
test('pages and foreign hosts are refused from the headers', async () => {
  expect(await call('branches', {}, { Origin: 'http://example.org' })).toMatchObject({ status: 403 });
  for (const [host, status] of [
    ['localhost', 200],
    [`127.0.0.1:${port}`, 200],
    ['127.9.9.9', 200],
    ['[::1]:80', 200],
    ['example.org', 403],
    ['127.0.0.1.example.org', 403],
    ['localhost.', 403],
  ] as const) {
    expect(
      await raw(`POST /v1/branches HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`),
      host,
    ).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  }
  // The body never comes: the refusal does not wait for it.
  expect(await raw(`POST /v1/put HTTP/1.1\r\nHost: example.org\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 403 /,
  );
});

test('paths and methods that do not exist say what does', async () => {
  const wrong = await call('forks', {});
  expect(wrong).toMatchObject({ status: 404, body: { error: { hint: 'Did you mean "fork"?' } } });
  const get = await fetch(`${base}/v1/put`);
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await fetch(`${base}/elsewhere`)).status).toBe(404);
  expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
});

test('requests in one packet are answered in order', async () => {
  const one = `POST /v1/get HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n{"table":"users","id":"ann"}`;
  const answer = await raw(one.repeat(3));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
});

// contract: http.4, event.6
test('health, metrics and the OpenAPI document', async () => {
  expect(await (await fetch(`${base}/v1/health`)).json()).toMatchObject({ ok: true, version: 'test' });
  const metrics = await (await fetch(`${base}/metrics`)).text();
  expect(metrics).toMatch(/svc_operations_total\{op="put"\} \d+/);
  expect(metrics).toMatch(/svc_conflicts_total 1/);
  expect(metrics).toMatch(/svc_log_sequence \d+/);
  for (const line of metrics.split('\n')) if (line !== '' && !line.startsWith('#')) expect(line).toMatch(/^svc_/);
  const document = (await (await fetch(`${base}/v1/openapi.json`)).json()) as { openapi: string; paths: Record<string, unknown> };
  expect(document.openapi).toBe('3.1.0');
  for (const { name, aliases } of OPERATIONS) for (const each of [name, ...(aliases ?? [])]) expect(document.paths).toHaveProperty([`/v1/${each}`]);
});

test('each example of the table is accepted by its own schema', async () => {
  await call('fork', { name: 'examples' });
  for (const operation of OPERATIONS) {
    for (const { input } of operation.examples) {
      const { body } = await call(operation.name, input);
      expect(body.error?.message ?? '', `${operation.name} ${JSON.stringify(input)}`).not.toMatch(/field `/);
    }
  }
});

test('writes of a disconnected client that wait for a row are cancelled', async () => {
  await db.fork({ name: 'waited' });
  await db.sql({ branch: 'waited', sql: 'CREATE TABLE awaited (id int PRIMARY KEY, v int); INSERT INTO awaited VALUES (1, 1)' });
  const holder = db.session({ branch: 'waited' });
  await holder.run('BEGIN; UPDATE awaited SET v = 2');
  for (const [op, body] of [
    ['put', { table: 'awaited', id: '1', record: { v: 9 } }],
    ['delete', { table: 'awaited', id: '1' }],
    ['batch', { rows: [{ table: 'awaited', id: '1', record: null }] }],
  ] as const) {
    const before = (await holder.run('SELECT count(*)::int FROM pg_locks WHERE NOT granted'))[0].rows;
    const gone = new AbortController();
    const asked = fetch(`${base}/v1/${op}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ branch: 'waited', ...body }),
      signal: gone.signal,
    });
    setTimeout(() => gone.abort(), 100);
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(async () => (await holder.run('SELECT count(*)::int FROM pg_locks WHERE NOT granted'))[0].rows).toEqual(before);
  }
  await holder.run('COMMIT');
  holder.close();
  const { results } = await db.sql({ branch: 'waited', sql: 'SELECT v FROM awaited' });
  expect(results[0].rows).toEqual([{ v: 2 }]);
});

test('SQL of a disconnected client is cancelled, also while it waits for a lock', async () => {
  await db.fork({ name: 'lonely' });
  await db.sql({ branch: 'lonely', sql: 'CREATE TABLE left_alone (id int PRIMARY KEY, v int); INSERT INTO left_alone VALUES (1, 1)' });
  const holder = db.session({ branch: 'lonely' });
  await holder.run('BEGIN; UPDATE left_alone SET v = 2', []);
  for (const sql of ['UPDATE left_alone SET v = 3', 'DROP TABLE left_alone', 'SELECT count(*) FROM generate_series(1, 100000000000)']) {
    const gone = new AbortController();
    const request = fetch(`${base}/v1/sql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ branch: 'lonely', sql }),
      signal: gone.signal,
    });
    setTimeout(() => gone.abort(), 100);
    await expect(request).rejects.toThrow();
  }
  await holder.run('COMMIT', []);
  holder.close();
  // The next request does not wait, and finds what was committed.
  const begun = performance.now();
  const { body } = await call('sql', { branch: 'lonely', sql: 'SELECT v FROM left_alone' });
  expect(body).toMatchObject({ results: [{ rows: [{ v: 2 }] }] });
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('a path that is no URL is refused as everything else is', async () => {
  const answer = await raw('GET /v1/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/X-Content-Type-Options: nosniff/i);
  expect(answer).toContain('{"error":{"message":"the path is not a valid URL"');
});

test('a request without a Host header is refused as others are', async () => {
  const answer = await raw('POST /v1/branches HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  for (const header of [/x-content-type-options: nosniff/i, /cache-control: no-store/i, /content-type: application\/json/i]) expect(answer).toMatch(header);
  expect(answer).toContain('"message":"the Host header is missing"');
});

test('what a schema refuses is named by its path', async () => {
  const { status, body } = await call('merge', { branch: 'main', picks: { 'items/1~2': 5 } });
  expect(status).toBe(400);
  expect(body.error!.message).toMatch(/^field `picks\.items\/1~2` /);
});

// contract: error.503, fixed.1
test('connections beyond the most are answered 503', async () => {
  const small = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', connectionsMax: 2 });
  const smallPort = Number(new URL(await small.listen('127.0.0.1', 0)).port);
  const held = [connect(smallPort, '127.0.0.1'), connect(smallPort, '127.0.0.1')];
  await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await raw('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n', smallPort)).toMatch(/^HTTP\/1\.1 503 /);
  held.forEach((socket) => socket.destroy());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await raw('GET /v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', smallPort)).toMatch(/^HTTP\/1\.1 200 /);
  await small.close();
});

test('a request that does not arrive in time is answered 408', async () => {
  const hasty = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', requestMs: 200 });
  const hastyPort = Number(new URL(await hasty.listen('127.0.0.1', 0)).port);
  expect(await raw('POST /v1/put HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{', hastyPort, 2000)).toMatch(
    /^HTTP\/1\.1 408 /,
  );
  await hasty.close();
});

test.each([
  ['half of its headers', 'POST /v1/put HTTP/1.1\r\nHost: local'],
  ['half of its body', 'POST /v1/put HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
  ['nothing', ''],
  ['what is no request', 'nonsense\r\n\r\n'],
  ['headers that are too large', `GET /v1/health HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['chunks', 'POST /v1/put HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{'],
])('connections that have sent %s and do not close give their places back', async (_what, begun) => {
  const hasty = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', requestMs: 200, idleMs: 200, connectionsMax: 6 });
  const to = Number(new URL(await hasty.listen('127.0.0.1', 0)).port);
  const sockets = Array.from({ length: 6 }, () => {
    const socket = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.resume();
    if (begun !== '') socket.write(begun);
    return socket;
  });
  try {
    const health = async (): Promise<number> => (await fetch(`http://127.0.0.1:${to}/v1/health`).catch(() => ({ status: 0 }))).status;
    await expect.poll(health, { timeout: 10_000, interval: 100 }).toBe(200);
    expect(sockets.every((socket) => !socket.writableEnded)).toBe(true);
  } finally {
    for (const socket of sockets) socket.destroy();
    await hasty.close();
  }
});

// contract: limit.SVC_REQUEST_TIMEOUT
test('headers have as long as the whole request', async () => {
  const patient = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', requestMs: 240_000 });
  expect([patient.app.server.headersTimeout, patient.app.server.requestTimeout]).toEqual([240_000, 240_000]);
  await patient.close();
  expect([server.app.server.headersTimeout, server.app.server.requestTimeout]).toEqual([120_000, 120_000]);
});

test('closing waits for no connection that has sent nothing, or half a request', async () => {
  const closing = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test' });
  const to = Number(new URL(await closing.listen('127.0.0.1', 0)).port);
  const sockets = ['', 'POST /v1/put HTTP/1.1\r\nHost: local'].map((begun) => {
    const socket = connect(to, '127.0.0.1');
    socket.on('error', () => {});
    if (begun !== '') socket.write(begun);
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const begunMs = performance.now();
  await closing.close();
  expect(performance.now() - begunMs).toBeLessThan(3000);
  for (const socket of sockets) socket.destroy();
});

test('closing answers running requests', async () => {
  const path = mkdtempSync(join(tmpdir(), 'svc-http-'));
  const other = await open(path);
  const closing = createHttpServer({ commandsOf: (principal) => other.commandsOf(principal), version: 'test' });
  const url = await closing.listen('127.0.0.1', 0);
  const calls = Array.from({ length: 50 }, (_, i) =>
    fetch(`${url}/v1/put`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ table: 't', id: `k${i}`, record: {} }),
    }).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  await Promise.race(calls);
  await closing.close();
  const statuses = await Promise.all(calls);
  const { total } = await other.find({ table: 't', limit: 0 });
  expect(total).toBeGreaterThanOrEqual(statuses.filter((status) => status === 200).length);
  await other.close();
  rmSync(path, { recursive: true });
});

test('large replies that slow clients do not read are held up to a limit; then large ones are refused and small ones answered', async () => {
  const small = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', pendingReplyBytesMax: 30_000_000 });
  const url = await small.listen('127.0.0.1', 0);
  const ask = async (sql: string): Promise<Answer['body']> =>
    (await (
      await fetch(`${url}/v1/sql`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql }) })
    ).json()) as Answer['body'];
  const large = "SELECT repeat('x', 20000000) AS x";
  const body = JSON.stringify({ sql: large });
  const slow = connect(Number(new URL(url).port), '127.0.0.1');
  slow.write(`POST /v1/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  // The others ask only once this reply is being sent: otherwise one of theirs could be the held one, and this one refused.
  const [begun] = (await once(slow, 'data')) as [Buffer];
  slow.pause();
  expect(begun.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(async () => (await ask(large)).error?.code, { timeout: 10_000 }).toBe('53200');
  expect((await ask('SELECT 1 AS one')).error).toBeUndefined();
  slow.destroy();
  await expect.poll(async () => (await ask(large)).error, { timeout: 10_000 }).toBeUndefined();
  await small.close();
});

test('a request that came behind an answered one takes longer than a client may be idle', async () => {
  const small = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', idleMs: 200 });
  const { port: at } = new URL(await small.listen('127.0.0.1', 0));
  const request = (sql: string): string => {
    const body = JSON.stringify({ sql });
    return `POST /v1/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const answer = await raw(request("SELECT 'first' AS x") + request("SELECT 'second' AS x FROM pg_sleep(0.9)"), Number(at), 2500);
  expect(answer).toContain('"first"');
  expect(answer).toContain('"second"');
  await small.close();
});

test('a client that takes nothing of its reply is idle; one that takes it slowly is not', async () => {
  const small = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', idleMs: 1500 });
  const { port: at } = new URL(await small.listen('127.0.0.1', 0));
  const body = JSON.stringify({ sql: "SELECT repeat('x', 20000000) AS x" });
  const ask = (): Socket => {
    const socket = connect(Number(at), '127.0.0.1');
    socket.pause();
    socket.write(`POST /v1/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    return socket;
  };
  const open = (): Promise<number> => new Promise((resolve) => small.app.server.getConnections((_error, count) => resolve(count)));
  const stuck = ask();
  await expect.poll(open).toBe(1);
  await expect.poll(open, { timeout: 30_000 }).toBe(0);
  const slow = ask();
  let taken = 0;
  slow.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    slow.pause();
  });
  const sips = setInterval(() => slow.resume(), 10);
  await expect.poll(() => taken, { timeout: 120_000 }).toBeGreaterThan(20_000_000);
  clearInterval(sips);
  stuck.destroy();
  slow.destroy();
  await small.close();
});

test('a list of statements is kept whole or not at all, also with one that ends its transaction', async () => {
  await call('sql', { sql: 'ALTER SYSTEM SET protect_main = off' });
  expect((await call('sql', { sql: 'CREATE TABLE lists (id int PRIMARY KEY)' })).body).toMatchObject({ results: [{}] });
  for (const between of [
    'SHOW WORLDS',
    'SHOW WORLD',
    "ALTER SYSTEM SET world_idle_ttl = '1d'",
    'CHECKPOINT',
    'CREATE WORLD of_a_list',
    'SHOW HISTORY',
    'VERIFY',
    'USE WORLD main',
  ]) {
    const { status, body } = await call('sql', { sql: `INSERT INTO lists VALUES (1); ${between}; SELECT 1/0` });
    expect([between, status, body.error?.code]).toEqual([between, 400, between === 'CHECKPOINT' ? '22012' : '25001']);
    const left = await call('sql', { sql: 'SELECT id FROM lists' });
    expect([between, (left.body['results'] as { rows: object[] }[])[0].rows]).toEqual([between, []]);
  }
  expect((await call('world', { branch: 'of_a_list' })).status).toBe(404);
  for (const sql of ['SHOW WORLDS; USE WORLD main; INSERT INTO lists VALUES (2)', 'INSERT INTO lists VALUES (3); SHOW WORLDS'])
    expect([sql, (await call('sql', { sql })).status]).toEqual([sql, 200]);
});

// contract: sql.1
test('parameters go to each statement that names them', async () => {
  await call('sql', { sql: 'ALTER SYSTEM SET protect_main = off' });
  await call('sql', { sql: 'CREATE TABLE several (id int PRIMARY KEY, note text)' });
  const { body } = await call('sql', {
    sql: 'INSERT INTO several VALUES ($1, $2); CREATE TABLE more (a int); UPDATE several SET note = $3 WHERE id = $1; SELECT note, $2 AS was FROM several',
    params: [7, 'first', 'second'],
  });
  expect(body).toMatchObject({ results: [{}, {}, {}, {}] });
  expect((body['results'] as { rows: object[] }[])[3].rows).toEqual([{ note: 'second', was: 'first' }]);
});

// contract: http.5
test('every operation takes `branch`, also where it means nothing', async () => {
  for (const { name, input } of OPERATIONS) {
    if ('branch' in ((input as unknown as { properties: object }).properties ?? {})) continue;
    const { body } = await call(name, { branch: 'main' });
    expect([name, body.error?.message ?? '']).toEqual([name, expect.not.stringContaining('`branch`')]);
    expect([name, (await call(name, { branch: 7 })).status]).toEqual([name, 400]);
  }
});

// contract: merge.3
test('`confirm` is for plain merges', async () => {
  for (const more of [{ columns: true }, { picks: { 'items/1': 'ours' } }, { only_tables: ['items'] }, { only_keys: ['items/1'] }, { into: 'main' }]) {
    await call('fork', { name: 'confirmed' });
    const { status, body } = await call('merge', { branch: 'confirmed', confirm: true, ...more });
    expect([status, body.error?.code, body.error?.message]).toEqual([400, '22023', expect.stringContaining(Object.keys(more)[0])]);
    expect((await call('discard', { branch: 'confirmed' })).status).toBe(200);
  }
});
