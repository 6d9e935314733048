/**
 * Whatever one client sends, and however it reads: another one's `SELECT 1` is answered within a quarter of a second, and the
 * server's memory stays within a bound. The server is the build; clients and server are separate processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Flooded, FloodedServer, FLOODS, piecesOf, Prober, randomPieces, type Reader, READERS, sendFlood } from '../soak/floods.ts';
import { WireClient } from './wire-client.ts';

const MAIN = process.env['FLOOD_MAIN'] ?? join(import.meta.dirname, '../../dist/bin/svc.js');
const ANSWER_MS = 250;
/** What a server may take beside what it needs for itself: caches, garbage, and the rows that the floods insert. */
const MORE_BYTES = 512 * 1024 * 1024;
const [SEED, COUNT] = (process.env['FLOODS'] ?? '1,12').split(',').map(Number);
const NOT_READ_MS = 1000;
const ALL_MS = 60_000;

let server: FloodedServer;
let quietBytes = 0;

beforeAll(async () => {
  server = await FloodedServer.start(MAIN);
  const client = await WireClient.login(server.port);
  await client.query('CREATE TABLE flooded (id bigserial PRIMARY KEY, v text)');
  for (let i = 0; i < 500; i++) await client.query('SELECT 1');
  client.quit();
  quietBytes = server.residentBytes;
});
afterAll(() => server.stop());

async function beside<T>(work: () => Promise<T>): Promise<T> {
  const prober = await Prober.start(server);
  const done = await work();
  // It answers, too, when the hostile client has gone.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { longestMs, mostBytes, answers } = await prober.stop();
  if (process.env['FLOOD_SAY'] !== undefined)
    console.log(`${expect.getState().currentTestName}: ${Math.round(longestMs)} ms, ${answers} answers, ${Math.round((mostBytes - quietBytes) / 1e6)} MB`);
  expect(server.alive).toBe(true);
  expect(answers).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(ANSWER_MS);
  expect(mostBytes).toBeLessThan(quietBytes + MORE_BYTES);
  return done;
}

test.each(FLOODS.map((flood) => [flood.name, flood] as const))('%s: all are answered, and others meanwhile', async (_, flood) => {
  const { replies } = await beside(() => sendFlood(server.port, piecesOf(flood), 'all', { replies: flood.replies, forMs: ALL_MS }));
  expect(replies).toBe(flood.replies);
});

test.each(FLOODS.map((flood) => [flood.name, flood] as const))(
  '%s: others are answered beside clients that read nothing, read slowly, and leave',
  async (_, flood) => {
    const readers: readonly Reader[] = READERS.filter((each) => each !== 'all');
    await beside(() =>
      Promise.all(readers.map((reader): Promise<Flooded> => sendFlood(server.port, piecesOf(flood), reader, { replies: 0, forMs: NOT_READ_MS }))),
    );
  },
);

test.each(Array.from({ length: COUNT }, (_, i) => SEED + i))('messages in any order: seed %i', async (seed) => {
  const reader = READERS[seed % READERS.length];
  await beside(() => sendFlood(server.port, randomPieces(seed), reader, { replies: Infinity, forMs: NOT_READ_MS }));
});

test('many clients that pipeline take turns', async () => {
  const [, simple] = FLOODS;
  const counts = await beside(() =>
    Promise.all(Array.from({ length: 40 }, () => sendFlood(server.port, piecesOf(simple), 'all', { replies: simple.replies, forMs: 4000 }))),
  );
  const replies = counts.map((each) => each.replies).toSorted((a, b) => a - b);
  // None waits for the end of another.
  expect(replies[0]).toBeGreaterThan(replies[replies.length - 1] / 10);
});

