/** The entrance of the web console: keys, hosts, sign-ins, sessions and rights, over real sockets. */
import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { RunControl } from '../../src/commands/contract.ts';
import type { AnyOperation } from '../../src/operations/define-operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import type { Who } from '../../src/studio/link.ts';
import { localLink } from '../../src/studio/local-link.ts';
import { startStudio } from '../../src/studio/server.ts';
import { ask, type Console, openConsole } from './console.ts';

let opened: Console;
afterEach(() => opened.close());

const MINUTE = 60_000;

// contract: console.1
test('the link has a random key of 256 bits in its fragment, and its holder is the database’s own user', async () => {
  opened = await openConsole();
  const { studio, key, op } = opened;
  expect(studio.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=[0-9a-f]{64}$/);
  const other = await openConsole();
  expect(other.key).not.toBe(key);
  await other.close();
  expect((await ask(studio.origin, '/op/branches', { body: {} })).status).toBe(401);
  expect((await op('branches', {}, { 'X-Svc-Key': '0'.repeat(64) })).status).toBe(401);
  expect((await op('branches', {})).body.branches[0].name).toBe('main');
  expect((await op('sql', { sql: 'SELECT current_user AS me' })).body.results[0].rows[0].me).toBe('svc');
  expect((await ask(studio.origin, '/api/who', { body: {}, headers: { 'X-Svc-Key': key } })).body).toEqual({
    kind: 'key',
    role: null,
    superuser: true,
    release: 'test',
  });
  // No cookie, which other ports of the machine would get.
  expect((await op('branches', {})).headers['set-cookie']).toBeUndefined();
});

// contract: console.1
test('wrong keys are counted as failed logins', async () => {
  opened = await openConsole({}, 3);
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await opened.op('branches', {}, { 'X-Svc-Key': 'guess' })).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect((await opened.op('branches', {})).status).toBe(429);
});

// contract: console.2
test.each([
  ['another host', { Host: 'evil.example' }],
  ['another name of this machine', { Host: 'localhost:PORT' }],
  ['another port', { Host: '127.0.0.1:1' }],
  ['no host', { Host: null }],
  ['another origin', { Origin: 'http://evil.example' }],
  ['another port in the origin', { Origin: 'http://127.0.0.1:1' }],
  ['another scheme', { Origin: 'https://127.0.0.1:PORT' }],
  ['an opaque origin', { Origin: 'null' }],
  ['no origin', { Origin: null }],
])('a call with %s is refused, with the right key', async (_what, headers) => {
  opened = await openConsole();
  const port = new URL(opened.studio.origin).port;
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.replace('PORT', port) ?? null]));
  const reply = await opened.op('fork', { name: 'draft' }, given);
  expect([reply.status, reply.body.error.code]).toEqual([403, '42501']);
  expect((await opened.op('branches', {})).body.branches).toHaveLength(1);
});

// contract: console.2
test('pages and files are for the exact host, too, and run nothing but their own scripts', async () => {
  opened = await openConsole();
  const { origin } = opened.studio;
  expect((await ask(origin, '/', { headers: { Host: 'rebound.example' } })).status).toBe(403);
  expect((await ask(origin, '/', { headers: { Origin: 'http://evil.example' } })).status).toBe(403);
  const page = await ask(origin, '/');
  expect(page.status).toBe(200);
  const [[, style], ...others] = page.text.matchAll(/<style>([^<]*)<\/style>/g);
  expect(others).toEqual([]);
  expect(page.text.replace(`<style>${style}</style>`, '')).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|style=|https?:\/\//i);
  const policy = String(page.headers['content-security-policy']);
  // The one style in the page is allowed by its hash, and no other.
  const hash = createHash('sha256').update(style).digest('base64');
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${hash}';`,
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|\*|data:/);
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
  const files = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(files.length).toBeGreaterThan(1);
  for (const path of files) {
    expect(path).toMatch(/-[A-Z0-9]{8}\.(js|css|svg)$/);
    expect((await ask(origin, path)).status).toBe(200);
  }
  expect((await ask(origin, '/assets/..%2f..%2fpackage.json')).status).toBe(404);
  expect((await ask(origin, '/assets/nothing.js')).status).toBe(404);
});

