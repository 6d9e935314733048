/** Programs that the client tests run, found on this machine; what is missing is skipped, and said by name. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Served } from '../wire/open-server.ts';

const POSTGRES = '/usr/lib/postgresql';

/** Path of a program on the PATH or among Debian's Postgres packages; null with a word on stderr. */
export function program(name: string): string | null {
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    ...(existsSync(POSTGRES) ? readdirSync(POSTGRES).map((release) => join(POSTGRES, release, 'bin')) : []),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) process.stderr.write(`SKIPPED: ${name} is not installed; its tests did not run\n`);
  return found ?? null;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function run(path: string, args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', PGCONNECT_TIMEOUT: '10', HOME: '/nonexistent', ...env } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Closes a server behind pools whose goodbyes are still on their way; a connection that is ended by the server would be an error. */
export async function quiet(served: Served): Promise<void> {
  while (served.server.connections > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await served.close();
}
