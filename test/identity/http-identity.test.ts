/** Authentication over HTTP: tokens, safe mode, web pages, hosts, the order of refusals, TLS, and the log. */
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serve, type ServeOptions } from '../../src/serve.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { Identities, post } from './open-identities.ts';

const SERVER = 'server-token-of-24-chars-and-more';
const ADMIN = 'admin-token-of-24-chars-and-more';

let t: Identities;
let open: string;
let closed: string;
let safe: string;
let botToken: string;

beforeAll(async () => {
  t = await Identities.open();
  await t.agent({ name: 'bot', can: ['read', 'admin'] });
  await t.agent({ name: 'off' });
  await t.db.alter_agent({ name: 'off', disabled: true });
  botToken = t.tokens.get('bot')!;
  open = await t.serve();
  closed = await t.serve({ token: SERVER });
  safe = await t.serve({ token: SERVER, adminToken: ADMIN, safe: true });
});
afterAll(() => t.close());

/** A raw request; status line's code. */
function raw(base: string, lines: string[], body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      const found = /^HTTP\/1\.1 (\d+)/.exec(answer);
      if (found === null) return;
      resolve(Number(found[1]));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

// [server, method and path, token, status]
// contract: http.3, http.4, error.401, error.403, admin.1
test.each([
  ['open', 'GET /v1/health', undefined, 200],
  ['closed', 'GET /v1/health', undefined, 200],
  ['closed', 'GET /v1/openapi.json', undefined, 401],
  ['closed', 'GET /v1/openapi.json', SERVER, 200],
  ['open', 'GET /metrics', undefined, 200],
  ['open', 'GET /metrics', 'bot', 403],
  ['open', 'GET /metrics', 'wrong', 401],
  ['closed', 'GET /metrics', undefined, 401],
  ['closed', 'GET /metrics', SERVER, 200],
  ['closed', 'GET /metrics', 'bot', 403],
  ['safe', 'GET /metrics', SERVER, 200],
  ['safe', 'GET /metrics', ADMIN, 200],
  ['safe', 'GET /metrics', undefined, 401],
  ['closed', 'GET /v1/nothing', undefined, 401],
  ['closed', 'GET /v1/nothing', SERVER, 404],
  ['open', 'POST /v1/branches', undefined, 200],
  ['open', 'POST /v1/branches', 'wrong', 401],
  ['open', 'POST /v1/branches', 'off', 401],
  ['closed', 'POST /v1/branches', undefined, 401],
  ['closed', 'POST /v1/branches', 'off', 401],
  ['closed', 'POST /v1/branches', SERVER, 200],
  ['safe', 'POST /v1/branches', SERVER, 200],
  ['safe', 'POST /v1/agents', SERVER, 403],
  ['safe', 'POST /v1/agents', ADMIN, 200],
  ['safe', 'POST /v1/agents', 'bot', 200],
])('%s: %s with %s is %i', async (server, path, token, status) => {
  const [method, url] = path.split(' ');
  const base = { open, closed, safe }[server]!;
  const bearer = token === undefined ? undefined : (t.tokens.get(token) ?? token);
  const response = await fetch(base + url, {
    method,
    headers: { ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}), ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  expect(response.status).toBe(status);
  expect(response.headers.get('strict-transport-security')).toBeNull();
  if (status === 401 || status === 403) expect(await response.json()).toMatchObject({ error: { message: expect.any(String), code: expect.any(String) } });
});

// contract: auth.http.9, auth.http.10
test('an Origin is refused everywhere, other hosts only without a token; credentials are checked before the form of the body', async () => {
  const head = (host: string, ...more: string[]): string[] => ['POST /v1/branches HTTP/1.1', `Host: ${host}`, ...more];
  const json = ['Content-Type: application/json', 'Content-Length: 2'];
  const authorization = `Authorization: Bearer ${SERVER}`;
  expect(await raw(open, head('localhost', 'Origin: http://localhost', ...json), '{}')).toBe(403);
  expect(await raw(closed, head('localhost', 'Origin: null', authorization, ...json), '{}')).toBe(403);
  expect(await raw(open, ['GET /v1/health HTTP/1.1', 'Host: localhost', 'Origin: http://localhost'])).toBe(403);
  for (const host of ['localhost', 'localhost:7070', '127.0.0.1', '127.9.8.7:1', '[::1]:7070']) expect(await raw(open, head(host, ...json), '{}')).toBe(200);
  for (const host of ['example.org', 'localhost.example.org', '127.0.0.1.example.org', '128.0.0.1', '::1', '']) {
    expect(await raw(open, head(host, ...json), '{}'), host).toBe(403);
    expect(await raw(closed, head(host, authorization, ...json), '{}'), host).toBe(200);
  }
  // The body never comes: all is said from the headers.
  const long = ['Content-Type: application/json', 'Content-Length: 99999999'];
  expect(await raw(closed, head('x', ...long))).toBe(401);
  expect(await raw(closed, head('x', 'Transfer-Encoding: chunked'))).toBe(401);
  expect(await raw(closed, head('x', authorization, 'Transfer-Encoding: chunked'))).toBe(411);
  expect(await raw(closed, head('x', authorization, ...long))).toBe(413);
  expect(await raw(closed, head('x', authorization, 'Content-Length: 2'), '{}')).toBe(415);
  expect(await raw(open, head('example.org', 'Transfer-Encoding: chunked'))).toBe(403);
});

// contract: auth.http.6, error.429
test('too many wrong tokens make the address wait, on every route but health, with the right token too', async () => {
  let now = 0;
  const base = await t.serve({ token: SERVER }, {}, new LoginThrottle(10, () => now));
  for (let i = 0; i < 10; i++) expect((await post(base, 'branches', {}, `wrong-${i}`)).status).toBe(401);
  for (const token of [SERVER, 'wrong', botToken]) {
    const { status, body } = await post(base, 'branches', {}, token);
    expect([status, body.error?.code]).toEqual([429, '28P01']);
  }
  expect((await fetch(`${base}/v1/health`)).status).toBe(200);
  expect((await post(base, 'branches', {})).status).toBe(401);
  now += 1000;
  expect((await post(base, 'branches', {}, SERVER)).status).toBe(200);
});

// contract: state.21, state.22, auth.http.5
test('disabling takes effect at the next request; a wrong token reveals no names', async () => {
  await t.agent({ name: 'brief' });
  const token = t.tokens.get('brief')!;
  expect((await post(closed, 'branches', {}, token)).status).toBe(200);
  await t.db.alter_agent({ name: 'brief', disabled: true });
  const disabled = await post(closed, 'branches', {}, token);
  expect(disabled.status).toBe(401);
  await t.db.alter_agent({ name: 'brief', disabled: false });
  expect((await post(closed, 'branches', {}, token)).status).toBe(200);
  await t.db.drop_agent({ name: 'brief' });
  const dropped = await post(closed, 'branches', {}, token);
  const unknown = await post(closed, 'branches', {}, 'svc_'.padEnd(68, '0'));
  expect(dropped.body).toEqual(unknown.body);
  expect(disabled.body).toEqual(unknown.body);
});

// contract: auth.http.11, identity.1, world.3, service.4
test('the guest of safe mode: reads, forks, changes what guests forked, and nothing else', async () => {
  expect((await post(safe, 'fork', { name: 'g' }, SERVER)).body).toMatchObject({ ok: true, world: { owner: 'guest' } });
  expect((await post(safe, 'put', { branch: 'g', table: 'd', id: 'a', record: {} }, SERVER)).status).toBe(200);
  for (const [op, body] of Object.entries({
    merge: { branch: 'g' },
    restore: { branch: 'g', at: '-1s' },
    put: { table: 'd', id: 'a', record: {} },
    set_setting: { name: 'max_worlds', value: 1 },
  })) {
    expect((await post(safe, op, body, SERVER)).status, op).toBe(403);
  }
  expect((await post(safe, 'merge', { branch: 'g' }, ADMIN)).body).toMatchObject({ merged: 1 });
});

test('the log has refusals, failed logins and the administration of agents with the address, and no token', async () => {
  t.logged.length = 0;
  const base = await t.serve({ token: SERVER });
  await post(base, 'branches', {}, 'a-wrong-token-nobody-has');
  await post(base, 'branches', {});
  await post(base, 'put', { table: 'd', id: 'a', record: {} }, botToken.slice(0, -1));
  await t.agent({ name: 'weak' });
  await post(base, 'put', { table: 'd', id: 'a', record: {} }, t.tokens.get('weak'));
  const { body } = await post(base, 'create_agent', { name: 'made' }, SERVER);
  await post(base, 'alter_agent', { name: 'made', max_worlds: 1 }, SERVER);
  await post(base, 'drop_agent', { name: 'made' }, SERVER);
  expect(t.logged.map(({ message, address, operation, by }) => [message, address, operation, by].filter((each) => each !== undefined).join(' | '))).toEqual([
    'login refused | 127.0.0.1',
    'login refused | 127.0.0.1',
    'login refused | 127.0.0.1',
    'refused | 127.0.0.1 | put | agent "weak"',
    "administration | 127.0.0.1 | create_agent | the database's own user",
    "administration | 127.0.0.1 | alter_agent | the database's own user",
    "administration | 127.0.0.1 | drop_agent | the database's own user",
  ]);
  const text = JSON.stringify(t.logged);
  for (const secret of [SERVER, botToken.slice(0, -1), 'a-wrong-token', body['token'] as string]) expect(text).not.toContain(secret);
});

// contract: http.8
test('over TLS replies say so, and plain text is not answered', async () => {
  const file = (name: string): string => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');
  const base = await t.serve({ token: SERVER }, { tls: { cert: file('cert.pem'), key: file('key.pem') } });
  expect(base).toMatch(/^https:/);
  const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
    request(`${base}/v1/branches`, {
      method: 'POST',
      rejectUnauthorized: false,
      headers: { Authorization: `Bearer ${SERVER}`, 'Content-Type': 'application/json', 'Content-Length': 2 },
    })
      .on('response', (response) => {
        resolve({ ...response.headers, status: response.statusCode });
        response.destroy();
      })
      .on('error', reject)
      .end('{}');
  });
  expect(headers).toMatchObject({ status: 200, 'strict-transport-security': 'max-age=31536000', 'cache-control': 'no-store' });
  await expect(fetch(`${base.replace('https', 'http')}/v1/health`)).rejects.toThrow();
  // Refusals that no route gives have the same headers.
  for (const [said, status] of [
    ['GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-Long: ' + 'a'.repeat(70_000) + '\r\n\r\n', 431],
    ['NOT HTTP\r\n\r\n', 400],
    ['POST /v1/branches HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}', 400],
    ['GET /v1/nosuch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 401],
  ] as const) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectTls({ port: Number(new URL(base).port), host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(said));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        // The connection may be kept for a minute.
        if (text.endsWith('}}')) socket.destroy();
      });
      socket.on('close', () => resolve(text)).on('error', reject);
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    for (const header of [/strict-transport-security: max-age=31536000/i, /x-content-type-options: nosniff/i, /cache-control: no-store/i])
      expect(answer).toMatch(header);
    expect(answer).toContain('{"error":{"message":');
  }
});

