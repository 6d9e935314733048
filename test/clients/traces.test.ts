/**
 * What clients said on connect and while they looked around is said to svc; the replies are those of PostgreSQL 15, as they
 * were recorded. Where PostgreSQL 15 is installed the recordings are held against it too: exactly where it is the minor release that was recorded,
 * else in what minor releases have in common.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { WireClient } from '../wire/wire-client.ts';
import { PostgresServer } from '../sql/transactions/postgres-server.ts';
import { releaseOf, sharedByMinors } from './traces/minor-releases.ts';
import { replay, serverVersion } from './traces/replay.ts';
import { type Reply, SCHEMA, traces } from './traces/trace.ts';

/** By client, conversation and place: why the rows are not those of Postgres. Columns and errors are compared all the same. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'dbd-pg, connection 1, 22': 'pages of indexes are not reported',
  'drizzle-kit, connection 1, 4': 'the role postgres beside the own user',
  'drizzle-kit, connection 1, 15': 'DISTINCT ON without an order',
  'jdbc, connection 1, 13': 'pages of indexes are not reported',
  'jdbc, connection 1, 18': 'descriptions of functions',
  'knex, connection 1, 0': 'the version',
  'pg_dump, connection 1, 13': 'the role postgres beside the own user',
  'pg_dump, connection 1, 15': 'what belongs to an extension',
  'pg_dump, connection 1, 20': 'functions of information_schema',
  'pg_dump, connection 1, 30': 'full-text search',
  'pg_dump, connection 1, 31': 'full-text search',
  'pg_dump, connection 1, 49': 'rules of the system views',
  'pg_dump, connection 1, 56': 'rights on columns of the catalog',
  'pg_dump, connection 1, 62': 'oids of labels',
  'pg_dump, connection 1, 64': 'rights on columns of the catalog',
  'psql, \\du+, 0': 'the role postgres beside the own user',
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

/** `peer`: how the tested server relates to the recorded one. Rows of another minor release may differ, which is reported. */
function compare(
  port: () => number,
  login: { user: string; database: string },
  users: readonly string[],
  different: Readonly<Record<string, string>>,
  peer: (recorded: string) => 'the recorded release' | 'another minor release' = () => 'the recorded release',
): void {
  for (const { client, version, server, objects, conversations } of traces()) {
    test.each(conversations)(`${client} ${version}, $name`, async (conversation) => {
      const replies = await replay(port(), conversation, objects, login, users);
      const minor = peer(server) === 'another minor release';
      const wrong: object[] = [];
      conversation.said.forEach(({ text, reply: raw }, i) => {
        const at = `${client}, ${conversation.name}, ${i}`;
        const [given, reply] = minor ? [sharedByMinors(replies[i]), sharedByMinors(raw)] : [replies[i], raw];
        const same = (rows: boolean): boolean => isDeepStrictEqual(comparable(given, reply, rows), comparable(reply, reply, rows));
        if (at in different) {
          if (same(true)) wrong.push({ at, text, wrong: 'is not different any more' });
          if (same(false)) return;
        }
        if (same(true)) return;
        if (minor && same(false)) {
          process.stderr.write(`${at}: rows are not those of the recording, which is of ${server}\n`);
          return;
        }
        const [own, recorded] = [rowsOf(given), rowsOf(reply)];
        const columns = (each: Reply): string => ('error' in each ? '' : JSON.stringify(each.map((rows) => rows.columns)));
        wrong.push({
          at,
          text,
          columns: columns(given) === columns(reply) ? 'the same' : [columns(given), columns(reply)],
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

if (!PostgresServer.installed) process.stderr.write('SKIPPED: PostgreSQL 15 is not installed; recordings were not held against it\n');

describe.skipIf(!PostgresServer.installed)('PostgreSQL 15 answers as it did', () => {
  let server: PostgresServer;
  let release = '';
  beforeAll(async () => {
    server = await PostgresServer.start([], 'me', 'C.UTF-8');
    const first = await WireClient.login(server.port, { user: 'me', database: 'postgres' });
    release = releaseOf(await serverVersion(first));
    await first.query('CREATE DATABASE main');
    first.quit();
    const client = await WireClient.login(server.port, { user: 'me' });
    await client.query(SCHEMA);
    client.quit();
  }, 60_000);
  afterAll(() => server?.stop());

  compare(
    () => server.port,
    { user: 'me', database: 'main' },
    ['me'],
    {},
    (recorded) => (recorded === release ? 'the recorded release' : 'another minor release'),
  );
});

describe('what minor releases have in common', () => {
  const rows = (...cells: (string | null)[]): Reply => [{ columns: cells.map((_, i): [string, number] => [`c${i}`, 25]), rows: [cells] }];
  test.each<[name: string, recorded: Reply, later: Reply, same: boolean]>([
    [
      'the version that a server says',
      rows('PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14+deb12u1) 12.2.0, 64-bit'),
      rows('PostgreSQL 15.20 (Ubuntu 15.20-1.pgdg24.04+1) on aarch64-unknown-linux-gnu, compiled by gcc 13.3.0, 64-bit'),
      true,
    ],
    ['another major release', rows('PostgreSQL 15.18 on x86_64'), rows('PostgreSQL 16.1 on x86_64'), false],
    ['an option that later ones keep', rows('id', null), rows('id', 'pg_attver=26553792'), true],
    ['such an option behind others', rows('n_distinct=5'), rows('n_distinct=5, pg_attver=26553792'), true],
    ['such an option in an array', rows('{n_distinct=5}'), rows('{n_distinct=5,pg_attver=26553792}'), true],
    ['other rows', rows('a'), rows('b'), false],
    ['another error', { error: '42P01' }, { error: '42703' }, false],
  ])('%s', (_, recorded, later, same) => {
    expect(isDeepStrictEqual(sharedByMinors(later), sharedByMinors(recorded))).toBe(same);
  });
});
