/** The servers that a round needs: ours, and Debian's Postgres 15. */
import { Client } from 'pg';
import { program } from '../clients/client-programs.ts';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { serve } from '../wire/open-server.ts';
import type { Peers } from './round.ts';

export const pgDump = program('pg_dump');
export const canRun = pgDump !== null && PostgresServer.installed;

export async function openPeers(): Promise<Peers & { close(): Promise<void> }> {
  const postgres = await PostgresServer.start();
  const client = new Client({ host: '127.0.0.1', port: postgres.port, user: 'tester', database: 'postgres' });
  await client.connect();
  const served = await serve();
  return {
    database: served.database,
    port: served.port,
    pgDump: pgDump!,
    postgres: client,
    close: async () => {
      await client.end();
      await served.close();
      await postgres.stop();
    },
  };
}