test.each([
  ['a body of another type', { 'Content-Type': 'text/plain' }, '{}', 415],
  ['a chunked body', { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }, '{}', 411],
  ['what is not JSON', {}, '{', 400],
  ['an unknown field', {}, '{"nam":"x"}', 400],
])('%s is refused', async (_what, headers, body, status) => {
  opened = await openConsole();
  const reply = await ask(opened.studio.origin, '/op/fork', { body, headers: { 'X-Svc-Key': opened.key, ...headers } });
  expect(reply.status).toBe(status);
});

const ROLES = `CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'right';
  CREATE ROLE clerk LOGIN PASSWORD 'plain';
  CREATE ROLE nologin PASSWORD 'right';
  CREATE ROLE nopass LOGIN;
  CREATE ROLE late LOGIN PASSWORD 'right' VALID UNTIL '2001-01-01';
  CREATE ROLE old LOGIN PASSWORD 'md5${'d1a3c2bd6e3a3e57a86c4e9d5f6b7f55'}';
  CREATE TABLE seen (id int PRIMARY KEY, name text); INSERT INTO seen VALUES (1, 'lamp');
  CREATE TABLE secret (id int PRIMARY KEY); INSERT INTO secret VALUES (1);
  GRANT SELECT ON seen TO clerk`;

async function withLogins(freeTries?: number): Promise<Console> {
  opened = await openConsole({ login: true }, freeTries);
  await opened.db.sql({ sql: ROLES });
  return opened;
}

// contract: console.3
test('a superuser role may do what the database’s own user may, except backup', async () => {
  const { signIn, op, studio } = await withLogins();
  expect(studio.link).toBe(`${studio.origin}/`);
  const headers = { Cookie: await signIn('boss', 'right') };
  expect((await ask(studio.origin, '/api/who', { body: {}, headers })).body).toMatchObject({ kind: 'role', role: 'boss', superuser: true });
  expect((await op('sql', { sql: 'SELECT current_user AS me' }, headers)).body.results[0].rows[0].me).toBe('boss');
  expect((await op('fork', { name: 'draft' }, headers)).status).toBe(200);
  expect((await op('put', { branch: 'draft', table: 'seen', id: '2', record: { id: 2, name: 'desk' } }, headers)).status).toBe(200);
  expect((await op('merge', { branch: 'draft' }, headers)).body).toEqual({ merged: 1 });
  expect((await op('create_agent', { name: 'writer' }, headers)).body.token).toMatch(/^svc_/);
  expect((await op('merge_outcomes', {}, headers)).status).toBe(200);
  for (const name of ['agents', 'audit', 'reviews', 'merge_policies', 'settings', 'verify', 'history'])
    expect([name, (await op(name, {}, headers)).status]).toEqual([name, 200]);
  const refused = await op('backup', { to: '/nowhere/at/all' }, headers);
  expect([refused.status, refused.body.error]).toMatchObject([403, { code: '42501' }]);
});

// contract: console.3
test('another role runs SQL as itself and sees worlds and tables; every other operation needs a superuser role', async () => {
  const { signIn, op, studio } = await withLogins();
  const headers = { Cookie: await signIn('clerk', 'plain') };
  expect((await ask(studio.origin, '/api/who', { body: {}, headers })).body).toMatchObject({ role: 'clerk', superuser: false });
  expect((await op('sql', { sql: 'SELECT current_user AS me, name FROM seen' }, headers)).body.results[0].rows).toEqual([{ me: 'clerk', name: 'lamp' }]);
  expect((await op('sql', { sql: 'SELECT * FROM secret' }, headers)).status).toBe(403);
  expect((await op('sql', { sql: 'SHOW METRICS' }, headers)).status).toBe(200);
  expect((await op('branches', {}, headers)).status).toBe(200);
  expect((await op('worlds', {}, headers)).status).toBe(200);
  expect((await op('world', { branch: 'main' }, headers)).status).toBe(200);
  const free = ['sql', 'branches', 'world'];
  for (const { name } of OPERATIONS.filter((operation) => !free.includes(operation.name))) {
    // Before the input is checked: an empty one is refused by most schemas.
    const reply = await op(name, {}, headers);
    expect([name, reply.status, reply.body.error.message]).toEqual([name, 403, `${name} needs a superuser role`]);
  }
});

