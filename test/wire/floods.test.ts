/**
 * Whatever one client sends, and however it reads: another one's `SELECT 1` is answered within a quarter of a second, and the server's memory
 * stays within a bound. The server is what was built; clients and it are processes of their own.
 */
import { join } from 'node:path';
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
