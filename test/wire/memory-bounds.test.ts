/**
 * No statement, and not many at once, take the server's heap: rows stream within a bound, and what a statement has to hold ends with 53200, which
 * names the limit. The server has a small heap of its own; another client's `SELECT 1` is answered meanwhile.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FloodedServer, Prober } from '../soak/floods.ts';
import { firstTouchMs } from '../first-touch.ts';
import { errorOf, frame, type Message, WireClient } from './wire-client.ts';

const MAIN = process.env['FLOOD_MAIN'] ?? join(import.meta.dirname, '../../dist/bin/svc.js');
const HEAP_MB = 768;
/** A value of 30 MB, its bytes, and what is collected meanwhile. */
const TOUCHED_MB = 170;
/** Up to that the bound is the same on every machine. */
const USUAL_TOUCH_MS = 0.5;
const ANSWER_MS = 250 + TOUCHED_MB * Math.max(0, firstTouchMs() - USUAL_TOUCH_MS);
/** The heap, and as much of buffers. */
const RESIDENT_BYTES = 2 * HEAP_MB * 1024 * 1024;
const ROW = 'repeat(md5(g::text), 3000)';

/** Each would hold gigabytes. */
const HOLDS: readonly (readonly [name: string, sql: string])[] = [
  ['array_agg', `SELECT length(array_agg(${ROW})::text) FROM generate_series(1, 1e6) g`],
  ['string_agg', `SELECT length(string_agg(${ROW}, ',')) FROM generate_series(1, 1e6) g`],
  ['json_agg', `SELECT length(json_agg(${ROW})::text) FROM generate_series(1, 1e6) g`],
  ['jsonb_object_agg', `SELECT length(jsonb_object_agg(g, ${ROW})::text) FROM generate_series(1, 1e6) g`],
  ['array_agg of arrays', `SELECT length(array_agg(ARRAY[${ROW}, ${ROW}])::text) FROM generate_series(1, 1e6) g`],
  ['array_agg of rows', `SELECT length(array_agg(ROW(g, ${ROW}))::text) FROM generate_series(1, 1e6) g`],
  ['ARRAY of a query', `SELECT length(ARRAY(SELECT ${ROW} FROM generate_series(1, 1e6) g)::text)`],
  ['an ordered aggregate', `SELECT length(string_agg(t, ',' ORDER BY t)) FROM (SELECT ${ROW} t FROM generate_series(1, 1e6) g) q`],
  ['a set of keys', `SELECT count(DISTINCT ${ROW}) FROM generate_series(1, 1e6) g`],
  ['an array that a function fills', `DO $$ DECLARE a text[] := '{}'; BEGIN FOR g IN 1..1000000 LOOP a := array_append(a, ${ROW}); END LOOP; END $$`],
  [
    'a text that a function fills',
    `DO $$ DECLARE a text := ''; b text := ''; BEGIN FOR g IN 1..1000000 LOOP a := a || ${ROW}; b := b || ${ROW}; END LOOP; END $$`,
  ],
  ['rows that a function gives', `SELECT count(*) FROM held_rows() t WHERE t IS NULL`],
  ['rows of RETURNING', `INSERT INTO held (t) SELECT ${ROW} FROM generate_series(1, 1e6) g RETURNING t`],
  ['a cursor that is held', `BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT ${ROW} FROM generate_series(1, 1e6) g; COMMIT`],
  ['a cursor that goes back', `BEGIN; DECLARE c SCROLL CURSOR FOR SELECT ${ROW} FROM generate_series(1, 1e6) g; MOVE ALL FROM c; COMMIT`],
  ['FETCH ALL', `BEGIN; DECLARE c CURSOR FOR SELECT ${ROW} FROM generate_series(1, 1e6) g; FETCH ALL FROM c; COMMIT`],
];

/** Each streams or spills, however much it is in all. */
const STREAMS: readonly (readonly [name: string, sql: string])[] = [
  ['large rows', `SELECT repeat('x', 30000000) FROM generate_series(1, 40)`],
  ['large rows by COPY', `COPY (SELECT repeat('x', 30000000) FROM generate_series(1, 40)) TO STDOUT`],
  ['a WITH that is kept', `WITH q AS MATERIALIZED (SELECT ${ROW} t FROM generate_series(1, 10000) g) SELECT count(*) FROM q a, (SELECT 1) b`],
  ['a sort', `SELECT count(*) FROM (SELECT ${ROW} t FROM generate_series(1, 8000) g ORDER BY 1 OFFSET 1) q`],
  ['a recursion', `WITH RECURSIVE q (g, t) AS (SELECT 1, 'a' UNION ALL SELECT g + 1, repeat('b', 100000) FROM q WHERE g < 20000) SELECT count(*) FROM q`],
];

let server: FloodedServer;
beforeAll(start, 60_000);
afterAll(() => server.stop());
// What a test that failed has left is not the next one's fault.
beforeEach(async ({ task }) => {
  if (failed || !server.alive) {
    await server.stop();
    await start();
  }
  failed = true;
  task.context.onTestFinished(({ task: { result } }) => {
    failed = result?.state !== 'pass';
  });
}, 60_000);
let failed = false;

async function start(): Promise<void> {
  server = await FloodedServer.start(MAIN, {}, [`--max-old-space-size=${HEAP_MB}`]);
  const client = await WireClient.login(server.port);
  await client.query('CREATE TABLE held (id bigserial PRIMARY KEY, t text)');
  await client.query(
    `CREATE FUNCTION held_rows() RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN FOR g IN 1..1000000 LOOP RETURN NEXT ${ROW}; END LOOP; END $$`,
  );
  client.quit();
}

