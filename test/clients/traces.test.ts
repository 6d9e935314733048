/**
 * What clients said on connect and while they looked around is said to svc; the replies are those of PostgreSQL 15, as they
 * were recorded. Where PostgreSQL 15 is installed the recordings are held against it too.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { WireClient } from '../wire/wire-client.ts';
import { replay } from './traces/replay.ts';
import { type Reply, SCHEMA, traces } from './traces/trace.ts';

/** By client, conversation and place: why the rows are not those of Postgres. Columns and errors are compared all the same. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'dbd-pg, connection 1, 22': 'pages of indexes are not told',
  'drizzle-kit, connection 1, 15': 'DISTINCT ON without an order',
  'jdbc, connection 1, 13': 'pages of indexes are not told',
  'jdbc, connection 1, 18': 'descriptions of functions',
  'knex, connection 1, 0': 'the version',
  'pg_dump, connection 1, 15': 'what belongs to an extension',
  'pg_dump, connection 1, 20': 'functions of information_schema',
  'pg_dump, connection 1, 30': 'full-text search',
  'pg_dump, connection 1, 31': 'full-text search',
  'pg_dump, connection 1, 49': 'rules of the system views',
  'pg_dump, connection 1, 56': 'rights on columns of the catalog',
  'pg_dump, connection 1, 62': 'oids of labels',
  'pg_dump, connection 1, 64': 'rights on columns of the catalog',
  'pgcli, connection 2, 9': 'databases are worlds',
  'postgres, connection 1, 0': 'types of rows of system relations',
  'psql, \\l, 0': 'databases are worlds',
  'psql, \\d+, 0': 'sizes',
  'psql, \\di+, 0': 'sizes',
  'psql, \\ds+, 0': 'sizes',
  'sequelize, connection 2, 7': 'the order of array_agg is open',
  'sqlalchemy, connection 1, 3': 'the version',
  'sqlalchemy, connection 1, 14': 'domains of information_schema',
  'sqlalchemy, connection 1, 27': 'expressions are kept as SQL',
  'typeorm, connection 1, 0': 'the version',
};

/** Where rows are many the recording has their number alone, which other types and functions change. */
function comparable(reply: Reply, recorded: Reply, rows: boolean): Reply {
  if ('error' in reply || 'error' in recorded) return reply;
  return reply.map((each, i) => ({ ...each, rows: rows && typeof recorded[i]?.rows !== 'number' ? each.rows : 0 }));
}

const rowsOf = (reply: Reply): string[] =>
  'error' in reply ? [reply.error] : reply.flatMap(({ rows }) => (typeof rows === 'number' ? [] : rows.map((row) => row.join(' | '))));

function compare(port: () => number, login: { user: string; database: string }, users: readonly string[], different: Readonly<Record<string, string>>): void {
  for (const { client, version, objects, conversations } of traces()) {
    test.each(conversations)(`${client} ${version}, $name`, async (conversation) => {
      const replies = await replay(port(), conversation, objects, login, users);
      const wrong: object[] = [];
      conversation.said.forEach(({ text, reply }, i) => {
        const at = `${client}, ${conversation.name}, ${i}`;
        const same = (rows: boolean): boolean => isDeepStrictEqual(comparable(replies[i], reply, rows), comparable(reply, reply, rows));
        if (at in different) {
          if (same(true)) wrong.push({ at, text, wrong: 'is not different any more' });
          if (same(false)) return;
        }
        if (same(true)) return;
        const [own, recorded] = [rowsOf(replies[i]), rowsOf(reply)];
        const columns = (each: Reply): string => ('error' in each ? '' : JSON.stringify(each.map((rows) => rows.columns)));
        wrong.push({
          at,
          text,
          columns: columns(replies[i]) === columns(reply) ? 'the same' : [columns(replies[i]), columns(reply)],
          missing: recorded.filter((row) => !own.includes(row)).slice(0, 5),
          unwanted: own.filter((row) => !recorded.includes(row)).slice(0, 5),
        });
      });
      expect(wrong).toEqual([]);
    });
  }
}

describe('svc answers as Postgres did', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
    const client = await WireClient.login(served.port);
    await client.query(SCHEMA);
    client.quit();
  });
  afterAll(() => served.close());

  compare(() => served.port, { user: 'me', database: 'main' }, ['me', 'svc'], DIFFERENT);
});

const BIN = '/usr/lib/postgresql/15/bin';
if (!existsSync(join(BIN, 'initdb'))) process.stderr.write('SKIPPED: PostgreSQL 15 is not installed; recordings were not held against it\n');

describe.skipIf(!existsSync(join(BIN, 'initdb')))('PostgreSQL 15 answers as it did', () => {
  let folder: string;
  let port: number;
  let server: ReturnType<typeof spawn>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-traces-'));
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    if ('uid' in user) chownSync(folder, 65534, 65534);
    const data = join(folder, 'db');
    execFileSync(join(BIN, 'initdb'), ['-D', data, '-U', 'me', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], { ...user, stdio: 'ignore' });
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    port = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'timezone=UTC'].flatMap((each) => ['-c', each]);
    server = spawn(join(BIN, 'postgres'), ['-D', data, '-p', String(port), ...options], { ...user, stdio: 'ignore' });
    const login = { user: 'me', database: 'postgres' };
    for (let i = 0; ; i++) {
      try {
        const client = await WireClient.login(port, login);
        await client.query('CREATE DATABASE main');
        client.quit();
        break;
      } catch (error) {
        if (i > 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    const client = await WireClient.login(port, { user: 'me' });
    await client.query(SCHEMA);
    client.quit();
  }, 60_000);
  afterAll(async () => {
    server.kill('SIGINT');
    await new Promise((resolve) => server.once('exit', resolve));
    rmSync(folder, { recursive: true });
  });

  compare(() => port, { user: 'me', database: 'main' }, ['me'], {});
});
