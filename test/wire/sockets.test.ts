/** Sockets that share one buffer, and plain streams: each client gets the same. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptFrom, type Accepted } from '../../src/wire/shared-input.ts';
import { gather, countMessage, sendGathered } from '../../src/wire/outbox.ts';
import { writeNow } from '../../src/wire/write-now.ts';
import { type Served, serve } from './open-server.ts';
import { bind, describe as describeMessage, execute, frame, parse, rows, SYNC, types, WireClient } from './wire-client.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each([
  ['one buffer of all', false],
  ['plain streams', true],
])('read into %s', (_, streams) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ streams });
  });
  afterAll(() => served.close());

  test('messages of many clients, in pieces that come by turns, are each answered to its own', async () => {
    const clients = await Promise.all(Array.from({ length: 12 }, () => WireClient.login(served.port)));
    const asked = clients.map((_client, c) => {
      const value = `client ${c} `.repeat(40);
      return Buffer.concat([parse('', 'SELECT $1::text, length($1)'), bind('', '', [value]), execute(''), SYNC, frame('Q', `SELECT ${c}, '${value}'`)]);
    });
    for (let at = 0; at < asked[0].length + 100; at += 37 + (at % 11)) {
      for (const [c, client] of clients.entries()) client.socket.write(asked[c].subarray(at, at + 37 + (at % 11)));
      await turn();
    }
    for (const [c, client] of clients.entries()) {
      const value = `client ${c} `.repeat(40);
      expect(rows(await client.until('Z'))).toEqual([[value, String(value.length)]]);
      expect(rows(await client.until('Z'))).toEqual([[String(c), value]]);
      client.quit();
    }
  });

  test('a crowd that sends at once, again and again, is answered each time', async () => {
    const clients = await Promise.all(Array.from({ length: 40 }, () => WireClient.login(served.port)));
    for (const client of clients) await client.run(parse('p', 'SELECT $1::int'), SYNC);
    for (let round = 0; round < 30; round++) {
      const ask = (c: number): Promise<unknown> => clients[c].run(bind('', 'p', [String(round * 100 + c)]), execute(''), SYNC).then(rows);
      expect(await Promise.all(clients.map((_client, c) => ask(c)))).toEqual(clients.map((_client, c) => [[String(round * 100 + c)]]));
    }
    for (const client of clients) client.quit();
  });

  test('a crowd that asks for descriptions, more than is kept at once', async () => {
    const clients = await Promise.all(Array.from({ length: 12 }, () => WireClient.login(served.port)));
    for (const client of clients) await client.run(parse('p', 'SELECT $1::int AS something_with_a_name'), SYNC);
    for (let round = 0; round < 5; round++) {
      for (const client of clients) client.send(...Array.from({ length: 2000 }, () => describeMessage('S', 'p')), SYNC);
      for (const client of clients) expect(types(await client.until('Z'))).toBe(`${'tT'.repeat(2000)}Z`);
    }
    for (const client of clients) client.quit();
  });

  test('short replies to a client that does not read come whole and in order once it does', async () => {
    const client = await WireClient.login(served.port);
    await client.run(parse('p', "SELECT $1::int, repeat('x', 9000)"), SYNC);
    client.socket.pause();
    const count = 1500;
    for (let i = 0; i < count; i++) {
      client.send(bind('', 'p', [String(i)]), execute(''), SYNC);
      if (i % 10 === 0) await turn();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    client.socket.resume();
    for (let i = 0; i < count; i++) {
      const [[number, filler]] = rows(await client.until('Z'));
      if (number !== String(i) || filler!.length !== 9000) expect([i, number, filler!.length]).toEqual([i, String(i), 9000]);
    }
    client.quit();
  });

  test('a COPY in pieces is what was sent, while others send as well', async () => {
    const client = await WireClient.login(served.port);
    const other = await WireClient.login(served.port);
    await client.query('CREATE TABLE copied (id int PRIMARY KEY, v text)');
    client.send(frame('Q', 'COPY copied FROM STDIN'));
    await client.until('G');
    const count = 20_000;
    const lines = Array.from({ length: count }, (_line, i) => `${i}\t${'abc'.repeat(i % 9)}\n`);
    for (let i = 0; i < count; i += 977) {
      client.send(frame('d', Buffer.from(lines.slice(i, i + 977).join(''))));
      expect(rows(await other.query(`SELECT ${i}`))).toEqual([[String(i)]]);
    }
    client.send(frame('c'));
    expect(types(await client.until('Z'))).toBe('CZ');
    const sums = await client.query('SELECT count(*), sum(id), sum(length(v)) FROM copied');
    expect(rows(sums)).toEqual([[String(count), String((count * (count - 1)) / 2), String(lines.reduce((sum, _line, i) => sum + (i % 9) * 3, 0))]]);
    await client.query('DROP TABLE copied');
    client.quit();
    other.quit();
  });
});

/** Both ends of a connection. */
async function connection(streams: boolean): Promise<{ server: Accepted; client: Socket; close(): Promise<void> }> {
  const listening = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<Accepted>((resolve) => acceptFrom(listening, resolve, streams));
  const client = connect((listening.address() as AddressInfo).port, '127.0.0.1');
  const server = await accepted;
  const close = async (): Promise<void> => {
    client.destroy();
    server.socket.destroy();
    await new Promise<void>((resolve) => listening.close(() => resolve()));
  };
  return { server, client, close };
}

