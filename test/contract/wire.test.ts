/** The wire protocol: what a login proves and by which exchange, and that the key of a session alone stops its statement. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { md5Password } from '../../src/identity/md5-password.ts';
import { type Served, serve } from '../wire/open-server.ts';
import { errorOf, frame, int32, startup, types, WireClient } from '../wire/wire-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

// contract: auth.wire.16
test('sessions have different keys, and a cancel request with a wrong one stops nothing', async () => {
  const secrets = new Set<string>();
  let last: { client: WireClient; key: Buffer } | undefined;
  for (let n = 0; n < 20; n++) {
    last?.client.quit();
    const client = await WireClient.open(served.port);
    client.socket.write(startup({ user: 'owner', database: 'main' }));
    const key = (await client.until('Z')).find(({ type }) => type === 'K')!.body;
    secrets.add(key.subarray(4).toString('hex'));
    last = { client, key };
  }
  expect(secrets.size).toBe(20);
  const { client, key } = last!;
  const cancel = async (bytes: Buffer): Promise<void> => {
    const other = await WireClient.open(served.port);
    other.socket.write(Buffer.concat([int32(8 + bytes.length), int32(80877102), bytes]));
    expect(await other.end()).toEqual([]);
  };
  const wrong = Buffer.from(key);
  wrong[7] ^= 1;
  client.send(frame('Q', 'SELECT pg_sleep(0.5)'));
  await cancel(wrong);
  expect(types(await client.until('Z'))).toBe('TDCZ');
  client.send(frame('Q', 'SELECT pg_sleep(60)'));
  await cancel(key);
  expect(errorOf(await client.until('Z'))['C']).toBe('57014');
  client.quit();
});

/** Who the session is by its own words, or the code of the refusal. */
async function login(port: number, user: string, password: string, more: pg.ClientConfig = {}): Promise<string> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'main', ...more });
  try {
    await client.connect();
    return (await client.query<{ who: string }>('SELECT current_user AS who')).rows[0].who;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The number of the authentication that the server wants, and the names of mechanisms. */
async function wanted(port: number, user: string): Promise<[number, string]> {
  const client = await WireClient.open(port);
  client.socket.write(startup({ user, database: 'main' }));
  const { body } = (await client.until('R')).at(-1)!;
  client.socket.destroy();
  return [body.readInt32BE(0), body.toString('latin1', 4)];
}

// contract: auth.wire.9, auth.wire.5, auth.wire.6
test('roles prove passwords by SCRAM-SHA-256, those kept as an md5 hash by MD5', async () => {
  await served.database.sql({
    sql: `CREATE ROLE ann LOGIN PASSWORD 'paper'; CREATE ROLE hashed LOGIN PASSWORD '${md5Password('paper', 'hashed')}'`,
  });
  expect(await wanted(served.port, 'ann')).toEqual([10, 'SCRAM-SHA-256\0\0']);
  expect((await wanted(served.port, 'hashed'))[0]).toBe(5);
  for (const user of ['ann', 'hashed']) {
    expect(await login(served.port, user, 'paper')).toBe(user);
    expect(await login(served.port, user, 'rock')).toBe('28P01');
  }
});

// contract: auth.wire.9
test('over TLS a login is bound to the certificate', async () => {
  const file = (name: string): string => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name), 'utf8');
  const secure = await serve({ tls: { cert: file('cert.pem'), key: file('key.pem') } });
  try {
    await secure.database.sql({ sql: "CREATE ROLE ann LOGIN PASSWORD 'paper'" });
    const bound = { ssl: { rejectUnauthorized: false }, enableChannelBinding: true };
    expect(await login(secure.port, 'ann', 'paper', bound)).toBe('ann');
    expect(await login(secure.port, 'ann', 'rock', bound)).toBe('28P01');
    expect(await login(secure.port, 'ann', 'paper')).toBe('28000');
  } finally {
    await secure.close();
  }
});
