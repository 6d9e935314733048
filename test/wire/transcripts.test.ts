/**
 * The same bytes to Postgres 15 and to svc: the replies are the same messages, in the same order. Object ids, keys and the
 * place in the source that raised an error are left out.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe as group, expect, test } from 'vitest';
import { POSTGRES_BIN as BIN, postgresInstalled as installed } from '../postgres-bin.ts';
import { type Served, serve } from './open-server.ts';
import { bind, close, describe, execute, fields, FLUSH, frame, int16, int32, type Message, parse, SYNC, WireClient } from './wire-client.ts';

const Q = (sql: string): Buffer => frame('Q', sql);
const D = (text: string): Buffer => frame('d', Buffer.from(text, 'latin1'));
const extended = (sql: string, values: (string | Buffer | null)[] = [], formats: number[] = [], rows = 0): Buffer[] => [
  parse('', sql),
  bind('', '', values, formats),
  describe('P', ''),
  execute('', rows),
];

/** What is sent, each list up to a ReadyForQuery; `d` copies are sent when the server asks for them. */
const SCENARIOS: Record<string, Buffer[][]> = {
  'a list of statements': [[Q('SELECT 1 AS a; SELECT 2::int8, NULL, true; VALUES (1.50, $$x$$)')], [Q(';;')], [Q('')], [Q(' -- nothing')]],
  'an error in the middle of a list': [[Q('INSERT INTO t VALUES (1, $$a$$); INSERT INTO c VALUES (-1); SELECT 2')], [Q('SELECT count(*) FROM t')]],
  'a list with a transaction inside': [[Q('INSERT INTO t VALUES (1, $$a$$); BEGIN; INSERT INTO t VALUES (2, $$b$$)')], [Q('ROLLBACK; SELECT count(*) FROM t')]],
  'constants that fail': [
    [Q('SELECT 1/0')],
    [Q('SELECT 1 AS a; SELECT 1/0 AS b; SELECT 2')],
    [Q('SELECT id / 0 FROM t WHERE false')],
    [parse('z', 'SELECT 1/0'), describe('S', 'z'), SYNC],
    [bind('', 'z', []), describe('P', ''), execute(''), SYNC],
    [...extended('SELECT 1/0'), SYNC],
  ],
  'texts that differ in their literals': [
    [Q('INSERT INTO t VALUES (1, $$a$$)'), Q("INSERT INTO t VALUES (2, 'b')"), Q("INSERT INTO t VALUES (3, 'c')"), Q("INSERT INTO t VALUES (4, 'it''s')")],
    [Q('SELECT v FROM t WHERE id = 1'), Q('SELECT v FROM t WHERE id = 2'), Q('SELECT v FROM t WHERE id = 3'), Q('SELECT v FROM t WHERE id = 4')],
    [
      Q("SELECT v FROM t WHERE id = '3'"),
      Q("SELECT v FROM t WHERE id = '4'"),
      Q("SELECT v FROM t WHERE id = 'four'"),
      Q('SELECT v FROM t WHERE id = 99999999999'),
    ],
    [Q("UPDATE t SET v = 'x' WHERE id = 1"), Q("UPDATE t SET v = 'y' WHERE id = 2"), Q("UPDATE t SET v = 'z' WHERE id = 3"), Q('SELECT * FROM t ORDER BY id')],
    [
      Q("INSERT INTO t VALUES ('five', 'c')"),
      Q("INSERT INTO t VALUES (3, 'c')"),
      Q('DELETE FROM t WHERE id = 1'),
      Q('DELETE FROM t WHERE id = 2'),
      Q('DELETE FROM t WHERE id = 3'),
    ],
    [
      Q('BEGIN'),
      Q('SELECT v FROM t WHERE id = 4'),
      Q('SELECT v FROM t WHERE id = 5'),
      Q("SELECT v FROM t WHERE id = 'x'"),
      Q('SELECT v FROM t WHERE id = 4'),
      Q('ROLLBACK'),
    ],
  ],
  'a failed transaction': [
    [Q('BEGIN')],
    [Q('SELECT nothing')],
    [Q('SELECT 1')],
    [parse('', 'SELECT 1'), SYNC],
    [parse('', 'ROLLBACK'), bind('', '', []), execute(''), SYNC],
  ],
  'COMMIT of a failed transaction': [[Q('BEGIN; INSERT INTO c VALUES (-1)')], [Q('COMMIT')]],
  'transaction statements out of place': [[Q('COMMIT')], [Q('ROLLBACK')], [Q('BEGIN')], [Q('BEGIN')], [Q('COMMIT')], [Q('SAVEPOINT s')]],
  'an extended query': [
    [...extended('SELECT $1::int + 1, $2::text', ['41', 'x']), SYNC],
    [...extended('SELECT $1::int8, $2::bool', ['7', 't'], [1]), SYNC],
  ],
  'nothing to run': [
    [...extended(''), SYNC],
    [parse('e', ''), describe('S', 'e'), bind('', 'e', []), execute(''), SYNC],
  ],
  'a statement described': [
    [parse('s', 'SELECT $1 + 1 AS a, $2 || $$x$$ AS b'), describe('S', 's'), SYNC],
    [parse('i', 'INSERT INTO t VALUES ($1, $2)'), describe('S', 'i'), close('S', 's'), SYNC],
  ],
  'types that are given': [
    [parse('s', 'SELECT $1, $2', 20, 0), describe('S', 's'), SYNC],
    [parse('', 'SELECT $3::int', 23), describe('S', ''), SYNC],
  ],
  'a portal in pieces': [
    [parse('', 'SELECT g FROM generate_series(1, 5) g'), bind('p', '', []), execute('p', 2), execute('p', 2), execute('p', 2), execute('p', 2), SYNC],
    [execute('p', 1), SYNC],
    [Q('BEGIN')],
    [parse('', 'SELECT g FROM generate_series(1, 3) g'), bind('p', '', []), execute('p', 3), SYNC],
    [execute('p', 0), close('P', 'p'), execute('p', 0), SYNC],
    [Q('ROLLBACK')],
  ],
  'a portal of exactly as many rows': [[parse('', 'SELECT g FROM generate_series(1, 2) g'), bind('', '', []), execute('', 2), execute('', 2), SYNC]],
  'rows that are inserted and given in pieces': [
    [Q('BEGIN')],
    [parse('', 'INSERT INTO t SELECT g, $$x$$ FROM generate_series(1, 4) g RETURNING id'), bind('', '', []), execute('', 3), execute('', 3), SYNC],
    [Q('SELECT count(*) FROM t')],
    [Q('ROLLBACK')],
  ],
  'names that are not there': [
    [bind('', 'none', []), SYNC],
    [execute('none'), SYNC],
    [describe('S', 'none'), SYNC],
    [describe('P', 'none'), SYNC],
    [close('S', 'none'), close('P', 'none'), SYNC],
  ],
  'names that are taken': [
    [parse('s', 'SELECT 1'), parse('s', 'SELECT 2'), SYNC],
    [Q('BEGIN')],
    [parse('', 'SELECT 1'), bind('p', '', []), bind('p', '', []), SYNC],
    [Q('ROLLBACK')],
  ],
  'several statements in a Parse': [[parse('', 'SELECT 1; SELECT 2'), SYNC]],
  'parameters in the wrong number': [
    [parse('', 'SELECT $1::int'), bind('', '', []), SYNC],
    [parse('', 'SELECT 1'), bind('', '', ['1']), SYNC],
    [parse('', 'SELECT $1::int'), bind('', '', ['x']), SYNC],
  ],
  'formats in the wrong number': [[parse('', 'SELECT 1, 2'), bind('', '', [], [0, 1, 0]), SYNC]],
  'binary parameters that are none': [
    [parse('', 'SELECT $1::int'), bind('', '', [Buffer.from([1, 2])]), SYNC],
    [parse('', 'SELECT $1::int'), bind('', '', [Buffer.from([0, 0, 0, 1, 5])]), SYNC],
    [parse('', 'SELECT $1::text'), bind('', '', [Buffer.from([0xff])]), SYNC],
  ],
  'messages that are cut': [
    [frame('P', Buffer.from('a')), SYNC],
    [frame('B', 'p', 's', int16(1)), SYNC],
    [frame('E', 'p'), SYNC],
    [frame('D', Buffer.from('X'), ''), SYNC],
    [frame('C', Buffer.from('X'), ''), SYNC],
  ],
  'errors skip to Sync': [[parse('', 'SELECT nothing'), bind('', '', []), execute(''), Q('SELECT 1'), FLUSH, SYNC], [Q('SELECT 1')]],
  'an implicit transaction up to Sync': [
    [...extended('INSERT INTO t VALUES (1, $$a$$)'), ...extended('INSERT INTO t VALUES (1, $$b$$)'), SYNC],
    [Q('SELECT count(*) FROM t')],
  ],
  Flush: [[parse('', 'SELECT 1'), FLUSH, bind('', '', []), FLUSH, execute(''), FLUSH, SYNC]],
  'COPY in': [
    [Q('COPY t FROM STDIN'), D('1\ta\n2\t'), D('b\n'), frame('c')],
    [Q('COPY t FROM STDIN'), D('3\tc\n'), frame('f', 'given up')],
    [Q('COPY t FROM STDIN'), D('4\td\nx\ty\n'), frame('c')],
    [Q('COPY t FROM STDIN'), D('1\td\n'), frame('c')],
    [Q('COPY t FROM STDIN'), D('5\n'), frame('c')],
    [Q('COPY t FROM STDIN (FORMAT csv, HEADER)'), D('id,v\n6,"a ""b"""\n7,\n'), frame('c')],
    [Q('SELECT * FROM t ORDER BY id')],
    [Q('TRUNCATE t')],
  ],
  'COPY in, extended': [
    [...extended('COPY t FROM STDIN'), SYNC, D('1\ta\n'), frame('c'), SYNC],
    [...extended('COPY t FROM STDIN'), D('1\tb\n'), frame('c'), SYNC],
    [...extended('COPY t FROM STDIN'), frame('f', 'no'), SYNC],
    [Q('TRUNCATE t')],
  ],
  'COPY out': [
    [Q("INSERT INTO t VALUES (1, 'a\tb'), (2, NULL), (3, '')")],
    [Q('COPY t TO STDOUT')],
    [Q('COPY t TO STDOUT (FORMAT csv, HEADER)')],
    [Q('COPY t TO STDOUT (FORMAT binary)')],
    [Q('COPY (SELECT 1.50, $$x$$, now() IS NULL) TO STDOUT')],
    [Q('COPY t TO STDOUT; SELECT 1')],
    [Q('COPY nothing TO STDOUT')],
    [Q('TRUNCATE t')],
  ],
  'messages of a copy that is over': [[D('x'), frame('c'), frame('f', 'x'), Q('SELECT 1')]],
  'notices and settings': [
    [Q('SET application_name = $$e$$')],
    [Q("SET client_min_messages = 'notice'")],
    [Q('DROP TABLE IF EXISTS nothing')],
    [Q("SET TimeZone = 'Asia/Tokyo'; SET DateStyle = 'German'")],
    [Q('BEGIN; SET LOCAL application_name = $$x$$')],
    [Q('ROLLBACK')],
    [Q('RESET ALL')],
  ],
  'LISTEN and NOTIFY': [[Q('LISTEN l')], [Q("NOTIFY l, 'one'; NOTIFY l; SELECT 1")], [Q('BEGIN; NOTIFY l')], [Q('COMMIT')], [Q('UNLISTEN *')], [Q('NOTIFY l')]],
  'fields of errors': [
    [Q("INSERT INTO t VALUES (1, 'a'), (1, 'b')")],
    [Q('INSERT INTO t VALUES (NULL)')],
    [Q('INSERT INTO c VALUES (-1)')],
    [Q('SELECT * FROM t WHERE nothing = 1')],
    [Q("SELECT 'x'::int")],
    [Q('SELEC 1')],
    [Q('SELECT 1 FROM é nowhere')],
  ],
  'binary results': [
    [
      ...extended(
        "SELECT 1::int2, 2::int4, 3::int8, 1.5::float4, -2.25::float8, 12.340::numeric, 'x'::text, true, '2024-02-29'::date, '2024-02-29 01:02:03.5'::timestamp, '1 day 02:00'::interval, '{1,NULL}'::int[], '\\x00ff'::bytea",
        [],
        [1],
      ),
      SYNC,
    ],
  ],
};