test('this Node lets accepted sockets read into one buffer', async () => {
  const { server, client, close } = await connection(false);
  const { socket, input } = server;
  expect(input).not.toBe(null);
  const taken: string[] = [];
  input!.take = (bytes, count) => void taken.push(bytes.toString('latin1', 0, count));
  socket.on('data', () => taken.push('as a stream'));
  client.write('one');
  await expect.poll(() => taken).toEqual(['one']);
  // Reading can be paused and resumed, and the end is reported.
  socket.pause();
  client.write('two');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(taken).toEqual(['one']);
  socket.resume();
  await expect.poll(() => taken).toEqual(['one', 'two']);
  const ended = once(socket, 'end');
  client.end();
  await ended;
  await close();
});

test('as streams where that is wanted', async () => {
  const { server, close } = await connection(true);
  expect(server.input).toBe(null);
  await close();
});

describe('bytes written in place', () => {
  test('are sent after the stream’s pending data, and not on a closed socket', async () => {
    const { server, client, close } = await connection(false);
    const { socket } = server;
    const bytes = Buffer.from('in place');
    expect(writeNow(socket, bytes, 8)).toBe(8);
    socket.cork();
    socket.write('by the stream');
    expect(writeNow(socket, bytes, 8)).toBe(0);
    socket.uncork();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(writeNow(socket, bytes, 2)).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(String(client.read())).toBe('in placeby the streamin');
    socket.destroy();
    expect(writeNow(socket, bytes, 8)).toBe(0);
    await close();
  });

  test('are written in part where the client does not read', async () => {
    const { server, client, close } = await connection(false);
    const bytes = Buffer.alloc(100_000, 'x');
    let written = 0;
    for (let i = 0; i < 1000; i++) {
      const count = writeNow(server.socket, bytes, bytes.length);
      written += count;
      if (count < bytes.length) break;
    }
    expect(written).toBeLessThan(100_000_000);
    let read = 0;
    client.on('data', (chunk: Buffer) => (read += chunk.length));
    await expect.poll(() => read, { timeout: 5000 }).toBe(written);
    await close();
  });
});

test('replies are gathered while many send, and leave at the end of the turn', () => {
  const sent: number[] = [];
  const sender = (n: number): { sendGathered(): void } => ({ sendGathered: () => void sent.push(n) });
  sendGathered();
  countMessage();
  sendGathered();
  expect(gather(sender(0))).toBe(false);
  for (let i = 0; i < 8; i++) countMessage();
  sendGathered();
  for (let i = 1; i < 4; i++) expect(gather(sender(i))).toBe(true);
  expect(sent).toEqual([]);
  sendGathered();
  expect(sent).toEqual([1, 2, 3]);
  // Not for ever: a turn may be long.
  for (let i = 0; i < 100; i++) if (!gather(sender(i))) sent.push(i);
  expect(sent.length).toBeGreaterThan(60);
  countMessage();
  sendGathered();
  expect(sent.length).toBe(103);
});
