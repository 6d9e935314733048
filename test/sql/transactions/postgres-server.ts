/** Debian's Postgres 15 on a port of its own, for what only a server with several sessions can show. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POSTGRES_BIN as BIN, postgresInstalled } from '../../postgres-bin.ts';
import { WireClient } from '../../wire/wire-client.ts';

export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #server: ChildProcess;

  private constructor(port: number, folder: string, server: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#server = server;
  }

  static get installed(): boolean {
    return postgresInstalled;
  }

  /** `more`: settings, as `name=value`; `superuser` owns the cluster. Nothing comes from the machine's locale and time zone. */
  static async start(more: readonly string[] = [], superuser = 'tester', locale = 'C'): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
    // It refuses to run as root.
    const root = process.getuid?.() === 0;
    const user = root ? { uid: 65534, gid: 65534 } : {};
    if (root) chownSync(folder, 65534, 65534);
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: folder };
    const data = join(folder, 'db');
    const cluster = ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, '--no-sync'];
    execFileSync(join(BIN, 'initdb'), cluster, { ...user, env, stdio: 'ignore' });
    const port = await freePort();
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'deadlock_timeout=20ms', 'max_connections=40', ...more];
    const server = spawn(join(BIN, 'postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((each) => ['-c', each])], {
      ...user,
      env,
      stdio: 'ignore',
    });
    for (let tries = 0; ; tries++) {
      try {
        const client = await WireClient.login(port, { user: superuser, database: 'postgres' });
        client.quit();
        return new PostgresServer(port, folder, server);
      } catch (error) {
        if (tries > 600) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill('SIGINT');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