/** Connections that send `first` and then `more` a byte each tenth of a second, for `forMs`; each that the server ends is begun again. */
async function dripping(port: number, count: number, first: Buffer, more: Buffer, forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let begun = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      begun++;
      socket.write(first);
      for (let at = 0; performance.now() < until && !socket.closed; at++) {
        if (at < more.length) socket.write(more.subarray(at, at + 1));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: count }, one));
  return begun;
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** The head of a record that says that 512 bytes of a client's hello come. */
const HELLO = Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]);
const BODY_HEAD = 'POST /v1/sql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"sql": "';
const DRIPS: readonly (readonly [string, 'http' | 'port', Buffer, Buffer])[] = [
  ['bodies that come a byte at a time', 'http', Buffer.from(BODY_HEAD), Buffer.alloc(100, 'x')],
  ['bodies that stop', 'http', Buffer.from(BODY_HEAD + 'x'.repeat(50_000)), Buffer.alloc(0)],
  ['headers that come a byte at a time', 'http', Buffer.from('GET /v1/health HTTP/1.1\r\nHost: '), Buffer.alloc(100, 'x')],
  ['startups that stop', 'port', Buffer.from([0, 0, 16, 0, 0, 3, 0, 0]), Buffer.alloc(0)],
  ['messages that come a byte at a time before a login', 'port', Buffer.from([0, 0, 0, 200, 0, 3, 0, 0]), Buffer.alloc(100, 'x')],
];

test.each(DRIPS)('%s, on 500 connections: others are answered', { timeout: 30_000 }, async (_, entrance, first, more) => {
  expect(await beside(() => dripping(server[entrance], 500, first, more, 5000))).toBeGreaterThanOrEqual(500);
});

test('10,000 cancel requests for nothing: other clients are answered', { timeout: 30_000 }, async () => {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80877102, 4);
  let sent = 0;
  const one = async (): Promise<void> => {
    for (; sent < 10_000; sent++) {
      request.writeInt32BE(sent, 8);
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(Buffer.from(request));
      await once(socket, 'close');
    }
  };
  await beside(() => Promise.all(Array.from({ length: 50 }, one)));
  expect(sent).toBeGreaterThanOrEqual(10_000);
});

const PEM = ['cert.pem', 'key.pem'].map((name) => join(import.meta.dirname, '../../fixtures/tls', name));
/** Node's server of TLS and nothing else; it prints its port. */
const BARE_TLS_SERVER = `
  const { createServer } = require('node:tls');
  const { readFileSync } = require('node:fs');
  const [cert, key] = process.argv.slice(1).map((file) => readFileSync(file));
  const server = createServer({ cert, key }, (socket) => socket.on('error', () => undefined).resume());
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** The longest time in which a handshake with `port` ended, in milliseconds, beside `stalled` handshakes of others. */
async function longestHandshake(port: number, stalled: () => Promise<unknown>): Promise<number> {
  const handshake = async (): Promise<number> => {
    const began = performance.now();
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.destroy();
    return performance.now() - began;
  };
  await handshake();
  let over = false;
  const ended = stalled().then(() => (over = true));
  let longest = 0;
  while (!over) longest = Math.max(longest, await handshake());
  await ended;
  return longest;
}

test('handshakes of TLS that stop, on both ports of a server that asks for it: others are answered', { timeout: 60_000 }, async () => {
  const bare = spawn(process.execPath, ['-e', BARE_TLS_SERVER, ...PEM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const own = await FloodedServer.start(MAIN, {}, [], undefined, ['--tls-cert', PEM[0], '--tls-key', PEM[1]]);
  try {
    const barePort = Number(String((await once(bare.stdout, 'data'))[0]));
    // To accept 500 connections of TLS at once takes any server of Node a time that depends on the machine: it is added to the bound.
    const accepting = await longestHandshake(barePort, () => dripping(barePort, 500, HELLO, Buffer.alloc(100), 1000));
    const longest = await longestHandshake(own.http, () =>
      Promise.all([
        dripping(own.http, 250, HELLO, Buffer.alloc(100), 5000),
        dripping(own.port, 250, Buffer.concat([SSL_REQUEST, HELLO]), Buffer.alloc(100), 5000),
      ]),
    );
    expect(own.alive).toBe(true);
    expect(longest).toBeLessThan(ANSWER_MS + accepting);
  } finally {
    bare.kill();
    await own.stop();
  }
});