// [options, environment, what it says]
// contract: auth.http.7, auth.http.8, fixed.10
test.each([
  [{ listen: '0.0.0.0:0', pg: 'off' }, {}, 'needs a token'],
  [{ pg: '0.0.0.0:0' }, {}, 'needs a token'],
  [{ listen: '0.0.0.0:0', pg: 'off', safe: true }, {}, 'needs a token'],
  [{ listen: '0.0.0.0:0', pg: 'off', insecureNoTls: true }, {}, 'needs a token'],
  [{ listen: '0.0.0.0:0', pg: 'off', token: SERVER }, {}, 'needs TLS'],
  [{ listen: '[::]:0', pg: 'off' }, { SVC_TOKEN: SERVER }, 'needs TLS'],
  [{ token: 'short' }, {}, '--token is shorter than 24'],
  [{ token: '' }, {}, '--token is shorter than 24'],
  [{}, { SVC_TOKEN: '12345678901234567890123' }, 'SVC_TOKEN is shorter than 24'],
  [{ token: 'change-me' }, {}, 'placeholder'],
  [{ safe: true, adminToken: 'short' }, {}, '--admin-token is shorter than 24'],
  [{ safe: true }, { SVC_ADMIN_TOKEN: 'change-me' }, 'placeholder'],
  [{ adminToken: ADMIN }, {}, 'goes with --safe'],
  [{ safe: true, token: SERVER, adminToken: SERVER }, {}, 'are the same'],
  [{ tlsCert: 'x' }, {}, 'go together'],
] as [Partial<ServeOptions>, Record<string, string>, string][])('serving with %j and %j is refused: %s', async (options, environment, says) => {
  const folder = join(tmpdir(), 'svc-never-made');
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    expect(await serve(folder, { listen: '127.0.0.1:0', pg: '127.0.0.1:0', ...options })).toBe(1);
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
  expect(said.join('')).toContain(says);
  for (const secret of [SERVER, ADMIN]) expect(said.join('')).not.toContain(secret);
  expect(existsSync(folder)).toBe(false);
});
