/**
 * During any statement, cancel and statement_timeout act soon, and others can read. Times are as on an otherwise idle
 * machine: processor time of other processes is subtracted.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type Served } from './open-server.ts';
import { bind, errorOf, execute, int32, type Message, parse, rows, startup, SYNC, WireClient } from './wire-client.ts';

const ACTS_WITHIN_MS = 50;
/** The reader lives in the server's process here, so its reply waits for a turn more than that of a client elsewhere. */
const READS_WITHIN_MS = 20;
const SLOW_READS_WITHIN_MS = 50;
const TRIES = 4;
const RUNS_MS = 150;

/** None of them ends within the given time. */
const STATEMENTS: readonly (readonly [name: string, sql: string])[] = [
  ['two series multiplied', 'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b'],
  ['a table multiplied', 'SELECT sum(a.n) FROM big a, big b, big c'],
  ['a hash join of few keys', 'SELECT count(*) FROM big a JOIN big b ON a.two = b.two JOIN big c ON c.two = b.two'],
  ['a hash join with endless rows', 'SELECT a.n FROM big a JOIN big b ON a.two = b.two JOIN big c ON c.two = b.two ORDER BY a.n LIMIT 5'],
  ['a hash join with a condition', 'SELECT count(*) FROM big a JOIN big b ON a.two = b.two AND a.n + b.n < 0 JOIN big c ON c.two = a.two'],
  ['an outer hash join', 'SELECT count(*) FROM big a LEFT JOIN big b ON a.two = b.two LEFT JOIN big c ON b.two = c.two'],
  ['a full hash join', 'SELECT count(*) FROM big a FULL JOIN big b ON a.two = b.two FULL JOIN big c ON b.two = c.two'],
  ['EXISTS that is never met', 'SELECT count(*) FROM big a, big c WHERE EXISTS (SELECT 1 FROM big b WHERE a.two = b.two AND a.n + b.n < c.n - 1000000)'],
  ['nested loops', 'SELECT count(*) FROM big a JOIN big b ON a.n < b.n + 5 JOIN big c ON c.n < b.n + 3'],
  ['a lateral subquery', 'SELECT count(*) FROM big a, LATERAL (SELECT max(b.n) FROM big b WHERE b.two > a.n - 7 + random()) x, big c'],
  ['a subquery for each row', 'SELECT count(*) FROM (SELECT (SELECT max(b.n + a.n) FROM big b) m FROM big a, big c) q WHERE m > 0'],
  ['a subquery that is made once', 'SELECT (SELECT count(*) FROM big a, big b, big c)'],
  ['a subquery in VALUES', 'VALUES ((SELECT count(*) FROM big a, big b, big c))'],
  ['a subquery in LIMIT of a function', 'SELECT count(*) FROM generate_series(1, (SELECT count(*) FROM big a, big b, big c))'],
  ['IN of a long list', 'SELECT count(*) FROM big WHERE n NOT IN (SELECT a.n % 7 FROM big a, big b, big c)'],
  ['ALL', 'SELECT count(*) FROM big a, big c WHERE a.n > ALL (SELECT b.n - 1000000 FROM big b)'],
  ['a recursion of single rows', 'WITH RECURSIVE t (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT count(*) FROM t'],
  ['a recursion of many rows', 'WITH RECURSIVE t (i) AS (SELECT n FROM big UNION ALL SELECT i + 1 FROM t) SELECT count(*) FROM t'],
  ['a series without an end', 'SELECT count(*) FROM generate_series(1, 1000000000000)'],
  ['a series in the select list', 'SELECT count(*) FROM (SELECT generate_series(1, 1000000000000)) q'],
  ['texts of a megabyte', 'SELECT count(md5(repeat(a.s, 50000))) FROM big a, big b'],
  ['a sort of texts', 'SELECT count(*) FROM (SELECT a.s || b.n AS k FROM big a, big b ORDER BY k OFFSET 1) q'],
  ['a window of a wide frame', 'SELECT max(m) FROM (SELECT max(n) OVER (ORDER BY n ROWS BETWEEN 10000 PRECEDING AND 10000 FOLLOWING) m FROM big) q'],
  ['a window that excludes', 'SELECT max(m) FROM (SELECT sum(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) m FROM big) q'],
];

let served: Served;
let runner: WireClient;
let reader: WireClient;
let key: Buffer;

const sql = (text: string): Buffer[] => [parse('', text), bind('', '', []), execute(''), SYNC];

beforeAll(async () => {
  served = await serve();
  runner = await WireClient.open(served.port);
  runner.socket.write(startup({ user: 'tester', database: 'main' }));
  const greeting = await runner.until('Z');
  key = greeting.find(({ type }) => type === 'K')!.body;
  reader = await WireClient.login(served.port);
  await reader.query('CREATE TABLE big (n integer PRIMARY KEY, two integer NOT NULL, s text NOT NULL)');
  await reader.query("INSERT INTO big SELECT i, i % 2, 'city ' || i % 20 FROM generate_series(1, 20000) AS t (i)");
  await reader.run(parse('read', 'SELECT s FROM big WHERE n = $1'), SYNC);
});

afterAll(async () => {
  runner.quit();
  reader.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

interface Outcome {
  readonly reply: Message[];
  /** From when it was to stop to when its error came. */
  readonly lateMs: number;
  /** Of the reads beside it. */
  readonly readsMs: readonly number[];
}

/** Runs the statement, reads beside it, and stops it after a while. */
async function stopped(text: string, stop: () => Promise<void>): Promise<Outcome> {
  const readsMs: number[] = [];
  let over = false;
  const begun = performance.now();
  const used = process.cpuUsage();
  const reply = runner.run(...sql(text)).finally(() => {
    over = true;
  });
  const reads = (async () => {
    for (let i = 1; !over; i++) {
      const before = performance.now();
      const got = await reader.run(bind('', 'read', [String(1 + ((i * 7919) % 20000))]), execute(''), SYNC);
      readsMs.push(performance.now() - before);
      expect(rows(got).length).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  await stop();
  const messages = await reply;
  const took = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  const share = Math.min(1, (user + system) / 1000 / took);
  await reads;
  return { reply: messages, lateMs: (took - RUNS_MS) * share, readsMs: readsMs.map((ms) => ms * share) };
}

async function cancelLater(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, RUNS_MS));
  const cancel = await WireClient.open(served.port);
  cancel.socket.write(Buffer.concat([int32(16), int32(80877102), key]));
  await cancel.end();
}

const quantile = (values: readonly number[], part: number): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];

describe.each(STATEMENTS)('%s', (_name, text) => {
  test.each(['cancel', 'statement_timeout'] as const)('handles %s while others read', { timeout: 20_000 }, async (how) => {
    await runner.query(`SET statement_timeout = ${how === 'cancel' ? 0 : RUNS_MS}`);
    let outcome: Outcome | null = null;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      outcome = await stopped(text, how === 'cancel' ? cancelLater : async () => {});
      expect(errorOf(outcome.reply)).toMatchObject({ C: '57014' });
      if (outcome.lateMs < ACTS_WITHIN_MS && quantile(outcome.readsMs, 0.5) < READS_WITHIN_MS && quantile(outcome.readsMs, 0.95) < SLOW_READS_WITHIN_MS) return;
    }
    expect(outcome!.lateMs).toBeLessThan(ACTS_WITHIN_MS);
    expect(quantile(outcome!.readsMs, 0.5)).toBeLessThan(READS_WITHIN_MS);
    expect(quantile(outcome!.readsMs, 0.95)).toBeLessThan(SLOW_READS_WITHIN_MS);
  });
});