// contract: console.4
test.each([
  ['a wrong password', 'boss', 'wrong'],
  ['no such role', 'stranger', 'right'],
  ['a role without LOGIN', 'nologin', 'right'],
  ['a role without a password', 'nopass', ''],
  ['a role that has expired', 'late', 'right'],
  ['a wrong password of an md5 role', 'old', 'wrong'],
  ['the own user without a password', 'svc', ''],
  ['an agent’s name', 'writer', 'x'],
  ['a name of NUL', '\0', 'x'],
])('%s is 401 wrong role name or password', async (_what, role, password) => {
  const { studio } = await withLogins();
  const reply = await ask(studio.origin, '/api/sign-in', { body: { role, password } });
  expect([reply.status, reply.body.error.message]).toEqual([401, 'wrong role name or password']);
  expect(reply.headers['set-cookie']).toBeUndefined();
});

// contract: console.4
test('after too many wrong sign-ins the address waits, with the right password too', async () => {
  const { studio } = await withLogins(3);
  const signIn = (password: string) => ask(studio.origin, '/api/sign-in', { body: { role: 'boss', password } });
  for (let i = 0; i < 3; i++) expect((await signIn('wrong')).status).toBe(401);
  expect((await signIn('right')).status).toBe(429);
});

// contract: console.5
test('a session is a random id of 256 bits in a cookie that scripts and other sites do not get', async () => {
  const { studio } = await withLogins();
  const ids = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const reply = await ask(studio.origin, '/api/sign-in', { body: { role: 'boss', password: 'right' } });
    const [cookie] = reply.headers['set-cookie'] as string[];
    const found = /^svc-studio-\d+=([A-Za-z0-9_-]{43}); Path=\/; HttpOnly; SameSite=Strict$/.exec(cookie);
    expect(found, cookie).not.toBeNull();
    expect(Buffer.from(found![1], 'base64url')).toHaveLength(32);
    ids.add(found![1]);
    expect(reply.text).not.toContain(found![1]);
  }
  expect(ids.size).toBe(3);
});

// contract: console.6
test('a session ends on sign-out', async () => {
  const { signIn, op, studio } = await withLogins();
  const headers = { Cookie: await signIn('boss', 'right') };
  const out = await ask(studio.origin, '/api/sign-out', { body: {}, headers });
  expect([out.status, String(out.headers['set-cookie'])]).toEqual([200, expect.stringContaining('Max-Age=0')]);
  expect((await op('branches', {}, headers)).status).toBe(401);
});

// contract: console.6, fixed.12
test('a session ends after 30 minutes without use, and 12 hours after its beginning', async () => {
  const { signIn, op, pass } = await withLogins();
  const idle = { Cookie: await signIn('boss', 'right') };
  const busy = { Cookie: await signIn('clerk', 'plain') };
  const watched = { Cookie: await signIn('boss', 'right') };
  const alive = async (headers: { Cookie: string }, more = {}) => (await op('branches', {}, { ...headers, ...more })).status === 200;
  pass(29 * MINUTE);
  expect(await alive(busy)).toBe(true);
  // What a page asks for without its person does not count as use.
  expect(await alive(watched, { 'X-Svc-Background': '1' })).toBe(true);
  pass(1 * MINUTE);
  expect(await alive(idle)).toBe(false);
  expect(await alive(watched)).toBe(false);
  for (let minutes = 30; minutes < 12 * 60; minutes += 10) {
    expect([minutes, await alive(busy)]).toEqual([minutes, true]);
    pass(10 * MINUTE);
  }
  expect(await alive(busy)).toBe(false);
});

// contract: console.6
test.each([
  ['dropped', 'REVOKE ALL ON seen FROM clerk; DROP ROLE clerk'],
  ['dropped and made again', "REVOKE ALL ON seen FROM clerk; DROP ROLE clerk; CREATE ROLE clerk LOGIN PASSWORD 'plain'"],
  ['made NOLOGIN', 'ALTER ROLE clerk NOLOGIN'],
  ['expired', "ALTER ROLE clerk VALID UNTIL '2001-01-01'"],
])('a session ends when its role is %s', async (_what, sql) => {
  const { signIn, op, db } = await withLogins();
  const headers = { Cookie: await signIn('clerk', 'plain') };
  expect((await op('branches', {}, headers)).status).toBe(200);
  await db.sql({ sql });
  expect((await op('branches', {}, headers)).status).toBe(401);
  // For good.
  await db.sql({ sql: "DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN PASSWORD 'plain'" }).catch(() => {});
  expect((await op('branches', {}, headers)).status).toBe(401);
});

