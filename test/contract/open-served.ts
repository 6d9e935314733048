/** A database with a stepped clock in a folder of its own, and the operations over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

export interface Answer {
  readonly status: number;
  // The replies of all operations: each test reads the fields of its own.
  // oxlint-disable-next-line no-explicit-any
  readonly body: any;
}

export interface Served {
  readonly db: Database;
  readonly clock: SteppedClock;
  readonly folder: string;
  readonly server: HttpServer;
  call(op: string, body: object, token?: string): Promise<Answer>;
  /** Makes an agent and returns its token. */
  agent(name: string, more?: object): Promise<string>;
  close(): Promise<void>;
}

export async function serveHttp(options: OpenOptions = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
  const clock = new SteppedClock();
  const db = await open(folder, { clock, ...options });
  const server = createHttpServer({
    commandsOf: (principal) => db.commandsOf(principal),
    identity: new ServerIdentity({ token: null, adminToken: null, safe: false }, db.directory, new LoginThrottle(1000)),
    version: 'test',
  });
  const base = await server.listen('127.0.0.1', 0);
  const call: Served['call'] = async (op, body, token) => {
    const response = await fetch(`${base}/v1/${op}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    db,
    clock,
    folder,
    server,
    call,
    agent: async (name, more = {}) => (await call('create_agent', { name, ...more })).body.token as string,
    async close() {
      await server.close();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