/** Runs it beside a prober; the client keeps none of the rows. */
async function run(sql: string, clients = 1): Promise<Message[][]> {
  const prober = await Prober.start(server);
  const replies = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = await WireClient.login(server.port);
      client.patience = 60_000;
      client.forgets = new Set(['D', 'd']);
      const reply = await client.query(sql);
      client.quit();
      return reply;
    }),
  );
  const { longestMs, mostBytes } = await prober.stop();
  if (process.env['FLOOD_SAY'] !== undefined) {
    const codes = replies.map((each) => (each.some(({ type }) => type === 'E') ? errorOf(each)['C'] : each.map(({ type }) => type).join('')));
    console.log(`${expect.getState().currentTestName}: ${Math.round(longestMs)} ms, ${Math.round(mostBytes / 1e6)} MB, ${codes.join()}`);
  }
  expect(server.alive).toBe(true);
  expect(longestMs).toBeLessThan(ANSWER_MS);
  expect(mostBytes).toBeLessThan(RESIDENT_BYTES);
  return replies;
}

describe('what a statement holds is bounded', () => {
  test.each(HOLDS)('%s', async (_, sql) => {
    const [reply] = await run(sql);
    const { C, D } = errorOf(reply);
    expect(['53200', '54000']).toContain(C);
    if (C === '53200') expect(D).toMatch(/MB/);
  });
});

describe('what need not be held is not', () => {
  test.each(STREAMS)('%s', async (_, sql) => {
    const [reply] = await run(sql);
    expect(reply.some(({ type }) => type === 'E') ? errorOf(reply) : null).toBeNull();
  });
});

test('a row beyond the largest message is refused before it is made', async () => {
  const [reply] = await run(`SELECT ${Array.from({ length: 11 }, () => "repeat('x', 100000000 - g)").join()} FROM generate_series(1, 2) g`);
  expect(errorOf(reply)).toMatchObject({ C: '54000' });
});

/** Each would change gigabytes before it commits. */
const CHANGES: readonly (readonly [name: string, run: (client: WireClient) => Promise<Message[]>])[] = [
  [
    'COPY without end',
    async (client) => {
      client.send(frame('Q', 'COPY held (t) FROM STDIN'));
      await client.until('G');
      const rows = frame('d', Buffer.from(`${'x'.repeat(1000)}\n`.repeat(1000)));
      // Enough that what the server has read exceeds its limit.
      for (let i = 0; i < 1500 && !client.messages.some(({ type }) => type === 'E'); i++)
        if (!client.socket.write(rows)) await new Promise((resolve) => client.socket.once('drain', resolve));
      client.send(frame('c'));
      return client.until('Z');
    },
  ],
  ['INSERT after INSERT', (client) => again(client, `INSERT INTO held (t) SELECT md5(g::text) || repeat('x', 100000) FROM generate_series(1, 100) g`)],
  ['large objects', (client) => again(client, `SELECT lo_from_bytea(0, convert_to(repeat('x', 10000000), 'UTF8'))`)],
];

async function again(client: WireClient, sql: string): Promise<Message[]> {
  await client.query('BEGIN');
  for (let i = 0; ; i++) {
    const reply = await client.query(sql);
    if (i >= 500 || reply.some(({ type }) => type === 'E')) return reply;
  }
}

describe('what a transaction holds of its changes is bounded, and given back', () => {
  // A smaller heap is taken sooner.
  const heapMb = 320;
  let small: FloodedServer;
  beforeAll(async () => {
    small = await FloodedServer.start(MAIN, {}, [`--max-old-space-size=${heapMb}`]);
    const client = await WireClient.login(small.port);
    await client.query('CREATE TABLE held (id bigserial PRIMARY KEY, t text)');
    client.quit();
  });
  afterAll(() => small.stop());

  test.each(CHANGES)('%s', { timeout: 60_000 }, async (_, change) => {
    const prober = await Prober.start(small);
    const client = await WireClient.login(small.port);
    client.patience = 60_000;
    expect(errorOf(await change(client))).toMatchObject({ C: '53200', D: expect.stringMatching(/transaction has changes of \d+ MB|may hold \d+ MB/) });
    const { mostBytes } = await prober.stop();
    expect(small.alive).toBe(true);
    expect(mostBytes).toBeLessThan(2 * heapMb * 1024 * 1024);
    await client.query('ROLLBACK');
    const reply = await client.query(`INSERT INTO held (t) SELECT repeat('y', 1000) FROM generate_series(1, 5000) g`);
    expect(reply.some(({ type }) => type === 'E') ? errorOf(reply) : null).toBeNull();
    client.quit();
  });
});

test('many statements at once leave the server its heap', async () => {
  const replies = await run(`SELECT length(array_agg(${ROW})::text) FROM generate_series(1, 1e6) g`, 8);
  for (const reply of replies) expect(errorOf(reply)).toMatchObject({ C: '53200' });
  const client = await WireClient.login(server.port);
  // What they held is given back.
  const [row] = (await client.query(`SELECT length(string_agg(${ROW}, ',')) FROM generate_series(1, 500) g`)).filter(({ type }) => type === 'D');
  expect(row.body.toString()).toContain('48000499');
  client.quit();
});
