import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';
import { errorOf, fields, int32, startup, status, text, types, WireClient } from './wire-client.ts';

const SSL = Buffer.concat([int32(8), int32(80877103)]);
const GSS = Buffer.concat([int32(8), int32(80877104)]);

let served: Served;
beforeAll(async () => {
  served = await serve({ loginMs: 400 });
});
afterAll(() => served.close());

async function refused(bytes: Buffer): Promise<Record<string, string>> {
  const client = await WireClient.open(served.port);
  client.socket.write(bytes);
  return errorOf(await client.end());
}

describe('startup', () => {
  test('a login gives status, key and readiness', async () => {
    const client = await WireClient.open(served.port);
    client.socket.write(startup({ user: 'ann', database: 'main', application_name: 'a test', TimeZone: 'Europe/Oslo' }));
    const messages = await client.until('Z');
    expect(types(messages)).toMatch(/^RS+KZ$/);
    const statuses = new Map(
      messages
        .filter(({ type }) => type === 'S')
        .map((message) => [text(message), message.body.toString('utf8', text(message).length + 1, message.body.length - 1)]),
    );
    expect(Object.fromEntries(statuses)).toMatchObject({
      server_version: '15.0',
      server_encoding: 'UTF8',
      client_encoding: 'UTF8',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      TimeZone: 'Europe/Oslo',
      integer_datetimes: 'on',
      standard_conforming_strings: 'on',
      is_superuser: 'on',
      session_authorization: 'ann',
      application_name: 'a test',
      in_hot_standby: 'off',
      default_transaction_read_only: 'off',
    });
    expect(messages.find(({ type }) => type === 'K')!.body.length).toBe(8);
    expect(status(messages)).toBe('I');
    client.quit();
  });

  // contract: auth.wire.1
  test('a session that is connected to a time ago stays at that moment', async () => {
    const now = new Client({ host: '127.0.0.1', port: served.port, user: 'ann', database: 'main' });
    await now.connect();
    await now.query('CREATE TABLE n (id int PRIMARY KEY); INSERT INTO n VALUES (1)');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await now.query('INSERT INTO n VALUES (2)');
    const then = new Client({ host: '127.0.0.1', port: served.port, user: 'ann', database: 'main@-150ms' });
    await then.connect();
    const seen = async (): Promise<unknown> => (await then.query('SELECT count(*)::int AS c, current_database() AS d FROM n')).rows[0];
    expect(await seen()).toEqual({ c: 1, d: 'main@-150ms' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await seen()).toEqual({ c: 1, d: 'main@-150ms' });
    await now.end();
    await then.end();
  });

  // contract: auth.wire.13
  test('requests for encryption are answered N where there is none', async () => {
    const client = await WireClient.open(served.port);
    expect(await client.answer(GSS)).toBe('N');
    expect(await client.answer(SSL)).toBe('N');
    client.socket.write(startup({ user: 'ann', database: 'main' }));
    expect(status(await client.until('Z'))).toBe('I');
    client.quit();
  });

  test('protocol 3.2 has a long key; later versions and unknown options are negotiated', async () => {
    const newer = await WireClient.open(served.port);
    newer.socket.write(startup({ user: 'ann', database: 'main' }, 0x30002));
    const greeting = await newer.until('Z');
    expect(types(greeting)).toMatch(/^RS+KZ$/);
    expect(greeting.find(({ type }) => type === 'K')!.body.length).toBe(36);
    newer.quit();
    const newest = await WireClient.open(served.port);
    newest.socket.write(startup({ user: 'ann', database: 'main', '_pq_.wings': 'on' }, 0x30009));
    const negotiated = await newest.until('Z');
    expect(types(negotiated)).toMatch(/^vRS+KZ$/);
    expect(negotiated[0].body.readInt32BE(0)).toBe(0x30002);
    expect(negotiated[0].body.readInt32BE(4)).toBe(1);
    expect(negotiated[0].body.toString('utf8', 8)).toBe('_pq_.wings\0');
    newest.quit();
  });

  // contract: auth.wire.1, world.7, error.3D000, fixed.4
  test.each([
    ['an unknown world', startup({ user: 'ann', database: 'nowhere' }), '3D000'],
    ["a transaction's world", startup({ user: 'ann', database: '_tx_1' }), '3D000'],
    ['no user', startup({ database: 'main' }), '28000'],
    ['protocol 2', startup({ user: 'ann' }, 0x20000), '0A000'],
    ['an unknown setting', startup({ user: 'ann', database: 'main', wings: '2' }), '42704'],
    ['a bad value of a setting', startup({ user: 'ann', database: 'main', options: '-c datestyle=never' }), '22023'],
    ['replication', startup({ user: 'ann', database: 'main', replication: 'database' }), '0A000'],
    ['a packet of 10 kB', Buffer.concat([int32(10_001), Buffer.alloc(10)]), '08P01'],
    ['a packet without end', Buffer.concat([int32(12), int32(0x30000), Buffer.from('abc\0')]), '08P01'],
    ['bytes behind a request for encryption', Buffer.concat([SSL, startup({ user: 'ann', database: 'main' })]), '08P01'],
  ])('%s is refused', async (_what, bytes, code) => {
    expect(await refused(bytes)).toMatchObject({ S: 'FATAL', C: code });
  });

  test('settings of options hold, and RESET goes back to them', async () => {
    const client = await WireClient.login(served.port, { options: '-c search_path=a,b --intervalstyle=iso_8601 -cdatestyle=German' });
    const shown = async (name: string): Promise<string> => (await client.query(`SHOW ${name}`)).find(({ type }) => type === 'D')!.body.toString('utf8', 6);
    expect(await shown('search_path')).toBe('a,b');
    expect(await shown('intervalstyle')).toBe('iso_8601');
    await client.query("SET intervalstyle = 'postgres'");
    const reset = await client.query('RESET ALL');
    expect(types(reset)).toBe('CSZ');
    expect(await shown('intervalstyle')).toBe('iso_8601');
    client.quit();
  });

  // contract: limit.SVC_LOGIN_TIMEOUT
  test('who does not log in in time is dropped', async () => {
    const client = await WireClient.open(served.port);
    const begun = Date.now();
    expect(await client.end()).toEqual([]);
    expect(Date.now() - begun).toBeGreaterThan(300);
  });

  test('a past moment can only be read', async () => {
    const client = await WireClient.login(served.port);
    await client.query('CREATE TABLE past (a int)');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const past = await WireClient.login(served.port, { database: 'main@-1ms' });
    expect(errorOf(await past.query('INSERT INTO past VALUES (1)'))).toMatchObject({ C: '25006', S: 'ERROR' });
    expect(types(await past.query('SELECT * FROM past'))).toBe('TCZ');
    client.quit();
    past.quit();
  });
});

// contract: fixed.5, error.53300
test('connections past the limit are refused 53300, and let in again when there is room', async () => {
  const small = await serve({ connectionsMax: 2 });
  const clients = [await WireClient.login(small.port), await WireClient.login(small.port)];
  const third = await WireClient.open(small.port);
  third.socket.write(startup({ user: 'ann', database: 'main' }));
  expect(errorOf(await third.end())).toMatchObject({ S: 'FATAL', C: '53300' });
  clients[0].quit();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const fourth = await WireClient.login(small.port);
  fourth.quit();
  clients[1].quit();
  await small.close();
});

// contract: auth.wire.13, error.28000
test('with TLS clients that do not start it are refused; those that do are served', async () => {
  const file = (name: string): string => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');
  const secure = await serve({ tls: { cert: file('cert.pem'), key: file('key.pem') } });
  const plain = await WireClient.open(secure.port);
  plain.socket.write(startup({ user: 'ann', database: 'main' }));
  expect(errorOf(await plain.end())).toMatchObject({ S: 'FATAL', C: '28000' });
  for (const direct of [false, true]) {
    const client = await WireClient.open(secure.port);
    if (!direct) expect(await client.answer(SSL)).toBe('S');
    client.socket.removeAllListeners('data');
    const socket: TLSSocket = connectTls({ socket: client.socket, ca: file('cert.pem'), servername: 'localhost', ALPNProtocols: ['postgresql'] });
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    const encrypted = new WireClient(socket);
    encrypted.socket.write(startup({ user: 'ann', database: 'main' }));
    expect(types(await encrypted.until('Z'))).toMatch(/^RS+KZ$/);
    expect(types(await encrypted.query('SELECT 1'))).toBe('TDCZ');
    encrypted.quit();
  }
  await secure.close();
});

test('fields of an error name where it came from', async () => {
  const client = await WireClient.login(served.port);
  const messages = await client.query('SELECT 1;\nSELECT nothing');
  expect(fields(messages.find(({ type }) => type === 'E')!)).toEqual({
    S: 'ERROR',
    V: 'ERROR',
    C: '42703',
    M: 'column "nothing" does not exist',
    P: '18',
    F: expect.stringMatching(/^[a-z-]+\.[jt]s$/),
    L: expect.stringMatching(/^\d+$/),
    R: expect.stringMatching(/^\w+$/),
  });
  client.quit();
});
