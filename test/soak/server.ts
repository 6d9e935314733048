/** A server under test in a process of its own, and what the system says of it: processor time, memory, disk, lag of its event loop. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the kernel counts processor time in, a second. */
const CLOCK_TICKS = 100;

export interface LoopLag {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  overFiftyMs: number;
  heapBytes: number;
  externalBytes: number;
}

export interface Paths {
  /** The command, `dist/bin/svc.js`. */
  readonly main: string;
  /** `loop-lag.js` as it was built. */
  readonly probe: string;
}

export class Server {
  readonly folder: string;
  readonly child: ChildProcess;
  readonly http: string;
  readonly pgPort: number;
  readonly openMs: number;
  readonly #lagFile: string;

  private constructor(folder: string, child: ChildProcess, http: string, pgPort: number, openMs: number) {
    this.folder = folder;
    this.child = child;
    this.http = http;
    this.pgPort = pgPort;
    this.openMs = openMs;
    this.#lagFile = `${folder}.lag`;
  }

  static start(paths: Paths, folder: string, env: NodeJS.ProcessEnv = {}): Promise<Server> {
    const begun = performance.now();
    const child = spawn(process.execPath, ['--import', paths.probe, paths.main, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SVC_SOAK_LAG: `${folder}.lag`, ...env },
    });
    let out = '';
    let errors = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4000);
    });
    return new Promise((resolve, reject) => {
      child.stdout!.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        const http = /http:\/\/\S+/.exec(out);
        const port = /psql .* -p (\d+)/.exec(out);
        if (http !== null && port !== null) resolve(new Server(folder, child, http[0], Number(port[1]), performance.now() - begun));
      });
      child.once('exit', (code) => reject(new Error(`the server exited with ${code} instead of opening:\n${errors}\n${out}`)));
    });
  }

  async post(op: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.http}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, unknown>;
  }

  /** 23514 and so on as an error. */
  async must(op: string, body: object): Promise<Record<string, unknown>> {
    const reply = await this.post(op, body);
    if (reply['error'] !== undefined) throw new Error(`${op}: ${JSON.stringify(reply['error']).slice(0, 500)}`);
    return reply;
  }

  get cpuMs(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
  }

  get residentBytes(): number {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'));
    return line === null ? 0 : Number(line[1]) * 1024;
  }

  get diskBytes(): { log: number; cache: number } {
    return { log: folderBytes(join(this.folder, 'log')), cache: folderBytes(join(this.folder, 'cache')) };
  }

  /** Lag of the event loop since the last call. */
  async lag(): Promise<LoopLag> {
    const before = changed(this.#lagFile);
    this.child.kill('SIGUSR2');
    for (let i = 0; i < 400; i++) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      if (changed(this.#lagFile) !== before) return JSON.parse(readFileSync(this.#lagFile, 'utf8')) as LoopLag;
    }
    throw new Error('the server does not say how far its event loop lags');
  }

  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const gone = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return gone;
  }
}

function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export function folderBytes(folder: string): number {
  let bytes = 0;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return 0;
  }
  for (const name of names) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat !== undefined) bytes += stat.isDirectory() ? folderBytes(join(folder, name)) : stat.blocks * 512;
  }
  return bytes;
}
