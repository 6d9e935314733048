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
  readonly folder: string;
  readonly #superuser: string;
  readonly #begin: () => ChildProcess;
  #server: ChildProcess;

  private constructor(port: number, folder: string, superuser: string, begin: () => ChildProcess) {
    this.port = port;
    this.folder = folder;
    this.#superuser = superuser;
    this.#begin = begin;
    this.#server = begin();
  }

  static get installed(): boolean {
    return postgresInstalled;
  }

  /**
   * `more`: settings, as `name=value`; `superuser` owns the cluster; `bin`: its programs; `make` fills the folder `data`, as initdb otherwise does. Nothing
   * comes from the machine's locale and time zone.
   */
  static async start(
    more: readonly string[] = [],
    superuser = 'tester',
    locale = 'C',
    { bin = BIN, make }: { bin?: string; make?: (data: string, run: (program: string, args: readonly string[]) => void) => void } = {},
  ): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
    // It refuses to run as root.
    const root = process.getuid?.() === 0;
    const user = root ? { uid: 65534, gid: 65534 } : {};
    if (root) chownSync(folder, 65534, 65534);
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: folder };
    const data = join(folder, 'db');
    const run = (program: string, args: readonly string[]): void => void execFileSync(join(bin, program), args, { ...user, env, stdio: 'ignore' });
    if (make === undefined) run('initdb', ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, '--no-sync']);
    else make(data, run);
    const port = await freePort();
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'deadlock_timeout=20ms', 'max_connections=40', ...more];
    const args = ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((each) => ['-c', each])];
    const server = new PostgresServer(port, folder, superuser, () => spawn(join(bin, 'postgres'), args, { ...user, env, stdio: 'ignore' }));
    await server.#ready();
    return server;
  }

  async #ready(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        const client = await WireClient.login(this.port, { user: this.#superuser, database: 'postgres' });
        client.quit();
        return;
      } catch (error) {
        if (tries > 600) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill(signal);
    await ended;
  }

  /** An immediate shutdown, as after a crash: no checkpoint is written, no transaction ends. */
  async crash(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  /** Starts it after a crash; it recovers from its log. */
  async restart(): Promise<void> {
    this.#server = this.#begin();
    await this.#ready();
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.folder, { recursive: true, force: true });
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
