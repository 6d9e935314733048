/** `svc serve` as a process of its own, with the variables and options that a test gives. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

export const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Of the wire protocol. */
  readonly port: number;
  printed(): string;
  call(op: string, body: object, token?: string): Promise<{ status: number; body: Record<string, unknown> & { error?: { code: string; message: string } } }>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function newFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Options without `--listen` and `--pg` get free ports. */
export async function startServer(folder: string, env: Record<string, string> = {}, args: readonly string[] = []): Promise<ServerProcess> {
  const ports = args.includes('--default-ports') ? [] : ['--listen', '127.0.0.1:0', '--pg', '127.0.0.1:0'];
  const child = spawn(process.execPath, [MAIN, 'serve', folder, ...ports, ...args.filter((each) => each !== '--default-ports')], {
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...env },
  });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  await expect.poll(() => /psql -h \S+ -p \d+/.test(printed) || child.exitCode !== null, { timeout: 60_000 }).toBe(true);
  const url = /listening on (\S+)/.exec(printed)?.[1];
  if (url === undefined) throw new Error(printed);
  return {
    child,
    url,
    port: Number(/psql -h \S+ -p (\d+)/.exec(printed)![1]),
    printed: () => printed,
    async call(op, body, token) {
      const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
      const response = await fetch(`${url}/v1/${op}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as { error?: { code: string; message: string } } };
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}
