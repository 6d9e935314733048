/**
 * A failed login reveals nothing about names: the message is the same for every name, and so is the time, as far as a rank
 * test over interleaved tries can show. A canary shows what it can detect.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { LoginThrottle } from '../../src/session/login-throttle.ts';
import { ServerIdentity } from '../../src/session/server-identity.ts';
import { createWireServer, type WireServer } from '../../src/wire/server.ts';
import { TestDatabase } from '../sql/session/open-database.ts';

const TOKEN = 'the-server-token-of-this-test';
/** Names by kind; the last two do not exist. */
const NAMES = ['writer', 'stopped', 'ann', 'locked', 'expired', 'nologin', 'nobody', 'somebody-else'];
const TRIES = 60;
/** Of a normal deviate: passed by chance once in 25 million comparisons. */
const Z_MAX = 5.4;

let t: TestDatabase;
let wire: WireServer;
let http: HttpServer;
let port: number;
let base: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  t = await TestDatabase.open();
  for (const name of ['writer', 'stopped', 'gone']) tokens[name] = (await t.db.create_agent({ name })).token;
  await t.db.alter_agent({ name: 'stopped', disabled: true });
  await t.db.drop_agent({ name: 'gone' });
  await t.run(`CREATE USER ann PASSWORD 'right'; CREATE USER locked; CREATE USER expired PASSWORD 'right' VALID UNTIL '2001-01-01';
    CREATE ROLE nologin NOLOGIN PASSWORD 'right'`);
  const identity = new ServerIdentity({ token: TOKEN, adminToken: null, safe: false }, t.db.directory, new LoginThrottle(1e9));
  wire = createWireServer({ session: (where) => t.db.session(where), logins: t.db.logins(identity) });
  port = await wire.listen('127.0.0.1', 0);
  http = createHttpServer({ commandsOf: (principal) => t.db.commandsOf(principal), identity, version: 'test' });
  base = await http.listen('127.0.0.1', 0);
});
afterAll(async () => {
  await Promise.all([wire.close(), http.close()]);
  await t.close();
});

/** Of both ends, which are this process: a clock would measure the machine. */
function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function failedLogin(user: string): Promise<{ ms: number; said: string }> {
  const client = new pg.Client({ host: '127.0.0.1', port, user, password: 'wrong', database: 'main' });
  const begun = process.cpuUsage();
  try {
    await client.connect();
    return { ms: 0, said: 'let in' };
  } catch (error) {
    const { code, message, severity, detail, hint } = error as pg.DatabaseError;
    return { ms: spentMs(begun), said: [severity, code, message.replace(user, '…'), detail, hint].join('|') };
  }
}

/** How far the ranks of two samples lie apart, as a normal deviate (Mann and Whitney). */
function apart(a: readonly number[], b: readonly number[]): number {
  let wins = 0;
  for (const x of a) for (const y of b) wins += x > y ? 1 : x === y ? 0.5 : 0;
  const pairs = a.length * b.length;
  return Math.abs(wins - pairs / 2) / Math.sqrt((pairs * (a.length + b.length + 1)) / 12);
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((each) => [Math.random(), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);
}

test('the SQL port says the same to every name, and takes as long', { timeout: 120_000 }, async () => {
  const times = new Map(NAMES.map((name) => [name, [] as number[]]));
  const said = new Set<string>();
  for (let n = 0; n < 5; n++) for (const name of NAMES) await failedLogin(name);
  for (let n = 0; n < TRIES; n++) {
    for (const name of shuffled(NAMES)) {
      const failed = await failedLogin(name);
      times.get(name)!.push(failed.ms);
      said.add(failed.said);
    }
  }
  expect([...said]).toEqual(['FATAL|28P01|password authentication failed for user "…"||']);
  for (const name of NAMES.slice(0, -1)) expect(apart(times.get(name)!, times.get('somebody-else')!), name).toBeLessThan(Z_MAX);
  // What a name would have to cost to be seen: twice as much is.
  const slower = times.get('nobody')!.map((ms) => ms * 2);
  expect(apart(slower, times.get('somebody-else')!)).toBeGreaterThan(Z_MAX);
});

test('the HTTP port says the same to every token that is not in use, and takes as long', { timeout: 60_000 }, async () => {
  const unknown = `svc_${'ab'.repeat(32)}`;
  const wrong = { unknown, stopped: tokens['stopped'], gone: tokens['gone'], nearly: `${tokens['writer'].slice(0, -1)}x`, other: 'x'.repeat(30), short: 'x' };
  const times = new Map(Object.keys(wrong).map((name) => [name, [] as number[]]));
  const said = new Set<string>();
  const ask = async (token: string): Promise<string> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const response = await fetch(`${base}/v1/branches`, { method: 'POST', headers, body: '{}' });
    const kept = [...response.headers].filter(([name]) => name !== 'date').map((each) => each.join(': '));
    return `${response.status} ${kept.join(', ')} ${await response.text()}`;
  };
  for (let n = 0; n < TRIES; n++) {
    for (const name of shuffled(Object.keys(wrong))) {
      const begun = process.cpuUsage();
      said.add(await ask(wrong[name as keyof typeof wrong]));
      times.get(name)!.push(spentMs(begun));
    }
  }
  expect(said.size, [...said].join('\n')).toBe(1);
  for (const name of ['stopped', 'gone', 'nearly', 'other']) expect(apart(times.get(name)!, times.get('unknown')!), name).toBeLessThan(Z_MAX);
  expect((await ask(tokens['writer'])).slice(0, 3)).toBe('200');
});
