/**
 * No function, list or clause of one statement keeps other clients waiting: beside each, another client's `SELECT 1` is answered within
 * 250 ms, and statement_timeout ends it. Times are as on a machine of one's own: what other processes took of the processor is left out.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../../wire/open-server.ts';
import { errorOf, int32, rows, WireClient } from '../../wire/wire-client.ts';

const ANSWERED_WITHIN_MS = 250;
const TIMEOUT_MS = 1000;
const TRIES = 3;

const list = (count: number, item: (i: number) => string | number): string => Array.from({ length: count }, (_, i) => item(i)).join(',');

const chain = (count: number, between: string, item: (i: number) => string): string => Array.from({ length: count }, (_, i) => item(i)).join(between);

/** 57014, a limit before it begins, or a result: whatever comes, others are answered. */
const STATEMENTS: readonly (readonly [name: string, sql: () => string])[] = [
  ['crypt of 2^31 rounds', () => `SELECT crypt('a', gen_salt('bf', 31))`],
  ['array_fill of 10^8', () => 'SELECT array_length(array_fill(1, array[100000000]), 1)'],
  ['translate of 3 * 10^7', () => `SELECT length(translate(repeat('abc', 10000000), 'abc', 'xyz'))`],
  [
    'a path that compares all items',
    () => `SELECT count(*) FROM jsonb_path_query((SELECT jsonb_agg(i) FROM generate_series(1, 8000) i), '$[*] ? (@ == $[*])')`,
  ],
  ['xpath of many steps', () => `SELECT xpath('count(//*//*//*)', ('<a>' || repeat('<b><c><d/></c></b>', 10000) || '</a>')::xml)`],
  [
    '5,000 chained queries of WITH',
    () => `WITH ${list(5000, (i) => (i === 0 ? 'c0 AS (SELECT 1 AS x)' : `c${i} AS (SELECT x + 1 AS x FROM c${i - 1})`))} SELECT * FROM c4999`,
  ],
  ['to_tsvector of 300,000 words', () => `SELECT length(to_tsvector('english', (SELECT string_agg('word' || i, ' ') FROM generate_series(1, 300000) i)))`],
  [
    'CUBE of twelve columns',
    () =>
      `SELECT count(*) FROM (SELECT ${list(12, (i) => `a${i}`)}, count(*) FROM (SELECT ${list(12, (i) => `i % 2 AS a${i}`)} FROM generate_series(1, 100) i) t GROUP BY CUBE (${list(12, (i) => `a${i}`)})) q`,
  ],
  ['regexp_split_to_table of 10^7', () => `SELECT count(*) FROM regexp_split_to_table(repeat('a,', 5000000), ',')`],
  ['string_to_array of 2 * 10^7', () => `SELECT array_length(string_to_array(repeat('a,', 10000000), ','), 1)`],
  ['IN of 300,000', () => `SELECT count(*) FROM generate_series(1, 10) g WHERE g IN (${list(300_000, (i) => i)})`],
  ['a table of 1,100 columns', () => `CREATE TABLE made (${list(1100, (i) => `c${i} int`)})`],
  ['400 columns added in one statement', () => `ALTER TABLE wide ${list(400, (i) => `ADD COLUMN d${i} int`)}`],
  [
    'a table of 1,100 columns with checks',
    () => `CREATE TABLE checked (id int PRIMARY KEY, ${list(1100, (i) => `c${i} int NOT NULL DEFAULT ${i} CHECK (c${i} >= 0)`)})`,
  ],
  ['a join of 200 tables', () => `SELECT count(*) FROM ${list(200, (i) => `few t${i}`)} WHERE ${chain(199, ' AND ', (i) => `t${i}.id = t${i + 1}.id`)}`],
  ['500 scalar subqueries', () => `SELECT ${list(500, (i) => `(SELECT max(id) + ${i} FROM few)`)}`],
  ['AND of 20,000 terms', () => `SELECT count(*) FROM few WHERE ${chain(20_000, ' AND ', (i) => `id <> ${i}`)}`],
  ['OR of 20,000 terms', () => `SELECT count(*) FROM few WHERE ${chain(20_000, ' OR ', (i) => `id = ${i}`)}`],
  ['CASE of 20,000 branches', () => `SELECT CASE id ${chain(20_000, ' ', (i) => `WHEN ${i} THEN ${i}`)} END FROM few`],
  ['IN of 300,000 over a key', () => `SELECT count(*) FROM few WHERE id IN (${list(300_000, (i) => i)})`],
  ['an array of two million as a text', () => `SELECT length(a::text) FROM (SELECT array_agg(i) a FROM generate_series(1, 2000000) i) q`],
  ['half a million ranges as a text', () => `SELECT length(range_agg(int4range(g * 2, g * 2 + 1))::text) FROM generate_series(1, 500000) g`],
  ['a row of 1,100 columns', () => `INSERT INTO wide VALUES (${list(1100, (i) => i)})`],
  ['an expression of 100,000 characters', () => `SELECT regexp_match(repeat('ab, ', 25000), repeat('ab, ', 25000)) IS NULL`],
  ['… as an operator', () => `SELECT repeat('ab, ', 25000) ~ repeat('(a|b), ', 10000)`],
  ['… as a part to find', () => `SELECT length(substring(repeat('ab, ', 25000), repeat('a?b, ', 10000)))`],
  ['many keys looked for in a document', () => `SELECT ('[' || repeat('1,', 50000) || '1]')::jsonb ?| string_to_array(repeat('a,', 50000), ',')`],
  ['VALUES of 200,000 rows', () => `SELECT count(*) FROM (VALUES ${list(200_000, (i) => `(${i})`)}) v`],
  ['an array of a million elements as a result', () => `SELECT string_to_array(repeat('a,', 1000000), ',')`],
  ['a bytea of 2 * 10^7 as a result', () => `SELECT convert_to(repeat('x', 20000000), 'UTF8')`],
  ['a text of 10^8 in upper case', () => `SELECT length(upper(repeat('x', 100000000)))`],
  ['a text of more than memory has', () => `SELECT length(translate(repeat('abc', 100000000), 'a', 'b'))`],
  ['an expression that doubles its tries', () => `SELECT (repeat('a', 40) || 'b') ~ '^(a|a)*$'`],
  ['… in a function that replaces', () => `SELECT regexp_replace(repeat('a', 40) || 'b', '^(a|aa)+$', 'x')`],
  ['… for rows of a function', () => `SELECT count(*) FROM regexp_split_to_table(repeat('a', 40) || 'b', '^(a|a)*$')`],
  ['an array in an array', () => `SELECT a @> a FROM (SELECT array_agg(i) a FROM generate_series(1, 500000) i) q`],
  ['an array as JSON', () => `SELECT length(array_to_json(a)::text) FROM (SELECT array_agg(i) a FROM generate_series(1, 500000) i) q`],
  ['bit strings of 10^6', () => `SELECT length((repeat('10', 500000)::varbit & repeat('01', 500000)::varbit)::text)`],
  ['a format of a megabyte', () => `SELECT to_char(5, repeat('9 ', 1000000))`],
  ['trigrams of 10^6', () => `SELECT repeat('ab, ', 250000) <% repeat('ab, ', 250000)`],
  ['a document of 20 MB', () => `SELECT jsonb_array_length(('[' || repeat('1,', 10000000) || '1]')::jsonb)`],
];

