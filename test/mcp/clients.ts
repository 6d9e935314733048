/** Clients of MCP for tests: the official one, on every way in, and beside the server in one process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect } from 'vitest';
import type { Database } from '../../src/database.ts';
import { localSession } from '../../src/local-entrance.ts';
import { modelServer } from '../../src/mcp/model-server.ts';
import type { Greeting } from '../../src/socket/greeting.ts';

export const MAIN = join(import.meta.dirname, '../../dist/bin/svc.js');
/** Not listed in safe mode. */
export const UNSAFE = ['merge', 'restore', 'undo_merge'];

/** Closes what a test opened, last first. */
export class Opened {
  readonly #closing: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }

  /** `svc mcp <folder> …`: has the folder itself, or reaches who has it through the socket. */
  async stdio(folder: string, ...args: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', folder, ...args], stderr: 'pipe' }));
    this.add(() => client.close());
    return client;
  }

  async http(url: string, token?: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    this.add(() => client.close());
    return client;
  }

  /** The url of `svc serve <folder> …`. */
  serve(folder: string, ...args: string[]): Promise<string> {
    const server = spawn(process.execPath, [MAIN, 'serve', folder, '--listen', '127.0.0.1:0', '--pg', 'off', ...args]);
    this.add(() => ended(server));
    return new Promise((resolve, reject) => {
      let text = '';
      server.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const found = /listening on (http:\S+)/.exec(text);
        if (found !== null) resolve(found[1]);
      });
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
  }

  /** In this process, with the same server as behind the socket. */
  async beside(database: Database, as: Greeting['as'], more: Partial<Greeting> = {}): Promise<Client> {
    const { principal, commands } = localSession(database, { entrance: 'mcp', as, ...more });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await modelServer({ principal, commands, safe: principal.kind === 'safe' }, '0').connect(theirs);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(ours);
    this.add(() => client.close());
    return client;
  }
}

async function ended(server: ChildProcessWithoutNullStreams): Promise<void> {
  server.kill('SIGTERM');
  if (server.exitCode === null && server.signalCode === null) await new Promise((resolve) => server.once('exit', resolve));
}

export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<{ text: string; failed: boolean }> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[]; isError?: boolean };
  return { text: content.map(({ text }) => text).join('\n'), failed: isError === true };
}

export async function said(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { text, failed } = await call(client, name, args);
  expect(failed, text).toBe(false);
  return text;
}

export async function refused(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { text, failed } = await call(client, name, args);
  expect(failed, text).toBe(true);
  return text;
}
