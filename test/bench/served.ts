/** `svc serve` in a process of its own, for benchmarks that look from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export class Served {
  readonly port: number;
  readonly process: ChildProcess;

  static async start(folder: string): Promise<Served> {
    const main = resolve(import.meta.dirname, '../../bin/svc.js');
    const child = spawn(process.execPath, [main, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      const port = /psql -h \S+ -p (\d+)/.exec(text)?.[1];
      if (port !== undefined) return new Served(Number(port), child);
    }
    throw new Error('the server did not start');
  }

  constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.process = child;
    child.stdout!.resume();
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }
}
