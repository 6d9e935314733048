/** Debian's Postgres 15 in a folder of its own, as it is out of the box: fsync on, default settings. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = '/usr/lib/postgresql/15/bin';

export class Postgres {
  readonly #data: string;
  readonly #user: { uid?: number; gid?: number };
  readonly #server: ChildProcess;
  /** 0: by its socket only. */
  readonly port: number;

  /** Where its programs are. */
  static readonly bin = BIN;

  static get installed(): boolean {
    return existsSync(join(BIN, 'initdb'));
  }

  /** `tcp`: on a free port of the loopback, too. */
  static async start({ tcp = false } = {}): Promise<Postgres> {
    const data = mkdtempSync(join(tmpdir(), 'svc-bench-pg-'));
    // It refuses to run as root.
    const root = process.getuid?.() === 0;
    const user = root ? { uid: 65534, gid: 65534 } : {};
    mkdirSync(join(data, 'socket'));
    if (root) for (const folder of [data, join(data, 'socket')]) chownSync(folder, 65534, 65534);
    const postgres = new Postgres(data, user, tcp ? await freePort() : 0);
    for (let i = 0; ; i++) {
      try {
        postgres.psql('SELECT 1');
        return postgres;
      } catch (error) {
        if (i > 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  constructor(data: string, user: { uid?: number; gid?: number }, port: number) {
    this.port = port;
    this.#data = data;
    this.#user = user;
    this.run('initdb', ['-D', join(data, 'db'), '-U', 'bench', '-A', 'trust', '-E', 'UTF8']);
    const listen = port === 0 ? ['-c', 'listen_addresses='] : ['-c', 'listen_addresses=127.0.0.1', '-p', String(port)];
    this.#server = spawn(join(BIN, 'postgres'), ['-D', join(data, 'db'), '-k', join(data, 'socket'), ...listen], { ...user, stdio: 'ignore' });
  }

  run(program: string, args: string[], input?: string): string {
    return execFileSync(join(BIN, program), args, {
      ...this.#user,
      input,
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
      env: { ...process.env, LC_ALL: 'C', HOME: this.#data },
    }).toString();
  }

  /** A file that its programs can read. */
  file(name: string, text: string): string {
    const path = join(this.#data, name);
    writeFileSync(path, text, { mode: 0o644 });
    return path;
  }

  get pid(): number {
    return this.#server.pid!;
  }

  /** Where its Unix socket is. */
  get socketFolder(): string {
    return join(this.#data, 'socket');
  }

  /** Options that say where it is. */
  at(database = 'postgres'): string[] {
    return ['-h', join(this.#data, 'socket'), ...(this.port === 0 ? [] : ['-p', String(this.port)]), '-U', 'bench', '-d', database];
  }

  /** Rows as lines, cells parted by tabs. */
  psql(sql: string, database?: string): string {
    return this.run('psql', [...this.at(database), '-X', '-q', '-t', '-A', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-c', sql]);
  }

  /** A script of psql, with its own commands. */
  script(text: string, database?: string): string {
    return this.run('psql', [...this.at(database), '-X', '-q', '-t', '-A', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-f', '-'], text);
  }

  async stop(): Promise<void> {
    this.#server.kill('SIGINT');
    await new Promise((resolve) => this.#server.once('exit', resolve));
    rmSync(this.#data, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
