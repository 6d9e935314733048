/** The SQL port's Unix socket in the folder: found as libpq looks for it, for its user only, by the same proofs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { localSocket } from '../../src/wire/server.ts';

const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');
const TOKEN = 'the-token-of-this-server-1234';
let home: string;
let server: ChildProcess;
let port: number;

async function start(folder: string, ...more: string[]): Promise<void> {
  server = spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0', ...more], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  for await (const chunk of server.stdout!.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const found = /psql -h \S+ -p (\d+)/.exec(said);
    if (found === null) continue;
    port = Number(found[1]);
    server.stdout!.resume();
    return;
  }
  throw new Error(`the server did not start: ${said}`);
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
}

async function ask(host: string, sql: string, password?: string): Promise<unknown[][]> {
  const client = new pg.Client({ host, port, user: 'ann', database: 'main', password });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][];
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-local-'));
  await start(join(home, 'db'));
});
afterAll(async () => {
  await stop('SIGTERM');
  rmSync(home, { recursive: true, force: true });
});

test('clients that have the folder for a host are one with those of the port', async () => {
  const folder = join(home, 'db');
  expect(statSync(localSocket(folder, port)).mode & 0o777).toBe(0o600);
  await ask(folder, 'CREATE TABLE t AS SELECT generate_series(1, 3) AS i');
  expect(await ask('127.0.0.1', 'SELECT sum(i)::int FROM t')).toEqual([[6]]);
  expect(await ask(folder, 'SELECT sum(i)::int FROM t')).toEqual([[6]]);
});

test('a socket left by a server that was killed is no hindrance; one that stops takes its own away', async () => {
  const folder = join(home, 'db');
  await stop('SIGKILL');
  const left = localSocket(folder, port);
  expect(existsSync(left)).toBe(true);
  await start(folder);
  expect(await ask(folder, 'SELECT count(*)::int FROM t')).toEqual([[3]]);
  await stop('SIGTERM');
  expect(existsSync(localSocket(folder, port))).toBe(false);
  expect(existsSync(left)).toBe(false);
});

test('it asks for the same proof', async () => {
  const folder = join(home, 'db');
  await start(folder, '--token', TOKEN);
  await expect(ask(folder, 'SELECT 1', 'wrong')).rejects.toMatchObject({ code: '28P01' });
  expect(await ask(folder, 'SELECT 1', TOKEN)).toEqual([[1]]);
  await stop('SIGTERM');
});

test('a folder whose path is too long for a socket is served by the port, and commands still reach the server', async () => {
  const deep = join(home, 'x'.repeat(100));
  mkdirSync(deep);
  await start(join(deep, 'db'));
  await ask('127.0.0.1', 'CREATE TABLE t AS SELECT 5 AS i');
  expect(readdirSync(join(deep, 'db')).filter((name) => name.startsWith('.s.') || name.endsWith('.sock'))).toEqual([]);
  expect(execFileSync(process.execPath, [MAIN, join(deep, 'db'), 'SELECT i FROM t']).toString()).toContain('5');
  // From the folder itself its path is short, and the socket is the same one.
  expect(execFileSync(process.execPath, [MAIN, 'db', 'SELECT i FROM t'], { cwd: deep }).toString()).toContain('5');
});
