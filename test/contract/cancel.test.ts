/** Cancel requests: only the key of a session stops its statement. */
import { afterAll, beforeAll, expect, test } from 'vitest';
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