let served: Served;
let runner: WireClient;
let reader: WireClient;
beforeAll(async () => {
  served = await serve();
  runner = await WireClient.login(served.port);
  reader = await WireClient.login(served.port);
  runner.patience = 60_000;
  reader.patience = 60_000;
  await runner.query('CREATE EXTENSION pgcrypto; CREATE EXTENSION pg_trgm; CREATE TABLE few (id int PRIMARY KEY)');
  await runner.query(`INSERT INTO few SELECT generate_series(1, 100); CREATE TABLE wide (${list(1100, (i) => `c${i} int`)})`);
  // The first long call of a process waits for a thread to start.
  await runner.query(`SELECT crypt('a', gen_salt('bf', 8))`);
});
afterAll(async () => {
  runner.quit();
  reader.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

/** The longest answer beside the statement, and how long that took itself. */
async function beside(sql: string): Promise<{ readMs: number; tookMs: number; code: string | undefined }> {
  let readMs = 0;
  let over = false;
  const begun = performance.now();
  const used = process.cpuUsage();
  const reads = (async () => {
    while (!over) {
      const before = performance.now();
      const processor = process.cpuUsage();
      expect(rows(await reader.query('SELECT 1')).length).toBe(1);
      // The reader is in the server's process: it is kept waiting where it rests, too.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const { user, system } = process.cpuUsage(processor);
      readMs = Math.max(readMs, Math.min(performance.now() - before, (user + system) / 1000));
    }
  })();
  const reply = await runner.query(sql);
  over = true;
  await reads;
  const { user, system } = process.cpuUsage(used);
  const failed = reply.some(({ type }) => type === 'E');
  return { readMs, tookMs: Math.min(performance.now() - begun, (user + system) / 1000), code: failed ? errorOf(reply)['C'] : undefined };
}

test.each(STATEMENTS)('%s does not block other sessions', { timeout: 60_000 }, async (_, sql) => {
  await runner.query(`SET statement_timeout = ${TIMEOUT_MS}`);
  const text = sql();
  let found = await beside(text);
  for (let attempt = 1; attempt < TRIES && found.readMs >= ANSWERED_WITHIN_MS; attempt++) found = await beside(text);
  expect([undefined, '57014', '53200', '54000', '54001', '42P07']).toContain(found.code);
  expect(found.readMs).toBeLessThan(ANSWERED_WITHIN_MS);
});

test('a list of 10^8 rows does not block other sessions', { timeout: 60_000 }, async () => {
  // A client that keeps what it reads would take longer than the server.
  const discarding = await WireClient.login(served.port);
  discarding.socket.removeAllListeners('data');
  const gone = new Promise<number>((resolve) => {
    let bytes = 0;
    discarding.socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.subarray(-6).equals(Buffer.from('Z\0\0\0\x05I'))) resolve(bytes);
    });
  });
  const text = Buffer.from(`SELECT repeat('x', 100000000) FROM generate_series(1, 3)\0`);
  discarding.socket.write(Buffer.concat([Buffer.from('Q'), int32(text.length + 4), text]));
  const waits: number[] = [];
  let over = false;
  void gone.finally(() => {
    over = true;
  });
  while (!over) {
    const before = performance.now();
    const processor = process.cpuUsage();
    await reader.query('SELECT 1');
    const { user, system } = process.cpuUsage(processor);
    waits.push(Math.min(performance.now() - before, (user + system) / 1000));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await gone).toBeGreaterThan(300_000_000);
  expect(Math.max(...waits)).toBeLessThan(ANSWERED_WITHIN_MS);
  discarding.quit();
});
