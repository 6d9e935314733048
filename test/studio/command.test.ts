/** `svc studio` and `svc serve --studio` as commands: what they print, whom they let listen, and a folder that another process has open. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN, newFolder, type ServerProcess, startServer } from '../contract/server-process.ts';
import { ask, type Reply } from './console.ts';

let place: ReturnType<typeof newFolder>;
let running: ChildProcess[];
let server: ServerProcess | null;
beforeEach(() => {
  place = newFolder();
  running = [];
  server = null;
});
afterEach(async () => {
  await server?.stop();
  for (const child of running) await stop(child);
  place.remove();
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

interface Started {
  readonly child: ChildProcess;
  readonly printed: string;
  readonly origin: string;
  readonly key: string;
}

async function studio(args: readonly string[], folder = place.folder): Promise<Started> {
  const child = spawn(process.execPath, [MAIN, 'studio', folder, ...args], { env: { PATH: process.env['PATH'] } });
  running.push(child);
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  await expect.poll(() => /https?:\/\/\S+\/\S*\s*\n\n$/.test(printed) || child.exitCode !== null, { timeout: 60_000 }).toBe(true);
  const found = /(https?:\/\/[^\s/]+)\/(?:#key=(\S+))?/.exec(printed);
  return { child, printed, origin: found?.[1] ?? '', key: found?.[2] ?? '' };
}

const op = ({ origin, key }: Pick<Started, 'origin' | 'key'>, name: string, body: object): Promise<Reply> =>
  ask(origin, `/op/${name}`, { body, headers: { 'X-Svc-Key': key } });

// contract: command.7, console.1
test('svc studio serves a new folder on loopback and prints the link with its key', async () => {
  const folder = join(place.folder, 'new');
  const started = await studio(['--listen', '127.0.0.1:0'], folder);
  expect(started.printed).toMatch(/http:\/\/127\.0\.0\.1:\d+\/#key=[0-9a-f]{64}\n/);
  expect((await op(started, 'branches', {})).body.branches[0].name).toBe('main');
  expect(existsSync(join(folder, 'log'))).toBe(true);
  // Other commands reach the folder through its socket meanwhile.
  expect(execFileSync(process.execPath, [MAIN, '--json', folder, 'fork draft'], { encoding: 'utf8' })).toContain('draft');
  expect((await op(started, 'world', { branch: 'draft' })).status).toBe(200);
  await stop(started.child);
  expect(started.child.exitCode).toBe(0);
});

// contract: service.7
test('a folder that a server has open is reached through its socket, by the same rights', async () => {
  server = await startServer(place.folder);
  await server.call('sql', {
    sql: `CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'right'; CREATE ROLE clerk LOGIN PASSWORD 'right'; CREATE TABLE t (id int PRIMARY KEY, n numeric);
      INSERT INTO t VALUES (1, 1.10); CREATE TABLE secret (id int PRIMARY KEY)`,
  });
  const owner = await studio(['--listen', '127.0.0.1:0']);
  expect(owner.printed).toContain('open in another process');
  expect((await op(owner, 'sql', { sql: 'SELECT current_user AS me, n FROM t' })).body.results[0].rows).toEqual([{ me: 'svc', n: '1.10' }]);
  expect((await op(owner, 'get', { table: 't', id: '99' })).status).toBe(404);
  const simulated = await ask(owner.origin, '/op/simulate', {
    body: { worlds: 20, prefix: 's', script: 'UPDATE t SET n = $1', score: 'SELECT n FROM t', keep: 0 },
    headers: { 'X-Svc-Key': owner.key, Accept: 'application/x-ndjson' },
  });
  expect(simulated.text.trim().split('\n').at(-1)).toMatch(/^\{"result":/);
  const logins = await studio(['--listen', '127.0.0.1:0', '--login']);
  const signIn = async (role: string): Promise<string> =>
    String((await ask(logins.origin, '/api/sign-in', { body: { role, password: 'right' } })).headers['set-cookie']).split(';')[0];
  const as = async (cookie: string, name: string, body: object): Promise<Reply> => ask(logins.origin, `/op/${name}`, { body, headers: { Cookie: cookie } });
  const [boss, clerk] = [await signIn('boss'), await signIn('clerk')];
  expect((await as(boss, 'sql', { sql: 'SELECT current_user AS me' })).body.results[0].rows).toEqual([{ me: 'boss' }]);
  expect((await as(boss, 'agents', {})).status).toBe(200);
  expect((await as(clerk, 'sql', { sql: 'SELECT * FROM secret' })).body.error.code).toBe('42501');
  expect((await as(clerk, 'agents', {})).body.error.message).toBe('agents needs a superuser role');
  await server.call('sql', { sql: 'DROP ROLE clerk' });
  expect((await as(clerk, 'branches', {})).status).toBe(401);
  // The server goes, and comes again.
  await server.stop();
  expect((await op(owner, 'branches', {})).status).toBeGreaterThanOrEqual(400);
  server = await startServer(place.folder);
  expect((await op(owner, 'branches', {})).status).toBe(200);
});

// contract: console.1
test('svc serve --studio serves the console beside the API, and counts failed logins of both together', async () => {
  server = await startServer(place.folder, { SVC_TOKEN: 'the-token-of-this-server-1', SVC_LOGIN_FREE_TRIES: '3' }, ['--studio', '127.0.0.1:0']);
  const [, origin, key] = /web console: (http:\/\/[^\s/]+)\/#key=(\S+)/.exec(server.printed())!;
  expect((await op({ origin, key }, 'branches', {})).status).toBe(200);
  // Each key opens its own door.
  expect((await server.call('branches', {}, key)).status).toBe(401);
  expect((await op({ origin, key: 'the-token-of-this-server-1' }, 'branches', {})).status).toBe(401);
  expect((await op({ origin, key: 'x' }, 'branches', {})).status).toBe(401);
  expect((await op({ origin, key }, 'branches', {})).status).toBe(429);
  expect((await server.call('branches', {}, 'the-token-of-this-server-1')).status).toBe(429);
});

// contract: console.7
test('off loopback the console wants TLS, unless --insecure-no-tls, and the address by which it is reached', async () => {
  const refused = async (...args: string[]): Promise<string> => {
    const { printed, child } = await studio(args);
    expect(child.exitCode).toBe(1);
    return printed;
  };
  expect(await refused('--listen', '0.0.0.0:0', '--url', 'http://studio.example')).toContain('a console that others reach needs TLS');
  expect(await refused('--listen', '0.0.0.0:0', '--insecure-no-tls')).toContain('every address of this machine');
  expect(await refused('--listen', '127.0.0.1:0', '--url', 'http://studio.example/path')).toContain('is not the address of a console');
  expect(existsSync(join(place.folder, 'log'))).toBe(false);
  const open = await studio(['--listen', '0.0.0.0:0', '--insecure-no-tls', '--url', 'http://studio.example:7071']);
  expect(open.origin).toBe('http://studio.example:7071');
});

// contract: console.5, console.7
test('over TLS the cookie is Secure, of this host alone, and transport is strict', async () => {
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(place.folder, name));
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
    ],
    {
      stdio: 'ignore',
    },
  );
  expect(readFileSync(cert, 'utf8')).toContain('BEGIN CERTIFICATE');
  const folder = join(place.folder, 'data');
  execFileSync(process.execPath, [MAIN, folder, "CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'right'"]);
  const started = await studio(['--listen', '127.0.0.1:0', '--login', '--tls-cert', cert, '--tls-key', key], folder);
  expect(started.origin).toMatch(/^https:/);
  const reply = await ask(started.origin, '/api/sign-in', { body: { role: 'boss', password: 'right' } });
  expect(String(reply.headers['set-cookie'])).toMatch(/^__Host-svc-studio-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await ask(started.origin, '/', { headers: { Host: new URL(started.origin).host } })).status).toBe(200);
});