test('rights follow the role while it is signed in', async () => {
  const { signIn, op, db } = await withLogins();
  const headers = { Cookie: await signIn('boss', 'right') };
  expect((await op('agents', {}, headers)).status).toBe(200);
  await db.sql({ sql: 'ALTER ROLE boss NOSUPERUSER' });
  expect((await op('agents', {}, headers)).body.error.message).toBe('agents needs a superuser role');
});

// contract: console.6
test('a restart signs everyone out', async () => {
  const { signIn, op } = await withLogins();
  const headers = { Cookie: await signIn('boss', 'right') };
  expect((await op('branches', {}, headers)).status).toBe(200);
  const first = opened;
  const port = Number(new URL(first.studio.origin).port);
  await first.studio.close();
  const again = await startStudio(
    {
      link: localLink({ commandsOf: (by) => first.db.commandsOf(by), roleNamed: (name) => first.db.roleNamed(name) }),
      throttle: new LoginThrottle(),
      login: true,
      release: 'test',
    },
    '127.0.0.1',
    port,
  );
  expect((await op('branches', {}, headers)).status).toBe(401);
  await again.close();
});

test('progress comes in lines before the result, and a request that is dropped cancels its operation', async () => {
  const ended: unknown[] = [];
  opened = await openConsole();
  const { db } = opened;
  const watched = localLink({ commandsOf: (by) => db.commandsOf(by), roleNamed: (name) => db.roleNamed(name) });
  await opened.studio.close();
  const sleeping = {
    as: async (who: Who) => {
      const caller = await watched.as(who);
      return {
        call: (operation: AnyOperation, input: unknown, control?: RunControl) => {
          const work = caller.call(operation, input, control);
          work.catch((error: unknown) => ended.push(error));
          return work;
        },
      };
    },
    close: () => watched.close(),
  };
  const studio = await startStudio({ link: sleeping, throttle: new LoginThrottle(), login: false, release: 'test' }, '127.0.0.1', 0);
  const key = studio.link.split('#key=')[1];
  const op = (name: string, body: object, headers = {}) => ask(studio.origin, `/op/${name}`, { body, headers: { 'X-Svc-Key': key, ...headers } });
  await op('sql', { sql: 'CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT g, 0 FROM generate_series(1, 100) g' });
  const simulated = { worlds: 40, prefix: 's', script: 'UPDATE t SET v = $1', score: 'SELECT sum(v) FROM t', keep: 1 };
  const reply = await op('simulate', simulated, { Accept: 'application/x-ndjson' });
  const lines = reply.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { progress?: { done: number; total: number }; result?: { worlds: unknown[] } });
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.at(-1)!.result!.worlds).toHaveLength(40);
  expect(lines[0].progress!.total).toBeGreaterThan(0);
  const failed = await op('simulate', { ...simulated, prefix: 'f', script: '', score: 'nonsense' }, { Accept: 'application/x-ndjson' });
  expect(JSON.parse(failed.text.trim().split('\n').at(-1)!)).toMatchObject({ status: 400, error: { code: '42601' } });
  ended.length = 0;

  const abort = new AbortController();
  const begun = performance.now();
  const slow = fetch(`${studio.origin}/op/sql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: studio.origin, 'X-Svc-Key': key },
    body: JSON.stringify({ sql: 'SELECT pg_sleep(60)' }),
    signal: abort.signal,
  }).catch(() => null);
  setTimeout(() => abort.abort(), 200);
  await slow;
  await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(1);
  expect(ended[0]).toMatchObject({ code: '57014' });
  expect(performance.now() - begun).toBeLessThan(30_000);
  await studio.close();
});

test('numbers that a double cannot hold go in and out as they were written', async () => {
  opened = await openConsole();
  const { studio, key } = opened;
  const put = '{"table":"d","id":"a","record":{"n":12345678901234567890,"m":1.10}}';
  expect((await ask(studio.origin, '/op/put', { body: put, headers: { 'X-Svc-Key': key } })).status).toBe(200);
  expect((await opened.op('get', { table: 'd', id: 'a' })).text).toContain('"n":12345678901234567890');
});
