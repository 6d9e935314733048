/** A cache page turns out damaged while clients of the SQL port read: the answer is right, no row is sent twice, and the cache is rebuilt. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { CacheDamage } from '../../src/storage/page-store.ts';
import { createWireServer, type WireServer } from '../../src/wire/server.ts';

const ROWS = 40_000;

class Failing extends MemoryPageStore {
  /** Reads until all fail; negative: none does. */
  until = -1;
  renewals = 0;
  override read(id: number): Uint8Array | undefined {
    if (this.until > 0) this.until--;
    else if (this.until === 0) throw new CacheDamage(`page ${id}: block checksum mismatch`);
    return super.read(id);
  }
  override readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    return ids.map((id) => this.read(id));
  }
  override async renew(): Promise<void> {
    this.until = -1;
    this.renewals++;
    await super.renew();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-damaged-'));
const store = new Failing();
let db: Database;
let wire: WireServer;
let port: number;

const opening = (): Promise<Database> => open(folder, { key: null, cacheBytes: 600_000, checkpointMs: 1e9, openStore: async () => store });

beforeAll(async () => {
  db = await opening();
  await db.sql({ sql: `CREATE TABLE s (id int PRIMARY KEY, v text); INSERT INTO s SELECT i, repeat('v', 40) || i FROM generate_series(1, ${ROWS}) i` });
  await db.close();
});
beforeEach(async () => {
  store.renewals = 0;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

async function served(work: (client: pg.Client) => Promise<void>): Promise<void> {
  store.until = -1;
  db = await opening();
  wire = createWireServer({
    session: (where) => db.session(where),
    logins: db.logins(new ServerIdentity({ token: null, adminToken: null, safe: false }, db.directory, new LoginThrottle(undefined))),
  });
  port = await wire.listen('127.0.0.1', 0);
  const client = new pg.Client({ host: '127.0.0.1', port, database: 'main', user: 'svc' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
    await wire.close();
    await db.close();
  }
}

test.each([0, 1, 2, 5])('read %i after the damage began: counts and single rows are right', (until) =>
  served(async (client) => {
    store.until = until;
    expect((await client.query("SELECT count(*)::int AS n FROM s WHERE v LIKE 'v%'")).rows).toEqual([{ n: ROWS }]);
    expect(store.renewals).toBe(1);
    expect((await client.query('SELECT id FROM s WHERE id = $1', [77])).rows).toEqual([{ id: 77 }]);
    await client.query('UPDATE s SET v = v WHERE id = 5');
  }),
);

test('rows that have left are not sent again: the statement ends with 40001, and the next one is right', () =>
  served(async (client) => {
    store.until = 40;
    const outcome = await client.query('SELECT * FROM s').then(
      ({ rows }) => rows.length,
      (error: { code: string }) => error.code,
    );
    expect([ROWS, '40001']).toContain(outcome);
    expect(store.renewals).toBe(1);
    expect((await client.query('SELECT * FROM s')).rows).toHaveLength(ROWS);
  }));

test('a transaction that read before must be retried', () =>
  served(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT id FROM s WHERE id = 3');
    store.until = 0;
    await expect(client.query('SELECT sum(length(v)) FROM s')).rejects.toMatchObject({ code: '40001' });
    await client.query('ROLLBACK');
    expect((await client.query('SELECT count(*)::int AS n FROM s')).rows).toEqual([{ n: ROWS }]);
  }));