/** One reply without what may differ. */
function shown({ type, body }: Message): string {
  switch (type) {
    case 'E':
    case 'N': {
      const { F: _f, L: _l, R: _r, ...rest } = fields({ type, body });
      return `${type} ${JSON.stringify(rest)}`;
    }
    case 'T': {
      const columns: string[] = [];
      for (let at = 2; at < body.length;) {
        const end = body.indexOf(0, at);
        const table = body.readInt32BE(end + 1) === 0 ? '' : ' of a table';
        columns.push(`${body.toString('utf8', at, end)}${table} ${body.readInt16BE(end + 5)} ${body.subarray(end + 7, end + 19).toString('hex')}`);
        at = end + 19;
      }
      return `T ${columns.join(', ')}`;
    }
    case 'A':
      return `A ${body.toString('latin1', 4)}`;
    default:
      return `${type} ${body.toString('latin1')}`;
  }
}

async function transcript(client: WireClient, scenario: Buffer[][]): Promise<string[]> {
  const out: string[] = [];
  for (const messages of scenario) {
    client.send(...messages);
    out.push(...(await client.until('Z')).map(shown));
  }
  return out;
}

const SETUP = 'CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE c (n int NOT NULL CONSTRAINT positive CHECK (n > 0))';

group.skipIf(!installed)(`transcripts (needs ${BIN})`, () => {
  let folder: string;
  let postgres: ChildProcess;
  let postgresPort: number;
  let served: Served;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-transcripts-'));
    // It refuses to run as root.
    const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    if (user.uid !== undefined) chownSync(folder, user.uid, user.uid);
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: folder };
    execFileSync(join(BIN, 'initdb'), ['-D', join(folder, 'db'), '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'], { ...user, env, stdio: 'ignore' });
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    postgresPort = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    postgres = spawn(
      join(BIN, 'postgres'),
      ['-D', join(folder, 'db'), '-k', folder, '-p', String(postgresPort), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'timezone=UTC'],
      { ...user, env, stdio: 'ignore' },
    );
    for (let i = 0; ; i++) {
      try {
        const client = await WireClient.login(postgresPort, { database: 'postgres' });
        await client.query(SETUP);
        client.quit();
        break;
      } catch (error) {
        if (i > 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    served = await serve();
    const client = await WireClient.login(served.port);
    await client.query(SETUP);
    client.quit();
  }, 60_000);
  afterAll(async () => {
    await served.close();
    postgres.kill('SIGINT');
    await new Promise((resolve) => postgres.once('exit', resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(Object.entries(SCENARIOS))('%s', async (_, scenario) => {
    const theirs = await WireClient.login(postgresPort, { database: 'postgres' });
    const ours = await WireClient.login(served.port);
    const wanted = await transcript(theirs, scenario);
    expect(await transcript(ours, scenario)).toEqual(wanted);
    await theirs.query('TRUNCATE t');
    await ours.query('TRUNCATE t');
    theirs.quit();
    ours.quit();
  });

  test('startup reports the same settings', async () => {
    const reported = async (port: number, database: string): Promise<string[]> => {
      const client = await WireClient.open(port);
      const body = Buffer.concat([int32(0x30000), Buffer.from(`user\0tester\0database\0${database}\0application_name\0a\0client_encoding\0UTF8\0\0`)]);
      client.send(Buffer.concat([int32(body.length + 4), body]));
      const messages = await client.until('Z');
      client.quit();
      return messages
        .filter(({ type }) => type === 'S')
        .map((message) => shown(message).split('\0')[0])
        .sort();
    };
    expect(await reported(served.port, 'main')).toEqual(await reported(postgresPort, 'postgres'));
  });
});
