/** A pooler between svc and Postgres: pgbouncer in each of its modes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../clients/client-programs.ts';
import { Source } from './source.ts';
import { changedWorld, expectStory, STORY } from './story.ts';

/** Debian's folder for programs of administrators is not on the PATH of every user. */
const SBIN = '/usr/sbin/pgbouncer';
const pgbouncer = existsSync(SBIN) ? SBIN : program('pgbouncer');

class Pooler {
  readonly port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#child = child;
  }

  static async start(mode: string, to: number): Promise<Pooler> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'));
    const port = await freePort();
    writeFileSync(join(folder, 'users'), '"tester" ""\n', { mode: 0o644 });
    writeFileSync(
      join(folder, 'ini'),
      `[databases]\n* = host=127.0.0.1 port=${to}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${folder}/users\npool_mode = ${mode}\nmax_client_conn = 50\ndefault_pool_size = 3\n`,
      { mode: 0o644 },
    );
    // It refuses to run as root.
    const root = process.getuid?.() === 0;
    const user = root ? { uid: 65534, gid: 65534 } : {};
    if (root) chownSync(folder, 65534, 65534);
    const child = spawn(pgbouncer!, ['-q', join(folder, 'ini')], { ...user, stdio: 'ignore' });
    for (let tries = 0; !(await answers(port)); tries++) {
      if (tries > 200) throw new Error('pgbouncer did not start');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return new Pooler(port, folder, child);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

describe.skipIf(!Source.installed || pgbouncer === null)('pgbouncer', () => {
  let source: Source;
  const poolers: Pooler[] = [];

  beforeAll(async () => {
    source = await Source.start(['max_connections=60']);
  }, 60_000);

  afterAll(async () => {
    await source?.stop();
    for (const each of poolers) await each.stop();
  });

  async function pooled(mode: string): Promise<{ name: string; url: string; sql: Awaited<ReturnType<Source['database']>>['sql'] }> {
    const { name, sql } = await source.database(STORY);
    const pooler = await Pooler.start(mode, source.port);
    poolers.push(pooler);
    return { name, url: `postgres://tester@127.0.0.1:${pooler.port}/${name}`, sql };
  }

  test.each(['session', 'transaction'])(
    'in %s mode does no harm',
    async (mode) => {
      const { url, sql } = await pooled(mode);
      await expectStory(await source.attached(url), sql);
    },
    60_000,
  );

  test('in statement mode has no transactions, which is said', async () => {
    const { url, name } = await pooled('statement');
    const refused = { code: '08P01', message: expect.stringContaining('transaction'), hint: expect.stringContaining('transaction or session mode') };
    await expect(source.attached(url)).rejects.toMatchObject(refused);
    const attached = await source.attached(source.url(name));
    await changedWorld(attached, 'w', `UPDATE language SET name = 'x'`);
    await attached.close();
    attached.url = url;
    await attached.open();
    await expect(attached.db.merge({ branch: 'w' })).rejects.toMatchObject(refused);
    expect((await attached.db.attachment({})).pending).toBeNull();
  });
});
