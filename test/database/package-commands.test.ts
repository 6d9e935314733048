/**
 * The commands of the package as it is installed, where its scripts have only the packages that it declares; and its folders where RocksDB does not
 * load, which is every platform but Linux on x86-64 with glibc.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import pg from 'pg';
import { InstalledPackage, isBuilt } from './installed-package.ts';

describe.skipIf(!isBuilt)('installed', () => {
  let installed: InstalledPackage;
  let running: ChildProcess[] = [];
  beforeAll(() => {
    installed = InstalledPackage.make();
  }, 300_000);
  afterEach(async () => {
    for (const child of running) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    }
    running = [];
  });
  afterAll(() => installed?.remove());

  const svc = (...words: string[]): ReturnType<InstalledPackage['node']> => installed.node(installed.command, ...words);

  /** Starts a command that stays, until what it prints matches. */
  async function start(words: readonly string[], until: RegExp, env: Record<string, string> = {}): Promise<RegExpExecArray> {
    const child = spawn(process.execPath, [installed.command, ...words], {
      cwd: installed.home,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()));
    await expect.poll(() => until.test(printed) || child.exitCode !== null, { timeout: 120_000 }).toBe(true);
    expect(printed).toMatch(until);
    return until.exec(printed)!;
  }

  test('svc serve answers HTTP, metrics, MCP and SQL', async () => {
    const words = ['serve', 'served', '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'];
    const [, url, port] = await start(words, /listening on (http:\/\/\S+)[^]*?psql [^\n]*-p (\d+)/, { SVC_METRICS_WORLDS: 'draft,other' });
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    const headers = { 'Content-Type': 'application/json' };
    const post = async (path: string, body: object): Promise<unknown> =>
      (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    expect(await post('/v1/put', { table: 't', id: 'a', record: { n: 1 } })).toMatchObject({ ok: true });
    expect(await post('/v1/find', { table: 't', text: 'x' })).toMatchObject({ total: 0 });
    expect(await post('/v1/fork', { name: 'draft' })).toMatchObject({ ok: true });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect([...metrics.matchAll(/^svc_world_writes_total\{world="(.*)"\} \d+$/gm)].map(([, world]) => world)).toEqual(['main', 'draft']);
    expect(metrics).toMatch(/^svc_build_info\{version="\d+\.\d+\.\d+",node="\d+\S*",page_store="(?:rocksdb|leveldb)"\} 1$/m);
    const client = new pg.Client({ host: '127.0.0.1', port: Number(port), user: 'me', database: 'main' });
    await client.connect();
    expect((await client.query('SELECT id, n FROM t WHERE n = $1', [1])).rows).toEqual([{ id: 'a', n: '1' }]);
    expect((await client.query("SELECT xpath('/a/b/text()', '<a><b>7</b></a>')::text AS x")).rows).toEqual([{ x: '{7}' }]);
    await client.end();
  }, 240_000);

  test('svc mcp serves tools', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [installed.command, 'mcp', 'models'], cwd: installed.home, stderr: 'ignore' }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['sql', 'fork', 'diff', 'merge_preview']));
    expect(JSON.stringify(await client.callTool({ name: 'sql', arguments: { sql: 'SELECT 41 + 1 AS answer' } }))).toContain('42');
    await client.close();
  }, 240_000);

  test('svc studio serves its page', async () => {
    const [, origin] = await start(['studio', 'looked', '--listen', '127.0.0.1:0', '--no-open'], /(http:\/\/[^/\s]+)\/#key=\S+/);
    const page = await (await fetch(origin)).text();
    const script = /src="([^"]+\.js)"/.exec(page)![1];
    expect((await fetch(new URL(script, origin))).status).toBe(200);
  }, 240_000);

  test('the shell runs a statement', async () => {
    expect(svc('shelled', 'SELECT 41 + 1 AS answer')).toMatchObject({ status: 0, stdout: expect.stringContaining('42') as string });
  }, 240_000);

  test('a folder goes between RocksDB and LevelDB, and keeps its rows', () => {
    const binding = join(installed.folder, 'dist/bin/rocksdb');
    const cache = (): string => (readdirSync(join(installed.home, 'moved/cache')).includes('IDENTITY') ? 'rocksdb' : 'leveldb');
    const rows = /a +\| +1\b[^]*b +\| +2\b/;
    const isHere = process.platform === 'linux' && process.arch === 'x64';
    expect(svc('moved', "CREATE TABLE t (id text PRIMARY KEY, n int); INSERT INTO t VALUES ('a', 1)").status).toBe(0);
    expect(cache()).toBe(isHere ? 'rocksdb' : 'leveldb');
    renameSync(binding, `${binding}-away`);
    try {
      const there = svc('moved', "INSERT INTO t VALUES ('b', 2); SELECT * FROM t ORDER BY id");
      expect(there).toMatchObject({ status: 0, stdout: expect.stringMatching(rows) as string });
      if (isHere) expect(there.stderr).toMatch(/was made by rocksdb and is opened by leveldb: it is thrown away and rebuilt from the log/);
      expect(cache()).toBe('leveldb');
      expect(svc('moved', 'SELECT * FROM t ORDER BY id')).toMatchObject({ status: 0, stdout: expect.stringMatching(rows) as string, stderr: '' });
      expect(svc('verify', 'moved').status).toBe(0);
    } finally {
      renameSync(`${binding}-away`, binding);
    }
    const back = svc('moved', 'SELECT * FROM t ORDER BY id');
    expect(back).toMatchObject({ status: 0, stdout: expect.stringMatching(rows) as string });
    if (isHere) expect(back.stderr).toMatch(/was made by leveldb and is opened by rocksdb/);
    expect(cache()).toBe(isHere ? 'rocksdb' : 'leveldb');
  }, 240_000);
});
