/** A database in a folder of its own, served by the wire protocol on a free port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open, type OpenOptions } from '../../src/database.ts';
import type { AgentState } from '../../src/events/agent.ts';
import { AgentDirectory } from '../../src/session/agent-directory.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity, type ServerSecrets } from '../../src/session/server-identity.ts';
import { createWireServer, type WireServer, type WireServerOptions } from '../../src/wire/server.ts';

export interface Served {
  readonly database: Database;
  readonly server: WireServer;
  readonly port: number;
  readonly faults: unknown[];
  close(): Promise<void>;
}

export interface IdentityOptions {
  readonly secrets?: Partial<ServerSecrets>;
  readonly agents?: readonly AgentState[];
  readonly throttle?: LoginThrottle;
}

export function identityOf({ secrets, agents = [], throttle = new LoginThrottle() }: IdentityOptions): ServerIdentity {
  const states = {
    byName: (name: string) => agents.find((each) => each.name === name) ?? null,
    byTokenHash: (hash: string) => agents.find((each) => each.tokenHash === hash) ?? null,
  };
  return new ServerIdentity({ token: null, adminToken: null, safe: false, ...secrets }, new AgentDirectory(() => states), throttle);
}

export async function serve({
  identity = {},
  fs,
  ...options
}: Partial<WireServerOptions> & { identity?: IdentityOptions; fs?: OpenOptions['fs'] } = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-wire-'));
  const database = await open(folder, { pageStore: 'auto', ...(fs === undefined ? {} : { fs }) });
  const faults: unknown[] = [];
  const server = createWireServer({
    session: (where) => database.session(where),
    logins: database.logins(identityOf(identity)),
    log: (level, fields) => {
      if (level === 'error') faults.push(fields);
    },
    ...options,
  });
  const port = await server.listen('127.0.0.1', 0);
  return {
    database,
    server,
    port,
    faults,
    close: async () => {
      await server.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
