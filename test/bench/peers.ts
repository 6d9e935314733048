import { join } from 'node:path';
import { open } from '../../src/database.ts';
import { peerModule } from './peer-module.ts';
import { Postgres } from './postgres.ts';
import { ms, type Report, timed, times } from './report.ts';

const ROWS = 1_000_000;

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): unknown; get(...values: unknown[]): unknown };
  transaction(work: () => void): () => void;
  close(): void;
}

/** What peers can also do, in the same run: point reads and durable commits (SQLite), a private copy of a database (Postgres). */
export async function benchPeers(report: Report, folder: string): Promise<void> {
  report.section('Peers', `${ROWS.toLocaleString('en-US')} rows of (text key, integer, double, text, boolean).`);
  const db = await open(join(folder, 'peers'));
  const id = (i: number): string => String(i).padStart(9, '0');
  for (let at = 0; at < ROWS; at += 10_000) {
    await db.batch({
      rows: Array.from({ length: 10_000 }, (_, k) => ({
        table: 'items',
        id: id(at + k),
        record: { n: at + k, price: (at + k) / 4, name: `item number ${at + k}`, ok: true },
      })),
    });
  }
  await db.flush();
  const get = await timed(20_000, (i) => db.get({ table: 'items', id: id((i * 7919) % ROWS) }));
  const putMs = await timed(1000, (i) => db.put({ table: 'items', id: id(i), record: { n: i, price: 1, name: 'x', ok: false } }));
  const forkMs = await timed(100, (i) => db.fork({ name: `p${i}` }));
  report.row('svc: point read', ms(get));
  report.row('svc: durable commit of one row', ms(putMs));
  report.row('svc: fork of 1 M rows, durable', ms(forkMs));
  await db.close();
  await benchSqlite(report, folder, { get, putMs });
  await benchPostgres(report, { forkMs });
}

async function benchSqlite(report: Report, folder: string, svc: { get: number; putMs: number }): Promise<void> {
  try {
    const Database = (await peerModule('better-sqlite3')) as new (path: string) => Sqlite;
    const sqlite = new Database(join(folder, 'peer.sqlite'));
    sqlite.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE items (id TEXT PRIMARY KEY, n INTEGER, price REAL, name TEXT, ok INTEGER) WITHOUT ROWID',
    );
    const insert = sqlite.prepare('INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?)');
    const id = (i: number): string => String(i).padStart(9, '0');
    for (let at = 0; at < ROWS; at += 10_000)
      sqlite.transaction(() => {
        for (let k = at; k < at + 10_000; k++) insert.run(id(k), k, k / 4, `item number ${k}`, 1);
      })();
    const select = sqlite.prepare('SELECT * FROM items WHERE id = ?');
    const get = await timed(20_000, (i) => select.get(id((i * 7919) % ROWS)));
    const put = await timed(1000, (i) => insert.run(id(i), i, 1, 'x', 0));
    sqlite.close();
    report.row('SQLite (WAL, synchronous = FULL): point read', ms(get));
    report.row('SQLite: durable commit of one row', ms(put));
    report.row('svc against SQLite: point read takes', times(svc.get / get));
    report.row('svc against SQLite: durable commit takes', times(svc.putMs / put));
  } catch (error) {
    report.row('SQLite', 'skipped', `better-sqlite3 cannot be used here: ${(error as Error).message.split('\n')[0]}`);
  }
}

async function benchPostgres(report: Report, svc: { forkMs: number }): Promise<void> {
  if (!Postgres.installed) {
    report.row('Postgres 15', 'skipped', 'install the Debian package postgresql-15');
    return;
  }
  const postgres = await Postgres.start();
  try {
    postgres.psql('CREATE DATABASE source');
    postgres.psql(`CREATE TABLE items (id text PRIMARY KEY, n bigint, price double precision, name text, ok boolean)`, 'source');
    postgres.psql(`INSERT INTO items SELECT lpad(i::text, 9, '0'), i, i / 4.0, 'item number ' || i, true FROM generate_series(0, ${ROWS - 1}) i`, 'source');
    postgres.psql('CHECKPOINT');
    const copy = await timed(3, (i) => postgres.psql(`CREATE DATABASE copy${i} TEMPLATE source`));
    report.row('Postgres 15: CREATE DATABASE … TEMPLATE of the same rows', ms(copy));
    report.row('svc against Postgres 15: a private copy is faster by', times(copy / svc.forkMs));
  } finally {
    await postgres.stop();
  }
}
