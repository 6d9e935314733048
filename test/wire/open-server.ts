/** A database in a folder of its own, served by the wire protocol on a free port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open } from '../../src/database.ts';
import { authenticate } from '../../src/session/authenticate.ts';
import { createWireServer, type WireServer, type WireServerOptions } from '../../src/wire/server.ts';

export interface Served {
  readonly database: Database;
  readonly server: WireServer;
  readonly port: number;
  readonly faults: unknown[];
  close(): Promise<void>;
}

export async function serve(options: Partial<WireServerOptions> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-wire-'));
  const database = await open(folder, { pageStore: 'auto' });
  const faults: unknown[] = [];
  const server = createWireServer({
    session: (where) => database.session(where),
    authenticate,
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
